//! The variants against tables of expected results: legal moves, ends, material, whole games.
//!
//! The tables were computed with python-chess and pyffish, and for Lichess' own rules taken from scalachess' tests; what they
//! hold says each header. Larger sets lie outside the repository and are skipped where they are absent.

use rookery::chess::{AnyPosition, CastlingSpelling, Color, GameEnd, History, UciMove, Variant, san};

use super::shared;

/// The rows of a table as cells, its header left out.
fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect())
}

fn read(variant: &str, fen: &str) -> AnyPosition {
    let variant = Variant::from_name(variant).unwrap_or_else(|| panic!("{variant}"));
    AnyPosition::from_unreachable_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// What scalachess' tests expect of positions after some moves, `!` marking a move that must be refused.
#[test]
fn ends_as_lichess_sees_them() {
    for row in rows(include_str!("../data/laws/variants/lichess_ends.tsv")) {
        let [variant, fen, moves, end, winner, status, opponent, player, note] = row[..] else {
            panic!("{row:?}")
        };
        let start = read(variant, fen);
        if let Some(refused) = moves.strip_suffix('!') {
            let uci: UciMove = refused.parse().unwrap();
            assert!(uci.to_move(&start).is_err(), "{fen} {moves} ({note})");
            continue;
        }
        let history = History::from_uci(start, moves.split_whitespace()).unwrap();
        let position = history.position();
        let found = match position.end() {
            None => ["0", "-", "-"],
            Some(end) => [
                "1",
                end.winner().map_or("none", |color| if color == Color::White { "white" } else { "black" }),
                match end {
                    GameEnd::Checkmate { .. } => "mate",
                    GameEnd::VariantEnd { winner: Some(_) } => "variantEnd",
                    GameEnd::Stalemate => "stalemate",
                    GameEnd::VariantEnd { winner: None }
                    | GameEnd::InsufficientMaterial
                    | GameEnd::FiftyMoves
                    | GameEnd::FivefoldRepetition => "draw",
                },
            ],
        };
        assert_eq!(found, [end, winner, status], "{variant} {fen} {moves} ({note})");
        for (color, expected) in [(!position.turn(), opponent), (position.turn(), player)] {
            if expected != "-" {
                let lacks = position.lacks_winning_material(color);
                assert_eq!(lacks, expected == "1", "{color} {variant} {fen} {moves} ({note})");
            }
        }
    }
}

/// Positions in which a game is over, or nearly so.
#[test]
fn ends_by_the_rules() {
    for row in rows(include_str!("../data/laws/variants/ends.tsv")) {
        let [variant, fen, state, result, check, moves] = row[..] else { panic!("{row:?}") };
        let position = read(variant, fen);
        let end = position.end();
        // Only python-chess draws crazyhouse by material: what is taken comes back.
        let state =
            if variant == "crazyhouse" && state == "insufficient_material" { "ongoing" } else { state };
        let fits = match state {
            "checkmate" => matches!(end, Some(GameEnd::Checkmate { .. })),
            "stalemate" => end == Some(GameEnd::Stalemate),
            "insufficient_material" => end == Some(GameEnd::InsufficientMaterial),
            "variant_win" | "variant_loss" => matches!(end, Some(GameEnd::VariantEnd { winner: Some(_) })),
            "variant_draw" => end == Some(GameEnd::VariantEnd { winner: None }),
            _ => end.is_none_or(|end| end.winner().is_none()),
        };
        assert!(fits, "{variant} {fen}: {end:?}, expected {state}");
        let winner = end.and_then(GameEnd::winner);
        let expected = match result {
            "1-0" => Some(Color::White),
            "0-1" => Some(Color::Black),
            _ => None,
        };
        assert_eq!(winner, expected, "{variant} {fen}");
        assert_eq!(position.is_check(), check == "1", "{variant} {fen}");
        assert_eq!(position.legal_moves().len().to_string(), moves, "{variant} {fen}");
    }
}

/// Closed positions are not in this table.
#[test]
fn material_that_cannot_win() {
    for row in rows(include_str!("../data/laws/variants/material.tsv")) {
        let [variant, fen, drawn, white, black] = row[..] else { panic!("{row:?}") };
        let position = read(variant, fen);
        assert_eq!(position.is_insufficient_material(), drawn == "1", "{variant} {fen}");
        for (color, expected) in [(Color::White, white), (Color::Black, black)] {
            assert_eq!(position.lacks_winning_material(color), expected == "1", "{color} {variant} {fen}");
        }
    }
}

/// The table of all hordes of a few men against all black armies of a few men.
#[test]
fn hordes_that_cannot_mate() {
    let Some(table) = shared::path("fen/horde_insufficient_material.csv") else { return };
    let table = std::fs::read_to_string(table).unwrap();
    let mut count = 0;
    for row in table.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>()) {
        let position = AnyPosition::from_unreachable_fen(Variant::Horde, row[0]).unwrap();
        // A fortress is a draw for both, whatever the table of material says.
        if !position.is_insufficient_material() {
            assert_eq!(position.lacks_winning_material(Color::White), row[1] == "true", "{}", row[0]);
            count += 1;
        }
    }
    assert!(count > 20_000, "{count}");
}

