//! How long to think about a move: from the server's clock, or the fixed effort that was asked for. Pure.

use std::collections::VecDeque;
use std::time::Duration;

use super::options::{FixedLimit, Thinking};
use crate::engine::time::{self, Clock};

/// Half moves at the start of a game during which no clock runs.
pub(crate) const FREE_PLIES: usize = 2;

/// How many posts the measured lag looks back on: it follows a change of the line within five moves.
const LAG_WINDOW: usize = 6;

/// The longest lag that is believed; a server that hangs longer than this is not slow but away.
const LAG_MAX: Duration = Duration::from_secs(2);

/// The shortest limit: the engine is never told to take no time, which some read as no limit.
const SHORTEST: Duration = Duration::from_millis(1);

/// What is known about our clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Situation {
    /// What is left on it now, and what a move adds; none in a game without a clock.
    pub(crate) clock: Option<(Duration, Duration)>,
    /// What each move loses on the way.
    pub(crate) overhead: Duration,
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
            let clock = Clock { remaining, increment, moves_to_go: None };
            let budget = time::budget(clock, situation.overhead, situation.ply);
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
        if self.recent.len() == LAG_WINDOW {
            self.recent.pop_front();
        }
        self.recent.push_back(took.min(LAG_MAX));
    }

    /// The second longest of the recent times: one outlier does not count, a slow line does from the second move on.
    pub(crate) fn overhead(&self, floor: Duration) -> Duration {
        let mut recent: Vec<Duration> = self.recent.iter().copied().collect();
        recent.sort_unstable();
        let measured = recent.len().checked_sub(2).and_then(|at| recent.get(at)).copied();
        measured.unwrap_or_default().max(floor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn situation(remaining: u64, increment: u64, ply: usize) -> Situation {
        Situation { clock: Some((MS(remaining), MS(increment))), overhead: MS(100), ply, first_move: None }
    }

    #[test]
    fn no_clock_ever_gives_no_limit_or_more_than_it_holds() {
        let thinking = Thinking::default();
        for (remaining, increment) in [
            (0, 0),
            (0, 1000),
            (1, 0),
            (80, 0),
            (80, 2000),
            (60_000, 0),
            (2_147_483_647, 0),
            (u64::MAX, 60_000),
        ] {
            let plan = plan(&thinking, situation(remaining, increment, 30));
            assert!(plan.hard >= MS(1) && plan.soft.unwrap() >= MS(1), "{remaining}+{increment}: {plan:?}");
            assert!(plan.hard <= MS(remaining.max(1)), "{remaining}+{increment}: {plan:?}");
        }
    }

    #[test]
    fn first_moves_are_short() {
        let thinking = Thinking::default();
        for ply in 0..2 {
            assert!(plan(&thinking, situation(600_000, 0, ply)).hard <= MS(1000), "ply {ply}");
            let hurried = Situation { first_move: Some(MS(900)), ..situation(600_000, 0, ply) };
            assert!(plan(&thinking, hurried).hard <= MS(300), "ply {ply}");
        }
        assert!(plan(&thinking, situation(600_000, 0, 2)).hard > MS(1000));
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
    fn lag_follows_the_line_and_ignores_one_outlier() {
        let mut lag = Lag::default();
        assert_eq!(lag.overhead(MS(100)), MS(100));
        for took in [40, 40, 900, 40] {
            lag.note(MS(took));
        }
        assert_eq!(lag.overhead(MS(10)), MS(40));
        lag.note(MS(500));
        lag.note(MS(500));
        assert_eq!(lag.overhead(MS(10)), MS(500));
        for _ in 0..5 {
            lag.note(MS(40));
        }
        assert_eq!(lag.overhead(MS(10)), MS(40));
        lag.note(MS(60_000));
        lag.note(MS(60_000));
        assert_eq!(lag.overhead(MS(10)), LAG_MAX);
    }
}
