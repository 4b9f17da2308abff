//! Ordering faults over HTTP while the sandbox runs. Every client may: a sandbox is for tests.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use serde_json::{Value, json};

use super::Shared;
use super::answer::{Failure, done};
use super::request::BodyText;
use crate::sandbox::faults::{FaultReport, rules};

/// `GET /sandbox/faults`: what happened so far.
pub(super) async fn report(State(shared): State<Arc<Shared>>) -> Json<FaultReport> {
    Json(shared.faults.report())
}

/// `POST /sandbox/faults`: a rule, or a list of rules of which all are good or none is taken. Their ids.
pub(super) async fn add(
    State(shared): State<Arc<Shared>>,
    BodyText(text): BodyText,
) -> Result<Json<Value>, Failure> {
    let value = serde_json::from_str(&text).map_err(|error| {
        Failure::Unreadable(format!("expected a rule or a list of rules in JSON: {error}"))
    })?;
    let rules = rules(value).map_err(|bad| Failure::Unreadable(bad.to_string()))?;
    let ids: Vec<u64> = rules.into_iter().map(|rule| shared.faults.add(rule)).collect();
    Ok(Json(json!({ "ids": ids })))
}

/// `DELETE /sandbox/faults`
pub(super) async fn clear(State(shared): State<Arc<Shared>>) -> Json<Value> {
    shared.faults.clear();
    done()
}

/// `DELETE /sandbox/faults/{id}`
pub(super) async fn remove(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Failure> {
    let removed = id.parse().is_ok_and(|id| shared.faults.remove(id));
    if removed { Ok(done()) } else { Err(Failure::NotFound("No such rule")) }
}
