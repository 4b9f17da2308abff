//! What happens because time goes by: flags, absences, first moves that do not come, challenges that grow old.

use std::time::Duration;

use super::lobby::is_real_time;
use super::{ChallengeStatus, World};
use crate::ignore::Ignore;

/// How long a challenge that waits for nothing any more is remembered, so that late answers get the right refusal.
const REMEMBER_CHALLENGE: Duration = Duration::from_secs(3 * 3600);
/// How long a challenge without a clock waits.
const CORRESPONDENCE_EXPIRY: Duration = Duration::from_secs(14 * 86_400);

impl World {
    /// Does what is due.
    pub(crate) fn sweep(&mut self, now: Duration) {
        if self.is_down() {
            return;
        }
        let check_flags = now.saturating_sub(self.flags_checked) >= self.options.flag_check;
        if check_flags {
            self.flags_checked = now;
        }
        for id in self.live.clone() {
            let swept = self.on_game(&id, |game| {
                game.expire_first_move(now);
                game.forfeit_absent(now);
                game.report_absence(now);
                if check_flags {
                    game.fall_flag(now);
                }
                Ok(())
            });
            swept.ignore("the id was taken from the list just now");
        }
        self.age_challenges(now);
    }

    fn age_challenges(&mut self, now: Duration) {
        let expiry = self.options.challenge_expiry;
        for challenge in self.challenges.values_mut() {
            let lives = if is_real_time(challenge.time) { expiry } else { CORRESPONDENCE_EXPIRY };
            let unseen = now.saturating_sub(challenge.seen) >= lives;
            if challenge.status == ChallengeStatus::Created && challenge.waiting == 0 && unseen {
                challenge.status = ChallengeStatus::Offline;
            }
        }
        self.challenges.retain(|_, challenge| {
            challenge.status == ChallengeStatus::Created
                || now.saturating_sub(challenge.created) < REMEMBER_CHALLENGE
        });
    }
}
