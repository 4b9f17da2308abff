//! The laws of chess where programs got them wrong. The facts are in `tests/data/failures/rules.tsv`, worked out anew
//! and checked with python-chess; what cannot be said in a row is said here.

use rookery::chess::{
    CastlingSpelling, Color, DrawClaim, GameEnd, History, Move, Position, Standard, UciMove, san,
};

use crate::random::Random;

/// Goes through the rows of a case, of which there must be some.
fn check(case: &str) {
    let table = include_str!("../../data/failures/rules.tsv");
    let mut seen = 0;
    for row in table.lines().skip(1).filter(|row| row.starts_with(case)) {
        let [_, what, fen, given, expected, why] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row:?}")
        };
        let told = format!("{case}: {what} of {fen} {given}: {why}");
        match what {
            "perft" => check_perft(fen, expected, &told),
            "legal" => assert_eq!(sorted_moves(played(fen, given).position()), sorted(expected), "{told}"),
            "illegal" => {
                let position = position(fen);
                let refused = |word: &str| word.parse::<UciMove>().unwrap().to_move(&position).is_err();
                assert!(given.split(' ').all(refused), "{told}");
            }
            "fen" => match (Position::from_fen(fen), expected.strip_prefix("refused: ")) {
                (Ok(position), None) => assert_eq!(position.to_fen(), expected, "{told}"),
                (Err(error), Some(part)) => assert!(error.to_string().contains(part), "{told}: {error}"),
                (read, _) => panic!("{told}: {read:?}"),
            },
            "san" => check_san(fen, given, expected, &told),
            "third" => check_third(fen, given, &told),
            "end" => assert_eq!(played(fen, given).end(), end(expected, fen, given), "{told}"),
            _ => panic!("{row:?}"),
        }
        seen += 1;
    }
    assert!(seen > 0, "no rows of {case}");
}

