//! Who asks, and whether the token may do what it is used for.

use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Shared;
use super::answer::Failure;
use super::listener::Connection;
use crate::sandbox::Scope;
use crate::sandbox::world::{Login, UserId};

/// The user behind a request.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    pub(super) user: UserId,
    pub(super) token: String,
    /// What the program calls itself.
    pub(super) agent: String,
}

/// What a group of routes asks of a token: one of these scopes; none means that any token will do.
#[derive(Clone, Debug)]
pub(super) struct Demand {
    pub(super) shared: Arc<Shared>,
    pub(super) scopes: &'static [Scope],
}

/// Lets a request pass if its token may; says in headers what the token can do and what was asked.
pub(super) async fn authorize(State(demand): State<Demand>, mut request: Request, next: Next) -> Response {
    let (caller, login) = match identify(&demand.shared, request.headers()) {
        Ok(found) => found,
        Err(failure) => return failure.into_response(),
    };
    if let Some(ConnectInfo(connection)) = request.extensions().get::<ConnectInfo<Connection>>() {
        connection.belongs_to(caller.user.as_str());
    }
    let allowed = demand.scopes.is_empty() || demand.scopes.iter().any(|scope| login.scopes.contains(scope));
    let mut response = if allowed {
        request.extensions_mut().insert(caller);
        next.run(request).await
    } else {
        Failure::Forbidden(format!("Missing scope: {}", join(demand.scopes, " || "))).into_response()
    };
    let headers = response.headers_mut();
    for (name, scopes) in
        [("X-OAuth-Scopes", login.scopes.as_slice()), ("X-Accepted-OAuth-Scopes", demand.scopes)]
    {
        if let Ok(value) = HeaderValue::from_str(&join(scopes, ", ")) {
            headers.insert(name, value);
        }
    }
    response
}

fn join(scopes: &[Scope], separator: &str) -> String {
    scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(separator)
}

fn identify(shared: &Shared, headers: &HeaderMap) -> Result<(Caller, Login), Failure> {
    let token = bearer(headers).ok_or(Failure::Unauthorized("Missing authorization header"))?;
    let login = shared.act(|world, _| world.login(token).cloned());
    let login = login.ok_or(Failure::Unauthorized("No such token"))?;
    let agent = text(headers, header::USER_AGENT).unwrap_or_default();
    if claimed_user(agent).is_some_and(|claimed| UserId::of(claimed) != login.user) {
        return Err(Failure::Unauthorized("The user in the user-agent doesn't match the token bearer"));
    }
    let caller = Caller { user: login.user.clone(), token: token.to_owned(), agent: agent.to_owned() };
    Ok((caller, login))
}

/// The token of a request.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    text(headers, header::AUTHORIZATION)?.strip_prefix("Bearer ").map(str::trim)
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// The user that a user agent names: `user:` or `as:`, perhaps a blank, then 3 to 31 letters, digits, `_` or `-`.
fn claimed_user(agent: &str) -> Option<&str> {
    let starts = agent.match_indices("user:").chain(agent.match_indices("as:"));
    let names = starts.filter_map(|(at, key)| {
        let rest = &agent[at + key.len()..];
        let rest = rest.strip_prefix(char::is_whitespace).unwrap_or(rest);
        let wordy = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let length = rest.chars().take_while(|c| wordy(*c)).take(31).count();
        (length >= 3).then(|| (at, &rest[..length]))
    });
    names.min_by_key(|(at, _)| *at).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_agent_may_name_its_user() {
        for (agent, user) in [
            ("rookery/1.0 user:Somebot", Some("Somebot")),
            ("rookery/1.0 (contact) as: Some-bot_2)", Some("Some-bot_2")),
            ("rookery/1.0", None),
            ("user:ab", None),
            ("", None),
            ("user: é", None),
        ] {
            assert_eq!(claimed_user(agent), user, "{agent:?}");
        }
    }
}
