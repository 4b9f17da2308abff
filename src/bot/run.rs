//! Starting the bot: its parts, the check of the account, and the end.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;
use tracing::{info, warn};

use super::error::{BotError, BotSummary};
use super::options::BotOptions;
use super::shutdown::Phase;
use super::supervisor::{Loop, Supervisor};
use super::tap::Ear;
use super::thinker::Thinker;
use super::view::View;
use crate::engine::{Pool, PoolOptions};
use crate::ignore::Ignore;
use crate::lichess::{Account, ApiError, Client, Disposition, Token};
use crate::record::{Hide, Recorder};

/// So long after the start the server is asked often whether it is there: games may be running, and their clocks too.
const EAGER: Duration = Duration::from_secs(120);
/// The longest wait in that time.
const EAGER_WAIT: Duration = Duration::from_secs(2);

/// How long the recordings get to be written out at the end.
const FLUSH: Duration = Duration::from_secs(5);

/// Plays until `phase` says that it is enough and the games are over. If the sender of `phase` is dropped, it plays
/// on in the phase that was last told.
pub async fn run(
    options: BotOptions,
    mut phase: watch::Receiver<Phase>,
    view: Option<View>,
) -> Result<BotSummary, BotError> {
    let recorder = match &options.record_dir {
        Some(dir) => Recorder::create(dir, hide(&options.client.token)).unwrap_or_else(|error| {
            warn!(dir = %dir.display(), %error, "cannot record; the games go on without");
            Recorder::disabled()
        }),
        None => Recorder::disabled(),
    };
    let log = recorder.log("account", &());
    let ear = Arc::new(Ear::new(log.clone(), options.health.clone()));
    let (recorder, result) = match begin(&options, Arc::clone(&ear), &mut phase).await {
        Ok(Some((client, account))) => {
            let us = account.id.clone();
            let client = client.with_account(&us);
            let thinker = Thinker::new(match &options.mind {
                Some(mind) => Arc::clone(mind),
                None => Arc::new(pool(options.engine.clone())),
            });
            let parts = Supervisor { options, us, client, thinker, recorder, ear, log, view };
            Loop::new(parts).run(phase).await
        }
        Ok(None) => (recorder, Ok(BotSummary::default())),
        Err(error) => (recorder, Err(error)),
    };
    // Writing out blocks, so it is done where that is allowed.
    let closed = tokio::task::spawn_blocking(move || recorder.close(FLUSH)).await;
    closed.ignore("a recorder that broke down has said so");
    result
}

fn pool(options: PoolOptions) -> Pool {
    let asked = options.hash_mib;
    let pool = Pool::in_background(options);
    let hash_mib = pool.options().hash_mib;
    if hash_mib < asked {
        warn!(asked, hash_mib, "no memory for so large a transposition table; playing with a smaller one");
    }
    pool
}

/// Whatever a server may quote, no recording holds the token.
fn hide(token: &Token) -> Hide {
    let token = token.clone();
    Box::new(move |text| token.scrub(&text))
}

/// A client and its account, once the server has let us in; nothing, if the program is to end before that.
async fn begin(
    options: &BotOptions,
    ear: Arc<Ear>,
    phase: &mut watch::Receiver<Phase>,
) -> Result<Option<(Client, Account)>, BotError> {
    let client = Client::new(options.client.clone(), ear).map_err(BotError::Unusable)?;
    let ended = async {
        if phase.wait_for(|phase| *phase != Phase::Running).await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let account = tokio::select! {
        biased;
        account = sign_in(&client, options) => account?,
        () = ended => return Ok(None),
    };
    if account.disabled {
        return Err(BotError::Closed { account: account.username });
    }
    if !account.is_bot() {
        return Err(BotError::NotABot { account: account.username });
    }
    info!(account = %account.username, server = %options.client.base_url, "ready");
    Ok(Some((client, account)))
}

/// Asks for the account until the server answers: a server that is down at the start is no reason to give up.
async fn sign_in(client: &Client, options: &BotOptions) -> Result<Account, BotError> {
    let mut wait = options.client.backoff.first;
    let began = Instant::now();
    loop {
        let error = match client.account().await {
            Ok(account) => return Ok(account),
            Err(error) => error,
        };
        let pause = match (error.disposition(), &error) {
            (Disposition::Auth, _) => return Err(BotError::Refused(error)),
            (_, ApiError::InvalidUrl { .. } | ApiError::Setup(_) | ApiError::Redirected { .. }) => {
                return Err(BotError::Unusable(error));
            }
            (Disposition::Wait(wait), _) => wait,
            _ => wait,
        };
        warn!(%error, wait_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX), "cannot reach the server yet");
        tokio::time::sleep(pause).await;
        let longest = if began.elapsed() < EAGER {
            EAGER_WAIT.min(options.client.backoff.max)
        } else {
            options.client.backoff.max
        };
        wait = wait.saturating_mul(2).min(longest);
    }
}
