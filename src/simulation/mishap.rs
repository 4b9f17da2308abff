//! What goes wrong for the bot in a run, and when: rules for the sandbox, drawn by chance.

use std::collections::BTreeMap;

use serde_json::Value;

use super::dice::Dice;
use super::plan::BOT;
use crate::sandbox::{Fault, Loss, Route, Rule, When};

/// The longest time at which a fault may begin. Runs take some minutes of virtual time.
const SPREAD_MS: u64 = 400_000;

/// Requests and streams; moves and games are met most.
const ANY: [Route; 17] = [
    Route::Move,
    Route::Move,
    Route::Move,
    Route::Move,
    Route::Game,
    Route::Game,
    Route::Events,
    Route::Accept,
    Route::Decline,
    Route::Chat,
    Route::Playing,
    Route::Takeback,
    Route::Abort,
    Route::Resign,
    Route::Claim,
    Route::Draw,
    Route::Account,
];

/// Streams alone.
const STREAMS: [Route; 3] = [Route::Events, Route::Game, Route::Game];

/// Lines that a server should not send.
const GARBAGE: [&str; 10] = [
    "<!DOCTYPE html><html><body>502 Bad Gateway</body></html>",
    "{\"type\":\"ping2\"}",
    "{\"type\":\"gameState\"",
    "\r\n \n",
    "null",
    "[]",
    "{\"type\":\"tournamentInvite\",\"id\":\"t0000001\"}",
    "{\"type\":\"challenge\",\"challenge\":{\"id\":\"aaaaaaaa\",\"challenger\":null}}",
    "{\"error\":\"Please don't poll this endpoint, it is intended to be streamed.\"}",
    "{\"type\":\"gameStart\",\"game\":{}}",
];

/// Something that goes wrong.
pub(crate) fn rule(dice: &mut Dice) -> Rule {
    let (routes, fault): (&[Route], Fault) = match dice.between(0, 27) {
        0..=3 => (&ANY, connection(dice)),
        4..=9 => (&ANY, answer(dice)),
        10 => (&[Route::Move], lost(dice)),
        11..=16 => (&STREAMS, stream(dice)),
        17..=22 => (&STREAMS, line(dice)),
        _ => world(dice),
    };
    let when = When {
        account: Some(BOT.to_owned()),
        after_ms: Some(dice.between(0, SPREAD_MS)),
        chance: dice.percent(50).then_some(0.2),
        ..When::on(*dice.pick(routes))
    };
    Rule { times: Some(dice.between(1, 3)), planned: false, ..Rule::when(when, fault) }
}

fn connection(dice: &mut Dice) -> Fault {
    match dice.between(0, 3) {
        0 => Fault::Refuse { ms: dice.between(0, 6000) },
        1 => Fault::Reset { applied: dice.percent(50) },
        2 => Fault::Silence { ms: dice.percent(70).then(|| dice.between(100, 30_000)) },
        _ => Fault::Blackhole { ms: dice.between(500, 40_000) },
    }
}

fn answer(dice: &mut Dice) -> Fault {
    match dice.between(0, 5) {
        0 => Fault::Truncate { bytes: dice.size(0, 40) },
        1 => Fault::EmptyBody,
        2 => Fault::Delay {
            ms: dice.between(10, 8000),
            jitter_ms: dice.between(0, 500),
            applied: dice.percent(50),
        },
        _ => status(dice),
    }
}

fn status(dice: &mut Dice) -> Fault {
    let status = *dice.pick(&[429, 429, 500, 502, 502, 503, 504, 400, 404, 302, 200]);
    let mut headers = BTreeMap::new();
    if status == 429 && dice.percent(50) {
        headers.insert("retry-after".to_owned(), dice.between(0, 5).to_string());
    }
    if status == 302 {
        headers.insert("location".to_owned(), "http://127.0.0.1:2/".to_owned());
    }
    let bodies = ["", "<!DOCTYPE html><html></html>", "{\"error\":\"Too many requests\"}", "{\"ok\":"];
    let body = (*dice.pick(&bodies)).to_owned();
    Fault::Status { status, headers, body, applied: status >= 500 && dice.percent(50) }
}

fn lost(dice: &mut Dice) -> Fault {
    Fault::AnswerLost { how: *dice.pick(&[Loss::Reset, Loss::Silence, Loss::End]) }
}

fn stream(dice: &mut Dice) -> Fault {
    match dice.between(0, 5) {
        0 => Fault::CutBytes { bytes: dice.size(0, 400) },
        1 => Fault::CutLines { lines: dice.size(1, 5) },
        2 => Fault::End,
        3 => Fault::Drip { bytes: dice.size(1, 60), every_ms: dice.between(1, 60) },
        4 => Fault::Split { bytes: dice.size(1, 30) },
        _ => Fault::Merge { lines: dice.size(2, 4) },
    }
}

fn line(dice: &mut Dice) -> Fault {
    match dice.between(0, 5) {
        0 => Fault::Duplicate { copies: dice.size(1, 300) },
        1 => Fault::Late { ms: dice.between(10, 10_000) },
        2 => Fault::Reorder,
        3 => Fault::Drop,
        4 => Fault::Insert { text: (*dice.pick(&GARBAGE)).to_owned() },
        _ => field(dice),
    }
}

fn field(dice: &mut Dice) -> Fault {
    let (path, value) = match dice.between(0, 9) {
        0 => ("type", None),
        1 => ("wtime", None),
        2 => ("btime", Some("\"soon\"")),
        3 => ("status", Some("\"newKindOfWait\"")),
        4 => ("moves", None),
        5 => ("state", Some("[]")),
        6 => ("winc", Some("-5")),
        7 => ("game", None),
        8 => ("challenge.challenger", Some("null")),
        _ => ("moves", Some("\"a1a1 z9z9\"")),
    };
    let value = value.and_then(|text| serde_json::from_str::<Value>(text).ok());
    Fault::Field { path: path.to_owned(), value }
}

fn world(dice: &mut Dice) -> (&'static [Route], Fault) {
    match dice.between(0, 6) {
        0 => (&[Route::Game], Fault::Backlog { capacity: dice.size(1, 32), ms: dice.between(100, 10_000) }),
        1 => (&[Route::Game], Fault::ClockJump { white_ms: jump(dice), black_ms: jump(dice) }),
        2 => (
            &[Route::Any],
            Fault::Restart { down_ms: dice.between(500, 10_000), lose_plies: dice.size(0, 3) },
        ),
        3 => (&STREAMS, Fault::Twin),
        4 => (&[Route::Events], Fault::StaleChallenge),
        5 => (&[Route::Any], Fault::StaleList { ms: dice.between(1000, 60_000) }),
        _ => (&[Route::Events], Fault::StaleStart),
    }
}

/// Clocks jump by seconds, mostly up: too far down and the flag has fallen.
fn jump(dice: &mut Dice) -> i64 {
    i64::try_from(dice.between(0, 20_000)).unwrap_or_default() - 5000
}
