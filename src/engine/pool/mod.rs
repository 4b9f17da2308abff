//! The search threads of all games (lazy SMP): every running search has a thread of its own, so that none starves
//! and the system shares the cores fairly; what is left of the pool's threads helps, and moves from search to search
//! as they start and end. One table is shared by all searches of the pool.
//!
//! Whatever happens to a search, its caller gets exactly one answer: a panic is caught, and a timer answers for a
//! search that does not end in time.

mod handle;
mod job;
mod threads;

#[cfg(test)]
mod tests;

pub use handle::{Pool, SearchHandle};
