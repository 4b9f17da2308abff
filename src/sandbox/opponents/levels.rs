//! How strong the levels of the lent opponents are, and what one does in a position: search, or blunder by chance.

use crate::chess::{History, Move};
use crate::sandbox::world::{GameId, Random};

/// How a level plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Strength {
    /// What it searches for a move.
    nodes: u64,
    /// How often in a thousand it plays any legal move instead.
    blunders: u64,
}

/// Chosen so that each level is clearly weaker than the next; the first can be beaten by a beginner's program.
const STRENGTHS: [Strength; 8] = [
    Strength { nodes: 100, blunders: 500 },
    Strength { nodes: 300, blunders: 350 },
    Strength { nodes: 1_000, blunders: 200 },
    Strength { nodes: 3_000, blunders: 100 },
    Strength { nodes: 10_000, blunders: 40 },
    Strength { nodes: 40_000, blunders: 10 },
    Strength { nodes: 120_000, blunders: 0 },
    Strength { nodes: 400_000, blunders: 0 },
];

/// What a level does in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Play(Move),
    Search { nodes: u64 },
}

/// The same seed, game and ply choose alike. None if there is no legal move.
pub(super) fn choose(seed: u64, game: &GameId, level: u8, history: &History) -> Option<Choice> {
    let strength = STRENGTHS[usize::from(level.clamp(1, 8)) - 1];
    let moves = history.position().legal_moves();
    let name = game.as_str().bytes().fold(seed, |sum, byte| sum.wrapping_mul(31) ^ u64::from(byte));
    let mut random = Random::new(name.wrapping_add(history.ply() as u64));
    if random.below(1000) < strength.blunders {
        let nth = random.below(moves.len().max(1) as u64) as usize;
        return moves.get(nth).copied().map(Choice::Play);
    }
    (!moves.is_empty()).then_some(Choice::Search { nodes: strength.nodes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn choices_depend_on_seed_game_and_ply_alone() {
        let game = GameId::parse("abcdefgh").unwrap();
        let history = History::new(Position::initial());
        let choices = |seed, level| {
            (0..40)
                .map(|n| {
                    let mut history = history.clone();
                    for _ in 0..n {
                        let mv = history.position().legal_moves()[0];
                        history.push(mv);
                    }
                    choose(seed, &game, level, &history)
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(choices(1, 1), choices(1, 1));
        assert_ne!(choices(1, 1), choices(2, 1));
        assert!(choices(1, 1).iter().any(|choice| matches!(choice, Some(Choice::Play(_)))));
        assert!(choices(1, 8).iter().all(|choice| *choice == Some(Choice::Search { nodes: 400_000 })));
    }
}
