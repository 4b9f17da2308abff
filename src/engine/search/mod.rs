//! The search: iterative deepening over alpha-beta with a principal variation, quiescence at the leaves, and the
//! histories that order moves. It runs on whatever thread calls it, and neither starts threads nor prints.

mod control;

mod history;
mod memory;
mod picker;

mod deepen;
mod learn;
mod node;
mod prune;
mod quiescence;
mod repetition;
mod root;
mod searcher;

#[cfg(test)]
mod tests;

pub(crate) use control::Control;
#[cfg(test)]
pub(crate) use control::Fault;
pub(crate) use deepen::{Finished, Part, deepen};
pub(crate) use memory::Memory;
pub(crate) use searcher::{Task, table_key};
