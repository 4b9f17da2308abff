//! Counting requests in windows that begin with the first of them.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::sandbox::RequestLimit;

/// Counts by a key: a user, a token.
#[derive(Debug, Default)]
pub(crate) struct Limiter {
    windows: BTreeMap<String, Window>,
}

#[derive(Clone, Copy, Debug)]
struct Window {
    began: Duration,
    used: u32,
}

impl Limiter {
    /// Uses up `cost`, if there is room for it; else says how long to wait. Without a limit all is allowed.
    pub(crate) fn take(
        &mut self,
        limit: Option<RequestLimit>,
        key: &str,
        cost: u32,
        now: Duration,
    ) -> Result<(), Duration> {
        self.check(limit, key, cost, now)?;
        if limit.is_some() {
            let window = self.windows.entry(key.to_owned()).or_insert(Window { began: now, used: 0 });
            window.used = window.used.saturating_add(cost);
        }
        Ok(())
    }

    /// Whether `cost` would be allowed.
    pub(crate) fn check(
        &mut self,
        limit: Option<RequestLimit>,
        key: &str,
        cost: u32,
        now: Duration,
    ) -> Result<(), Duration> {
        let Some(limit) = limit else { return Ok(()) };
        self.windows.retain(|_, window| now < window.began.saturating_add(limit.window));
        let Some(window) = self.windows.get(key) else {
            return Ok(());
        };
        if window.used.saturating_add(cost) <= limit.count {
            Ok(())
        } else {
            Err(window.began.saturating_add(limit.window).saturating_sub(now))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_begins_with_its_first_request() {
        let limit = Some(RequestLimit::new(2, 10));
        let at = Duration::from_secs;
        let mut limiter = Limiter::default();
        assert_eq!(limiter.take(limit, "a", 1, at(5)), Ok(()));
        assert_eq!(limiter.take(limit, "a", 2, at(6)), Err(at(9)));
        assert_eq!(limiter.take(limit, "a", 1, at(7)), Ok(()));
        assert_eq!(limiter.take(limit, "a", 1, at(14)), Err(at(1)));
        assert_eq!(limiter.take(limit, "b", 1, at(14)), Ok(()));
        assert_eq!(limiter.take(limit, "a", 1, at(15)), Ok(()));
        assert_eq!(limiter.take(None, "a", 99, at(15)), Ok(()));
    }
}
