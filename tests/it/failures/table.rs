//! Twenty simple faults at which the two leading bots were measured, tried on ours on a virtual clock. The page shows
//! the figures; `UPDATE_GOLDEN=1 cargo test --test it table` writes them there anew.

use std::fs;
use std::time::Duration;

use rookery::bot::{ChallengePolicy, GamePolicy};
use rookery::sandbox::{
    Act, Fault, GameSetup, Moment, Outgoing, Route, Rule, Script, ScriptEvent, TimeControl, UserSpec, When,
};
use rookery::simulation::{Trial, TrialReport, try_out};

use crate::page::root;

const SECOND: Duration = Duration::from_secs(1);

/// A fault, what became of it here, and whether that is what was aimed at.
struct Row {
    id: &'static str,
    run: fn() -> (TrialReport, String, bool),
}

/// An opponent who challenges the bot, takes half a second for a move, and resigns at ply 40.
fn opponent(name: &str) -> UserSpec {
    let script = Script {
        think_ms: (500, 500),
        challenges: Some(Outgoing { clock: (180, 0), times: Some(1), ..Outgoing::to("rook") }),
        events: vec![ScriptEvent::new(Moment::Ply(40), Act::Resign)],
        ..Script::default()
    };
    UserSpec { script: Some(script), ..UserSpec::bot(name, &format!("tok_{name}")) }
}

fn trial(rules: Vec<Rule>) -> Trial {
    Trial {
        opponents: vec![opponent("rival")],
        arranged: Vec::new(),
        rules,
        crash: None,
        challenges: ChallengePolicy::default(),
        policy: GamePolicy { accept_draws: None, ..GamePolicy::default() },
        games: 1,
    }
}

/// A fault for the bot on a route, at the sixth ply if the route has plies, so often in a row.
fn at(route: Route, fault: Fault, times: u64) -> Vec<Rule> {
    let ply = matches!(route, Route::Move | Route::Game).then_some(6);
    let after_ms = (route == Route::Events).then_some(5000);
    let when = When { account: Some("rook".to_owned()), ply, after_ms, ..When::on(route) };
    vec![Rule { times: Some(times), ..Rule::when(when, fault) }]
}

