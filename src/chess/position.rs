//! A legal position: placement, side to move, rights and counters, and how a move changes them.

use super::{Bitboard, Color, Move, Piece, PositionError, Role, Square, attacks, zobrist};

/// The side of the board on which a king castles, as seen from its own square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingSide {
    /// Towards the a-file: the king lands on the c-file.
    Queen,
    /// Towards the h-file: the king lands on the g-file.
    King,
}

/// A position that the laws allow. A value: playing a move on a copy leaves the original as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    roles: [Bitboard; 6],
    colors: [Bitboard; 2],
    squares: [Option<Role>; 64],
    turn: Color,
    /// The rooks that may still castle.
    castling: Bitboard,
    /// Behind a pawn that just made a double step, only while a capture there is legal.
    en_passant: Option<Square>,
    halfmove_clock: u16,
    fullmove_number: u16,
    key: u64,
    pawn_key: u64,
    checkers: Bitboard,
    pinned: Bitboard,
}

/// What a FEN says, not yet known to be a position.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) pieces: [Option<Piece>; 64],
    pub(super) turn: Color,
    pub(super) castling: Bitboard,
    pub(super) en_passant: Option<Square>,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
}

impl Position {
    /// The start of a game of standard chess.
    pub fn initial() -> Position {
        Position::chess960(518).expect("because 518 is one of the 960 starts")
    }

    /// A Chess960 start by its number, 0 to 959; 518 is the standard start.
    pub fn chess960(number: u16) -> Option<Position> {
        let back_rank = super::variant::chess960_back_rank(number)?;
        let mut setup = Setup::empty();
        for (file, role) in (0..).zip(back_rank) {
            for color in Color::ALL {
                setup.put(Square::new(file, color.rank(0)), Piece { color, role });
                setup.put(Square::new(file, color.rank(1)), Piece { color, role: Role::Pawn });
                if role == Role::Rook {
                    setup.castling |= Square::new(file, color.rank(0)).into();
                }
            }
        }
        Some(Position::from_setup(&setup).expect("because every start position is legal"))
    }

    /// Builds the position, or says which law it breaks.
    pub(super) fn from_setup(setup: &Setup) -> Result<Position, PositionError> {
        let mut position = Position {
            roles: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            squares: [None; 64],
            turn: Color::White,
            castling: Bitboard::EMPTY,
            en_passant: None,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
            key: 0,
            pawn_key: 0,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
        };
        for square in Square::all() {
            if let Some(piece) = setup.pieces[square.index()] {
                position.toggle(piece.color, piece.role, square);
                position.squares[square.index()] = Some(piece.role);
            }
        }
        super::validate::kings(&position)?;
        if setup.turn == Color::Black {
            position.turn = Color::Black;
            position.key ^= zobrist::black_to_move();
        }
        position.castling = super::validate::castling_rights(&position, setup.castling);
        position.key ^= castling_key(position.castling);
        position.update_checks();
        super::validate::placement(&position)?;
        if let Some(square) = super::validate::double_step(&position, setup.en_passant) {
            position.set_en_passant(square);
        }
        Ok(position)
    }

    /// Whose move it is.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// All pieces.
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The pieces of a colour.
    pub fn colored(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The pieces of a role, both colours.
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// The pieces of a colour and a role.
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.colors[color.index()] & self.roles[role.index()]
    }

