//! One game as a state machine: what is told goes in, what is to be done comes out.
//!
//! Pure: it reads no clock, does no I/O and starts nothing. Time comes with each input, and everything that happens
//! in a game is an input, so that a recorded game can be played again exactly. Doing is left to `bot::game`.
//!
//! [`Session::handle`] is in `machine`; the other files hold one subject each.

mod io;
mod table;

mod machine;
mod turn;

mod pace;
mod post;

mod offers;

mod absence;
mod end;

#[cfg(test)]
mod tests;

pub use io::{
    Action, Effect, GameReport, GameResult, Input, Level, Loss, Outcome, SearchLimits, SessionOptions,
    Thought, Timer,
};
pub use machine::Session;
