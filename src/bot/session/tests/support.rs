//! A game told in a few words: inputs are built, effects are shown as short texts. Log messages are left out
//! unless asked for.

use std::time::Duration;

use serde_json::{Value, json};

use crate::bot::options::{FixedLimit, GamePolicy, Thinking};
use crate::bot::session::{Effect, Input, Level, Loss, Outcome, Session, SessionOptions, Thought};
use crate::lichess::{GameEvent, GameInfo};

/// A session, and what time it is.
pub(super) struct Game {
    session: Session,
    at: u64,
    logs: Vec<(Level, String)>,
}

/// A game in which we, `quillbot-dev`, are White.
pub(super) fn game() -> Game {
    game_with(|_| {})
}

/// The same with other options.
pub(super) fn game_with(change: impl FnOnce(&mut SessionOptions)) -> Game {
    let thinking = Thinking { fixed: Some(FixedLimit::Nodes(100)), ..Thinking::default() };
    let mut options = SessionOptions {
        game: "Qz7Lm2Xa".parse().unwrap(),
        us: "quillbot-dev".parse().unwrap(),
        info: None,
        thinking,
        policy: GamePolicy { accept_draws: None, ..GamePolicy::default() },
        surplus: false,
    };
    change(&mut options);
    Game { session: Session::new(options), at: 0, logs: Vec::new() }
}

impl Game {
    /// After `input`, exactly this is to be done.
    #[track_caller]
    pub(super) fn on<const N: usize>(self, input: Input, expected: [&str; N]) -> Game {
        let told = format!("{input:?}");
        let (game, shown) = self.step(input);
        assert_eq!(shown, expected, "after {told} at {} ms", game.at);
        game
    }

    /// `input` happens; what is then to be done is another test's business.
    pub(super) fn then(self, input: Input) -> Game {
        self.step(input).0
    }

    /// As [`Game::on`], for a test that looks at the effects itself.
    pub(super) fn try_on(self, input: Input) -> (Game, Vec<String>) {
        self.step(input)
    }

    fn step(mut self, input: Input) -> (Game, Vec<String>) {
        let effects = self.session.handle(Duration::from_millis(self.at), input);
        // Whatever a session says must survive being written down.
        let text = serde_json::to_string(&effects).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Effect>>(&text).unwrap(), effects, "{text}");
        let shown = effects.iter().filter_map(show).collect();
        self.logs.extend(effects.into_iter().filter_map(|effect| match effect {
            Effect::Log { level, text } => Some((level, text)),
            _ => None,
        }));
        (self, shown)
    }

    /// Time passes.
    pub(super) fn after(mut self, ms: u64) -> Game {
        self.at += ms;
        self
    }

    /// Something like this was logged.
    #[track_caller]
    pub(super) fn logged(self, part: &str) -> Game {
        assert!(self.logs.iter().any(|(_, log)| log.contains(part)), "no {part:?} in {:?}", self.logs);
        self
    }

    /// How often something like this was logged.
    pub(super) fn count_logged(&self, part: &str) -> usize {
        self.logs.iter().filter(|(_, log)| log.contains(part)).count()
    }

    /// Nothing was logged that would worry the operator.
    #[track_caller]
    pub(super) fn calm(self) -> Game {
        let worry = self.logs.iter().find(|(level, _)| *level != Level::Info);
        assert_eq!(worry, None);
        self
    }

    /// The hard limit of a search for the present position, as the next search would have it.
    pub(super) fn hard_limit(self, input: Input) -> u64 {
        let mut game = self;
        let effects = game.session.handle(Duration::from_millis(game.at), input);
        let limits = effects.into_iter().find_map(|effect| match effect {
            Effect::Search { limits, .. } | Effect::PonderHit { limits, .. } => Some(limits),
            _ => None,
        });
        limits.expect("a search begins").hard_ms
    }
}

