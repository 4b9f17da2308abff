//! `rookery uci` as a chess program meets it: the real binary, line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Nothing that is waited for here takes this long, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start() -> Engine {
        Engine::run(Command::new(env!("CARGO_BIN_EXE_rookery")).arg("uci"))
    }

    fn run(command: &mut Command) -> Engine {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = sync_channel(100_000);
        thread::spawn(move || output.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok()));
        Engine { input: child.stdin.take(), child, lines }
    }

    fn send(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{text}\n").as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// The lines up to one that begins with `prefix`, that one included.
    fn until(&self, prefix: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut seen = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => seen.push(line),
                Err(_) => panic!("no line {prefix:?}, only {seen:#?}"),
            }
            if seen.last().unwrap().starts_with(prefix) {
                return seen;
            }
        }
    }

    /// The move of the next `bestmove` line.
    fn best_move(&self) -> String {
        let lines = self.until("bestmove");
        lines.last().unwrap().split(' ').nth(1).unwrap().to_owned()
    }

    /// Everything that is written until the process ends, which must be soon and with success.
    fn rest(mut self) -> Vec<String> {
        drop(self.input.take());
        let mut seen = Vec::new();
        let deadline = Instant::now() + PATIENCE;
        while let Ok(line) = self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            seen.push(line);
        }
        assert!(Instant::now() < deadline, "the engine does not end");
        assert!(self.child.wait().unwrap().success());
        seen
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            self.child.kill().unwrap();
            self.child.wait().unwrap();
        }
    }
}

#[test]
fn it_introduces_itself() {
    let mut engine = Engine::start();
    engine.send("uci\nisready");
    let lines = engine.until("readyok");
    assert!(lines[0].starts_with("id name Rookery"));
    assert!(lines.contains(&"uciok".to_owned()));
    for option in
        ["Hash", "Threads", "Ponder", "MultiPV", "UCI_Chess960", "UCI_Variant", "Move Overhead", "Clear Hash"]
    {
        let start = format!("option name {option} type ");
        assert!(lines.iter().any(|line| line.starts_with(&start)), "{option}");
    }
}

#[test]
fn it_searches_and_reports() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4 e7e5\ngo depth 6");
    let lines = engine.until("bestmove");
    let info = &lines[lines.len() - 2];
    for word in ["depth 6", "seldepth", "multipv 1", "score cp", "nodes", "nps", "hashfull", "time", "pv"] {
        assert!(info.contains(word), "{word} in {info}");
    }
    let pv = info.split(" pv ").nth(1).unwrap().split(' ').next().unwrap();
    assert_eq!(lines.last().unwrap().split(' ').nth(1), Some(pv));
}

/// The first move, with either way of writing a pocket; and the number of moves at the start.
#[test]
fn variants_are_played_by_their_own_rules() {
    let mut engine = Engine::start();
    for (variant, moves) in [("racingkings", 21), ("horde", 8), ("antichess", 20), ("chess", 20)] {
        engine.send(&format!("setoption name UCI_Variant value {variant}\ngo perft 1"));
        assert_eq!(engine.until("Nodes searched").last().unwrap(), &format!("Nodes searched: {moves}"));
    }
    for (variant, position, best) in [
        ("crazyhouse", "fen 6rk/6pp/8/8/8/8/8/4K3[N] w - - 0 1", "N@f7"),
        ("crazyhouse", "fen 6rk/6pp/8/8/8/8/8/4K3/N w - - 0 1", "N@f7"),
        ("3check", "fen 4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1", "a1a8"),
        ("atomic", "startpos moves g1f3 a7a6 f3e5 a6a5", "e5d7"),
        ("chess", "startpos moves f2f3 e7e5 g2g4", "d8h4"),
    ] {
        engine.send(&format!("setoption name UCI_Variant value {variant}\nposition {position}\ngo depth 4"));
        let lines = engine.until("bestmove");
        assert!(lines[lines.len() - 2].contains(" score mate 1 "), "{variant}: {lines:?}");
        assert_eq!(lines.last().unwrap().split(' ').nth(1), Some(best), "{variant}");
    }
}

