//! Moves and positions as text, against tables of verdicts: which are read, as what, and which are refused.
//!
//! The tables were made with python-chess; where our verdict differs, the table or a list here says why.

use rookery::chess::{AnyPosition, CastlingSpelling, FenError, Move, Position, UciMove, Variant, san};

use crate::shared;

/// The variant of a table's name for it.
fn variant(name: &str) -> Variant {
    Variant::from_name(name).unwrap_or_else(|| panic!("unknown variant {name}"))
}

fn unreachable(name: &str, fen: &str) -> Result<AnyPosition, FenError> {
    AnyPosition::from_unreachable_fen(variant(name), fen)
}

/// The rows of a table as cells, its header left out.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect())
}

/// A cell that is written as the inside of a JSON string.
fn unescaped(cell: &str) -> String {
    serde_json::from_str(&format!("\"{cell}\"")).unwrap()
}

fn uci(mv: Move) -> String {
    UciMove::from_move(mv, CastlingSpelling::KingTwoSquares).to_string()
}

#[test]
fn san_as_people_write_it() {
    for row in rows(include_str!("../data/laws/san_read.tsv")) {
        let [name, fen, text, expected, expected_uci, _why] = row[..] else { panic!("{row:?}") };
        let position = unreachable(name, fen).unwrap();
        let verdict = match san::parse(&position, &unescaped(text)) {
            Ok(mv) => ("ok", uci(mv)),
            Err(san::SanError::Invalid(_)) => ("invalid", String::new()),
            Err(san::SanError::Illegal { .. }) => ("illegal", String::new()),
            Err(san::SanError::Ambiguous { .. }) => ("ambiguous", String::new()),
        };
        assert_eq!(verdict, (expected, expected_uci.to_owned()), "{fen} {text:?}");
    }
}

/// What we make of a FEN other than the table, which keeps the castling rights of standard chess only: X-FEN rights
/// need no king on the e-file and no rook in the corner, and Chess960 games are read without being told so.
const X_FEN_RIGHTS: &[(&str, &str)] = &[
    ("r3k2r/8/8/8/8/8/8/R4K1R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R4K1R w KQkq - 0 1"),
    ("krr5/8/8/8/8/8/8/4K3 w kq - 0 1", "krr5/8/8/8/8/8/8/4K3 w k - 0 1"),
    (
        "nrbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "nrbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
];

/// Verdicts: `refuse`, `accept` or `repair` (claims without support are dropped); some leave the choice.
#[test]
fn doubtful_fens() {
    for row in rows(include_str!("../data/laws/fen_verdicts.tsv")) {
        let [name, text, verdict, canonical, comment] = row[..] else { panic!("{row:?}") };
        let fen = unescaped(text);
        match variant(name).start(Some(&fen)) {
            Ok(position) => {
                assert!(!verdict.starts_with("refuse"), "{text} ({comment}) was accepted");
                let ours = X_FEN_RIGHTS.iter().find(|(known, _)| *known == fen).map(|(_, ours)| *ours);
                if !canonical.is_empty() {
                    let expected = ours.unwrap_or(canonical);
                    if variant(name).is_orthodox() {
                        assert_eq!(position.to_fen(), expected, "{text} ({comment})");
                    }
                    // Pockets and counts of checks have several spellings.
                    assert_eq!(Ok(position), unreachable(name, expected), "{text} ({comment})");
                }
            }
            Err(error) => {
                assert!(verdict.contains("refuse"), "{text} ({comment}): {error}");
            }
        }
    }
}

/// Whether a position of a table is none for us, because the side to move could take the king.
fn is_no_position(name: &str, fen: &str) -> bool {
    unreachable(name, fen).is_err_and(|error| error.to_string().contains("in check but it is not"))
}

/// Every legal move of the positions, its SAN, its long form, and whether it checks or mates.
#[test]
fn san_of_every_legal_move() {
    let Some(rows) = shared::table("games/san_all_legal.tsv") else { return };
    let mut checked = 0;
    for row in &rows {
        let [name, _, fen, expected_uci, short, long, check, mate] = &row[..] else { panic!("{row:?}") };
        if is_no_position(name, fen) {
            continue;
        }
        let position = unreachable(name, fen).unwrap();
        let mv = expected_uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        assert_eq!(&san::format(&position, mv), short, "{name} {fen}");
        for text in [short, long, expected_uci] {
            assert_eq!(san::parse(&position, text), Ok(mv), "{name} {fen} {text}");
        }
        // The marks of the other variants' ends are part of the SAN; not all of them are checks.
        if name == "chess" {
            let after = position.after(mv);
            assert_eq!(after.is_check(), check == "1", "{fen} {short}");
            assert_eq!(after.is_check() && !after.has_legal_move(), mate == "1", "{fen} {short}");
        }
        checked += 1;
    }
    assert!(checked > 2600, "only {checked} moves were checked");
}

/// Start positions with all legal moves, each as SAN and the position after it. The sets write the en passant square
/// after every double step; reading it drops what allows no capture.
#[test]
fn rampart_positions() {
    let Some(folder) = shared::path("fen/rampart") else { return };
    let mut moves = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let set: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        for case in set["testCases"].as_array().unwrap() {
            let fen = case["start"]["fen"].as_str().unwrap();
            let position = Position::from_unreachable_fen(fen).unwrap();
            let expected = case["expected"].as_array().unwrap();
            assert_eq!(position.legal_moves().len(), expected.len(), "{fen}");
            for row in expected {
                let text = row["move"].as_str().unwrap();
                let mv = san::parse(&position, text).unwrap();
                assert_eq!(san::format(&position, mv), text, "{fen}");
                let after = Position::from_unreachable_fen(row["fen"].as_str().unwrap()).unwrap();
                assert_eq!(position.after(mv), after, "{fen} {text}");
                moves += 1;
            }
        }
    }
    assert!(moves > 2000, "only {moves} moves were checked");
}

