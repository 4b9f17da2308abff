//! Where games against itself begin: at the start of chess, of Chess960 or in a position of a book, after some moves at
//! random, so that no two games are alike.

use crate::chess::Position;
use crate::random::Random;

/// Where games begin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Openings {
    /// So many of a hundred games begin in one of the positions of Chess960.
    pub(crate) chess960: u64,
    /// So many begin in one of these positions.
    pub(crate) from_book: u64,
    pub(crate) book: Vec<Position>,
}

/// Moves at random from a starting position: so many, or one more, so that both sides come to move first.
const FROM_START: usize = 8;

/// The same from a position of a book.
const FROM_BOOK: usize = 2;

impl Openings {
    /// A position that is not over, after moves at random.
    pub(crate) fn draw(&self, random: &mut Random) -> Position {
        loop {
            let (mut position, plies) = self.first(random);
            for _ in 0..plies + random.below(2) {
                if let Some(mv) = random.choose(&position.legal_moves()) {
                    position.play(mv);
                }
            }
            if position.has_legal_move() && !position.is_insufficient_material() {
                return position;
            }
        }
    }

    fn first(&self, random: &mut Random) -> (Position, usize) {
        let chance = random.below(100) as u64;
        if chance < self.chess960
            && let Some(position) = Position::chess960(random.below(960) as u16)
        {
            return (position, FROM_START);
        }
        if chance < self.chess960 + self.from_book && !self.book.is_empty() {
            let position = &self.book[random.below(self.book.len())];
            return (position.clone(), FROM_BOOK);
        }
        (Position::initial(), FROM_START)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_drawn_in_their_shares() {
        let book =
            Position::from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3").unwrap();
        let openings = Openings { chess960: 30, from_book: 50, book: vec![book] };
        let mut random = Random::new(1, 0);
        let [mut from_book, mut from_start] = [0; 2];
        for _ in 0..1000 {
            match openings.first(&mut random) {
                (_, FROM_BOOK) => from_book += 1,
                (position, _) if position == Position::initial() => from_start += 1,
                _ => {}
            }
        }
        assert!(
            (450..550).contains(&from_book) && (160..240).contains(&from_start),
            "{from_book} {from_start}"
        );
    }

    #[test]
    fn games_begin_differently_and_go_on() {
        let mut keys: Vec<u64> = (0..200)
            .map(|game| Openings::default().draw(&mut Random::new(7, game)))
            .inspect(|position| assert!(position.has_legal_move()))
            .map(|position| position.key())
            .collect();
        keys.sort_unstable();
        keys.dedup();
        assert!(keys.len() >= 198, "{}", keys.len());
    }
}
