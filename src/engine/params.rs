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
