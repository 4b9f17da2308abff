//! Integration tests: one binary, so that it links once. Each line says what belongs there.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails right there, helpers of tests too")]

mod architecture; // who may use whom in `src/`, and other rules about its text
mod bot; // the bot over real HTTP against the sandbox
mod cli; // the command line over the real binary
mod config; // the configuration as users see it
mod daemon; // `rookery run` as a process, for other tests
mod dead; // dead positions against tables, with every mate played out
mod demo; // the demo as a user runs it
mod differential; // the laws against another implementation in random games
mod draws; // repetition, quiet moves and claims against tables
mod failures; // failures of real bots, engines and servers
mod golden; // the corpus of recordings, decided again
mod kill; // the daemon as a process that is killed and started again
mod lawbook; // the page of laws against the tree
mod laws; // the laws of chess against tables
mod page; // tables of `docs` about the tree, for tests of such pages
mod pgn; // games as PGN text, against what python-chess reads in them
mod properties; // what holds in every position of every variant
mod random; // random numbers that can be had again
mod sandbox; // the sandbox over real HTTP, with a client that knows nothing of `rookery::lichess`
mod shared; // data sets beside the repository, for tests that can do without
mod simulation; // bot and sandbox on a virtual clock, with faults
mod soak; // a long run, cut short
mod solve; // `rookery solve` over the real binary
mod text; // moves and positions as text, against tables of verdicts
mod training; // `rookery datagen`, `data` and `train` over the real binary
mod tune; // `rookery tune` over the real binary
mod uci; // `rookery uci` over the real binary, as a chess program meets it
mod variants; // the variants of chess against tables
mod wire; // the client against the sandbox: two readings of the API
