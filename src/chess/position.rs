//! A legal position: placement, side to move, rights and counters. How moves change it stands in `play`.

use super::rules::Extra as _;
use super::{Bitboard, Color, Move, Piece, PositionError, Role, Rules, Square, Standard, attacks, zobrist};

/// The side of the board on which a king castles, as seen from its own square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingSide {
    /// Towards the a-file: the king lands on the c-file.
    Queen,
    /// Towards the h-file: the king lands on the g-file.
    King,
}

/// A position that the rules allow. A value: playing a move on a copy leaves the original as it was.
///
/// `Position` alone is one of standard chess; the parameter tells the [rules](Rules) of other kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position<R: Rules = Standard> {
    pub(super) roles: [Bitboard; 6],
    pub(super) colors: [Bitboard; 2],
    pub(super) squares: [Option<Role>; 64],
    pub(super) turn: Color,
    /// The rooks that may still castle.
    pub(super) castling: Bitboard,
    /// Behind a pawn that just made a double step, only while a capture there is legal.
    pub(super) en_passant: Option<Square>,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
    pub(super) key: u64,
    pub(super) pawn_key: u64,
    pub(super) checkers: Bitboard,
    pub(super) pinned: Bitboard,
    pub(super) extra: R::Extra,
}

/// What a FEN says, not yet known to be a position.
#[derive(Clone, Debug)]
pub struct Setup {
    pub(super) pieces: [Option<Piece>; 64],
    pub(super) turn: Color,
    pub(super) castling: Bitboard,
    pub(super) en_passant: Option<Square>,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
    /// Pieces in hand by colour and role, where the FEN has a pocket.
    pub(super) pockets: Option<[[u8; 5]; 2]>,
    pub(super) promoted: Bitboard,
    /// Checks given by colour, where the FEN counts them.
    pub(super) checks: Option<[u8; 2]>,
}

/// A move that has just been made on the board.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    pub(super) mv: Move,
    pub(super) captured: Option<(Role, Square)>,
}

impl Position {
    /// The start of a game of standard chess.
    pub fn initial() -> Position {
        Position::chess960(518).expect("because 518 is one of the 960 starts")
    }

    /// A Chess960 start by its number, 0 to 959; 518 is the standard start.
    pub fn chess960(number: u16) -> Option<Position> {
        let back_rank = super::variant::chess960::chess960_back_rank(number)?;
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
}

impl<R: Rules> Position<R> {
    /// Builds the position, or says which law it breaks.
    pub(super) fn from_setup(setup: &Setup) -> Result<Position<R>, PositionError> {
        let mut position = Position::<R> {
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
            extra: R::Extra::from_setup(setup)?,
        };
        for square in Square::all() {
            if let Some(piece) = setup.pieces[square.index()] {
                position.put(piece.color, piece.role, square);
            }
        }
        if setup.checks.is_some() && position.extra.checks().is_none() {
            return Err(PositionError::UnexpectedChecks);
        }
        if (setup.pockets.is_some() || setup.promoted.has_any()) && position.extra.pockets().is_none() {
            return Err(PositionError::UnexpectedPocket);
        }
        R::check_kings(&position)?;
        if setup.turn == Color::Black {
            position.turn = Color::Black;
            position.key ^= zobrist::black_to_move();
        }
        if R::CASTLING {
            position.castling = super::validate::castling_rights(&position, setup.castling);
        }
        position.key ^= castling_key(position.castling) ^ position.extra.key();
        (position.checkers, position.pinned) = R::checks(&position);
        R::check_setup(&position)?;
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

    /// The key after a legal move, but for what it does to castling rights, en passant and what variants add: right for
    /// most moves, and good enough to fetch a table entry early.
    pub fn key_after(&self, mv: Move) -> u64 {
        let (us, to) = (self.turn, mv.to());
        let role = self.moved(mv);
        let mut key = self.key ^ zobrist::black_to_move();
        if mv.drop().is_none() {
            key ^= zobrist::piece(us, role, mv.from());
        }
        if let Some(taken) = self.captured(mv) {
            key ^= zobrist::piece(!us, taken, to);
        }
        key ^ zobrist::piece(us, mv.promotion().unwrap_or(role), to)
    }

    /// The key computed from the board and the rights, which [`key`](Position::key) always equals.
    pub fn key_from_scratch(&self) -> u64 {
        let pieces = self.occupied().into_iter().filter_map(|square| {
            self.piece_at(square).map(|piece| zobrist::piece(piece.color, piece.role, square))
        });
        let en_passant = self.en_passant.map_or(0, |square| zobrist::en_passant(square.file()));
        let turn = if self.turn == Color::Black { zobrist::black_to_move() } else { 0 };
        pieces.fold(castling_key(self.castling) ^ self.extra.key() ^ en_passant ^ turn, |key, piece| {
            key ^ piece
        })
    }

    /// A key of the pawns alone.
    pub fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// What the variant knows beyond the board.
    pub fn extra(&self) -> &R::Extra {
        &self.extra
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

    /// What a legal move moves or drops; the king when castling.
    pub fn moved(&self, mv: Move) -> Role {
        if R::DROPS
            && let Some(role) = mv.drop()
        {
            return role;
        }
        self.squares[mv.from().index()].unwrap_or(Role::Pawn)
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
            pockets: None,
            promoted: Bitboard::EMPTY,
            checks: None,
        }
    }

    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        self.pieces[square.index()] = Some(piece);
    }

    /// Notes that a piece is a promoted pawn, as far as it can be one.
    pub(super) fn mark_promoted(&mut self, square: Square) {
        let piece = self.pieces[square.index()];
        if piece.is_some_and(|piece| !matches!(piece.role, Role::Pawn | Role::King)) {
            self.promoted |= square.into();
        }
    }
}

pub(super) fn castling_key(rooks: Bitboard) -> u64 {
    rooks.into_iter().fold(0, |key, rook| key ^ zobrist::castling(rook))
}
