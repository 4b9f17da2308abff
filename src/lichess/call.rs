//! A request to be made, as data: what, with which fields, and in which family of the gate.

use reqwest::Method;

use super::gate::Family;
use super::model::Form;

/// A request to be made.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) method: Method,
    /// From the API's root. It is made of literals and checked ids only, so nothing needs escaping.
    pub(crate) path: String,
    pub(crate) query: Form,
    pub(crate) payload: Payload,
    pub(crate) accept: &'static str,
    pub(crate) family: Family,
    /// Whether doing it twice is as good as once, so that it may be tried again when nobody knows if it counted.
    pub(crate) repeatable: bool,
    pub(crate) with_token: bool,
}

/// The body of a request.
#[derive(Clone, Debug)]
pub(crate) enum Payload {
    Nothing,
    /// `application/x-www-form-urlencoded`.
    Form(Form),
    /// The token itself, as plain text.
    Token,
}

const JSON: &str = "application/json";
const LINES: &str = "application/x-ndjson";

impl Call {
    /// Reads something. Reading can be repeated.
    pub(crate) fn get(family: Family, path: impl Into<String>) -> Call {
        Call { repeatable: true, ..Call::post(family, path) }.method(Method::GET)
    }

    /// Does something.
    pub(crate) fn post(family: Family, path: impl Into<String>) -> Call {
        Call {
            method: Method::POST,
            path: path.into(),
            query: Form::new(),
            payload: Payload::Nothing,
            accept: JSON,
            family,
            repeatable: false,
            with_token: true,
        }
    }

    /// Opens a stream. It is repeated by its owner, not by the sender.
    pub(crate) fn stream(family: Family, path: impl Into<String>) -> Call {
        Call { accept: LINES, repeatable: false, ..Call::get(family, path) }
    }

    pub(crate) fn query(mut self, key: &str, value: &str) -> Call {
        self.query.push((key.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn form(self, form: Form) -> Call {
        Call { payload: Payload::Form(form), ..self }
    }

    /// The body is the token, and then no header needs to hold it.
    pub(crate) fn token_as_body(self) -> Call {
        Call { payload: Payload::Token, with_token: false, ..self }
    }

    pub(crate) fn accept(self, accept: &'static str) -> Call {
        Call { accept, ..self }
    }

    pub(crate) fn repeatable(self) -> Call {
        Call { repeatable: true, ..self }
    }

    fn method(self, method: Method) -> Call {
        Call { method, ..self }
    }

    /// For people and recordings.
    pub(crate) fn path_and_query(&self) -> String {
        let query: Vec<_> = self.query.iter().map(|(key, value)| format!("{key}={value}")).collect();
        if query.is_empty() { self.path.clone() } else { format!("{}?{}", self.path, query.join("&")) }
    }
}