fn status(status: u16, body: &str) -> Fault {
    Fault::Status { status, headers: Default::default(), body: body.to_owned(), applied: false }
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

/// Whether the game went on to its end without a broken promise or a refused move.
fn whole(report: &TrialReport) -> bool {
    report.run.breaches.is_empty()
        && report.refused_moves == 0
        && report.games.iter().all(|game| game.status == "resign" && game.plies == 40)
        && report.run.games == 1
}

fn run(trial: &Trial) -> TrialReport {
    try_out(trial).unwrap()
}

fn back_on_the_game(fault: Fault) -> (TrialReport, String, bool) {
    let report = run(&trial(at(Route::Game, fault, 1)));
    let gap = report.game_gap;
    let right = whole(&report) && gap > Duration::ZERO && gap < SECOND;
    (report, format!("back after {}, no move lost", seconds(gap)), right)
}

fn back_on_the_account(fault: Fault) -> (TrialReport, String, bool) {
    let report = run(&trial(at(Route::Events, fault, 1)));
    let gap = report.event_gap;
    let right = whole(&report) && gap > Duration::ZERO && gap < SECOND;
    (report, format!("{} gap, no duplicate", seconds(gap)), right)
}

fn slower(fault: Fault, times: u64, most: Duration) -> (TrialReport, String, bool) {
    let report = run(&trial(at(Route::Move, fault, times)));
    let slowest = report.slowest;
    let taken = report.games.iter().all(|game| game.plies == 40) && report.run.breaches.is_empty();
    (report, format!("+{}, single effect", seconds(slowest)), taken && slowest <= most)
}

/// Three challenges three seconds apart, each "too many requests" for the first accept.
fn limited_accepts() -> (TrialReport, String, bool) {
    let mut trial = trial(at(Route::Accept, status(429, ""), 1));
    trial.opponents = (0..3).map(|n| opponent(&format!("rival{n}"))).collect();
    for (n, user) in (0..).zip(&mut trial.opponents) {
        let outgoing = user.script.as_mut().and_then(|script| script.challenges.as_mut()).unwrap();
        (outgoing.every_ms, outgoing.times) = (3000 + 3000 * n, None);
    }
    trial.games = 2;
    let report = run(&trial);
    let accepts: Vec<Duration> =
        report.requests.iter().filter(|(_, path)| path.ends_with("/accept")).map(|(at, _)| *at).collect();
    let rest = accepts.get(1).map_or(Duration::ZERO, |second| *second - accepts[0]);
    let right = report.run.breaches.is_empty() && report.run.games >= 2 && rest >= SECOND * 60;
    (report, format!("keeps running, next accept after {:.0} s", rest.as_secs_f64()), right)
}

fn null_challenger() -> (TrialReport, String, bool) {
    let fault =
        Fault::Field { path: "challenge.challenger".to_owned(), value: Some(serde_json::Value::Null) };
    let when = When {
        line: Some("challenge".to_owned()),
        account: Some("rook".to_owned()),
        ..When::on(Route::Events)
    };
    let report = run(&trial(vec![Rule::when(when, fault)]));
    let right = whole(&report);
    (report, "accepted and played".to_owned(), right)
}

/// Three games begin at once, and there is one place.
fn crowd() -> (TrialReport, String, bool) {
    let mut trial = trial(Vec::new());
    trial.challenges.max_games = 1;
    trial.opponents = (0..3).map(|n| opponent(&format!("rival{n}"))).collect();
    for user in &mut trial.opponents {
        user.script.as_mut().unwrap().challenges = None;
    }
    trial.arranged =
        (0..3).map(|n| GameSetup::new("rook", &format!("rival{n}"), SECOND * 180, Duration::ZERO)).collect();
    trial.games = 3;
    let report = run(&trial);
    let count = |status| report.games.iter().filter(|game| game.status == status).count();
    let (played, called_off) = (count("resign"), count("aborted"));
    (report, format!("plays {played}, aborts {called_off}"), (played, called_off) == (1, 2))
}

fn limited_game_stream() -> (TrialReport, String, bool) {
    let when = When { account: Some("rook".to_owned()), ..When::on(Route::Game) };
    let report = run(&trial(vec![Rule::when(when, status(429, ""))]));
    let opens: Vec<Duration> = report
        .requests
        .iter()
        .filter(|(_, path)| path.contains("/game/stream/"))
        .map(|(at, _)| *at)
        .collect();
    let wait = opens.get(1).map_or(Duration::ZERO, |second| *second - opens[0]);
    let right = whole(&report) && wait > Duration::ZERO;
    (report, format!("retried after {}, game played", seconds(wait)), right)
}

fn opponent_gone() -> (TrialReport, String, bool) {
    let mut trial = trial(Vec::new());
    trial.opponents[0].script.as_mut().unwrap().events =
        vec![ScriptEvent::new(Moment::Ply(8), Act::Leave { ms: None })];
    let report = run(&trial);
    let right = report.games.iter().all(|game| game.status == "timeout") && report.run.breaches.is_empty();
    (report, "claims, and wins".to_owned(), right)
}

/// Ten seconds of 502 for every request.
/// Outages of 10 s and a bit less, which end at all moments between two attempts; the figures are of the middle one.
fn bad_gateway() -> (TrialReport, String, bool) {
    let bits = (0..9).map(|fifth| SECOND / 5 * fifth);
    let mut outages: Vec<_> = bits.map(|bit| outage(SECOND * 10 - bit)).collect();
    let asked = outages.iter().map(|(_, asked, _)| *asked).max().unwrap();
    outages.sort_by_key(|(back, ..)| *back);
    let whole = outages.iter().all(|(.., report)| report.games.iter().all(|game| game.plies == 40));
    let soon = outages.iter().all(|(back, ..)| *back < SECOND * 2);
    let (back, _, report) = outages.swap_remove(4);
    let figure = format!("at most {asked} requests, resumes after {} (median of 9)", seconds(back));
    (report, figure, whole && soon && asked <= 10 && back < SECOND)
}

/// How long after so long a time of 502 the bot is back, and its requests in that time.
fn outage(time: Duration) -> (Duration, usize, TrialReport) {
    let down = SECOND * 5..SECOND * 5 + time;
    let when = When {
        account: Some("rook".to_owned()),
        after_ms: Some(5000),
        until_ms: Some(down.end.as_millis() as u64),
        ..When::on(Route::Any)
    };
    let report = run(&trial(vec![Rule { times: None, ..Rule::when(when, status(502, "<html></html>")) }]));
    let asked = report.requests.iter().filter(|(at, _)| down.contains(at)).count();
    let back = report.requests.iter().map(|(at, _)| *at).find(|at| *at >= down.end);
    (back.map_or(Duration::MAX, |at| at - down.end), asked, report)
}

fn dead_search() -> (TrialReport, String, bool) {
    let report = run(&Trial { crash: Some(5), ..trial(Vec::new()) });
    let right = whole(&report);
    (report, "resumes at once".to_owned(), right)
}

fn correspondence() -> (TrialReport, String, bool) {
    let mut trial = trial(Vec::new());
    trial.opponents[0].script.as_mut().unwrap().challenges = None;
    let mut setup = GameSetup::new("rook", "rival", SECOND, Duration::ZERO);
    setup.time = TimeControl::Correspondence { days: 3 };
    trial.arranged = vec![setup];
    let report = run(&trial);
    let right = whole(&report);
    (report, "plays".to_owned(), right)
}

fn chat_refused() -> (TrialReport, String, bool) {
    let mut trial = trial(at(Route::Chat, status(400, "{\"error\":\"no\"}"), 1));
    trial.policy.greeting = Some("Good luck!".to_owned());
    let report = run(&trial);
    let right = whole(&report);
    (report, "fine".to_owned(), right)
}

const ROWS: &[Row] = &[
    Row { id: "F1", run: || back_on_the_game(Fault::Reset { applied: false }) },
    Row { id: "F2", run: || back_on_the_game(Fault::End) },
    Row { id: "F3", run: || back_on_the_account(Fault::Reset { applied: false }) },
    Row { id: "F4", run: || back_on_the_account(Fault::End) },
    Row {
        id: "F5",
        run: || {
            let report = run(&trial(at(Route::Events, Fault::Duplicate { copies: 20 }, 1)));
            let right = whole(&report);
            (report, "ignored".to_owned(), right)
        },
    },
    Row { id: "F6", run: || slower(status(429, "<!DOCTYPE html>"), 1, SECOND * 2) },
    Row { id: "F7", run: || slower(status(502, "<html></html>"), 3, Duration::from_millis(500)) },
    Row { id: "F8", run: || slower(Fault::Delay { ms: 4000, jitter_ms: 0, applied: true }, 1, SECOND) },
    Row { id: "F9", run: chat_refused },
    Row { id: "F10", run: limited_accepts },
    Row { id: "F11", run: null_challenger },
    Row { id: "F12", run: crowd },
    Row { id: "F13", run: limited_game_stream },
    Row { id: "F14", run: opponent_gone },
    Row { id: "F15", run: bad_gateway },
    Row { id: "F16", run: dead_search },
    Row { id: "F17", run: correspondence },
];

#[test]
fn the_table_of_twenty_faults_says_what_happens() {
    let path = root().join("docs/failures.md");
    let mut page = fs::read_to_string(&path).unwrap();
    let mut complaints = Vec::new();
    for Row { id, run } in ROWS {
        let (report, figure, right) = run();
        if !right {
            complaints.push(format!("{id}: {figure}; {:?} {:?}", report.run.breaches, report.games));
        }
        let line = page.lines().find(|line| line.starts_with(&format!("| {id} |"))).map(str::to_owned);
        let Some(line) = line else {
            complaints.push(format!("{id} has no row"));
            continue;
        };
        let mut cells: Vec<&str> = line.split('|').collect();
        let ours = format!(" {figure} ");
        if cells[6] != ours {
            cells[6] = &ours;
            page = page.replace(&line, &cells.join("|"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        return fs::write(&path, page).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), page, "UPDATE_GOLDEN=1 writes the figures anew");
}
