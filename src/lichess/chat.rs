//! Chat text: what fits into one line of it, and the history in either of its shapes.

use serde_json::Value;

use super::ApiError;
use super::answers::unusable;
use super::model::ChatLine;

/// The server's limit. It counts UTF-16 units, as does its language's `length`; counting those never sends too
/// much to a server that counts characters.
const LONGEST: usize = 140;

/// As much of a text as fits into one line, cut between two characters; blanks around it do not count.
pub(crate) fn fitting(text: &str) -> &str {
    let text = text.trim();
    let mut units = 0;
    let cut = text.char_indices().find(|(_, c)| {
        units += c.len_utf16();
        units > LONGEST
    });
    cut.map_or(text, |(end, _)| text[..end].trim_end())
}

/// The lines of a history: an array, as the server sends, or a line each, as its documentation says.
pub(crate) fn history(body: &[u8]) -> Result<Vec<ChatLine>, ApiError> {
    if let Ok(lines) = serde_json::from_slice::<Vec<Value>>(body) {
        return Ok(lines.into_iter().map(ChatLine::from).collect());
    }
    let lines = body.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    lines
        .map(|line| serde_json::from_slice::<Value>(line).map(ChatLine::from))
        .collect::<Result<_, _>>()
        .map_err(|_| unusable("a chat is a list of lines"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(fitting("  gg \n"), "gg");
        assert_eq!(fitting(&"x".repeat(140)).len(), 140);
        assert_eq!(fitting(&"x".repeat(141)).len(), 140);
        assert_eq!(fitting(&"é".repeat(200)).chars().count(), 140);
        assert_eq!(fitting(&"♞".repeat(200)).chars().count(), 140);
        assert_eq!(fitting(&"🦀".repeat(200)).chars().count(), 70, "two units each");
        assert_eq!(
            fitting(&format!("x{}", "🦀".repeat(200))).chars().count(),
            70,
            "half a character is none"
        );
        assert_eq!(fitting(""), "");
    }

    #[test]
    fn both_shapes_of_a_history_are_read() {
        let array = br#"[{"text":"hi","user":"Ferncastle"},{"text":"gg","user":"quillbot-dev"}]"#;
        let lines =
            b"{\"text\":\"hi\",\"user\":\"Ferncastle\"}\n\n{\"text\":\"gg\",\"user\":\"quillbot-dev\"}\r\n";
        let read = history(array).unwrap();
        assert_eq!(read, history(lines).unwrap());
        assert_eq!(read[1].text, "gg");
        assert_eq!(history(b"[]").unwrap(), []);
        assert_eq!(history(b"").unwrap(), []);
        assert!(history(b"<html>").is_err());
    }
}