    /// What stands on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let role = self.squares[square.index()]?;
        let color = if self.colors[0].contains(square) { Color::White } else { Color::Black };
        Some(Piece { color, role })
    }

    /// The role of what stands on a square.
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.squares[square.index()]
    }

    /// Where the king of a colour stands.
    pub fn king(&self, color: Color) -> Square {
        Square::from_index(self.pieces(color, Role::King).0.trailing_zeros() as usize)
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.checkers.has_any()
    }

    /// The pieces of the side to move that may only move along the line to their king.
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// All pieces of both colours that attack a square when the board is occupied as given.
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let [pawns, knights, bishops, rooks, queens, kings] = self.roles;
        (attacks::pawn(Color::White, square) & pawns & self.colors[1])
            | (attacks::pawn(Color::Black, square) & pawns & self.colors[0])
            | (attacks::knight(square) & knights)
            | (attacks::king(square) & kings)
            | (attacks::bishop(square, occupied) & (bishops | queens))
            | (attacks::rook(square, occupied) & (rooks | queens))
    }

    /// Half moves since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, starting with 1 and counted up after Black's move.
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The square of an en passant capture, if one is legal now.
    pub fn ep_square(&self) -> Option<Square> {
        self.en_passant
    }

    /// The rooks of both sides that may still castle.
    pub fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// The rook with which a side may still castle on one side.
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.king(color);
        (self.castling & self.colored(color))
            .find(|rook| (rook.file() > king.file()) == (side == CastlingSide::King))
    }

    /// Whether every remaining right belongs to a king on the e-file and a rook on the a- or h-file.
    pub fn has_standard_castling(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            let rooks = self.castling & self.colored(color);
            rooks.is_empty()
                || self.king(color).file() == 4 && rooks.into_iter().all(|rook| rook.file() % 7 == 0)
        })
    }

    /// The Zobrist key: equal for positions that the law of repetition takes as the same (FIDE 9.2.3).
    pub fn key(&self) -> u64 {
        self.key
    }

    /// A key of the pawns alone.
    pub fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// Whether a legal move takes a piece.
    pub fn is_capture(&self, mv: Move) -> bool {
        self.captured(mv).is_some()
    }

    /// What a legal move takes.
    pub fn captured(&self, mv: Move) -> Option<Role> {
        if mv.is_castling() {
            None
        } else if mv.is_en_passant() {
            Some(Role::Pawn)
        } else {
            self.squares[mv.to().index()]
        }
    }

    /// What a legal move moves; the king when castling.
    pub fn moved(&self, mv: Move) -> Role {
        self.squares[mv.from().index()].unwrap_or(Role::Pawn)
    }

    /// The position after a legal move.
    pub fn after(&self, mv: Move) -> Position {
        let mut next = self.clone();
        next.play(mv);
        next
    }

    /// The same position with the other side to move, for null-move searches. Not to be used in check.
    pub fn after_null(&self) -> Position {
        let mut next = self.clone();
        next.clear_en_passant();
        next.halfmove_clock = next.halfmove_clock.saturating_add(1);
        next.pass_turn();
        next
    }

    /// Plays a move that is legal here.
    pub fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in {}", self.to_fen());
        let (us, from, to) = (self.turn, mv.from(), mv.to());
        let role = self.moved(mv);
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if mv.is_castling() {
            self.castle(from, to);
        } else {
            if mv.is_en_passant() {
                self.remove(!us, Role::Pawn, Square::new(to.file(), from.rank()));
            } else if let Some(captured) = self.squares[to.index()] {
                self.remove(!us, captured, to);
                self.halfmove_clock = 0;
            }
            self.remove(us, role, from);
            self.put(us, mv.promotion().unwrap_or(role), to);
        }
        if role == Role::Pawn {
            self.halfmove_clock = 0;
        }
        self.drop_rights(us, role, from, to);
        self.pass_turn();
        if role == Role::Pawn && from.rank().abs_diff(to.rank()) == 2 {
            self.set_en_passant(Square::new(from.file(), (from.rank() + to.rank()) / 2));
        }
    }

    /// Whether the side to move may capture in passing with the pawn on `from`, seen from its king's safety.
    pub(super) fn is_en_passant_safe(&self, from: Square, to: Square) -> bool {
        let captured = Bitboard::square(Square::new(to.file(), from.rank()));
        let occupied = (self.occupied() ^ Bitboard::square(from) ^ captured) | to.into();
        let attackers = self.attackers(self.king(self.turn), occupied);
        (attackers & self.colored(!self.turn) & !captured).is_empty()
    }

    fn castle(&mut self, king: Square, rook: Square) {
        let us = self.turn;
        let (king_file, rook_file) = if rook.file() > king.file() { (6, 5) } else { (2, 3) };
        self.remove(us, Role::King, king);
        self.remove(us, Role::Rook, rook);
        self.put(us, Role::King, Square::new(king_file, king.rank()));
        self.put(us, Role::Rook, Square::new(rook_file, king.rank()));
    }

    /// Castling rights end with a move of the king or the rook and with the capture of the rook (FIDE 3.8.2.1).
    fn drop_rights(&mut self, us: Color, role: Role, from: Square, to: Square) {
        let touched = Bitboard::square(from) | to.into();
        let lost = if role == Role::King {
            self.castling & (touched | Bitboard::rank(us.rank(0)))
        } else {
            self.castling & touched
        };
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
    fn set_en_passant(&mut self, square: Square) {
        let pawns = self.pieces(self.turn, Role::Pawn) & attacks::pawn(!self.turn, square);
        if pawns.into_iter().any(|from| self.is_en_passant_safe(from, square)) {
            self.en_passant = Some(square);
            self.key ^= zobrist::en_passant(square.file());
        }
    }

    fn pass_turn(&mut self) {
        if self.turn == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.turn = !self.turn;
        self.key ^= zobrist::black_to_move();
        self.update_checks();
    }

    fn update_checks(&mut self) {
        let (us, them) = (self.turn, !self.turn);
        let (king, occupied) = (self.king(us), self.occupied());
        let enemies = self.colored(them);
        self.checkers = self.attackers(king, occupied) & enemies;
        let queens = self.by_role(Role::Queen);
        let snipers = (attacks::bishop(king, enemies) & (self.by_role(Role::Bishop) | queens)
            | attacks::rook(king, enemies) & (self.by_role(Role::Rook) | queens))
            & enemies;
        self.pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & occupied;
            if !blockers.more_than_one() {
                self.pinned |= blockers & self.colored(us);
            }
        }
    }

    fn put(&mut self, color: Color, role: Role, square: Square) {
        self.toggle(color, role, square);
        self.squares[square.index()] = Some(role);
    }

    fn remove(&mut self, color: Color, role: Role, square: Square) {
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

impl Setup {
    pub(super) fn empty() -> Setup {
        Setup {
            pieces: [None; 64],
            turn: Color::White,
            castling: Bitboard::EMPTY,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        self.pieces[square.index()] = Some(piece);
    }
}

fn castling_key(rooks: Bitboard) -> u64 {
    rooks.into_iter().fold(0, |key, rook| key ^ zobrist::castling(rook))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays every line to a depth and checks that the kept state is what a rebuilt position has.
    fn check_upkeep(position: &Position, depth: u32) {
        let rebuilt = Position::from_fen(&position.to_fen()).unwrap();
        assert_eq!(&rebuilt, position, "{}", position.to_fen());
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
