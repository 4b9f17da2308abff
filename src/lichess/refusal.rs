//! From the status and body of an unsuccessful answer to an [`ApiError`].
//!
//! The body may be anything: the error as text or as an object of form fields, a page of a proxy, nothing. The
//! status decides what kind of error it is; the body only adds words.

use std::time::Duration;

use serde_json::Value;

use super::error::{AuthProblem, Limit};
use super::model::Fields;
use super::{ApiError, Token};
use crate::printable::steers;

/// What was answered, as far as errors need it.
#[derive(Debug)]
pub(crate) struct Refusal<'a> {
    pub(crate) status: u16,
    pub(crate) body: &'a [u8],
    /// `Retry-After`, when it is a number of seconds.
    pub(crate) retry_after: Option<Duration>,
    /// `X-Accepted-OAuth-Scopes`.
    pub(crate) scopes: Option<String>,
    /// `Location`.
    pub(crate) location: Option<String>,
}

/// Characters of the longest message.
const LONGEST_MESSAGE: usize = 200;

impl Refusal<'_> {
    /// How long the server wants us to wait, if it says so.
    pub(crate) fn told_wait(&self) -> Option<Duration> {
        self.limit().map(|limit| limit.wait).or(self.retry_after)
    }

    /// The limit that the server names.
    pub(crate) fn limit(&self) -> Option<Limit> {
        let body: Value = serde_json::from_slice(self.body).ok()?;
        let limit = Fields::of(&body).object("ratelimit");
        Some(Limit { key: limit.name("key").unwrap_or_default().to_owned(), wait: limit.seconds("seconds")? })
    }

    /// The error. `wait` is how long a 429 lasts.
    pub(crate) fn into_error(self, token: &Token, wait: Duration) -> ApiError {
        let message = token.scrub(&message(self.status, self.body));
        match self.status {
            300..=399 => ApiError::Redirected {
                status: self.status,
                location: token.scrub(&shortened(self.location.as_deref().unwrap_or_default())),
            },
            401 => ApiError::Unauthorized { problem: auth_problem(&message), message },
            403 => ApiError::Forbidden { scopes: self.scopes.filter(|scopes| !scopes.is_empty()), message },
            404 | 410 => ApiError::NotFound { message },
            429 => ApiError::RateLimited { wait, key: self.limit().map(|limit| limit.key), message },
            500.. => ApiError::Server { status: self.status, message },
            _ => ApiError::Refused { status: self.status, limit: self.limit(), message },
        }
    }
}

/// Only the words tell the two apart, and the operator has to do different things about them.
fn auth_problem(message: &str) -> AuthProblem {
    let message = message.to_ascii_lowercase();
    if message.contains("user-agent") || message.contains("user agent") {
        AuthProblem::UserAgent
    } else {
        AuthProblem::Token
    }
}

/// A short, readable line about a body of any kind.
fn message(status: u16, body: &[u8]) -> String {
    let said = match serde_json::from_slice::<Value>(body) {
        Ok(json) => said_in_json(&json),
        Err(_) => said_in_text(&String::from_utf8_lossy(body)),
    };
    let said = shortened(&said);
    if said.is_empty() { format!("status {status} without a message") } else { said }
}

fn said_in_json(json: &Value) -> String {
    let fields = Fields::of(json);
    match fields.get("error").or_else(|| fields.get("message")) {
        Some(Value::String(text)) => match fields.text("error_description") {
            Some(description) => format!("{text}: {description}"),
            None => text.clone(),
        },
        Some(Value::Object(errors)) => errors
            .iter()
            .map(|(field, problems)| format!("{field}: {}", listed(problems)))
            .collect::<Vec<_>>()
            .join("; "),
        Some(other) => other.to_string(),
        None => json.as_str().map_or_else(|| json.to_string(), str::to_owned),
    }
}

