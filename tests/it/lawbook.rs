//! `docs/laws.md` against the tree: every rule has its row, and every file, item and test that the page names is there.

use std::fs;

use crate::page::{self, cells, check_spans, root};

/// The rows that the page must have: rules, conflicts of sources, the point system, Lichess' own rules, its variants.
const ROWS: &[(&str, usize)] = &[("", 104), ("C", 25), ("P", 5), ("L", 13), ("V", 9)];

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
    let mut complaints = page::count(rows.iter().map(|cells| cells[0]), expected);
    complaints.extend(rows.iter().flat_map(|cells| check_row(cells)));
    let prose = page.lines().filter(|line| cells(line).is_none_or(|cells| !is_id(cells[0])));
    complaints.extend(prose.flat_map(|line| check_spans(line, false)));
    complaints
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
