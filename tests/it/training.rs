//! `rookery datagen`, `data stats` and `train` over the real binary, and what reads the network that they make.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn rookery(dir: &Path, args: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
    command.args(args.split(' ')).env_clear().current_dir(dir);
    command.output().unwrap()
}

fn done(dir: &Path, args: &str) -> String {
    let output = rookery(dir, args);
    assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn refused(dir: &Path, args: &str, says: &str) {
    let output = rookery(dir, args);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && said.contains(says), "{args}: {said}");
}

const GAMES: &str = "datagen --nodes 20 --seed 3 --evaluation hand-made";
const NETWORK: &str = "train games.rkg --hidden 32 --epochs 2 --batch 100 --held-out 20";

#[test]
fn the_same_seed_gives_the_same_games_and_the_same_network() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let bytes = |name: &str| fs::read(dir.join(name)).unwrap();
    done(dir, &format!("{GAMES} --out games.rkg --games 12 --threads 1"));
    done(dir, &format!("{GAMES} --out again.rkg --games 5 --threads 2"));
    // Cut off in the middle of a game, as by a kill.
    let cut = bytes("again.rkg").len() - 3;
    fs::OpenOptions::new().write(true).open(dir.join("again.rkg")).unwrap().set_len(cut as u64).unwrap();
    done(dir, &format!("{GAMES} --out again.rkg --games 12 --threads 2"));
    assert_eq!(bytes("games.rkg"), bytes("again.rkg"));
    let about = done(dir, "data stats games.rkg again.rkg");
    assert_eq!(about.matches("\ngames      12, ").count(), 2, "{about}");

    let said = done(dir, &format!("{NETWORK} --out one.rknn --threads 1 --plot losses.svg"));
    done(dir, &format!("{NETWORK} --out two.rknn --threads 2"));
    assert_eq!(bytes("one.rknn"), bytes("two.rknn"));
    assert!(said.contains("epoch   2  training 0.") && said.contains("in one.rknn"), "{said}");
    assert!(bytes("losses.svg").starts_with(b"<svg"));
    assert!(!dir.join("one.rknn.state").exists());
    done(
        dir,
        &format!("{GAMES} --out own.rkg --games 2 --evaluation one.rknn")
            .replace(" --evaluation hand-made", ""),
    );
}

#[test]
fn what_cannot_be_used_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    done(dir, &format!("{GAMES} --out games.rkg --games 2"));
    refused(dir, "datagen --nodes 21 --out games.rkg --games 3", "the file was made by another plan");
    refused(dir, &format!("{GAMES} --out no/games.rkg --games 3"), "cannot make no/games.rkg");
    refused(dir, &format!("{GAMES} --out x.rkg --games 3 --book no.epd"), "cannot read no.epd");
    fs::write(dir.join("bad.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - -\n8/8 w - -\n").unwrap();
    refused(dir, &format!("{GAMES} --out x.rkg --games 3 --book bad.epd"), "bad.epd, line 2");
    fs::write(dir.join("text"), "no games\n").unwrap();
    refused(dir, "data stats text", "text: no file of games");
    refused(dir, "train text --out x.rknn", "text: no file of games");
    refused(dir, "train no.rkg --out x.rknn", "cannot read no.rkg");
    refused(dir, "bench 1 --evaluation text", "--evaluation text: no network");
    refused(dir, "bench 1 --evaluation no.rknn", "--evaluation no.rknn: cannot read it");
    assert!(!dir.join("x.rkg").exists() && !dir.join("x.rknn").exists());
}

#[test]
fn programs_and_configuration_may_name_another_network() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    done(dir, &format!("{GAMES} --out games.rkg --games 4"));
    done(dir, &format!("{NETWORK} --out good.rknn"));
    let mut bytes = fs::read(dir.join("good.rknn")).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(dir.join("damaged.rknn"), bytes).unwrap();

    let mut child = Command::new(env!("CARGO_BIN_EXE_rookery"));
    let mut child =
        child.arg("uci").current_dir(dir).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let lines = "setoption name EvalFile value damaged.rknn\nsetoption name EvalFile value good.rknn\neval\ngo nodes 50\n";
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.contains("info string error: EvalFile damaged.rknn: the numbers are damaged"), "{said}");
    assert!(!said.contains("good.rknn") && said.contains("bestmove "), "{said}");
    assert!(said.contains("info string static evaluation ") && said.contains(" (network "), "{said}");

    let check = |name: &str| rookery(dir, &format!("check --offline --set engine.network={name}"));
    assert_eq!(check("damaged.rknn").status.code(), Some(3));
    let said = String::from_utf8(check("damaged.rknn").stderr).unwrap();
    assert!(said.contains("engine.network") && said.contains("the numbers are damaged"), "{said}");
    let said = String::from_utf8(check("good.rknn").stdout).unwrap();
    assert!(said.contains("good.rknn"), "{said}");
    let memory = |mib: u32| {
        let pool = "--set engine.threads=2 --set engine.hash_mib=256 --set engine.network=good.rknn";
        rookery(dir, &format!("check --offline {pool} --set engine.memory_mib={mib}"))
    };
    let said = |mib| String::from_utf8(memory(mib).stderr).unwrap();
    assert!(said(264).contains("thinking takes 265 MiB"), "{}", said(264));
    assert!(!said(265).contains("thinking takes"), "{}", said(265));
}
