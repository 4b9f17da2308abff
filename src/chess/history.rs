//! A game as its start position and the moves from it, with what repetition needs to know.

use thiserror::Error;

use super::{AnyPosition, CastlingSpelling, GameEnd, IllegalMove, Move, UciError, UciMove};

/// A start position and the legal moves played from it.
#[derive(Clone, Debug)]
pub struct History {
    start: AnyPosition,
    position: AnyPosition,
    moves: Vec<Move>,
    keys: Vec<u64>,
}

/// Why a list of moves is not a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HistoryError {
    /// A word is no move at all.
    #[error("ply {ply}: {source}")]
    Syntax {
        /// How many moves came before.
        ply: usize,
        /// What is wrong with it.
        source: UciError,
    },
    /// A move breaks the laws.
    #[error("ply {ply}: {source}")]
    Illegal {
        /// How many moves came before.
        ply: usize,
        /// The move and the position.
        source: IllegalMove,
    },
}

impl History {
    /// A game without moves.
    pub fn new(start: impl Into<AnyPosition>) -> History {
        let start = start.into();
        History { position: start.clone(), keys: vec![start.key()], start, moves: Vec::new() }
    }

    /// Plays UCI moves from a start, castling in either spelling.
    pub fn from_uci<'a>(
        start: impl Into<AnyPosition>,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<History, HistoryError> {
        let mut history = History::new(start);
        for text in moves {
            let ply = history.ply();
            let uci: UciMove = text.parse().map_err(|source| HistoryError::Syntax { ply, source })?;
            let mv =
                uci.to_move(&history.position).map_err(|source| HistoryError::Illegal { ply, source })?;
            history.push(mv);
        }
        Ok(history)
    }

    /// Where the game began.
    pub fn start(&self) -> &AnyPosition {
        &self.start
    }

    /// Where it stands.
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// The moves from the start.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The key of each position from the start to the present one: one more than there are moves.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// How many moves were played.
    pub fn ply(&self) -> usize {
        self.moves.len()
    }

    /// Plays a move that is legal in the present position.
    pub fn push(&mut self, mv: Move) {
        self.position.play(mv);
        self.moves.push(mv);
        self.keys.push(self.position.key());
    }

    /// Takes moves back until `ply` are left.
    pub fn truncate(&mut self, ply: usize) {
        if ply < self.moves.len() {
            self.moves.truncate(ply);
            self.keys.truncate(ply + 1);
            self.position = self.start.clone();
            for &mv in &self.moves {
                self.position.play(mv);
            }
        }
    }

    /// How often the present position has been on the board, this time included (FIDE 9.2.3). What came before the
    /// start is unknown.
    pub fn occurrences(&self) -> usize {
        let key = self.position.key();
        let reversible = self.position.reversible_plies();
        self.keys
            .iter()
            .rev()
            .take(reversible.saturating_add(1))
            .step_by(2)
            .filter(|&&earlier| earlier == key)
            .count()
    }

    /// The automatic end of the game, if it has come. A threefold repetition is a claim, so that it is the caller's
    /// affair: see [`occurrences`](History::occurrences).
    pub fn end(&self) -> Option<GameEnd> {
        self.position.end().or_else(|| (self.occurrences() >= 5).then_some(GameEnd::FivefoldRepetition))
    }

    /// The moves as UCI text, separated by spaces.
    pub fn to_uci(&self, spelling: CastlingSpelling) -> String {
        let words: Vec<String> =
            self.moves.iter().map(|&mv| UciMove::from_move(mv, spelling).to_string()).collect();
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    fn game(moves: &str) -> History {
        History::from_uci(Position::initial(), moves.split_ascii_whitespace()).unwrap()
    }

    const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 ";

    #[test]
    fn counts_repetitions_from_the_start_position() {
        for (rounds, occurrences, end) in
            [(0, 1, None), (1, 2, None), (2, 3, None), (4, 5, Some(GameEnd::FivefoldRepetition))]
        {
            let history = game(&SHUFFLE.repeat(rounds));
            assert_eq!(history.occurrences(), occurrences);
            assert_eq!(history.end(), end);
        }
    }

    /// The right to castle is part of the position: after the rook has moved it is another one.
    #[test]
    fn lost_castling_rights_make_another_position() {
        let history = game("g1f3 g8f6 h1g1 h8g8 g1h1 g8h8 f3g1 f6g8");
        assert_eq!(history.occurrences(), 1);
    }

    #[test]
    fn taking_back_restores_the_position() {
        let mut history = game("e2e4 e7e5 g1f3");
        history.truncate(1);
        assert_eq!(history.position().to_fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        assert_eq!(history.keys().len(), 2);
        history.truncate(5);
        assert_eq!(history.ply(), 1);
    }

    #[test]
    fn names_the_move_that_is_wrong() {
        let error = History::from_uci(Position::initial(), ["e2e4", "e7e5", "e4e5"]).unwrap_err();
        assert!(error.to_string().starts_with("ply 2: illegal move e4e5 in rnbqkbnr"), "{error}");
        let error = History::from_uci(Position::initial(), ["e2e4", "x"]).unwrap_err();
        assert!(error.to_string().starts_with("ply 1: bad UCI move \"x\""), "{error}");
    }

    #[test]
    fn writes_both_spellings() {
        let history = game("g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1 e8h8");
        assert!(history.to_uci(CastlingSpelling::KingTwoSquares).ends_with("e1g1 e8g8"));
        assert!(history.to_uci(CastlingSpelling::KingTakesRook).ends_with("e1h1 e8h8"));
    }
}
