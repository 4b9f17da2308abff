//! A small Lichess for bots: accounts, challenges, games, clocks and streams, over real HTTP.
//!
//! It is a server of its own, written from the API's description. It never uses `crate::lichess` or `crate::bot`: a
//! misreading must not be agreed on by both sides. It does not rate players exactly, moderate or pair tournaments.

mod faults;
mod opponents;
mod options;
mod points;
mod server;
mod swiss;
mod wire;
mod world;

pub use faults::{
    BadRule, BadScenario, Fault, FaultReport, Faults, Loss, Outage, Route, Rule, RuleReport, Scenario, When,
    recoveries,
};
pub use opponents::{Act, AskedColor, Moment, Moves, Outgoing, Reply, Script, ScriptError, ScriptEvent};
pub use options::{
    AiOptions, CastlingNotation, RequestLimit, RequestLimits, SandboxOptions, Scope, TokenSpec, UnknownScope,
    UnsetFlags, UserSpec,
};
pub use server::{GameSetup, GameSummary, Sandbox, SandboxError};
pub use world::{GameSource, TimeControl, laws};
