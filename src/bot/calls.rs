//! Answers to challenges and the list of running games: requests of the account that nobody waits for. Each is a
//! task of the supervisor's and tells what became of it.

use std::time::Duration;

use tokio::time::Instant;
use tracing::{info, warn};

use super::lobby::{Accepted, Rest, Tired};
use crate::lichess::{ApiError, BOT_LIMIT, ChallengeId, Client, DeclineReason, Disposition, PlayingGame};

/// How often an acceptance is sent.
const ATTEMPTS: u32 = 3;

/// The wait before an acceptance with an unclear answer is sent again.
const UNCLEAR: Duration = Duration::from_millis(500);

/// The longest wait that is worth it: no challenge waits longer.
const LONGEST: Duration = Duration::from_secs(120);

/// The wait for the list of running games while the server is in trouble.
const TROUBLE: Duration = Duration::from_secs(2);

/// What became of a request.
#[derive(Debug)]
pub(crate) enum Answered {
    /// A challenge was accepted, or not; and a limit that the server named.
    Accept(ChallengeId, Accepted, Option<Rest>),
    /// A challenge was declined, or could not be.
    Decline(ChallengeId),
    /// The running games, as asked for at some moment.
    Playing(Instant, Result<Vec<PlayingGame>, ApiError>),
}

/// Accepts a challenge. Sending it twice does no harm: the second one is refused.
pub(crate) async fn accept(client: Client, id: ChallengeId) -> Answered {
    let mut unclear = false;
    for _ in 0..ATTEMPTS {
        let Err(error) = client.accept_challenge(&id).await else {
            return Answered::Accept(id, Accepted::Yes, None);
        };
        if let Some(rest) = rest(&error) {
            info!(%id, %error, "a challenge was refused for a limit");
            return Answered::Accept(id, Accepted::No, Some(rest));
        }
        let wait = match error.disposition() {
            Disposition::Retry => {
                unclear = true;
                UNCLEAR
            }
            Disposition::Wait(wait) if wait <= LONGEST => wait,
            Disposition::Wait(_) | Disposition::Rejected | Disposition::Auth | Disposition::Gone => {
                info!(%id, %error, "a challenge could not be accepted");
                break;
            }
        };
        warn!(%id, %error, "accepting a challenge again");
        tokio::time::sleep(wait).await;
    }
    Answered::Accept(id, if unclear { Accepted::Unclear } else { Accepted::No }, None)
}

/// The limit on games between bots that an acceptance has met, if it has.
fn rest(error: &ApiError) -> Option<Rest> {
    match error {
        ApiError::RateLimited { wait, key: Some(key), .. } if key.starts_with(BOT_LIMIT) => {
            Some(Rest { who: Tired::Us, wait: *wait })
        }
        ApiError::Refused { limit: Some(limit), .. } if limit.key.starts_with(BOT_LIMIT) => {
            Some(Rest { who: Tired::Opponent, wait: limit.wait })
        }
        _ => None,
    }
}

/// Declines a challenge. If that fails, it comes again with the next connect.
pub(crate) async fn decline(client: Client, id: ChallengeId, reason: DeclineReason) -> Answered {
    if let Err(error) = client.decline_challenge(&id, reason).await {
        info!(%id, %error, "a challenge could not be declined");
    }
    Answered::Decline(id)
}

/// Asks for the running games. While the server is in trouble the streams ask whether it is back; the list can wait.
pub(crate) async fn playing(client: Client) -> Answered {
    if client.in_trouble() {
        tokio::time::sleep(TROUBLE).await;
    }
    let asked = Instant::now();
    Answered::Playing(asked, client.playing().await)
}
