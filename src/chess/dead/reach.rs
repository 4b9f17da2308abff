//! What can ever move where: for every piece of a position the squares on which it may stand at some time, whatever
//! is played. Errs on one side only: a square that is left out is never reached.
//!
//! The "semi-static" analysis of Ambrona's paper as a least fixed point over events: a piece stood on a square, a
//! piece left its square or was taken there, a side captured on a square. Every event of a real game follows from
//! earlier ones by one of the rules here, so that those not found never happen.

use super::super::{Bitboard, CastlingSide, Color, Position, Role, Square, attacks};
use super::plan::ahead;

/// A piece of the position and what may become of it.
#[derive(Clone, Copy)]
pub(super) struct Mover {
    pub(super) color: Color,
    pub(super) role: Role,
    /// Where it stands.
    pub(super) home: Square,
    /// Where it may come as what it is.
    pub(super) stays: Bitboard,
    /// Where a pawn may come after its promotion, whatever it became.
    pub(super) promoted: Bitboard,
}

/// Whether a king's move that leaves the other side without a move is known to be the last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stalemate {
    Heeded,
    Ignored,
}

/// All movers of a position, and what may happen to squares.
#[derive(Clone)]
pub(super) struct Reach {
    pub(super) movers: Vec<Mover>,
    /// Squares whose first occupant may be gone one day; all that are empty now.
    vacated: Bitboard,
    /// Where each side may come with a piece that can be taken, and where it may capture.
    takeable: [Bitboard; 2],
    captures: [Bitboard; 2],
}

impl Mover {
    /// Everywhere it may come.
    pub(super) fn reach(&self) -> Bitboard {
        self.stays | self.promoted
    }

    /// The squares it may attack one day.
    pub(super) fn attacks(&self) -> Bitboard {
        let from = self.stays;
        let own = match self.role {
            Role::Pawn => pawn_attacks(self.color, from),
            role => steps(role, from),
        };
        own | steps(Role::Queen, self.promoted) | steps(Role::Knight, self.promoted)
    }
}

impl Reach {
    /// Of a position without a possible capture in passing, which the rules leave out: the pawn that makes a double
    /// step counts as having been on the square it passes.
    pub(super) fn of(position: &Position) -> Reach {
        debug_assert!(
            position.ep_square().is_none(),
            "the square of the capture is not that of the captured"
        );
        let movers = position.occupied().filter_map(|home| {
            let piece = position.piece_at(home)?;
            let promoted = Bitboard::EMPTY;
            Some(Mover { color: piece.color, role: piece.role, home, stays: home.into(), promoted })
        });
        let mut reach = Reach {
            movers: movers.collect(),
            vacated: !position.occupied(),
            takeable: [Bitboard::EMPTY; 2],
            captures: [Bitboard::EMPTY; 2],
        };
        while reach.grow(position) {}
        reach
    }

    /// The king of a colour.
    pub(super) fn king(&self, color: Color) -> Option<&Mover> {
        self.movers.iter().find(|mover| mover.color == color && mover.role == Role::King)
    }

    /// Whether a square may ever be empty.
    pub(super) fn vacated(&self) -> Bitboard {
        self.vacated
    }

    /// Castling is the only move over other pieces: its squares are granted when those between king and rook clear.
    fn castle(&mut self, position: &Position) {
        for color in Color::ALL {
            for side in [CastlingSide::Queen, CastlingSide::King] {
                let Some(rook) = position.castling_rook(color, side) else { continue };
                let king = position.king(color);
                if (attacks::between(king, rook) & !self.vacated).has_any() {
                    continue;
                }
                let (king_file, rook_file) = match side {
                    CastlingSide::King => (6, 5),
                    CastlingSide::Queen => (2, 3),
                };
                for mover in &mut self.movers {
                    if mover.home == rook {
                        mover.stays |= Square::new(rook_file, rook.rank()).into();
                    } else if mover.home == king {
                        mover.stays |= Square::new(king_file, rook.rank()).into();
                    }
                }
                self.vacated |= Bitboard::square(rook) | king.into();
            }
        }
    }

    /// Applies every rule once; whether anything new was found.
    fn grow(&mut self, position: &Position) -> bool {
        let mut changed = false;
        self.castle(position);
        for index in 0..self.movers.len() {
            let before = self.movers[index];
            let after = self.moved(position, before, Stalemate::Heeded);
            let (reach, us, them) = (after.reach(), before.color.index(), (!before.color).index());
            let captures = match before.role {
                Role::Pawn => after.promoted | pawn_attacks(before.color, after.stays) & self.takeable[them],
                _ => reach,
            };
            let is_king = before.role == Role::King;
            let takeable = if is_king { Bitboard::EMPTY } else { reach };
            let taken = !is_king && self.captures[them].contains(before.home);
            let gone = taken || (reach & !Bitboard::square(before.home)).has_any();
            let vacated = if gone { before.home.into() } else { Bitboard::EMPTY };
            changed |= after.stays != before.stays || after.promoted != before.promoted;
            changed |= add(&mut self.captures[us], captures);
            changed |= add(&mut self.takeable[us], takeable);
            changed |= add(&mut self.vacated, vacated);
            self.movers[index] = after;
        }
        changed
    }

