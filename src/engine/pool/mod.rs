//! The search threads of all games (lazy SMP). Their number is fixed, and none is idle while there is anything to
//! search: a single search has the help of all, several share them, and with more searches than threads the most urgent
//! goes first and each thinks the shorter for it. One table is shared by all searches of the pool.
//!
//! Whatever happens to a search, its caller gets exactly one answer: a panic is caught, and a timer answers for a
//! search that does not end in time.

mod handle;
mod job;
mod schedule;
mod threads;
mod vote;

#[cfg(test)]
mod tests;

pub use handle::{Pool, SearchHandle};
