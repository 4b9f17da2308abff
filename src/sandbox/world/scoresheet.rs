//! A game put together again from what the players have written down, where neither sheet is complete.
//!
//! Sources: the FIDE Laws of about 1990, 11.5 to 11.9; the Laws of 2023, 7.5.1: play goes on from the last position
//! that can be identified.

use crate::chess::{AnyPosition, History, Move, UciMove, san};

/// A game as far as it could be put together.
#[derive(Clone, Debug)]
pub(crate) struct Reconstruction {
    pub(crate) history: History,
    /// The ply at which no sheet has a legal move while one goes on.
    pub(crate) broken_at: Option<usize>,
}

/// Puts a game together: at each ply the first sheet that has a legal move there is believed. A sheet is a list of
/// moves, in short notation or as UCI, with move numbers or without; `?` stands for a move that was not written.
pub(crate) fn reconstruct(start: impl Into<AnyPosition>, sheets: &[&str]) -> Reconstruction {
    let sheets: Vec<Vec<&str>> = sheets.iter().map(|sheet| moves_of(sheet)).collect();
    let mut history = History::new(start);
    loop {
        let ply = history.ply();
        let words = sheets.iter().filter_map(|sheet| sheet.get(ply));
        match words.clone().find_map(|word| read(history.position(), word)) {
            Some(mv) => history.push(mv),
            None => {
                let broken_at = words.count().min(1).checked_sub(1).map(|_| ply);
                return Reconstruction { history, broken_at };
            }
        }
    }
}

/// The words of a sheet that stand for moves: not `12.`, `12...` and results.
fn moves_of(sheet: &str) -> Vec<&str> {
    let without_number = sheet.split_whitespace().map(|word| match word.split_once('.') {
        Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            rest.trim_start_matches('.')
        }
        _ => word,
    });
    without_number.filter(|word| !["", "1-0", "0-1", "1/2-1/2", "*", "(=)"].contains(word)).collect()
}

fn read(position: &AnyPosition, word: &str) -> Option<Move> {
    match word.parse::<UciMove>() {
        Ok(uci) => uci.to_move(position).ok(),
        Err(_) => san::parse(position, word).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    fn put_together(sheets: &[&str]) -> (usize, Option<usize>) {
        let found = reconstruct(Position::initial(), sheets);
        (found.history.ply(), found.broken_at)
    }

    #[test]
    fn one_complete_sheet_is_the_game() {
        assert_eq!(put_together(&["1. e4 e5 2. Nf3 Nc6 1/2-1/2"]), (4, None));
        assert_eq!(put_together(&["e2e4 e7e5 g1f3"]), (3, None));
        assert_eq!(put_together(&[""]), (0, None));
    }

    #[test]
    fn each_sheet_fills_the_gaps_of_the_other() {
        let (white, black) = ("1.e4 ? 2.Nf3 ? 3.Bb5 a6", "1. ? e5 2. ? Nc6 3. Bb5 (=)");
        assert_eq!(put_together(&[white, black]), (6, None));
        assert_eq!(put_together(&[white]), (1, Some(1)));
    }

    /// FIDE 7.5.1: the last position before the irregularity.
    #[test]
    fn an_illegal_move_breaks_the_record() {
        assert_eq!(put_together(&["e4 e5 Nf3 Ke6 Nc3"]), (3, Some(3)));
        assert_eq!(put_together(&["e4 e5 Nf3 Ke6 Nc3", "e4 e5 Nf3 Ke7"]), (5, None));
    }
}
