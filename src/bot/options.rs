//! Everything that can be set about the bot, as types with documented defaults. Where the values come from is
//! left to `config`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::health::Health;
use super::mind::Mind;
use crate::chess::Variant;
use crate::engine::PoolOptions;
use crate::lichess::{ClientOptions, Speed, UserId};

/// All there is to set.
#[derive(Clone, Debug)]
pub struct BotOptions {
    /// The server and how to talk to it.
    pub client: ClientOptions,
    /// Search threads and memory, for all games together.
    pub engine: PoolOptions,
    /// How long to think.
    pub thinking: Thinking,
    /// Which challenges to accept.
    pub challenges: ChallengePolicy,
    /// How to behave in a game, besides making moves.
    pub games: GamePolicy,
    /// Where recordings and finished games go; nothing is written without it.
    pub record_dir: Option<PathBuf>,
    /// How long running games may go on once the bot was asked to end.
    pub shutdown_grace: Duration,
    /// How the account is watched.
    pub account: AccountOptions,
    /// Learns what the streams say, for a watcher.
    pub health: Health,
    /// What thinks; an engine as `engine` says, if not given.
    pub mind: Option<Arc<dyn Mind>>,
}

impl BotOptions {
    /// The defaults for a server and an account.
    pub fn new(client: ClientOptions) -> BotOptions {
        BotOptions {
            client,
            engine: PoolOptions::default(),
            thinking: Thinking::default(),
            challenges: ChallengePolicy::default(),
            games: GamePolicy::default(),
            record_dir: None,
            shutdown_grace: Duration::from_secs(600),
            account: AccountOptions::default(),
            health: Health::default(),
            mind: None,
        }
    }
}

/// How long to think.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thinking {
    /// What is lost on the way to the server and back for each move, at least; the measured value is used when it
    /// is higher. Default 100 ms.
    pub overhead: Duration,
    /// The same effort for each move instead of a share of the clock. The clock still bounds it. Default none.
    pub fixed: Option<FixedLimit>,
    /// Think on the opponent's time, too. Default yes: the pool of search threads serves games first in which it is our
    /// move.
    pub ponder: bool,
    /// The time for a move in correspondence and unlimited games. Default 10 s.
    pub unlimited_time: Duration,
    /// The longest thought about a first move: the clock does not run yet, but the opponent waits, and some games
    /// are called off when nobody moves. Default 1 s.
    pub first_move_time: Duration,
}

impl Default for Thinking {
    fn default() -> Thinking {
        Thinking {
            overhead: Duration::from_millis(100),
            fixed: None,
            ponder: true,
            unlimited_time: Duration::from_secs(10),
            first_move_time: Duration::from_secs(1),
        }
    }
}

/// The same effort for each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FixedLimit {
    /// Positions.
    Nodes(u64),
    /// Plies.
    Depth(u32),
    /// Time.
    Time(Duration),
}

/// Which challenges to accept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChallengePolicy {
    /// The kinds of game. Default standard, Chess960 and games from a position, which the engine plays best.
    #[serde(with = "by_key")]
    pub variants: Vec<Variant>,
    /// The paces, correspondence (which includes unlimited games) among them. Default bullet to classical.
    pub speeds: Vec<Speed>,
    /// The time that each side starts with, from and to, both included. Default 0 to 3 hours.
    pub base: Span,
    /// What each move adds, from and to, both included. Default 0 to 3 minutes.
    pub increment: Span,
    /// Days for a move in correspondence games, from and to, both included. Default 1 to 14.
    pub days: (u32, u32),
    /// Whether games without any limit are welcome, where correspondence is. Default no.
    pub unlimited: bool,
    /// Whether rated games are welcome. Default yes.
    pub rated: bool,
    /// Whether casual games are welcome. Default yes.
    pub casual: bool,
    /// Whether games against bots are welcome. Default yes.
    pub bots: bool,
    /// Whether games against people are welcome. Default yes.
    pub humans: bool,
    /// The lowest rating of an opponent. Default none. Someone without a rating passes.
    pub min_rating: Option<u32>,
    /// The highest rating of an opponent. Default none. Someone without a rating passes.
    pub max_rating: Option<u32>,
    /// Only these opponents; empty is everybody. Default empty.
    pub allow: Vec<UserId>,
    /// Never these opponents. Default empty.
    pub block: Vec<UserId>,
    /// Games at the same time. Default 2; 0 accepts none.
    pub max_games: usize,
    /// Games at the same time against the same opponent. Default 1.
    pub max_games_per_opponent: usize,
    /// Challenges that wait for a free place; those beyond are declined as "later". Default 4.
    pub max_held: usize,
}

