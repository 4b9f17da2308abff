//! A line of a stream as JSON, mended where a text in it is broken: one bad character in a chat or a name must not cost
//! the line. What the line means is read elsewhere.

use serde_json::Value;

use super::Fields;

/// What stands in a text for what cannot be read: U+FFFD as JSON spells it.
const UNREADABLE: &[u8; 6] = br"\ufffd";

/// The line as JSON; none if it is none.
pub(crate) fn json(line: &[u8]) -> Option<Value> {
    if let Ok(value) = serde_json::from_slice(line) {
        return Some(value);
    }
    // Only what begins like an object is worth the effort.
    if line.trim_ascii_start().first() != Some(&b'{') {
        return None;
    }
    let text = String::from_utf8_lossy(line).into_owned();
    serde_json::from_slice(&without_lone_surrogates(text.as_bytes())).ok()
}

/// What a line says that is no event but an error, as some servers answer on an open stream.
pub(crate) fn error(line: &[u8]) -> Option<String> {
    let value = json(line)?;
    let fields = Fields::of(&value);
    fields.text("error").filter(|_| fields.get("type").is_none()).map(str::to_owned)
}

/// Halves of characters, such as `\ud83e` without its other half, are no text; JSON can hold them all the same.
fn without_lone_surrogates(json: &[u8]) -> Vec<u8> {
    let mut mended = Vec::with_capacity(json.len());
    let mut rest = json;
    while let Some((&byte, after)) = rest.split_first() {
        let length = match (byte, unit(rest)) {
            (b'\\', Some(0xD800..=0xDBFF)) if matches!(unit(&rest[6..]), Some(0xDC00..=0xDFFF)) => 12,
            (b'\\', Some(0xD800..=0xDFFF)) => {
                mended.extend_from_slice(UNREADABLE);
                rest = &rest[6..];
                continue;
            }
            // The backslash takes the next byte with it: `\\\\ud83e` is a backslash and five letters.
            (b'\\', _) => 2.min(after.len() + 1),
            _ => 1,
        };
        mended.extend_from_slice(&rest[..length]);
        rest = &rest[length..];
    }
    mended
}

/// The UTF-16 unit that an escape at the start of `json` spells.
fn unit(json: &[u8]) -> Option<u16> {
    let digits = json.strip_prefix(br"\u")?.get(..4)?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(line: &[u8]) -> Option<String> {
        Some(Fields::of(&json(line)?).text("text")?.to_owned())
    }

    #[test]
    fn a14_a_broken_character_costs_itself_only() {
        for (line, expected) in [
            (&b"{\"text\":\"ok \xc3\x28 ok\"}"[..], "ok \u{fffd}( ok"),
            (b"{\"text\":\"\xff\"}", "\u{fffd}"),
            (br#"{"text":"\ud83e"}"#, "\u{fffd}"),
            (br#"{"text":"\udd80\ud83e!"}"#, "\u{fffd}\u{fffd}!"),
            (br#"{"text":"\ud83e\ud83e\udd80"}"#, "\u{fffd}\u{1f980}"),
            (br#"{"text":"\\ud83e \ud83e"}"#, "\\ud83e \u{fffd}"),
            ("{\"text\":\"добре ♟🦀\"}".as_bytes(), "добре ♟🦀"),
        ] {
            assert_eq!(text(line).as_deref(), Some(expected), "{}", String::from_utf8_lossy(line));
        }
    }

    #[test]
    fn what_is_no_json_stays_none() {
        for line in ["", "<html>", "{\"half\":", "{\"text\":\"\\ud8", "{\\", "\\ud83e"] {
            assert_eq!(json(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn a12_an_error_is_told_from_an_event() {
        assert_eq!(error(br#"{"error":"Missing scope"}"#).as_deref(), Some("Missing scope"));
        for line in
            [r#"{"type":"gameState","error":"x"}"#, r#"{"error":{"a":1}}"#, r#"{"type":"ping"}"#, "{}", "no"]
        {
            assert_eq!(error(line.as_bytes()), None, "{line}");
        }
    }

    proptest! {
        #[test]
        fn mending_leaves_good_json_alone(text in any::<String>(), bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let line = serde_json::json!({ "text": text }).to_string();
            prop_assert_eq!(without_lone_surrogates(line.as_bytes()), line.into_bytes());
            json(&bytes);
            json(&[b"{\"\\u".as_slice(), &bytes].concat());
        }
    }
}
