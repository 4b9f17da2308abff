//! A game on a stage: a scenario says what the server and the search do, the session answers, virtual time passes, and
//! all of it is written down as the bot would write it. Nothing here depends on the engine or on a clock.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use rookery::bot::session::{
    Action, Effect, GameReport, Input, Loss, Outcome, Session, SessionOptions, Thought, Timer,
};
use rookery::bot::{FixedLimit, GamePolicy, Phase, Thinking};
use rookery::chess::{Color, Variant};
use rookery::lichess::GameEvent;
use rookery::record::{Entry, Kind};
use serde::Serialize;
use serde_json::{Value, json};

pub(super) const GAME: &str = "Qz7Lm2Xa";
pub(super) const US: &str = "quillbot-dev";

/// Wall clocks of the corpus begin here.
pub(super) const WALL_MS: u64 = 1_788_912_345_678;

/// Between two things that happen, in milliseconds.
const STEP: u64 = 10;

/// Entries as they are written down.
#[derive(Default)]
pub(super) struct Record {
    pub(super) entries: Vec<Entry>,
    pub(super) at_ms: u64,
}

impl Record {
    pub(super) fn begin(about: &impl Serialize) -> Record {
        let mut record = Record::default();
        record.put(
            Kind::Header,
            &json!({ "format": rookery::record::FORMAT, "wall_ms": WALL_MS, "about": about }),
        );
        record
    }

    pub(super) fn put(&mut self, kind: Kind, body: &impl Serialize) {
        let (seq, body) = (self.entries.len() as u64, serde_json::to_value(body).unwrap());
        self.entries.push(Entry { seq, at_ms: self.at_ms, kind, body });
    }

    pub(super) fn step(&mut self) {
        self.at_ms += STEP;
    }
}

/// What a game is like before it begins.
pub(super) struct Setup {
    pub(super) options: SessionOptions,
    pub(super) us: Color,
    pub(super) variant: Variant,
    pub(super) fen: Option<&'static str>,
    /// Laid over the description of the game.
    pub(super) full: Value,
}

/// A game that is being played.
pub(super) struct Stage {
    session: Session,
    record: Record,
    setup: (Color, Variant, Option<&'static str>, Value),
    moves: Vec<String>,
    timers: BTreeMap<Timer, u64>,
    search: Option<u64>,
    post: Option<(usize, String)>,
    acts: VecDeque<Action>,
    report: Option<GameReport>,
    left: bool,
}

/// A game of three minutes and two seconds a move in which we are `us`.
pub(super) fn game(us: Color) -> Stage {
    game_with(us, |_| {})
}

/// The same, changed.
pub(super) fn game_with(us: Color, change: impl FnOnce(&mut Setup)) -> Stage {
    let thinking = Thinking {
        fixed: Some(FixedLimit::Time(Duration::from_millis(100))),
        ponder: false,
        ..Thinking::default()
    };
    let options = SessionOptions {
        game: GAME.parse().unwrap(),
        us: US.parse().unwrap(),
        info: None,
        thinking,
        policy: GamePolicy::default(),
        surplus: false,
    };
    let mut setup = Setup { options, us, variant: Variant::Standard, fen: None, full: json!({}) };
    change(&mut setup);
    let record = Record::begin(&setup.options);
    let mut stage = Stage {
        session: Session::new(setup.options),
        record,
        setup: (setup.us, setup.variant, setup.fen, setup.full),
        moves: Vec::new(),
        timers: BTreeMap::new(),
        search: None,
        post: None,
        acts: VecDeque::new(),
        report: None,
        left: false,
    };
    stage.open();
    stage
}

impl Stage {
    /// What was written down.
    pub(super) fn entries(self) -> Vec<Entry> {
        assert!(self.report.is_some() || self.left, "a scenario goes to the end of its game");
        self.record.entries
    }

    /// Whether the session has left the game.
    pub(super) fn is_left(&self) -> bool {
        self.left
    }

    // What the session is told.

