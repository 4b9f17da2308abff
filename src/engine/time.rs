//! From a clock to a time for one move. Pure: it reads no clock.

use std::time::Duration;

use super::params;

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
    /// What the clock held when the game began, if that is known.
    pub initial: Option<Duration>,
}

/// What moves lose on their way to the server, whatever was thought about them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lag {
    /// What this move may lose.
    pub worst: Duration,
    /// What each of the later moves will lose on average.
    pub usual: Duration,
}

impl Lag {
    /// Every move loses as much.
    pub fn constant(time: Duration) -> Lag {
        Lag { worst: time, usual: time }
    }
}

/// How long to think about one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// A normal move takes about this long.
    pub soft: Duration,
    /// No move takes longer.
    pub hard: Duration,
}

/// The shortest time that is ever given.
const FLOOR: Duration = Duration::from_millis(1);

/// The longest clock that is told apart from a longer one: about 11 days. It keeps the products below far from
/// overflow, and no game of chess is thought about for so long.
const CEILING: Duration = Duration::from_secs(1_000_000);

/// The time for a move at `ply` (counted from the start of the game). Never zero, and never more than the clock holds
/// without what this move may lose on its way, floored at a millisecond: the increment comes only after the move.
pub fn budget(clock: Clock, lag: Lag, ply: usize) -> Budget {
    let remaining = clock.remaining.min(CEILING);
    let increment = clock.increment.min(CEILING);
    let lag = Lag { worst: lag.worst.min(CEILING), usual: lag.usual.min(CEILING) };
    let moves_to_go = clock.moves_to_go.filter(|&moves| moves > 0);
    let kept = reserve(Clock { remaining, increment, moves_to_go, ..clock }, lag.usual, ply);
    let available = remaining.saturating_sub(kept.max(lag.worst)).max(FLOOR);
    let increment = increment.saturating_sub(lag.worst);
    let (soft, hard) = match moves_to_go {
        Some(moves) => until_control(available, increment, moves),
        None => sudden_death(available, increment, ply, kept),
    };
    let hard = hard.clamp(FLOOR, available);
    Budget { soft: soft.clamp(FLOOR, hard), hard }
}

/// What later moves will lose on their way and no increment brings back. A share of the clock spread over a few moves
/// looks as if it lasted for ever; with the lag of each move on top it does not, and a long game without increment is
/// lost on time. So that is set aside from the beginning, for as long a game as the clock can afford.
fn reserve(clock: Clock, usual: Duration, ply: usize) -> Duration {
    let loss = usual.saturating_sub(clock.increment).mul_f64(params::lag_margin());
    if loss.is_zero() {
        return Duration::ZERO;
    }
    let played = (ply / 2) as f64;
    let affordable = |time: Duration| params::lag_share() * time.as_secs_f64() / loss.as_secs_f64();
    let moves = match (clock.moves_to_go, clock.initial) {
        (Some(moves), _) => f64::from(moves - 1).min(affordable(clock.remaining)),
        (None, None) => params::lag_moves_unknown().min(affordable(clock.remaining)),
        (None, Some(initial)) => {
            let game = affordable(initial.min(CEILING).max(clock.remaining)).min(params::LONGEST_GAME);
            (game - played).max(params::lag_moves_least())
        }
    };
    let kept = loss.mul_f64(moves);
    if kept > clock.remaining.saturating_mul(2) {
        // Time was lost in some other way, and the plan with it: the game goes on as if it began here.
        return loss.mul_f64(affordable(clock.remaining));
    }
    kept.min(clock.remaining.mul_f64(1.0 - params::free_share()))
}

/// `moves` moves must be made with what is available.
fn until_control(available: Duration, increment: Duration, moves: u32) -> (Duration, Duration) {
    let moves = moves.min(params::MOVES_TO_GO_CAP);
    // The time control itself brings new time, so the last move before it may use nearly all.
    let soft = available.mul_f64(params::control_share() / f64::from(moves))
        + increment.mul_f64(params::increment_share());
    let cap = if moves == 1 { params::last_move_cap() } else { params::hard_clock_share() };
    (soft.min(available.mul_f64(cap)), soft.mul_f64(params::hard_factor()).min(available.mul_f64(cap)))
}

