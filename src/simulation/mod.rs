//! A bot and a sandbox in one process on a virtual clock, with simulated connections, a stepped engine and random
//! faults, all drawn from a seed. It judges what the bot does; how to play and how to serve are the others' business.
//!
//! What must hold in every run, by the names that `docs/failures.md` gives: I1 no illegal or malformed move is posted;
//! I2 nothing is asked of a game that is over; I3 no game is lost on time while the server could be reached; I4 places
//! equal live games; I5 the token is seen nowhere; I6 nothing panics, grows or is opened twice; I7 what the bot says
//! about an end is true.

mod dice;
mod mishap;
mod plan;

mod mind;
mod wire;

mod judge;
mod verdict;
mod watched;

mod campaign;
mod run;
mod trial;

pub(crate) use dice::Dice;
pub(crate) use mishap::rule as mishap;
pub(crate) use plan::BOT;
pub(crate) use verdict::{concerns, needless_loss, our_color};

pub use campaign::{Campaign, CampaignReport, run_campaign};
pub use judge::Breach;
pub use run::{RunReport, run};
pub use trial::{Trial, TrialReport, try_out};
