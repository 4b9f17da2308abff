//! The clock of one game.

use std::time::Duration;

use super::TimeControl;
use crate::chess::Color;

/// What an unlimited game shows as time left.
const UNLIMITED: Duration = Duration::from_millis(2_147_483_647);
/// What a "0+n" game begins with at least.
const LEAST_START: Duration = Duration::from_secs(3);
const DAY: Duration = Duration::from_secs(86_400);

/// A clock; one side's runs, or none.
#[derive(Clone, Debug)]
pub(crate) struct GameClock {
    control: TimeControl,
    left: [Duration; 2],
    running: Option<Running>,
    /// Who has halved its time, and earns nothing any more.
    berserk: [bool; 2],
}

#[derive(Clone, Copy, Debug)]
struct Running {
    color: Color,
    since: Duration,
}

impl GameClock {
    /// A clock that stands still.
    pub(crate) fn new(control: TimeControl) -> GameClock {
        let start = match control {
            TimeControl::Clock { limit, increment } if limit.is_zero() => increment.max(LEAST_START),
            TimeControl::Clock { limit, .. } => limit,
            TimeControl::Correspondence { days } => DAY.saturating_mul(days),
            TimeControl::Unlimited => UNLIMITED,
        };
        GameClock { control, left: [start; 2], running: None, berserk: [false; 2] }
    }

    /// What the players agreed.
    pub(crate) fn control(&self) -> TimeControl {
        self.control
    }

    /// What a move earns by the agreement. Lichess shows it also to those who have gone berserk.
    pub(crate) fn increment(&self) -> Duration {
        match self.control {
            TimeControl::Clock { increment, .. } => increment,
            TimeControl::Correspondence { .. } | TimeControl::Unlimited => Duration::ZERO,
        }
    }

    /// The time left as of the last move: it does not tick.
    pub(crate) fn as_of_last_move(&self) -> [Duration; 2] {
        self.left
    }

    /// The time left now; negative times show as zero.
    pub(crate) fn left(&self, color: Color, now: Duration) -> Duration {
        let used = self.running.filter(|running| running.color == color).map_or(Duration::ZERO, |running| {
            if self.control == TimeControl::Unlimited {
                Duration::ZERO
            } else {
                now.saturating_sub(running.since)
            }
        });
        self.left[color.index()].saturating_sub(used)
    }

    /// Lets `color`'s clock run.
    pub(crate) fn run(&mut self, color: Color, now: Duration) {
        self.running = Some(Running { color, since: now });
        if let TimeControl::Correspondence { days } = self.control {
            self.left = [DAY.saturating_mul(days); 2];
        }
    }

    /// The last `gap` does not count.
    pub(crate) fn sleep(&mut self, gap: Duration) {
        if let Some(running) = &mut self.running {
            running.since = running.since.saturating_add(gap);
        }
    }

    /// Whether the running side has used up its time and `grace` more.
    pub(crate) fn flagged(&self, grace: Duration, now: Duration) -> bool {
        self.running.is_some_and(|running| {
            let spent = now.saturating_sub(running.since);
            self.control != TimeControl::Unlimited
                && spent >= self.left[running.color.index()].saturating_add(grace)
        })
    }

    /// Takes what the running side has used, and stops.
    pub(crate) fn stop(&mut self, now: Duration) {
        if let Some(running) = self.running {
            self.left[running.color.index()] = self.left(running.color, now);
        }
        self.running = None;
    }

    /// Gives `color` what its move has earned.
    pub(crate) fn earn(&mut self, color: Color) {
        if !self.berserk[color.index()] {
            self.give(color, self.increment());
        }
    }

    /// `color` gives up half its time and all its increments. Not twice, and only with a clock.
    pub(crate) fn go_berserk(&mut self, color: Color) -> bool {
        let possible = matches!(self.control, TimeControl::Clock { .. }) && !self.berserk[color.index()];
        if possible {
            self.berserk[color.index()] = true;
            self.left[color.index()] /= 2;
        }
        possible
    }

