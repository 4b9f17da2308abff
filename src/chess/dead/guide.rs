//! Where a mate is near: costs that put promising positions and moves first. A bad guess costs time, never truth.
//!
//! The leading thought is the mate that would stand on the board if only a piece of the winner stood on another square:
//! the king in check and left with few squares. Where the material is too small or the position too closed for that,
//! the [plans](super::plan) tell what to do first.

use super::super::{Bitboard, Color, Move, Position, Role, Square, attacks};
use super::plan;

const OFFICERS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The distance where no officer can give check.
const FAR: i32 = 80;

/// What a search believes in: the weight of each measure of distance.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) near: i32,
    pub(super) corner: i32,
    pub(super) promotion: i32,
}

/// How often each officer has been sent to each square. Goals that were tried much give way to others.
pub(super) type Fatigue = [[u16; 64]; 6];

/// What a look at a position suggests.
pub(super) struct Guide {
    winner: Color,
    turn: Color,
    /// How far a mate seems to be by the best goal, and the same with its fatigue counted in.
    near: i32,
    weary: i32,
    /// For each officer of the winner the squares from which it nearly mates, and those on the way there.
    goals: [Bitboard; 6],
    ways: [Bitboard; 6],
    /// A goal beside the king that no other piece protects yet.
    bare: Bitboard,
    maps: Maps,
}

/// Who attacks what, the losing king taken off the board.
struct Maps {
    king: Square,
    occupied: Bitboard,
    /// The squares beside the losing king, and those among them where it may go.
    around: Bitboard,
    escapes: Bitboard,
    /// What the winner attacks.
    covered: Bitboard,
    /// Where the loser's other men may capture, and where they may go.
    defended: Bitboard,
    blocked: Bitboard,
}

impl Guide {
    pub(super) fn of(position: &Position, winner: Color, fatigue: &Fatigue) -> Guide {
        let mut guide = Guide {
            winner,
            turn: position.turn(),
            near: FAR,
            weary: i32::MAX,
            goals: [Bitboard::EMPTY; 6],
            ways: [Bitboard::EMPTY; 6],
            bare: Bitboard::EMPTY,
            maps: Maps::of(position, winner),
        };
        for role in OFFICERS {
            let pieces = position.pieces(winner, role);
            if pieces.has_any() {
                guide.aim(position, role, pieces, &fatigue[role.index()]);
            }
        }
        guide
    }

    /// How far a mate looks, in a style.
    pub(super) fn distance(&self, position: &Position, style: Style) -> i32 {
        let mut distance = 0;
        if style.near != 0 {
            let (king, helper) = (self.maps.king, position.king(self.winner));
            let edge = |n: u8| i32::from(n.min(7 - n));
            let edge = edge(king.file()).min(edge(king.rank()));
            let near = self.near + 3 * edge + (plan::apart(helper, king) - 2).max(0);
            distance += style.near * near;
        }
        if style.corner != 0 {
            distance += style.corner * plan::corner(position, self.winner);
        }
        if style.promotion != 0 {
            distance += style.promotion * plan::promotion(position, self.winner);
        }
        distance
    }

    /// Notes which goals were pursued.
    pub(super) fn tire(&self, fatigue: &mut Fatigue) {
        for (tired, goals) in fatigue.iter_mut().zip(self.goals) {
            for goal in goals {
                tired[goal.index()] = tired[goal.index()].saturating_add(1);
            }
        }
    }

    /// What a move adds to the distance. The summands were tuned on positions of games and of the CHA solver.
    pub(super) fn step(&self, position: &Position, mv: Move) -> i32 {
        let role = position.moved(mv);
        let captures = i32::from(position.is_capture(mv));
        if self.turn == self.winner {
            let promotes = i32::from(mv.promotion().is_some());
            -(self.attack(role, mv.to()) + 3 * captures + 20 * promotes)
        } else if role == Role::King {
            let flights =
                attacks::king(mv.destination()) & !position.colored(!self.winner) & !self.maps.covered;
            4 * captures + 3 * (flights.count() as i32 - self.maps.escapes.count() as i32)
        } else {
            4 * captures - self.help(role, mv)
        }
    }

