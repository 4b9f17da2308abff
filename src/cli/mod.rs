//! The command line: one file a command, and beside them what they share. Rules of play live elsewhere.

mod args;
mod exit;

mod logging;
mod server;
mod settings;

mod demo;
mod health;
mod run;

mod sandbox;

mod check;
mod replay;
mod scrub;
mod simulate;
mod soak;
mod upgrade;

mod bench;
mod datagen;
mod perft;
mod solve;
mod train;
mod tune;
mod uci;

pub use args::main;
