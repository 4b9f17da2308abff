//! The HTTP side of the sandbox: routes, authorisation, streams. It decides nothing about games.

mod run;

pub use run::Sandbox;