/// En passant in the variants: when it is legal, and that the square is kept only then.
#[test]
fn en_passant_by_the_rules_of_variants() {
    let Some(table) = shared::table("fen/en_passant.tsv") else { return };
    for row in &table {
        let [name, fen, legal, captures, _, canonical, moves, _] = &row[..] else { panic!("{row:?}") };
        if is_no_position(name, fen) {
            continue;
        }
        let position = unreachable(name, fen).unwrap();
        assert_eq!(position.ep_square().is_some(), legal == "1", "{name} {fen}");
        assert_eq!(Ok(&position), unreachable(name, canonical).as_ref(), "{name} {fen}");
        let found = |wanted: &dyn Fn(Move) -> bool| {
            let mut words: Vec<String> =
                position.legal_moves().into_iter().filter(|&mv| wanted(mv)).map(uci).collect();
            words.sort();
            words.join(" ")
        };
        assert_eq!(&found(&|_| true), moves, "{name} {fen}");
        assert_eq!(&found(&|mv| mv.is_en_passant()), captures, "{name} {fen}");
    }
}

/// The committed tables of en passant and castling hold all that is a position.
#[test]
fn en_passant_and_castling_tables_are_complete() {
    for (name, fen_column, committed) in [
        ("fen/en_passant.tsv", 1, include_str!("../data/laws/en_passant.tsv")),
        ("fen/chess960_castling.tsv", 0, include_str!("../data/laws/chess960_castling.tsv")),
    ] {
        let Some(table) = shared::table(name) else { return };
        for row in table.iter().filter(|row| fen_column == 0 || row[0] == "standard") {
            let fen = row[fen_column].as_str();
            let is_committed = rows(committed).any(|cells| cells[0] == fen);
            assert_eq!(is_committed, !is_no_position("standard", fen), "{name}: {fen}");
        }
    }
}
