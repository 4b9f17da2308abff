//! What the layers promise: order, origins, and all complaints at once.

use std::fs;
use std::path::PathBuf;

use super::layers::{Flag, Sources};
use super::settings::Settings;
use super::{ConfigError, LogFormat};
use crate::bot::ResignPolicy;
use crate::chess::Variant;
use crate::lichess::Speed;

fn variables(pairs: &[(&str, &str)]) -> Sources {
    let environment = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Sources { environment, ..Sources::default() }
}

/// Sources with a file of this text; the directory must outlive them.
fn file(text: &str) -> (tempfile::TempDir, Sources) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("rookery.toml"), text).unwrap();
    let sources = Sources { directory: Some(dir.path().to_path_buf()), ..Sources::default() };
    (dir, sources)
}

fn flag(key: &str, value: &str) -> Flag {
    Flag { name: "--set".to_owned(), key: key.to_owned(), value: value.to_owned() }
}

fn refused(sources: &Sources) -> String {
    let error: ConfigError = Settings::load(sources).unwrap_err();
    error.to_string()
}

#[test]
fn the_defaults_of_file_and_code_are_the_same() {
    let loaded = Settings::load(&Sources::default()).unwrap();
    assert_eq!(loaded.settings, Settings::default());
    assert_eq!(loaded.warnings, []);
}

#[test]
fn the_default_file_has_exactly_the_keys_that_are_read() {
    let merged = super::layers::merge(&Sources::default());
    let in_file: Vec<String> = merged.values.keys().cloned().collect();
    let mut read: Vec<String> =
        Settings::load(&Sources::default()).unwrap().shown.into_iter().map(|s| s.key).collect();
    read.sort();
    assert_eq!(in_file, read);
}

#[test]
fn every_key_is_explained_right_above_it() {
    let lines: Vec<&str> = super::DEFAULTS.lines().collect();
    for (n, line) in lines.iter().enumerate().filter(|(_, line)| line.contains('=') && !line.starts_with('#'))
    {
        assert!(lines[n - 1].starts_with("# "), "no sentence above `{line}`");
    }
}

#[test]
fn a_later_layer_wins() {
    let (_dir, mut sources) = file("[engine]\nhash_mib = 1\nthreads = 1\n[log]\nformat = \"json\"\n");
    sources.environment = vec![
        ("ROOKERY__ENGINE__HASH_MIB".to_owned(), "2".to_owned()),
        ("ROOKERY__LOG__LEVEL".to_owned(), "warn".to_owned()),
    ];
    sources.flags = vec![flag("log.level", "debug")];
    let loaded = Settings::load(&sources).unwrap();
    assert_eq!(loaded.settings.engine.hash_mib, 2);
    assert_eq!(loaded.settings.engine.threads, 1);
    assert_eq!(loaded.settings.log.level, "debug");
    assert_eq!(loaded.settings.log.format, LogFormat::Json);
}

#[test]
fn every_value_knows_its_origin() {
    let (dir, mut sources) = file("\n[engine]\n# more\nthreads = 1\n");
    sources.environment = vec![("ROOKERY__LOG__LEVEL".to_owned(), "warn".to_owned())];
    sources.flags = vec![flag("log.format", "json")];
    let shown = Settings::load(&sources).unwrap().shown;
    let origin = |key: &str| shown.iter().find(|shown| shown.key == key).unwrap().origin.clone();
    assert_eq!(origin("engine.threads"), format!("{}:4", dir.path().join("rookery.toml").display()));
    assert_eq!(origin("log.level"), "environment variable ROOKERY__LOG__LEVEL");
    assert_eq!(origin("log.format"), "flag --set");
    assert_eq!(origin("engine.hash_mib"), "default");
}

