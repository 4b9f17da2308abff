//! The command line over the real binary: help, exit codes, and what goes to which output.

use std::fs;
use std::process::{Command, Output};

/// Runs the binary in an empty environment and directory.
fn rookery(args: &[&str], environment: &[(&str, &str)]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
    command.args(args).env_clear().envs(environment.iter().copied()).current_dir(dir.path());
    command.output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn every_command_explains_itself() {
    for command in [
        "demo", "run", "sandbox", "replay", "simulate", "soak", "check", "upgrade", "uci", "bench", "solve",
        "perft", "tune",
    ] {
        let output = rookery(&[command, "--help"], &[]);
        assert_eq!(output.status.code(), Some(0), "{command}");
        let text = stdout(&output);
        assert!(text.contains(&format!("Usage: rookery {command}")), "{text}");
        let all = stdout(&rookery(&["--help"], &[]));
        assert!(all.contains(&format!("  {command} ")), "{command} is not in:\n{all}");
    }
}

#[test]
fn the_help_and_the_readme_list_the_same_exit_codes() {
    let help = stdout(&rookery(&["--help"], &[]));
    let readme = include_str!("../../README.md");
    let rows =
        readme.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "));
    let codes: Vec<(&str, &str)> = rows.filter(|(code, _)| code.parse::<u8>().is_ok()).collect();
    assert_eq!(codes.len(), 6);
    for (code, meaning) in codes {
        assert!(help.contains(&format!("  {code}  {meaning}\n")), "{code} {meaning} is not in:\n{help}");
    }
}

#[test]
fn nonsense_is_a_usage_error() {
    for args in [
        &["no-such-command"][..],
        &["check", "--no-such-flag"],
        &[],
        &["check", "--set", "x"],
        &["demo", "--clock", "x"],
    ] {
        let output = rookery(args, &[]);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stdout(&output).is_empty() && !stderr(&output).is_empty(), "{args:?}");
    }
}

#[test]
fn a_bad_configuration_is_refused_by_every_command_that_reads_it() {
    for command in ["run", "check", "upgrade", "demo", "sandbox"] {
        let output = rookery(&[command, "--set", "engine.threads=many"], &[("ROOKERY__ENGINE__HASH", "1")]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{command}: {text}");
        assert!(
            text.starts_with("rookery: the configuration is refused for 2 reasons:"),
            "{command}: {text}"
        );
        assert!(text.contains("environment variable ROOKERY__ENGINE__HASH: engine.hash: unknown key; did you mean engine.hash_mib?"));
        assert!(
            text.contains("flag --set: engine.threads = \"many\": expected a whole number from 0 to 1024")
        );
    }
}

#[test]
fn without_a_token_nothing_is_sent() {
    for command in ["run", "check", "upgrade"] {
        let output = rookery(&[command, "--set", "lichess.url=http://127.0.0.1:1"], &[]);
        assert_eq!(output.status.code(), Some(3), "{command}");
        assert!(stderr(&output).contains("ROOKERY_TOKEN"), "{}", stderr(&output));
    }
}

#[test]
fn a_server_that_is_not_there_is_a_network_error() {
    let output =
        rookery(&["check", "--set", "lichess.url=http://127.0.0.1:1"], &[("ROOKERY_TOKEN", "lip_secret")]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert!(!stderr(&output).contains("lip_secret") && !stdout(&output).contains("lip_secret"));
}

#[test]
fn check_prints_every_setting_with_its_origin_and_no_token() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("my.toml");
    fs::write(&file, "[engine]\nhash_mib = 64\n").unwrap();
    let file = file.to_str().unwrap();
    let output =
        rookery(&["check", "--offline"], &[("ROOKERY_TOKEN", "lip_secret"), ("ROOKERY_CONFIG", file)]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let line = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap().to_owned();
    assert!(line("hash_mib = 64 ").ends_with(&format!("# {file}:2")), "{text}");
    assert!(line("url = \"https://lichess.org\" ").ends_with("# default"), "{text}");
    assert!(!text.contains("lip_secret"), "{text}");
}

#[test]
fn a_warning_is_logged_to_standard_error_as_text_or_json() {
    let silly = ["check", "--offline", "--set", "challenges.max_games=0", "--log-format"];
    let text = rookery(&[&silly[..], &["text"]].concat(), &[]);
    assert!(stderr(&text).contains("WARN") && stderr(&text).contains("every challenge will be declined"));
    let json = rookery(&[&silly[..], &["json"]].concat(), &[]);
    let line: serde_json::Value = serde_json::from_str(stderr(&json).lines().next().unwrap()).unwrap();
    assert_eq!(line["level"], "WARN");
}

#[test]
fn perft_counts_checks_and_complains() {
    let count = rookery(&["perft", "3"], &[]);
    assert!(count.status.success() && stdout(&count).starts_with("8902 nodes"), "{}", stdout(&count));
    let dir = tempfile::tempdir().unwrap();
    let suite = dir.path().join("suite.epd");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (counts, code, says) in [("D1 20 ;D2 400", 0, "2 of 2 counts agree"), ("D1 21", 1, "wrong: ")] {
        fs::write(&suite, format!("{start} ;{counts}\n")).unwrap();
        let output = rookery(&["perft", "--suite", suite.to_str().unwrap()], &[]);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(stdout(&output).contains(says), "{}", stdout(&output));
    }
    let nonsense = rookery(&["perft", "--fen", "nonsense"], &[]);
    assert_eq!(nonsense.status.code(), Some(2), "{}", stderr(&nonsense));
}

#[test]
fn bench_tells_nodes_speed_and_time() {
    let count = |args: &[&str]| -> u64 {
        let text = stdout(&rookery(args, &[]));
        let words: Vec<&str> = text.split_whitespace().collect();
        let [count, "nodes", speed, "nps", seconds, "s"] = words[..] else { panic!("{args:?}: {text}") };
        assert!(
            speed.parse::<u64>().unwrap() > 0 && seconds.parse::<f64>().unwrap() > 0.0,
            "{args:?}: {text}"
        );
        count.parse().unwrap()
    };
    assert_eq!(count(&["bench", "2"]), count(&["bench", "2", "--threads", "1"]));
    assert!(count(&["bench", "2", "--threads", "2"]) > 0);
}
