//! What must hold for whatever a server sends: the readers of this module with their promises, for the fuzz targets and
//! for the test of their seeds. Not built otherwise.

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::chat;
use super::ndjson::{Frame, Framer, LINE_LIMIT};
use super::refusal::Refusal;
use super::{AccountEvent, GameEvent, Token};
use crate::printable::steers;

/// Any cutting of the bytes into chunks gives the same lines, and no line is longer than it may be. The first byte
/// says how long that is, the second where it is cut.
pub fn framer(bytes: &[u8]) {
    let [limit, cut, bytes @ ..] = bytes else { return };
    let mut whole = Framer::new(usize::from(*limit));
    let mut parts = Framer::new(usize::from(*limit));
    let frames = whole.push(bytes);
    let split: Vec<Frame> =
        bytes.chunks(usize::from(*cut).max(1)).flat_map(|part| parts.push(part)).collect();
    assert_eq!(frames, split);
    let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
    // A line that is too long is told before its end.
    assert!(frames.iter().filter(|frame| **frame != Frame::TooLong).count() <= ends);
    for frame in frames {
        if let Frame::Line(line) = frame {
            assert!(line.len() <= usize::from(*limit) && !line.is_empty() && !line.contains(&b'\n'));
        }
    }
    assert_eq!(whole.rest(), parts.rest());
}

/// Lines of both streams become events, which can be written down and read back, are small, and hold no more than the
/// line does.
pub fn events(bytes: &[u8]) {
    let mut framer = Framer::new(LINE_LIMIT);
    for frame in framer.push(bytes).into_iter().chain([Frame::Line(bytes.to_vec())]) {
        let Frame::Line(line) = frame else { continue };
        comes_back(&AccountEvent::from_line(&line));
        comes_back(&GameEvent::from_line(&line));
    }
}

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(event: &T) {
    let text = serde_json::to_string(event).expect("because no map in an event has odd keys");
    let again: T = serde_json::from_str(&text).expect("because every line can be read");
    assert_eq!(&again, event, "{text}");
}

/// An answer that is no success becomes an error of one short line without the token. The first two bytes are the
/// status, the rest is the body.
pub fn refusal(bytes: &[u8]) {
    let [high, low, body @ ..] = bytes else { return };
    let token = Token::new("lip_secret".to_owned()).expect("because these are word characters");
    let status = 300 + u16::from_be_bytes([*high, *low]) % 300;
    let text = String::from_utf8_lossy(body).into_owned();
    let refusal = || Refusal { status, body, retry_after: None, scopes: None, location: Some(text.clone()) };
    let error = refusal().into_error(&token, Duration::from_secs(1));
    let told = error.to_string();
    assert!(
        told.chars().count() < 1000 && !told.contains(steers) && !told.contains("lip_secret"),
        "{told:?}"
    );
    assert!(refusal().told_wait().is_none_or(|wait| wait <= Duration::from_secs(u64::from(u32::MAX) * 2)));
    let _disposition = error.disposition();
}

/// A history of a chat is read or refused, and what we would say fits into one line.
pub fn chat(bytes: &[u8]) {
    for line in chat::history(bytes).into_iter().flatten() {
        let said = chat::fitting(&line.text);
        assert!(said.encode_utf16().count() <= 140 && line.text.contains(said));
    }
    let text = String::from_utf8_lossy(bytes);
    let said = chat::fitting(&text);
    assert!(said.encode_utf16().count() <= 140 && said.trim() == said);
}

#[cfg(test)]
mod tests {
    use crate::seeds::each;

    #[test]
    fn the_seeds_of_the_framer() {
        each("framer", super::framer);
    }

    #[test]
    fn the_seeds_of_events() {
        each("events", super::events);
    }

    #[test]
    fn the_seeds_of_refusals() {
        each("refusal", super::refusal);
    }

    #[test]
    fn the_seeds_of_chat() {
        each("chat", super::chat);
    }
}