    /// The use of a square for a piece of the winner: it is the goal or on the way, protects it, or takes squares from
    /// the king.
    fn attack(&self, role: Role, to: Square) -> i32 {
        let view = view(self.winner, role, to, self.maps.occupied);
        let goal = i32::from(self.goals[role.index()].contains(to));
        let way = i32::from(self.ways[role.index()].contains(to));
        let supports = i32::from((view & self.bare).has_any());
        6 * goal + 3 * way * (1 - goal) + 4 * supports + (view & self.maps.escapes).count() as i32
    }

    /// The use of a move of another man of the loser: into the king's way, not out of it, and away from the goal.
    fn help(&self, role: Role, mv: Move) -> i32 {
        let (from, maps) = (mv.from(), &self.maps);
        let goals = self.goals.into_iter().fold(Bitboard::EMPTY, |all, goals| all | goals);
        let blocks = i32::from(maps.escapes.contains(mv.to()));
        let unblocks = i32::from(maps.around.contains(from) && !maps.covered.contains(from));
        let guards = i32::from((view(!self.winner, role, from, maps.occupied) & goals).has_any());
        3 * blocks - 2 * unblocks + 3 * guards
    }

    /// Looks for the best squares of one role.
    fn aim(&mut self, position: &Position, role: Role, pieces: Bitboard, fatigue: &[u16; 64]) {
        let own = position.colored(self.winner);
        let (king, occupied, around) = (self.maps.king, self.maps.occupied, self.maps.around);
        // The piece that goes to give mate no longer attacks what it attacks from here.
        let rest = if pieces.more_than_one() { own } else { own & !pieces };
        let covered = map(position, self.winner, rest, occupied);
        let escapes = around & !position.colored(!self.winner) & !covered;
        let reach = map(position, self.winner, pieces, occupied);
        for square in view(self.winner, role, king, occupied) & (!own | pieces) {
            let beside = around.contains(square);
            let bare = beside && !covered.contains(square);
            let sight = view(self.winner, role, square, occupied);
            let mut cost = 6 * (escapes & !sight & !Bitboard::square(square)).count() as i32;
            if self.maps.defended.contains(square) {
                cost += 5;
            }
            if bare {
                cost += 6;
            } else if !beside && role != Role::Knight {
                let blocked = (attacks::between(square, king) & self.maps.blocked).has_any();
                cost += if blocked { 5 } else { 1 };
            }
            cost += if reach.contains(square) {
                3
            } else if (sight & reach).has_any() {
                6
            } else {
                9
            };
            self.near = self.near.min(cost);
            let weary = cost + i32::from(fatigue[square.index()] / 4);
            if weary < self.weary {
                self.forget(weary);
            }
            if weary == self.weary {
                self.goals[role.index()] |= square.into();
                self.ways[role.index()] |= sight;
                if bare {
                    self.bare |= square.into();
                }
            }
        }
    }

    /// Makes room for a better goal.
    fn forget(&mut self, weary: i32) {
        self.weary = weary;
        self.goals = [Bitboard::EMPTY; 6];
        self.ways = [Bitboard::EMPTY; 6];
        self.bare = Bitboard::EMPTY;
    }
}

impl Maps {
    fn of(position: &Position, winner: Color) -> Maps {
        let king = position.king(!winner);
        let occupied = position.occupied() ^ king.into();
        let men = position.colored(!winner) & !Bitboard::square(king);
        let pawns = position.pieces(!winner, Role::Pawn);
        let around = attacks::king(king);
        let covered = map(position, winner, position.colored(winner), occupied);
        let officers = map(position, !winner, men & !pawns, occupied);
        Maps {
            king,
            occupied,
            around,
            escapes: around & !position.colored(!winner) & !covered,
            covered,
            defended: officers | map(position, !winner, pawns, occupied),
            blocked: officers | pawns.forward(!winner),
        }
    }
}

/// What the pieces on some squares attack.
fn map(position: &Position, color: Color, pieces: Bitboard, occupied: Bitboard) -> Bitboard {
    pieces.fold(Bitboard::EMPTY, |all, from| match position.role_at(from) {
        Some(role) => all | view(color, role, from, occupied),
        None => all,
    })
}

/// What a piece attacks from a square.
#[inline]
pub(super) fn view(color: Color, role: Role, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => attacks::pawn(color, square),
        Role::Knight => attacks::knight(square),
        Role::Bishop => attacks::bishop(square, occupied),
        Role::Rook => attacks::rook(square, occupied),
        Role::Queen => attacks::queen(square, occupied),
        Role::King => attacks::king(square),
    }
}
