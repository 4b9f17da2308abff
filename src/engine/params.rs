//! Every tunable constant of the engine, with its unit. Values without a measurement beside them are common orders
//! of magnitude, checked only as a whole by matches.

// ---- Time: see `time` ----

/// Moves: how long the rest of a game is taken to be once the opening is over.
pub(crate) const HORIZON: f64 = 24.0;
/// Moves: the same at the first move, so that the first thoughts are shorter.
pub(crate) const HORIZON_START: f64 = 34.0;
/// Plies until [`HORIZON_START`] has become [`HORIZON`].
pub(crate) const OPENING_PLIES: usize = 20;
/// Share of the increment that a move may count on.
pub(crate) const INCREMENT_SHARE: f64 = 0.75;
/// Most of the clock that one normal move takes.
pub(crate) const SOFT_CLOCK_SHARE: f64 = 0.25;
/// Most of the clock that one hard move takes.
pub(crate) const HARD_CLOCK_SHARE: f64 = 0.45;
/// A hard move may take this many times a normal one.
pub(crate) const HARD_FACTOR: f64 = 4.5;
/// Share of the clock that is spread over the moves to the time control.
pub(crate) const CONTROL_SHARE: f64 = 0.85;
/// Time controls further away than this many moves are not saved for.
pub(crate) const MOVES_TO_GO_CAP: u32 = 40;
/// Most of the clock for the last move before the control.
pub(crate) const LAST_MOVE_CAP: f64 = 0.9;
/// Moves after which a game is drawn on Lichess whatever is on the board: none is longer.
pub(crate) const LONGEST_GAME: f64 = 300.0;
/// Share of the first clock that may be set aside for what moves lose on their way to the server. A game of 60 s
/// without increment then lasts 300 moves at 100 ms each (see the tests of `bot::budget`).
pub(crate) const LAG_SHARE: f64 = 0.65;
/// The lag that is reckoned with, as a multiple of the average: what is kept must outlast bad luck.
pub(crate) const LAG_MARGIN: f64 = 1.15;
/// Moves for which the lag is set aside, however long the game is already.
pub(crate) const LAG_MOVES_LEAST: f64 = 20.0;
/// Moves for which the lag is set aside when it is not known what the clock began with.
pub(crate) const LAG_MOVES_UNKNOWN: f64 = 40.0;
/// Share of the clock that is left for thinking whatever is set aside.
pub(crate) const FREE_SHARE: f64 = 0.02;
/// Moves from which on a game without increment is a long one, and moves that each further one adds to the horizon.
pub(crate) const LONG_GAME: usize = 40;
pub(crate) const LONG_GAME_SPREAD: f64 = 1.0;

// ---- Material for exchanges: see `see` ----

/// Centipawns by role; a king is never given up.
pub(crate) const SEE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

// ---- Running: see `search::control`, `pool` ----

/// Nodes between two looks at the clock and the stop flag: a millisecond at the very slowest.
pub(crate) const POLL_NODES: u64 = 1024;

// ---- Histories: see `search::history`, `search::picker` ----

/// The bound of a history entry.
pub(crate) const HISTORY_LIMIT: i32 = 16_384;
/// Added to the score of the second killer; the first gets it twice.
pub(crate) const KILLER_BONUS: i32 = 40_000;
/// The bound of a correction entry.
pub(crate) const CORRECTION_LIMIT: i32 = 1024;
/// 1024ths of a centipawn per unit: corrections by pawns, by White's pieces, by Black's pieces.
pub(crate) const CORRECTION_WEIGHTS: [i32; 3] = [72, 60, 60];

// ---- Late move reductions: see `search::memory`, `search::node` ----

/// Plies.
pub(crate) const LMR_BASE: f64 = 0.55;
/// Plies per product of natural logarithms of depth and move number.
pub(crate) const LMR_FACTOR: f64 = 0.45;
/// The history of a move that takes a ply off its reduction.
pub(crate) const LMR_HISTORY: i32 = 8192;
/// Centipawns above the best by which a reduced search earns a deeper re-search (plus two a ply).
pub(crate) const DEEPER_MARGIN: i32 = 45;
/// Centipawns above the best below which the re-search is shallower.
pub(crate) const SHALLOWER_MARGIN: i32 = 8;

// ---- Cutting nodes: see `search::prune`, `search::node` (centipawns, plies) ----

