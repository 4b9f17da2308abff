//! Whether any mate could stand on the board, given what can ever move where. Errs on one side only: what it calls
//! impossible never happens.

use super::super::{Bitboard, Color, Position, Role, Square, attacks};
use super::reach::{Mover, Reach};

/// Whether `winner` can certainly never mate, seen without moving.
pub(super) fn is_impossible(position: &Position, winner: Color) -> bool {
    if position.ep_square().is_some() {
        return false;
    }
    let reach = Reach::of(position);
    let (Some(king), Some(loser)) = (reach.king(winner), reach.king(!winner)) else { return false };
    let men =
        |color| reach.movers.iter().filter(move |mover| mover.color == color && mover.role != Role::King);
    let slides =
        |roles: [Role; 2]| men(winner).any(|mover| roles.contains(&mover.role) || mover.promoted.has_any());
    let net = Net {
        covered: men(winner).fold(Bitboard::EMPTY, |all, mover| all | mover.attacks()),
        kings: king.stays,
        last_steps: reach.king_steps(position, king),
        diagonals: slides([Role::Bishop, Role::Queen]),
        straights: slides([Role::Rook, Role::Queen]),
        vacated: reach.vacated(),
        blockers: men(!winner).map(Mover::reach).collect(),
    };
    !loser.stays.into_iter().any(|king| net.may_hold(king))
}

/// What a mate is made of.
struct Net {
    /// What the winner's pieces may attack one day.
    covered: Bitboard,
    /// Where the winner's king may stand, and where it may come with a move after which the other side has none.
    kings: Bitboard,
    last_steps: Bitboard,
    /// Whether the winner may give check along diagonals, and along ranks and files.
    diagonals: bool,
    straights: bool,
    /// Squares that may be empty one day.
    vacated: Bitboard,
    /// Where each of the loser's pieces may stand in the way of its own king.
    blockers: Vec<Bitboard>,
}

impl Net {
    /// Whether a king may be mated on a square: it is in check, and each square around it is attacked, by the pieces
    /// or from one place of the other king, or taken by a man of its own.
    fn may_hold(&self, king: Square) -> bool {
        let open = attacks::king(king) & !self.covered;
        let near = attacks::king(king) | king.into();
        let uncovers = |helper| {
            (attacks::king(helper) & self.kings & !near).into_iter().any(|from| self.opens(from, king))
        };
        let last = self.last_steps & !near;
        let helpers = self.kings & !near | last.filter(|&helper| uncovers(helper)).collect();
        self.covered.contains(king)
            && helpers.into_iter().any(|helper| self.can_block(open & !attacks::king(helper)))
    }

    /// Whether a king that leaves `from` may uncover a check.
    fn opens(&self, from: Square, king: Square) -> bool {
        let diagonal = attacks::bishop(king, Bitboard::EMPTY).contains(from) && self.diagonals;
        let straight = attacks::rook(king, Bitboard::EMPTY).contains(from) && self.straights;
        (diagonal || straight) && (attacks::between(from, king) & !self.vacated).is_empty()
    }

    /// Whether each of the squares can have a blocker of its own.
    fn can_block(&self, squares: Bitboard) -> bool {
        let mut owners = vec![None; self.blockers.len()];
        squares
            .into_iter()
            .all(|square| self.assign(square, &mut owners, &mut vec![false; self.blockers.len()]))
    }

    /// Finds a blocker for one more square, sending others elsewhere if need be (Kuhn's matching).
    fn assign(&self, square: Square, owners: &mut [Option<Square>], tried: &mut [bool]) -> bool {
        for index in 0..self.blockers.len() {
            if tried[index] || !self.blockers[index].contains(square) {
                continue;
            }
            tried[index] = true;
            if owners[index].is_none_or(|other| self.assign(other, owners, tried)) {
                owners[index] = Some(square);
                return true;
            }
        }
        false
    }
}
