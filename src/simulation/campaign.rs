//! Many runs, on several threads, and what came of them all.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use super::judge::Breach;
use super::run::{RunReport, run};

/// One run of so many is made twice, to see that it repeats itself.
const REPEATED: u64 = 100;

/// Failed runs that are told in full; the others are counted.
const TOLD: usize = 5;

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// The first seed; the others follow.
    pub first_seed: u64,
    /// Seeds are run until so many games are over.
    pub games: usize,
    /// Threads.
    pub threads: NonZero<usize>,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct CampaignReport {
    /// Seeds that were run.
    pub runs: u64,
    /// Games that were played to their end.
    pub games: usize,
    /// Plies of all games.
    pub plies: usize,
    /// Games of which the bot never heard how they ended.
    pub untold: usize,
    /// How often each kind of fault fired.
    pub faults: BTreeMap<String, u64>,
    /// Promises that were broken, by name.
    pub breaches: BTreeMap<String, u64>,
    /// The first runs in which a promise was broken.
    pub failed: Vec<RunReport>,
    /// How many runs failed.
    pub failures: u64,
    /// Virtual time that went by.
    pub virtual_time: Duration,
    /// Real time that went by.
    pub time: Duration,
    /// Resident memory after a tenth of the runs and at the end, in KiB, where the system tells it.
    pub memory: Option<(u64, u64)>,
}

/// Runs seeds until enough games are over.
pub fn run_campaign(campaign: Campaign) -> io::Result<CampaignReport> {
    count_panics();
    let began = Instant::now();
    let next = AtomicU64::new(campaign.first_seed);
    let total = Mutex::new(CampaignReport::default());
    let workers = |_| -> io::Result<()> {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let report = run_watched(seed)?;
            let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
            total.add(report);
            if total.memory.is_none() && total.games * 10 >= campaign.games {
                total.memory = memory().map(|now| (now, now));
            }
            if total.games >= campaign.games {
                return Ok(());
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..campaign.threads.get()).map(|n| scope.spawn(move || workers(n))).collect();
        threads.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err(io::Error::other("a run broke down")))
        })
    })?;
    let mut total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
    total.time = began.elapsed();
    total.memory = total.memory.zip(memory()).map(|((early, _), late)| (early, late));
    Ok(total)
}

thread_local! {
    /// Panics of this thread. A run stays on its thread with all its tasks.
    static PANICS: Cell<u64> = const { Cell::new(0) };
    /// Whether a run is on, whose panics are counted and not printed.
    static RUNNING: Cell<bool> = const { Cell::new(false) };
}

/// From now on panics of runs are counted instead of printed.
fn count_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if RUNNING.get() {
                PANICS.set(PANICS.get() + 1);
            } else {
                before(info);
            }
        }));
    });
}

/// A run, with what can be seen from outside of it.
fn run_watched(seed: u64) -> io::Result<RunReport> {
    PANICS.set(0);
    RUNNING.set(true);
    let report = run(seed);
    let again = seed.is_multiple_of(REPEATED).then(|| run(seed));
    RUNNING.set(false);
    let mut report = report?;
    let mut breach = |promise, what| report.breaches.push(Breach { promise, at: report.time, what });
    if PANICS.get() > 0 {
        breach("I6", format!("{} panics", PANICS.get()));
    }
    if let Some(again) = again.transpose()?
        && again.trace != report.trace
    {
        breach("repeat", "the run does not repeat itself".to_owned());
    }
    Ok(report)
}

impl CampaignReport {
    fn add(&mut self, run: RunReport) {
        self.runs += 1;
        self.games += run.games;
        self.plies += run.plies;
        self.untold += run.untold;
        self.virtual_time += run.time;
        for (kind, fired) in &run.faults {
            *self.faults.entry(kind.clone()).or_default() += fired;
        }
        for breach in &run.breaches {
            *self.breaches.entry(breach.promise.to_owned()).or_default() += 1;
        }
        if !run.breaches.is_empty() {
            self.failures += 1;
            if self.failed.len() < TOLD {
                self.failed.push(run);
            }
        }
    }
}

impl fmt::Display for CampaignReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for run in &self.failed {
            writeln!(f, "seed {} (run it again with --seed {} --games 1):", run.seed, run.seed)?;
            for Breach { promise, at, what } in &run.breaches {
                writeln!(f, "  {promise} at {} ms: {what}", at.as_millis())?;
            }
        }
        for (kind, fired) in &self.faults {
            writeln!(f, "{kind:16} {fired:>9}")?;
        }
        let faults: u64 = self.faults.values().sum();
        writeln!(
            f,
            "{} games, {} plies in {} runs, {} faults of {} kinds, {:.1} h of virtual time in {:.1} s",
            self.games,
            self.plies,
            self.runs,
            faults,
            self.faults.len(),
            self.virtual_time.as_secs_f64() / 3600.0,
            self.time.as_secs_f64()
        )?;
        writeln!(f, "{} games whose end the bot was never told", self.untold)?;
        if let Some((early, late)) = self.memory {
            writeln!(f, "resident memory {early} KiB after a tenth of the games, {late} KiB at the end")?;
        }
        match self.failures {
            0 => write!(f, "no promise was broken"),
            failures => write!(f, "promises were broken in {failures} runs: {:?}", self.breaches),
        }
    }
}

/// Resident memory in KiB.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}
