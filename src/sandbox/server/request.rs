//! Reading requests: queries, and bodies as forms or text, each within a time limit.

use std::time::Duration;

use axum::Json;
use axum::extract::{Form, FromRequest, FromRequestParts, Query, Request};
use axum::http::header;
use axum::http::request::Parts;
use serde_json::Value;
use tokio::time::timeout;

use super::answer::Failure;
use crate::sandbox::wire::Fields;

/// A client that has not sent its body by then has given up.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

type Pairs = Vec<(String, String)>;

/// The fields of the query.
#[derive(Debug)]
pub(super) struct QueryFields(pub(super) Fields);

impl<S: Send + Sync> FromRequestParts<S> for QueryFields {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<QueryFields, Failure> {
        let Query(pairs) = Query::<Pairs>::from_request_parts(parts, state)
            .await
            .map_err(|error| Failure::Unreadable(error.to_string()))?;
        Ok(QueryFields(Fields::from_pairs(pairs)))
    }
}

/// The fields of the body, URL-encoded or JSON. No body is no fields.
#[derive(Debug)]
pub(super) struct BodyFields(pub(super) Fields);

impl<S: Send + Sync> FromRequest<S> for BodyFields {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<BodyFields, Failure> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.unwrap_or_default().to_owned();
        let read = async {
            if kind.starts_with("application/json") {
                let Json(value) = Json::<Value>::from_request(request, state)
                    .await
                    .map_err(|error| Failure::Unreadable(error.to_string()))?;
                return Ok(Fields::from_json(&value).unwrap_or_default());
            }
            if kind.starts_with("application/x-www-form-urlencoded") {
                let Form(pairs) = Form::<Pairs>::from_request(request, state)
                    .await
                    .map_err(|error| Failure::Unreadable(error.to_string()))?;
                return Ok(Fields::from_pairs(pairs));
            }
            Ok(Fields::default())
        };
        let fields = timeout(BODY_TIMEOUT, read).await.map_err(|_| too_slow())?;
        fields.map(BodyFields)
    }
}

/// The body as text.
#[derive(Debug)]
pub(super) struct BodyText(pub(super) String);

impl<S: Send + Sync> FromRequest<S> for BodyText {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<BodyText, Failure> {
        let read = timeout(BODY_TIMEOUT, String::from_request(request, state));
        let text = read.await.map_err(|_| too_slow())?;
        text.map(BodyText).map_err(|error| Failure::Unreadable(error.to_string()))
    }
}

fn too_slow() -> Failure {
    Failure::Unreadable(format!("the body did not arrive within {} s", BODY_TIMEOUT.as_secs()))
}
