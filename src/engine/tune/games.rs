//! Games of the engine against itself, for the quiet positions in them.

use super::labelled::Labelled;
use crate::chess::{History, Move, Position};
use crate::engine::eval::Evaluation;
use crate::engine::selfplay::{self, is_quiet, result};
use crate::random::Random;

/// Plies at random, so that no two games are alike. No position is taken from them.
const RANDOM_PLIES: usize = 8;

/// An engine that plays games for the tuner.
pub(crate) struct SelfPlay {
    nodes: u64,
    engine: selfplay::SelfPlay,
}

impl SelfPlay {
    /// `nodes` is what each move is searched for.
    pub(crate) fn new(nodes: u64) -> SelfPlay {
        SelfPlay { nodes, engine: selfplay::SelfPlay::new(&Evaluation::hand_made()) }
    }

    /// Plays the game that `seed` and `number` determine, and returns its quiet positions.
    pub(crate) fn game(&mut self, seed: u64, number: u64) -> Vec<Labelled> {
        self.engine.clear();
        let mut history = opening(&mut Random::new(seed, number));
        let mut quiet = Vec::new();
        let half_points = loop {
            if let Some(half_points) = result(&history) {
                break half_points;
            }
            let Some(mv) = self.choose(&history) else { break 1 };
            if let Some(position) = history.position().standard()
                && is_quiet(position, mv)
                && history.occurrences() == 1
            {
                quiet.push(position.clone());
            }
            history.push(mv);
        };
        let result = f64::from(half_points) / 2.0;
        quiet.into_iter().map(|position| Labelled { position, result }).collect()
    }

    fn choose(&mut self, history: &History) -> Option<Move> {
        if let [only] = history.position().legal_moves()[..] {
            return Some(only);
        }
        let (mv, _) = self.engine.choose(history, u64::MAX, self.nodes)?;
        Some(mv)
    }
}

fn opening(random: &mut Random) -> History {
    let mut history = History::new(Position::initial());
    while history.ply() < RANDOM_PLIES {
        let Some(mv) = random.choose(&history.position().legal_moves()) else { break };
        history.push(mv);
    }
    history
}
