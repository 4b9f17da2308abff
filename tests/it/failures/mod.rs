//! Failures of real bots, engines and servers, each with its input and the right behaviour. `docs/failures.md` says
//! where each one is tested, here or elsewhere.

mod book; // `docs/failures.md` against the tree
mod clock; // time and its limits
mod engine; // searches that are late, dead or wrong
mod games; // what happens in a game
mod hostile; // a server that sends what it is told to, for other tests
mod network; // streams, answers and limits
mod operation; // starting, stopping, configuration, files
mod rules; // the laws of chess in hard cases
mod security; // what a server or an opponent may try
mod sockets; // what the process holds open of the system
mod stage; // a server of a test's making, in memory and on a virtual clock
mod table; // twenty simple faults, with figures
mod tls; // servers that are not who they should be
