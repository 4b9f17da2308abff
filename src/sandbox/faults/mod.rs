//! What goes wrong on purpose: rules that choose requests, streams and lines, what they do, and what they did. The
//! server asks them wherever something leaves; nothing here sends or waits.

mod fault;
mod fields;
mod file;
mod route;
mod rule;

mod book;
mod desk;
mod edit;
mod recovery;
mod report;

mod handle;

pub(super) use book::{Fired, Occasion};
pub(super) use desk::{Desk, Step, is_blank};
pub(super) use edit::edited;
pub(super) use fault::Level;
pub use fault::{Fault, Loss};
pub use fields::BadRule;
pub use file::BadScenario;
pub use handle::Faults;
pub use recovery::recoveries;
pub use report::{FaultReport, Outage, RuleReport};
pub use route::Route;
pub(super) use rule::rules;
pub use rule::{Rule, Scenario, When};
