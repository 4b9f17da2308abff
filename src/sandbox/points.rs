//! The 30-level point system of Chinese school chess: what a game moves from one player to the other, and which level
//! so many points are. Pure arithmetic; it is neither Elo nor Glicko, and does not know how many games were played.
//!
//! The rule: a hundred points make a level, from none over level 30 up to level 1, and what the winner gains the
//! loser loses. With `d` the difference of points before the game, and "lower" the side with fewer points:
//!
//! | d | draw: the lower side gains | the lower side wins | the higher side wins |
//! |---|---|---|---|
//! | below 10 | 0 | 10 | 10 |
//! | 10 to 99 | (10 + d/10) / 2 | 10 + d/10 | 10 - d/12.5 |
//! | 100 to 199 | d/4 | d/2 | 2 |
//! | from 200 | d/4 | d/2 | 0 |
//!
//! What its text leaves open is decided here:
//!
//! * A difference of exactly 10 belongs to "10 to 99", and all below 100 does: points may have fractions.
//! * Points are kept in hundredths, in which every gain between whole points is exact. A gain that is not is rounded
//!   half up, once, so that both sides move by the same amount.
//! * There is no floor at 0. The text says that the loser loses what the winner gains; with a floor a league in which
//!   everybody begins at 0 would either create points or never move. Below 100, also below 0, there is no level.
//! * Everybody begins with 0 points, without a level.
//! * The jump at 100 stays as written: a draw is worth 9.95 at 99 and 25 at 100.
//! * Level 1 has no upper end: from 3,000 points on.

use std::fmt;

/// A number of points, which may be negative. Kept in hundredths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Points(i64);

/// A game as one of its players sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Won,
    Drawn,
    Lost,
}

const POINT: i64 = 100;

impl Points {
    /// How many hundredths these are.
    pub(super) fn hundredths(self) -> i64 {
        self.0
    }

    /// The level, 30 to 1; none below 100 points.
    pub(super) fn level(self) -> Option<u8> {
        let hundreds = self.0.div_euclid(100 * POINT);
        (hundreds >= 1).then(|| u8::try_from((31 - hundreds).max(1)).unwrap_or(1))
    }

    /// What a player with these points gains from a game against one with `other`; the opponent gains the opposite.
    pub(super) fn gain(self, other: Points, outcome: Outcome) -> Points {
        let difference = self.0.abs_diff(other.0).min(i64::MAX as u64 / 4) as i64;
        let is_lower = self < other;
        Points(match outcome {
            Outcome::Won => won(is_lower, difference),
            Outcome::Lost => -won(other < self, difference),
            Outcome::Drawn if is_lower => drawn(difference),
            Outcome::Drawn => -drawn(difference),
        })
    }

    /// These points and a gain.
    pub(super) fn plus(self, gain: Points) -> Points {
        Points(self.0.saturating_add(gain.0))
    }

    /// These points and the opposite of a gain.
    pub(super) fn minus(self, gain: Points) -> Points {
        Points(self.0.saturating_sub(gain.0))
    }
}

/// What the winner gains, in hundredths as the difference is.
fn won(is_lower: bool, difference: i64) -> i64 {
    match (Band::of(difference), is_lower) {
        (Band::Level, _) => 10 * POINT,
        (Band::Near, true) => 10 * POINT + divided(difference, 10),
        (Band::Near, false) => 10 * POINT - divided(difference * 2, 25),
        (Band::Far | Band::Farther, true) => divided(difference, 2),
        (Band::Far, false) => 2 * POINT,
        (Band::Farther, false) => 0,
    }
}

/// What the lower side gains from a draw.
fn drawn(difference: i64) -> i64 {
    match Band::of(difference) {
        Band::Level => 0,
        Band::Near => divided(100 * POINT + difference, 20),
        Band::Far | Band::Farther => divided(difference, 4),
    }
}

/// The rows of the rule's table.
enum Band {
    Level,
    Near,
    Far,
    Farther,
}

