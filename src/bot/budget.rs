//! How long to think about a move: from the server's clock, or the fixed effort that was asked for. Pure.

use std::collections::VecDeque;
use std::time::Duration;

use super::options::{FixedLimit, Thinking};
use crate::engine::time::{self, Clock};

/// Half moves at the start of a game during which no clock runs.
pub(crate) const FREE_PLIES: usize = 2;

/// How many posts the worst lag looks back on: it follows a change of the line within five moves.
const WORST_WINDOW: usize = 6;

/// How many posts the usual lag looks back on: a few more, since it is multiplied by the moves of a whole game.
const USUAL_WINDOW: usize = 16;

/// The longest lag that is believed; a server that hangs longer than this is not slow but away.
const LAG_MAX: Duration = Duration::from_secs(2);

/// The shortest limit: the engine is never told to take no time, which some read as no limit.
const SHORTEST: Duration = Duration::from_millis(1);

/// What is known about our clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Situation {
    /// What is left on it now, and what a move adds; none in a game without a clock.
    pub(crate) clock: Option<(Duration, Duration)>,
    /// What it began with, if that is known.
    pub(crate) initial: Option<Duration>,
    /// What moves lose on the way.
    pub(crate) lag: time::Lag,
    /// How many moves were played.
    pub(crate) ply: usize,
    /// The time that is left for the first move, in games that have such a limit.
    pub(crate) first_move: Option<Duration>,
}

/// How long to think; the hard limit always holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// About so long.
    pub(crate) soft: Option<Duration>,
    /// No longer.
    pub(crate) hard: Duration,
    /// Plies.
    pub(crate) depth: Option<u32>,
    /// Positions.
    pub(crate) nodes: Option<u64>,
}

/// The plan for the next move.
pub(crate) fn plan(thinking: &Thinking, situation: Situation) -> Plan {
    let (soft, hard) = times(thinking, situation);
    let plan = Plan { soft: Some(soft), hard, depth: None, nodes: None };
    match thinking.fixed {
        None => plan,
        Some(FixedLimit::Nodes(nodes)) => Plan { soft: None, nodes: Some(nodes.max(1)), ..plan },
        Some(FixedLimit::Depth(depth)) => Plan { soft: None, depth: Some(depth.max(1)), ..plan },
        Some(FixedLimit::Time(time)) => Plan { soft: None, hard: time.clamp(SHORTEST, hard), ..plan },
    }
}

/// Soft and hard limit by the clock.
fn times(thinking: &Thinking, situation: Situation) -> (Duration, Duration) {
    let unlimited = thinking.unlimited_time.max(SHORTEST);
    let (soft, hard) = match situation.clock {
        None => (unlimited, unlimited),
        Some((remaining, increment)) => {
            let clock = Clock { remaining, increment, moves_to_go: None, initial: situation.initial };
            let budget = time::budget(clock, situation.lag, situation.ply);
            (budget.soft, budget.hard)
        }
    };
    if situation.ply >= FREE_PLIES {
        return (soft, hard);
    }
    let deadline = situation.first_move.map_or(thinking.first_move_time, |left| left / 3);
    let first = thinking.first_move_time.min(deadline).max(SHORTEST);
    (soft.min(first), hard.min(first))
}

/// The time that a move loses on its way: measured, so that a slow line does not cost the game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lag {
    recent: VecDeque<Duration>,
}

impl Lag {
    /// Notes how long a move took to be taken.
    pub(crate) fn note(&mut self, took: Duration) {
        if self.recent.len() == USUAL_WINDOW {
            self.recent.pop_front();
        }
        self.recent.push_back(took.min(LAG_MAX));
    }

    /// What this move may lose, at least `floor`, and what later ones will.
    pub(crate) fn estimate(&self, floor: Duration) -> time::Lag {
        time::Lag { worst: self.worst().max(floor), usual: self.usual().unwrap_or(floor) }
    }

