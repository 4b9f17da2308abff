//! The demo as the README says it: two bots, the sandbox, real HTTP, whole games.

use std::fs;
use std::process::{Command, Output};

/// Runs the demo with games that take little time: a few nodes for each move.
fn demo(more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
    command.args(["demo", "--set", "thinking.nodes=300", "--set", "engine.hash_mib=2"]).args(more);
    command.env_clear().output().unwrap()
}

#[test]
fn two_games_are_played_to_their_end_with_colours_swapped() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("games.pgn");
    let output = demo(&["--clock", "10+0.1", "--pgn", file.to_str().unwrap()]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let pgn = fs::read_to_string(file).unwrap();
    assert_eq!(pgn.matches("[White \"Corvus\"]").count(), 1, "{pgn}");
    assert_eq!(pgn.matches("[White \"Jackdaw\"]").count(), 1, "{pgn}");
    assert_eq!(pgn.matches("[Result \"*\"]").count(), 0, "{pgn}");
    assert_eq!(pgn.matches("[TimeControl \"10+0.1\"]").count(), 2, "{pgn}");
    assert!(!text.contains('\x1b'), "escape sequences where there is no terminal");
    for game in ["game 1  1. ", "game 2  1. ", "game 1  1... ", "game 2  1... "] {
        assert_eq!(text.matches(game).count(), 1, "every move is one line: {game}\n{text}");
    }
    assert!(
        text.contains("game 1  Corvus - Jackdaw: ") && text.contains("game 2  Jackdaw - Corvus: "),
        "{text}"
    );
    let table = text.lines().skip_while(|line| !line.starts_with("player ")).take(3).collect::<Vec<_>>();
    assert!(
        table.len() == 3 && table[1..].iter().all(|row| row.split_whitespace().nth(1) == Some("2")),
        "{text}"
    );
}

#[test]
fn a_clock_that_the_api_takes_becomes_a_challenge() {
    let output = demo(&["--clock", "30+1", "--games", "1", "--variant", "chess960"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("[Variant \"Chess960\"]"), "{text}");
}

/// One with pockets and one without a king; all of them are played by the bots' own tests.
#[test]
fn variants_are_shown_too() {
    for (key, name) in [("crazyhouse", "Crazyhouse"), ("horde", "Horde")] {
        let output = demo(&["--games", "1", "--variant", key]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains(&format!("[Variant \"{name}\"]")), "{text}");
    }
}

/// The number that a text begins with.
fn number(text: &str) -> f64 {
    text.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn the_figures_of_the_games_come_last() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
    command.args(["demo", "--set", "thinking.nodes=100", "--set", "engine.hash_mib=2", "--clock", "20+0.2"]);
    let output = command.args(["--games", "3"]).env_clear().env("TMPDIR", dir.path()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let last: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("games: ")).collect();
    let [games, flags, illegal, part] = last[..] else { panic!("{last:?}") };
    let (count, results) = games.strip_prefix("games: ").unwrap().split_once("  ").unwrap();
    assert_eq!(count, "3");
    let by_result = results.split(", ").map(|result| number(result.rsplit(' ').next().unwrap()));
    assert_eq!(by_result.sum::<f64>(), 3.0, "{results}");
    assert_eq!((flags, illegal), ("lost on time: 0", "illegal moves refused by the server: 0"));

    let (moves, times) = part.strip_prefix("a bot's own part of a move: ").unwrap().split_once(" (").unwrap();
    // All moves but those that no line has asked for, and what a bot had to say twice.
    let shown = text.lines().filter(|line| line.starts_with("game ")).count() - 3;
    assert!((0.8 * shown as f64..=shown as f64).contains(&number(moves)), "{moves} of {shown} moves\n{part}");
    let times = ["50 % ", "90 % ", "99 % ", "most "].map(|of| number(times.split_once(of).unwrap().1));
    assert!(times.is_sorted() && times[3] < 3000.0, "{part}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "the recordings must go");
}

#[test]
fn the_line_is_as_long_as_was_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let records = dir.path().join("records");
    let lag =
        ["--lag-ms", "12", "--lag-jitter-ms", "4", "--games", "1", "--record", records.to_str().unwrap()];
    let output = demo(&lag);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut moves = 0;
    for file in fs::read_dir(records.join("corvus")).unwrap() {
        for line in fs::read_to_string(file.unwrap().path()).unwrap().lines() {
            // Records of games that are over stand there as PGN, too.
            let Ok(entry) = serde_json::from_str::<serde_json::Value>(line) else { continue };
            if entry["body"]["path"].as_str().is_some_and(|path| path.contains("/move/")) {
                moves += 1;
                let took = entry["body"]["elapsed_ms"].as_u64().unwrap();
                assert!(took >= 16, "8 ms there and 8 ms back at least: {line}");
            }
        }
    }
    assert!(moves > 5, "{moves}");
}
