//! `rookery solve` over the real binary: what it counts, what it complains of, and that it repeats itself.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn solve(files: &[&Path], more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
    command.arg("solve").args(files).args(["--hash", "4"]).args(more).env_clear().output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What the row of a suite says: positions, solved, its share in per cent, mates, found, exact, false.
fn row(table: &str, suite: &str) -> Vec<String> {
    let row = table.lines().find(|line| line.split_whitespace().next() == Some(suite));
    let row = row.unwrap_or_else(|| panic!("no {suite} in\n{table}"));
    row.split_whitespace().skip(1).filter(|cell| *cell != "%").take(7).map(str::to_owned).collect()
}

/// Positions from tables of endings, and from games that are over: mates on the board and stalemates among them.
#[test]
fn what_is_known_is_found_and_nothing_else_is_claimed() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/solve");
    let suites = ["mates.epd", "mated.epd", "drawn.epd", "moves.epd", "all"];
    let files: Vec<_> = suites[..4].iter().map(|suite| data.join(suite)).collect();
    let files: Vec<&Path> = files.iter().map(|file| file.as_path()).collect();
    let output = solve(&files, &["--nodes", "100000", "-v"]);
    let table = text(&output);
    for (suite, expected) in suites.into_iter().zip([
        ["13", "13", "100.0", "13", "13", "13", "0"],
        ["5", "5", "100.0", "5", "5", "5", "0"],
        ["10", "0", "0.0", "10", "0", "0", "0"],
        ["7", "7", "100.0", "-", "-", "-", "-"],
        ["35", "25", "71.4", "28", "18", "18", "0"],
    ]) {
        assert_eq!(row(&table, suite), expected, "{suite}\n{table}");
    }
    let unsolved = table.lines().filter(|line| line.starts_with("not solved: drawn.epd:")).count();
    assert_eq!(unsolved, 10, "{table}");
    let stalemate = "not solved: drawn.epd:2 stalemate 1: no move (cp 0, depth 0), expected dm 5: ";
    assert!(table.contains(stalemate), "{table}");
    assert_eq!(output.status.code(), Some(0), "{table}");
}

#[test]
fn a_mate_that_is_none_fails() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("wrong.epd");
    fs::write(&file, "6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 2; id \"back rank\";\n").unwrap();
    let output = solve(&[&file], &["--nodes", "5000"]);
    let table = text(&output);
    assert_eq!(output.status.code(), Some(1), "{table}");
    let claim = "FALSE claim: wrong.epd:1 back rank: Ra8# (mate 1, depth ";
    assert!(table.contains(claim) && table.contains("), expected dm 2: 6k1/5ppp/"), "{table}");
    assert_eq!(row(&table, "wrong.epd"), ["1", "0", "0.0", "1", "0", "0", "1"]);
}

#[test]
fn what_cannot_be_read_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let good = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8;\n";
    for (file, text, says) in [
        (
            "move.epd",
            format!("# one\n{good}{}", good.replace("Ra8", "Ra9")),
            "move.epd, line 3: bad move of bm: ",
        ),
        ("task.epd", good.replace("bm Ra8;", ""), "task.epd, line 1: no task, expected bm"),
        (
            "mate.epd",
            good.replace("bm Ra8", "dm two"),
            "mate.epd, line 1: bad distance of a mate \"two\", expected",
        ),
        ("none.epd", "# nothing\n".to_owned(), "none.epd holds no position"),
    ] {
        let path = dir.path().join(file);
        fs::write(&path, text).unwrap();
        let output = solve(&[&path], &[]);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{complaint}");
        assert!(complaint.contains(says), "{complaint}");
        assert!(output.stdout.is_empty(), "nothing is searched before all is read");
    }
    let missing = solve(&[&dir.path().join("missing.epd")], &[]);
    assert!(String::from_utf8(missing.stderr).unwrap().starts_with("rookery: cannot read "));
}

/// None of these moves is good, so that all are shown with what the search came to.
const UNSOLVED: [&str; 3] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - am Bxa6; bm Qf5; id \"kiwipete\";",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Nh4; id \"knights\";",
    "r4rk1/1pp1qppp/p1np1n2/4p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - bm Qd1; id \"bishops\";",
];

#[test]
fn nothing_is_remembered_from_position_to_position() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("suite.epd");
    let found = |positions: &[&str]| {
        fs::write(&file, positions.join("\n")).unwrap();
        let output = solve(&[&file], &["--nodes", "100000", "-v"]);
        let table = text(&output);
        let lines = table
            .lines()
            .filter_map(|line| Some(line.strip_prefix("not solved: suite.epd:")?[2..].to_owned()));
        let mut lines: Vec<String> = lines.collect();
        assert_eq!(lines.len(), positions.len(), "{table}");
        lines.sort();
        lines
    };
    let [first, second, third] = UNSOLVED;
    let one_by_one: Vec<String> = UNSOLVED.iter().flat_map(|position| found(&[position])).collect();
    for order in [[first, second, third], [third, second, first]] {
        let mut expected = one_by_one.clone();
        expected.sort();
        assert_eq!(found(&order), expected);
    }
}

#[test]
fn only_the_first_positions_are_taken() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("suite.epd");
    fs::write(&file, format!("{}\nnonsense\n", UNSOLVED.join("\n"))).unwrap();
    let output = solve(&[&file], &["--nodes", "10", "--limit", "2"]);
    assert_eq!(row(&text(&output), "suite.epd")[0], "2", "{}", text(&output));
}
