//! Text from outside, made harmless for a terminal.

/// The text with every control character (and so every escape sequence) made visible.
pub(crate) fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        // Marks that change the direction of writing are no control characters, but they garble a line as well.
        let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if c.is_control() || turns { safe.extend(c.escape_unicode()) } else { safe.push(c) }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn escape_sequences_lose_their_power() {
        assert_eq!(printable("\x1b[2Jé\r\n"), "\\u{1b}[2Jé\\u{d}\\u{a}");
        assert_eq!(printable("a\u{202e}b"), "a\\u{202e}b");
    }
}
