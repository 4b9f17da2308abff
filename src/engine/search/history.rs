//! What the search learns about moves and about its own evaluation while it runs.
//!
//! Every table holds small numbers that move towards their bound ever more slowly (gravity), so that old lessons
//! fade and nothing overflows.

use super::memory::PieceTo;
use crate::chess::{Bitboard, Color, Move, Position, Role, Rules, attacks};
use crate::engine::params::{self, CORRECTION_LIMIT, HISTORY_LIMIT};
use crate::engine::score::{EVAL_LIMIT, Value};
use crate::engine::tt::salt;

/// What the worth of a quiet move depends on besides the move.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    /// The moves one, two and four plies ago.
    pub(crate) before: [PieceTo; 3],
    /// The squares that the opponent attacks.
    pub(crate) threats: Bitboard,
}

impl Context {
    /// Nothing is known.
    pub(crate) const NONE: Context = Context { before: [PieceTo::NONE; 3], threats: Bitboard(0) };

    pub(crate) fn new<R: Rules>(position: &Position<R>, before: [PieceTo; 3]) -> Context {
        Context { before, threats: threats(position) }
    }
}

/// The squares that the side not to move attacks.
fn threats<R: Rules>(position: &Position<R>) -> Bitboard {
    let them = !position.turn();
    let (theirs, occupied) = (position.colored(them), position.occupied());
    let of = |role: Role| position.by_role(role) & theirs;
    let queens = of(Role::Queen);
    let mut threats = attacks::pawns(them, of(Role::Pawn));
    for square in of(Role::Knight) {
        threats |= attacks::knight(square);
    }
    for square in of(Role::Bishop) | queens {
        threats |= attacks::bishop(square, occupied);
    }
    for square in of(Role::Rook) | queens {
        threats |= attacks::rook(square, occupied);
    }
    for square in of(Role::King) {
        threats |= attacks::king(square);
    }
    threats
}

/// The tables of one thread.
pub(crate) struct Histories {
    /// By colour, whether the opponent attacks from and to, from and to: how often a quiet move was the best.
    quiet: Box<[i16]>,
    /// By piece, target and captured role.
    capture: Box<[i16]>,
    /// By a key of the pawns, piece and target of a quiet move.
    pawn: Box<[i16]>,
    /// By a move made one, two or four plies before, and the move that follows.
    continuation: Box<[i16]>,
    /// How far the evaluation was off: by colour and a key of the pawns, and of either side's pieces.
    correction: [Box<[i16]>; 3],
    /// The same by the last two moves.
    line_correction: Box<[i16]>,
}

/// Piece-and-target pairs, and one for "no move".
const PIECE_TOS: usize = 12 * 64 + 1;
/// Structures of pawns that the pawn history tells apart.
const PAWN_STRUCTURES: usize = 256;
/// Entries of a correction table for one colour.
const CORRECTIONS: usize = 1 << 14;
/// Entries of the correction table for pairs of moves.
const LINE_CORRECTIONS: usize = 1 << 14;

fn zeros(length: usize) -> Box<[i16]> {
    vec![0; length].into_boxed_slice()
}

/// Moves `entry` by `bonus`, less the nearer it is to `limit`.
fn gravity(entry: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / limit) as i16;
}

fn quiet_index(color: Color, mv: Move, threats: Bitboard) -> usize {
    let attacked = |square| usize::from(threats.contains(square));
    color.index() << 14
        | attacked(mv.from()) << 13
        | attacked(mv.to()) << 12
        | mv.from().index() << 6
        | mv.to().index()
}

fn pawn_index<R: Rules>(position: &Position<R>, piece_to: usize) -> usize {
    (position.pawn_key() as usize & (PAWN_STRUCTURES - 1)) * PIECE_TOS + piece_to
}

fn capture_index<R: Rules>(position: &Position<R>, mv: Move) -> usize {
    let captured = position.captured(mv).map_or(Role::King.index(), Role::index);
    PieceTo::of(position, mv).index() * 6 + captured
}

impl Histories {
    pub(crate) fn new() -> Histories {
        Histories {
            quiet: zeros(2 << 14),
            capture: zeros(PIECE_TOS * 6),
            pawn: zeros(PAWN_STRUCTURES * PIECE_TOS),
            continuation: zeros(PIECE_TOS * PIECE_TOS),
            correction: [zeros(2 * CORRECTIONS), zeros(2 * CORRECTIONS), zeros(2 * CORRECTIONS)],
            line_correction: zeros(LINE_CORRECTIONS),
        }
    }

