//! The one place through which every response and every stream line leaves. It lets all of them pass: there is no
//! fault to order yet, only the place where one would act.

use std::io;

use axum::response::Response;
use bytes::Bytes;

/// What goes wrong on purpose: nothing.
#[derive(Debug, Default)]
pub(super) struct Faults;

impl Faults {
    /// What becomes of a response, before its first byte leaves.
    pub(super) fn response(&self, _method: &str, _path: &str, response: Response) -> Response {
        response
    }

    /// The chunks that a line becomes. An error among them cuts the connection.
    pub(super) fn line(&self, line: Bytes) -> Vec<io::Result<Bytes>> {
        vec![Ok(line)]
    }
}
