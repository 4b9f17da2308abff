//! Long runs over real sockets: a sandbox in this process with scripted opponents and random faults, the bot as a
//! process of its own that is killed now and then, and figures of both. What the bot should have done in detail is
//! judged on a virtual clock, in `simulation`.

mod options;

mod bot;
pub(crate) mod lag;
mod mischief;
mod opponents;

mod run;

mod figures;
mod score;
pub(crate) mod share;
mod timeline;

mod plot;
mod report;

pub use figures::{Growth, Level, Sample, Spread};
pub use options::{End, SoakError, SoakOptions};
pub use report::{Report, Tally};
pub use run::run;