/// No cut by the table when the fifty-move clock is this far: what it knows may be of another clock.
pub(crate) const TABLE_CUT_CLOCK: u16 = 90;
/// Internal iterative reduction from this depth.
pub(crate) const IIR_DEPTH: i32 = 4;
/// Reverse futility up to this depth: margin per ply, and its base.
pub(crate) const RFP_DEPTH: i32 = 9;
pub(crate) const RFP: i32 = 72;
pub(crate) const RFP_BASE: i32 = 10;
/// Razoring up to this depth: base and margin per square of the depth.
pub(crate) const RAZOR_DEPTH: i32 = 3;
pub(crate) const RAZOR_BASE: i32 = 220;
pub(crate) const RAZOR: i32 = 130;
/// Null move: its reduction's base, and the lead that adds another ply.
pub(crate) const NULL_BASE: i32 = 4;
pub(crate) const NULL_DIVISOR: i32 = 180;
/// The evaluation may be this much below beta per ply of depth, less the base.
pub(crate) const NULL_EVAL: i32 = 16;
pub(crate) const NULL_EVAL_BASE: i32 = 120;
/// From this depth a null move's cut is verified.
pub(crate) const NULL_VERIFY_DEPTH: i32 = 14;
/// Probable cuts from this depth, by this margin.
pub(crate) const PROBCUT_DEPTH: i32 = 5;
pub(crate) const PROBCUT_MARGIN: i32 = 180;
/// Singular extensions from this depth; sixteenths of a centipawn of margin per ply.
pub(crate) const SINGULAR_DEPTH: i32 = 6;
pub(crate) const SINGULAR_MARGIN: i32 = 14;
/// Centipawns further below that earn a second ply, and how many such a line may have.
pub(crate) const DOUBLE_MARGIN: i32 = 18;
pub(crate) const DOUBLE_EXTENSIONS: u32 = 6;

// ---- Skipping moves: see `search::node` (centipawns, plies) ----

/// Late move pruning: moves at depth 0; a move more per square of depth.
pub(crate) const LMP_BASE: i32 = 4;
/// A quiet move with a history worse than this per ply is skipped, up to a reduced depth.
pub(crate) const HISTORY_PRUNE: i32 = 3600;
pub(crate) const HISTORY_PRUNE_DEPTH: i32 = 5;
/// Futility of quiet moves up to a reduced depth.
pub(crate) const FUTILITY_DEPTH: i32 = 9;
pub(crate) const FUTILITY_BASE: i32 = 80;
pub(crate) const FUTILITY: i32 = 95;
pub(crate) const FUTILITY_HISTORY: i32 = 200;
/// Losses in the exchange that are not worth a look: quiet per square of the reduced depth, captures per ply.
pub(crate) const SEE_QUIET: i32 = 22;
pub(crate) const SEE_NOISY: i32 = 90;
pub(crate) const SEE_HISTORY: i32 = 100;

// ---- Quiescence: see `search::quiescence` ----

/// A capture that cannot lift the evaluation to within this of alpha must win material to be tried.
pub(crate) const DELTA_MARGIN: i32 = 160;
/// After so many captures only those that raise alpha clearly.
pub(crate) const QUIESCENCE_MOVES: usize = 3;

// ---- Learning: see `search::node` ----

/// History gained by a refutation, per ply of depth, less the base, up to the maximum.
pub(crate) const HISTORY_BONUS: i32 = 190;
pub(crate) const HISTORY_BONUS_BASE: i32 = 90;
pub(crate) const HISTORY_BONUS_MAX: i32 = 1900;

// ---- Deepening: see `search::deepen` ----

/// Centipawns to either side of the last value, from this depth; wider by the square of the value over the divisor.
pub(crate) const ASPIRATION: i32 = 14;
pub(crate) const ASPIRATION_DEPTH: i32 = 4;
pub(crate) const ASPIRATION_DIVISOR: i32 = 12_000;
/// Centipawns from which on the window is opened wholly.
pub(crate) const ASPIRATION_LIMIT: i32 = 600;
/// Iterations that a forced move gets, for a score and a move to ponder on.
pub(crate) const ONLY_MOVE_DEPTH: i32 = 6;
/// The longest thought where there is nothing to decide: enough for a score and a move to ponder on.
pub(crate) const IDLE_TIME: std::time::Duration = std::time::Duration::from_millis(10);
/// Iterations beyond the length of a mate after which it is taken as the shortest.
pub(crate) const MATE_EXTRA_DEPTH: i32 = 4;
/// From this iteration on the time depends on how clear the move is.
pub(crate) const JUDGE_DEPTH: i32 = 6;
/// Thousandths of the soft limit: without any node spent on the best move, and less by its share of the nodes.
pub(crate) const TIME_NODES: i64 = 2000;
pub(crate) const TIME_NODES_SHARE: i64 = 1450;
/// Thousandths of the soft limit: for a move that has just become the best, and less for each iteration since.
pub(crate) const TIME_STABILITY: i64 = 1300;
pub(crate) const TIME_STABILITY_STEP: i64 = 50;
/// Thousandths of the soft limit per centipawn that the value fell.
pub(crate) const TIME_DROP: i64 = 8;

// ---- Threads: see `pool` ----

/// Bytes of stack for a search thread; a frame of the search takes about a kilobyte, the deepest line has 200.
pub(crate) const STACK_BYTES: usize = 8 << 20;
/// How long after its limit, or after it was stopped, a search is given up and answered for.
pub(crate) const GRACE: std::time::Duration = std::time::Duration::from_millis(50);
/// Nodes and time of the search that finds a move for one that broke down before it had any.
pub(crate) const RESCUE_NODES: u64 = 2000;
pub(crate) const RESCUE_TIME: std::time::Duration = std::time::Duration::from_millis(20);
/// How long a search that was stopped before any thread had time for it is waited for, before a quick answer.
pub(crate) const STOPPED_GRACE: std::time::Duration = std::time::Duration::from_millis(2);
