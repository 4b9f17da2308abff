//! A recording, played again: its inputs go to a fresh state machine (a session for a game, a desk for the account),
//! and what it wants is compared with what was wanted then. No sockets, no clock; why a difference matters is left to
//! the reader, who gets it with what came before.

mod report;

mod player;

mod story;

#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;

pub use player::{replay, replay_from};
pub use report::{Difference, ReplayError, ReplayReport};
pub use story::tell;
