//! `docs/laws.md` against the tree: every rule has its row, and every file, item and test that the page names is there.
//!
//! In the page a code span `path` names a file, `path::name` something in it, and `::name` something else in the file
//! that was named last in the same cell. Whether a test tests what its row says, nobody but a reader can tell.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The rows that the page must have: rules, conflicts of sources, the point system, Lichess' own rules, its variants.
const ROWS: &[(&str, usize)] = &[("", 104), ("C", 25), ("P", 5), ("L", 13), ("V", 9)];

/// Where paths in the page begin.
const ROOTS: [&str; 3] = ["src/", "tests/", "docs/"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn ids(rows: &[(&str, usize)]) -> Vec<String> {
    rows.iter()
        .flat_map(|(prefix, count)| (1..=*count).map(move |number| format!("{prefix}{number}")))
        .collect()
}

#[test]
fn the_page_of_laws_names_what_is_there() {
    let page = fs::read_to_string(root().join("docs/laws.md")).unwrap();
    let complaints = check(&page, &ids(ROWS));
    assert!(complaints.is_empty(), "docs/laws.md:\n{}", complaints.join("\n"));
}

/// A page with one row, whose cells after the rule these are, and a part of what must be said about it.
#[test]
fn each_kind_of_slip_is_found() {
    let file = "`src/chess/draw.rs::end`";
    let test = "`src/chess/draw.rs::ends_in_their_order`";
    for (rows, complaint) in [
        (format!("| 2 | r | S0 | bot | {file} | {test} |"), "row 1 is missing"),
        (format!("| 1 | r | S0 | bot | {file} | {test} |\n").repeat(2), "row 1 stands there 2 times"),
        (
            format!("| 1 | r | S0 | bot | `src/chess/laws_of_go.rs` | {test} |"),
            "there is no file src/chess/laws_of_go.rs",
        ),
        (format!("| 1 | r | S0 | bot | `src/chess/draw.rs::endgame` | {test} |"), "does not say endgame"),
        (format!("| 1 | r | S0 | bot | {file}, `::winne` | {test} |"), "does not say winne"),
        (format!("| 1 | r | S0 | bot | `::end` | {test} |"), "`::end` follows no file"),
        (format!("| 1 | r | S0 | bot | {file} | `src/chess/draw.rs::decided` |"), "decided is no test"),
        (
            format!("| 1 | r | S0 | bot | {file} | `src/chess/draw.rs::no_such_test` |"),
            "no_such_test is no test",
        ),
        (format!("| 1 | r | S0 | server | {file} | later |"), "row 1 names no test and no reason"),
        (format!("| 1 | r | S0 | everybody | {file} | {test} |"), "row 1 is for everybody"),
        (format!("| 1 | r | {file} | {test} |"), "row 1 has 4 cells"),
    ] {
        let complaints = check(&rows, &["1".to_owned()]);
        assert!(
            complaints.iter().any(|found| found.contains(complaint)),
            "{complaint}: {complaints:?}\n{rows}"
        );
    }
    for good in [
        format!("| 1 | r | S0 | bot, server | {file}, `::winner` | {test}, `tests/data/laws/draws.tsv` |"),
        "| 1 | r | S0 | board | - | - |".to_owned(),
        "| 1 | r | S0 | server | - | none: there is nothing to test |".to_owned(),
    ] {
        assert_eq!(check(&good, &["1".to_owned()]), Vec::<String>::new(), "{good}");
    }
}

/// Everything that is wrong with the page, one line each.
fn check(page: &str, expected: &[String]) -> Vec<String> {
    let rows: Vec<Vec<&str>> = page.lines().filter_map(cells).filter(|cells| is_id(cells[0])).collect();
    let mut seen = BTreeMap::<&str, usize>::new();
    for cells in &rows {
        *seen.entry(cells[0]).or_default() += 1;
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
    complaints.extend(rows.iter().flat_map(|cells| check_row(cells)));
    let prose = page.lines().filter(|line| cells(line).is_none_or(|cells| !is_id(cells[0])));
    complaints.extend(prose.flat_map(|line| check_spans(line, false)));
    complaints
}

/// The cells of a line of a table.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inside = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(inside.split('|').map(str::trim).collect())
}

/// A number, or a letter and a number.
fn is_id(cell: &str) -> bool {
    let number = cell.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(cell);
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

fn check_row(cells: &[&str]) -> Vec<String> {
    let [id, _, _, whom, code, tests] = *cells else {
        return vec![format!("row {} has {} cells", cells[0], cells.len())];
    };
    let mut complaints: Vec<String> = Vec::new();
    if !whom.split(", ").all(|word| ["bot", "server", "board", "nobody"].contains(&word)) {
        complaints.push(format!("row {id} is for {whom}"));
    }
    let is_ours = whom.contains("bot") || whom.contains("server");
    if is_ours && !tests.contains("::") && !tests.contains("none: ") {
        complaints.push(format!("row {id} names no test and no reason why there is none"));
    }
    complaints.extend(check_spans(code, false));
    complaints.extend(check_spans(tests, true));
    complaints
        .into_iter()
        .map(|text| if text.starts_with("row") { text } else { format!("row {id}: {text}") })
        .collect()
}

/// The code spans of a text: files must exist, what is named in them must occur there, as a test if it is to be one.
fn check_spans(text: &str, are_tests: bool) -> Vec<String> {
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
