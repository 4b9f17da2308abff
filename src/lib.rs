//! A Lichess bot with its own chess engine, and a small Lichess to try it on.

pub mod bot;
pub mod chess;
pub mod cli;
pub mod config;
pub mod engine;
pub mod lichess;
pub mod record;
pub mod replay;
pub mod sandbox;

mod ignore;
