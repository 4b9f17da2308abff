//! What the API says, as types: identifiers, accounts, challenges, games, and the lines of the two streams.
//!
//! Every type is read leniently: a field that the API does not guarantee is an `Option` or has a default, an
//! unknown word is kept, an odd number becomes a harmless one. The types are written back in the shape in which
//! they are read, so that a recording can hold them.

mod fields;
mod ids;
mod words;

mod account;
mod challenge;
mod game;
mod request;

mod event;
pub(crate) mod line;

pub(crate) use event::Event;
pub(crate) use fields::Fields;
pub(crate) use request::Form;

pub use account::{Account, Perf, TokenInfo};
pub use challenge::{Challenge, ChallengeList, ChallengeUser, TimeControl};
pub use event::{AccountEvent, GameEvent};
pub use game::{
    ChatLine, ClockSettings, Expiration, GameFull, GameInfo, GameState, InitialFen, Opponent, OpponentGone,
    Player, PlayingGame,
};
pub use ids::{ChallengeId, GameId, IdError, UserId};
pub use request::{AiRequest, Answer, ChallengeRequest, DrawOffer};
pub use words::{ChallengeStatus, ColorWish, DeclineReason, Room, Speed, Status, VariantName};

#[cfg(test)]
mod tests;
