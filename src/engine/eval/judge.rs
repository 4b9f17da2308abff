//! What positions are judged by, and what a thread needs to do it.

use std::fmt;
use std::sync::Arc;

use super::endgame;
use super::pawns::PawnCache;
use super::terms::{evaluate, for_the_mover};
use crate::chess::{Color, Position};
use crate::engine::nnue::{Accumulators, Kernel, Network, NetworkError};
use crate::engine::score::Value;
use crate::engine::variant::Play;

/// What positions of chess are judged by. Variants are always judged by hand-made rules.
#[derive(Clone)]
pub struct Evaluation(Option<Arc<Network>>);

impl Evaluation {
    /// The network that the program carries.
    pub fn embedded() -> Evaluation {
        Evaluation(Some(Network::embedded()))
    }

    /// The hand-made evaluation.
    pub fn hand_made() -> Evaluation {
        Evaluation(None)
    }

    /// The same, with a network's loops as they are for these instructions. The values stay what they are.
    pub(crate) fn on(self, kernel: Kernel) -> Evaluation {
        Evaluation(self.0.map(|network| Arc::new(network.on(kernel))))
    }

    /// Bytes that so many threads take to judge, beside what they take in any case.
    pub(crate) fn bytes(&self, threads: usize) -> usize {
        self.0.as_ref().map_or(0, |network| network.bytes() + threads * Accumulators::bytes(network))
    }

    /// The network of a file that `rookery train` has written.
    pub fn read(file: &[u8]) -> Result<Evaluation, NetworkError> {
        Ok(Evaluation(Some(Arc::new(Network::read(file)?))))
    }
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::hand_made()
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(network) => write!(f, "network {}", network.name()),
            None => f.write_str("hand-made"),
        }
    }
}

impl fmt::Debug for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Evaluation({self})")
    }
}

impl PartialEq for Evaluation {
    fn eq(&self, other: &Evaluation) -> bool {
        self.0.as_ref().map(|network| network.hash()) == other.0.as_ref().map(|network| network.hash())
    }
}

impl Eq for Evaluation {}

/// A thread's means to judge positions.
pub(crate) struct Evaluator {
    network: Option<(Arc<Network>, Accumulators)>,
    pawns: PawnCache,
}

impl Evaluator {
    pub(crate) fn new(evaluation: &Evaluation) -> Evaluator {
        let network = evaluation.0.clone().map(|network| {
            let accumulators = Accumulators::new(&network);
            (network, accumulators)
        });
        Evaluator { network, pawns: PawnCache::new() }
    }

    /// The hand-made value for the side to move, in centipawns.
    pub(crate) fn by_hand<R: Play>(&mut self, position: &Position<R>) -> Value {
        evaluate(position, &mut self.pawns)
    }

    /// The value of a position of chess, `ply` plies from the root of the search, for the side to move, in centipawns.
    pub(crate) fn of_chess(&mut self, position: &Position, ply: usize) -> Value {
        let Some((network, accumulators)) = &mut self.network else { return self.by_hand(position) };
        // How to mate a bare king is known, and games against itself hardly show it.
        if let Some(known) = endgame::bare_king(position) {
            return for_the_mover(position, known);
        }
        let value = accumulators.evaluate(network, position, ply);
        for_the_mover(position, if position.turn() == Color::White { value } else { -value })
    }
}