fn listed(problems: &Value) -> String {
    match problems {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(listed).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// Plain text as it is; of a page, its title, or else its text.
fn said_in_text(text: &str) -> String {
    if !text.trim_start().starts_with('<') {
        return text.to_owned();
    }
    let title = text.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    title.map_or_else(|| without_tags(text), |(title, _)| title.to_owned())
}

fn without_tags(page: &str) -> String {
    page.split('<')
        .filter_map(|piece| piece.split_once('>'))
        .map(|(_, text)| text)
        .collect::<Vec<_>>()
        .join(" ")
}

/// One line of a bounded length, without characters that steer a terminal.
pub(super) fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = line.chars().filter(|c| !steers(*c)).take(LONGEST_MESSAGE).collect();
    if short.len() < line.len() && short.chars().count() == LONGEST_MESSAGE {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lichess::Disposition;

    fn error(status: u16, body: &str) -> ApiError {
        let token = Token::new("lip_topsecret".to_owned()).unwrap();
        let refusal = Refusal {
            status,
            body: body.as_bytes(),
            retry_after: None,
            scopes: Some("bot:play, board:play".to_owned()),
            location: Some("https://elsewhere.example/".to_owned()),
        };
        refusal.into_error(&token, Duration::from_secs(60))
    }

    #[test]
    fn every_shape_of_a_body_becomes_a_short_line() {
        for (body, expected) in [
            (r#"{"error":"Not your turn, or game already over"}"#, "Not your turn, or game already over"),
            (r#"{"error":{"clock.limit":["Invalid clock"]}}"#, "clock.limit: Invalid clock"),
            (r#"{"text":["too long"],"error":{"text":["too long","odd"]}}"#, "text: too long, odd"),
            (
                r#"{"error":{"global":["Invalid speed"],"fen":"invalidFen"}}"#,
                "fen: invalidFen; global: Invalid speed",
            ),
            (
                r#"{"error":"invalid_grant","error_description":"hash mismatch"}"#,
                "invalid_grant: hash mismatch",
            ),
            (r#"{"error":null}"#, r#"{"error":null}"#),
            (r#""Resource not found""#, "Resource not found"),
            ("[1,2]", "[1,2]"),
            ("Resource not found\r\n", "Resource not found"),
            ("", "status 400 without a message"),
            (" \n", "status 400 without a message"),
            ("<html>\n<head><title>502 Bad\n Gateway</title></head><body>x</body></html>", "502 Bad Gateway"),
            ("<!DOCTYPE html><h1>Under</h1><p>maintenance</p>", "Under maintenance"),
            ("\u{1b}[31mred", "[31mred"),
        ] {
            let ApiError::Refused { message, .. } = error(400, body) else { panic!("{body}") };
            assert_eq!(message, expected, "{body}");
        }
        let ApiError::Refused { message, .. } = error(400, &"é".repeat(5000)) else { panic!() };
        assert_eq!(message.chars().count(), LONGEST_MESSAGE + 1);
    }

    #[test]
    fn bytes_that_are_no_text_are_no_problem() {
        let token = Token::new("x".to_owned()).unwrap();
        let refusal =
            Refusal { status: 500, body: &[0xff, 0xfe, 0], retry_after: None, scopes: None, location: None };
        assert!(matches!(refusal.into_error(&token, Duration::ZERO), ApiError::Server { status: 500, .. }));
    }

    #[test]
    fn the_status_decides_what_to_do() {
        for (status, expected) in [
            (301, Disposition::Retry),
            (307, Disposition::Retry),
            (400, Disposition::Rejected),
            (401, Disposition::Auth),
            (403, Disposition::Auth),
            (404, Disposition::Gone),
            (405, Disposition::Rejected),
            (429, Disposition::Wait(Duration::from_secs(60))),
            (500, Disposition::Retry),
            (502, Disposition::Retry),
            (503, Disposition::Retry),
            (530, Disposition::Retry),
        ] {
            assert_eq!(error(status, "<html>anything</html>").disposition(), expected, "{status}");
        }
    }

    #[test]
    fn a_missing_scope_is_named() {
        let text = error(403, r#"{"error":"Missing scope: bot:play || board:play"}"#).to_string();
        assert!(text.contains("Missing scope") && text.contains("one of: bot:play, board:play"), "{text}");
    }

    #[test]
    fn a_wrong_user_agent_is_not_reported_as_a_bad_token() {
        let mismatch = error(401, r#"{"error":"The user in the user-agent doesn't match the token bearer"}"#);
        assert!(matches!(mismatch, ApiError::Unauthorized { problem: AuthProblem::UserAgent, .. }));
        assert!(mismatch.to_string().contains("User-Agent"));
        let unknown = error(401, r#"{"error":"No such token"}"#);
        assert!(matches!(unknown, ApiError::Unauthorized { problem: AuthProblem::Token, .. }));
    }

    #[test]
    fn a_limit_of_the_opponent_is_a_refusal_with_a_time() {
        let body =
            r#"{"error":"x played 100 games today","ratelimit":{"key":"bot.vsBot.day","seconds":4321}}"#;
        let ApiError::Refused { limit: Some(limit), .. } = error(400, body) else { panic!() };
        assert_eq!(limit, Limit { key: "bot.vsBot.day".to_owned(), wait: Duration::from_secs(4321) });
        let ApiError::RateLimited { key, .. } = error(429, body) else { panic!() };
        assert_eq!(key.as_deref(), Some("bot.vsBot.day"));
    }

    #[test]
    fn the_token_is_cut_out_of_what_the_server_quotes() {
        let text = error(401, r#"{"error":"No such token lip_topsecret"}"#).to_string();
        assert!(text.contains("<redacted>") && !text.contains("topsecret"), "{text}");
    }

    #[test]
    fn a_redirect_says_where_to() {
        assert!(error(302, "").to_string().contains("https://elsewhere.example/"));
    }
}