fn show(effect: &Effect) -> Option<String> {
    Some(match effect {
        Effect::Search { ticket, ply, limits, ponder } => {
            let exclude = if limits.exclude.is_empty() {
                String::new()
            } else {
                format!(" not {}", limits.exclude.join(" "))
            };
            let ponder = ponder.as_ref().map_or_else(String::new, |uci| format!(" if {uci}"));
            format!("search {ticket} ply {ply}{exclude}{ponder}")
        }
        Effect::PonderHit { ticket, .. } => format!("hit {ticket}"),
        Effect::HurrySearch => "hurry".to_owned(),
        Effect::StopSearch => "stop".to_owned(),
        Effect::Post { ply, uci, offer_draw } => {
            format!("post {uci} ply {ply}{}", if *offer_draw { " draw" } else { "" })
        }
        Effect::CancelPost => "cancel post".to_owned(),
        Effect::Act { action } => format!("act {action:?}"),
        Effect::Chat { text } => format!("chat {text}"),
        Effect::SetTimer { timer, after_ms } => format!("{timer:?} in {after_ms}"),
        Effect::CancelTimer { timer } => format!("no {timer:?}"),
        Effect::Reopen => "reopen".to_owned(),
        Effect::CheckPlaying => "playing?".to_owned(),
        Effect::Park { parked: true } => "park".to_owned(),
        Effect::Park { parked: false } => "unpark".to_owned(),
        Effect::Log { .. } => return None,
        Effect::Finish { report } => format!("finish {:?} ply {}", report.result, report.plies),
        Effect::Leave { .. } => "leave".to_owned(),
    })
}

/// A running state after these moves, three minutes and two seconds a move.
pub(super) fn state_json(moves: &str) -> Value {
    json!({ "type": "gameState", "moves": moves, "wtime": 180_000, "btime": 180_000, "winc": 2000, "binc": 2000,
        "status": "started" })
}

/// `value` with other fields.
pub(super) fn patched(mut value: Value, patch: Value) -> Value {
    for (key, field) in patch.as_object().unwrap() {
        value[key] = field.clone();
    }
    value
}

pub(super) fn line(value: Value) -> Input {
    Input::Line { age_ms: 0, event: Box::new(GameEvent::from_line(value.to_string().as_bytes())) }
}

/// A live line with these moves.
pub(super) fn state(moves: &str) -> Input {
    line(state_json(moves))
}

/// The same with other fields.
pub(super) fn state_with(moves: &str, patch: Value) -> Input {
    line(patched(state_json(moves), patch))
}

/// The whole game, in which we are White.
pub(super) fn full_json(moves: &str) -> Value {
    json!({ "type": "gameFull", "id": "Qz7Lm2Xa", "variant": { "key": "standard" }, "speed": "blitz", "rated": false,
        "createdAt": 1_788_912_345_678_u64, "white": { "id": "quillbot-dev", "name": "quillbot-dev", "title": "BOT" },
        "black": { "id": "ferncastle", "name": "Ferncastle" }, "initialFen": "startpos",
        "clock": { "initial": 180_000, "increment": 2000 }, "state": state_json(moves) })
}

pub(super) fn full(moves: &str) -> Input {
    line(full_json(moves))
}

pub(super) fn full_with(moves: &str, patch: Value) -> Input {
    line(patched(full_json(moves), patch))
}

/// The whole game, in which we are Black.
pub(super) fn full_as_black(moves: &str) -> Input {
    let (white, black) = (full_json(moves)["black"].clone(), full_json(moves)["white"].clone());
    full_with(moves, json!({ "white": white, "black": black }))
}

/// A search found this.
pub(super) fn found(ticket: u64, best: &str) -> Input {
    scored(ticket, best, 0)
}

/// A search found this, and values it so.
pub(super) fn scored(ticket: u64, best: &str, score: i32) -> Input {
    Input::Searched { ticket, thought: Thought { best: Some(best.to_owned()), score, ..Thought::default() } }
}

/// A search found this, and expects that.
pub(super) fn expecting(ticket: u64, best: &str, ponder: &str) -> Input {
    let thought =
        Thought { best: Some(best.to_owned()), ponder: Some(ponder.to_owned()), ..Thought::default() };
    Input::Searched { ticket, thought }
}

pub(super) fn posted(ply: usize, outcome: Outcome) -> Input {
    Input::Posted { ply, outcome, elapsed_ms: 20 }
}

pub(super) fn refused() -> Outcome {
    Outcome::Refused { message: "Not your turn, or game already over".to_owned() }
}

pub(super) fn unclear() -> Outcome {
    Outcome::Unclear { message: "no answer".to_owned() }
}

pub(super) fn lost() -> Input {
    Input::Lost { loss: Loss::Broken }
}

/// What the account's stream says of the game.
pub(super) fn info(patch: Value) -> GameInfo {
    serde_json::from_value(patched(json!({ "gameId": "Qz7Lm2Xa", "color": "white" }), patch)).unwrap()
}
