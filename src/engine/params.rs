//! Every constant of the engine's decisions, with its unit, except the weights of the evaluation. Values without a
//! measurement beside them are common orders of magnitude, checked only as a whole by matches.
//!
//! Those that only matches can judge are `tunable`: in a build with the feature `tune` each is an option of the UCI
//! engine, so that a tuner can try others. What bounds a table or guards a promise is a plain constant.

use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// A constant that can be set, in a build with the feature `tune`.
#[derive(Debug)]
pub struct Parameter {
    /// Its name in this file, and as an option.
    pub name: &'static str,
    /// What it is if nothing is set, in the unit of the option.
    pub default: i64,
    /// Units of the option that make one of the constant: 1000 where it has a fraction.
    pub scale: i64,
    value: AtomicI64,
}

impl Parameter {
    /// Searches and games that begin afterwards go by `value`, in the unit of the option.
    pub fn set(&self, value: i64) {
        self.value.store(value, Relaxed);
    }

    #[cfg(feature = "tune")]
    const fn new(name: &'static str, scale: i64, default: f64) -> Parameter {
        let default = (default * scale as f64 + 0.5) as i64;
        Parameter { name, default, scale, value: AtomicI64::new(default) }
    }

    #[cfg(feature = "tune")]
    fn get(&self) -> f64 {
        self.value.load(Relaxed) as f64 / self.scale as f64
    }
}

/// Declares functions that return a constant each; with the feature `tune`, what it was last set to.
macro_rules! tunable {
    ($($(#[$doc:meta])* $name:ident: $kind:ident = $value:expr;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub(crate) const fn $name() -> $kind {
                $value
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            pub(crate) fn $name() -> $kind {
                cells::$name.get() as $kind
            }
        )*

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals, reason = "each has the name of its function")]
        mod cells {
            use super::Parameter;

            $(pub(super) static $name: Parameter =
                Parameter::new(stringify!($name), super::scale(stringify!($kind)), $value as f64);)*

            pub(super) static ALL: &[&Parameter] = &[$(&$name),*];
        }

        /// All that can be set, in the order of this file; nothing without the feature `tune`.
        pub fn parameters() -> &'static [&'static Parameter] {
            #[cfg(feature = "tune")]
            return cells::ALL;
            #[cfg(not(feature = "tune"))]
            return &[];
        }
    };
}

/// Whole numbers are set as they are, fractions in thousandths.
#[cfg(feature = "tune")]
const fn scale(kind: &str) -> i64 {
    if matches!(kind.as_bytes(), b"f64") { 1000 } else { 1 }
}

// ==== Constants ====

// ---- Time: see `time` ----

/// Time controls further away than this many moves are not saved for.
pub(crate) const MOVES_TO_GO_CAP: u32 = 40;
/// Moves after which a game is drawn on Lichess whatever is on the board: none is longer.
pub(crate) const LONGEST_GAME: f64 = 300.0;

// ---- Material for exchanges: see `see` ----

/// Centipawns by role; a king is never given up.
pub(crate) const SEE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

// ---- Running: see `search::control`, `pool` ----

/// Nodes between two looks at the clock and the stop flag: a millisecond at the very slowest.
pub(crate) const POLL_NODES: u64 = 1024;

// ---- Histories: see `search::history`, `search::picker` ----

/// The bound of a history entry.
pub(crate) const HISTORY_LIMIT: i32 = 16_384;
/// The bound of a correction entry.
pub(crate) const CORRECTION_LIMIT: i32 = 1024;

// ---- Deepening: see `search::deepen` ----

/// The longest thought where there is nothing to decide: enough for a score and a move to ponder on.
pub(crate) const IDLE_TIME: std::time::Duration = std::time::Duration::from_millis(10);

// ---- Threads: see `pool` ----

/// Bytes of stack for a search thread; a frame of the search takes about a kilobyte, the deepest line has 200.
pub(crate) const STACK_BYTES: usize = 8 << 20;
/// MiB that a search thread is counted for: what it remembers takes about 2, its stack less than 1.
pub(crate) const THREAD_MIB: usize = 4;
/// Niceness of search threads that work in the background (the system's scale from -20 to 19).
pub(crate) const NICENESS: i32 = 5;
/// How long after its limit, or after it was stopped, a search is given up and answered for.
pub(crate) const GRACE: std::time::Duration = std::time::Duration::from_millis(50);
/// Nodes and time of the search that finds a move for one that broke down before it had any.
pub(crate) const RESCUE_NODES: u64 = 2000;
pub(crate) const RESCUE_TIME: std::time::Duration = std::time::Duration::from_millis(20);
/// How long a search that was stopped before any thread had time for it is waited for, before a quick answer.
pub(crate) const STOPPED_GRACE: std::time::Duration = std::time::Duration::from_millis(2);

