//! Watches all that goes over the wire between a bot and its server, and says which promises were broken. It reads
//! the wire for itself: it must not agree with the bot's misreadings.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hasher};
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use crate::chess::{History, UciMove, Variant};

/// How long after a newer position arrived a move for the older one may still leave.
const CROSSING: Duration = Duration::from_millis(250);

/// How long after its end a game may still be asked something.
const AFTERWARDS: Duration = Duration::from_millis(500);

/// How long the last words may take.
const LAST_WORDS: Duration = Duration::from_secs(6);

/// How often the stream of a game is refused before the bot may think of another game.
const HIDDEN: u32 = 2;

/// How soon after it is shown again it has its place back: by then an acceptance was on its way, and games are counted
/// only twice a second.
const BACK: Duration = Duration::from_millis(750);

/// The path of a game's stream begins so.
const GAME_STREAM: &str = "/api/bot/game/stream/";

/// Things on the wire that are kept for the report of a failure.
const KEPT: usize = 100_000;

/// Statuses of a game that goes on.
const GOING_ON: [&str; 2] = ["created", "started"];

/// Every status that ends a game; others are unknown and end nothing.
const ENDS: [&str; 14] = [
    "aborted",
    "mate",
    "resign",
    "stalemate",
    "timeout",
    "draw",
    "outoftime",
    "cheat",
    "noStart",
    "unknownFinish",
    "insufficientMaterialClaim",
    "variantEnd",
    "autoAborted",
    "adjudicated",
];

/// A promise that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Which: `I1` to `I7`, as in `docs/failures.md`.
    pub promise: &'static str,
    /// When, in virtual time since the run began.
    pub at: Duration,
    /// What happened.
    pub what: String,
}

/// Everything that is known from the wire.
#[derive(Debug)]
pub(super) struct Judge {
    began: Instant,
    secret: String,
    games: BTreeMap<String, Seen>,
    open_streams: BTreeMap<String, usize>,
    breaches: Vec<Breach>,
    trace: DefaultHasher,
    kept: VecDeque<String>,
    closed: BTreeMap<String, Instant>,
    tally: Tally,
    /// Games whose stream was refused.
    refused: BTreeMap<String, Refused>,
}

/// What was counted on the wire.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// For each stream that was opened again: how long it was closed.
    pub(super) gaps: Vec<(String, Duration)>,
    /// Moves that the server did not take.
    pub(super) refused_moves: usize,
    /// When each request left, since the run began, and its path.
    pub(super) requests: Vec<(Duration, String)>,
}

/// A game that the server did not show.
#[derive(Debug, Default)]
struct Refused {
    times: u32,
    shown: Option<Instant>,
}

/// A game, as the bot was told of it.
#[derive(Debug, Default)]
struct Seen {
    variant: Option<Variant>,
    fen: Option<String>,
    /// The newest move lists, each with the moment at which it stopped being the newest.
    told: VecDeque<(String, Option<Instant>)>,
    ended: Option<Instant>,
}

impl Judge {
    pub(super) fn new(secret: &str) -> Judge {
        Judge {
            began: Instant::now(),
            secret: secret.to_owned(),
            games: BTreeMap::new(),
            open_streams: BTreeMap::new(),
            breaches: Vec::new(),
            trace: DefaultHasher::new(),
            kept: VecDeque::new(),
            closed: BTreeMap::new(),
            tally: Tally::default(),
            refused: BTreeMap::new(),
        }
    }

    /// What was broken, what went over the wire last, and a number that two equal runs share.
    pub(super) fn take(&mut self) -> (Vec<Breach>, Vec<String>, u64) {
        let kept = std::mem::take(&mut self.kept);
        (std::mem::take(&mut self.breaches), kept.into(), self.trace.finish())
    }

    /// What was counted so far.
    pub(super) fn tally(&self) -> Tally {
        self.tally.clone()
    }

    /// Whether the server has kept a game hidden, and has not shown it since: it takes no place for long.
    pub(super) fn is_hidden(&self, game: &str) -> bool {
        let back = |shown: Instant| shown.elapsed() > BACK;
        self.refused.get(game).is_some_and(|it| it.times >= HIDDEN && !it.shown.is_some_and(back))
    }

    pub(super) fn breach(&mut self, promise: &'static str, what: String) {
        let at = self.began.elapsed();
        self.keep(format!("!! {promise}: {what}"));
        self.breaches.push(Breach { promise, at, what });
    }

    /// A request leaves the bot. `rest` is everything of it but the header with the token.
    pub(super) fn request(&mut self, method: &str, path: &str, rest: &str) {
        self.keep(format!("-> {method} {path} {rest}"));
        self.tally.requests.push((self.began.elapsed(), path.to_owned()));
        if path.contains(&self.secret) || (rest.contains(&self.secret) && path != "/api/token/test") {
            self.breach("I5", format!("the token leaves with {method} {path}"));
        }
        if method != "POST" {
            return;
        }
        let Some(rest) = path.strip_prefix("/api/bot/game/") else { return };
        let mut parts = rest.split(['/', '?']);
        let (Some(game), Some(command)) = (parts.next(), parts.next()) else { return };
        self.after_the_end(game, command);
        if command == "move" {
            let uci = parts.next().unwrap_or_default();
            if let Err(what) = self.movable(game, uci) {
                self.breach("I1", format!("game {game}: {what}"));
            }
        }
    }