impl Band {
    fn of(difference: i64) -> Band {
        match difference / POINT {
            ..10 => Band::Level,
            10..100 => Band::Near,
            100..200 => Band::Far,
            _ => Band::Farther,
        }
    }
}

/// A quotient of what is not negative, rounded half up.
fn divided(number: i64, by: i64) -> i64 {
    (number + by / 2) / by
}

impl fmt::Display for Points {
    /// With as many decimals as there are, at most two.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, part) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        let decimals = match part {
            0 => String::new(),
            part if part % 10 == 0 => format!(".{}", part / 10),
            part => format!(".{part:02}"),
        };
        f.pad(&format!("{sign}{whole}{decimals}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Points {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let part = format!("{part:0<2}");
        Points(sign * (whole.parse::<i64>().unwrap() * POINT + part.parse::<i64>().unwrap()))
    }

    /// "21级" is level 21, "无级别" none.
    fn level(text: &str) -> Option<u8> {
        text.strip_suffix('级').map(|number| number.parse().unwrap())
    }

    #[test]
    fn worked_examples() {
        let table = include_str!("../../tests/data/rating/level30.tsv");
        for row in table.lines().skip(1) {
            let row: Vec<&str> = row.split('\t').collect();
            let [a, b, _, level_a, level_b, result, gain_a, gain_b, new_a, new_b, _] = row[..] else {
                panic!("{row:?}")
            };
            let outcome = match result {
                "1" => Outcome::Won,
                "0.5" => Outcome::Drawn,
                _ => Outcome::Lost,
            };
            let (a, b) = (points(a), points(b));
            assert_eq!((a.level(), b.level()), (level(level_a), level(level_b)), "{row:?}");
            let gain = a.gain(b, outcome);
            assert_eq!(gain, points(gain_a), "{row:?}");
            assert_eq!(Points::default().minus(gain), points(gain_b), "{row:?}");
            assert_eq!((a.plus(gain), b.minus(gain)), (points(new_a), points(new_b)), "{row:?}");
            assert_eq!([a.plus(gain).to_string(), b.minus(gain).to_string()], [new_a, new_b]);
        }
        assert_eq!(table.lines().count(), 58);
    }

    #[test]
    fn both_sides_see_the_same_game() {
        for a in (-300..3300).step_by(7) {
            for b in [-250, 0, 95, 1000, 1001, 3050] {
                let (a, b) = (Points(a * 37), Points(b * POINT));
                for (ours, theirs) in [(Outcome::Won, Outcome::Lost), (Outcome::Drawn, Outcome::Drawn)] {
                    let sum = a.gain(b, ours).plus(b.gain(a, theirs));
                    assert_eq!(sum, Points::default(), "{a} {b} {ours:?}");
                }
            }
        }
    }

    #[test]
    fn levels_have_no_floor_and_no_ceiling() {
        for (text, expected) in
            [("-10", None), ("99.99", None), ("100", Some(30)), ("3000", Some(1)), ("9000", Some(1))]
        {
            assert_eq!(points(text).level(), expected, "{text}");
        }
        let beginner = Points::default();
        assert_eq!(beginner.plus(beginner.gain(beginner, Outcome::Lost)).to_string(), "-10");
    }

    /// 997.92 v 1102: d = 104.08, a draw moves 26.02. 994.11 v 1006.16: d = 12.05, half of 11.205 is 5.6025.
    #[test]
    fn fractions_are_kept_to_hundredths() {
        for (a, b, outcome, gain) in [
            ("997.92", "1102", Outcome::Drawn, "26.02"),
            ("994.11", "1006.16", Outcome::Drawn, "5.6"),
            ("994.11", "1006.16", Outcome::Won, "11.21"),
            ("1000", "1009.99", Outcome::Drawn, "0"),
            ("1000", "1099.99", Outcome::Drawn, "10"),
        ] {
            assert_eq!(points(a).gain(points(b), outcome).to_string(), gain, "{a} {b}");
        }
    }
}
