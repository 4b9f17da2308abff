//! What a sandbox can be told: its users and every number in which servers differ. The defaults are Lichess' own
//! values where they are known. Reading them from a file or the command line is left to `cli`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use super::faults::Scenario;
use super::laws::Laws;
use super::opponents::Script;

/// How a sandbox behaves.
#[derive(Clone, Debug)]
pub struct SandboxOptions {
    /// The accounts that exist.
    pub users: Vec<UserSpec>,
    /// How often a stream sends a blank line, whatever else it sends.
    pub keep_alive: Duration,
    /// The laws of the games.
    pub laws: Laws,
    /// How castling is written in move lists.
    pub castling: CastlingNotation,
    /// How flags that are not set appear in a game state.
    pub unset_flags: UnsetFlags,
    /// Whether the third occurrence of a position ends a game in which a BOT account plays.
    pub auto_threefold: bool,
    /// Whether bots may play UltraBullet games that are arranged for them; on Lichess they may not.
    pub ultra_bullet: bool,
    /// Whether the first move of either side costs no time.
    pub free_first_moves: bool,
    /// How often clocks are looked at while nobody moves.
    pub flag_check: Duration,
    /// How late a move may come and still count.
    pub flag_grace: Duration,
    /// The time for a first move in games that have such a deadline; by speed, as on Lichess, if not given.
    pub first_move: Option<Duration>,
    /// How long after its last stream has closed a player counts as gone.
    pub gone_after: Duration,
    /// How long a player is gone before the opponent is told.
    pub gone_report: Duration,
    /// How often the opponent is told again.
    pub gone_repeat: Duration,
    /// How long a player is gone before the opponent may claim; twice that in rapid, thrice in classical games.
    pub gone_patience: Duration,
    /// How long a real-time challenge lives without a sign of its creator.
    pub challenge_expiry: Duration,
    /// The wait after the first refused takeback; the n-th costs n² as much.
    pub takeback_delay: Duration,
    /// How many lines wait for a slow reader before the oldest is lost.
    pub queue: usize,
    /// The number of plies that ends any game as a draw.
    pub max_plies: usize,
    /// How many finished games are kept for export.
    pub keep_finished: usize,
    /// Request limits.
    pub limits: RequestLimits,
    /// The opponents that the sandbox lends.
    pub ai: AiOptions,
    /// The source of ids, colours and start positions; from the time of the start if not given.
    pub seed: Option<u64>,
    /// The date at the start, as the time since 1970; that of the machine if not given.
    pub date: Option<Duration>,
    /// How often the sandbox looks whether anything is due.
    pub tick: Duration,
    /// What goes wrong on purpose from the start.
    pub scenario: Scenario,
    /// How long stopping waits for connections before it gives them up.
    pub stop_grace: Duration,
}

impl Default for SandboxOptions {
    fn default() -> SandboxOptions {
        SandboxOptions {
            users: Vec::new(),
            keep_alive: Duration::from_secs(7),
            laws: Laws::LICHESS,
            castling: CastlingNotation::Auto,
            unset_flags: UnsetFlags::Omitted,
            auto_threefold: true,
            ultra_bullet: false,
            free_first_moves: true,
            flag_check: Duration::from_secs(5),
            flag_grace: Duration::from_millis(50),
            first_move: None,
            gone_after: Duration::from_secs(1),
            gone_report: Duration::from_secs(5),
            gone_repeat: Duration::from_secs(5),
            gone_patience: Duration::from_secs(40),
            challenge_expiry: Duration::from_secs(20),
            takeback_delay: Duration::from_secs(10),
            queue: 32,
            max_plies: 600,
            keep_finished: 10_000,
            limits: RequestLimits::lichess(),
            ai: AiOptions::default(),
            seed: None,
            date: None,
            tick: Duration::from_millis(100),
            scenario: Scenario::default(),
            stop_grace: Duration::from_secs(3),
        }
    }
}

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserSpec {
    /// The name as people see it; the id is its lower case.
    pub name: String,
    /// A title; `BOT` makes it a bot account.
    pub title: Option<String>,
    /// The tokens that log in as this user.
    pub tokens: Vec<TokenSpec>,
    /// The rating in every kind of game.
    pub rating: u32,
    /// Whether opponents may propose to take moves back. BOT accounts on Lichess have it off.
    pub accepts_takebacks: bool,
    /// How the sandbox itself plays the account; it does not if nothing is given.
    pub script: Option<Script>,
}

impl UserSpec {
    /// A BOT account with one token that may play.
    pub fn bot(name: &str, token: &str) -> UserSpec {
        UserSpec {
            name: name.to_owned(),
            title: Some("BOT".to_owned()),
            tokens: vec![TokenSpec::playing(token)],
            rating: 2000,
            accepts_takebacks: false,
            script: None,
        }
    }

    /// A BOT account that the sandbox plays by a script. Nobody logs in to it.
    pub fn scripted(name: &str, script: Script) -> UserSpec {
        UserSpec { tokens: Vec::new(), script: Some(script), ..UserSpec::bot(name, "") }
    }

    /// An account without a title, with one token that may play and challenge.
    pub fn human(name: &str, token: &str) -> UserSpec {
        UserSpec {
            title: None,
            rating: 1500,
            accepts_takebacks: true,
            tokens: vec![TokenSpec {
                token: token.to_owned(),
                scopes: vec![Scope::BoardPlay, Scope::BotPlay, Scope::ChallengeRead, Scope::ChallengeWrite],
            }],
            ..UserSpec::bot(name, token)
        }
    }
}

