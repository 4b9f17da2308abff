//! Which search a thread works on. Pure: a list of searches and a moment go in, a decision comes out.
//!
//! A search should be answered about when its soft limit says, its wait included. With more searches than threads each
//! is given its share of that time to think, and the one whose answer is due first goes first: all can then be answered
//! when they are due, since earliest deadline first meets every set of deadlines that can be met at all (Liu and
//! Layland 1973). Searches on the opponent's time run only when nothing else does.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

/// A search gives its thread up only for one that is due in less than half the time, and sooner by more than this.
const MARGIN: Duration = Duration::from_millis(20);

/// Where a search stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// No thread works on it.
    Waiting,
    /// A thread leads it, others may help.
    Led,
    /// All is searched, but nobody wants the answer yet.
    Held,
}

/// What a search asks of the threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Claim {
    pub(super) id: u64,
    pub(super) phase: Phase,
    pub(super) helpers: usize,
    pub(super) pondering: bool,
    /// When the answer should be there.
    pub(super) due: Instant,
}

/// What a thread should do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Duty {
    /// Lead the search with this id.
    Lead(u64),
    /// Help the search with this id.
    Help(u64),
}

/// The searches that may have threads: those that are waited for, and only without any the others.
fn entitled(claims: &[Claim]) -> impl Iterator<Item = &Claim> {
    let urgent = claims.iter().any(is_urgent);
    claims.iter().filter(move |claim| claim.phase != Phase::Held && claim.pondering != urgent)
}

fn is_urgent(claim: &Claim) -> bool {
    claim.phase != Phase::Held && !claim.pondering
}

/// What a thread without work should do. It has already done all it can for the search `done`.
pub(super) fn duty(claims: &[Claim], done: Option<u64>) -> Option<Duty> {
    let waiting =
        entitled(claims).filter(|claim| claim.phase == Phase::Waiting).min_by_key(|claim| claim.due);
    if let Some(claim) = waiting {
        return Some(Duty::Lead(claim.id));
    }
    entitled(claims)
        .filter(|claim| Some(claim.id) != done)
        .min_by_key(|claim| (claim.helpers, claim.due))
        .map(|claim| Duty::Help(claim.id))
}

/// Whether a thread that helps the search `id` is of more use elsewhere.
pub(super) fn stops_helping(claims: &[Claim], id: u64) -> bool {
    let Some(helped) = entitled(claims).find(|claim| claim.id == id) else { return true };
    entitled(claims).any(|claim| claim.phase == Phase::Waiting || claim.helpers + 1 < helped.helpers)
}

/// Whether the thread that leads the search `id` should leave it for one that waits, while `idle` threads have no work.
pub(super) fn stops_leading(claims: &[Claim], id: u64, idle: usize, now: Instant) -> bool {
    let Some(led) = claims.iter().find(|claim| claim.id == id) else { return false };
    if led.pondering {
        return claims.iter().any(is_urgent);
    }
    let mut all_led = entitled(claims).filter(|claim| claim.phase == Phase::Led);
    let waiting =
        entitled(claims).filter(|claim| claim.phase == Phase::Waiting).min_by_key(|claim| claim.due);
    let Some(waiting) = waiting.filter(|_| idle == 0) else { return false };
    let left = |claim: &Claim| claim.due.saturating_duration_since(now);
    left(led) > left(waiting).saturating_mul(2) + MARGIN
        && all_led.all(|other| other.helpers == 0 && (other.due, Reverse(other.id)) <= (led.due, Reverse(id)))
}

