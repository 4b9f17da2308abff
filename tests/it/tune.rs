//! `rookery tune` over the real binary: a few games, and weights from them; without the feature, what is missing.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn tune(dir: &Path, args: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
    command.arg("tune").args(args.split(' ')).env_clear().current_dir(dir);
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[cfg(not(feature = "tune"))]
#[test]
fn a_build_without_the_tuner_says_how_to_get_one() {
    let dir = tempfile::tempdir().unwrap();
    for args in ["games --out x.txt --games 1", "weights x.txt"] {
        let output = tune(dir.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args}");
        assert!(text(&output.stderr).contains("--features tune"), "{}", text(&output.stderr));
    }
    assert!(fs::read_dir(dir.path()).unwrap().next().is_none());
}

#[cfg(feature = "tune")]
#[test]
fn games_become_weights() {
    let dir = tempfile::tempdir().unwrap();
    let games = tune(dir.path(), "games --out positions.txt --games 3 --nodes 80 --threads 2");
    assert!(games.status.success(), "{}", text(&games.stderr));
    let positions = fs::read_to_string(dir.path().join("positions.txt")).unwrap();
    let count = positions.lines().count();
    assert!(text(&games.stdout).starts_with(&format!("3 games, {count} positions,")), "{count}");
    let again = tune(dir.path(), "games --out positions.txt --games 3");
    assert!(!again.status.success() && text(&again.stderr).contains("cannot write positions.txt"));

    let weights = tune(dir.path(), "weights positions.txt --epochs 2 --holdout 0.2 --out values.rs");
    assert!(weights.status.success(), "{}", text(&weights.stderr));
    let said = text(&weights.stdout);
    let losses: Vec<&str> =
        said.lines().filter_map(|line| Some(line.split_once("training ")?.0.trim())).collect();
    assert_eq!(losses, ["before", "epoch 1", "epoch 2", "rounded"], "{said}");
    let source = fs::read_to_string(dir.path().join("values.rs")).unwrap();
    assert!(source.contains("pub(super) static WEIGHTS: Weights = Weights {\n    material: [t("), "{source}");
    let shown = tune(dir.path(), "weights positions.txt --epochs 2 --holdout 0.2");
    assert!(text(&shown.stdout).ends_with(&source), "{}", text(&shown.stdout));
}

#[cfg(feature = "tune")]
#[test]
fn a_bad_line_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let good = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1;1";
    for (second, says) in [
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "bad.txt, line 2: no \";\", expected a FEN, \";\" and White's points",
        ),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1;2", "bad.txt, line 2: bad result \"2\", expected White's points"),
        ("4k3/8/8/8/8/8/4P3/4K3 x - - 0 1;1", "bad.txt, line 2: bad FEN side to move \"x\", expected"),
        ("", "bad.txt, line 2: no \";\""),
    ] {
        fs::write(dir.path().join("bad.txt"), format!("{good}\n{second}\n{good}\n")).unwrap();
        let output = tune(dir.path(), "weights bad.txt");
        assert_eq!(output.status.code(), Some(1), "{second}");
        assert!(text(&output.stderr).contains(says), "{}", text(&output.stderr));
    }
    fs::write(dir.path().join("bad.txt"), "").unwrap();
    let empty = tune(dir.path(), "weights bad.txt");
    assert!(text(&empty.stderr).contains("bad.txt is empty"), "{}", text(&empty.stderr));
    let missing = tune(dir.path(), "weights no-such-file.txt");
    assert!(text(&missing.stderr).contains("cannot read no-such-file.txt"), "{}", text(&missing.stderr));
}
