//! Weights to be tried in place of the constant ones, for the tuner. No other build has them.

use std::cell::Cell;

use super::values::WEIGHTS;
use super::weights::Weights;

thread_local! {
    static IN_FORCE: Cell<&'static Weights> = const { Cell::new(&WEIGHTS) };
}

/// The weights in force on the calling thread.
pub(crate) fn weights() -> &'static Weights {
    IN_FORCE.get()
}

/// Puts weights in force for the calling thread. Pawn caches still hold what came of the former ones.
pub(crate) fn put_in_force(weights: &'static Weights) {
    IN_FORCE.set(weights);
}
