//! The HTTP side of the sandbox: routes, authorisation, streams. It decides nothing about games.

mod feed;
mod listener;
mod queue;
mod shared;
mod spoil;
mod streams;
mod upheaval;

mod answer;
mod auth;
mod request;

mod accounts;
mod arbiter;
mod control;
mod games;
mod lobby;
mod play;
mod routes;

mod run;
mod setup;

pub use run::Sandbox;
pub use setup::{GameSetup, GameSummary, SandboxError};
pub(super) use shared::Shared;