    pub(crate) fn clear(&mut self) {
        for table in [
            &mut self.quiet,
            &mut self.capture,
            &mut self.pawn,
            &mut self.continuation,
            &mut self.line_correction,
        ] {
            table.fill(0);
        }
        for table in &mut self.correction {
            table.fill(0);
        }
    }

    /// The worth of a quiet move.
    pub(crate) fn quiet<R: Rules>(&self, position: &Position<R>, mv: Move, context: Context) -> i32 {
        let before = context.before;
        let now = PieceTo::of(position, mv).index();
        let follow = |earlier: PieceTo| i32::from(self.continuation[earlier.index() * PIECE_TOS + now]);
        i32::from(self.quiet[quiet_index(position.turn(), mv, context.threats)])
            + i32::from(self.pawn[pawn_index(position, now)])
            + follow(before[0])
            + follow(before[1])
            + follow(before[2]) * params::continuation_far() / 1000
    }

    pub(crate) fn add_quiet<R: Rules>(
        &mut self,
        position: &Position<R>,
        mv: Move,
        context: Context,
        bonus: i32,
    ) {
        let index = quiet_index(position.turn(), mv, context.threats);
        gravity(&mut self.quiet[index], bonus, HISTORY_LIMIT);
        let now = PieceTo::of(position, mv).index();
        gravity(&mut self.pawn[pawn_index(position, now)], bonus, HISTORY_LIMIT);
        for earlier in context.before {
            gravity(&mut self.continuation[earlier.index() * PIECE_TOS + now], bonus, HISTORY_LIMIT);
        }
    }

    /// A move that is known only by its piece and target gains after the moves `before` it.
    pub(crate) fn add_follow(&mut self, made: PieceTo, before: [PieceTo; 3], bonus: i32) {
        for earlier in before {
            gravity(&mut self.continuation[earlier.index() * PIECE_TOS + made.index()], bonus, HISTORY_LIMIT);
        }
    }

    pub(crate) fn capture<R: Rules>(&self, position: &Position<R>, mv: Move) -> i32 {
        i32::from(self.capture[capture_index(position, mv)])
    }

    pub(crate) fn add_capture<R: Rules>(&mut self, position: &Position<R>, mv: Move, bonus: i32) {
        gravity(&mut self.capture[capture_index(position, mv)], bonus, HISTORY_LIMIT);
    }

    /// The evaluation with what was learnt about positions like this one, and after moves like those `before`.
    pub(crate) fn corrected<R: Rules>(
        &self,
        position: &Position<R>,
        before: [PieceTo; 3],
        eval: Value,
    ) -> Value {
        let keys = correction_keys(position);
        let weights = [params::correction_pawns(), params::correction_pieces(), params::correction_pieces()];
        let mut sum: i32 = (0..3).map(|i| i32::from(self.correction[i][keys[i]]) * weights[i]).sum();
        sum += i32::from(self.line_correction[line_index(before)]) * params::correction_line();
        (eval + sum / 1024).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// A search of `depth` found the position to be worth `error` more than its evaluation.
    pub(crate) fn correct<R: Rules>(
        &mut self,
        position: &Position<R>,
        before: [PieceTo; 3],
        error: Value,
        depth: i32,
    ) {
        let bonus =
            (error * depth / params::correction_divisor()).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        for (table, key) in self.correction.iter_mut().zip(correction_keys(position)) {
            gravity(&mut table[key], bonus, CORRECTION_LIMIT);
        }
        gravity(&mut self.line_correction[line_index(before)], bonus, CORRECTION_LIMIT);
    }
}

/// Pairs of moves share entries, so that the table stays small: a miss of the cache costs more than a mistake.
fn line_index(before: [PieceTo; 3]) -> usize {
    let pair = before[1].index() * PIECE_TOS + before[0].index();
    (pair as u32).wrapping_mul(0x9e37_79b1) as usize >> (32 - LINE_CORRECTIONS.ilog2())
}

fn correction_keys<R: Rules>(position: &Position<R>) -> [usize; 3] {
    let turn = position.turn().index();
    let slot = |key: u64| turn * CORRECTIONS + ((key ^ salt(R::VARIANT)) as usize & (CORRECTIONS - 1));
    [
        slot(position.pawn_key()),
        slot(pieces_key(position, position.colored(Color::White))),
        slot(pieces_key(position, position.colored(Color::Black))),
    ]
}

/// A key of where the pieces other than pawns stand in `set`: multiplicative hashing of each role's squares.
fn pieces_key<R: Rules>(position: &Position<R>, set: Bitboard) -> u64 {
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
    let key = roles.into_iter().fold(0u64, |key, role| {
        (key.rotate_left(11) ^ (position.by_role(role) & set).0).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    key >> 40
}
