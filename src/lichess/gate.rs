//! Who may send when. Every request passes here, and all numbers of limits and cool-downs live here.
//!
//! Three lanes. *Moves*: one request in flight a game, and no other request, limit or lane delays it. *Talk*: chat
//! and offers, one in flight a game. *Lobby*: all the rest, strictly one at a time, as the API asks. Opening a
//! stream takes no lane, since a game must be picked up at once; it heeds cool-downs like everything else.
//!
//! A 429 cools down its own family of requests only, and one for a move what can wait for moves: chat, challenges of
//! our own, reading. The gate does not send, retry or know HTTP.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::backoff::Random;
use super::{ApiError, ClientOptions, GameId};
use crate::mutant::{self, Mutant};

/// Requests that the server limits together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Family {
    /// Moves, and what ends a game.
    Move(GameId),
    /// Chat.
    Chat(GameId),
    /// Offers and answers to them.
    Offer(GameId),
    /// The account and its running games.
    Account,
    /// Answers to challenges.
    Answer,
    /// Challenges of our own; the server is strictest here.
    Create,
    /// Lists, exports and other reading.
    Read,
    /// The account's stream.
    EventStream,
    /// Streams of games.
    GameStream,
}

/// Where requests wait for each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Lane {
    Moves(GameId),
    Talk(GameId),
    Lobby,
    Free,
}

/// What cools down together: moves by game, so that one game's trouble is not another's; all else by family.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Cooled {
    Moves(GameId),
    Chat,
    Offers,
    Account,
    Answer,
    Create,
    Read,
    EventStream,
    GameStream,
}

impl Family {
    fn lane(&self) -> Lane {
        match self {
            Family::Move(game) => Lane::Moves(game.clone()),
            Family::Chat(game) | Family::Offer(game) => Lane::Talk(game.clone()),
            Family::Account | Family::Answer | Family::Create | Family::Read => Lane::Lobby,
            Family::EventStream | Family::GameStream => Lane::Free,
        }
    }

    fn cooled(&self) -> Cooled {
        match self {
            Family::Move(game) => Cooled::Moves(game.clone()),
            Family::Chat(_) => Cooled::Chat,
            Family::Offer(_) => Cooled::Offers,
            Family::Account => Cooled::Account,
            Family::Answer => Cooled::Answer,
            Family::Create => Cooled::Create,
            Family::Read => Cooled::Read,
            Family::EventStream => Cooled::EventStream,
            Family::GameStream => Cooled::GameStream,
        }
    }

    /// No cool-down of this family lasts longer, unless the server says so. The server has been seen to refuse
    /// new challenges for more than an hour while all else worked.
    fn longest(&self) -> Duration {
        match self {
            Family::Create => Duration::from_secs(3600),
            _ => Duration::from_secs(600),
        }
    }
}

/// How often a move is tried again after short waits; then the long wait of all others applies.
pub(crate) const SHORT_WAITS: u32 = 3;

/// A move is held back by the gate for no longer than so many short waits, whatever the server asks for. How much of a
/// clock may be spent on waiting is for those to say who know the clock; they are told the whole wait.
const MOVE_HELD: u32 = 4;

/// The stream of a game that is being played is not done without for longer, unless the server says so.
const GAME_STREAM_LONGEST: Duration = Duration::from_secs(15);

/// How many time limits of its own a request waits for those in front of it. Only a server that hangs makes a lane
/// so slow, and what comes later still is of no use to anybody.
const LANE_PATIENCE: u32 = 3;

/// No server is believed that asks for more than this.
const LONGEST_TOLD: Duration = Duration::from_secs(24 * 3600);

/// A cool-down that has been over for so long is forgotten, with its count of strikes.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(3600);

/// Admits requests.
#[derive(Debug)]
pub(crate) struct Gate {
    long_wait: Duration,
    short_wait: Duration,
    lobby: Arc<Semaphore>,
    games: Mutex<HashMap<Lane, Weak<Semaphore>>>,
    cooling: Mutex<Cooling>,
}

#[derive(Debug)]
struct Cooling {
    by_kind: HashMap<Cooled, CoolDown>,
    random: Random,
}

#[derive(Clone, Copy, Debug)]
struct CoolDown {
    until: Instant,
    strikes: u32,
}

/// The right to send one request. Dropping it lets the next one in.
#[derive(Debug)]
pub(crate) struct Pass {
    /// None on the free lane.
    _lane: Option<OwnedSemaphorePermit>,
}

impl Cooling {
    /// What can wait for moves is silent until then. It has done nothing wrong, so it gets no strike.
    fn hush(&mut self, until: Instant) {
        for kind in [Cooled::Chat, Cooled::Create, Cooled::Read] {
            let cool_down = self.by_kind.entry(kind).or_insert(CoolDown { until, strikes: 0 });
            cool_down.until = cool_down.until.max(until);
        }
    }
}

impl Gate {
    pub(crate) fn new(options: &ClientOptions, random: Random) -> Gate {
        Gate {
            long_wait: options.rate_limit_wait,
            short_wait: options.move_rate_limit_wait,
            lobby: Arc::new(Semaphore::new(1)),
            games: Mutex::new(HashMap::new()),
            cooling: Mutex::new(Cooling { by_kind: HashMap::new(), random }),
        }
    }

