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

/// Key and default of a line such as "| `engine.threads` | `0` | ... |".
fn row(line: &str) -> Option<(String, String)> {
    let mut cells = line.strip_prefix("| `")?.split(" | ");
    let key = cells.next()?.strip_suffix('`')?;
    let default = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
    let meaning = cells.next()?;
    let is_key = key.contains('.') && !key.contains(' ') && meaning.len() > 10;
    is_key.then(|| (key.to_owned(), default.to_owned()))
}