/// All the remaining moves must be made with what is available and the increments.
fn sudden_death(
    available: Duration,
    increment: Duration,
    ply: usize,
    kept: Duration,
) -> (Duration, Duration) {
    // Openings are short thoughts: few lines are forcing yet, and the time is worth more when they are.
    let opened = (ply.min(params::opening_plies()) as f64) / (params::opening_plies() as f64);
    let mut horizon = params::horizon_start() + (params::horizon() - params::horizon_start()) * opened;
    if !kept.is_zero() {
        // Nothing comes back: what is left of a long game is spread over more of it.
        horizon += (ply / 2).saturating_sub(params::long_game()) as f64 * params::long_game_spread();
    }
    let soft = available.mul_f64(1.0 / horizon) + increment.mul_f64(params::increment_share());
    let soft = soft.min(available.mul_f64(params::soft_clock_share()));
    let hard = soft.mul_f64(params::hard_factor()).min(available.mul_f64(params::hard_clock_share()));
    (soft, hard)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn clock(remaining_ms: u64, increment_ms: u64, moves_to_go: Option<u32>) -> Clock {
        Clock {
            remaining: Duration::from_millis(remaining_ms),
            increment: Duration::from_millis(increment_ms),
            moves_to_go,
            initial: None,
        }
    }

    const NO_LAG: Lag = Lag { worst: Duration::ZERO, usual: Duration::ZERO };

    /// Milliseconds up to 2^53, small ones as likely as large ones.
    fn millis() -> impl Strategy<Value = u64> {
        (0u32..54, any::<u64>()).prop_map(|(bits, random)| random & ((1u64 << bits) - 1))
    }

    proptest! {
        #[test]
        fn c02_c03_c04_a_budget_fits_the_clock(
            remaining in millis(), increment in millis(), worst in millis(), usual in millis(),
            initial in proptest::option::of(millis()),
            moves in proptest::option::of(any::<u32>()), ply in any::<usize>(),
        ) {
            let lag = Lag { worst: Duration::from_millis(worst), usual: Duration::from_millis(usual) };
            let clock = Clock { initial: initial.map(Duration::from_millis), ..clock(remaining, increment, moves) };
            let budget = budget(clock, lag, ply);
            let most = clock.remaining.saturating_sub(lag.worst).max(FLOOR);
            prop_assert!(budget.soft >= FLOOR);
            prop_assert!(budget.soft <= budget.hard);
            prop_assert!(budget.hard <= most);
            // Also with the way to the server the clock is not used up, if there was enough on it at all.
            if clock.remaining > lag.worst.saturating_add(Duration::from_millis(2)) {
                prop_assert!(budget.hard.saturating_add(lag.worst) < clock.remaining);
            }
        }

        #[test]
        fn more_time_is_never_a_shorter_thought(
            remaining in 0u64..10_000_000, more in 0u64..10_000_000, increment in 0u64..60_000, ply in 0usize..300,
        ) {
            let less = budget(clock(remaining, increment, None), NO_LAG, ply);
            let more = budget(clock(remaining + more, increment, None), NO_LAG, ply);
            prop_assert!(less.soft <= more.soft);
            prop_assert!(less.hard <= more.hard);
        }
    }

    #[test]
    fn a_game_without_increment_outlasts_ninety_moves() {
        for start_ms in [30_000, 60_000, 180_000] {
            let overhead = Duration::from_millis(10);
            let mut left = Duration::from_millis(start_ms);
            for ply in (0..180).step_by(2) {
                let time =
                    Clock { remaining: left, increment: Duration::ZERO, moves_to_go: None, initial: None };
                // A thought may take a fifth more than the soft limit, and the overhead is lost.
                let spent =
                    budget(time, Lag::constant(overhead), ply).soft.mul_f64(1.2) + Duration::from_millis(1);
                left = left.saturating_sub(spent);
                assert!(left > overhead, "{start_ms} ms: {left:?} left at ply {ply}");
            }
        }
    }

    #[test]
    fn usual_controls_get_sane_times() {
        // (clock ms, increment ms, soft at least, soft at most, hard at most)
        let table = [
            (10_000, 100, 250, 900, 5_000),
            (1_000, 0, 10, 80, 500),
            (500, 0, 5, 40, 250),
            (180_000, 2_000, 5_000, 15_000, 90_000),
        ];
        for (remaining, increment, least, most, hard) in table {
            let budget =
                budget(clock(remaining, increment, None), Lag::constant(Duration::from_millis(20)), 20);
            let soft = budget.soft.as_millis();
            assert!((least..=most).contains(&soft), "{remaining}+{increment}: soft {soft}");
            assert!(budget.hard.as_millis() <= hard, "{remaining}+{increment}: hard {:?}", budget.hard);
            assert!(budget.hard >= budget.soft.mul_f64(2.0), "{remaining}+{increment}: {budget:?}");
        }
    }

    #[test]
    fn the_last_move_before_the_control_may_use_nearly_all() {
        let one = budget(clock(10_000, 0, Some(1)), NO_LAG, 78);
        assert!(one.soft >= Duration::from_secs(5) && one.hard <= Duration::from_millis(9_500), "{one:?}");
        let forty = budget(clock(10_000, 0, Some(40)), NO_LAG, 0);
        assert!(forty.soft <= Duration::from_millis(400), "{forty:?}");
    }

    #[test]
    fn no_moves_to_go_counts_as_no_control() {
        let time = Lag::constant(Duration::from_millis(10));
        assert_eq!(budget(clock(5_000, 0, Some(0)), time, 30), budget(clock(5_000, 0, None), time, 30));
    }
}
