//! The bot over real HTTP against the sandbox.

mod relay;
mod support;
mod variants;

mod challenges;
mod games;
mod golden;
mod offers;
mod resume;
mod shutdown;
mod spoiled;
mod startup;
