//! Dead positions: whether a side can still mate by some series of legal moves, however badly the other side plays
//! (FIDE 5.2.2 and 6.9). Knows nothing of who plays well: for that there is an engine.
//!
//! The plan is that of Miguel Ambrona, "A Practical Algorithm for Chess Unwinnability" (FUN 2022): look for a
//! helpmate, and where none turns up, prove from what can ever move where that there is none.

mod verdict;

mod search;

mod guide;
mod plan;

mod net;
mod reach;

pub use verdict::{Effort, Helpmate, Winnable};
