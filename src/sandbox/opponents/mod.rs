//! Who plays in the sandbox without a connection: the opponents that it lends, which are our own engine, weakened by
//! level, and the accounts that follow a script. Both act in this process; a client sees no difference.
//!
//! What they do is decided by pure functions from (seed, account, game, ply). Only `play` knows tasks and timers.

mod dice;
mod levels;
mod play;
mod players;
mod script;

#[cfg(test)]
mod players_tests;

pub(super) use play::play;
pub use script::{Act, AskedColor, Moment, Moves, Outgoing, Reply, Script, ScriptError, ScriptEvent};
