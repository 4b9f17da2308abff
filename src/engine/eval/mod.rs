//! The value of a position without looking ahead: material and placement, mobility, pawns, kings, threats.
//!
//! Every term has a middlegame and an endgame weight, blended by the material left. It does not know whose pieces
//! hang in a longer exchange: the search calls it only in positions that quiescence has settled.

mod taper;
mod weights;

mod endgame;
mod king;
mod pawns;
mod pieces;
mod terms;

pub(crate) use pawns::PawnCache;
pub(crate) use terms::evaluate;
pub use terms::static_score;
