//! The corpus of recordings under `tests/data/recordings`: every kind of line, end, fault and variant, as the state
//! machines meet them. Whatever decides differently since then shows here.
//!
//! `UPDATE_GOLDEN=1 cargo test --test it golden` makes the corpus anew. Each recording has its story beside it, a
//! `.txt` of what happened (`>`) and what was decided (`<`): that is what to read in a diff.

mod account;
mod commands;
mod coverage;
mod ends;
mod faults;
mod lines;
mod stage;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rookery::record::{Entry, Kind, Scrubber};
use rookery::replay::{replay_from, tell};

/// A name, and what makes the recording.
type Scenario = (&'static str, fn() -> Vec<Entry>);

/// The recording of an older version of the format: it is not made anew.
const OLD: &str = "format-1.ndjson";

fn dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/recordings")
}

fn corpus() -> BTreeMap<&'static str, Vec<Entry>> {
    let all = [ends::SCENARIOS, faults::SCENARIOS, lines::SCENARIOS, account::SCENARIOS].concat();
    let count = all.len();
    let corpus: BTreeMap<_, _> = all.into_iter().map(|(name, scenario)| (name, scenario())).collect();
    assert_eq!(corpus.len(), count, "no two recordings have the same name");
    corpus
}

fn recording(entries: &[Entry]) -> String {
    entries.iter().map(|entry| serde_json::to_string(entry).unwrap() + "\n").collect()
}

/// What people read: inputs and effects, and how streams were lost. Raw lines stand in their inputs.
fn story(entries: &[Entry]) -> String {
    let told = entries.iter().filter(|entry| match entry.kind {
        Kind::Header | Kind::Input | Kind::Effects | Kind::Gap => true,
        Kind::Stream => entry.body["stream"] == "lost",
        Kind::Line | Kind::Search | Kind::Request | Kind::Alive | Kind::Other => false,
    });
    told.flat_map(tell).map(|line| line + "\n").collect()
}

/// The files as they should be.
fn files() -> BTreeMap<String, String> {
    let both = |(name, entries): (&str, Vec<Entry>)| {
        [(format!("{name}.ndjson"), recording(&entries)), (format!("{name}.txt"), story(&entries))]
    };
    corpus().into_iter().flat_map(both).collect()
}

fn names_in(dir: &Path) -> BTreeSet<String> {
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    std::fs::read_dir(dir).unwrap().map(name).filter(|name| name != OLD).collect()
}

#[test]
fn the_corpus_is_decided_as_it_was() {
    let (dir, files) = (dir(), files());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        // Only what changed is touched: other tests read the rest meanwhile.
        for name in names_in(&dir).iter().filter(|name| !files.contains_key(*name)) {
            std::fs::remove_file(dir.join(name)).unwrap();
        }
        for (name, text) in &files {
            let path = dir.join(name);
            if std::fs::read_to_string(&path).ok().as_ref() != Some(text) {
                std::fs::write(path, text).unwrap();
            }
        }
    }
    assert_eq!(names_in(&dir), files.keys().cloned().collect(), "UPDATE_GOLDEN=1 makes the corpus anew");
    for (name, text) in &files {
        let golden = std::fs::read_to_string(dir.join(name)).unwrap();
        let first = golden.lines().zip(text.lines()).find(|(golden, made)| golden != made);
        assert!(
            golden == *text,
            "{name} is another: expected, got: {first:#?}\nUPDATE_GOLDEN=1 makes it anew"
        );
    }
}

#[test]
fn every_recording_replays_exactly() {
    let mut effects = 0;
    for (name, text) in files().into_iter().filter(|(name, _)| name.ends_with(".ndjson")) {
        let report = replay_from(text.as_bytes()).unwrap();
        assert!(report.is_same() && report.gap.is_none() && report.unfinished.is_empty(), "{name}: {report}");
        assert!(report.inputs > 1, "{name}: {report}");
        effects += report.effects;
    }
    assert!(effects > 500, "{effects}");
}

/// A scenario whose moves are illegal, say, would be a recording of nothing.
#[test]
fn nothing_goes_wrong_where_nothing_should() {
    for (name, entries) in corpus().into_iter().filter(|(name, _)| !name.starts_with("fault-")) {
        assert!(!story(&entries).contains("level=error"), "{name}");
    }
}

/// The format was 1 when this game was recorded, over HTTP; it stays readable.
#[test]
fn a_recording_of_format_1_replays_exactly() {
    let text = std::fs::read_to_string(dir().join(OLD)).unwrap();
    assert!(text.starts_with(r#"{"seq":0,"at_ms":0,"kind":"header""#) && text.contains(r#""format":1"#));
    let report = replay_from(text.as_bytes()).unwrap();
    assert!(report.is_same() && report.gap.is_none() && report.unfinished.is_empty(), "{report}");
    assert!(report.effects > 15, "{report}");
}

#[test]
fn a_recording_that_was_tampered_with_is_found_out() {
    let text = std::fs::read_to_string(dir().join(OLD)).unwrap();
    let tampered = text.replacen("\"offerDraw\":false", "\"offerDraw\":true", 1);
    let line = text.lines().zip(tampered.lines()).position(|(before, after)| before != after).unwrap();
    let difference = replay_from(tampered.as_bytes()).unwrap().difference.unwrap();
    // The effects stand below their input, and both count from 1.
    assert_eq!(difference.line, line);
    assert!(!difference.before.is_empty());
}

#[test]
fn scrubbed_recordings_are_decided_as_before() {
    for (name, text) in files().into_iter().filter(|(name, _)| name.ends_with(".ndjson")) {
        let mut scrubber = Scrubber::new(Vec::new());
        scrubber.learn(&text);
        let scrubbed = scrubber.scrub(&text);
        let names = [
            "erncastle",
            "uillbot",
            "Qz7Lm2Xa",
            "akwatcher",
            "arlowe",
            "Which engine",
            "https://lichess.org/a",
        ];
        for gone in names {
            assert!(!scrubbed.contains(gone), "{name} still holds {gone}");
        }
        let (before, after) =
            (replay_from(text.as_bytes()).unwrap(), replay_from(scrubbed.as_bytes()).unwrap());
        assert_eq!(before, after, "{name}");
        let mut again = Scrubber::new(Vec::new());
        again.learn(&scrubbed);
        assert_eq!(again.scrub(&scrubbed), scrubbed, "{name}");
    }
}

#[test]
fn the_corpus_covers_what_it_should() {
    let corpus = corpus();
    let found: BTreeSet<String> = corpus.values().flat_map(|entries| coverage::kinds(entries)).collect();
    let missing: Vec<&str> = coverage::wanted().filter(|kind| !found.contains(*kind)).collect();
    assert!(missing.is_empty(), "no recording of {missing:#?}\nfound: {found:#?}");
}
