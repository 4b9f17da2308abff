//! Dead positions: who can still mate, against tables and against exhaustion of small positions. Every mate that is
//! claimed is played out on the board.

use std::collections::{HashSet, VecDeque};
use std::path::Path;
use std::thread;

use rookery::chess::{Color, Effort, Helpmate, Position, Winnable};

use super::random::Random;

/// Whether the side can win, where the effort suffices; a claimed mate is played out.
fn verdict(position: &Position, color: Color, effort: Effort) -> Option<bool> {
    match position.helpmate(color, effort) {
        Helpmate::Unknown => None,
        Helpmate::Impossible => Some(false),
        Helpmate::Found(line) => {
            let mut last = position.clone();
            for mv in line {
                assert!(last.is_legal(mv), "{mv:?} in {}", last.to_fen());
                last = last.after(mv);
            }
            assert!(last.is_check() && !last.has_legal_move() && last.turn() != color, "{}", last.to_fen());
            Some(true)
        }
    }
}

/// Facts that follow from the laws by the reason given in each row; all of them are decided.
#[test]
fn facts() {
    for line in include_str!("../data/laws/dead.tsv").lines().skip(1) {
        let [fen, white, black, why] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let position = Position::from_fen(fen).unwrap();
        for (color, expected) in [(Color::White, white), (Color::Black, black)] {
            let found = verdict(&position, color, Effort::FULL);
            assert_eq!(found, Some(expected == "yes"), "{color} in {fen}: {why}");
        }
        assert_eq!(position.is_dead(Effort::FULL), (white, black) == ("no", "no"), "{fen}: {why}");
    }
}

/// The first moves of a game and some positions from it, as a referee asks on every move.
#[test]
fn ordinary_positions_take_little() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 0 8",
    ] {
        let position = Position::from_fen(fen).unwrap();
        for color in Color::ALL {
            assert_eq!(verdict(&position, color, Effort::QUICK), Some(true), "{color} in {fen}");
        }
    }
}

/// Too small an effort is no verdict, and the same effort gives the same verdict.
#[test]
fn effort_is_counted_in_positions() {
    let position = Position::from_fen("8/4k3/3b1b2/p1pBp1p1/P1P1P1P1/3B4/4K3/8 w - - 0 1").unwrap();
    assert_eq!(position.winnable(Color::White, Effort::positions(50)), Winnable::Unknown);
    let line = position.helpmate(Color::White, Effort::FULL);
    assert_eq!(line, position.helpmate(Color::White, Effort::FULL));
}

/// Locked pawns, kings and at most two officers at random: what exhaustion of the position finds, and no other.
#[test]
fn small_positions_agree_with_exhaustion() {
    let mut random = Random::new(2022);
    let (mut proofs, mut exhausted) = (0, 0);
    for position in (0..4000).filter_map(|_| locked_position(&mut random)) {
        let verdicts = Color::ALL.map(|color| verdict(&position, color, Effort::positions(1_000)));
        if !verdicts.contains(&Some(false)) {
            continue;
        }
        let (mates, complete) = exhaust(&position, 3_000);
        for (found, mates) in verdicts.into_iter().zip(mates) {
            proofs += u32::from(found == Some(false));
            assert!(found != Some(false) || !mates, "{}: there is a mate", position.to_fen());
            assert!(found.is_none() || !complete || found == Some(mates), "{}", position.to_fen());
        }
        exhausted += u32::from(complete);
    }
    assert!(proofs > 60 && exhausted > 25, "{proofs} proofs, {exhausted} positions exhausted");
}

/// The positions of Miguel Ambrona's solver: his verdicts are ours wherever we have one, and that is nearly always.
#[test]
fn agrees_with_chasolver() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/fen/dead_positions_cha.tsv");
    let Ok(table) = std::fs::read_to_string(&path) else {
        println!("skipped: {} is not here", path.display());
        return;
    };
    let rows: Vec<&str> = table.lines().skip(1).collect();
    let effort = Effort::positions(20_000);
    let decided: usize = thread::scope(|scope| {
        let parts = rows.chunks(rows.len().div_ceil(4));
        let workers: Vec<_> = parts.map(|part| scope.spawn(move || compare(part, effort))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    println!("{decided} of {} verdicts", 2 * rows.len());
    assert!(decided * 100 >= 2 * rows.len() * 94, "only {decided} of {} verdicts", 2 * rows.len());
}

/// Compares rows of the solver's table, and counts the verdicts.
fn compare(rows: &[&str], effort: Effort) -> usize {
    let mut decided = 0;
    for row in rows {
        let [_, fen, white, black, ..] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let position = Position::from_unreachable_fen(fen).unwrap();
        for (color, expected) in [(Color::White, white == "1"), (Color::Black, black == "1")] {
            if let Some(found) = verdict(&position, color, effort) {
                assert_eq!(found, expected, "{color} in {fen}");
                decided += 1;
            }
        }
    }
    decided
}

/// Plays every move of every position that can be reached, up to a number: who mates somewhere (White, Black), and
/// whether that was all.
fn exhaust(root: &Position, limit: usize) -> ([bool; 2], bool) {
    let mut mates = [false; 2];
    let mut seen = HashSet::from([root.key()]);
    let mut queue = VecDeque::from([root.clone()]);
    while let Some(position) = queue.pop_front() {
        let moves = position.legal_moves();
        if moves.is_empty() && position.is_check() {
            mates[(!position.turn()).index()] = true;
        }
        for next in moves.into_iter().map(|mv| position.after(mv)) {
            if seen.insert(next.key()) {
                queue.push_back(next);
            }
        }
        if seen.len() > limit {
            return (mates, false);
        }
    }
    (mates, true)
}

/// Some legal position with a wall of pawns, often without a hole.
fn locked_position(random: &mut Random) -> Option<Position> {
    let mut board = [None; 64];
    let odd = random.below(2);
    for file in 0..8 {
        let rank = 3 - random.below(2);
        let gap = if random.below(16) == 0 { 2 } else { 1 };
        let stands = if file % 2 == odd { random.below(16) > 0 } else { random.below(6) == 0 };
        if stands {
            board[8 * rank + file] = Some('P');
            board[8 * (rank + gap) + file] = Some('p');
        }
    }
    let officers = ["", "", "B", "b", "Bb", "BB", "N", "n", "bn", "R"];
    for piece in "Kk".chars().chain(officers[random.below(officers.len())].chars()) {
        let square = random.below(64);
        board[square].is_none().then(|| board[square] = Some(piece))?;
    }
    let ranks = board.chunks(8).rev().map(|rank| rank.iter().map(|piece| piece.unwrap_or('1')).collect());
    let mut placement = ranks.collect::<Vec<String>>().join("/");
    for run in (2..=8).rev() {
        placement = placement.replace(&"1".repeat(run), &run.to_string());
    }
    let turn = ["w", "b"][random.below(2)];
    Position::from_fen(&format!("{placement} {turn} - - 0 1")).ok()
}
