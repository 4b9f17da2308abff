//! Decisions: which challenges to accept, what to do in a game, when to end.
//!
//! What decides is pure: `desk` (with `policy`, `lobby` and `twin`) for the account, `finished` for what is over,
//! `session` for one game. What acts is short:
//! `supervisor` and `game`. How chess is played is left to `engine`, how Lichess is spoken to `lichess`.

mod options;

mod run;
pub mod shutdown;

mod calls;
mod door;
mod finished;
mod handler;
mod roster;
mod supervisor;

pub mod desk;

mod twin;

mod lobby;
mod policy;

mod game;

pub mod session;

mod budget;
mod mind;
mod thinker;

mod error;
mod health;
mod pgn;
mod tap;
pub mod view;

pub use error::{BotError, BotSummary};
pub use health::{Health, Silence};
pub use lobby::{Accepted, Pace, Rest, Tired};
pub use mind::{Mind, OnDone, OnInfo, Thought};
pub use options::{
    AccountOptions, BotOptions, ChallengePolicy, DrawWindow, FixedLimit, GamePolicy, ResignPolicy, Span,
    Thinking,
};
pub use run::run;
pub use shutdown::Phase;
pub use view::{GameUpdate, View};
