//! Chance in the games of scripted players: the same seed, account, game and ply always fall alike, whatever happened
//! before and however often it is asked.

use crate::chess::Move;
use crate::sandbox::world::{GameId, Random, UserId};

/// What chance decides. Each question has dice of its own, so that none depends on whether another was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Which move.
    Move,
    /// How long it takes.
    Time,
    /// Whether the n-th event of the script happens.
    Event(usize),
}

impl Question {
    fn number(self) -> u64 {
        match self {
            Question::Move => 0,
            Question::Time => 1,
            Question::Event(index) => 2 + index as u64,
        }
    }
}

/// The dice of one player in one game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dice<'a> {
    /// Of the sandbox.
    pub(super) seed: u64,
    /// Who plays.
    pub(super) account: &'a UserId,
    /// The game, or the challenge that may become one.
    pub(super) game: &'a GameId,
}

impl Dice<'_> {
    fn at(self, ply: usize, question: Question) -> Random {
        let names = self.account.as_str().bytes().chain([0]).chain(self.game.as_str().bytes());
        let name = names.fold(self.seed, |sum, byte| sum.wrapping_mul(31) ^ u64::from(byte));
        // Each part is mixed before the next is added: neighbouring plies and questions must not share numbers.
        let ply = Random::new(name).next().wrapping_add(ply as u64);
        Random::new(Random::new(ply).next().wrapping_add(question.number()))
    }

    /// Any of these moves, all with the same chance; none if there is none.
    pub(super) fn any_move(self, ply: usize, moves: &[Move]) -> Option<Move> {
        let nth = self.at(ply, Question::Move).below(moves.len().max(1) as u64);
        moves.get(nth as usize).copied()
    }

    /// A time between the least and the most, both possible.
    pub(super) fn time_ms(self, ply: usize, (least, most): (u64, u64)) -> u64 {
        let span = most.saturating_sub(least).saturating_add(1);
        least.saturating_add(self.at(ply, Question::Time).below(span))
    }

    /// Whether the n-th event happens, if it does in so many of a hundred cases.
    pub(super) fn happens(self, ply: usize, event: usize, percent: u8) -> bool {
        self.at(ply, Question::Event(event)).below(100) < u64::from(percent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    fn with<T>(seed: u64, account: &str, game: &str, ask: impl FnOnce(Dice<'_>) -> T) -> T {
        let (account, game) = (UserId::of(account), GameId::parse(game).unwrap());
        ask(Dice { seed, account: &account, game: &game })
    }

    #[test]
    fn seed_account_game_and_ply_decide_and_nothing_else() {
        let moves = Position::initial().legal_moves();
        let choices = |seed, account, game, first| {
            let plies = first..first + 30;
            with(seed, account, game, |dice| plies.map(|ply| dice.any_move(ply, &moves)).collect::<Vec<_>>())
        };
        let usual = choices(1, "ada", "abcdefgh", 0);
        assert_eq!(choices(1, "ada", "abcdefgh", 0), usual);
        for other in [
            choices(2, "ada", "abcdefgh", 0),
            choices(1, "bob", "abcdefgh", 0),
            choices(1, "ada", "abcdefgi", 0),
            choices(1, "ada", "abcdefgh", 1),
        ] {
            assert_ne!(other, usual);
        }
    }

    /// 20 moves, 20,000 plies: a thousand each, give or take five standard deviations of 31.
    #[test]
    fn no_move_is_preferred() {
        let moves = Position::initial().legal_moves();
        let mut counts = [0; 20];
        with(7, "ada", "abcdefgh", |dice| {
            for ply in 0..20_000 {
                let mv = dice.any_move(ply, &moves).unwrap();
                counts[moves.iter().position(|other| *other == mv).unwrap()] += 1;
            }
        });
        assert!(counts.iter().all(|count| (845..=1155).contains(count)), "{counts:?}");
    }

    #[test]
    fn times_and_shares_keep_to_their_bounds() {
        with(3, "ada", "abcdefgh", |dice| {
            let times: Vec<u64> = (0..200).map(|ply| dice.time_ms(ply, (5, 8))).collect();
            assert_eq!((times.iter().min(), times.iter().max()), (Some(&5), Some(&8)));
            assert_eq!(dice.time_ms(0, (4, 4)), 4);
            let happens = |percent| (0..1000).filter(|ply| dice.happens(*ply, 0, percent)).count();
            assert_eq!((happens(0), happens(100)), (0, 1000));
            assert!((400..=600).contains(&happens(50)), "{}", happens(50));
        });
    }
}
