//! The laws against tables of expected results, and under random input.
//!
//! The tables were computed with python-chess and, for material, by Lichess' rules; what they hold says each header.

use proptest::prelude::*;
use rookery::chess::{AnyPosition, CastlingSpelling, Color, GameEnd, Position, UciMove, Variant, san};

/// The rows of a table as cells, its header left out.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect())
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn sorted_uci(position: &Position, spelling: CastlingSpelling) -> Vec<String> {
    let mut moves: Vec<String> =
        position.legal_moves().into_iter().map(|mv| UciMove::from_move(mv, spelling).to_string()).collect();
    moves.sort();
    moves
}

fn sorted_words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    words.sort();
    words
}

#[test]
fn san_of_every_move() {
    for row in rows(include_str!("../data/laws/san.tsv")) {
        let [fen, uci, canonical, long] = row[..] else { panic!("{row:?}") };
        let position = position(fen);
        let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        assert_eq!(san::format(&position, mv), canonical, "{fen}");
        assert_eq!(san::parse(&position, canonical), Ok(mv), "{fen} {canonical}");
        assert_eq!(san::parse(&position, long), Ok(mv), "{fen} {long}");
    }
}

#[test]
fn en_passant_only_when_legal() {
    for row in rows(include_str!("../data/laws/en_passant.tsv")) {
        let [fen, canonical, legal] = row[..] else { panic!("{row:?}") };
        let position = Position::from_unreachable_fen(fen).unwrap();
        assert_eq!(position.to_fen(), canonical, "{fen}");
        assert_eq!(sorted_uci(&position, CastlingSpelling::KingTwoSquares), sorted_words(legal), "{fen}");
    }
}

#[test]
fn castling_in_chess960() {
    for row in rows(include_str!("../data/laws/chess960_castling.tsv")) {
        let [fen, castlings, legal] = row[..] else { panic!("{row:?}") };
        let position = Position::from_unreachable_fen(fen).unwrap();
        assert_eq!(sorted_uci(&position, CastlingSpelling::KingTakesRook), sorted_words(legal), "{fen}");
        for castling in castlings.split('|').map(str::trim).filter(|text| !text.is_empty()) {
            let [uci, text, after] = castling.splitn(3, ':').collect::<Vec<_>>()[..] else {
                panic!("{castling}")
            };
            let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            assert!(mv.is_castling(), "{fen} {uci}");
            assert_eq!(san::format(&position, mv), text, "{fen}");
            assert_eq!(position.after(mv).to_fen(), after, "{fen} {uci}");
        }
    }
}

#[test]
fn the_960_starts() {
    for row in rows(include_str!("../data/laws/chess960_start.tsv")) {
        let [number, fen, shredder, moves] = row[..] else { panic!("{row:?}") };
        let start = Position::chess960(number.parse().unwrap()).unwrap();
        assert_eq!(start.to_fen(), fen);
        assert_eq!(start.to_shredder_fen(), shredder);
        assert_eq!(start.legal_moves().len(), moves.parse::<usize>().unwrap(), "{fen}");
        assert_eq!(position(shredder), start);
    }
    assert_eq!(Position::chess960(960), None);
}

#[test]
fn material_that_cannot_win() {
    for row in rows(include_str!("../data/laws/material.tsv")) {
        let [fen, drawn, white, black] = row[..] else { panic!("{row:?}") };
        let position = position(fen);
        assert_eq!(position.is_insufficient_material(), drawn == "1", "{fen}");
        assert_eq!(position.lacks_winning_material(Color::White), white == "1", "white, {fen}");
        assert_eq!(position.lacks_winning_material(Color::Black), black == "1", "black, {fen}");
    }
}

/// Single rules by example: moves that are played, and with `!` such as must be refused; the end that has come then, and
/// the position. The first cell is the row of `docs/laws.md`.
#[test]
fn rules_by_example() {
    for row in rows(include_str!("../data/laws/rules.tsv")) {
        let [rule, variant, fen, moves, end, after, why] = row[..] else { panic!("{row:?}") };
        let variant = Variant::from_key(variant).unwrap();
        let mut position = variant.start(Some(fen)).unwrap();
        for word in moves.split_whitespace() {
            let uci: UciMove = word.trim_end_matches('!').parse().unwrap();
            let found = uci.to_move(&position);
            assert_eq!(found.is_err(), word.ends_with('!'), "{rule}: {word} in {fen}: {why}");
            if let Ok(mv) = found {
                position.play(mv);
            }
        }
        let expected = match end {
            "mate" => Some(GameEnd::Checkmate { winner: !position.turn() }),
            "stalemate" => Some(GameEnd::Stalemate),
            "material" => Some(GameEnd::InsufficientMaterial),
            "white" => Some(GameEnd::VariantEnd { winner: Some(Color::White) }),
            "black" => Some(GameEnd::VariantEnd { winner: Some(Color::Black) }),
            "nobody" => Some(GameEnd::VariantEnd { winner: None }),
            _ => None,
        };
        assert_eq!(position.end(), expected, "{rule}: {fen} {moves}: {why}");
        // The variants' FENs have several spellings, and clocks that depend on who counts.
        let expected = AnyPosition::from_unreachable_fen(variant, after).unwrap();
        assert_eq!(position.key(), expected.key(), "{rule}: {fen} {moves}: {why}");
        if variant == Variant::Standard {
            assert_eq!(position.to_fen(), after, "{rule}: {fen} {moves}: {why}");
        }
    }
}

proptest! {
    /// Whatever comes in, the readers answer with a value or a reason.
    #[test]
    fn readers_never_panic(text in "\\PC{0,90}", moves in "[a-h1-8qnrbxO0=+#-]{0,7}") {
        for text in [&text, &moves] {
            let position = Position::from_fen(text).or_else(|_| Position::from_unreachable_fen(text));
            if let Ok(position) = position {
                prop_assert_eq!(Position::from_fen(&position.to_fen()), Ok(position));
            }
            let start = Position::initial();
            if let Ok(mv) = san::parse(&start, text) {
                prop_assert!(start.is_legal(mv));
            }
            if let Ok(uci) = text.parse::<UciMove>() {
                prop_assert_eq!(&uci.to_string(), text);
            }
        }
    }

    /// FENs with one character changed: the reader still answers, and what it accepts it reads back.
    #[test]
    fn damaged_fens_are_read_or_refused(at in 0usize..68, letter in "[ -~]") {
        let mut fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".to_owned();
        fen.replace_range(at..=at, &letter);
        if let Ok(position) = Position::from_fen(&fen) {
            let canonical = position.to_fen();
            prop_assert_eq!(Position::from_fen(&canonical), Ok(position));
        }
    }
}