// ==== Parameters ====

tunable! {
    // ---- Time: see `time` ----

    /// Moves: how long the rest of a game is taken to be once the opening is over.
    horizon: f64 = 24.0;
    /// Moves: the same at the first move, so that the first thoughts are shorter.
    horizon_start: f64 = 34.0;
    /// Plies until [`horizon_start`] has become [`horizon`].
    opening_plies: usize = 20;
    /// Share of the increment that a move may count on.
    increment_share: f64 = 0.75;
    /// Most of the clock that one normal move takes.
    soft_clock_share: f64 = 0.25;
    /// Most of the clock that one hard move takes.
    hard_clock_share: f64 = 0.45;
    /// A hard move may take this many times a normal one.
    hard_factor: f64 = 4.5;
    /// Share of the clock that is spread over the moves to the time control.
    control_share: f64 = 0.85;
    /// Most of the clock for the last move before the control.
    last_move_cap: f64 = 0.9;
    /// Share of the first clock that may be set aside for what moves lose on their way to the server. A game of 60 s
    /// without increment then lasts 300 moves at 100 ms each (see the tests of `bot::budget`).
    lag_share: f64 = 0.65;
    /// The lag that is reckoned with, as a multiple of the average: what is kept must outlast bad luck.
    lag_margin: f64 = 1.15;
    /// Moves for which the lag is set aside, however long the game is already.
    lag_moves_least: f64 = 20.0;
    /// Moves for which the lag is set aside when it is not known what the clock began with.
    lag_moves_unknown: f64 = 40.0;
    /// Share of the clock that is left for thinking whatever is set aside.
    free_share: f64 = 0.02;
    /// Moves from which on a game without increment is a long one, and moves that each further one adds to the horizon.
    long_game: usize = 40;
    long_game_spread: f64 = 1.0;

    // ---- Histories: see `search::history`, `search::picker` ----

    /// Added to the score of the second killer; the first gets it twice.
    killer_bonus: i32 = 40_000;
    /// Thousandths of the history of a move after the one four plies before.
    continuation_far: i32 = 500;
    /// A capture's history counts one for so many of a hundredth of a pawn that it takes.
    capture_gain: i32 = 16;
    /// 1024ths of a centipawn per unit: corrections by pawns, and by either side's pieces.
    correction_pawns: i32 = 72;
    correction_pieces: i32 = 60;
    /// The same by the last two moves.
    correction_line: i32 = 60;
    /// Centipawns of error, times plies of depth, for a unit learnt.
    correction_divisor: i32 = 8;

    // ---- Late move reductions: see `search::memory`, `search::node` ----

    /// Plies.
    lmr_base: f64 = 0.55;
    /// Plies per product of natural logarithms of depth and move number.
    lmr_factor: f64 = 0.45;
    /// The history of a move that takes a ply off its reduction.
    lmr_history: i32 = 8192;
    /// 1024ths of a ply less for a capture or new queen, on a principal variation once, at a node of the present one,
    /// for a check, and for a killer.
    lmr_noisy: i32 = 700;
    lmr_was_pv: i32 = 900;
    lmr_pv: i32 = 500;
    lmr_check: i32 = 900;
    lmr_killer: i32 = 1024;
    /// 1024ths of a ply more where the node is expected to fail high, where the position does not improve, and where
    /// more than so many of the nodes below failed high.
    lmr_cut: i32 = 1400;
    lmr_not_improving: i32 = 450;
    lmr_cutoffs: i32 = 700;
    lmr_cutoffs_from: u32 = 4;
    /// Centipawns above the best by which a reduced search earns a deeper re-search (plus two a ply).
    deeper_margin: i32 = 45;
    /// Centipawns above the best below which the re-search is shallower.
    shallower_margin: i32 = 8;

    // ---- Cutting nodes: see `search::prune`, `search::node` (centipawns, plies) ----

    /// No cut by the table when the fifty-move clock is this far: what it knows may be of another clock.
    table_cut_clock: u16 = 90;
    /// Internal iterative reduction from this depth.
    iir_depth: i32 = 4;
    /// Reverse futility up to this depth: margin per ply, and its base.
    rfp_depth: i32 = 9;
    rfp: i32 = 72;
    rfp_base: i32 = 10;
    /// The value of such a cut: so many parts of beta to one of the guess.
    rfp_blend: i32 = 2;
    /// Razoring up to this depth: base and margin per square of the depth.
    razor_depth: i32 = 3;
    razor_base: i32 = 220;
    razor: i32 = 130;
    /// Null move: its reduction's base, and the lead that adds another ply.
    null_base: i32 = 4;
    /// Another ply of reduction for so many of depth, and the most for the lead.
    null_depth: i32 = 3;
    null_lead_max: i32 = 3;
    null_divisor: i32 = 180;
    /// The evaluation may be this much below beta per ply of depth, less the base.
    null_eval: i32 = 16;
    null_eval_base: i32 = 120;
    /// From this depth a null move's cut is verified.
    null_verify_depth: i32 = 14;
    /// Thousandths of the reduced depth below which no null move is tried while verifying.
    null_verify_share: i32 = 750;
    /// Probable cuts from this depth, by this margin.
    probcut_depth: i32 = 5;
    probcut_margin: i32 = 180;
    /// Less when the position improves; plies less than the node's depth.
    probcut_improving: i32 = 40;
    probcut_reduction: i32 = 4;
    /// Singular extensions from this depth; sixteenths of a centipawn of margin per ply.
    singular_depth: i32 = 6;
    /// The table's entry may be so many plies less deep.
    singular_entry: i32 = 3;
    singular_margin: i32 = 14;
    /// Centipawns further below that earn a second ply, and how many such a line may have.
    double_margin: i32 = 18;
    double_extensions: u32 = 6;

    // ---- Skipping moves: see `search::node` (centipawns, plies) ----

    /// Late move pruning: moves at depth 0; a move more per square of depth.
    lmp_base: i32 = 4;
    /// A quiet move with a history worse than this per ply is skipped, up to a reduced depth.
    history_prune: i32 = 3600;
    history_prune_depth: i32 = 5;
    /// Futility of quiet moves up to a reduced depth.
    futility_depth: i32 = 9;
    futility_base: i32 = 80;
    futility: i32 = 95;
    futility_history: i32 = 200;
    /// Losses in the exchange that are not worth a look: quiet per square of the reduced depth, captures per ply.
    see_quiet: i32 = 22;
    see_noisy: i32 = 90;
    see_history: i32 = 100;

    // ---- Quiescence: see `search::quiescence` ----

    /// A capture that cannot lift the evaluation to within this of alpha must win material to be tried.
    delta_margin: i32 = 160;
    /// Centipawns that a late capture must bring beyond alpha.
    late_capture_margin: i32 = 200;
    /// After so many captures only those that raise alpha clearly.
    quiescence_moves: usize = 3;

    // ---- Learning: see `search::node` ----

    /// History gained by a refutation, per ply of depth, less the base, up to the maximum.
    history_bonus: i32 = 190;
    history_bonus_base: i32 = 90;
    history_bonus_max: i32 = 1900;
    /// Thousandths of it for the table's word, and for the move that nothing helped against.
    history_confirmed: i32 = 500;
    history_unrefuted: i32 = 500;

    // ---- Deepening: see `search::deepen` ----

    /// Centipawns to either side of the last value, from this depth; wider by the square of the value over the divisor.
    aspiration: i32 = 14;
    aspiration_depth: i32 = 4;
    aspiration_divisor: i32 = 12_000;
    /// Centipawns from which on the window is opened wholly.
    aspiration_limit: i32 = 600;
    /// Thousandths by which a window grows that the value was outside of, and plies less after failing high.
    aspiration_growth: i32 = 500;
    aspiration_reduction: i32 = 3;
    /// Iterations that a forced move gets, for a score and a move to ponder on.
    only_move_depth: i32 = 6;
    /// Iterations beyond the length of a mate after which it is taken as the shortest.
    mate_extra_depth: i32 = 4;
    /// From this iteration on the time depends on how clear the move is.
    judge_depth: i32 = 6;
    /// Thousandths of the soft limit: without any node spent on the best move, and less by its share of the nodes.
    time_nodes: i64 = 2000;
    time_nodes_share: i64 = 1450;
    /// Thousandths of the soft limit: for a move that has just become the best, and less for each iteration since.
    time_stability: i64 = 1300;
    time_stability_step: i64 = 50;
    /// Thousandths of the soft limit per centipawn that the value fell.
    time_drop: i64 = 8;
    /// Centipawns of fall that count at most; and thousandths of the soft limit, at least and at most.
    time_drop_max: i32 = 80;
    time_least: i64 = 200;
    time_most: i64 = 3500;

    // ---- Threads: see `pool` ----

    /// Centipawns by which the worst vote for a move counts.
    vote_base: i32 = 14;
}
