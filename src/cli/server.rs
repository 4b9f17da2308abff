//! What commands share that talk to the configured server: the client, the runtime, and what its errors mean to
//! the user.

use std::future::Future;
use std::sync::Arc;

use super::exit::{Exit, Failure};
use crate::config::{Settings, Sources};
use crate::lichess::{Account, ApiError, Client, Disposition, NoTap, Token, TokenInfo};

/// The scope that a playing bot needs, and the only one.
const SCOPE: &str = "bot:play";

/// The token from the environment or a file, or why there is none.
pub(crate) fn token(settings: &Settings, sources: &Sources) -> Result<Token, Failure> {
    let text = settings.token(sources).map_err(|e| Failure::because(Exit::Config, "nothing was sent", e))?;
    Token::new(text).map_err(|e| Failure::because(Exit::Config, "the token cannot be one", e))
}

/// A client for one-off requests.
pub(crate) fn client(settings: &Settings, token: Token) -> Result<Client, Failure> {
    let options = settings.lichess.client(token);
    Client::new(options, Arc::new(NoTap)).map_err(|e| failure("cannot set up the client", e))
}

/// Runs a future to its end on a runtime of its own. Two threads are enough: the search has its own.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("rookery-io")
        .enable_all()
        .build()
        .map_err(|e| Failure::because(Exit::Failed, "cannot start the runtime", e))?;
    runtime.block_on(work)
}

/// Whose token it is, and whether it may play.
pub(crate) async fn identify(client: &Client) -> Result<(Account, TokenInfo), Failure> {
    let account = client.account().await.map_err(|e| failure("cannot ask whose token this is", e))?;
    let info = client.test_token().await.map_err(|e| failure("cannot ask what the token may do", e))?;
    if !info.has(SCOPE) {
        let scopes = if info.scopes.is_empty() { "none".to_owned() } else { info.scopes.join(", ") };
        let text = format!("the token of {} lacks the scope {SCOPE} (it has: {scopes})", account.username);
        return Err(Failure::new(Exit::Account, text));
    }
    Ok((account, info))
}

/// What an error of the server means to the user.
pub(crate) fn failure(what: &str, error: ApiError) -> Failure {
    let exit = match error.disposition() {
        Disposition::Auth => Exit::Account,
        Disposition::Retry | Disposition::Wait(_) => Exit::Network,
        Disposition::Rejected | Disposition::Gone => Exit::Failed,
    };
    Failure::because(exit, what, error)
}
