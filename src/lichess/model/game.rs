//! Games: what the event stream says about them, and what the stream of one game says.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chess::Color;

use super::fields::write;
use super::{Fields, GameId, Room, Speed, Status, UserId, VariantName};

/// A game as the event stream and the list of running games describe it. The board is not in here: it comes from
/// the game's own stream alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value", rename_all = "camelCase")]
pub struct GameInfo {
    /// The game.
    pub id: GameId,
    /// Our side.
    #[serde(serialize_with = "write::color")]
    pub color: Option<Color>,
    /// The rules.
    pub variant: VariantName,
    /// The pace.
    pub speed: Option<Speed>,
    /// Whether the result counts for the ratings.
    pub rated: bool,
    /// Where the game comes from, such as `friend`, `ai`, `arena`.
    pub source: Option<String>,
    /// The other side.
    pub opponent: Option<Opponent>,
    /// Whether we are to move.
    pub is_my_turn: bool,
    /// Whether we have made a move.
    pub has_moved: bool,
    /// What is left on our clock; none without a clock.
    #[serde(serialize_with = "write::maybe_seconds")]
    pub seconds_left: Option<Duration>,
    /// How the game stands.
    pub status: Option<Status>,
    /// Who won.
    #[serde(serialize_with = "write::color")]
    pub winner: Option<Color>,
    /// Our rating.
    pub rating: Option<u32>,
    /// Whether the server says that the bot endpoints serve this game.
    pub compat_bot: Option<bool>,
    /// The arena that the game belongs to.
    pub tournament_id: Option<String>,
    /// The Swiss that the game belongs to.
    pub swiss_id: Option<String>,
}

/// A game in the list of running ones; it comes with the same fields.
pub type PlayingGame = GameInfo;

/// The other side of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Value", rename_all = "camelCase")]
pub struct Opponent {
    /// The account; none for the server's engine and for anonymous players.
    pub id: Option<UserId>,
    /// The name, perhaps with a title in front: for people only.
    pub username: Option<String>,
    /// The rating.
    pub rating: Option<u32>,
    /// The level of the server's engine.
    pub ai: Option<u8>,
}

/// The first line of a game's stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value", rename_all = "camelCase")]
pub struct GameFull {
    /// The game.
    pub id: GameId,
    /// The rules.
    pub variant: VariantName,
    /// The pace.
    pub speed: Option<Speed>,
    /// Whether the result counts for the ratings.
    pub rated: bool,
    /// When the game was made, in milliseconds since 1970.
    pub created_at: Option<u64>,
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
    /// Where the moves start from.
    pub initial_fen: InitialFen,
    /// The clock as it was set; none for correspondence and unlimited games.
    pub clock: Option<ClockSettings>,
    /// Days for a move in a correspondence game.
    pub days_per_turn: Option<u32>,
    /// The arena that the game belongs to.
    pub tournament_id: Option<String>,
    /// How the game stands.
    pub state: GameState,
}

/// A side of a game. All is optional: the server's engine has a level only, an anonymous player nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Value", rename_all = "camelCase")]
pub struct Player {
    /// The account.
    pub id: Option<UserId>,
    /// The name as people write it.
    pub name: Option<String>,
    /// `BOT`, `GM` and the like.
    pub title: Option<String>,
    /// The rating.
    pub rating: Option<u32>,
    /// The level of the server's engine.
    pub ai_level: Option<u8>,
}

/// Where the moves of a game start from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum InitialFen {
    /// The start of the variant.
    Start,
    /// This position.
    Fen(String),
}

/// A clock as it was set. The time that the players really start with is in [`GameState`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Value")]
pub struct ClockSettings {
    /// What each side starts with.
    #[serde(serialize_with = "write::millis")]
    pub initial: Duration,
    /// What each move adds.
    #[serde(serialize_with = "write::millis")]
    pub increment: Duration,
}

