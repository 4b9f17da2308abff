//! What a session does, input by input. Each test is a table: what happens, and what is then to be done.

mod support;

mod absence;
mod ends;
mod offers;
mod posts;
mod turns;
