//! Draws that a player may claim, and draws that come without a claim at counts that laws set differently.
//!
//! Sources: FIDE Laws of Chess 9.2 (threefold repetition), 9.3 (fifty moves), 9.6 (fivefold repetition and 75 moves).
//! What Lichess makes of them is [`History::end`]. Who may claim, and what a wrong claim costs, is an arbiter's affair
//! and not said here.

use super::{History, Move};

/// What a player says of the game to have it drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawClaim {
    /// The same position for the third time, or more often (FIDE 9.2).
    Threefold,
    /// So many last moves of each side without a capture or a pawn move.
    QuietMoves(u16),
}

impl DrawClaim {
    /// The claim of FIDE 9.3.
    pub const FIFTY_MOVES: DrawClaim = DrawClaim::QuietMoves(50);
}

/// Draws that need no claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutomaticDraws {
    /// How often a position must have been on the board.
    pub occurrences: Option<usize>,
    /// How many last moves of each side must have been without a capture or a pawn move.
    pub quiet_moves: Option<u16>,
}

impl AutomaticDraws {
    /// FIDE 9.6, since 2014.
    pub const FIDE: AutomaticDraws = AutomaticDraws { occurrences: Some(5), quiet_moves: Some(75) };
    /// Whatever repeats, somebody must claim: the laws before that.
    pub const NONE: AutomaticDraws = AutomaticDraws { occurrences: None, quiet_moves: None };
}

impl History {
    /// Whether the claim is right of what has just appeared (FIDE 9.2.2, 9.3.2). In a position without a legal move
    /// it is not: mate and stalemate have ended the game before.
    pub fn supports(&self, claim: DrawClaim) -> bool {
        let counted = match claim {
            DrawClaim::Threefold => self.occurrences() >= 3,
            DrawClaim::QuietMoves(moves) => self.has_quiet_moves(moves),
        };
        counted && self.position().has_legal_move()
    }

    /// Whether the claim is right of what a legal move would make appear (FIDE 9.2.1, 9.3.1): the player announces the
    /// move and does not play it.
    pub fn supports_after(&self, claim: DrawClaim, intended: Move) -> bool {
        let mut next = self.clone();
        next.push(intended);
        next.supports(claim)
    }

    /// Whether the game is drawn without a claim. The same caution about mate applies (FIDE 9.6.2).
    pub fn is_drawn_by(&self, automatic: AutomaticDraws) -> bool {
        let repeated = automatic.occurrences.is_some_and(|times| self.occurrences() >= times);
        let quiet = automatic.quiet_moves.is_some_and(|moves| self.has_quiet_moves(moves));
        (repeated || quiet) && self.position().has_legal_move()
    }

    fn has_quiet_moves(&self, each: u16) -> bool {
        let position = self.position();
        position.has_fifty_move_rule() && position.halfmove_clock() >= each.saturating_mul(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Position, UciMove};

    fn game(fen: &str, moves: &str) -> History {
        History::from_uci(Position::from_fen(fen).unwrap(), moves.split_whitespace()).unwrap()
    }

    fn after(history: &History, claim: DrawClaim, uci: &str) -> bool {
        let intended = uci.parse::<UciMove>().unwrap().to_move(history.position()).unwrap();
        history.supports_after(claim, intended)
    }

    const ROOK_ENDING: &str = "4k3/8/6r1/8/8/8/2R5/4K3 w - - 98 80";

    #[test]
    fn a_third_occurrence_may_be_announced() {
        let start = Position::initial().to_fen();
        let history = game(&start, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
        assert!(!history.supports(DrawClaim::Threefold));
        assert!(after(&history, DrawClaim::Threefold, "f6g8"));
        assert!(!after(&history, DrawClaim::Threefold, "f6d5"));
    }

    #[test]
    fn the_fiftieth_move_may_be_announced() {
        let history = game(ROOK_ENDING, "c2c3");
        assert!(!history.supports(DrawClaim::FIFTY_MOVES));
        assert!(after(&history, DrawClaim::FIFTY_MOVES, "g6h6"));
        assert!(game(ROOK_ENDING, "c2c3 g6h6").supports(DrawClaim::FIFTY_MOVES));
        assert!(
            !game(ROOK_ENDING, "c2c3 g6h6").supports(DrawClaim::QuietMoves(75)),
            "old laws with a higher count"
        );
    }

    /// FIDE 9.6.2: "if the last move resulted in checkmate, that shall take precedence".
    #[test]
    fn mate_goes_before_any_count() {
        let mated = game("7k/8/6K1/8/8/8/8/R7 w - - 149 120", "a1a8");
        assert!(!mated.supports(DrawClaim::FIFTY_MOVES) && !mated.is_drawn_by(AutomaticDraws::FIDE));
        let mating = game("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "");
        assert!(
            !after(&mating, DrawClaim::FIFTY_MOVES, "a1a8"),
            "a game that is won cannot be claimed drawn"
        );
    }

    #[test]
    fn automatic_draws_come_at_their_counts() {
        let quiet = |clock: u16| game(&format!("4k3/8/6r1/8/8/8/2R5/4K3 w - - {clock} 99"), "");
        for (clock, drawn) in [(149, false), (150, true)] {
            assert_eq!(quiet(clock).is_drawn_by(AutomaticDraws::FIDE), drawn, "{clock}");
            assert!(!quiet(clock).is_drawn_by(AutomaticDraws::NONE));
        }
        let start = Position::initial().to_fen();
        for (rounds, drawn) in [(3, false), (4, true)] {
            let shuffled = game(&start, &"g1f3 g8f6 f3g1 f6g8 ".repeat(rounds));
            assert_eq!(shuffled.is_drawn_by(AutomaticDraws::FIDE), drawn, "{rounds}");
        }
    }
}
