//! The bot over real HTTP against the sandbox.

mod relay;
mod support;

mod challenges;
mod games;
mod offers;
mod resume;
mod shutdown;
mod startup;