#[test]
fn bad_input_is_named_and_survived() {
    let mut engine = Engine::start();
    for line in [
        "castle long",
        "position fen nonsense",
        "position startpos moves e2e5",
        "go depth",
        "go searchmoves e2e5x",
        "setoption name Hash value -1",
        "setoption value 3",
        "\u{1F600}\u{0}",
    ] {
        engine.send(line);
        let answer = engine.until("info string error");
        assert_eq!(answer.len(), 1, "{line}: {answer:?}");
    }
    engine.input.as_mut().unwrap().write_all(b"\xff\xfe\n\n   \n").unwrap();
    engine.until("info string error");
    engine.send("go depth 1");
    assert_eq!(engine.best_move().len(), 4, "the position is still that of the start");
}

#[test]
fn it_is_ready_during_a_search_and_stops_when_told() {
    let mut engine = Engine::start();
    engine.send("go infinite\nisready");
    let before = engine.until("readyok");
    assert!(!before.iter().any(|line| line.starts_with("bestmove")));
    engine.until("info depth 3");
    engine.send("stop");
    assert_eq!(engine.best_move().len(), 4);
}

#[test]
fn an_endless_search_is_silent_until_stopped() {
    let mut engine = Engine::start();
    // A mate on the board, a forced move, and limits: none of them may end it.
    for (position, go) in [
        ("fen 7k/8/8/8/8/8/1q6/3K4 w - - 0 1", "go infinite"),
        ("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go infinite"),
        ("startpos", "go ponder wtime 1 btime 1"),
        ("startpos", "go infinite depth 1"),
    ] {
        engine.send(&format!("position {position}\n{go}"));
        let deadline = Instant::now() + Duration::from_millis(100);
        while let Ok(line) = engine.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            assert!(!line.starts_with("bestmove"), "{position}, {go}: {line}");
        }
        engine.send("stop");
        engine.best_move();
    }
}

#[test]
fn a_ponder_hit_starts_the_clock() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4\ngo ponder wtime 2000 btime 2000");
    engine.until("info depth 2");
    let hit = Instant::now();
    engine.send("ponderhit");
    engine.best_move();
    assert!(hit.elapsed() < Duration::from_secs(5), "{:?}", hit.elapsed());
}

