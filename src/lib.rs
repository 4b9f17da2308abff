//! A Lichess bot with its own chess engine, and a small Lichess to try it on.
//!
//! Read in this order; each module starts with what it is for and what it leaves to others:
//!
//! 1. [`chess`]: the laws. Pure values: positions, moves, games, and their text forms.
//! 2. [`engine`]: choosing a move. Its own threads; knows the laws and nothing else.
//! 3. [`lichess`]: the wire. HTTP, JSON, streams that reconnect, limits; no opinion on play.
//! 4. [`record`]: evidence. What was seen and done, append-only, so that it can be replayed.
//! 5. [`bot`]: decisions. A pure state machine and a shell for the account, and for each game.
//! 6. [`sandbox`]: a referee that speaks the Lichess API. Shares no wire type with 3.
//! 7. [`replay`]: a recording, fed to the state machines again and compared.
//! 8. [`simulation`]: 5 and 6 in one process on a virtual clock, with random faults, judged.
//! 9. [`soak`]: 5 as a process and 6, for long, over real sockets, measured.
//! 10. `training`: games of the engine against itself, and networks made of them.
//! 11. [`config`] and [`cli`]: the outside.
//!
//! The way of a move: stream line, typed event, `bot::session::Input`, effect `Search`, engine threads,
//! `Input` again, effect `PostMove`, the gate of [`lichess`], POST. Nothing posts a move by another way.
//!
//! The promises that hold everywhere, and the table of who may use whom, stand in `docs/architecture.md`;
//! `tests/it/architecture.rs` checks the table and the promises that text can show.

pub mod chess;

pub mod engine;

pub mod lichess;

pub mod record;

pub mod bot;

pub mod sandbox;

pub mod replay;

pub mod simulation;

pub mod soak;

mod training;

pub mod config;

pub mod cli;

mod ignore;
mod mutant;
#[cfg(test)]
mod odd_fields;
mod printable;
mod random;
#[cfg(test)]
mod seeds;
mod splitmix;
