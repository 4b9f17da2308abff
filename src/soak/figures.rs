//! Figures from many measurements: percentiles, levels, and whether something grows. Pure.

use std::fmt;
use std::time::Duration;

/// In so long after its start a process still fills its caches; what it uses then says nothing about growth.
const WARM_UP: Duration = Duration::from_secs(30);

/// With less than this to look at, nothing is said about growth: the memory of an engine takes minutes to fill.
const LEAST: Duration = Duration::from_secs(240);

/// What a process used at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Since the start of the run.
    pub at: Duration,
    /// The number of the process; it is another after each kill.
    pub life: usize,
    /// Resident memory.
    pub memory_kib: u64,
    /// Open files and sockets.
    pub descriptors: u64,
    /// Threads.
    pub threads: u64,
}

/// How durations are spread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// In ascending order.
    sorted: Vec<Duration>,
}

impl Spread {
    /// Of these, in any order.
    pub fn of(durations: impl IntoIterator<Item = Duration>) -> Spread {
        let mut sorted: Vec<Duration> = durations.into_iter().collect();
        sorted.sort_unstable();
        Spread { sorted }
    }

    /// All of them, in ascending order.
    pub fn sorted(&self) -> &[Duration] {
        &self.sorted
    }

    /// The least duration that `percent` of a hundred do not exceed (the nearest rank); none if there are none.
    pub fn percentile(&self, percent: usize) -> Option<Duration> {
        let rank = (self.sorted.len() * percent).div_ceil(100).max(1);
        self.sorted.get(rank - 1).copied()
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [median, ninety, ninety_nine, most] = [50, 90, 99, 100].map(|percent| self.percentile(percent));
        let Some(((median, ninety), (ninety_nine, most))) = median.zip(ninety).zip(ninety_nine.zip(most))
        else {
            return write!(f, "none");
        };
        let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
        let times =
            format!("50 % {}, 90 % {}, 99 % {}, most {}", ms(median), ms(ninety), ms(ninety_nine), ms(most));
        write!(f, "{} ({times})", self.sorted.len())
    }
}

/// How something that is measured again and again developed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The first measurement.
    pub first: f64,
    /// The last one.
    pub last: f64,
    /// The highest one.
    pub highest: f64,
    /// By how much it grows.
    pub growth: Option<Growth>,
}

/// How fast something grows, as far as that can be told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// In an hour.
    pub hourly: f64,
    /// In the longest life of a process, after its warm-up.
    pub rise: f64,
}

impl Level {
    /// The level of one measure; none without samples.
    pub fn of(samples: &[Sample], measure: impl Fn(&Sample) -> f64) -> Option<Level> {
        let highest = samples.iter().map(&measure).fold(0.0, f64::max);
        let (first, last) = (measure(samples.first()?), measure(samples.last()?));
        Some(Level { first, last, highest, growth: growth(samples, measure) })
    }
}

/// The slope of the straight line that fits the samples best. All lives share one slope and each has a height of its
/// own, so that a new process, which begins low, is not taken for a change.
fn growth(samples: &[Sample], measure: impl Fn(&Sample) -> f64) -> Option<Growth> {
    let (mut products, mut squares, mut longest) = (0.0, 0.0, Duration::ZERO);
    for life in samples.chunk_by(|one, next| one.life == next.life) {
        let warm = life.partition_point(|sample| sample.at < life[0].at + WARM_UP);
        let life = &life[warm..];
        let (Some(first), Some(last)) = (life.first(), life.last()) else { continue };
        longest = longest.max(last.at - first.at);
        let count = life.len() as f64;
        let time = |sample: &Sample| (sample.at - first.at).as_secs_f64() / 3600.0;
        let mean_time = life.iter().map(time).sum::<f64>() / count;
        let mean = life.iter().map(&measure).sum::<f64>() / count;
        for sample in life {
            let away = time(sample) - mean_time;
            products += away * (measure(sample) - mean);
            squares += away * away;
        }
    }
    let hourly = products / squares;
    (longest >= LEAST).then(|| Growth { hourly, rise: hourly * longest.as_secs_f64() / 3600.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(list: impl IntoIterator<Item = u64>) -> Spread {
        Spread::of(list.into_iter().map(Duration::from_millis))
    }

    #[test]
    fn percentiles_are_measurements() {
        for (list, percent, expected) in [
            (vec![5], 50, 5),
            (vec![5], 99, 5),
            (vec![3, 1, 2], 50, 2),
            (vec![4, 3, 2, 1], 50, 2),
            ((1..=100).collect(), 90, 90),
            ((1..=100).collect(), 99, 99),
            ((1..=101).collect(), 99, 100),
            ((1..=100).collect(), 100, 100),
            (vec![9, 7], 0, 7),
        ] {
            let found = ms(list.clone()).percentile(percent);
            assert_eq!(found, Some(Duration::from_millis(expected)), "{percent} % of {list:?}");
        }
        assert_eq!(ms([]).percentile(50), None);
    }

    #[test]
    fn a_spread_is_one_line() {
        assert_eq!(ms([]).to_string(), "none");
        let text = "100 (50 % 50.0 ms, 90 % 90.0 ms, 99 % 99.0 ms, most 100.0 ms)";
        assert_eq!(ms(1..=100).to_string(), text);
    }

    /// One sample a second; the memory of each life is what `memory` says of its number and age.
    fn lives(seconds: &[u64], memory: impl Fn(usize, u64) -> u64) -> Vec<Sample> {
        let mut samples = Vec::new();
        for (life, seconds) in seconds.iter().enumerate() {
            for age in 0..*seconds {
                let at = Duration::from_secs(samples.len() as u64);
                let memory_kib = memory(life, age);
                samples.push(Sample { at, life, memory_kib, descriptors: 10, threads: 4 });
            }
        }
        samples
    }

    fn memory(samples: &[Sample]) -> Level {
        Level::of(samples, |sample| sample.memory_kib as f64).unwrap()
    }

    #[test]
    fn growth_is_what_all_lives_have_in_common() {
        // 2 KiB a second, from another height in each life.
        let level = memory(&lives(&[300, 200], |life, age| 1000 * (life as u64 + 1) + 2 * age));
        let growth = level.growth.unwrap();
        assert!((growth.hourly - 7200.0).abs() < 1.0, "{growth:?}");
        assert!((growth.rise - 2.0 * 269.0).abs() < 1.0, "the longest life after its warm-up: {growth:?}");
        assert_eq!((level.first, level.last, level.highest), (1000.0, 2398.0, 2398.0));
    }

    #[test]
    fn a_warm_up_is_no_growth() {
        let growth = memory(&lives(&[300], |_, age| 1000 + 50 * age.min(25))).growth.unwrap();
        assert!(growth.rise.abs() < 1e-6, "{growth:?}");
    }

    #[test]
    fn short_lives_say_nothing() {
        assert_eq!(memory(&lives(&[260, 260], |_, age| age)).growth, None);
        assert_eq!(Level::of(&[], |_| 0.0), None);
    }
}
