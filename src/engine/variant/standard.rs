//! Standard chess and Chess960: the defaults, and the network.

use super::Play;
use crate::chess::{Position, Standard};
use crate::engine::eval::Evaluator;
use crate::engine::score::Value;

impl Play for Standard {
    fn evaluate(position: &Position, evaluator: &mut Evaluator, ply: usize) -> Value {
        evaluator.of_chess(position, ply)
    }
}