/// How much of its time each search may think when `threads` are shared by all, in thousandths.
pub(super) fn share(claims: &[Claim], threads: usize) -> u32 {
    let searches = claims.iter().filter(|claim| is_urgent(claim)).count();
    u32::try_from((threads * 1000).checked_div(searches).unwrap_or(1000).min(1000)).unwrap_or(1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches by number, each with what it is up to and the milliseconds until it is due.
    fn claims(now: Instant, list: &[(Phase, usize, u64)]) -> Vec<Claim> {
        let claim = |(id, &(phase, helpers, due)): (usize, &(Phase, usize, u64))| Claim {
            id: id as u64,
            phase,
            helpers,
            pondering: due == PONDER,
            due: now + Duration::from_millis(due),
        };
        list.iter().enumerate().map(claim).collect()
    }

    const PONDER: u64 = 1_000_000_000;

    use Phase::{Held, Led, Waiting};

    #[test]
    fn the_most_urgent_search_goes_first_and_threads_left_help_evenly() {
        let now = Instant::now();
        for (list, done, expected) in [
            (&[][..], None, None),
            (&[(Waiting, 0, 500), (Waiting, 0, 90), (Led, 0, 10)], None, Some(Duty::Lead(1))),
            (&[(Led, 1, 500), (Led, 0, 900)], None, Some(Duty::Help(1))),
            (&[(Led, 0, 500), (Led, 0, 90)], None, Some(Duty::Help(1))),
            (&[(Led, 0, 500), (Led, 0, 90)], Some(1), Some(Duty::Help(0))),
            (&[(Led, 0, 500)], Some(0), None),
            (&[(Held, 0, 500)], None, None),
            (&[(Waiting, 0, PONDER)], None, Some(Duty::Lead(0))),
            (&[(Waiting, 0, PONDER), (Led, 3, 500)], None, Some(Duty::Help(1))),
            (&[(Waiting, 0, PONDER), (Held, 0, 500)], None, Some(Duty::Lead(0))),
            (&[(Led, 0, PONDER), (Waiting, 0, PONDER)], None, Some(Duty::Lead(1))),
        ] {
            assert_eq!(duty(&claims(now, list), done), expected, "{list:?}");
        }
    }

    #[test]
    fn helpers_leave_for_searches_that_wait_or_have_fewer() {
        let now = Instant::now();
        for (list, expected) in [
            (&[(Led, 1, 500)][..], false),
            (&[(Led, 1, 500), (Waiting, 0, 900)], true),
            (&[(Led, 2, 500), (Led, 1, 500)], false),
            (&[(Led, 2, 500), (Led, 0, 500)], true),
            (&[(Led, 1, 500), (Waiting, 0, PONDER)], false),
            (&[(Led, 1, PONDER), (Led, 0, 500)], true),
            (&[(Held, 0, 500)], true),
        ] {
            assert_eq!(stops_helping(&claims(now, list), 0), expected, "{list:?}");
        }
        assert!(stops_helping(&[], 0));
    }

    #[test]
    fn a_lead_leaves_only_for_what_is_much_more_urgent() {
        let now = Instant::now();
        for (list, idle, expected) in [
            (&[(Led, 0, 5000), (Waiting, 0, 100)][..], 0, true),
            // Nearly done, or hardly less urgent.
            (&[(Led, 0, 0), (Waiting, 0, 0)], 0, false),
            (&[(Led, 0, 200), (Waiting, 0, 100)], 0, false),
            // Another thread will do: an idle one, one that helps, one whose search is less urgent.
            (&[(Led, 0, 5000), (Waiting, 0, 100)], 1, false),
            (&[(Led, 0, 5000), (Waiting, 0, 100), (Led, 1, 200)], 0, false),
            (&[(Led, 0, 5000), (Waiting, 0, 100), (Led, 0, 6000)], 0, false),
            (&[(Led, 0, 5000), (Waiting, 0, 100), (Led, 0, 4000)], 0, true),
            // Of two alike one leaves.
            (&[(Led, 0, 5000), (Waiting, 0, 100), (Led, 0, 5000)], 0, true),
            (&[(Led, 0, PONDER), (Waiting, 0, 5000)], 0, true),
            (&[(Led, 0, PONDER), (Led, 0, 5000)], 0, true),
            (&[(Led, 0, PONDER), (Waiting, 0, PONDER)], 0, false),
            (&[(Led, 0, 5000), (Waiting, 0, PONDER)], 0, false),
        ] {
            assert_eq!(stops_leading(&claims(now, list), 0, idle, now), expected, "{list:?} {idle}");
        }
        let alike = claims(now, &[(Led, 0, 5000), (Waiting, 0, 100), (Led, 0, 5000)]);
        assert!(!stops_leading(&alike, 2, 0, now));
    }

    #[test]
    fn time_to_think_is_shared() {
        let now = Instant::now();
        for (list, threads, expected) in [
            (&[][..], 2, 1000),
            (&[(Led, 0, 500)], 2, 1000),
            (&[(Led, 0, 500), (Led, 0, 500), (Waiting, 0, 500)], 2, 666),
            (&[(Led, 0, 500), (Waiting, 0, PONDER), (Held, 0, 500)], 1, 1000),
        ] {
            assert_eq!(share(&claims(now, list), threads), expected, "{list:?}");
        }
    }
}