    /// The mover after one more move of any kind.
    fn moved(&self, position: &Position, mut mover: Mover, ends: Stalemate) -> Mover {
        // A square with a piece of one's own must be vacated first; one with a foreign piece is vacated by capture.
        let enterable = self.vacated | position.colored(!mover.color);
        match mover.role {
            Role::Pawn => {
                let forward =
                    mover.stays.forward(mover.color) & self.vacated & self.passable(position, &mover);
                let sideways = pawn_attacks(mover.color, mover.stays) & enterable;
                mover.stays |= forward | sideways & self.takeable[(!mover.color).index()];
                mover.promoted |= mover.stays & Bitboard::BACK_RANKS;
                let promoted = steps(Role::Queen, mover.promoted) | steps(Role::Knight, mover.promoted);
                mover.promoted |= promoted & enterable;
            }
            Role::King => {
                let new = self.king_steps(position, &mover);
                let lasts =
                    |square| ends == Stalemate::Ignored || self.leaves_a_move(position, &mover, square);
                mover.stays |= new.filter(|&square| lasts(square)).collect();
            }
            role => mover.stays |= steps(role, mover.stays) & enterable,
        }
        mover
    }

    /// The squares of its file that a pawn may come to by advancing: not those behind a foreign pawn that it faces,
    /// as long as neither leaves the file nor is taken on it.
    fn passable(&self, position: &Position, pawn: &Mover) -> Bitboard {
        let file = Bitboard::file(pawn.home.file());
        if (pawn.reach() & !file).has_any() {
            return Bitboard::ALL;
        }
        let facing = position.pieces(!pawn.color, Role::Pawn) & ahead(pawn.color, pawn.home);
        let mut passable = Bitboard::ALL;
        for other in self.movers.iter().filter(|other| facing.contains(other.home)) {
            let stays_put = (other.reach() & !file).is_empty()
                && (other.stays & self.captures[pawn.color.index()]).is_empty();
            if stays_put {
                passable &= !(ahead(pawn.color, other.home) | other.home.into()) | !file;
            }
        }
        passable
    }

    /// Where a king may go next that it has not been.
    pub(super) fn king_steps(&self, position: &Position, king: &Mover) -> Bitboard {
        let enterable = self.vacated | position.colored(!king.color);
        let new = steps(Role::King, king.stays) & enterable & !king.stays;
        new.filter(|&square| !self.is_guarded(position, king.color, square)).collect()
    }

    /// Whether the other side can still move when a king comes to a square. If not, the game ends there, and what
    /// would follow never happens.
    fn leaves_a_move(&self, position: &Position, king: &Mover, square: Square) -> bool {
        let others = || self.movers.iter().filter(|mover| mover.color != king.color);
        let strays = |mover: &Mover| {
            mover.role != Role::King && (mover.reach() & !Bitboard::square(mover.home)).has_any()
        };
        if others().any(strays) || (position.castling_rooks() & position.colored(!king.color)).has_any() {
            return true;
        }
        let mut next = self.clone();
        next.vacated |= Bitboard::square(king.home) | square.into();
        next.captures[king.color.index()] |= square.into();
        for mover in next.movers.iter_mut().filter(|mover| mover.home == king.home) {
            mover.stays |= square.into();
        }
        let around = attacks::king(square) | square.into();
        others().any(|mover| {
            let moved = next.moved(position, *mover, Stalemate::Ignored);
            let free = if mover.role == Role::King { moved.stays & !around } else { moved.reach() };
            (steps(Role::King, free) & free).has_any() || mover.role != Role::King && free.more_than_one()
        })
    }

    /// Whether a square is attacked for ever, so that the king of `color` never goes there: by a piece that never
    /// leaves and that nothing ever shields.
    fn is_guarded(&self, position: &Position, color: Color, square: Square) -> bool {
        let rooted = position.colored(!color) & !self.vacated & !Bitboard::square(square);
        let king = position.king(color);
        self.movers.iter().filter(|mover| rooted.contains(mover.home)).any(|guard| {
            let on_board = match guard.role {
                Role::Pawn => attacks::pawn(guard.color, guard.home),
                Role::Knight => attacks::knight(guard.home),
                Role::King => attacks::king(guard.home),
                Role::Bishop => attacks::bishop(guard.home, square.into()),
                Role::Rook => attacks::rook(guard.home, square.into()),
                Role::Queen => attacks::queen(guard.home, square.into()),
            };
            let way = attacks::between(guard.home, square);
            on_board.contains(square)
                && (way.is_empty()
                    || !self.movers.iter().any(|mover| mover.home != king && (mover.reach() & way).has_any()))
        })
    }
}

fn add(set: &mut Bitboard, new: Bitboard) -> bool {
    let old = *set;
    *set |= new;
    *set != old
}

/// The squares that pawns on `from` attack.
fn pawn_attacks(color: Color, from: Bitboard) -> Bitboard {
    let forward = from.forward(color);
    west(forward) | east(forward)
}

/// The squares one step away as the role moves; sliders go one square at a time.
pub(super) fn steps(role: Role, from: Bitboard) -> Bitboard {
    let sides = west(from) | east(from);
    let straight = Bitboard(from.0 << 8 | from.0 >> 8) | sides;
    let diagonal = Bitboard(sides.0 << 8 | sides.0 >> 8);
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => {
            let far = west(west(from)) | east(east(from));
            Bitboard(far.0 << 8 | far.0 >> 8 | sides.0 << 16 | sides.0 >> 16)
        }
        Role::Bishop => diagonal,
        Role::Rook => straight,
        Role::Queen | Role::King => straight | diagonal,
    }
}

fn west(squares: Bitboard) -> Bitboard {
    Bitboard((squares & !Bitboard::file(0)).0 >> 1)
}

fn east(squares: Bitboard) -> Bitboard {
    Bitboard((squares & !Bitboard::file(7)).0 << 1)
}