/// How a game stands. The clocks are as of the last move: they do not tick down in later lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value")]
pub struct GameState {
    /// All moves from the start, in UCI, with spaces between; see [`GameState::moves`].
    pub moves: String,
    /// White's time.
    #[serde(serialize_with = "write::millis")]
    pub wtime: Duration,
    /// Black's time.
    #[serde(serialize_with = "write::millis")]
    pub btime: Duration,
    /// What a move adds to White's time.
    #[serde(serialize_with = "write::millis")]
    pub winc: Duration,
    /// What a move adds to Black's time.
    #[serde(serialize_with = "write::millis")]
    pub binc: Duration,
    /// Running, or how it ended.
    pub status: Status,
    /// Who won.
    #[serde(serialize_with = "write::color")]
    pub winner: Option<Color>,
    /// White offers a draw.
    pub wdraw: bool,
    /// Black offers a draw.
    pub bdraw: bool,
    /// White would like to take back.
    pub wtakeback: bool,
    /// Black would like to take back.
    pub btakeback: bool,
    /// The time limit of the first move.
    pub expiration: Option<Expiration>,
    /// The game of the rematch.
    pub rematch: Option<GameId>,
}

/// The time limit of a first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Value")]
pub struct Expiration {
    /// How long the side to move has done nothing.
    #[serde(rename = "idleMillis", serialize_with = "write::millis")]
    pub idle: Duration,
    /// How long it may.
    #[serde(rename = "millisToMove", serialize_with = "write::millis")]
    pub to_move: Duration,
}

/// A line of chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Value")]
pub struct ChatLine {
    /// Which chat.
    pub room: Room,
    /// Who said it; `lichess` is the server itself.
    pub username: String,
    /// What was said.
    pub text: String,
}

/// The opponent left, or came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Value")]
pub struct OpponentGone {
    /// Whether the opponent is away.
    pub gone: bool,
    /// When a win may be claimed; zero is now.
    #[serde(rename = "claimWinInSeconds", serialize_with = "write::maybe_seconds")]
    pub claim_win_in: Option<Duration>,
}

impl GameInfo {
    /// Whether the bot endpoints serve this game; they do unless the server says that they do not.
    pub fn suits_bots(&self) -> bool {
        self.compat_bot != Some(false)
    }
}

impl GameFull {
    /// A side of the game.
    pub fn player(&self, color: Color) -> &Player {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    /// The side that an account plays.
    pub fn color_of(&self, user: &UserId) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.player(color).id.as_ref() == Some(user))
    }
}

impl GameState {
    /// The moves from the start of the game; none if there are none yet.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.moves.split_ascii_whitespace()
    }
}

impl TryFrom<Value> for GameInfo {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<GameInfo, &'static str> {
        let fields = Fields::of(&value);
        let text = |key| fields.text(key).filter(|text| !text.is_empty()).map(str::to_owned);
        let id = ["gameId", "id", "fullId"].into_iter().find_map(|key| fields.parsed(key));
        Ok(GameInfo {
            id: id.ok_or("a game has an id of eight characters")?,
            color: fields.color("color"),
            variant: VariantName(fields.name("variant").unwrap_or("standard").to_owned()),
            speed: fields.text("speed").map(Speed::from),
            rated: fields.flag("rated"),
            source: text("source"),
            opponent: fields.filled_object("opponent").map(|opponent| Opponent::from(opponent.clone())),
            is_my_turn: fields.flag("isMyTurn"),
            has_moved: fields.flag("hasMoved"),
            seconds_left: fields.seconds("secondsLeft"),
            status: fields.name("status").map(Status::from),
            winner: fields.color("winner"),
            rating: fields.small("rating"),
            compat_bot: fields.maybe_flag("compatBot").or_else(|| fields.object("compat").maybe_flag("bot")),
            tournament_id: text("tournamentId"),
            swiss_id: text("swissId"),
        })
    }
}

impl From<Value> for Opponent {
    fn from(value: Value) -> Opponent {
        let fields = Fields::of(&value);
        Opponent {
            id: fields.parsed("id"),
            username: fields.text("username").or_else(|| fields.text("name")).map(str::to_owned),
            rating: fields.small("rating"),
            ai: fields.small("ai"),
        }
    }
}

