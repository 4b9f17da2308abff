//! Challenges, incoming and outgoing.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chess::Color;

use super::fields::write;
use super::{ChallengeId, ChallengeStatus, ColorWish, Fields, GameId, Speed, UserId, VariantName};

/// An invitation to a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value", rename_all = "camelCase")]
pub struct Challenge {
    /// Its id; the game has the same one if it is accepted.
    pub id: ChallengeId,
    /// How it stands.
    pub status: ChallengeStatus,
    /// Who made it; nobody if it is open or anonymous.
    pub challenger: Option<ChallengeUser>,
    /// Who is asked; nobody if it is open.
    pub dest_user: Option<ChallengeUser>,
    /// The rules.
    pub variant: VariantName,
    /// Whether the result counts for the ratings.
    pub rated: bool,
    /// The pace.
    pub speed: Speed,
    /// The clock.
    pub time_control: TimeControl,
    /// What its maker would like to play.
    pub color: ColorWish,
    /// The colour that **its maker** will have.
    #[serde(serialize_with = "write::color")]
    pub final_color: Option<Color>,
    /// The start, where it is not the variant's own.
    pub initial_fen: Option<String>,
    /// The game after which a rematch is offered.
    pub rematch_of: Option<GameId>,
    /// Why it was declined: a key in lower case, such as `toofast`.
    #[serde(rename = "declineReasonKey")]
    pub decline_reason: Option<String>,
    /// The same for people to read.
    #[serde(rename = "declineReason")]
    pub decline_text: Option<String>,
    /// Extra rules, such as `noAbort`.
    pub rules: Vec<String>,
    /// Whether the server says that a bot may play it; it does not always say.
    pub compat_bot: Option<bool>,
}

/// One side of a challenge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value", rename_all = "camelCase")]
pub struct ChallengeUser {
    /// The account.
    pub id: UserId,
    /// Its name as people write it.
    pub name: String,
    /// `BOT`, `GM` and the like.
    pub title: Option<String>,
    /// The rating in this kind of game.
    pub rating: Option<u32>,
    /// Whether the rating is still unsettled.
    pub provisional: bool,
}

/// The clock of a game to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Value", rename_all = "camelCase", tag = "type")]
pub enum TimeControl {
    /// Time for the game.
    Clock {
        /// What each side starts with.
        #[serde(serialize_with = "write::seconds")]
        limit: Duration,
        /// What each move adds.
        #[serde(serialize_with = "write::seconds")]
        increment: Duration,
    },
    /// Days for each move.
    Correspondence {
        /// How many.
        #[serde(rename = "daysPerTurn")]
        days: u32,
    },
    /// No limit.
    Unlimited,
    /// A kind that this version does not know.
    Unknown,
}

/// All challenges of the account that wait for an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChallengeList {
    /// Made to us.
    pub incoming: Vec<Challenge>,
    /// Made by us.
    pub outgoing: Vec<Challenge>,
}

impl Challenge {
    /// Whether the game would be one that the bot endpoints serve. When the server does not say, it is so for all
    /// but the fastest games.
    pub fn suits_bots(&self) -> bool {
        self.compat_bot.unwrap_or(self.speed != Speed::UltraBullet)
    }

    /// A challenge as the answer to its creation gives it: flat, or wrapped as older servers do.
    pub(crate) fn from_answer(value: Value) -> Result<Challenge, &'static str> {
        match Fields::of(&value).filled_object("challenge") {
            Some(inner) => Challenge::try_from(inner.clone()),
            None => Challenge::try_from(value),
        }
    }
}

impl ChallengeUser {
    /// Whether it is a BOT account.
    pub fn is_bot(&self) -> bool {
        self.title.as_deref() == Some("BOT")
    }
}

impl TimeControl {
    /// The pace of such a game.
    pub fn speed(self) -> Speed {
        match self {
            TimeControl::Clock { limit, increment } => Speed::of_clock(limit, increment),
            TimeControl::Correspondence { .. } | TimeControl::Unlimited | TimeControl::Unknown => {
                Speed::Correspondence
            }
        }
    }
}

impl ChallengeList {
    pub(crate) fn read(value: &Value) -> ChallengeList {
        let fields = Fields::of(value);
        let read = |key| fields.list(key).iter().cloned().filter_map(|one| Challenge::try_from(one).ok());
        ChallengeList { incoming: read("in").collect(), outgoing: read("out").collect() }
    }
}

impl TryFrom<Value> for Challenge {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Challenge, &'static str> {
        let fields = Fields::of(&value);
        let user =
            |key| fields.filled_object(key).and_then(|user| ChallengeUser::try_from(user.clone()).ok());
        let text = |key| fields.text(key).map(str::to_owned);
        let time_control = TimeControl::from(fields.get("timeControl").cloned().unwrap_or_default());
        let rules = fields.list("rules").iter().filter_map(Value::as_str);
        Ok(Challenge {
            id: fields.parsed("id").ok_or("a challenge has an id of eight characters")?,
            status: ChallengeStatus::from(fields.text("status").unwrap_or("created")),
            challenger: user("challenger"),
            dest_user: user("destUser"),
            variant: VariantName(fields.name("variant").unwrap_or("standard").to_owned()),
            rated: fields.flag("rated"),
            speed: fields.text("speed").map_or_else(|| time_control.speed(), Speed::from),
            time_control,
            color: ColorWish::from_word(fields.text("color").unwrap_or_default()),
            final_color: fields.color("finalColor"),
            initial_fen: text("initialFen"),
            rematch_of: fields.parsed("rematchOf"),
            decline_reason: text("declineReasonKey"),
            decline_text: text("declineReason"),
            rules: rules.map(str::to_owned).collect(),
            compat_bot: fields.maybe_flag("compatBot").or_else(|| fields.object("compat").maybe_flag("bot")),
        })
    }
}

impl TryFrom<Value> for ChallengeUser {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<ChallengeUser, &'static str> {
        let fields = Fields::of(&value);
        let id: UserId =
            fields.parsed("id").or_else(|| fields.parsed("name")).ok_or("a user has an id or a name")?;
        Ok(ChallengeUser {
            name: fields.text("name").unwrap_or(id.as_str()).to_owned(),
            id,
            title: fields.name("title").map(str::to_owned),
            rating: fields.small("rating"),
            provisional: fields.flag("provisional"),
        })
    }
}

impl From<Value> for TimeControl {
    /// No kind at all is no limit.
    fn from(value: Value) -> TimeControl {
        let fields = Fields::of(&value);
        match fields.text("type") {
            Some("clock") => TimeControl::Clock {
                limit: fields.seconds("limit").unwrap_or_default(),
                increment: fields.seconds("increment").unwrap_or_default(),
            },
            Some("correspondence") => {
                TimeControl::Correspondence { days: fields.small("daysPerTurn").unwrap_or(1) }
            }
            Some("unlimited") => TimeControl::Unlimited,
            None if fields.get("type").is_none() => TimeControl::Unlimited,
            _ => TimeControl::Unknown,
        }
    }
}
