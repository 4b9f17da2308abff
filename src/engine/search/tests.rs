//! What the search finds: mates, draws, and the same thing every time.

mod variants;

use std::time::Instant;

use super::{Control, Finished, Memory, Part, Task, deepen};
use crate::chess::{History, Position, Variant};
use crate::engine::eval::Evaluation;
use crate::engine::limits::{Limits, SearchInfo};
use crate::engine::score::{Score, ScoreKind};
use crate::engine::tt::Table;

struct Answer {
    finished: Finished,
    infos: Vec<SearchInfo>,
    nodes: u64,
}

fn search(history: &History, limits: Limits, multipv: usize) -> Answer {
    search_with(&Table::new(8), history, limits, multipv)
}

fn search_with(table: &Table, history: &History, limits: Limits, multipv: usize) -> Answer {
    let mut memory = Memory::new(&Evaluation::default());
    let control = Control::new(Instant::now(), &limits, false);
    let root_moves = history.position().legal_moves().to_vec();
    let task =
        Task { history, root_moves: &root_moves, multipv, control: &control, table, recalled: &|| false };
    let mut infos = Vec::new();
    let finished = deepen(&task, &mut memory, Part::Lead, &mut |lines| infos.extend_from_slice(lines));
    Answer { finished, infos, nodes: control.visited() }
}

fn game(fen: &str, moves: &str) -> History {
    History::from_uci(Position::from_fen(fen).unwrap(), moves.split_whitespace()).unwrap()
}

fn best(fen: &str, moves: &str, depth: u32) -> (String, Score) {
    let answer = search(&game(fen, moves), Limits::depth(depth), 1);
    (format!("{:?}", answer.finished.line[0]), answer.finished.score)
}

#[test]
fn mates_are_found_in_the_fewest_moves() {
    let table = [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", 1),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("2r3k1/p4p2/3Rp2p/1p2P1pK/8/1P4P1/P3Q2P/1q6 b - - 0 1", 3),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ];
    for (fen, moves) in table {
        let answer = search(&game(fen, ""), Limits { mate: Some(moves as u32), ..Limits::depth(24) }, 1);
        assert_eq!(answer.finished.score.kind(), ScoreKind::Mate(moves), "{fen}");
    }
}

#[test]
fn being_mated_is_seen() {
    let (_, score) = best("7k/8/8/8/8/r7/1r6/6K1 w - - 0 1", "", 8);
    assert_eq!(score.kind(), ScoreKind::Mate(-1));
}

#[test]
fn elementary_endings_are_won() {
    for fen in [
        "8/8/8/4k3/8/8/3Q4/4K3 w - - 0 1",
        "8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
        "8/8/4k3/8/8/2BB4/4K3/8 w - - 0 1",
    ] {
        let mut history = game(fen, "");
        while history.end().is_none() && history.ply() < 120 {
            let answer = search(&history, Limits::nodes(20_000), 1);
            history.push(answer.finished.line[0]);
        }
        let winner = history.end().and_then(|end| end.winner());
        assert_eq!(winner, Some(crate::chess::Color::White), "{fen}: {:?}", history.end());
    }
}

#[test]
fn a_repetition_is_avoided_when_winning() {
    let history = game("4k3/8/8/8/8/8/PPP2PPP/3QK3 w - - 0 1", "d1d2 e8e7 d2d1 e7e8 d1d2 e8e7");
    let answer = search(&history, Limits::depth(8), 1);
    assert!(answer.finished.score.centipawns() > 500, "{}", answer.finished.score);
    // Going back once more would let Black repeat the first position for the third time.
    let lines = search(&history, Limits::depth(8), 64);
    let back = lines.infos.iter().rfind(|info| format!("{:?}", info.pv[0]) == "d2d1").unwrap();
    assert!(back.score.centipawns().abs() <= 1, "{}", back.score);
}

#[test]
fn a_repetition_is_sought_when_losing() {
    let (mv, score) = best("Q7/6pk/8/8/8/5P1q/8/5RK1 b - - 0 1", "", 10);
    assert_eq!(mv, "h3g3");
    assert!(score.centipawns().abs() <= 1, "{score}");
}

#[test]
fn the_fifty_moves_are_a_draw_but_not_before_mate() {
    let (_, score) = best("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "", 4);
    assert_eq!(score.kind(), ScoreKind::Mate(1), "mate with the last move counts");
    let (_, score) = best("7k/8/5K2/8/8/8/8/R7 w - - 99 80", "", 6);
    assert!(score.centipawns().abs() <= 1, "{score}");
}

#[test]
fn stalemate_saves_the_lost() {
    let (mv, score) = best("7k/8/8/8/8/5q2/6p1/6K1 b - - 0 1", "", 6);
    assert!(score.centipawns() > 500, "{mv} {score}");
    let (_, score) = best("k7/P7/8/K7/8/8/8/8 w - - 0 1", "", 8);
    assert!(score.centipawns().abs() <= 30, "{score}");
}

#[test]
fn the_same_search_gives_the_same_result() {
    let history = game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "");
    let first = search(&history, Limits::depth(7), 1);
    let second = search(&history, Limits::depth(7), 1);
    assert_eq!(first.nodes, second.nodes);
    assert_eq!(first.finished.line, second.finished.line);
}

#[test]
fn several_lines_begin_differently_and_get_worse() {
    let answer = search(&game("4k3/8/8/3q4/8/8/8/3QK2R w K - 0 1", ""), Limits::depth(6), 3);
    let last: Vec<_> = answer.infos.iter().filter(|info| info.depth == 6).collect();
    assert_eq!(last.iter().map(|info| info.multipv).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score && pair[0].pv[0] != pair[1].pv[0]));
}

#[test]
fn lines_are_legal() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ] {
        let history = game(fen, "");
        for info in search(&history, Limits::depth(8), 2).infos {
            let mut position = history.position().clone();
            for mv in info.pv {
                assert!(position.is_legal(mv), "{mv:?} in {}", position.to_fen());
                position.play(mv);
            }
        }
    }
}

#[test]
fn an_aborted_search_still_has_a_move() {
    let history = game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "");
    for nodes in 1..200 {
        let answer = search(&history, Limits::nodes(nodes), 1);
        assert!(history.position().is_legal(answer.finished.line[0]), "{nodes}");
    }
}

/// Keys of ten bits: almost everything that the table knows is about another position, of another variant too.
#[test]
fn c27_moves_of_other_positions_are_not_played() {
    let mut table = Table::new(1);
    table.mask = !0 << 54;
    for round in 0..3 {
        for variant in Variant::ALL {
            let mut history = History::new(variant.start(None).unwrap());
            while history.end().is_none() && history.ply() < 40 {
                let answer = search_with(&table, &history, Limits::nodes(400 + round), 1);
                for info in answer.infos {
                    let mut position = history.position().clone();
                    for mv in info.pv {
                        assert!(position.is_legal(mv), "{mv:?} in {}", position.to_fen());
                        position.play(mv);
                    }
                }
                history.push(answer.finished.line[0]);
            }
        }
    }
}
