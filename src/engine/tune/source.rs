//! Weights as the file of the source that holds them.

use super::Tuned;
use crate::engine::eval::walk::Walk as _;

impl Tuned {
    /// The text of `src/engine/eval/values.rs` with these weights.
    pub(crate) fn file(&self) -> String {
        let ([training, held_out, _], before, after) = (self.counts, self.before, self.after);
        format!(
            "//! What the evaluation weighs, in centipawns (a pair is middlegame, endgame): the numbers.\n\
             //!\n\
             //! Written by `rookery tune weights` (see `docs/tuning.md`) after {training} positions of games against itself. The\n\
             //! mean logistic loss of them fell from {:.5} to {:.5}, that of {held_out} positions held out from {:.5} to {:.5}.\n\
             \n\
             use super::taper::t;\n\
             use super::weights::{{KingWeights, Weights}};\n\
             \n\
             #[rustfmt::skip]\n\
             pub(super) static WEIGHTS: Weights = {};\n",
            before.training,
            after.training,
            before.held_out,
            after.held_out,
            self.weights.source(0),
        )
    }
}
