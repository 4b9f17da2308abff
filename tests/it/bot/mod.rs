//! The bot over real HTTP against the sandbox.

pub(crate) mod relay;
pub(crate) mod support;
mod variants;

mod challenges;
mod games;
mod golden;
mod offers;
mod resume;
mod shutdown;
mod spoiled;
mod startup;