    /// The second longest of the recent times: one outlier does not count, a slow line does from the second move on.
    fn worst(&self) -> Duration {
        let mut recent: Vec<Duration> = self.recent.iter().rev().take(WORST_WINDOW).copied().collect();
        recent.sort_unstable();
        recent.len().checked_sub(2).and_then(|at| recent.get(at)).copied().unwrap_or_default()
    }

    /// The average; none before anything was measured.
    fn usual(&self) -> Option<Duration> {
        let count = u32::try_from(self.recent.len()).ok()?;
        self.recent.iter().sum::<Duration>().checked_div(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn situation(remaining: u64, increment: u64, ply: usize) -> Situation {
        Situation {
            clock: Some((MS(remaining), MS(increment))),
            initial: None,
            lag: time::Lag::constant(MS(100)),
            ply,
            first_move: None,
        }
    }

    #[test]
    fn c02_c03_c04_no_clock_ever_gives_no_limit_or_more_than_it_holds() {
        let thinking = Thinking::default();
        for (remaining, increment) in [
            (0, 0),
            (0, 1000),
            (1, 0),
            (80, 0),
            (80, 2000),
            (60_000, 0),
            (2_147_483_647, 0),
            (4_294_967_296, 0),
            (18_000_000_000_000_000_000, 0),
            (u64::MAX, 60_000),
        ] {
            let plan = plan(&thinking, situation(remaining, increment, 30));
            assert!(plan.hard >= MS(1) && plan.soft.unwrap() >= MS(1), "{remaining}+{increment}: {plan:?}");
            // What the line takes is not there to be thought with, and the increment comes only after the move.
            let most = remaining.saturating_sub(100).max(1);
            assert!(plan.hard <= MS(most), "{remaining}+{increment}: {plan:?}");
        }
    }

    #[test]
    fn c08_first_moves_are_short() {
        let thinking = Thinking::default();
        for ply in 0..2 {
            assert!(plan(&thinking, situation(600_000, 0, ply)).hard <= MS(1000), "ply {ply}");
            let hurried = Situation { first_move: Some(MS(900)), ..situation(600_000, 0, ply) };
            assert!(plan(&thinking, hurried).hard <= MS(300), "ply {ply}");
        }
        for ply in 2..4 {
            let real = plan(&thinking, situation(600_000, 0, ply)).hard;
            assert!(real > MS(1000) && real < MS(300_000), "ply {ply}: the real clock counts, {real:?}");
        }
    }

    #[test]
    fn a_game_without_a_clock_takes_its_own_time() {
        let thinking = Thinking { unlimited_time: MS(700), ..Thinking::default() };
        let plan = plan(&thinking, Situation { clock: None, ..situation(0, 0, 30) });
        assert_eq!((plan.soft, plan.hard), (Some(MS(700)), MS(700)));
    }

    #[test]
    fn a_fixed_effort_is_still_bound_by_the_clock() {
        let with = |fixed| Thinking { fixed: Some(fixed), ..Thinking::default() };
        let nodes = plan(&with(FixedLimit::Nodes(500)), situation(60_000, 0, 30));
        assert_eq!((nodes.nodes, nodes.soft), (Some(500), None));
        assert!(nodes.hard < MS(60_000));
        let depth = plan(&with(FixedLimit::Depth(3)), situation(60_000, 0, 30));
        assert_eq!((depth.depth, depth.soft), (Some(3), None));
        let long = plan(&with(FixedLimit::Time(MS(50_000))), situation(10_000, 0, 30));
        assert!(long.hard < MS(10_000), "{long:?}");
        let short = plan(&with(FixedLimit::Time(MS(50))), situation(10_000, 0, 30));
        assert_eq!(short.hard, MS(50));
    }

    #[test]
    fn c06_lag_follows_the_line_and_ignores_one_outlier() {
        let mut lag = Lag::default();
        assert_eq!(lag.estimate(MS(100)), time::Lag::constant(MS(100)));
        for took in [40, 40, 900, 40] {
            lag.note(MS(took));
        }
        let estimate = lag.estimate(MS(10));
        assert_eq!((estimate.worst, estimate.usual), (MS(40), MS(255)));
        lag.note(MS(500));
        lag.note(MS(500));
        assert_eq!(lag.estimate(MS(10)).worst, MS(500));
        for _ in 0..5 {
            lag.note(MS(40));
        }
        assert_eq!(lag.estimate(MS(10)).worst, MS(40));
        lag.note(MS(60_000));
        lag.note(MS(60_000));
        assert_eq!(lag.estimate(MS(10)).worst, LAG_MAX);
    }

    /// A line to the server: the milliseconds that the move of this number loses.
    type Line = fn(usize, &mut Dice) -> u64;

    /// Pseudo-random numbers (a linear congruence), so that what fails can be tried again.
    struct Dice(u64);

    impl Dice {
        /// A number from `from` to `to`.
        fn roll(&mut self, from: u64, to: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            from + (self.0 >> 33) % (to - from + 1)
        }
    }

    /// Plays our moves of a game without increment in which thoughts take what they do: mostly about the soft limit,
    /// now and then up to the hard one. Returns the moves made before the flag fell, and what was left then.
    fn play(seed: u64, start_ms: u64, moves: usize, line: Line) -> (usize, Duration) {
        let (thinking, mut lag, mut dice) = (Thinking::default(), Lag::default(), Dice(seed));
        let mut left = MS(start_ms);
        for number in 0..moves {
            let situation = Situation {
                clock: Some((left, Duration::ZERO)),
                initial: Some(MS(start_ms)),
                lag: lag.estimate(thinking.overhead),
                ply: 2 * number,
                first_move: None,
            };
            let plan = plan(&thinking, situation);
            let soft = plan.soft.unwrap();
            let thought = match dice.roll(1, 20) {
                1 => plan.hard,
                2..=4 => soft.mul_f64(dice.roll(13, 25) as f64 / 10.0).min(plan.hard),
                _ => soft.mul_f64(dice.roll(3, 13) as f64 / 10.0),
            };
            let way = MS(line(number, &mut dice));
            lag.note(way);
            if number > 0 {
                left = left.saturating_sub(thought + way);
            }
            if left.is_zero() {
                return (number, left);
            }
        }
        (moves, left)
    }

    fn flags(start_ms: u64, moves: usize, line: Line) -> usize {
        (0..1000).filter(|&seed| play(seed, start_ms, moves, line).1.is_zero()).count()
    }

    #[test]
    fn c05_a_minute_lasts_three_hundred_moves_on_a_slow_line() {
        assert_eq!(flags(60_000, 300, |_, dice| dice.roll(50, 150)), 0);
        assert_eq!(flags(60_000, 300, |_, dice| dice.roll(30, 70)), 0);
        assert_eq!(flags(180_000, 300, |_, dice| dice.roll(50, 150)), 0);
        // Too short for that many: as many as a game usually has.
        assert_eq!(flags(15_000, 80, |_, dice| dice.roll(50, 150)), 0);
    }

    #[test]
    fn c06_spikes_and_a_line_that_becomes_slow_do_not_lose_on_time() {
        let slow: Line = |number, dice| match number {
            30.. => 500,
            _ if dice.roll(1, 100) <= 3 => 900,
            _ => 40,
        };
        assert_eq!(flags(120_000, 60, slow), 0);
        let spiky: Line = |_, dice| if dice.roll(1, 100) == 1 { 1000 } else { dice.roll(50, 150) };
        assert_eq!(flags(60_000, 150, spiky), 0);
        let back: Line = |number, dice| match number {
            30..50 => 500,
            _ if dice.roll(1, 100) <= 3 => 900,
            _ => 40,
        };
        assert_eq!(flags(120_000, 80, back), 0);
        for seed in 0..100 {
            let (_, left) = play(seed, 120_000, 80, back);
            assert!(left < MS(48_000), "{left:?} was not used, 40 % of the clock would be much");
        }
    }
}