#[test]
fn all_complaints_are_made_at_once() {
    let (_dir, mut sources) =
        file("[engine]\nthread = 2\nhash_mib = \"lots\"\n[lichess]\nurl = \"lichess.org\"\n");
    sources.environment = vec![("ROOKERY__LOG__FORMAT".to_owned(), "jsn".to_owned())];
    sources.flags = vec![flag("shutdown.grace_s", "-1")];
    let text = refused(&sources);
    for part in [
        "5 reasons",
        "rookery.toml:2: engine.thread: unknown key; did you mean engine.threads?",
        "rookery.toml:3: engine.hash_mib = \"lots\": expected a whole number from 1 to",
        "rookery.toml:5: lichess.url = \"lichess.org\": expected http:// or https:// and a host",
        "environment variable ROOKERY__LOG__FORMAT: log.format = \"jsn\": expected one of text, json; did you mean json?",
        "flag --set: shutdown.grace_s = -1: expected a whole number of seconds from 0 to 86400",
    ] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

#[test]
fn thinking_must_fit_into_its_memory() {
    let engine = |memory_mib: usize| {
        let (_dir, sources) =
            file(&format!("engine = {{ threads = 2, hash_mib = 256, memory_mib = {memory_mib} }}"));
        Settings::load(&sources)
    };
    for fits in [0, 264, 1_048_576] {
        assert!(engine(fits).is_ok(), "{fits}");
    }
    let text = engine(263).unwrap_err().to_string();
    let says =
        "engine.memory_mib = 263: thinking takes 264 MiB with a table of 256 (engine.hash_mib) and 2 threads";
    assert!(text.contains(says), "{text}");
}

#[test]
fn wrong_types_and_ranges_are_refused() {
    for (toml, part) in [
        ("engine.hash_mib = 0", "engine.hash_mib = 0: expected a whole number from 1"),
        ("engine.hash_mib = -1", "engine.hash_mib = -1"),
        ("engine.hash_mib = 1000000000", "engine.hash_mib = 1000000000"),
        ("engine.hash_mib = 1.5", "engine.hash_mib = 1.5"),
        ("engine.threads = 1000000000", "engine.threads = 1000000000: expected a whole number from 0"),
        ("engine.hash_mib = true", "engine.hash_mib = true"),
        ("engine.hash_mib = \"256\"", "engine.hash_mib = \"256\""),
        ("engine.hash_mib = [256]", "engine.hash_mib = [256]"),
        ("log.level = \"loud,=,\"", "log.level"),
        ("log.level = \"\"", "log.level = \"\""),
        ("engine = 5", "engine: this is a section"),
        ("[engine.threads]\nx = 1", "engine.threads.x: unknown key"),
        ("threads = 1", "threads: unknown key; did you mean engine.threads?"),
        ("[[[", "is not valid TOML"),
    ] {
        let (_dir, sources) = file(toml);
        let text = refused(&sources);
        assert!(text.contains(part), "{toml}: no `{part}` in:\n{text}");
    }
}

#[test]
fn a_variable_that_names_no_key_is_refused() {
    let text = refused(&variables(&[("ROOKERY__ENGINE__THREAD", "1")]));
    assert!(
        text.contains("environment variable ROOKERY__ENGINE__THREAD: engine.thread: unknown key"),
        "{text}"
    );
}

#[test]
fn a_token_in_the_configuration_is_refused_and_not_shown() {
    let secret = "lip_verysecret";
    let (_dir, mut sources) = file(&format!("token = \"{secret}\"\n[lichess]\ntoken = \"{secret}\"\n"));
    sources.environment = vec![("ROOKERY__LICHESS__TOKEN".to_owned(), secret.to_owned())];
    let text = refused(&sources);
    assert_eq!(text.matches("ROOKERY_TOKEN").count(), 3, "{text}");
    assert!(!text.contains(secret), "{text}");
}

#[test]
fn e08_a_key_cannot_forge_a_line() {
    let mut sources = variables(&[("ROOKERY__A\nB", "1")]);
    sources.flags = vec![flag("log.lev\u{1d}el\u{202e}", "1")];
    let complaints = Settings::load(&sources).unwrap_err().complaints;
    let told: Vec<String> = complaints.iter().map(ToString::to_string).collect();
    assert!(told[0].starts_with("environment variable ROOKERY__A\\u{a}B: a\\u{a}b: unknown key"), "{told:?}");
    assert!(told[1].contains("log.lev\\u{1d}el\\u{202e}: unknown key"), "{told:?}");
}

#[test]
fn e01_a_line_that_cannot_be_read_is_not_quoted() {
    let (_dir, sources) = file("[lichess]\ntoken = lip_verysecret\n");
    let text = refused(&sources);
    assert!(text.contains("line 2, column 9") && !text.contains("verysecret"), "{text}");
}

#[test]
fn e02_a_token_does_not_travel_readably_unless_that_is_wanted() {
    for url in
        ["http://example.org", "http://127.example.org", "http://localhost.example.org:80", "http://10.0.0.1"]
    {
        let (_dir, sources) = file(&format!("lichess.url = \"{url}\"\n"));
        let text = refused(&sources);
        assert!(text.contains("rookery.toml:1: lichess.url") && text.contains("unencrypted"), "{text}");
    }
    for url in ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:1", "https://example.org"] {
        let (_dir, sources) = file(&format!("lichess.url = \"{url}\"\n"));
        assert_eq!(Settings::load(&sources).unwrap().warnings, [], "{url}");
    }
}

