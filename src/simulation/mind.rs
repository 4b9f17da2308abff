//! A stand-in for the engine that thinks in virtual time: any legal move, after a while, and now and then what an
//! engine must not do.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;

use super::dice::Dice;
use crate::bot::{Mind, OnDone, OnInfo, Thought};
use crate::chess::Move;
use crate::engine::{Limits, Score, SearchOutcome, SearchRequest, StopReason};

/// So often in ten thousand, a search goes wrong in some way.
const WRONG: u64 = 60;

/// The stand-in.
#[derive(Debug)]
pub(super) struct Stepper {
    seed: u64,
    searches: AtomicU64,
    habit: Habit,
}

/// How a stand-in thinks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Habit {
    /// Any part of its time, and now and then what an engine must not do.
    Wild,
    /// Always so long; the n-th search, counted from 0, breaks down inside.
    Steady { think: Duration, crash: Option<u64> },
}

impl Stepper {
    pub(super) fn new(seed: u64, habit: Habit) -> Stepper {
        Stepper { seed, searches: AtomicU64::new(0), habit }
    }
}

/// What becomes of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Answers,
    /// It breaks down inside; what it had must do.
    Crashes,
    /// It finds nothing.
    Empty,
    /// It finds a move that is none here.
    Illegal,
    /// It never answers.
    Hangs,
}

impl Mind for Stepper {
    fn start(&self, request: SearchRequest, _on_info: OnInfo, on_done: OnDone) -> Box<dyn Thought> {
        let number = self.searches.fetch_add(1, Ordering::Relaxed);
        let mut dice = Dice::new(self.seed, number);
        let (fate, time) = match self.habit {
            Habit::Wild => (Fate::draw(&mut dice), time(&request.limits, &mut dice)),
            Habit::Steady { think, crash } if crash == Some(number) => (Fate::Crashes, think),
            Habit::Steady { think, .. } => (Fate::Answers, think),
        };
        let outcome = outcome(&request, fate, &mut dice);
        let pending: Pending = Arc::new(Mutex::new(Some((outcome, on_done))));
        let step = Step { pending, began: Instant::now(), time, fate, task: Mutex::default() };
        if !request.ponder {
            step.answer_at(step.began + step.time);
        }
        Box::new(step)
    }
}

impl Fate {
    fn draw(dice: &mut Dice) -> Fate {
        const KINDS: [Fate; 4] = [Fate::Crashes, Fate::Empty, Fate::Illegal, Fate::Hangs];
        if dice.between(1, 10_000) <= WRONG { *dice.pick(&KINDS) } else { Fate::Answers }
    }
}

fn time(limits: &Limits, dice: &mut Dice) -> Duration {
    let longest = limits.soft.or(limits.hard).unwrap_or(Duration::from_secs(1));
    longest.mul_f64(dice.between(1, 100) as f64 / 100.0)
}

fn outcome(request: &SearchRequest, fate: Fate, dice: &mut Dice) -> SearchOutcome {
    let legal = request.history.position().legal_moves();
    let allowed = if request.root_moves.is_empty() { &legal[..] } else { &request.root_moves[..] };
    let best = match fate {
        Fate::Empty => None,
        Fate::Illegal => (0..=u16::MAX).filter_map(Move::from_raw).find(|mv| !legal.contains(mv)),
        Fate::Answers | Fate::Crashes | Fate::Hangs if allowed.is_empty() => None,
        Fate::Answers | Fate::Crashes | Fate::Hangs => Some(*dice.pick(allowed)),
    };
    SearchOutcome {
        best,
        ponder: None,
        score: Score::cp(i32::try_from(dice.between(0, 600)).unwrap_or_default() - 300),
        depth: 8,
        nodes: 1000,
        elapsed: Duration::ZERO,
        pv: best.into_iter().collect(),
        reason: if fate == Fate::Crashes { StopReason::Crashed } else { StopReason::Limit },
    }
}

/// The result, until it is told.
type Pending = Arc<Mutex<Option<(SearchOutcome, OnDone)>>>;

struct Step {
    pending: Pending,
    began: Instant,
    time: Duration,
    fate: Fate,
    /// What answers in time; it ends with the search.
    task: Mutex<JoinSet<()>>,
}

impl Step {
    fn answer_at(&self, at: Instant) {
        if self.fate == Fate::Hangs {
            return;
        }
        let (pending, began) = (Arc::clone(&self.pending), self.began);
        self.task.lock().unwrap_or_else(PoisonError::into_inner).spawn(async move {
            tokio::time::sleep_until(at).await;
            tell(&pending, began);
        });
    }
}

/// Tells the result, if nobody has told it yet.
fn tell(pending: &Pending, began: Instant) {
    let told = pending.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((outcome, on_done)) = told {
        on_done(SearchOutcome { elapsed: began.elapsed(), ..outcome });
    }
}

impl Thought for Step {
    fn stop(&self) {
        if self.fate != Fate::Hangs {
            tell(&self.pending, self.began);
        }
    }

    fn ponder_hit(&self, limits: Limits) {
        let time = limits.hard.unwrap_or(self.time).min(self.time);
        self.answer_at(Instant::now() + time);
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Step").field("fate", &self.fate).finish_non_exhaustive()
    }
}