#[test]
fn finished_games_have_no_move() {
    let mut engine = Engine::start();
    for fen in
        ["rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]
    {
        engine.send(&format!("position fen {fen}\ngo wtime 1000 btime 1000"));
        assert_eq!(engine.best_move(), "(none)");
    }
}

#[test]
fn mate_and_nodes_are_limits() {
    let mut engine = Engine::start();
    engine.send("position fen r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1\ngo mate 3");
    let lines = engine.until("bestmove f6a6");
    assert!(lines.iter().any(|line| line.contains("score mate 3")), "{lines:#?}");
    engine.send("position startpos\ngo nodes 20000");
    let lines = engine.until("bestmove");
    let nodes = lines[lines.len() - 2].split(" nodes ").nth(1).unwrap().split(' ').next().unwrap();
    assert!(nodes.parse::<u64>().unwrap() <= 20_000, "{lines:#?}");
}

#[test]
fn several_lines_are_reported() {
    let mut engine = Engine::start();
    engine.send("setoption name MultiPV value 3\nposition startpos\ngo depth 5");
    let lines = engine.until("bestmove");
    let last: Vec<&String> = lines.iter().filter(|line| line.starts_with("info depth 5 ")).collect();
    assert_eq!(last.len(), 3);
    let first = |line: &str| line.split(" pv ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    assert_ne!(first(last[0]), first(last[1]));
    assert_ne!(first(last[1]), first(last[2]));
    assert_eq!(lines.last().unwrap().split(' ').nth(1).unwrap(), first(last[0]));
    engine.send("setoption name MultiPV value 200\nposition fen 7k/8/8/8/8/8/8/K7 w - - 0 1\ngo depth 2");
    let lines = engine.until("bestmove");
    assert!(lines.iter().all(|line| !line.contains("multipv 4")), "{lines:#?}");
}

#[test]
fn search_moves_restrict_the_choice() {
    let mut engine = Engine::start();
    engine.send("position startpos\ngo searchmoves a2a3 h2h3 depth 4");
    assert!(["a2a3", "h2h3"].contains(&engine.best_move().as_str()));
}

#[test]
fn castling_is_spelt_as_asked() {
    let mut engine = Engine::start();
    let position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    engine.send(&format!("{position}\ngo searchmoves e1g1 depth 2"));
    assert_eq!(engine.best_move(), "e1g1");
    engine.send(&format!("setoption name UCI_Chess960 value true\n{position}\ngo searchmoves e1h1 depth 2"));
    assert_eq!(engine.best_move(), "e1h1");
}

#[test]
fn options_change_between_searches() {
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 3\nsetoption name Hash value 3\nucinewgame\ngo movetime 50");
    engine.best_move();
    engine.send("go infinite\nsetoption name Hash value 1\nsetoption name Clear Hash\ngo depth 2");
    engine.best_move();
    engine.best_move();
}

#[test]
fn perft_is_counted() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4\ngo perft 3");
    assert_eq!(engine.until("Nodes searched").last().unwrap(), "Nodes searched: 13160");
}

#[test]
fn quit_ends_a_search() {
    let mut engine = Engine::start();
    engine.send("go infinite\nquit");
    assert!(engine.rest().iter().any(|line| line.starts_with("bestmove")));
}

#[test]
fn the_end_of_input_lets_a_finite_search_answer() {
    let mut engine = Engine::start();
    engine.send("go depth 7");
    let lines = engine.rest();
    assert!(lines.iter().any(|line| line.starts_with("info depth 7 ")), "{lines:#?}");
    assert!(lines.last().unwrap().starts_with("bestmove"));
}

#[test]
fn the_end_of_input_ends_an_endless_search() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    assert!(engine.rest().last().unwrap().starts_with("bestmove"));
}

#[test]
fn no_time_at_all_still_gives_a_move() {
    let mut engine = Engine::start();
    for go in
        ["go wtime 0 btime 0", "go movetime 0", "go wtime -100 btime 5 winc 0", "go nodes 0", "go depth 0"]
    {
        engine.send(&format!("position startpos\n{go}"));
        assert_eq!(engine.best_move().len(), 4, "{go}");
    }
}

#[test]
fn c28_options_out_of_range_are_refused_and_change_nothing() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4\nd");
    let before = engine.until("info string fen").pop();
    for (option, value) in [
        ("Threads", "999999999999"),
        ("Threads", "abc"),
        ("Threads", "-5"),
        ("Threads", "0"),
        ("Hash", "0"),
        ("Hash", "-1"),
        ("Hash", "1000000000"),
        ("Hash", "1e3"),
        ("Hash", ""),
        ("MultiPV", "18446744073709551616"),
    ] {
        engine.send(&format!("setoption name {option} value {value}"));
        let answer = engine.until("info string error").pop().unwrap();
        assert!(answer.contains("expected a number from"), "{option} {value}: {answer}");
    }
    // What is accepted does not touch the position either.
    engine.send("setoption name Threads value 2\nsetoption name Hash value 2\nd");
    assert_eq!(engine.until("info string fen").pop(), before);
}

/// More hash than there is memory: less is used, and said so.
#[cfg(target_os = "linux")]
#[test]
fn c28_a_table_that_does_not_fit_becomes_smaller() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 600000; exec \"$0\" uci", env!("CARGO_BIN_EXE_rookery")]);
    let mut engine = Engine::run(&mut shell);
    engine.send("setoption name Hash value 65536");
    let said = engine.until("info string no memory for 65536 MiB").pop().unwrap();
    let used: u64 = said.split(' ').next_back().unwrap().parse().unwrap();
    assert!((1..600).contains(&used), "{said}");
    engine.send("go depth 3");
    assert_eq!(engine.best_move().len(), 4);
}
