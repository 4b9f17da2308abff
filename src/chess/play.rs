//! How a move changes a position, and what is kept up to date with it: keys, checkers and pins.

use super::position::{Played, castling_key};
use super::{Bitboard, Color, Move, Position, Role, Rules, Square, attacks, zobrist};

impl<R: Rules> Position<R> {
    /// The position after a legal move. Where speed counts, a copy that is [played](Position::play) on where it lies saves
    /// one more move of the whole position.
    pub fn after(&self, mv: Move) -> Position<R> {
        let mut next = self.clone();
        next.play(mv);
        next
    }

    /// The same position with the other side to move, for null-move searches. Not to be used in check.
    pub fn after_null(&self) -> Position<R> {
        let mut next = self.clone();
        next.clear_en_passant();
        next.halfmove_clock = next.halfmove_clock.saturating_add(1);
        next.pass_turn();
        next
    }

    /// Plays a move that is legal here.
    pub fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in {}", self.to_fen());
        let us = self.turn;
        let role = self.moved(mv);
        self.clear_en_passant();
        self.halfmove_clock = if role == Role::Pawn { 0 } else { self.halfmove_clock.saturating_add(1) };
        if R::DROPS && mv.drop().is_some() {
            self.put(us, role, mv.to());
            R::played(self, Played { mv, captured: None });
        } else if mv.is_castling() {
            self.castle(mv.from(), mv.to());
            R::played(self, Played { mv, captured: None });
        } else {
            self.step(mv, role);
        }
        self.pass_turn();
        if role == Role::Pawn
            && mv.from().rank().abs_diff(mv.to().rank()) == 2
            && mv.from().rank() == us.rank(1)
        {
            self.set_en_passant(Square::new(mv.from().file(), us.rank(2)));
        }
    }

    /// A piece goes from one square to another and takes what it finds.
    fn step(&mut self, mv: Move, role: Role) {
        let (us, from, to) = (self.turn, mv.from(), mv.to());
        let mut captured = None;
        if mv.is_en_passant() {
            let square = Square::new(to.file(), from.rank());
            self.remove(!us, Role::Pawn, square);
            captured = Some((Role::Pawn, square));
        } else if let Some(taken) = self.squares[to.index()] {
            self.remove(!us, taken, to);
            self.halfmove_clock = 0;
            captured = Some((taken, to));
        }
        self.remove(us, role, from);
        self.put(us, mv.promotion().unwrap_or(role), to);
        if self.castling.has_any() {
            self.drop_rights(us, role, from, to);
        }
        R::played(self, Played { mv, captured });
    }

    fn castle(&mut self, king: Square, rook: Square) {
        let us = self.turn;
        let (king_file, rook_file) = if rook.file() > king.file() { (6, 5) } else { (2, 3) };
        self.remove(us, Role::King, king);
        self.remove(us, Role::Rook, rook);
        self.put(us, Role::King, Square::new(king_file, king.rank()));
        self.put(us, Role::Rook, Square::new(rook_file, king.rank()));
        self.lose_rights(Bitboard::rank(us.rank(0)));
    }

    /// Castling rights end with a move of the king or the rook and with the capture of the rook (FIDE 3.8.2.1).
    fn drop_rights(&mut self, us: Color, role: Role, from: Square, to: Square) {
        let touched = Bitboard::square(from) | to.into();
        self.lose_rights(if role == Role::King { touched | Bitboard::rank(us.rank(0)) } else { touched });
    }

    /// Ends the rights of the rooks on some squares.
    pub(super) fn lose_rights(&mut self, squares: Bitboard) {
        let lost = self.castling & squares;
        if lost.has_any() {
            self.castling ^= lost;
            self.key ^= castling_key(lost);
        }
    }

    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.key ^= zobrist::en_passant(square.file());
        }
    }

    /// Remembers a double step over `square`, if a pawn of the side to move may legally capture there.
    pub(super) fn set_en_passant(&mut self, square: Square) {
        let pawns = self.pieces(self.turn, Role::Pawn) & attacks::pawn(!self.turn, square);
        let over = R::variant_end(self).is_some();
        if !over && pawns.into_iter().any(|from| R::is_en_passant_safe(self, from, square)) {
            self.en_passant = Some(square);
            self.key ^= zobrist::en_passant(square.file());
        }
    }

    /// Whether the king of the side to move is safe after its pawn on `from` captures in passing on `to`.
    pub(super) fn keeps_king_safe_in_passing(&self, from: Square, to: Square) -> bool {
        let captured = Bitboard::square(Square::new(to.file(), from.rank()));
        let occupied = (self.occupied() ^ Bitboard::square(from) ^ captured) | to.into();
        let attackers = self.attackers(self.king(self.turn), occupied);
        (attackers & self.colored(!self.turn) & !captured).is_empty()
    }

    fn pass_turn(&mut self) {
        if self.turn == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.turn = !self.turn;
        self.key ^= zobrist::black_to_move();
        (self.checkers, self.pinned) = R::checks(self);
        R::turned(self);
    }

    /// Checkers and pinned pieces of the side to move, if its king is protected.
    pub(super) fn orthodox_checks(&self) -> (Bitboard, Bitboard) {
        let (us, them) = (self.turn, !self.turn);
        if !R::is_royal(us) {
            return (Bitboard::EMPTY, Bitboard::EMPTY);
        }
        let (king, occupied, enemies) = (self.king(us), self.occupied(), self.colored(them));
        let queens = self.by_role(Role::Queen);
        let mut checkers = attacks::pawn(us, king) & self.by_role(Role::Pawn)
            | attacks::knight(king) & self.by_role(Role::Knight);
        checkers &= enemies;
        let mut pinned = Bitboard::EMPTY;
        let snipers = (attacks::diagonals(king) & (self.by_role(Role::Bishop) | queens)
            | attacks::cross(king) & (self.by_role(Role::Rook) | queens))
            & enemies;
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & occupied;
            if blockers.is_empty() {
                checkers |= sniper.into();
            } else if !blockers.more_than_one() {
                pinned |= blockers;
            }
        }
        (checkers, pinned & self.colored(us))
    }

    pub(super) fn put(&mut self, color: Color, role: Role, square: Square) {
        self.toggle(color, role, square);
        self.squares[square.index()] = Some(role);
    }

    pub(super) fn remove(&mut self, color: Color, role: Role, square: Square) {
        self.toggle(color, role, square);
        self.squares[square.index()] = None;
    }

    fn toggle(&mut self, color: Color, role: Role, square: Square) {
        self.roles[role.index()] ^= square.into();
        self.colors[color.index()] ^= square.into();
        let key = zobrist::piece(color, role, square);
        self.key ^= key;
        if role == Role::Pawn {
            self.pawn_key ^= key;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays every line to a depth and checks that the kept state is what a rebuilt position has.
    fn check_upkeep(position: &Position, depth: u32) {
        let rebuilt = Position::from_fen(&position.to_fen()).unwrap();
        assert_eq!(&rebuilt, position, "{}", position.to_fen());
        assert_eq!(position.key(), position.key_from_scratch());
        if depth > 0 {
            for mv in position.legal_moves() {
                check_upkeep(&position.after(mv), depth - 1);
            }
        }
    }

    #[test]
    fn kept_state_equals_state_from_scratch() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1",
        ] {
            check_upkeep(&Position::from_fen(fen).unwrap(), 2);
        }
    }

    #[test]
    fn null_move_only_passes_the_turn() {
        let position =
            Position::from_fen("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3").unwrap();
        let null = position.after_null();
        assert_eq!(null.to_fen(), "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 1 3");
        assert_eq!(null.key(), Position::from_fen(&null.to_fen()).unwrap().key());
    }
}
