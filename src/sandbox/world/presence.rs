//! Who is there: a player counts as present while a stream of the game is open.

use std::time::Duration;

use super::{Game, GameLine, Seat, Speed, TimeControl};
use crate::chess::Color;
use crate::sandbox::SandboxOptions;

/// One player's presence.
#[derive(Clone, Debug)]
pub(super) struct Presence {
    streams: usize,
    /// Since when no stream is open.
    closed: Option<Duration>,
    /// Whether there ever was a stream.
    came: bool,
    /// When the opponent was last told that this player is gone.
    told: Option<Duration>,
}

impl Presence {
    /// Nobody has come yet.
    pub(super) fn awaited(now: Duration) -> Presence {
        Presence { streams: 0, closed: Some(now), came: false, told: None }
    }

    /// An absence begins anew, and nobody has been told of it.
    pub(super) fn forget_absence(&mut self, now: Duration) {
        self.closed = self.closed.map(|_| now);
        self.told = None;
    }

    /// Whether the player has been there.
    pub(super) fn has_come(&self) -> bool {
        self.came
    }

    /// Since when the player counts as gone, if that has come.
    fn gone_since(&self, options: &SandboxOptions, now: Duration) -> Option<Duration> {
        let since = self.closed?.saturating_add(options.gone_after);
        (now >= since).then_some(since)
    }
}

impl Game {
    /// A stream of `color` was opened. The opponent hears of it if it was told that `color` is gone.
    pub(super) fn player_came(&mut self, color: Color) {
        let presence = &mut self.presence[color.index()];
        presence.streams = presence.streams.saturating_add(1);
        presence.closed = None;
        presence.came = true;
        if presence.told.take().is_some() {
            self.lines.push(GameLine::Gone { to: !color, claim_in: None });
        }
    }

    /// A stream of `color` was closed.
    pub(super) fn player_left(&mut self, color: Color, now: Duration) {
        let presence = &mut self.presence[color.index()];
        presence.streams = presence.streams.saturating_sub(1);
        if presence.streams == 0 {
            presence.closed = Some(now);
        }
    }

    /// Tells players that their opponent is gone, and again from time to time.
    pub(super) fn report_absence(&mut self, now: Duration) {
        if !self.is_live() || self.ply() < 2 || !matches!(self.clock.control(), TimeControl::Clock { .. }) {
            return;
        }
        for color in Color::ALL {
            if matches!(self.seat(color), Seat::Ai { .. }) {
                continue;
            }
            let presence = &self.presence[color.index()];
            let Some(since) = presence.gone_since(&self.options, now) else {
                continue;
            };
            let due = match presence.told {
                None => since.saturating_add(self.options.gone_report),
                Some(told) => told.saturating_add(self.options.gone_repeat),
            };
            if now >= due {
                let claim_in = since.saturating_add(self.patience()).saturating_sub(now);
                self.presence[color.index()].told = Some(now);
                self.lines.push(GameLine::Gone { to: !color, claim_in: Some(claim_in) });
            }
        }
    }

    /// Whether `color`'s opponent has been away for long enough.
    pub(super) fn may_claim(&self, color: Color, now: Duration) -> bool {
        let opponent = &self.presence[(!color).index()];
        let gone = opponent.gone_since(&self.options, now);
        self.ply() >= 2 && gone.is_some_and(|since| now >= since.saturating_add(self.patience()))
    }

    fn patience(&self) -> Duration {
        let factor = match self.speed {
            Speed::UltraBullet | Speed::Bullet | Speed::Blitz => 1,
            Speed::Rapid => 2,
            Speed::Classical | Speed::Correspondence => 3,
        };
        self.options.gone_patience.saturating_mul(factor)
    }
}