fn position(fen: &str) -> Position {
    Position::from_unreachable_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn played(fen: &str, moves: &str) -> History {
    History::from_uci(position(fen), moves.split_whitespace()).unwrap()
}

fn sorted(words: &str) -> Vec<String> {
    let mut words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    words.sort();
    words
}

fn sorted_moves(position: &rookery::chess::AnyPosition) -> Vec<String> {
    let spell = |mv| UciMove::from_move(mv, CastlingSpelling::KingTakesRook).to_string();
    let mut moves: Vec<String> = position.legal_moves().into_iter().map(spell).collect();
    moves.sort();
    moves
}

fn check_perft(fen: &str, expected: &str, told: &str) {
    for (depth, nodes) in (1..).zip(expected.split(' ')) {
        assert_eq!(rookery::chess::perft(&position(fen), depth).to_string(), nodes, "{told}, depth {depth}");
    }
}

fn check_san(fen: &str, given: &str, expected: &str, told: &str) {
    let position = position(fen);
    for (uci, text) in given.split(' ').zip(expected.split(' ')) {
        let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        assert_eq!(san::format(&position, mv), text, "{told}");
        assert_eq!(san::parse(&position, text), Ok(mv), "{told}");
        assert_eq!(position.after(mv).is_check(), text.ends_with(['+', '#']), "{told}");
    }
}

/// The last move brings a position for the third time, and none before it does.
fn check_third(fen: &str, moves: &str, told: &str) {
    let whole = played(fen, moves);
    for ply in 0..=whole.ply() {
        let mut history = whole.clone();
        history.truncate(ply);
        assert_eq!(history.supports(DrawClaim::Threefold), ply == whole.ply(), "{told}, ply {ply}");
    }
}

fn end(word: &str, fen: &str, moves: &str) -> Option<GameEnd> {
    let winner = !played(fen, moves).position().turn();
    match word {
        "-" => None,
        "mate" => Some(GameEnd::Checkmate { winner }),
        "material" => Some(GameEnd::InsufficientMaterial),
        _ => panic!("{word}"),
    }
}

#[test]
fn d01_en_passant_does_not_uncover_the_king_along_the_rank() {
    check("D01");
}

#[test]
fn d02_en_passant_does_not_take_the_pawn_that_shields_the_king() {
    check("D02");
}

#[test]
fn d04_en_passant_may_be_the_only_way_out_of_check() {
    check("D04");
}

#[test]
fn d05_en_passant_may_give_check_through_both_squares() {
    check("D05");
    // What is called a check is one, for all moves of all positions of the table.
    for row in include_str!("../../data/failures/rules.tsv").lines().skip(1) {
        let Ok(position) = Position::from_fen(row.split('\t').nth(2).unwrap()) else { continue };
        for mv in position.legal_moves() {
            let text = san::format(&position, mv);
            assert_eq!(text.ends_with(['+', '#']), position.after(mv).is_check(), "{row}: {text}");
        }
    }
}

#[test]
fn d07_a_right_that_nobody_can_use_does_not_hide_a_repetition() {
    check("D07");
}

#[test]
fn d08_en_passant_squares_that_mean_nothing_leave_no_trace() {
    check("D08");
}

#[test]
fn d09_checks_that_no_move_gives_are_refused_or_survived() {
    check("D09");
}

#[test]
fn d10_positions_that_are_none_are_refused_with_a_reason() {
    check("D10");
}

#[test]
fn d11_no_text_makes_the_reader_panic() {
    check("D11");
    let slashes = "/".repeat(1 << 20);
    let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    for text in ["", " ", "\t\t", "\0", &slashes, &format!("{kings}\0"), &format!("8{}", "8".repeat(5000))] {
        assert!(Position::from_fen(text).is_err(), "{:.40?}", text);
    }
    let tabs = kings.replace(' ', "\t");
    assert_eq!(Position::from_fen(&tabs), Position::from_fen(kings), "tabs separate as well");
    // A counter beyond all laws is kept, and goes on counting.
    let mut late = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 9999 9999").unwrap();
    late.play(late.legal_moves()[0]);
    assert_eq!(late.end(), Some(GameEnd::FiftyMoves));
}

#[test]
fn d12_a_castling_right_without_its_rook_is_dropped() {
    check("D12");
}

#[test]
fn d13_of_two_rooks_the_named_one_castles() {
    check("D13");
}

#[test]
fn d15_castling_does_not_jump_over_the_other_rook() {
    check("D15");
}

#[test]
fn d16_castling_does_not_uncover_the_king_on_its_own_rank() {
    check("D16");
}

/// Positions with much to be wrong about, and some from random games.
fn varied_positions() -> Vec<Position> {
    let mut positions: Vec<Position> = include_str!("../../data/failures/rules.tsv")
        .lines()
        .skip(1)
        .filter_map(|row| Position::from_unreachable_fen(row.split('\t').nth(2)?).ok())
        .collect();
    positions.push("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse().unwrap());
    let mut random = Random::new(17);
    for number in 0..40 {
        let mut position = Position::chess960(number * 24).unwrap();
        for _ in 0..random.below(120) {
            let Some(&mv) = random.choose(&position.legal_moves()) else { break };
            position.play(mv);
        }
        positions.push(position);
    }
    positions
}

#[test]
fn c27_d17_of_all_codes_of_moves_only_the_generated_ones_are_legal() {
    for position in varied_positions() {
        let mut generated = vec![false; 1 << 16];
        for mv in position.legal_moves() {
            generated[usize::from(mv.raw())] = true;
        }
        for code in 0..=u16::MAX {
            let legal = Move::from_raw(code).is_some_and(|mv| position.is_legal(mv));
            assert_eq!(legal, generated[usize::from(code)], "{code:#06x} in {}", position.to_fen());
        }
    }
}

#[test]
fn d18_the_most_moves_of_all_fit() {
    check("D18");
}

#[test]
fn d19_material_is_drawn_exactly_when_nobody_can_mate() {
    check("D19");
}

/// The material of White and of Black, whether White may win when Black's flag falls, and the other way round; by
/// the rule of scalachess, which the sandbox applies.
#[test]
fn d20_a_lone_piece_wins_on_time_only_with_help_on_the_board() {
    for (white, black, white_wins, black_wins) in [
        ("", "", false, false),
        ("", "q", false, true),
        ("", "p", false, true),
        ("n", "p", true, true),
        ("n", "q", false, true),
        ("n", "r", true, true),
        ("n", "n", true, true),
        ("b", "p", true, true),
        ("b", "r", false, true),
        ("b", "n", true, true),
        ("nn", "", true, false),
        ("r", "q", true, true),
    ] {
        let fen = format!("{}k2/8/8/pp6/8/8/8/{}K2", pad(black), pad(&white.to_uppercase()))
            .replace("pp6", if black == "p" { "p7" } else { "8" })
            + " w - - 0 1";
        let position = Position::from_fen(&fen).unwrap();
        assert_eq!(!position.lacks_winning_material(Color::White), white_wins, "white, {fen}");
        assert_eq!(!position.lacks_winning_material(Color::Black), black_wins, "black, {fen}");
    }
}

/// The first five squares of a rank with these pieces, pawns left out.
fn pad(pieces: &str) -> String {
    let pieces = pieces.replace('p', "");
    format!("{pieces}{}", 5 - pieces.len())
}

#[test]
fn d21_mate_with_the_last_move_of_a_count_is_mate() {
    check("D21");
}

#[test]
fn d22_claims_and_automatic_draws_come_at_their_own_plies() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(4);
    let whole = History::from_uci(Position::initial(), shuffle.split_whitespace()).unwrap();
    let at = |ply: usize| {
        let mut history = whole.clone();
        history.truncate(ply);
        (history.supports(DrawClaim::Threefold), history.end())
    };
    assert_eq!([at(7), at(8)], [(false, None), (true, None)]);
    assert_eq!([at(15).1, at(16).1], [None, Some(GameEnd::FivefoldRepetition)]);
    for (clock, claim) in [(98, false), (99, true), (149, true)] {
        let history = played(&format!("8/8/8/4k3/8/8/4K3/R7 w - - {clock} 200"), "a1a2");
        assert_eq!(history.supports(DrawClaim::FIFTY_MOVES), claim, "{clock}");
        assert_eq!(
            history.is_drawn_by(rookery::chess::AutomaticDraws::FIDE),
            clock == 149,
            "{clock}: the 75 moves are full"
        );
    }
}

#[test]
fn d23_moves_are_written_as_others_read_them() {
    check("D23");
    let mut random = Random::new(23);
    for _ in 0..60 {
        let mut position: Position<Standard> = Position::initial();
        for _ in 0..120 {
            let moves = position.legal_moves();
            for mv in &moves {
                let text = san::format(&position, mv);
                assert_eq!(san::parse(&position, &text), Ok(mv), "{text} in {}", position.to_fen());
            }
            let Some(&mv) = random.choose(&moves) else { break };
            position.play(mv);
        }
    }
}
