//! A time control as people write it: `10+0.1`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Start and increment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClockArg {
    /// What each side starts with.
    pub(crate) limit: Duration,
    /// What a move adds.
    pub(crate) increment: Duration,
}

impl ClockArg {
    /// Whether the API takes it in a challenge: whole seconds, and few starts below a minute.
    pub(crate) fn is_for_challenges(self) -> bool {
        let whole = |time: Duration| time.subsec_nanos() == 0;
        let limit = self.limit.as_secs();
        let known = [0, 15, 30, 45, 60, 90].contains(&limit) || limit.is_multiple_of(60) && limit <= 10_800;
        whole(self.limit) && whole(self.increment) && known && self.increment.as_secs() <= 60
    }
}

impl FromStr for ClockArg {
    type Err = String;

    fn from_str(text: &str) -> Result<ClockArg, String> {
        let expected =
            || format!("{text:?} is no clock: expected seconds such as 10+0.1, from 1 to 10800 plus 0 to 60");
        let (limit, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.is_finite());
        let (limit, increment) = seconds(limit).zip(seconds(increment)).ok_or_else(expected)?;
        if !(1.0..=10_800.0).contains(&limit) || !(0.0..=60.0).contains(&increment) {
            return Err(expected());
        }
        // Milliseconds are what the wire knows.
        let time = |seconds: f64| Duration::from_millis((seconds * 1000.0).round() as u64);
        Ok(ClockArg { limit: time(limit), increment: time(increment) })
    }
}

impl fmt::Display for ClockArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.limit.as_secs_f64(), self.increment.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_and_written_alike() {
        for text in ["10+0.1", "60+0", "180+2", "1.5+0.05"] {
            assert_eq!(text.parse::<ClockArg>().unwrap().to_string(), text);
        }
        assert_eq!("30".parse::<ClockArg>().unwrap().to_string(), "30+0");
        for text in ["", "+", "a+1", "0+1", "10+61", "10+-1", "1e9+0", "nan+0", "10+0.1+1"] {
            assert!(text.parse::<ClockArg>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_api_takes_some_of_them_only() {
        for (text, taken) in
            [("60+1", true), ("180+2", true), ("10+0.1", false), ("75+0", false), ("60+0.5", false)]
        {
            assert_eq!(text.parse::<ClockArg>().unwrap().is_for_challenges(), taken, "{text}");
        }
    }
}