impl TryFrom<Value> for GameFull {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<GameFull, &'static str> {
        let fields = Fields::of(&value);
        let player = |key| Player::from(fields.get(key).cloned().unwrap_or_default());
        let state = fields.get("state").ok_or("a full game has a state")?;
        Ok(GameFull {
            id: fields.parsed("id").ok_or("a game has an id of eight characters")?,
            variant: VariantName(fields.name("variant").unwrap_or("standard").to_owned()),
            speed: fields.text("speed").map(Speed::from),
            rated: fields.flag("rated"),
            created_at: fields.number("createdAt"),
            white: player("white"),
            black: player("black"),
            initial_fen: InitialFen::from(fields.text("initialFen").unwrap_or_default().to_owned()),
            clock: fields.filled_object("clock").map(|clock| ClockSettings::from(clock.clone())),
            days_per_turn: fields.small("daysPerTurn"),
            tournament_id: fields.text("tournamentId").map(str::to_owned),
            state: GameState::try_from(state.clone())?,
        })
    }
}

impl From<Value> for Player {
    fn from(value: Value) -> Player {
        let fields = Fields::of(&value);
        Player {
            id: fields.parsed("id"),
            name: fields.name("name").map(str::to_owned),
            title: fields.name("title").map(str::to_owned),
            rating: fields.small("rating"),
            ai_level: fields.small("aiLevel"),
        }
    }
}

impl From<String> for InitialFen {
    fn from(text: String) -> InitialFen {
        if text.is_empty() || text == "startpos" { InitialFen::Start } else { InitialFen::Fen(text) }
    }
}

impl From<InitialFen> for String {
    fn from(fen: InitialFen) -> String {
        match fen {
            InitialFen::Start => "startpos".to_owned(),
            InitialFen::Fen(text) => text,
        }
    }
}

impl From<Value> for ClockSettings {
    fn from(value: Value) -> ClockSettings {
        let fields = Fields::of(&value);
        ClockSettings {
            initial: fields.millis("initial").unwrap_or_default(),
            increment: fields.millis("increment").unwrap_or_default(),
        }
    }
}

impl TryFrom<Value> for GameState {
    type Error = &'static str;

    /// Without its moves a state says nothing, and taking it for a game without moves would be wrong. A missing
    /// clock reads as zero: move at once.
    fn try_from(value: Value) -> Result<GameState, &'static str> {
        let fields = Fields::of(&value);
        let time = |key| fields.millis(key).unwrap_or_default();
        Ok(GameState {
            moves: fields.long_text("moves").ok_or("a game state has a list of moves")?.to_owned(),
            wtime: time("wtime"),
            btime: time("btime"),
            winc: time("winc"),
            binc: time("binc"),
            status: fields.name("status").map_or(Status::Started, Status::from),
            winner: fields.color("winner"),
            wdraw: fields.flag("wdraw"),
            bdraw: fields.flag("bdraw"),
            wtakeback: fields.flag("wtakeback"),
            btakeback: fields.flag("btakeback"),
            expiration: fields.filled_object("expiration").map(|limit| Expiration::from(limit.clone())),
            rematch: fields.parsed("rematch"),
        })
    }
}

impl From<Value> for Expiration {
    fn from(value: Value) -> Expiration {
        let fields = Fields::of(&value);
        Expiration {
            idle: fields.millis("idleMillis").unwrap_or_default(),
            to_move: fields.millis("millisToMove").unwrap_or_default(),
        }
    }
}

impl From<Value> for ChatLine {
    /// The history of a chat says `user`, and leaves the room out: it holds the players' room alone.
    fn from(value: Value) -> ChatLine {
        let fields = Fields::of(&value);
        ChatLine {
            room: fields.text("room").map_or(Room::Player, Room::from),
            username: fields.text("username").or_else(|| fields.text("user")).unwrap_or_default().to_owned(),
            text: fields.text("text").unwrap_or_default().to_owned(),
        }
    }
}

impl From<Value> for OpponentGone {
    fn from(value: Value) -> OpponentGone {
        let fields = Fields::of(&value);
        OpponentGone { gone: fields.flag("gone"), claim_win_in: fields.seconds("claimWinInSeconds") }
    }
}
