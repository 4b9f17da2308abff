//! The secret that proves who we are. It cannot be displayed, and its debug form hides it.

use std::fmt;
use std::sync::Arc;

use crate::mutant::{self, Mutant};
use reqwest::header::HeaderValue;
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;

/// A token of the API. It leaves this module as a header marked sensitive, and as the body of the one call that
/// asks the server about it.
#[derive(Clone)]
pub struct Token(Arc<SecretString>);

/// Why a text cannot be a token. It never quotes the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TokenError {
    /// Nothing there.
    #[error("the token is empty")]
    Empty,
    /// Longer than any token is.
    #[error("the token has {0} characters, at most {LONGEST} are possible")]
    TooLong(usize),
    /// A blank, a quote, a line end.
    #[error("the token has a character that no token has; letters, digits and underscores are expected")]
    BadCharacter,
}

/// Characters of the longest token that the API allows.
pub(super) const LONGEST: usize = 512;

/// What stands in a text where the token was.
const HIDDEN: &str = "<redacted>";

impl Token {
    /// Checks a token.
    pub fn new(text: String) -> Result<Token, TokenError> {
        if text.is_empty() {
            return Err(TokenError::Empty);
        }
        if text.len() > LONGEST {
            return Err(TokenError::TooLong(text.chars().count()));
        }
        if !text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(TokenError::BadCharacter);
        }
        Ok(Token(Arc::new(SecretString::from(text))))
    }

    /// The `Authorization` header.
    pub(crate) fn header(&self) -> HeaderValue {
        let text = format!("Bearer {}", self.0.expose_secret());
        let mut value =
            HeaderValue::try_from(text).expect("because letters, digits and underscores fit a header");
        value.set_sensitive(true);
        value
    }

    /// The text itself, for a request body.
    pub(crate) fn for_body(&self) -> String {
        self.0.expose_secret().to_owned()
    }

    /// Whether a text is this token.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.0.expose_secret() == text
    }

    /// The text without this token: servers have been seen to quote what they were sent.
    pub(crate) fn scrub(&self, text: &str) -> String {
        text.replace(self.0.expose_secret(), HIDDEN)
    }

    /// As [`Token::scrub`], for what need not be text.
    pub(crate) fn scrub_line(&self, line: Vec<u8>) -> Vec<u8> {
        let token = self.0.expose_secret().as_bytes();
        if !line.windows(token.len()).any(|part| part == token) {
            return line;
        }
        self.scrub(&String::from_utf8_lossy(&line)).into_bytes()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if mutant::on(Mutant::NoRedaction) {
            return f.write_str(self.0.expose_secret());
        }
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_word_characters_make_a_token() {
        assert!(Token::new("lip_Abc123".to_owned()).is_ok());
        assert!(Token::new("x".repeat(512)).is_ok());
        assert_eq!(Token::new(String::new()).unwrap_err(), TokenError::Empty);
        assert_eq!(Token::new("x".repeat(513)).unwrap_err(), TokenError::TooLong(513));
        for bad in ["lip_a\n", "lip a", "\"lip_a\"", "lip-a", "lip_é"] {
            assert_eq!(Token::new(bad.to_owned()).unwrap_err(), TokenError::BadCharacter, "{bad}");
        }
    }

    #[test]
    fn no_form_of_it_shows_it() {
        let token = Token::new("lip_topsecret".to_owned()).unwrap();
        assert_eq!(format!("{token:?}"), "<redacted>");
        assert!(!format!("{:?}", token.header()).contains("topsecret"));
        assert_eq!(token.scrub("No such token lip_topsecret!"), "No such token <redacted>!");
        assert_eq!(token.scrub_line(b"\"lip_topsecret\"".to_vec()), b"\"<redacted>\"");
        assert_eq!(token.scrub_line(b"\xff".to_vec()), b"\xff");
        let complaint = Token::new("lip_top secret".to_owned()).unwrap_err();
        assert!(!format!("{complaint} {complaint:?}").contains("secret"));
    }
}
