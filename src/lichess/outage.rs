//! Whether the server is back. While it is not, the streams take turns in asking, and the first request that succeeds
//! tells all that wait.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::{ApiError, Disposition};

/// The time between the first two attempts to find the server back, doubled each time.
const FIRST: Duration = Duration::from_millis(250);
/// The longest of these times: a game waits no longer for a server that is back, and ten seconds cost ten requests,
/// however many games are being played.
const LONGEST: Duration = Duration::from_millis(1200);

/// The trouble that all requests of a client share.
#[derive(Debug)]
pub(super) struct Outage {
    trouble: Mutex<Trouble>,
    /// Those who wait for the end are woken in the order in which they came, so that a simulation repeats itself.
    over: Notify,
}

#[derive(Debug)]
struct Trouble {
    /// Requests in a row that failed without a word of the server.
    failures: u32,
    /// Outages that are over.
    overcome: u64,
    /// When a stream last asked.
    asked: Instant,
}

impl Outage {
    pub(super) fn new() -> Outage {
        let trouble = Trouble { failures: 0, overcome: 0, asked: Instant::now() };
        Outage { trouble: Mutex::new(trouble), over: Notify::new() }
    }

    /// What came of a request. A server that refuses is there; one that fails or does not answer is not.
    pub(super) fn note<T>(&self, result: Result<T, &ApiError>) {
        let mut trouble = self.lock();
        match result {
            Ok(_) if std::mem::take(&mut trouble.failures) > 0 => {
                trouble.overcome += 1;
                self.over.notify_waiters();
            }
            Err(error) if error.disposition() == Disposition::Retry => {
                trouble.failures = trouble.failures.saturating_add(1);
            }
            Ok(_) | Err(_) => {}
        }
    }

    /// Whether a stream may be opened now; if not, when it may ask again.
    pub(super) fn turn(&self, now: Instant) -> Result<(), Instant> {
        let mut trouble = self.lock();
        let doublings = trouble.failures.saturating_sub(1).min(8);
        let next = trouble.asked + FIRST.saturating_mul(1 << doublings).min(LONGEST);
        if trouble.failures > 0 && next > now {
            return Err(next);
        }
        trouble.asked = now;
        Ok(())
    }

    /// Whether the last requests failed.
    pub(super) fn is_on(&self) -> bool {
        self.lock().failures > 0
    }

    /// How many outages are over.
    pub(super) fn overcome(&self) -> u64 {
        self.lock().overcome
    }

    /// Waits until more outages are over than `known`. Cancel-safe.
    pub(super) async fn end(&self, known: u64) {
        loop {
            let over = self.over.notified();
            if self.overcome() > known {
                return;
            }
            over.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Trouble> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    fn failure() -> Result<(), &'static ApiError> {
        static RESET: ApiError = ApiError::Network(String::new());
        Err(&RESET)
    }

    #[test]
    fn a_success_after_trouble_is_the_end_of_an_outage() {
        let outage = Outage::new();
        let told = |result| {
            let known = outage.overcome();
            let before = outage.end(known);
            outage.note(result);
            before.now_or_never().is_some()
        };
        assert!(!told(Ok(())), "there was no trouble");
        assert!(!told(failure()));
        assert!(told(Ok(())));
        assert!(!told(Ok(())), "it is told once");
    }

    #[test]
    fn streams_take_turns_while_the_server_is_down() {
        let outage = Outage::new();
        let now = Instant::now();
        let later = |ms: u64| now + Duration::from_millis(ms);
        assert_eq!((outage.turn(now), outage.turn(now)), (Ok(()), Ok(())), "nothing is known of trouble");
        outage.note(failure());
        assert_eq!(outage.turn(now), Err(later(250)));
        assert_eq!(outage.turn(later(250)), Ok(()));
        assert_eq!(outage.turn(later(250)), Err(later(500)), "the other one has asked");
        for _ in 0..9 {
            outage.note(failure());
        }
        assert_eq!(outage.turn(later(500)), Err(later(1450)));
        outage.note(Ok(()));
        assert_eq!(outage.turn(later(501)), Ok(()));
    }
}
