//! `rookery replay` and `rookery scrub` over the real binary.

use std::path::Path;
use std::process::Command;

use super::{OLD, dir};

/// What a command prints, and its exit code.
fn rookery(args: &[&str], files: &[&Path]) -> (String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_rookery"))
        .args(args)
        .args(files)
        .env("ROOKERY_TOKEN", "lip_topsecret")
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8(text).unwrap(), output.status.code().unwrap())
}

#[test]
fn all_files_are_replayed_whatever_is_wrong_with_one() {
    let temp = tempfile::tempdir().unwrap();
    let (other, garbage, good) =
        (temp.path().join("other.ndjson"), temp.path().join("garbage"), dir().join("account-places.ndjson"));
    let text = std::fs::read_to_string(dir().join(OLD)).unwrap();
    std::fs::write(&other, text.replacen("\"offerDraw\":false", "\"offerDraw\":true", 1)).unwrap();
    std::fs::write(&garbage, "garbage\n").unwrap();
    let missing = temp.path().join("missing");
    let (told, code) = rookery(&["replay"], &[&other, &garbage, &missing, &good]);
    assert_eq!(code, 1, "{told}");
    let shown = ["other effects than recorded", "> line ", "expected: post offerDraw", "got:      post ply="];
    let failed =
        ["garbage: cannot replay: line 1: expected a JSON object", "missing: cannot replay: cannot open"];
    let same = ["account-places.ndjson: the same: "];
    for part in shown.iter().chain(&failed).chain(&same) {
        assert!(told.contains(part), "no {part:?} in {told}");
    }
    let (told, code) = rookery(&["replay"], &[&good, &good]);
    assert_eq!((code, told.lines().count()), (0, 2), "{told}");
}

#[test]
fn a_recording_can_be_read_by_people() {
    let (told, code) = rookery(&["replay", "--show"], &[&dir().join("end-mate-won.ndjson")]);
    assert_eq!(code, 0);
    assert!(told.contains(" < finish report={plies=4 result=win status=mate}"), "{told}");
}

#[test]
fn files_are_scrubbed_together() {
    let temp = tempfile::tempdir().unwrap();
    let (game, account) = (temp.path().join("pNofNWNX.ndjson"), temp.path().join("account.ndjson"));
    let text = std::fs::read_to_string(dir().join(OLD)).unwrap();
    std::fs::write(&game, text.replace("Takeback sent", "Takeback sent lip_topsecret")).unwrap();
    std::fs::copy(dir().join("account-refusals.ndjson"), &account).unwrap();
    let out = temp.path().join("shared");
    let (told, code) = rookery(&["scrub", "-o", out.to_str().unwrap()], &[&account, &game]);
    assert_eq!(code, 0, "{told}");
    let mut names: Vec<String> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names[0] == "account.ndjson" && names[1].starts_with("g00000") && names.len() == 2, "{names:?}");
    let scrubbed = std::fs::read_to_string(out.join(&names[1])).unwrap();
    for gone in ["pNofNWNX", "leo", "\"ada\"", "Good luck", "topsecret", "1796025"] {
        assert!(!scrubbed.contains(gone), "{gone} is still there");
    }
    // Once more changes nothing, not even the names.
    let (told, code) = rookery(&["scrub", "--in-place"], &[&out.join(&names[0]), &out.join(&names[1])]);
    assert_eq!(code, 0, "{told}");
    assert_eq!(std::fs::read_to_string(out.join(&names[1])).unwrap(), scrubbed);
    let (printed, code) = rookery(&["scrub"], &[&out.join(&names[1])]);
    assert_eq!((code, printed), (0, scrubbed));
}