    fn input(&mut self, input: &Input) {
        self.record.put(Kind::Input, input);
        let effects = self.session.handle(Duration::from_millis(self.record.at_ms), input.clone());
        if !effects.is_empty() {
            self.record.put(Kind::Effects, &effects);
        }
        for effect in effects {
            self.perform(effect);
        }
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Search { ticket, .. } => self.search = Some(ticket),
            Effect::StopSearch => self.search = None,
            Effect::Post { ply, uci, .. } => self.post = Some((ply, uci)),
            Effect::CancelPost => self.post = None,
            Effect::Act { action } => self.acts.push_back(action),
            Effect::SetTimer { timer, after_ms } => {
                self.timers.insert(timer, self.record.at_ms.saturating_add(after_ms));
            }
            Effect::CancelTimer { timer } => drop(self.timers.remove(&timer)),
            Effect::Finish { report } => self.report = Some(report),
            Effect::Leave { .. } => self.left = true,
            Effect::PonderHit { .. }
            | Effect::HurrySearch
            | Effect::Chat { .. }
            | Effect::Reopen
            | Effect::CheckPlaying
            | Effect::Park { .. }
            | Effect::Log { .. } => {}
        }
    }

    /// Time passes, and timers run out.
    pub(super) fn wait(&mut self, ms: u64) {
        let until = self.record.at_ms + ms;
        while let Some((&timer, &at)) =
            self.timers.iter().min_by_key(|(_, at)| **at).filter(|(_, at)| **at <= until)
        {
            self.timers.remove(&timer);
            self.record.at_ms = self.record.at_ms.max(at);
            self.input(&Input::Timer { timer });
        }
        self.record.at_ms = until;
    }

    fn step(&mut self, input: &Input) {
        self.wait(STEP);
        self.input(input);
    }

    // What the server does.

    /// The stream is opened, and begins with the whole game.
    pub(super) fn open(&mut self) {
        self.connect();
        self.describe();
    }

    /// The stream is open.
    pub(super) fn connect(&mut self) {
        self.wait(STEP);
        self.record.put(Kind::Stream, &json!({ "stream": "opened" }));
        self.input(&Input::Connected);
    }

    /// The whole game as the first line tells it.
    pub(super) fn describe(&mut self) {
        let (us, variant, fen, patch) = &self.setup;
        let ours = json!({ "id": US, "name": US, "title": "BOT", "rating": 2013 });
        let theirs = json!({ "id": "ferncastle", "name": "Ferncastle", "title": null, "rating": 1874 });
        let (white, black) = if *us == Color::White { (ours, theirs) } else { (theirs, ours) };
        let mut full = json!({ "type": "gameFull", "id": GAME, "variant": { "key": variant.key() }, "speed": "blitz",
            "rated": false, "createdAt": WALL_MS - 1000, "white": white, "black": black,
            "initialFen": fen.unwrap_or("startpos"), "clock": { "initial": 180_000, "increment": 2000 },
            "state": self.state_of(&json!({})) });
        lay_over(&mut full, patch);
        self.raw(&full.to_string());
    }

    fn state_of(&self, patch: &Value) -> Value {
        let mut state = json!({ "type": "gameState", "moves": self.moves.join(" "), "wtime": 180_000,
            "btime": 180_000, "winc": 2000, "binc": 2000, "status": "started" });
        lay_over(&mut state, patch);
        state
    }

    /// A line as it comes.
    pub(super) fn raw(&mut self, line: &str) {
        self.wait(STEP);
        self.record.put(Kind::Line, &line);
        let event = Box::new(GameEvent::from_line(line.as_bytes()));
        self.input(&Input::Line { age_ms: 0, event });
    }

    /// How the game stands, with something else about it.
    pub(super) fn state(&mut self, patch: Value) {
        self.raw(&self.state_of(&patch).to_string());
    }

    /// The game ends.
    pub(super) fn end(&mut self, status: &str, winner: Option<Color>) {
        let mut patch = json!({ "status": status });
        if let Some(winner) = winner {
            patch["winner"] = json!(if winner == Color::White { "white" } else { "black" });
        }
        self.state(patch);
    }

    /// The opponent moves.
    pub(super) fn theirs(&mut self, uci: &str) {
        self.moves.push(uci.to_owned());
        self.state(json!({}));
    }

    /// The list of moves is another one from now on.
    pub(super) fn moves(&mut self, moves: &str) {
        self.moves = moves.split_whitespace().map(str::to_owned).collect();
    }

    /// The stream is lost; `rest` is half a line.
    pub(super) fn lose(&mut self, loss: Loss, reason: Value, rest: &str) {
        self.wait(STEP);
        let lost = json!({ "stream": "lost", "reason": reason, "rest": rest, "rest_bytes": rest.len() });
        self.record.put(Kind::Stream, &lost);
        self.input(&Input::Lost { loss });
    }

    /// The server shows that it is alive.
    pub(super) fn alive(&mut self) {
        self.wait(STEP);
        self.record.put(Kind::Alive, &json!({ "times": 1 }));
    }