/// A token and what it may do.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenSpec {
    /// The secret.
    pub token: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
}

impl TokenSpec {
    /// A token with `bot:play` alone, which is what a bot should have.
    pub fn playing(token: &str) -> TokenSpec {
        TokenSpec { token: token.to_owned(), scopes: vec![Scope::BotPlay] }
    }
}

impl fmt::Debug for TokenSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenSpec").field("token", &"<redacted>").field("scopes", &self.scopes).finish()
    }
}

/// What a token may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// `bot:play`
    BotPlay,
    /// `board:play`
    BoardPlay,
    /// `challenge:read`
    ChallengeRead,
    /// `challenge:write`
    ChallengeWrite,
    /// `tournament:write`
    TournamentWrite,
    /// `preference:read`
    PreferenceRead,
    /// `preference:write`
    PreferenceWrite,
    /// `email:read`
    EmailRead,
    /// `team:write`
    TeamWrite,
    /// `msg:write`
    MessageWrite,
}

impl Scope {
    /// All that the sandbox knows.
    pub const ALL: [Scope; 10] = [
        Scope::BotPlay,
        Scope::BoardPlay,
        Scope::ChallengeRead,
        Scope::ChallengeWrite,
        Scope::TournamentWrite,
        Scope::PreferenceRead,
        Scope::PreferenceWrite,
        Scope::EmailRead,
        Scope::TeamWrite,
        Scope::MessageWrite,
    ];

    /// The key of the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Scope::BotPlay => "bot:play",
            Scope::BoardPlay => "board:play",
            Scope::ChallengeRead => "challenge:read",
            Scope::ChallengeWrite => "challenge:write",
            Scope::TournamentWrite => "tournament:write",
            Scope::PreferenceRead => "preference:read",
            Scope::PreferenceWrite => "preference:write",
            Scope::EmailRead => "email:read",
            Scope::TeamWrite => "team:write",
            Scope::MessageWrite => "msg:write",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that is no scope.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown scope {0:?}, expected one of: {known}", known = Scope::ALL.map(Scope::as_str).join(", "))]
pub struct UnknownScope(pub String);

impl FromStr for Scope {
    type Err = UnknownScope;

    fn from_str(text: &str) -> Result<Scope, UnknownScope> {
        let found = Scope::ALL.into_iter().find(|scope| scope.as_str() == text);
        found.ok_or_else(|| UnknownScope(text.to_owned()))
    }
}

/// How castling is written in move lists. Lichess has changed it more than once, so a bot must read every form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingNotation {
    /// `e1g1` in standard games, `e1h1` in all others: Lichess today.
    Auto,
    /// `e1h1` everywhere: what the API's specification says.
    KingTakesRook,
    /// `e1g1` wherever king and rooks begin on their classical squares, also in set-up positions.
    Legacy,
}

/// How a flag of a game state that is not set is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsetFlags {
    /// Not at all, as Lichess does.
    Omitted,
    /// As `false`, as the API's specification shows.
    False,
}

/// The opponents that the sandbox lends, as Lichess lends Stockfish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AiOptions {
    /// Search threads for all of them together.
    pub threads: usize,
    /// The size of their transposition table.
    pub hash_mib: usize,
    /// Decides the blunders of the weaker levels: the same seed, game number and ply blunder alike.
    pub seed: u64,
}

impl Default for AiOptions {
    fn default() -> AiOptions {
        AiOptions { threads: 1, hash_mib: 16, seed: 1 }
    }
}

/// So many times in a window that begins with the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestLimit {
    /// How often.
    pub count: u32,
    /// In what time.
    pub window: Duration,
}

impl RequestLimit {
    /// `count` times in `seconds`.
    pub const fn new(count: u32, seconds: u64) -> RequestLimit {
        RequestLimit { count, window: Duration::from_secs(seconds) }
    }
}

/// The limits by kind of request; none where nothing is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RequestLimits {
    /// Challenges that an account creates in a minute; one to a human counts five times.
    pub challenges: Option<RequestLimit>,
    /// Challenges that an account creates in a day, counted likewise.
    pub challenges_day: Option<RequestLimit>,
    /// Games against the lent opponents, of one account.
    pub ai_games: Option<RequestLimit>,
    /// `GET /api/account`, of one account.
    pub account: Option<RequestLimit>,
    /// Opening the event stream, with one token.
    pub event_streams: Option<RequestLimit>,
    /// Games of a BOT account against others.
    pub bot_vs_bot: Option<RequestLimit>,
}

impl RequestLimits {
    /// No limit at all.
    pub const NONE: RequestLimits = RequestLimits {
        challenges: None,
        challenges_day: None,
        ai_games: None,
        account: None,
        event_streams: None,
        bot_vs_bot: None,
    };

    /// The limits of Lichess as far as they are known (2026).
    pub const fn lichess() -> RequestLimits {
        RequestLimits {
            challenges: Some(RequestLimit::new(25, 60)),
            challenges_day: Some(RequestLimit::new(200, 86_400)),
            ai_games: Some(RequestLimit::new(20, 86_400)),
            account: Some(RequestLimit::new(30, 300)),
            event_streams: Some(RequestLimit::new(30, 600)),
            bot_vs_bot: Some(RequestLimit::new(100, 86_400)),
        }
    }
}
