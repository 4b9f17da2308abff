//! Pages of `docs` that are tables about the tree: their cells, and whether what they name is there.
//!
//! In a page a code span `path` names a file, `path::name` something in it, and `::name` something else in the file
//! that was named last in the same cell. Whether a test tests what its row says, nobody but a reader can tell.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Where paths in the page begin.
const ROOTS: [&str; 3] = ["src/", "tests/", "docs/"];

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Each of the ids has one row, and there are no others. `rows` are the ids of the rows that are there.
pub(crate) fn count<'a>(rows: impl IntoIterator<Item = &'a str>, expected: &[String]) -> Vec<String> {
    let mut seen = BTreeMap::<&str, usize>::new();
    for id in rows {
        *seen.entry(id).or_default() += 1;
    }
    let mut complaints = Vec::new();
    for id in expected {
        match seen.remove(id.as_str()) {
            None => complaints.push(format!("row {id} is missing")),
            Some(1) => {}
            Some(times) => complaints.push(format!("row {id} stands there {times} times")),
        }
    }
    complaints.extend(seen.into_keys().map(|id| format!("row {id} is not expected")));
    complaints
}

/// The cells of a line of a table.
pub(crate) fn cells(line: &str) -> Option<Vec<&str>> {
    let inside = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(inside.split('|').map(str::trim).collect())
}

/// The code spans of a text: files must exist, what is named in them must occur there, as a test if it is to be one.
pub(crate) fn check_spans(text: &str, are_tests: bool) -> Vec<String> {
    let mut file = None;
    text.split('`').skip(1).step_by(2).filter_map(|span| check_span(span, &mut file, are_tests)).collect()
}

fn check_span<'a>(span: &'a str, file: &mut Option<&'a str>, is_test: bool) -> Option<String> {
    let (path, name) = match span.split_once("::") {
        Some((path, name)) => (path, Some(name)),
        None => (span, None),
    };
    if ROOTS.iter().any(|root| path.starts_with(root)) {
        *file = Some(path);
    } else if !path.is_empty() || name.is_none() {
        return None;
    }
    let Some(path) = *file else { return Some(format!("`{span}` follows no file")) };
    let Ok(text) = fs::read_to_string(root().join(path)) else {
        return Some(format!("there is no file {path}"));
    };
    let name = name?;
    if is_test && !has_test(&text, name) {
        Some(format!("{name} is no test in {path}"))
    } else if !has_word(&text, name) {
        Some(format!("{path} does not say {name}"))
    } else {
        None
    }
}

fn has_word(text: &str, word: &str) -> bool {
    let is_identifier = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_identifier) && !text[at + word.len()..].starts_with(is_identifier)
    })
}

/// Whether a function of this name has a test's attribute right above it.
fn has_test(text: &str, name: &str) -> bool {
    let head = format!("fn {name}(");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.iter().enumerate().filter(|(_, line)| line.contains(&head)).any(|(at, _)| {
        let above = lines[..at].iter().rev();
        above
            .take_while(|line| line.starts_with("#[") || line.starts_with("//"))
            .any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"))
    })
}
