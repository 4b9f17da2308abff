//! The lines of the two streams. Reading one cannot fail: what is not understood is kept as text.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::fields::{self, Fields};
use super::{Challenge, ChatLine, GameFull, GameInfo, GameState, OpponentGone, line};

/// How much of a line that was not understood is kept, in bytes.
const KEPT: usize = 2048;

/// The name under which a line that was not understood is written back.
const UNKNOWN: &str = "rookery:unknown";

/// A line of the account's stream.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Value")]
pub enum AccountEvent {
    /// A game begins, or runs already when the stream opens.
    GameStart(GameInfo),
    /// A game ended, or was called off.
    GameFinish(GameInfo),
    /// A challenge to us, or the echo of one of ours.
    Challenge(Challenge),
    /// A challenge was withdrawn.
    ChallengeCanceled(Challenge),
    /// A challenge was declined.
    ChallengeDeclined(Challenge),
    /// A line that was not understood: its text, cut to a bound.
    Unknown(String),
}

/// A line of a game's stream.
#[expect(
    clippy::large_enum_variant,
    reason = "one line is held at a time: boxing would only cost its readers"
)]
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Value")]
pub enum GameEvent {
    /// The game and how it stands: the first line after each connect.
    Full(GameFull),
    /// How the game stands now.
    State(GameState),
    /// Chat.
    Chat(ChatLine),
    /// The opponent left, or came back.
    OpponentGone(OpponentGone),
    /// A line that was not understood: its text, cut to a bound.
    Unknown(String),
}

/// A kind of event that a stream can carry.
pub(crate) trait Event: Sized {
    /// Reads a line. Whatever it is, it becomes an event.
    fn read(line: &[u8]) -> Self;

    /// The kind of a line that was not understood, to be logged once; none for one that was.
    fn oddity(&self) -> Option<String>;
}

impl Event for AccountEvent {
    fn read(line: &[u8]) -> AccountEvent {
        let event = line::json(line).and_then(|value| account_event(&value));
        event.unwrap_or_else(|| AccountEvent::Unknown(raw(line)))
    }

    fn oddity(&self) -> Option<String> {
        match self {
            AccountEvent::Unknown(raw) => Some(kind_of(raw)),
            _ => None,
        }
    }
}

impl Event for GameEvent {
    fn read(line: &[u8]) -> GameEvent {
        let event = line::json(line).and_then(|value| game_event(&value));
        event.unwrap_or_else(|| GameEvent::Unknown(raw(line)))
    }

    fn oddity(&self) -> Option<String> {
        match self {
            GameEvent::Unknown(raw) => Some(kind_of(raw)),
            _ => None,
        }
    }
}

impl AccountEvent {
    /// Reads one line of the account's stream.
    pub fn from_line(line: &[u8]) -> AccountEvent {
        AccountEvent::read(line)
    }
}

impl GameEvent {
    /// Reads one line of a game's stream.
    pub fn from_line(line: &[u8]) -> GameEvent {
        GameEvent::read(line)
    }
}

impl From<Value> for AccountEvent {
    fn from(value: Value) -> AccountEvent {
        account_event(&value).unwrap_or_else(|| AccountEvent::Unknown(raw_of(&value)))
    }
}

impl From<Value> for GameEvent {
    fn from(value: Value) -> GameEvent {
        game_event(&value).unwrap_or_else(|| GameEvent::Unknown(raw_of(&value)))
    }
}

fn account_event(value: &Value) -> Option<AccountEvent> {
    let fields = Fields::of(value);
    let game = || GameInfo::try_from(fields.get("game")?.clone()).ok();
    let challenge = || {
        let mut challenge = Challenge::try_from(fields.get("challenge")?.clone()).ok()?;
        // The line says beside the challenge, not in it, whether a bot may play it.
        challenge.compat_bot = fields.object("compat").maybe_flag("bot").or(challenge.compat_bot);
        Some(challenge)
    };
    match fields.text("type")? {
        "gameStart" => game().map(AccountEvent::GameStart),
        "gameFinish" => game().map(AccountEvent::GameFinish),
        "challenge" => challenge().map(AccountEvent::Challenge),
        "challengeCanceled" => challenge().map(AccountEvent::ChallengeCanceled),
        "challengeDeclined" => challenge().map(AccountEvent::ChallengeDeclined),
        _ => None,
    }
}

fn game_event(value: &Value) -> Option<GameEvent> {
    match Fields::of(value).text("type")? {
        "gameFull" => GameFull::try_from(value.clone()).ok().map(GameEvent::Full),
        "gameState" => GameState::try_from(value.clone()).ok().map(GameEvent::State),
        "chatLine" => Some(GameEvent::Chat(ChatLine::from(value.clone()))),
        "opponentGone" => Some(GameEvent::OpponentGone(OpponentGone::from(value.clone()))),
        _ => None,
    }
}

/// The line as text, cut to a bound.
fn raw(line: &[u8]) -> String {
    fields::cut(&String::from_utf8_lossy(line), KEPT).to_owned()
}

fn raw_of(value: &Value) -> String {
    let fields = Fields::of(value);
    match fields.long_text("raw") {
        Some(kept) if fields.text("type") == Some(UNKNOWN) => raw(kept.as_bytes()),
        _ => raw(value.to_string().as_bytes()),
    }
}

/// A short word for a line that was not understood: lines of one kind have one word.
fn kind_of(raw: &str) -> String {
    const WORD: usize = 40;
    match serde_json::from_str::<Value>(raw) {
        Ok(value) => match Fields::of(&value).text("type") {
            Some(kind) => kind.chars().take(WORD).collect(),
            None => "without type".to_owned(),
        },
        Err(_) => "not JSON".to_owned(),
    }
}

/// A body with its type in front.
#[derive(Serialize)]
struct Typed<'a, T> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(flatten)]
    body: T,
}

#[derive(Serialize)]
struct OfGame<'a> {
    game: &'a GameInfo,
}

#[derive(Serialize)]
struct OfChallenge<'a> {
    challenge: &'a Challenge,
}

#[derive(Serialize)]
struct Raw<'a> {
    raw: &'a str,
}

impl Serialize for AccountEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let game = |kind, game| Typed { kind, body: OfGame { game } };
        let of_challenge = |kind, challenge| Typed { kind, body: OfChallenge { challenge } };
        match self {
            AccountEvent::GameStart(info) => game("gameStart", info).serialize(serializer),
            AccountEvent::GameFinish(info) => game("gameFinish", info).serialize(serializer),
            AccountEvent::Challenge(challenge) => of_challenge("challenge", challenge).serialize(serializer),
            AccountEvent::ChallengeCanceled(challenge) => {
                of_challenge("challengeCanceled", challenge).serialize(serializer)
            }
            AccountEvent::ChallengeDeclined(challenge) => {
                of_challenge("challengeDeclined", challenge).serialize(serializer)
            }
            AccountEvent::Unknown(raw) => Typed { kind: UNKNOWN, body: Raw { raw } }.serialize(serializer),
        }
    }
}

impl Serialize for GameEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            GameEvent::Full(body) => Typed { kind: "gameFull", body }.serialize(serializer),
            GameEvent::State(body) => Typed { kind: "gameState", body }.serialize(serializer),
            GameEvent::Chat(body) => Typed { kind: "chatLine", body }.serialize(serializer),
            GameEvent::OpponentGone(body) => Typed { kind: "opponentGone", body }.serialize(serializer),
            GameEvent::Unknown(raw) => Typed { kind: UNKNOWN, body: Raw { raw } }.serialize(serializer),
        }
    }
}
