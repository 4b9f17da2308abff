//! The world behind the server: accounts, challenges, games and their clocks.
//!
//! Pure: every method that needs the time takes it as `now`, the time since the sandbox began, and nothing here
//! knows HTTP or JSON. What happens is left as [`Notice`]s, which the server turns into stream lines.

mod ids;
pub mod laws;
mod mating;
mod refusal;
mod time_control;
mod variant;

mod account;
mod clock;
mod limiter;

mod adjournment;
mod arbiter;
mod chat;
mod ending;
mod game;
mod offers;
mod presence;
mod referee;

mod challenge;
mod wish;

mod lobby;
mod notice;
mod office;
mod outage;
mod play;
mod relapse;
mod restart;
mod round;
mod scoresheet;
mod standings;
mod state;
mod sweep;

#[cfg(test)]
mod claims_tests;
#[cfg(test)]
mod laws_tests;
#[cfg(test)]
mod mishap_tests;
#[cfg(test)]
mod tests;

pub(crate) use account::{Account, Login};
pub(crate) use adjournment::Absence;
pub(crate) use arbiter::{ClaimKind, Finding};
pub(crate) use challenge::{Challenge, ChallengeStatus, ColorWish, DeclineReason};
pub(crate) use chat::{ChatLine, Room};
pub use game::GameSource;
pub(crate) use game::{Game, GameRule, Seat, StateView, Status};
pub(crate) use ids::{GameId, Random, UserId};
pub(crate) use notice::{GameLine, KeepAliveEnd, Notice};
pub(crate) use offers::Answer;
pub(crate) use outage::Losses;
pub(crate) use refusal::{FormErrors, Refusal, Whose};
pub(crate) use restart::WrongBeginning;
pub(crate) use scoresheet::{Reconstruction, reconstruct};
pub(crate) use state::{GamePlan, World};
pub(crate) use time_control::Speed;
pub use time_control::TimeControl;
pub(crate) use variant::VariantKey;
pub(crate) use wish::{AiWish, ChallengeWish, Start};
