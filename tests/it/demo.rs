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
