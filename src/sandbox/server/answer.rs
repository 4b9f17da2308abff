//! Responses.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::sandbox::wire::{error_body, refusal_answer};
use crate::sandbox::world::Refusal;

/// Why a request got no good answer.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    /// The world refuses.
    Refused(Refusal),
    /// There is nothing at this address: plain text, as for every unknown route.
    NoRoute,
    /// The token is missing or wrong.
    Unauthorized(&'static str),
    /// The token may not do this.
    Forbidden(String),
    /// No such thing, in JSON.
    NotFound(&'static str),
    /// The request cannot be read.
    Unreadable(String),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            Failure::Refused(refusal) => {
                let answer = refusal_answer(&refusal);
                let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                (status, Json(answer.body)).into_response()
            }
            Failure::NoRoute => (StatusCode::NOT_FOUND, "404 - Resource not found").into_response(),
            Failure::Unauthorized(text) => (StatusCode::UNAUTHORIZED, Json(error_body(text))).into_response(),
            Failure::Forbidden(text) => (StatusCode::FORBIDDEN, Json(error_body(&text))).into_response(),
            Failure::NotFound(text) => (StatusCode::NOT_FOUND, Json(error_body(text))).into_response(),
            Failure::Unreadable(text) => (StatusCode::BAD_REQUEST, Json(error_body(&text))).into_response(),
        }
    }
}

/// `{"ok":true}`
pub(super) fn done() -> Json<Value> {
    Json(json!({"ok": true}))
}

/// JSON values as a stream that is complete at once.
pub(super) fn ndjson(values: impl IntoIterator<Item = Value>) -> Response {
    let text: String = values.into_iter().map(|value| format!("{value}\n")).collect();
    typed("application/x-ndjson", text)
}

/// Text of some type.
pub(super) fn typed(content_type: &'static str, text: String) -> Response {
    ([(axum::http::header::CONTENT_TYPE, content_type)], text).into_response()
}
