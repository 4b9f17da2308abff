//! Measures what recording costs the task that plays: the time of one call for a line and for a decision, with a disk
//! behind it, beside the time that the decision itself takes. `cargo bench --bench record`.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use rookery::bot::session::{Effect, Input, Session, SessionOptions};
use rookery::bot::{GamePolicy, Thinking};
use rookery::lichess::GameEvent;
use rookery::record::{Kind, Log, Recorder};

/// Calls that are timed; between two bursts the writing thread gets a rest, as it has in a game.
const BURSTS: usize = 400;
const BURST: usize = 25;
const REST: Duration = Duration::from_millis(2);

/// A game of 80 plies: knights come and go.
const ROUND: &str = "g1f3 g8f6 f3g1 f6g8";

fn main() {
    let moves = [ROUND; 20].join(" ");
    let state = format!(
        r#"{{"type":"gameState","moves":"{moves}","wtime":181000,"btime":182100,"winc":2000,"binc":2000,"status":"started"}}"#
    );
    let input = Input::Line { age_ms: 0, event: Box::new(GameEvent::from_line(state.as_bytes())) };
    let (decide, effects) = decision(&moves);

    let dir = std::env::temp_dir().join(format!("rookery-bench-record-{}", std::process::id()));
    let recorder =
        Recorder::create(&dir, Box::new(|text| text)).expect("the temporary directory can be written");
    let log = recorder.log("bench", &());
    let none = Log::none();
    println!("what one call takes on the thread that plays, in ns: median, 99 %");
    let line = measure("a line", || log.line(state.as_bytes()));
    let told = measure("an input, which is that line understood", || log.entry(Kind::Input, &input));
    let wanted = measure("the effects of a decision", || log.entry(Kind::Effects, &effects));
    measure("a sign of life", || log.alive());
    measure("a line without a recorder", || none.line(state.as_bytes()));
    let lost = log.dropped();
    drop(log);
    recorder.close(Duration::from_secs(10));
    let written = std::fs::metadata(dir.join("bench.ndjson")).map_or(0, |meta| meta.len());
    println!("{written} bytes written, {lost} entries lost");
    if let Err(error) = std::fs::remove_dir_all(&dir) {
        println!("{} stays: {error}", dir.display());
    }

    let whole = line + told + wanted;
    println!("reading and deciding upon the line: {} us", decide.as_nanos() / 1000);
    let share = 100.0 * whole.as_secs_f64() / Duration::from_millis(20).as_secs_f64();
    println!(
        "recording a move (line, input, effects): {} ns, {share:.4} % of a move of 20 ms",
        whole.as_nanos()
    );
}

/// The median of many calls.
fn measure(what: &str, mut call: impl FnMut()) -> Duration {
    let mut times = Vec::with_capacity(BURSTS * BURST);
    for _ in 0..BURSTS {
        for _ in 0..BURST {
            let start = Instant::now();
            call();
            times.push(start.elapsed());
        }
        std::thread::sleep(REST);
    }
    times.sort_unstable();
    let (median, slow) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    println!("{:>8} {:>8}  {what}", median.as_nanos(), slow.as_nanos());
    median
}

/// How long a session takes for a line of this game, and what it wants.
fn decision(moves: &str) -> (Duration, Vec<Effect>) {
    let full = format!(
        r#"{{"type":"gameFull","id":"Qz7Lm2Xa","variant":{{"key":"standard"}},"white":{{"id":"quillbot-dev"}},"black":{{"id":"ferncastle"}},"initialFen":"startpos","clock":{{"initial":180000,"increment":2000}},"state":{{"type":"gameState","moves":"{moves}","wtime":181000,"btime":182100,"winc":2000,"binc":2000,"status":"started"}}}}"#
    );
    let mut times = Vec::new();
    let mut effects = Vec::new();
    for _ in 0..200 {
        let options = SessionOptions {
            game: "Qz7Lm2Xa".parse().expect("because eight letters are an id"),
            us: "quillbot-dev".parse().expect("because letters are a name"),
            info: None,
            thinking: Thinking::default(),
            policy: GamePolicy::default(),
            surplus: false,
        };
        let mut session = Session::new(options);
        let start = Instant::now();
        let event = Box::new(GameEvent::from_line(full.as_bytes()));
        effects = black_box(session.handle(Duration::ZERO, Input::Line { age_ms: 0, event }));
        times.push(start.elapsed());
    }
    times.sort_unstable();
    (times[times.len() / 2], effects)
}
