//! One game: what it is and what can be asked of it. What may be done in it is in the modules beside this one.

use std::sync::Arc;
use std::time::Duration;

use super::arbiter::Sheet;
use super::clock::GameClock;
use super::laws::{Lateness, Laws};
use super::offers::Offers;
use super::presence::Presence;
use super::{ChatLine, GameId, GameLine, Speed, UserId};
use crate::chess::{CastlingSpelling, Color, History, Variant};
use crate::sandbox::{CastlingNotation, SandboxOptions};

/// How a game stands or ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Started,
    Aborted,
    Mate,
    Resign,
    Stalemate,
    Timeout,
    Draw,
    OutOfTime,
    NoStart,
    UnknownFinish,
    InsufficientMaterialClaim,
    VariantEnd,
}

impl Status {
    /// Number and word of the API.
    pub(crate) const fn words(self) -> (u8, &'static str) {
        match self {
            Status::Started => (20, "started"),
            Status::Aborted => (25, "aborted"),
            Status::Mate => (30, "mate"),
            Status::Resign => (31, "resign"),
            Status::Stalemate => (32, "stalemate"),
            Status::Timeout => (33, "timeout"),
            Status::Draw => (34, "draw"),
            Status::OutOfTime => (35, "outoftime"),
            Status::NoStart => (37, "noStart"),
            // Of all words the one that claims least: the API has none for an arbiter.
            Status::UnknownFinish => (38, "unknownFinish"),
            Status::InsufficientMaterialClaim => (39, "insufficientMaterialClaim"),
            Status::VariantEnd => (60, "variantEnd"),
        }
    }
}

/// How a game came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameSource {
    /// A challenge.
    Friend,
    /// A challenge to a lent opponent.
    Ai,
    /// The lobby: the first moves have a deadline.
    Lobby,
    /// A tournament: likewise, and no game is aborted by a player.
    Arena,
}

impl GameSource {
    /// The word of the API.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            GameSource::Friend => "friend",
            GameSource::Ai => "ai",
            GameSource::Lobby => "lobby",
            GameSource::Arena => "arena",
        }
    }
}

/// What the players agreed beyond the time.
#[expect(clippy::enum_variant_names, reason = "the API's own words")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameRule {
    NoAbort,
    NoRematch,
    NoGiveTime,
    NoClaimWin,
    NoEarlyDraw,
}

impl GameRule {
    /// All of them.
    pub(crate) const ALL: [GameRule; 5] = [
        GameRule::NoAbort,
        GameRule::NoRematch,
        GameRule::NoGiveTime,
        GameRule::NoClaimWin,
        GameRule::NoEarlyDraw,
    ];

    /// The word of the API.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            GameRule::NoAbort => "noAbort",
            GameRule::NoRematch => "noRematch",
            GameRule::NoGiveTime => "noGiveTime",
            GameRule::NoClaimWin => "noClaimWin",
            GameRule::NoEarlyDraw => "noEarlyDraw",
        }
    }
}

/// Who sits at a side of the board.
#[derive(Clone, Debug)]
pub(crate) enum Seat {
    /// A user, as at the start of the game.
    User { id: UserId, name: String, title: Option<String>, rating: u32, rating_diff: Option<i32> },
    /// An opponent that the sandbox lends.
    Ai { level: u8 },
}

impl Seat {
    /// The user.
    pub(crate) fn user(&self) -> Option<&UserId> {
        match self {
            Seat::User { id, .. } => Some(id),
            Seat::Ai { .. } => None,
        }
    }

    /// Whether a BOT account sits here.
    pub(crate) fn is_bot(&self) -> bool {
        matches!(self, Seat::User { title: Some(title), .. } if title == "BOT")
    }

    /// The name that people see.
    pub(crate) fn name(&self) -> String {
        match self {
            Seat::User { name, .. } => name.clone(),
            Seat::Ai { level } => format!("Stockfish level {level}"),
        }
    }
}

/// A game, running or finished.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) id: GameId,
    /// What makes the full ids of the two players.
    pub(crate) player_ids: [String; 2],
    pub(crate) variant: Variant,
    pub(crate) speed: Speed,
    pub(crate) rated: bool,
    pub(crate) source: GameSource,
    pub(crate) tournament: Option<String>,
    pub(crate) rules: Vec<GameRule>,
    pub(crate) seats: [Seat; 2],
    /// The start, where it is not that of standard chess.
    pub(crate) initial_fen: Option<String>,
    pub(crate) created: Duration,
    /// When the last move was played, or the game began.
    pub(crate) turn_since: Duration,
    pub(crate) ended: Option<Duration>,
    pub(crate) history: History,
    pub(crate) clock: GameClock,
    /// What the clocks showed at each ply, the present one last.
    pub(crate) past_times: Vec<[Duration; 2]>,
    /// When each ply was begun to be thought about, the next one too.
    pub(crate) turns: Vec<Duration>,
    pub(crate) status: Status,
    pub(crate) winner: Option<Color>,
    pub(crate) rematch: Option<GameId>,
    pub(crate) chat: Vec<ChatLine>,
    pub(crate) sheet: Sheet,
    pub(super) offers: Offers,
    pub(super) presence: [Presence; 2],
    /// What the streams of this game have not been told yet.
    pub(super) lines: Vec<GameLine>,
    pub(super) options: Arc<SandboxOptions>,
}

