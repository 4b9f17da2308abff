//! Time controls and the speeds that follow from them.

use std::time::Duration;

/// How much time the players have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// A clock.
    Clock {
        /// What both begin with.
        limit: Duration,
        /// What a move earns.
        increment: Duration,
    },
    /// Days for each move.
    Correspondence {
        /// How many.
        days: u32,
    },
    /// No limit.
    Unlimited,
}

/// How fast a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Speed {
    /// Below half a minute.
    UltraBullet,
    /// Below 3 minutes.
    Bullet,
    /// Below 8 minutes.
    Blitz,
    /// Below 25 minutes.
    Rapid,
    /// Below 6 hours.
    Classical,
    /// Anything slower.
    Correspondence,
}

impl TimeControl {
    /// Lichess' estimate: the limit and forty increments.
    pub(crate) fn speed(self) -> Speed {
        let TimeControl::Clock { limit, increment } = self else {
            return Speed::Correspondence;
        };
        match limit.saturating_add(increment.saturating_mul(40)).as_secs() {
            0..=29 => Speed::UltraBullet,
            30..=179 => Speed::Bullet,
            180..=479 => Speed::Blitz,
            480..=1499 => Speed::Rapid,
            1500..=21_599 => Speed::Classical,
            _ => Speed::Correspondence,
        }
    }

    /// As people write it: minutes and seconds, `3+2`, `½+0`.
    pub(crate) fn show(self) -> String {
        match self {
            TimeControl::Clock { limit, increment } => {
                format!("{}+{}", show_minutes(limit.as_secs()), increment.as_secs())
            }
            TimeControl::Correspondence { days: 1 } => "1 day".to_owned(),
            TimeControl::Correspondence { days } => format!("{days} days"),
            TimeControl::Unlimited => "∞".to_owned(),
        }
    }
}

fn show_minutes(seconds: u64) -> String {
    match seconds {
        15 => "¼".to_owned(),
        30 => "½".to_owned(),
        45 => "¾".to_owned(),
        90 => "1.5".to_owned(),
        _ if seconds.is_multiple_of(60) => (seconds / 60).to_string(),
        _ => format!("{:.2}", Duration::from_secs(seconds).as_secs_f64() / 60.0),
    }
}

impl Speed {
    /// All of them.
    pub(crate) const ALL: [Speed; 6] = [
        Speed::UltraBullet,
        Speed::Bullet,
        Speed::Blitz,
        Speed::Rapid,
        Speed::Classical,
        Speed::Correspondence,
    ];

    /// The key of the API.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Speed::UltraBullet => "ultraBullet",
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classical => "classical",
            Speed::Correspondence => "correspondence",
        }
    }

    /// The name people see.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Speed::UltraBullet => "UltraBullet",
            Speed::Bullet => "Bullet",
            Speed::Blitz => "Blitz",
            Speed::Rapid => "Rapid",
            Speed::Classical => "Classical",
            Speed::Correspondence => "Correspondence",
        }
    }

    /// The time for a first move where there is such a deadline (Lichess, 2026), in seconds.
    pub(crate) const fn first_move_seconds(self, arena: bool) -> u64 {
        match (self, arena) {
            (Speed::UltraBullet, false) => 15,
            (Speed::Bullet, false) => 20,
            (Speed::Blitz, false) => 25,
            (Speed::Rapid, false) => 30,
            (Speed::Classical | Speed::Correspondence, false) => 35,
            (Speed::UltraBullet, true) => 11,
            (Speed::Bullet, true) => 16,
            (Speed::Blitz, true) => 21,
            (Speed::Rapid, true) => 25,
            (Speed::Classical | Speed::Correspondence, true) => 30,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_have_the_borders_of_the_api() {
        for (limit, increment, speed, show) in [
            (15, 0, Speed::UltraBullet, "¼+0"),
            (30, 0, Speed::Bullet, "½+0"),
            (0, 1, Speed::Bullet, "0+1"),
            (60, 2, Speed::Bullet, "1+2"),
            (180, 0, Speed::Blitz, "3+0"),
            (300, 5, Speed::Rapid, "5+5"),
            (90, 30, Speed::Rapid, "1.5+30"),
            (1500, 0, Speed::Classical, "25+0"),
            (10_800, 0, Speed::Classical, "180+0"),
        ] {
            let time = TimeControl::Clock {
                limit: Duration::from_secs(limit),
                increment: Duration::from_secs(increment),
            };
            assert_eq!((time.speed(), time.show().as_str()), (speed, show), "{limit}+{increment}");
        }
        assert_eq!(TimeControl::Unlimited.speed(), Speed::Correspondence);
    }
}