#[test]
fn a_token_in_place_of_its_file_is_refused_and_not_shown() {
    let (_dir, sources) = file("lichess.token_file = \"lip_verysecret\"\n");
    let text = refused(&sources);
    assert!(text.contains("looks like the token itself") && !text.contains("verysecret"), "{text}");
}

#[test]
fn the_environment_is_not_in_the_debug_output() {
    let sources = variables(&[("ROOKERY_TOKEN", "lip_verysecret"), ("OTHER", "private")]);
    let text = format!("{sources:?}");
    assert!(
        text.contains("ROOKERY_TOKEN") && !text.contains("verysecret") && !text.contains("OTHER"),
        "{text}"
    );
}

#[test]
fn a_named_file_must_exist_and_the_implied_one_need_not() {
    let dir = tempfile::tempdir().unwrap();
    let implied = Sources { directory: Some(dir.path().to_path_buf()), ..Sources::default() };
    assert!(Settings::load(&implied).is_ok());
    let named = Sources { file: Some(PathBuf::from("no/such.toml")), ..implied };
    let text = refused(&named);
    assert!(text.contains("no/such.toml: cannot be read"), "{text}");
}

#[test]
fn silly_values_are_warned_about_and_taken() {
    let (_dir, sources) = file(
        "engine.threads = 1000\n[lichess]\nurl = \"http://example.org\"\nplain_http = true\nstream_silence_s = 3\n",
    );
    let loaded = Settings::load(&sources).unwrap();
    let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(
        warnings[0].contains("rookery.toml:3: lichess.url") && warnings[0].contains("unencrypted"),
        "{warnings:?}"
    );
    assert_eq!(loaded.settings.engine.threads, 1000);
}

#[test]
fn values_that_contradict_each_other_are_refused() {
    for (toml, part) in [
        (
            "[thinking]\nnodes = 1000\ndepth = 5",
            "thinking.depth = 5: only one of thinking.nodes, depth and time_ms",
        ),
        ("[challenges]\nmin_base_s = 600\nmax_base_s = 60", "challenges.min_base_s = 600: is more than"),
        ("[challenges]\nmin_rating = 2000\nmax_rating = 1000", "challenges.min_rating = 2000: is more than"),
        ("[challenges]\nmin_days = 3\nmax_days = 2", "challenges.min_days = 3: is more than"),
        (
            "[challenges]\nmin_increment_s = 3\nmax_increment_s = 2",
            "challenges.min_increment_s = 3: is more than",
        ),
        ("[lichess]\nretry_first_ms = 60000\nretry_max_s = 1", "lichess.retry_max_s = 1: is shorter than"),
    ] {
        let (_dir, sources) = file(toml);
        let text = refused(&sources);
        assert!(text.contains(part), "{toml}: no `{part}` in:\n{text}");
    }
}

#[test]
fn lists_are_read_from_files_and_variables() {
    let (_dir, mut sources) = file("challenges.variants = [\"Chess960\"]\nchallenges.allow = [\"Ada\"]\n");
    sources.environment = vec![("ROOKERY__CHALLENGES__SPEEDS".to_owned(), "blitz, rapid".to_owned())];
    let policy = Settings::load(&sources).unwrap().settings.challenges;
    assert_eq!(policy.variants, [Variant::Chess960]);
    assert_eq!(policy.speeds, [Speed::Blitz, Speed::Rapid]);
    assert_eq!(policy.allow[0].as_str(), "ada");
    let keys = Variant::ALL.map(Variant::key);
    let (_dir, sources) = file(&format!("challenges.variants = {keys:?}\n"));
    assert_eq!(Settings::load(&sources).unwrap().settings.challenges.variants, Variant::ALL);
    let (_dir, sources) = file("challenges.speeds = [\"blits\"]\n");
    let text = refused(&sources);
    assert!(text.contains("[\"blits\"]: expected a list of these: ultraBullet, bullet, blitz"), "{text}");
}

#[test]
fn switches_decide_about_draws_and_resigning() {
    let (_dir, sources) = file("[games]\naccept_draws = false\nresign = true\nresign_score = -800\n");
    let games = Settings::load(&sources).unwrap().settings.games;
    assert_eq!(games.accept_draws, None);
    assert_eq!(games.resign, Some(ResignPolicy { score: -800, moves: 5 }));
}

#[test]
fn a_policy_that_accepts_nothing_is_remarked_on() {
    let (_dir, sources) = file("[challenges]\nrated = false\ncasual = false\nmax_games = 0\nspeeds = []\n");
    let warnings = Settings::load(&sources).unwrap().warnings;
    assert_eq!(
        warnings.iter().filter(|w| w.text.contains("every challenge will be declined")).count(),
        3,
        "{warnings:?}"
    );
}
