//! `docs/failures.md` against the tree: every case has its row, and every file and test that the page names is there.
//!
//! In the last cell of a row a code span with a path names a file, and any other span a test in the file before it.

use std::fs;

use crate::page::{self, cells, check_spans, root};

/// The cases by their letter, with the numbers that there are.
const CASES: &[(char, &[u32])] = &[
    ('A', &[1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 23]),
    ('B', &[1, 3, 4, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27]),
    ('C', &[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28]),
    ('D', &[1, 2, 4, 5, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]),
    ('E', &[1, 2, 3, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]),
];

/// A reason why a case cannot happen here is at least so long.
const REASON: usize = 30;

fn ids() -> Vec<String> {
    CASES
        .iter()
        .flat_map(|(letter, numbers)| numbers.iter().map(move |number| format!("{letter}{number:02}")))
        .collect()
}

fn is_id(cell: &str) -> bool {
    let number = cell.strip_prefix(|c: char| ('A'..='E').contains(&c)).unwrap_or_default();
    number.len() == 2 && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// The rows of cases in a page.
fn rows(page: &str) -> Vec<Vec<&str>> {
    page.lines().filter_map(cells).filter(|cells| is_id(cells[0])).collect()
}

#[test]
fn the_page_of_failures_names_what_is_there() {
    let page = fs::read_to_string(root().join("docs/failures.md")).unwrap();
    let mut complaints = check(&page);
    complaints.extend(page::count(rows(&page).iter().map(|cells| cells[0]), &ids()));
    assert!(complaints.is_empty(), "docs/failures.md:\n{}", complaints.join("\n"));
}

#[test]
fn each_kind_of_slip_is_found() {
    let file = "`tests/it/failures/book.rs`";
    for (row, complaint) in [
        (format!("| E01 | x | wire | {file}: `no_such_test` |"), "no_such_test is no test"),
        (format!("| E01 | x | wire | {file}: `check_row` |"), "check_row is no test"),
        ("| E01 | x | wire | `tests/it/no.rs`: `is` |".to_owned(), "there is no file tests/it/no.rs"),
        ("| E01 | x | wire | `e01_is` |".to_owned(), "follows no file"),
        ("| E01 | x | wire | later |".to_owned(), "names no test and no reason"),
        (format!("| E01 | x | {file} |"), "has 3 cells"),
    ] {
        let complaints = check(&row);
        assert!(complaints.iter().any(|found| found.contains(complaint)), "{row}: {complaints:?}");
    }
    for good in [
        format!(
            "| E01 | x | wire | {file}: `each_kind_of_slip_is_found`, `the_page_of_failures_names_what_is_there` |"
        ),
        "| E01 | x | - | cannot happen, since nothing of that kind is there |".to_owned(),
    ] {
        assert_eq!(check(&good), Vec::<String>::new(), "{good}");
    }
    assert_eq!(ids().len(), 106);
}

/// Everything that is wrong with the rows that are there and with what else the page names.
fn check(page: &str) -> Vec<String> {
    let rows = rows(page);
    let mut complaints: Vec<String> = rows.iter().flat_map(|cells| check_row(cells)).collect();
    let prose = page.lines().filter(|line| cells(line).is_none_or(|cells| !is_id(cells[0])));
    complaints.extend(prose.flat_map(|line| check_spans(&with_names(line), true)));
    complaints
}

fn check_row(cells: &[&str]) -> Vec<String> {
    let [id, _, _, place] = *cells else {
        return vec![format!("row {} has {} cells", cells[0], cells.len())];
    };
    let mut complaints = check_spans(&with_names(place), true);
    if !place.contains('`') && place.len() < REASON {
        complaints.push("names no test and no reason why there is none".to_owned());
    }
    complaints.into_iter().map(|complaint| format!("row {id}: {complaint}")).collect()
}

/// Spans that are names only are written as the other pages write them.
fn with_names(text: &str) -> String {
    let is_name = |span: &str| {
        span.contains('_') && span.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'_')
    };
    let spans = text.split('`').enumerate().map(|(n, part)| match n % 2 {
        1 if is_name(part) => format!("::{part}"),
        _ => part.to_owned(),
    });
    spans.collect::<Vec<_>>().join("`")
}
