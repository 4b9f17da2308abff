//! The configuration as users see it: the README's table and the default file tell the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rookery::config::{Settings, Sources};

#[test]
fn the_readme_lists_every_key_with_its_default() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let in_readme: BTreeMap<String, String> = readme.lines().filter_map(row).collect();
    let loaded = Settings::load(&Sources::default()).unwrap();
    let in_code: BTreeMap<String, String> =
        loaded.shown.into_iter().map(|shown| (shown.key, shown.text)).collect();
    assert_eq!(in_readme, in_code);
}

/// Every bad configuration with all that is said about it, a paragraph each.
#[test]
fn e14_every_bad_configuration_is_refused_with_a_reason_and_a_place() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/config/bad.txt");
    let golden = fs::read_to_string(&path).unwrap();
    let mut cases = golden.split("### ");
    let mut written = cases.next().unwrap().to_owned();
    let mut count = 0;
    for case in cases {
        let (name, rest) = case.split_once('\n').unwrap();
        let lines = rest.lines().filter(|line| !line.starts_with("--> ") && !line.is_empty());
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        written.push_str(&format!("### {name}\n{text}{}\n", complaints(name, &text)));
        count += 1;
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &written).unwrap();
    } else {
        assert_eq!(written.trim_end(), golden.trim_end());
    }
    assert!(count >= 40, "{count}");
}

fn complaints(name: &str, text: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("rookery.toml"), text).unwrap();
    let sources = Sources { directory: Some(dir.path().to_owned()), ..Sources::default() };
    let Err(error) = Settings::load(&sources) else { panic!("{name} is taken:\n{text}") };
    let place = format!("{}/", dir.path().display());
    let told = error.complaints.iter().map(|complaint| complaint.to_string().replace(&place, ""));
    let told: String = told.map(|complaint| format!("--> {complaint}\n")).collect();
    assert!(!told.contains("verysecret") && told.lines().count() == error.complaints.len(), "{name}: {told}");
    told
}

/// Key and default of a line such as "| `engine.threads` | `0` | ... |".
fn row(line: &str) -> Option<(String, String)> {
    let mut cells = line.strip_prefix("| `")?.split(" | ");
    let key = cells.next()?.strip_suffix('`')?;
    let default = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
    let meaning = cells.next()?;
    let is_key = key.contains('.') && !key.contains(' ') && meaning.len() > 10;
    is_key.then(|| (key.to_owned(), default.to_owned()))
}
