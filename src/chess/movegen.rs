//! Legal moves: from pins and checkers straight to the moves that the laws allow (FIDE 3.1 to 3.9).

use super::{Bitboard, Color, Move, MoveList, Position, Role, Square, attacks};

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

impl Position {
    /// Every legal move.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(&mut list, !self.colored(self.turn()), &PROMOTIONS);
        self.castling_moves(&mut list);
        list
    }

    /// The legal captures and promotions to a queen; a capture that promotes is given for the queen alone.
    pub fn legal_captures(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(&mut list, self.colored(!self.turn()), &PROMOTIONS[..1]);
        list
    }

    /// Whether there is any legal move.
    pub fn has_legal_move(&self) -> bool {
        let us = self.colored(self.turn());
        us.into_iter().any(|from| self.targets(from).has_any())
            || !self.en_passant_moves().is_empty()
            || self.can_castle()
    }

    /// Whether a move, whatever its origin, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
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
            return self.en_passant_moves().contains(&mv);
        }
        let promotes = self.moved(mv) == Role::Pawn && Bitboard::BACK_RANKS.contains(to);
        promotes == mv.promotion().is_some() && self.targets(from).contains(to)
    }

    /// Moves to `wanted` squares; pawns that promote do so on any square, to `promotions`.
    fn generate(&self, list: &mut MoveList, wanted: Bitboard, promotions: &[Role]) {
        let us = self.turn();
        let pawns = self.pieces(us, Role::Pawn);
        for from in pawns {
            for to in self.targets(from) & (wanted | Bitboard::BACK_RANKS) {
                if Bitboard::BACK_RANKS.contains(to) {
                    for &role in promotions {
                        list.push(Move::promoting(from, to, role));
                    }
                } else {
                    list.push(Move::plain(from, to));
                }
            }
        }
        for mv in &self.en_passant_moves() {
            list.push(mv);
        }
        for from in self.colored(us) & !pawns {
            for to in self.targets(from) & wanted {
                list.push(Move::plain(from, to));
            }
        }
    }

    /// Where the piece on a square of the side to move may go, castling and en passant left out.
    fn targets(&self, from: Square) -> Bitboard {
        let us = self.turn();
        let occupied = self.occupied();
        let reach = match self.role_at(from) {
            None => return Bitboard::EMPTY,
            Some(Role::King) => return self.king_targets(from),
            Some(Role::Pawn) => self.pawn_targets(from),
            Some(Role::Knight) => attacks::knight(from),
            Some(Role::Bishop) => attacks::bishop(from, occupied),
            Some(Role::Rook) => attacks::rook(from, occupied),
            Some(Role::Queen) => attacks::queen(from, occupied),
        };
        let mut allowed = !self.colored(us) & self.check_mask();
        if self.pinned().contains(from) {
            allowed &= attacks::line(self.king(us), from);
        }
        reach & allowed
    }

    /// The squares that answer a check by capture or interposition; all without a check, none in double check.
    fn check_mask(&self) -> Bitboard {
        let checkers = self.checkers();
        match checkers.first() {
            None => Bitboard::ALL,
            Some(_) if checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(self.king(self.turn()), checker) | checkers,
        }
    }

    fn pawn_targets(&self, from: Square) -> Bitboard {
        let us = self.turn();
        let empty = !self.occupied();
        let single = Bitboard::square(from).forward(us) & empty;
        let double = (single & Bitboard::rank(us.rank(2))).forward(us) & empty;
        single | double | attacks::pawn(us, from) & self.colored(!us)
    }

    fn king_targets(&self, king: Square) -> Bitboard {
        let us = self.turn();
        let occupied = self.occupied() ^ king.into();
        let steps = attacks::king(king) & !self.colored(us);
        steps.filter(|&to| !self.is_attacked(to, !us, occupied)).collect()
    }

    fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        (self.attackers(square, occupied) & self.colored(by)).has_any()
    }

    fn en_passant_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        if let Some(to) = self.ep_square() {
            let pawns = self.pieces(self.turn(), Role::Pawn) & attacks::pawn(!self.turn(), to);
            for from in pawns.filter(|&from| self.is_en_passant_safe(from, to)) {
                list.push(Move::en_passant(from, to));
            }
        }
        list
    }

    /// In Chess960 castling may be the only move left: a king on g1 whose rook on h1 is shut in.
    fn can_castle(&self) -> bool {
        let mut list = MoveList::new();
        self.castling_moves(&mut list);
        !list.is_empty()
    }

    /// Castling, never out of check: everything between must be empty, the king's way free of attacks, and the king
    /// safe where it lands with the rook moved (it may have shielded the king on its own rank in Chess960).
    fn castling_moves(&self, list: &mut MoveList) {
        let us = self.turn();
        let king = self.king(us);
        if self.is_check() {
            return;
        }
        for rook in self.castling_rooks() & self.colored(us) {
            let (king_file, rook_file) = if rook.file() > king.file() { (6, 5) } else { (2, 3) };
            let king_to = Square::new(king_file, king.rank());
            let rook_to = Square::new(rook_file, king.rank());
            let way = attacks::between(king, king_to) | king_to.into();
            let rook_way = attacks::between(rook, rook_to) | rook_to.into();
            let others = self.occupied() ^ king.into() ^ rook.into();
            let blocked = ((way | rook_way | attacks::between(king, rook)) & others).has_any();
            if blocked
                || way.into_iter().any(|square| self.is_attacked(square, !us, others | rook.into()))
                || self.is_attacked(king_to, !us, others | rook_to.into())
            {
                continue;
            }
            list.push(Move::castling(king, rook));
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