impl Default for ChallengePolicy {
    fn default() -> ChallengePolicy {
        ChallengePolicy {
            variants: vec![Variant::Standard, Variant::Chess960, Variant::FromPosition],
            speeds: vec![Speed::Bullet, Speed::Blitz, Speed::Rapid, Speed::Classical],
            base: Span { from: Duration::ZERO, to: Duration::from_secs(3 * 3600) },
            increment: Span { from: Duration::ZERO, to: Duration::from_secs(180) },
            days: (1, 14),
            unlimited: false,
            rated: true,
            casual: true,
            bots: true,
            humans: true,
            min_rating: None,
            max_rating: None,
            allow: Vec::new(),
            block: Vec::new(),
            max_games: 2,
            max_games_per_opponent: 1,
            max_held: 4,
        }
    }
}

/// A range of times, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The shortest.
    pub from: Duration,
    /// The longest.
    pub to: Duration,
}

/// How to behave in a game, besides making moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamePolicy {
    /// When to accept an offered draw; never without. Default a level or worse score for three moves.
    pub accept_draws: Option<DrawWindow>,
    /// When to offer one; never without. Default never.
    pub offer_draws: Option<DrawWindow>,
    /// Claim a threefold repetition, on servers that do not end the game by themselves, when our score is not
    /// above this, in centipawns. Default 0.
    pub claim_draw_score: i32,
    /// How many takebacks of the opponent to accept in a game. Default 0.
    pub takebacks: u32,
    /// Call a game off when the opponent has not made a first move for so long. Default 30 s.
    pub abort_after: Duration,
    /// Claim the win when the opponent has left and the server allows it. Default yes.
    pub claim_wins: bool,
    /// When to resign; never without. Default never.
    pub resign: Option<ResignPolicy>,
    /// What to say at the start of a game. Default nothing.
    pub greeting: Option<String>,
    /// What to say at its end. Default nothing.
    pub farewell: Option<String>,
}

impl Default for GamePolicy {
    fn default() -> GamePolicy {
        GamePolicy {
            accept_draws: Some(DrawWindow { score: 10, moves: 3 }),
            offer_draws: None,
            claim_draw_score: 0,
            takebacks: 0,
            abort_after: Duration::from_secs(30),
            claim_wins: true,
            resign: None,
            greeting: None,
            farewell: None,
        }
    }
}

/// How level a game must be, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawWindow {
    /// Our score may be this far from level, in centipawns. A draw offered when we are worse than that is
    /// accepted at once.
    pub score: i32,
    /// In so many searches one after another.
    pub moves: u32,
}

/// How lost a game must be, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignPolicy {
    /// Our score is this or worse, in centipawns: a negative number.
    pub score: i32,
    /// In so many searches one after another.
    pub moves: u32,
}

/// How the account is watched. The defaults suit Lichess; tests use shorter times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountOptions {
    /// A place kept for an accepted challenge is free again when no game has begun after this. Default 30 s.
    pub reservation: Duration,
    /// How often the list of running games is compared with the games played. Default 5 min.
    pub reconcile: Duration,
    /// An event stream that ends sooner than this after it was opened was ended on purpose. Default 3 s.
    pub quick_end: Duration,
    /// After so many of these ends another program with the same token must be running. Default 4.
    pub quick_ends: u32,
    /// How long the stream is then left alone. Default 2 min.
    pub twin_pause: Duration,
}

impl Default for AccountOptions {
    fn default() -> AccountOptions {
        AccountOptions {
            reservation: Duration::from_secs(30),
            reconcile: Duration::from_secs(300),
            quick_end: Duration::from_secs(3),
            quick_ends: 4,
            twin_pause: Duration::from_secs(120),
        }
    }
}

/// Variants as the keys of the API.
mod by_key {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::chess::Variant;

    pub(super) fn serialize<S: Serializer>(variants: &[Variant], serializer: S) -> Result<S::Ok, S::Error> {
        let keys: Vec<&str> = variants.iter().map(|variant| variant.key()).collect();
        keys.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Variant>, D::Error> {
        let keys = Vec::<String>::deserialize(deserializer)?;
        let variant = |key: &String| {
            Variant::from_key(key).ok_or_else(|| D::Error::custom(format!("unknown variant {key:?}")))
        };
        keys.iter().map(variant).collect()
    }
}
