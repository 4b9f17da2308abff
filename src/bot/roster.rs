//! When the list of running games is looked at next, to find those whose beginning or end was missed. Pure: it takes
//! the time as an argument.

use std::time::Duration;

use tokio::time::Instant;

/// How soon after its acceptance a game usually begins.
const BEGINS_WITHIN: Duration = Duration::from_secs(3);

/// The time between two looks while games are running: so long at most a line that the stream lost is missed.
const BUSY: Duration = Duration::from_secs(15);

/// No list is left alone for longer: what lies beyond the reach of the clock never comes.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// The next look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Roster {
    at: Instant,
    every: Duration,
}

impl Roster {
    /// A look now, and then one in each such time.
    pub(crate) fn new(now: Instant, every: Duration) -> Roster {
        Roster { at: now, every: every.min(LONGEST) }
    }

    /// When the next look is due.
    pub(crate) fn at(&self) -> Instant {
        self.at
    }

    /// It is being looked at. While games are running it is looked at more often: it tells when a line was lost.
    pub(crate) fn asked(&mut self, now: Instant, busy: bool) {
        self.at = now + if busy { self.every.min(BUSY) } else { self.every };
    }

    /// A game begins.
    pub(crate) fn begun(&mut self, now: Instant) {
        self.look_by(now + BUSY);
    }

    /// There is a reason to look by then.
    pub(crate) fn look_by(&mut self, at: Instant) {
        self.at = self.at.min(at);
    }

    /// A game was promised. If it is not heard of soon, it may have begun unheard.
    pub(crate) fn promised(&mut self, now: Instant) {
        self.look_by(now + BEGINS_WITHIN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promised_game_is_looked_for_sooner() {
        let now = Instant::now();
        let seconds = Duration::from_secs;
        let mut roster = Roster::new(now, seconds(300));
        assert_eq!(roster.at(), now);
        roster.asked(now, false);
        assert_eq!(roster.at(), now + seconds(300));
        roster.promised(now + seconds(10));
        roster.promised(now + seconds(20));
        assert_eq!(roster.at(), now + seconds(13));
        roster.asked(now + seconds(13), false);
        assert_eq!(roster.at(), now + seconds(313));
        roster.begun(now + seconds(20));
        assert_eq!(roster.at(), now + seconds(35));
        roster.asked(now + seconds(35), true);
        assert_eq!(roster.at(), now + seconds(50));
    }
}
