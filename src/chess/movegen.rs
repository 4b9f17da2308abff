//! Legal moves: from pins and checkers straight to the moves that the laws allow (FIDE 3.1 to 3.9).
//!
//! Moves are produced as sets of squares and handed to a [`Sink`], which lists, counts or filters them.

use super::sink::{Any, Count, Sink, Step, Wanted};
use super::{Bitboard, Color, Move, MoveList, Position, Role, Rules, Square, attacks};

impl<R: Rules> Position<R> {
    /// Every legal move; none when the game is over.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.moves(&Wanted::all(self), &mut list);
        list
    }

    /// The legal captures and promotions to a queen; a capture that promotes is given for the queen alone.
    pub fn legal_captures(&self) -> MoveList {
        let mut list = MoveList::new();
        self.moves(&Wanted::captures(self), &mut list);
        list
    }

    /// The legal moves that are not among the [captures](Position::legal_captures).
    pub fn legal_quiets(&self) -> MoveList {
        let mut list = MoveList::new();
        self.moves(&Wanted::quiets(self), &mut list);
        list
    }

    /// How many legal moves there are.
    pub fn count_legal_moves(&self) -> u64 {
        let mut count = Count(0);
        self.moves(&Wanted::all(self), &mut count);
        count.0
    }

    /// Whether there is any legal move.
    pub fn has_legal_move(&self) -> bool {
        let mut any = Any(false);
        self.moves(&Wanted::all(self), &mut any);
        any.0
    }

    /// Whether a move, whatever its origin, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        R::is_legal(self, mv) && R::variant_end(self).is_none()
    }

    fn moves<S: Sink>(&self, wanted: &Wanted, sink: &mut S) {
        if R::variant_end(self).is_none() {
            R::generate(self, wanted, sink);
        }
    }

    /// The legal moves of orthodox chess; where no king is protected, every move of the pieces.
    pub(super) fn orthodox_moves<S: Sink>(&self, wanted: &Wanted, sink: &mut S) {
        let royal = R::is_royal(self.turn());
        let mask = if royal { self.check_mask() } else { Bitboard::ALL };
        if mask.has_any() {
            self.pawn_moves(wanted, mask, sink);
            self.piece_moves(wanted.pieces & mask, sink);
        }
        if sink.is_full() {
            return;
        }
        if royal {
            self.king_moves(wanted, sink);
        } else {
            for from in self.pieces(self.turn(), Role::King) {
                sink.piece(from, attacks::king(from) & wanted.pieces);
            }
        }
        if R::CASTLING && wanted.castling {
            self.castling_moves(sink);
        }
    }

    /// Whether a move is legal by the rules of orthodox chess.
    pub(super) fn is_orthodox(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if !self.colored(self.turn()).contains(from) {
            return false;
        }
        if mv.is_castling() {
            let mut list = MoveList::new();
            self.castling_moves(&mut list);
            return list.contains(&mv);
        }
        if mv.is_en_passant() {
            return self.ep_square() == Some(to)
                && self.role_at(from) == Some(Role::Pawn)
                && attacks::pawn(self.turn(), from).contains(to)
                && R::is_en_passant_safe(self, from, to);
        }
        let promotes = self.role_at(from) == Some(Role::Pawn) && Bitboard::BACK_RANKS.contains(to);
        let promotion_fits = match mv.promotion() {
            None => !promotes,
            Some(role) => promotes && R::PROMOTIONS.contains(&role),
        };
        promotion_fits && self.targets(from).contains(to)
    }

    /// Where the piece on a square of the side to move may go, castling and en passant left out.
    fn targets(&self, from: Square) -> Bitboard {
        let us = self.turn();
        let occupied = self.occupied();
        let reach = match self.role_at(from) {
            None => return Bitboard::EMPTY,
            Some(Role::King) if R::is_royal(us) => return self.king_targets(from, !self.colored(us)),
            Some(Role::King) => attacks::king(from),
            Some(Role::Pawn) => self.pawn_targets(from),
            Some(Role::Knight) => attacks::knight(from),
            Some(Role::Bishop) => attacks::bishop(from, occupied),
            Some(Role::Rook) => attacks::rook(from, occupied),
            Some(Role::Queen) => attacks::queen(from, occupied),
        };
        let mut allowed = !self.colored(us);
        if R::is_royal(us) {
            allowed &= self.check_mask();
        }
        if self.pinned().contains(from) {
            allowed &= attacks::line(self.king(us), from);
        }
        reach & allowed
    }

    fn pawn_targets(&self, from: Square) -> Bitboard {
        let us = self.turn();
        let empty = !self.occupied();
        let single = Bitboard::square(from).forward(us) & empty;
        let double = (single & R::double_steps(us).forward(us)).forward(us) & empty;
        single | double | attacks::pawn(us, from) & self.colored(!us)
    }

    /// The squares that answer a check by capture or interposition; all without a check, none in double check.
    pub(super) fn check_mask(&self) -> Bitboard {
        let checkers = self.checkers();
        match checkers.first() {
            None => Bitboard::ALL,
            Some(_) if checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(self.king(self.turn()), checker) | checkers,
        }
    }

    fn king_moves<S: Sink>(&self, wanted: &Wanted, sink: &mut S) {
        let king = self.king(self.turn());
        sink.piece(king, self.king_targets(king, wanted.pieces));
    }

    /// The king's steps to `wanted` squares that no enemy attacks; the king itself shields none of them.
    fn king_targets(&self, king: Square, wanted: Bitboard) -> Bitboard {
        let them = !self.turn();
        let enemies = self.colored(them);
        let mut targets = attacks::king(king) & wanted;
        targets &= !attacks::pawns(them, self.by_role(Role::Pawn) & enemies);
        for from in self.by_role(Role::Knight) & enemies {
            targets &= !attacks::knight(from);
        }
        for from in self.by_role(Role::King) & enemies {
            targets &= !attacks::king(from);
        }
        let occupied = self.occupied() ^ king.into();
        let queens = self.by_role(Role::Queen);
        for from in (self.by_role(Role::Bishop) | queens) & enemies {
            if (attacks::diagonals(from) & targets).has_any() {
                targets &= !attacks::bishop(from, occupied);
            }
        }
        for from in (self.by_role(Role::Rook) | queens) & enemies {
            if (attacks::cross(from) & targets).has_any() {
                targets &= !attacks::rook(from, occupied);
            }
        }
        targets
    }

    fn piece_moves<S: Sink>(&self, targets: Bitboard, sink: &mut S) {
        let own = self.colored(self.turn());
        let occupied = self.occupied();
        let free = own & !self.pinned();
        for from in self.by_role(Role::Knight) & free {
            sink.piece(from, attacks::knight(from) & targets);
        }
        let queens = self.by_role(Role::Queen);
        for from in self.by_role(Role::Bishop) & free {
            sink.piece(from, attacks::bishop(from, occupied) & targets);
        }
        for from in self.by_role(Role::Rook) & free {
            sink.piece(from, attacks::rook(from, occupied) & targets);
        }
        for from in queens & free {
            sink.piece(from, attacks::queen(from, occupied) & targets);
        }
        let sliders = self.by_role(Role::Bishop) | self.by_role(Role::Rook) | queens;
        for from in sliders & self.pinned() {
            let reach = match self.role_at(from) {
                Some(Role::Bishop) => attacks::bishop(from, occupied),
                Some(Role::Rook) => attacks::rook(from, occupied),
                _ => attacks::queen(from, occupied),
            };
            sink.piece(from, reach & targets & attacks::line(self.king(self.turn()), from));
        }
    }

    fn pawn_moves<S: Sink>(&self, wanted: &Wanted, mask: Bitboard, sink: &mut S) {
        let us = self.turn();
        let pawns = self.pieces(us, Role::Pawn);
        let pinned = pawns & self.pinned();
        self.moves_of_pawns(pawns ^ pinned, wanted.pawns & mask, wanted.promotions, sink);
        for from in pinned {
            let allowed = mask & attacks::line(self.king(us), from);
            self.moves_of_pawns(from.into(), wanted.pawns & allowed, wanted.promotions, sink);
        }
        if let Some(to) = self.ep_square().filter(|_| wanted.en_passant) {
            for from in pawns & attacks::pawn(!us, to) {
                if R::is_en_passant_safe(self, from, to) {
                    sink.add(Move::en_passant(from, to));
                }
            }
        }
    }

    fn moves_of_pawns<S: Sink>(&self, pawns: Bitboard, allowed: Bitboard, roles: &[Role], sink: &mut S) {
        let us = self.turn();
        let empty = !self.occupied();
        let single = pawns.forward(us) & empty;
        let double = (single & R::double_steps(us).forward(us)).forward(us) & empty;
        let captures = self.colored(!us) & allowed;
        let [queenside, kingside] = attacks::pawn_captures(us, pawns);
        let [ahead, far, left, right] = match us {
            Color::White => [8, 16, 7, 9],
            Color::Black => [-8, -16, -9, -7],
        };
        for (step, targets) in
            [(ahead, single & allowed), (left, queenside & captures), (right, kingside & captures)]
        {
            sink.pawns(Step(step), targets & !Bitboard::BACK_RANKS);
            if (targets & Bitboard::BACK_RANKS).has_any() {
                sink.promotions(Step(step), targets & Bitboard::BACK_RANKS, roles);
            }
        }
        sink.pawns(Step(far), double & allowed);
    }

    /// Castling, never out of check: everything between must be empty, the king's way free of attacks, and the king
    /// safe where it lands with the rook moved (it may have shielded the king on its own rank in Chess960).
    fn castling_moves<S: Sink>(&self, sink: &mut S) {
        let us = self.turn();
        let rooks = self.castling_rooks() & self.colored(us);
        if rooks.is_empty() || self.is_check() {
            return;
        }
        let king = self.king(us);
        for rook in rooks {
            let (king_file, rook_file) = if rook.file() > king.file() { (6, 5) } else { (2, 3) };
            let king_to = Square::new(king_file, king.rank());
            let rook_to = Square::new(rook_file, king.rank());
            let way = attacks::between(king, king_to);
            let rook_way = attacks::between(rook, rook_to) | attacks::between(king, rook);
            let others = self.occupied() ^ king.into() ^ rook.into();
            let landing = Bitboard::square(king_to) | rook_to.into();
            let blocked = ((way | rook_way | landing) & others).has_any();
            if blocked
                || way.into_iter().any(|square| R::is_attacked(self, square, !us, others | rook.into()))
                || R::is_attacked(self, king_to, !us, others | rook_to.into())
            {
                continue;
            }
            sink.add(Move::castling(king, rook));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_legal_agrees_with_generation_on_every_bit_pattern() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            "r3k2r/Pppp1ppp/1b3nbN/nPB5/B1P1P3/q4N2/Pp1P2PP/R2Q1RK1 b kq - 1 1",
            "4k3/8/8/8/7b/8/3P4/R3K2R w KQ - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let legal = position.legal_moves();
            for mv in (0..=u16::MAX).filter_map(Move::from_raw) {
                assert_eq!(position.is_legal(mv), legal.contains(&mv), "{mv:?} in {fen}");
            }
        }
    }

    #[test]
    fn captures_are_the_captures_among_the_legal_moves() {
        let fen = "r3k2r/Pppp1ppp/1b3nbN/nPB5/B1P1P3/q4N2/Pp1P2PP/R2Q1RK1 b kq - 1 1";
        let position = Position::from_fen(fen).unwrap();
        let captures = position.legal_captures();
        for mv in position.legal_moves() {
            let promotes_low = mv.promotion().is_some_and(|role| role != Role::Queen);
            let wanted = (position.is_capture(mv) || mv.promotion().is_some()) && !promotes_low;
            assert_eq!(captures.contains(&mv), wanted, "{mv:?}");
        }
    }

    /// The three misunderstandings of castling, and the case where the rook shields its king (Chess960).
    #[test]
    fn castling_looks_at_the_way_of_the_king_alone() {
        for (fen, castles) in [
            ("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O O-O"),
            ("r3k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O O-O"),
            ("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O"),
            ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O"),
            ("4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", ""),
            ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "O-O-O"),
            ("4k3/8/8/8/8/8/8/rR2K3 w B - 0 1", ""),
            ("4k3/8/8/8/8/8/8/rRK5 w B - 0 1", ""),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mut found: Vec<String> = position
                .legal_moves()
                .into_iter()
                .filter(|mv| mv.is_castling())
                .map(|mv| super::super::san::format(&position, mv).trim_end_matches(['+', '#']).to_owned())
                .collect();
            found.sort_by_key(|text| std::cmp::Reverse(text.len()));
            assert_eq!(found.join(" "), castles, "{fen}");
        }
    }

    #[test]
    fn castling_may_be_the_only_move() {
        let position = Position::from_fen("4kr2/8/8/8/8/7p/7P/6KR w H - 0 1").unwrap();
        assert!(
            matches!(position.legal_moves()[..], [mv] if mv.is_castling()),
            "{:?}",
            position.legal_moves()
        );
        assert!(position.has_legal_move());
        let without = Position::from_fen("4kr2/8/8/8/8/7p/7P/6KR w - - 0 1").unwrap();
        assert!(!without.has_legal_move());
    }
}
