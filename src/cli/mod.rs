//! The command line: one file a command, and beside them what they share. Rules of play live elsewhere.

mod args;
mod exit;

mod logging;
mod settings;

mod check;
mod sandbox;

mod bench;
mod uci;

pub use args::main;
