//! `rookery uci`: the engine for chess programs, by the Universal Chess Interface on standard input and output.
//!
//! Lines become commands in one place, whatever they hold; a bad one is answered with `info string error` and
//! changes nothing.

mod command;
mod go;
mod session;

pub(crate) use session::run;