    // What becomes of what the session wanted.

    /// The search finds a move, which is level.
    pub(super) fn think(&mut self, best: &str) {
        self.think_worth(best, 30);
    }

    /// The search finds a move of this value.
    pub(super) fn think_worth(&mut self, best: &str, score: i32) {
        self.found(Thought { best: Some(best.to_owned()), score, ..Thought::default() });
    }

    /// The search finds this.
    pub(super) fn found(&mut self, thought: Thought) {
        let ticket = self.search.take().expect("a search is running");
        self.wait(STEP);
        self.record.put(Kind::Search, &json!({ "ticket": ticket, "pv": thought.best, "reason": "Limit" }));
        self.input(&Input::Searched { ticket, thought });
    }

    /// The post of a move is answered.
    pub(super) fn answer(&mut self, outcome: Outcome) {
        let (ply, uci) = self.post.clone().expect("a move is posted");
        let path = format!("/api/bot/game/{GAME}/move/{uci}");
        self.request(&path, &outcome);
        self.input(&Input::Posted { ply, outcome, elapsed_ms: STEP });
    }

    /// The stream shows the move that was posted.
    pub(super) fn echo(&mut self) {
        let (_, uci) = self.post.take().expect("a move is posted");
        self.theirs(&uci);
    }

    /// Something else that was asked for is answered.
    pub(super) fn acted(&mut self, outcome: Outcome) {
        let action = self.acts.pop_front().expect("something is asked of the server");
        self.request(&format!("/api/bot/game/{GAME}/{action:?}"), &outcome);
        self.input(&Input::Acted { action, outcome });
    }

    fn request(&mut self, path: &str, outcome: &Outcome) {
        self.wait(STEP);
        let status = match outcome {
            Outcome::Done => Some(200),
            Outcome::Refused { .. } => Some(400),
            Outcome::Gone => Some(404),
            Outcome::TooMany { .. } => Some(429),
            Outcome::Unclear { .. } => None,
            Outcome::Denied { .. } => Some(403),
        };
        let answer = if status == Some(200) { "{\"ok\":true}" } else { "" };
        let body = json!({ "method": "POST", "path": path, "form": [], "status": status, "elapsed_ms": STEP,
            "answer": answer });
        self.record.put(Kind::Request, &body);
    }

    // Longer stretches.

    /// These moves are played, by whoever is to move; ours are thought of, posted, taken and shown.
    pub(super) fn play(&mut self, moves: &str) {
        for uci in moves.split_whitespace() {
            if self.search.is_some() {
                self.think(uci);
                self.answer(Outcome::Done);
                self.echo();
            } else {
                self.theirs(uci);
            }
        }
    }

    /// The last move of the game is played, and the line that shows it tells how the game ended.
    pub(super) fn play_last(&mut self, uci: &str, status: &str, winner: Option<Color>) {
        if self.search.is_some() {
            self.think(uci);
            self.answer(Outcome::Done);
        }
        let posted = self.post.take().map(|(_, uci)| uci);
        self.moves.push(posted.unwrap_or_else(|| uci.to_owned()));
        self.end(status, winner);
    }

    // What others tell.

    /// The program begins to end.
    pub(super) fn phase(&mut self, phase: Phase) {
        self.step(&Input::Phase { phase });
    }

    /// The list of running games was asked for.
    pub(super) fn listed(&mut self, listed: bool) {
        self.step(&Input::Playing { listed });
    }

    /// The account's stream says that the game is over.
    pub(super) fn finished(&mut self, status: &str, winner: &str) {
        let info = json!({ "gameId": GAME, "fullId": format!("{GAME}B4td"), "color": "white", "source": "friend",
            "status": { "name": status }, "winner": winner, "variant": { "key": "standard" }, "speed": "blitz",
            "opponent": { "id": "ferncastle", "username": "Ferncastle", "rating": 1874 } });
        let game = Box::new(serde_json::from_value(info).unwrap());
        self.step(&Input::Finished { game });
    }
}

/// Puts the fields of `patch` over those of `value`, deeply.
pub(super) fn lay_over(value: &mut Value, patch: &Value) {
    match (value, patch) {
        (Value::Object(fields), Value::Object(patch)) => {
            for (key, patch) in patch {
                lay_over(fields.entry(key.clone()).or_insert(Value::Null), patch);
            }
        }
        (value, patch) => *value = patch.clone(),
    }
}