    /// Gives `color` time: an increment, or the opponent's present.
    pub(crate) fn give(&mut self, color: Color, time: Duration) {
        if matches!(self.control, TimeControl::Clock { .. }) {
            let left = &mut self.left[color.index()];
            *left = left.saturating_add(time);
        }
    }

    /// Takes time from `color`, as if it had used it.
    pub(crate) fn take(&mut self, color: Color, time: Duration) {
        if matches!(self.control, TimeControl::Clock { .. }) {
            let left = &mut self.left[color.index()];
            *left = left.saturating_sub(time);
        }
    }

    /// Sets `color`'s time back to what it was.
    pub(crate) fn restore(&mut self, color: Color, time: Duration) {
        self.left[color.index()] = time;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn clock(limit: u64, increment: u64) -> GameClock {
        GameClock::new(TimeControl::Clock {
            limit: SECOND * limit as u32,
            increment: SECOND * increment as u32,
        })
    }

    #[test]
    fn nothing_plus_one_begins_with_three_seconds() {
        assert_eq!(clock(0, 1).as_of_last_move(), [SECOND * 3; 2]);
        assert_eq!(clock(0, 5).as_of_last_move(), [SECOND * 5; 2]);
        assert_eq!(clock(30, 5).as_of_last_move(), [SECOND * 30; 2]);
    }

    #[test]
    fn only_the_running_side_uses_time() {
        let mut clock = clock(10, 2);
        clock.run(Color::White, SECOND * 100);
        assert_eq!(clock.left(Color::White, SECOND * 104), SECOND * 6);
        assert_eq!(clock.left(Color::Black, SECOND * 104), SECOND * 10);
        assert_eq!(clock.as_of_last_move(), [SECOND * 10; 2]);
        clock.stop(SECOND * 104);
        clock.give(Color::White, clock.increment());
        assert_eq!(clock.as_of_last_move(), [SECOND * 8, SECOND * 10]);
    }

    #[test]
    fn half_the_time_and_no_increment_is_left_to_a_berserker() {
        let mut clock = clock(10, 2);
        assert!(clock.go_berserk(Color::White));
        assert!(!clock.go_berserk(Color::White));
        clock.earn(Color::White);
        clock.earn(Color::Black);
        assert_eq!(clock.as_of_last_move(), [SECOND * 5, SECOND * 12]);
        assert_eq!(clock.increment(), SECOND * 2);
        assert!(!GameClock::new(TimeControl::Unlimited).go_berserk(Color::White));
    }

    #[test]
    fn a_flag_falls_after_the_grace() {
        let mut clock = clock(10, 0);
        clock.run(Color::Black, Duration::ZERO);
        assert!(!clock.flagged(SECOND, SECOND * 10));
        assert!(clock.flagged(SECOND, SECOND * 11));
        assert!(clock.flagged(Duration::ZERO, SECOND * 10));
        clock.stop(SECOND * 12);
        assert_eq!(clock.left(Color::Black, SECOND * 12), Duration::ZERO);
    }

    #[test]
    fn days_begin_anew_with_each_turn_and_no_limit_never_ends() {
        let mut days = GameClock::new(TimeControl::Correspondence { days: 3 });
        days.run(Color::White, Duration::ZERO);
        days.stop(DAY);
        days.run(Color::Black, DAY);
        assert_eq!(days.as_of_last_move(), [DAY * 3; 2]);
        assert!(days.flagged(Duration::ZERO, DAY * 4));
        let mut unlimited = GameClock::new(TimeControl::Unlimited);
        unlimited.run(Color::White, Duration::ZERO);
        assert!(!unlimited.flagged(Duration::ZERO, DAY * 400));
        assert_eq!(unlimited.left(Color::White, DAY * 400), UNLIMITED);
    }
}
