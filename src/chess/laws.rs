//! What the text forms of moves ask of a position, whatever its rules.

use super::{Move, MoveList, Position, Role, Rules, Square};

/// A position that moves can be read and written for: one of known rules or one of any.
pub trait Laws {
    /// Every legal move.
    fn legal_moves(&self) -> MoveList;
    /// What a legal move moves or drops.
    fn moved(&self, mv: Move) -> Role;
    /// Whether a legal move takes a piece.
    fn is_capture(&self, mv: Move) -> bool;
    /// The role of what stands on a square.
    fn role_at(&self, square: Square) -> Option<Role>;
    /// `#` for a move that wins the game on the board, `+` for one that gives check.
    fn check_mark(&self, mv: Move) -> Option<char>;
    /// The FEN.
    fn to_fen(&self) -> String;
}

impl<R: Rules> Laws for Position<R> {
    fn legal_moves(&self) -> MoveList {
        self.legal_moves()
    }

    fn moved(&self, mv: Move) -> Role {
        self.moved(mv)
    }

    fn is_capture(&self, mv: Move) -> bool {
        self.is_capture(mv)
    }

    fn role_at(&self, square: Square) -> Option<Role> {
        self.role_at(square)
    }

    fn check_mark(&self, mv: Move) -> Option<char> {
        let next = self.after(mv);
        if next.decided().is_some_and(|end| end.winner().is_some()) {
            Some('#')
        } else {
            next.is_check().then_some('+')
        }
    }

    fn to_fen(&self) -> String {
        self.to_fen()
    }
}