    fn after_the_end(&mut self, game: &str, command: &str) {
        let patience = if command == "chat" { LAST_WORDS } else { AFTERWARDS };
        let late = self.games.get(game).and_then(|seen| seen.ended).map(|ended| ended.elapsed());
        if let Some(late) = late.filter(|late| *late > patience) {
            self.breach("I2", format!("game {game}: {command} {} ms after its end", late.as_millis()));
        }
    }

    /// Whether a move is well formed and legal in a position that the bot was told just now.
    fn movable(&self, game: &str, uci: &str) -> Result<(), String> {
        let mv: UciMove = uci.parse().map_err(|_| format!("{uci:?} is no move"))?;
        let seen = self.games.get(game).ok_or("a move in a game that was never described")?;
        let variant = seen.variant.ok_or("a move in a game that was never described")?;
        let now = Instant::now();
        let recent =
            seen.told.iter().rev().filter(|(_, until)| until.is_none_or(|until| until + CROSSING >= now));
        let mut last = String::new();
        for (moves, _) in recent {
            let start = variant.start(seen.fen.as_deref()).map_err(|error| error.to_string())?;
            match History::from_uci(start, moves.split_whitespace()) {
                Ok(history) if mv.to_move(history.position()).is_ok() => return Ok(()),
                Ok(_) | Err(_) => moves.clone_into(&mut last),
            }
        }
        Err(format!("{uci} is not legal after {last:?}"))
    }

    /// A stream opened.
    pub(super) fn opened(&mut self, path: &str) {
        let open = self.open_streams.entry(path.to_owned()).or_default();
        *open += 1;
        if let Some(closed) = self.closed.remove(path) {
            self.tally.gaps.push((path.to_owned(), closed.elapsed()));
        }
        if *open > 1 {
            self.breach("I6", format!("{path} is open twice"));
        }
    }

    /// The bot let go of a stream.
    pub(super) fn closed(&mut self, path: &str) {
        self.keep(format!("-- {path} closed"));
        self.closed.insert(path.to_owned(), Instant::now());
        if let Some(open) = self.open_streams.get_mut(path) {
            *open -= 1;
        }
    }

    /// An answer reached the bot, or failed to.
    pub(super) fn answer(&mut self, path: &str, outcome: &str) {
        self.keep(format!("<- {path}: {outcome}"));
        if path.contains("/move/") && outcome != "200" {
            self.tally.refused_moves += 1;
        }
        if let Some(game) = path.strip_prefix(GAME_STREAM).filter(|_| outcome.starts_with('4')) {
            let refused = self.refused.entry(game.to_owned()).or_default();
            if refused.shown.take().is_some() {
                refused.times = 0;
            }
            refused.times += 1;
        }
    }

    /// A line of a stream reached the bot.
    pub(super) fn line(&mut self, path: &str, line: &[u8]) {
        if line.is_empty() {
            return;
        }
        self.keep(format!("<= {path}: {}", short(line)));
        let Ok(value) = serde_json::from_slice::<Value>(line) else { return };
        match path.strip_prefix(GAME_STREAM) {
            Some(game) => self.game_line(game, &value),
            None if value["type"] == "gameFinish" => {
                if let Some(id) = value["game"]["gameId"].as_str() {
                    self.seen(id).end();
                }
            }
            None => {}
        }
    }

    fn game_line(&mut self, game: &str, value: &Value) {
        if let Some(refused) = self.refused.get_mut(game) {
            refused.shown.get_or_insert_with(Instant::now);
        }
        let seen = self.seen(game);
        let state = match value["type"].as_str() {
            Some("gameFull") => {
                seen.variant = value["variant"]["key"].as_str().and_then(Variant::from_key);
                seen.fen = value["initialFen"].as_str().filter(|fen| *fen != "startpos").map(str::to_owned);
                &value["state"]
            }
            Some("gameState") => value,
            _ => return,
        };
        let Some(status) = state["status"].as_str() else { return };
        if let Some(moves) = state["moves"].as_str() {
            seen.tell(moves);
        }
        if ENDS.contains(&status) {
            seen.end();
        } else if GOING_ON.contains(&status) {
            seen.ended = None;
        }
    }

    fn seen(&mut self, game: &str) -> &mut Seen {
        self.games.entry(game.to_owned()).or_default()
    }

    fn keep(&mut self, what: String) {
        let at = self.began.elapsed().as_millis();
        let line = format!("{at:>9} {what}");
        self.trace.write(line.as_bytes());
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(line);
    }
}

impl Seen {
    fn tell(&mut self, moves: &str) {
        let now = Instant::now();
        if let Some((newest, until)) = self.told.back_mut() {
            if newest == moves {
                return;
            }
            *until = Some(now);
        }
        self.told.push_back((moves.to_owned(), None));
        while self.told.front().is_some_and(|(_, until)| until.is_some_and(|until| until + CROSSING < now)) {
            self.told.pop_front();
        }
    }

    fn end(&mut self) {
        self.ended.get_or_insert_with(Instant::now);
    }
}

/// How much of a line is kept from its start and from its end.
const SHOWN: usize = 160;

fn short(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= 2 * SHOWN + 5 {
        return text.into_owned();
    }
    let (start, end) = (&chars[..SHOWN], &chars[chars.len() - SHOWN..]);
    format!("{} ... {}", start.iter().collect::<String>(), end.iter().collect::<String>())
}
