//! What the search finds in the games that are not standard chess: their own wins, their own draws, and always a move.

use super::{Answer, search};
use crate::chess::{GameEnd, History, Variant};
use crate::engine::limits::Limits;
use crate::engine::score::ScoreKind;

fn game(variant: Variant, fen: &str) -> History {
    History::new(variant.start(Some(fen)).unwrap_or_else(|error| panic!("{fen}: {error}")))
}

fn best(answer: &Answer) -> String {
    format!("{:?}", answer.finished.line[0])
}

/// The fewest moves to a win, and the first moves that lead to it: by exhaustion with python-chess.
#[test]
fn wins_are_found_in_the_fewest_moves() {
    use Variant::{Antichess, Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck};
    for (variant, fen, moves, first) in [
        (KingOfTheHill, "8/8/8/8/8/3K4/8/k7 w - - 0 1", 1, "d3e4 d3d4"),
        (KingOfTheHill, "8/8/8/8/8/8/2K5/k7 w - - 0 1", 2, "c2d3 c2c3"),
        (ThreeCheck, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 +2+0", 1, "a1a8"),
        (ThreeCheck, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 +1+0", 2, "a1a8"),
        (Atomic, "4k3/3p4/8/8/8/8/8/3QK3 w - - 0 1", 1, "d1d7"),
        (Atomic, "kb6/pp6/8/8/8/8/8/4K2R w - - 0 1", 2, "h1h8"),
        (RacingKings, "8/1K6/8/8/8/8/8/k7 w - - 0 1", 1, "b7c8 b7b8 b7a8"),
        (RacingKings, "8/8/1K6/8/8/8/8/7k w - - 0 1", 2, "b6c7 b6b7 b6a7"),
        (RacingKings, "8/1K3k2/8/8/8/8/8/8 b - - 0 1", 1, "f7g8 f7f8 f7e8"),
        (Antichess, "8/8/8/8/8/1p6/8/R7 w - - 0 1", 1, "a1a2"),
        (Antichess, "8/8/8/8/8/p7/8/3R4 w - - 0 1", 2, "d1h1 d1g1 d1f1 d1e1 d1c1"),
        (Antichess, "8/8/8/2p5/8/8/1P6/1N6 w - - 0 1", 2, "b2b4"),
        (Horde, "4k3/8/8/8/8/8/3q4/3P4 b - - 0 1", 1, "d2d1"),
        (Horde, "4k3/8/8/8/3P4/8/3q4/3P4 b - - 0 1", 2, "d2d4 d2d1"),
        (Horde, "4k3/8/3PP3/8/8/8/8/1Q6 w - - 0 1", 1, "b1b8"),
        (Crazyhouse, "6rk/6pp/8/8/8/8/8/4K3/N w - - 0 1", 1, "N@f7"),
        (Crazyhouse, "7k/5ppp/8/8/8/8/8/4K3/R w - - 0 1", 1, "R@a8 R@b8 R@c8 R@d8 R@e8 R@f8"),
    ] {
        let answer = search(&game(variant, fen), Limits { mate: Some(moves), ..Limits::depth(12) }, 1);
        assert_eq!(answer.finished.score.kind(), ScoreKind::Mate(moves as i32), "{variant:?} {fen}");
        let best = best(&answer);
        assert!(first.split(' ').any(|mv| mv == best), "{variant:?} {fen}: {best}");
    }
}

/// The same positions a move later, or with the other side to suffer.
#[test]
fn losses_are_seen() {
    for (variant, fen, moves) in [
        (Variant::KingOfTheHill, "8/8/8/8/8/2K5/8/1k6 b - - 0 1", -1),
        (Variant::Atomic, "kb5R/pp6/8/8/8/8/8/4K3 b - - 0 1", -1),
        (Variant::RacingKings, "8/1K6/8/8/8/8/8/k7 b - - 0 1", -1),
        // The only move takes the last piece of the other side.
        (Variant::Antichess, "8/8/8/8/8/1p6/R7/8 b - - 0 1", -1),
    ] {
        let answer = search(&game(variant, fen), Limits::depth(6), 1);
        assert_eq!(answer.finished.score.kind(), ScoreKind::Mate(moves), "{variant:?} {fen}");
    }
}

#[test]
fn draws_are_those_of_the_variant() {
    for (variant, fen) in [
        // Black draws level with its last move.
        (Variant::RacingKings, "8/1K3k2/8/8/8/8/8/8 w - - 0 1"),
        (Variant::Atomic, "8/8/3k4/8/8/3K4/8/7N w - - 0 1"),
        (Variant::Horde, "4k3/8/8/8/8/p7/P7/8 b - - 99 80"),
    ] {
        let answer = search(&game(variant, fen), Limits::depth(5), 1);
        assert!(answer.finished.score.centipawns().abs() <= 1, "{variant:?} {}", answer.finished.score);
    }
}

/// A lead does not fade in crazyhouse, which has no fifty-move rule.
#[test]
fn a_hundred_moves_are_nothing_in_crazyhouse() {
    let answer =
        search(&game(Variant::Crazyhouse, "4k3/8/8/8/8/8/8/QQ2K3/ w - - 99 90"), Limits::depth(4), 1);
    assert!(answer.finished.score.centipawns() > 500, "{}", answer.finished.score);
}

/// To be left without a move wins in antichess, and to take for nothing does not.
#[test]
fn antichess_wants_to_lose_pieces() {
    let answer = search(&game(Variant::Antichess, "8/8/8/8/p7/8/P7/8 w - - 0 1"), Limits::depth(8), 1);
    assert_eq!((best(&answer), answer.finished.score.kind()), ("a2a3".to_owned(), ScoreKind::Mate(-1)));
}

/// Plays a game by searches of so many positions, to its end or at most `plies`.
fn play(variant: Variant, nodes: [u64; 2], plies: usize) -> History {
    let mut history = History::new(variant.start(None).unwrap());
    while history.end().is_none() && history.occurrences() < 3 && history.ply() < plies {
        let answer = search(&history, Limits::nodes(nodes[history.ply() % 2]), 1);
        let mv = answer.finished.line[0];
        assert!(history.position().is_legal(mv), "{mv:?} in {}", history.position().to_fen());
        history.push(mv);
    }
    history
}

#[test]
fn games_of_all_kinds_are_played_to_their_end() {
    for variant in Variant::ALL {
        let history = play(variant, [300, 200], 600);
        let moves = history.to_uci(crate::chess::CastlingSpelling::KingTakesRook);
        assert!(history.ply() < 600, "{variant:?} does not end: {moves}");
    }
}

/// Who looks further wins: the sign of the evaluation and of the variant's own end are right.
#[test]
fn looking_further_wins() {
    for variant in Variant::ALL.into_iter().filter(|variant| !variant.is_orthodox()) {
        for (nodes, strong) in
            [([2000, 20], crate::chess::Color::White), ([20, 2000], crate::chess::Color::Black)]
        {
            let history = play(variant, nodes, 600);
            let winner = history.end().and_then(GameEnd::winner);
            assert_eq!(winner, Some(strong), "{variant:?}: {:?}", history.end());
        }
    }
}
