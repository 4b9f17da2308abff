//! Decisions: which challenges to accept, what to do in a game, when to end.
//!
//! What decides is pure: `policy` and `lobby` for the account, `session` for one game. What acts is short:
//! `supervisor` and `game`. How chess is played is left to `engine`, how Lichess is spoken to `lichess`.

mod options;

pub mod shutdown;

pub use options::{
    AccountOptions, BotOptions, ChallengePolicy, DrawWindow, FixedLimit, GamePolicy, ResignPolicy, Span,
    Thinking,
};
pub use shutdown::Phase;