    /// Waits for a turn. A cool-down that ends within `patience` is waited for, without holding up the lane; a
    /// longer one is answered at once, since most requests would be pointless by then.
    pub(crate) async fn enter(&self, family: &Family, patience: Duration) -> Result<Pass, ApiError> {
        let deadline = Instant::now() + patience;
        let queue = patience.saturating_mul(LANE_PATIENCE);
        loop {
            self.cooled_down(family, deadline).await?;
            let lane = tokio::time::timeout(queue, self.lane(family)).await;
            let pass = Pass { _lane: lane.map_err(|_| ApiError::Timeout { after: queue })? };
            if self.remaining(family).is_none() {
                return Ok(pass);
            }
        }
    }

    /// The server said "too many requests", and perhaps for how long. Returns how long it is.
    pub(crate) fn limited(&self, family: &Family, told: Option<Duration>) -> Duration {
        let now = Instant::now();
        if mutant::on(Mutant::NoCoolDown) {
            return Duration::ZERO;
        }
        let kind = family.cooled();
        let mut cooling = lock(&self.cooling);
        cooling.by_kind.retain(|_, cool_down| now < cool_down.until + FORGOTTEN_AFTER);
        let strikes = cooling.by_kind.get(&kind).map_or(0, |cool_down| cool_down.strikes).saturating_add(1);
        let wait = match told {
            // "No wait at all" would make a storm of those who obey.
            Some(told) => told.clamp(self.short_wait, LONGEST_TOLD.max(self.short_wait)),
            None => {
                let (wait, cap) = self.untold(family, strikes);
                // On top: coming back too early would be the next strike.
                (wait + cooling.random.upper_half(wait / 10)).min(cap)
            }
        };
        let held = match family {
            Family::Move(_) => wait.min(self.short_wait.saturating_mul(MOVE_HELD)),
            _ => wait,
        };
        cooling.by_kind.insert(kind, CoolDown { until: now + held, strikes });
        if matches!(family, Family::Move(_)) {
            cooling.hush(now + self.long_wait);
        }
        wait
    }

    /// A request was answered by anything else: the next cool-down of its family is a first one again.
    pub(crate) fn passed(&self, family: &Family) {
        let kind = family.cooled();
        let mut cooling = lock(&self.cooling);
        if cooling.by_kind.get(&kind).is_some_and(|cool_down| cool_down.until <= Instant::now()) {
            cooling.by_kind.remove(&kind);
        }
    }

    /// The wait for the n-th strike, and the longest of its kind.
    fn untold(&self, family: &Family, strikes: u32) -> (Duration, Duration) {
        let doubled = |first: Duration, times: u32| first.saturating_mul(1 << times.min(20));
        match family {
            Family::Move(_) if strikes <= SHORT_WAITS => {
                let wait = doubled(self.short_wait, strikes - 1);
                (wait, wait.saturating_mul(2))
            }
            Family::Move(_) => (self.long_wait, self.long_wait.saturating_mul(2)),
            // The clock runs while we are blind.
            Family::GameStream => {
                let wait = doubled(self.short_wait, strikes - 1).min(GAME_STREAM_LONGEST);
                (wait, wait.saturating_mul(2))
            }
            _ => {
                let cap = family.longest().max(self.long_wait.saturating_mul(2));
                (doubled(self.long_wait, strikes - 1).min(cap), cap)
            }
        }
    }

    async fn cooled_down(&self, family: &Family, deadline: Instant) -> Result<(), ApiError> {
        while let Some(until) = self.remaining(family) {
            if until > deadline {
                return Err(ApiError::RateLimited {
                    wait: until.saturating_duration_since(Instant::now()),
                    key: None,
                    message: "still cooling down after an earlier answer; nothing was sent".to_owned(),
                });
            }
            tokio::time::sleep_until(until).await;
        }
        Ok(())
    }

    /// When the cool-down of a family ends, if one is on.
    fn remaining(&self, family: &Family) -> Option<Instant> {
        let until = lock(&self.cooling).by_kind.get(&family.cooled())?.until;
        (until > Instant::now()).then_some(until)
    }

    async fn lane(&self, family: &Family) -> Option<OwnedSemaphorePermit> {
        let lane = match family.lane() {
            Lane::Free => return None,
            Lane::Lobby => self.lobby.clone(),
            lane @ (Lane::Moves(_) | Lane::Talk(_)) => self.game_lane(lane),
        };
        Some(lane.acquire_owned().await.expect("because no lane is ever closed"))
    }

    /// The lane of a game lives as long as somebody is in it or waits for it.
    fn game_lane(&self, lane: Lane) -> Arc<Semaphore> {
        let mut games = lock(&self.games);
        if let Some(running) = games.get(&lane).and_then(Weak::upgrade) {
            return running;
        }
        games.retain(|_, lane| lane.strong_count() > 0);
        let fresh = Arc::new(Semaphore::new(1));
        games.insert(lane, Arc::downgrade(&fresh));
        fresh
    }
}

/// The maps are whole between any two of their operations, so a panic elsewhere leaves nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "gate_tests.rs"]
mod tests;
