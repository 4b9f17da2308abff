//! A long run, cut short: the real bot as a process, real sockets, a fault every second and a kill.

use std::fs;
use std::process::Command;

#[test]
fn a_short_run_with_faults_and_a_kill_is_green() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
    command.args(["soak", "--minutes", "0.15", "--fault-every", "1", "--kill-every", "5", "--at-once", "4"]);
    command.args(["--think-ms", "10..60", "--hash", "2", "--nodes", "200", "--out"]).arg(&out);
    let output = command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let log = fs::read_to_string(out.join("bot.log")).unwrap_or_default();
    assert!(output.status.success(), "{text}{}\n{log}", String::from_utf8_lossy(&output.stderr));

    let report = fs::read_to_string(out.join("report.txt")).unwrap();
    assert!(text.ends_with(&report), "{text}\n{report}");
    let line = |start: &str| {
        let line = report.lines().find_map(|line| line.trim_start().strip_prefix(start));
        line.unwrap_or_else(|| panic!("no {start:?} in\n{report}")).trim().to_owned()
    };
    let count = |start: &str| -> usize { line(start).split_whitespace().next().unwrap().parse().unwrap() };
    assert!(count("won") > 0, "{report}");
    assert_eq!(line("kills and restarts:"), "1");
    assert!(count("faults:") > 0, "{report}");
    assert!(count("the server waited for a move:") > 20, "{report}");
    assert!(count("the bot's own part of a move:") > 20, "{report}");
    let samples = fs::read_to_string(out.join("samples.tsv")).unwrap();
    assert!(samples.lines().skip(1).any(|line| line.split('\t').nth(1) == Some("1")), "{samples}");
    assert!(fs::read_to_string(out.join("plot.svg")).unwrap().starts_with("<svg "));
}

#[test]
fn a_directory_that_holds_something_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("precious"), "").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_rookery"))
        .args(["soak", "--games", "1", "--out"])
        .arg(dir.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}
