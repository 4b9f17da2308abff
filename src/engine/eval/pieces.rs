//! Knights, bishops, rooks and queens: placement, mobility and good squares, and what each side attacks.

use super::pawns::{PawnEntry, attacks_of, double_attacks_of, relative};
use super::taper::Taper;
use super::weights::weights;
use crate::chess::{Bitboard, Color, Position, Role, Rules, Square, attacks};

/// What both sides attack, gathered piece by piece; index 0 is White.
pub(super) struct Scan<'a, R: Rules> {
    pub(super) position: &'a Position<R>,
    pub(super) occupied: Bitboard,
    /// What is attacked, by colour and role.
    pub(super) by: [[Bitboard; 6]; 2],
    pub(super) all: [Bitboard; 2],
    /// Attacked by two pieces or more.
    pub(super) twice: [Bitboard; 2],
    /// The squares round the king of the colour.
    pub(super) ring: [Bitboard; 2],
    /// What the pieces near that king add to its danger, and how many they are.
    pub(super) attackers: [i32; 2],
    pub(super) attacker_weight: [i32; 2],
    pub(super) ring_attacks: [i32; 2],
}

impl<'a, R: Rules> Scan<'a, R> {
    /// Looks at pawns and kings; the pieces come with [`Scan::pieces`].
    pub(super) fn new(position: &'a Position<R>) -> Scan<'a, R> {
        let mut scan = Scan {
            position,
            occupied: position.occupied(),
            by: [[Bitboard::EMPTY; 6]; 2],
            all: [Bitboard::EMPTY; 2],
            twice: [Bitboard::EMPTY; 2],
            ring: [Bitboard::EMPTY; 2],
            attackers: [0; 2],
            attacker_weight: [0; 2],
            ring_attacks: [0; 2],
        };
        for color in Color::ALL {
            let c = color.index();
            let pawns = position.pieces(color, Role::Pawn);
            let by_pawns = attacks_of(pawns, color);
            let by_king = attacks::king(position.king(color));
            scan.by[c][Role::Pawn.index()] = by_pawns;
            scan.by[c][Role::King.index()] = by_king;
            scan.all[c] = by_pawns | by_king;
            scan.twice[c] = by_pawns & by_king | double_attacks_of(pawns, color);
            scan.ring[c] = ring(position.king(color)) & !double_attacks_of(pawns, color);
        }
        scan
    }

    /// The value of the pieces of `us`. Call it for both sides before looking at threats and kings.
    pub(super) fn pieces(&mut self, us: Color, pawns: &PawnEntry) -> Taper {
        let (c, them) = (us.index(), !us);
        let position = self.position;
        let own_pawns = position.pieces(us, Role::Pawn);
        let stuck = own_pawns & (self.occupied.forward(them) | low_ranks(us));
        let area = !(self.by[them.index()][Role::Pawn.index()]
            | stuck
            | position.pieces(us, Role::King)
            | position.pieces(us, Role::Queen));
        let mut score = Taper::ZERO;
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for square in position.pieces(us, role) {
                let attacked = self.attacked(us, role, square);
                self.twice[c] |= self.all[c] & attacked;
                self.all[c] |= attacked;
                self.by[c][role.index()] |= attacked;
                self.approach(us, role, attacked);
                let mobility = (attacked & area).count() as usize;
                score += weights().material[role.index()]
                    + weights().placement[role.index()][relative(square, us).index()]
                    + mobility_of(role, mobility)
                    + self.good_square(us, role, square, pawns);
            }
        }
        if position.pieces(us, Role::Bishop).more_than_one() {
            score += weights().bishop_pair;
        }
        score + weights().placement[Role::King.index()][relative(position.king(us), us).index()]
    }

    /// What a piece attacks: through own pieces that move on the same lines, and only along a pin.
    fn attacked(&self, us: Color, role: Role, square: Square) -> Bitboard {
        let position = self.position;
        let queens = position.by_role(Role::Queen);
        let rooks = position.pieces(us, Role::Rook);
        match role {
            Role::Knight => attacks::knight(square),
            Role::Bishop => attacks::bishop(square, self.occupied ^ queens),
            Role::Rook => attacks::rook(square, self.occupied ^ queens ^ rooks),
            Role::Pawn | Role::Queen | Role::King => attacks::queen(square, self.occupied),
        }
    }

    /// Counts a piece of `us` that attacks squares round the enemy king.
    fn approach(&mut self, us: Color, role: Role, attacked: Bitboard) {
        let them = (!us).index();
        if (attacked & self.ring[them]).has_any() {
            self.attackers[them] += 1;
            self.attacker_weight[them] += weights().king.attacker[role.index()];
            self.ring_attacks[them] += (attacked & self.by[them][Role::King.index()]).count() as i32;
        }
    }

    fn good_square(&self, us: Color, role: Role, square: Square, pawns: &PawnEntry) -> Taper {
        let mut score = Taper::ZERO;
        let own_pawns = self.position.pieces(us, Role::Pawn);
        let at = Bitboard::square(square);
        match role {
            Role::Knight | Role::Bishop => {
                let safe =
                    !pawns.spans[(!us).index()] & self.by[us.index()][Role::Pawn.index()] & high_ranks(us);
                if (safe & at).has_any() {
                    score += if role == Role::Knight {
                        weights().knight_outpost
                    } else {
                        weights().bishop_outpost
                    };
                }
                if (at.forward(us) & self.position.by_role(Role::Pawn)).has_any() {
                    score += weights().minor_behind_pawn;
                }
                if role == Role::Bishop {
                    let color =
                        if Bitboard::DARK.contains(square) { Bitboard::DARK } else { !Bitboard::DARK };
                    score += weights().bishop_pawns * (own_pawns & color).count() as i32;
                }
            }
            Role::Rook => {
                let file = Bitboard::file(square.file());
                if (file & own_pawns).is_empty() {
                    let open = (file & self.position.by_role(Role::Pawn)).is_empty();
                    score += if open { weights().rook_open } else { weights().rook_half_open };
                }
            }
            Role::Pawn | Role::Queen | Role::King => {}
        }
        score
    }
}

fn mobility_of(role: Role, squares: usize) -> Taper {
    match role {
        Role::Knight => weights().knight_mobility[squares],
        Role::Bishop => weights().bishop_mobility[squares],
        Role::Rook => weights().rook_mobility[squares],
        Role::Pawn | Role::Queen | Role::King => weights().queen_mobility[squares],
    }
}

/// The squares next to the king, moved in from the edge so that a king in the corner has as many as any other.
fn ring(king: Square) -> Bitboard {
    let centre = Square::new(king.file().clamp(1, 6), king.rank().clamp(1, 6));
    attacks::king(centre) | Bitboard::square(centre)
}

/// The second and third rank of `us`, where pawns are in the way of pieces.
fn low_ranks(us: Color) -> Bitboard {
    Bitboard::rank(us.rank(1)) | Bitboard::rank(us.rank(2))
}

/// The fourth to the sixth rank of `us`.
fn high_ranks(us: Color) -> Bitboard {
    Bitboard::rank(us.rank(3)) | Bitboard::rank(us.rank(4)) | Bitboard::rank(us.rank(5))
}
