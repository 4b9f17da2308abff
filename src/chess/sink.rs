//! What is asked of the move generator, and who takes what it produces: lists, counts, filters.

use super::{Bitboard, Move, MoveList, Position, Role, Rules, Square};

/// Which of the legal moves are asked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Where pieces may go.
    pub(super) pieces: Bitboard,
    /// Where pawns may go, in passing aside.
    pub(super) pawns: Bitboard,
    pub(super) promotions: &'static [Role],
    pub(super) en_passant: bool,
    pub(super) castling: bool,
    pub(super) drops: bool,
}

impl Wanted {
    pub(super) fn all<R: Rules>(position: &Position<R>) -> Wanted {
        Wanted {
            pieces: !position.colored(position.turn()),
            pawns: Bitboard::ALL,
            promotions: R::PROMOTIONS,
            en_passant: true,
            castling: true,
            drops: true,
        }
    }

    /// Captures, and the first kind of promotion with or without a capture.
    pub(super) fn captures<R: Rules>(position: &Position<R>) -> Wanted {
        let enemies = position.colored(!position.turn());
        Wanted {
            pieces: enemies,
            pawns: enemies | Bitboard::BACK_RANKS,
            promotions: &R::PROMOTIONS[..1],
            en_passant: true,
            castling: false,
            drops: false,
        }
    }

    /// All that are not among the captures.
    pub(super) fn quiets<R: Rules>(position: &Position<R>) -> Wanted {
        let empty = !position.occupied();
        Wanted {
            pieces: empty,
            pawns: empty | Bitboard::BACK_RANKS,
            promotions: &R::PROMOTIONS[1..],
            en_passant: false,
            castling: true,
            drops: true,
        }
    }
}

/// Takes the moves of a position, one by one or as sets.
pub trait Sink {
    /// Takes one move.
    fn add(&mut self, mv: Move);

    /// Takes the moves of a piece that are neither castling nor promotions.
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.add(Move::plain(from, to));
        }
    }

    /// Takes pawn moves that all go by the same number of squares.
    fn pawns(&mut self, step: Step, targets: Bitboard) {
        for to in targets {
            self.add(Move::plain(step.origin(to), to));
        }
    }

    /// Takes pawn moves to the last rank.
    fn promotions(&mut self, step: Step, targets: Bitboard, roles: &[Role]) {
        for to in targets {
            for &role in roles {
                self.add(Move::promoting(step.origin(to), to, role));
            }
        }
    }

    /// Takes a role's drops.
    fn drops(&mut self, role: Role, targets: Bitboard) {
        for to in targets {
            self.add(Move::dropping(role, to));
        }
    }

    /// Whether it needs no more.
    fn is_full(&self) -> bool {
        false
    }
}

/// By how many squares a pawn goes, such as 8 for White's single step.
#[derive(Clone, Copy, Debug)]
pub struct Step(pub(super) i8);

impl Step {
    fn origin(self, to: Square) -> Square {
        Square::from_index((to.index() as i8 - self.0) as usize)
    }
}

impl Sink for MoveList {
    fn add(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts moves without making them.
pub(super) struct Count(pub(super) u64);

impl Sink for Count {
    fn add(&mut self, _: Move) {
        self.0 += 1;
    }

    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }

    fn pawns(&mut self, _: Step, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }

    fn promotions(&mut self, _: Step, targets: Bitboard, roles: &[Role]) {
        self.0 += u64::from(targets.count()) * roles.len() as u64;
    }

    fn drops(&mut self, _: Role, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }
}

/// Asks whether there is any move.
pub(super) struct Any(pub(super) bool);

impl Sink for Any {
    fn add(&mut self, _: Move) {
        self.0 = true;
    }

    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 |= targets.has_any();
    }

    fn pawns(&mut self, _: Step, targets: Bitboard) {
        self.0 |= targets.has_any();
    }

    fn is_full(&self) -> bool {
        self.0
    }
}

/// Lets only some moves through.
pub(super) struct Filter<'a, S, F> {
    pub(super) sink: &'a mut S,
    pub(super) keep: F,
}

impl<S: Sink, F: Fn(Move) -> bool> Sink for Filter<'_, S, F> {
    fn add(&mut self, mv: Move) {
        if (self.keep)(mv) {
            self.sink.add(mv);
        }
    }

    fn is_full(&self) -> bool {
        self.sink.is_full()
    }
}