/// A game state as a stream line tells it: a snapshot, so that later changes do not alter it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StateView {
    pub(crate) moves: String,
    pub(crate) left: [Duration; 2],
    pub(crate) increment: Duration,
    pub(crate) status: Status,
    pub(crate) winner: Option<Color>,
    pub(crate) draw_offers: [bool; 2],
    pub(crate) takeback_offers: [bool; 2],
    /// For how long the side to move has been idle, and how long it may take.
    pub(crate) expiration: Option<(Duration, Duration)>,
    pub(crate) rematch: Option<GameId>,
}

impl Game {
    /// The laws by which it is played.
    pub(crate) fn laws(&self) -> &Laws {
        &self.options.laws
    }

    /// Whether it goes on.
    pub(crate) fn is_live(&self) -> bool {
        self.status == Status::Started
    }

    /// Who is to move.
    pub(crate) fn turn(&self) -> Color {
        self.history.position().turn()
    }

    /// Plies played.
    pub(crate) fn ply(&self) -> usize {
        self.history.ply()
    }

    /// The side of a user.
    pub(crate) fn color_of(&self, user: &UserId) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.seats[color.index()].user() == Some(user))
    }

    /// Whether a user is to move.
    pub(crate) fn has_move(&self, user: &UserId) -> bool {
        self.seat(self.turn()).user() == Some(user)
    }

    /// Who sits at a side.
    pub(crate) fn seat(&self, color: Color) -> &Seat {
        &self.seats[color.index()]
    }

    /// Whether a lent opponent plays.
    pub(crate) fn has_ai(&self) -> bool {
        self.seats.iter().any(|seat| matches!(seat, Seat::Ai { .. }))
    }

    /// Whether a BOT account plays.
    pub(crate) fn has_bot(&self) -> bool {
        self.seats.iter().any(Seat::is_bot)
    }

    /// The full id of a player, which names game and side.
    pub(crate) fn full_id(&self, color: Color) -> String {
        format!("{}{}", self.id, self.player_ids[color.index()])
    }

    /// Whether `color` has made a move.
    pub(crate) fn has_moved(&self, color: Color) -> bool {
        let first = self.history.start().turn();
        self.ply() >= if color == first { 1 } else { 2 }
    }

    /// Whether a rule was agreed.
    pub(super) fn has_rule(&self, rule: GameRule) -> bool {
        self.rules.contains(&rule)
    }

    /// Whether a BOT account can play it through the bot interface.
    pub(crate) fn bot_compatible(&self) -> bool {
        self.speed != Speed::UltraBullet || self.options.ultra_bullet
    }

    /// Whether a person can play it through the board interface.
    pub(crate) fn board_compatible(&self) -> bool {
        match self.source {
            GameSource::Friend | GameSource::Ai => self.speed >= Speed::Blitz,
            GameSource::Lobby | GameSource::Arena => self.speed >= Speed::Rapid,
        }
    }

    /// How castling is written in this game.
    pub(crate) fn castling(&self) -> CastlingSpelling {
        let two_squares = match self.options.castling {
            CastlingNotation::Auto => self.variant == Variant::Standard,
            CastlingNotation::KingTakesRook => false,
            CastlingNotation::Legacy => {
                self.variant != Variant::Chess960 && self.history.start().has_standard_castling()
            }
        };
        if two_squares { CastlingSpelling::KingTwoSquares } else { CastlingSpelling::KingTakesRook }
    }

    /// The state as it is now.
    pub(crate) fn state(&self, now: Duration) -> StateView {
        StateView {
            moves: self.history.to_uci(self.castling()),
            left: self.clock.as_of_last_move(),
            increment: self.clock.increment(),
            status: self.status,
            winner: self.winner,
            draw_offers: self.offers.draw,
            takeback_offers: self.offers.takeback,
            expiration: self.first_move_deadline().map(|allowed| {
                let idle = now.saturating_sub(self.turn_since);
                (idle, allowed)
            }),
            rematch: self.rematch.clone(),
        }
    }

    /// Tells the streams how the game stands.
    pub(super) fn tell_state(&mut self, now: Duration) {
        self.lines.push(GameLine::State(self.state(now)));
    }

    /// The time that the side to move has for its first move, where there is such a deadline.
    pub(super) fn first_move_deadline(&self) -> Option<Duration> {
        if self.options.laws.lateness != Lateness::FirstMove {
            return None;
        }
        let arena = match self.source {
            GameSource::Friend | GameSource::Ai => return None,
            GameSource::Lobby => false,
            GameSource::Arena => true,
        };
        if !self.is_live() || self.ply() >= 2 {
            return None;
        }
        let by_speed = Duration::from_secs(self.speed.first_move_seconds(arena));
        let by_speed = if self.variant == Variant::Chess960 { by_speed * 5 / 4 } else { by_speed };
        Some(self.options.first_move.unwrap_or(by_speed))
    }
}
