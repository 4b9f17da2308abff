//! What a session does, input by input. Each test is a table: what happens, and what is then to be done.

mod support;

mod absence;
mod ends;
mod failures;
mod offers;
mod orders;
mod posts;
mod turns;