/// Games of each variant with every move in UCI and SAN, the last position and the result.
#[test]
fn whole_games() {
    let Some(table) = shared::path("games/variant_games_shakmaty.tsv") else { return };
    let table = std::fs::read_to_string(table).unwrap();
    for row in rows(&table) {
        let [variant, uci, expected_san, last_fen, outcome, ..] = row[..] else { panic!("{row:?}") };
        let outcome = outcome.rsplit(' ').next().unwrap_or_default();
        let variant = Variant::from_name(variant).unwrap_or_else(|| panic!("{variant}"));
        let start = variant.start(None).unwrap();
        let history = History::from_uci(start.clone(), uci.split_whitespace()).unwrap();
        let mut position = start;
        for (&mv, expected) in history.moves().iter().zip(expected_san.split_whitespace()) {
            assert_eq!(san::format(&position, mv), expected, "{}", position.to_fen());
            assert_eq!(san::parse(&position, expected), Ok(mv), "{}", position.to_fen());
            position.play(mv);
        }
        let last = variant.start(Some(last_fen)).unwrap();
        // By Lichess the drop of a pawn starts the count of quiet moves anew, by the table it does not.
        if variant != Variant::Crazyhouse {
            assert_eq!(last.to_fen(), position.to_fen(), "{uci}");
        }
        assert_eq!(last.key(), position.key(), "{uci}");
        if let Some(winner) = position.end().map(GameEnd::winner) {
            let text = match winner {
                Some(Color::White) => "1-0",
                Some(Color::Black) => "0-1",
                None => "1/2-1/2",
            };
            assert!(outcome.is_empty() || outcome == text, "{outcome}, not {text}: {uci}");
        } else {
            assert!(!["1-0", "0-1"].contains(&outcome), "{outcome}: {uci}");
        }
    }
}

/// Every spelling of pockets and counts of checks that is in use, and the one that we write: Lichess'.
#[test]
fn fens_in_all_spellings() {
    for (variant, fen, canonical) in [
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[QPp] w - - 0 1", "4k3/8/8/8/8/8/8/4K3/QPp w - - 0 1"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3/pPQ w - - 0 1", "4k3/8/8/8/8/8/8/4K3/QPp w - - 0 1"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[-] w - - 0 1", "4k3/8/8/8/8/8/8/4K3/ w - - 0 1"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3/ w - - 0 1"),
        ("crazyhouse", "Q~3k3/8/8/8/8/8/8/4K3[] b - - 0 1", "Q~3k3/8/8/8/8/8/8/4K3/ b - - 0 1"),
        ("3check", "4k3/8/8/8/8/8/8/4K2R w - - 3+1 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1 +0+2"),
        ("3check", "4k3/8/8/8/8/8/8/4K2R w - - 0 1 +1+0", "4k3/8/8/8/8/8/8/4K2R w - - 0 1 +1+0"),
        ("3check", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1 +0+0"),
        // After the third check nothing can be captured any more.
        ("3check", "4k3/8/8/4Pp2/6K1/8/8/8 w - f6 0+2 0 1", "4k3/8/8/4Pp2/6K1/8/8/8 w - - 0 1 +3+1"),
        (
            "antichess",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            Variant::Antichess.start(None).unwrap().to_fen().as_str(),
        ),
    ] {
        assert_eq!(read(variant, fen).to_fen(), canonical, "{variant} {fen}");
    }
    for (variant, fen, reason) in [
        ("standard", "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", "only crazyhouse has"),
        ("standard", "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1", "only three-check has"),
        ("atomic", "Q~3k3/8/8/8/8/8/8/4K3 b - - 0 1", "only crazyhouse has"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", "bad FEN pocket \"K\": unexpected 'K'"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[P w - - 0 1", "no closing bracket"),
        ("3check", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +4+0", "bad FEN count of checks \"4+0\""),
    ] {
        let error = Variant::from_name(variant).unwrap().start(Some(fen)).unwrap_err().to_string();
        assert!(error.contains(reason), "{variant} {fen}: {error}");
    }
}

/// In the variants, too, castling is read in both spellings, and drops are written with a capital letter.
#[test]
fn moves_as_lichess_writes_them() {
    let start = read("crazyhouse", "r3k2r/8/8/8/8/8/8/R3K2R[Nn] w KQkq - 0 1");
    for (text, written, canonical) in
        [("e1g1", "e1h1", "O-O"), ("e1h1", "e1h1", "O-O"), ("N@f7", "N@f7", "N@f7"), ("n@f7", "N@f7", "N@f7")]
    {
        let mv = text.parse::<UciMove>().unwrap().to_move(&start).unwrap();
        assert_eq!(UciMove::from_move(mv, CastlingSpelling::KingTakesRook).to_string(), written);
        assert_eq!(san::format(&start, mv).trim_end_matches('+'), canonical);
    }
    assert!("P@e4".parse::<UciMove>().unwrap().to_move(&start).is_err(), "there is no pawn in hand");
}
