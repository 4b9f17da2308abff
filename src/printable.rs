//! Text from outside, made harmless for the terminal or the file that shows it. What may be shown at all is decided
//! elsewhere.

use std::borrow::Cow;

/// The text with every character that could steer a terminal or garble a line made visible.
pub(crate) fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if steers(c) { safe.extend(c.escape_unicode()) } else { safe.push(c) }
    }
    safe
}

/// As [`printable`], for a text of several lines that are ours.
pub(crate) fn printable_lines(text: &str) -> String {
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// The same for a JSON text, in whose strings alone such characters can stand: escaped as JSON does it, so that it
/// still says what it said.
pub(crate) fn printable_json(json: &str) -> Cow<'_, str> {
    let is_harmful = |c: char| steers(c) && !matches!(c, '\n' | '\r' | '\t');
    if !json.contains(is_harmful) {
        return Cow::Borrowed(json);
    }
    let mut safe = String::with_capacity(json.len() + 8);
    for c in json.chars() {
        if is_harmful(c) { safe.push_str(&format!("\\u{:04x}", u32::from(c))) } else { safe.push(c) }
    }
    Cow::Owned(safe)
}

/// Control characters (and so every escape sequence), other ends of lines, and the marks that change the direction of
/// writing, which are no control characters but garble a line as well.
pub(crate) fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_lose_their_power() {
        assert_eq!(printable("\x1b[2Jé\r\n"), "\\u{1b}[2Jé\\u{d}\\u{a}");
        assert_eq!(printable("a\u{202e}b\u{9b}"), "a\\u{202e}b\\u{9b}");
        assert_eq!(printable_lines("a\x07\nb"), "a\\u{7}\nb");
    }

    #[test]
    fn json_says_the_same_as_before() {
        let value = serde_json::json!({ "name": "a\u{202e}b\u{7f}\u{9b}\x1b\n" });
        let text = value.to_string();
        let safe = printable_json(&text);
        assert!(!safe.contains(steers), "{safe:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
        assert!(matches!(printable_json("{\"a\":\"é\"}\n"), Cow::Borrowed(_)));
    }
}
