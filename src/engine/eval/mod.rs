//! The value of a position without looking ahead: material and placement, mobility, pawns, kings, threats.
//!
//! Every term has a middlegame and an endgame weight, blended by the material left. It does not know whose pieces
//! hang in a longer exchange: the search calls it only in positions that quiescence has settled.

mod taper;
mod values;
mod weights;

mod endgame;
mod judge;
mod king;
mod pawns;
mod pieces;
pub(crate) mod plain;
mod terms;

#[cfg(feature = "tune")]
pub(crate) mod sums;
#[cfg(feature = "tune")]
pub(crate) mod trial;
#[cfg(feature = "tune")]
pub(crate) mod walk;

pub(crate) use endgame::distance;
pub use judge::Evaluation;
pub(crate) use judge::Evaluator;
pub(crate) use pawns::attacks_of;
pub(crate) use taper::{Taper, t};
pub(crate) use terms::for_the_mover;
pub use terms::static_score;
#[cfg(feature = "tune")]
pub(crate) use weights::Weights;
