//! The words of PGN: tags, comments, parentheses, glyphs, move numbers, results and moves, with their places.
//!
//! Each step takes time in proportion to what it consumes, whatever the text is, so that a whole text takes linear
//! time. It knows no chess: a move is just a word here.

use super::result::plain_dash;
use super::{Nag, PgnFault, PgnResult};

/// One word of the text.
#[derive(Debug)]
pub(super) struct Lexeme<'a> {
    /// Its first byte.
    pub(super) at: usize,
    /// The first byte behind the word before.
    after_last: usize,
    /// The line ends between the word before and this one.
    pub(super) line_ends: usize,
    pub(super) token: Token<'a>,
}

#[derive(Debug)]
pub(super) enum Token<'a> {
    /// A tag pair; escapes in the value are resolved.
    Tag {
        name: &'a str,
        value: String,
    },
    /// What stands between braces, or from a semicolon to the end of the line.
    Comment(&'a str),
    /// Begins a variation.
    Open,
    /// Ends a variation.
    Close,
    Nag(Nag),
    /// A move number without its dots.
    Number(u32),
    Result(PgnResult),
    /// A move, or something that wants to be one.
    Move(&'a str),
    /// What cannot be any of these.
    Wrong(PgnFault),
}

/// Cuts a text into words.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0 }
    }

    /// The next word, or none at the end of the text.
    pub(super) fn next(&mut self) -> Option<Lexeme<'a>> {
        let after_last = self.at;
        let mut line_ends = 0;
        loop {
            line_ends += self.skip_space();
            let at = self.at;
            let first = self.rest().chars().next()?;
            let token = match first {
                '[' => self.tag(),
                '{' => self.brace_comment(),
                ';' => Token::Comment(&self.take(line_len(self.rest()))[1..]),
                '(' => self.sign(Token::Open, first),
                ')' => self.sign(Token::Close, first),
                '*' => self.sign(Token::Result(PgnResult::Unfinished), first),
                '}' | ']' | '"' => self.sign(Token::Wrong(PgnFault::Unexpected(first)), first),
                '$' => self.numbered_glyph(),
                '!' | '?' => {
                    let len = self.rest().find(|c| c != '!' && c != '?').unwrap_or(self.rest().len());
                    Token::Nag(Nag::from_marks(self.take(len)))
                }
                _ => match Nag::from_sign(first) {
                    Some(nag) => self.sign(Token::Nag(nag), first),
                    None => match self.word() {
                        // A remark about the move before, which needs none.
                        Token::Move("e.p." | "ep") => continue,
                        token => token,
                    },
                },
            };
            return Some(Lexeme { at, after_last, line_ends, token });
        }
    }

    /// Goes back, so that a word is read again.
    pub(super) fn unread(&mut self, lexeme: &Lexeme<'a>) {
        self.at = lexeme.after_last;
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// Whether nothing else follows on the line.
    pub(super) fn is_at_line_end(&self) -> bool {
        let rest = self.rest().trim_start_matches([' ', '\t']);
        rest.is_empty() || rest.starts_with(['\n', '\r'])
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take(&mut self, len: usize) -> &'a str {
        let taken = &self.rest()[..len];
        self.at += len;
        taken
    }

    fn sign(&mut self, token: Token<'a>, sign: char) -> Token<'a> {
        self.at += sign.len_utf8();
        token
    }

    /// Skips spaces, invisible characters, dots, escape lines and forum mark-up; counts the line ends passed.
    fn skip_space(&mut self) -> usize {
        let mut line_ends = 0;
        let mut line_begins = self.at == 0 || self.text[..self.at].ends_with(['\n', '\r']);
        while let Some(c) = self.rest().chars().next() {
            match c {
                '\n' => line_ends += 1,
                // Half of a line end that the other half counts, or one of an old Macintosh.
                '\r' => line_ends += usize::from(!self.rest().starts_with("\r\n")),
                '%' if line_begins => {
                    self.at += line_len(self.rest());
                    continue;
                }
                '[' => match MARK_UP.iter().find(|mark| starts_with_ignoring_case(self.rest(), mark)) {
                    Some(mark) => {
                        self.at += mark.len();
                        continue;
                    }
                    None => break,
                },
                _ if is_space(c) || is_dot(c) => {}
                _ => break,
            }
            line_begins = matches!(c, '\n' | '\r') || line_begins && is_invisible(c);
            self.at += c.len_utf8();
        }
        line_ends
    }

    fn tag(&mut self) -> Token<'a> {
        let Some((name, value_at)) = tag_head(self.rest()) else {
            // What brackets hold is neither moves nor numbers.
            let inner = self.rest()[1..].find(['[', ']', '\n', '\r']).unwrap_or(0) + 1;
            self.at += if self.rest()[inner..].starts_with(']') { inner + 1 } else { 1 };
            return Token::Wrong(PgnFault::Tag);
        };
        self.at += value_at;
        let line = &self.rest()[..line_len(self.rest())];
        let (value, len) = tag_value(line);
        self.at += len;
        Token::Tag { name, value }
    }

    /// A comment goes to its brace. One that runs into a blank line and then a tag was never closed: what follows is
    /// the next game.
    fn brace_comment(&mut self) -> Token<'a> {
        self.at += 1;
        let start = self.at;
        while let Some(len) = self.rest().find(['}', '\n']) {
            self.at += len;
            if self.rest().starts_with('}') {
                let comment = &self.text[start..self.at];
                self.at += 1;
                return Token::Comment(comment);
            }
            let space = self.rest().find(|c: char| !c.is_whitespace()).unwrap_or(self.rest().len());
            let gap = self.take(space);
            if gap.matches('\n').nth(1).is_some() && tag_head(self.rest()).is_some() {
                return Token::Wrong(PgnFault::UnclosedComment);
            }
        }
        self.at = self.text.len();
        Token::Wrong(PgnFault::UnclosedComment)
    }

    fn numbered_glyph(&mut self) -> Token<'a> {
        self.at += 1;
        let digits = self.take(digits_len(self.rest()));
        digits.parse().map_or(Token::Wrong(PgnFault::Nag), |number| Token::Nag(Nag(number)))
    }

    fn word(&mut self) -> Token<'a> {
        // Compensation, the one sign of two characters of which the second is also one alone.
        if self.rest().starts_with("=∞") {
            self.take("=∞".len());
            return Token::Nag(Nag(44));
        }
        if let Some((result, len)) = result_at(self.rest()) {
            self.at += len;
            return Token::Result(result);
        }
        let digits = digits_len(self.rest());
        let after = self.rest()[digits..].chars().next();
        if digits > 0 && after.is_none_or(|c| is_dot(c) || is_delimiter(c)) {
            return match self.take(digits) {
                null @ "0000" => Token::Move(null),
                number => Token::Number(number.parse().unwrap_or(u32::MAX)),
            };
        }
        let len = self.rest().find(is_delimiter).unwrap_or(self.rest().len());
        let word = self.take(len);
        Nag::from_word(word).map_or(Token::Move(word), Token::Nag)
    }
}

/// What some forums put around a game.
const MARK_UP: [&str; 2] = ["[pgn]", "[/pgn]"];

/// The result that stands at the start of a text as a word of its own, and its length.
fn result_at(text: &str) -> Option<(PgnResult, usize)> {
    let first = text.chars().next()?;
    if !matches!(plain_dash(first), '0' | '1' | '½' | '+' | '-') {
        return None;
    }
    // No spelling is longer than seven characters.
    let mut ends = text.char_indices().take(8).filter(|&(_, c)| is_delimiter(c)).map(|(at, _)| at);
    let len = ends.next().or_else(|| text.chars().nth(7).is_none().then_some(text.len()))?;
    Some((PgnResult::from_spelling(&text[..len])?, len))
}

/// The name of the tag pair that begins here, and where the text after its first quotation mark starts.
fn tag_head(text: &str) -> Option<(&str, usize)> {
    let inner = text.strip_prefix('[')?.trim_start_matches([' ', '\t']);
    let name_len = inner.find(|c: char| c.is_whitespace() || matches!(c, '"' | '[' | ']'))?;
    let value = inner[name_len..].trim_start_matches([' ', '\t']).strip_prefix('"')?;
    (name_len > 0).then(|| (&inner[..name_len], text.len() - value.len()))
}

/// The value at the start of a line, and its length with all that closes it. It ends with a quotation mark before a
/// bracket, so that others inside need no escape; one that is never closed takes the line.
fn tag_value(line: &str) -> (String, usize) {
    let mut value = String::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' if rest.starts_with(['"', '\\']) => {
                value.push_str(&rest[..1]);
                rest = &rest[1..];
            }
            '"' => match rest.trim_start_matches([' ', '\t']).strip_prefix(']') {
                Some(after) => return (value, line.len() - after.len()),
                None => value.push('"'),
            },
            other => value.push(other),
        }
    }
    value.truncate(value.trim_end().trim_end_matches(']').len());
    (value, line.len())
}

/// The length up to the end of the line.
fn line_len(text: &str) -> usize {
    text.find(['\n', '\r']).unwrap_or(text.len())
}

fn digits_len(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn starts_with_ignoring_case(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

fn is_dot(c: char) -> bool {
    matches!(c, '.' | '…')
}

fn is_space(c: char) -> bool {
    c.is_whitespace() || is_invisible(c)
}

/// Characters without a width that copying leaves behind, the byte order mark among them.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe0e}' | '\u{fe0f}' | '\u{feff}')
}

/// What ends a word.
fn is_delimiter(c: char) -> bool {
    matches!(c, '{' | '}' | '(' | ')' | '[' | ']' | ';' | '"' | '$' | '*' | '!' | '?')
        || is_space(c)
        || !c.is_ascii() && Nag::from_sign(c).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut lexer = Lexer::new(text);
        std::iter::from_fn(|| lexer.next())
            .map(|lexeme| match lexeme.token {
                Token::Tag { name, value } => format!("[{name}={value}]"),
                Token::Comment(text) => format!("{{{text}}}"),
                Token::Open => "(".to_owned(),
                Token::Close => ")".to_owned(),
                Token::Nag(nag) => nag.to_string(),
                Token::Number(number) => format!("#{number}"),
                Token::Result(result) => result.as_str().to_owned(),
                Token::Move(word) => word.to_owned(),
                Token::Wrong(fault) => format!("<{fault}>"),
            })
            .collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(words(text).join(" "), expected, "{text:?}");
    }

    #[test]
    fn move_numbers_in_every_form() {
        check("1.e4 1...e5 2 . Nf3 2. .. Nc6 3… Nf6 4", "#1 e4 #1 e5 #2 Nf3 #2 Nc6 #3 Nf6 #4");
        check("10.O-O 0-0 0000 11.0-0-0 99999999999.e4", "#10 O-O 0-0 0000 #11 0-0-0 #4294967295 e4");
    }

    #[test]
    fn results_stand_alone_or_before_a_delimiter() {
        check("1-0 0–1 1/2-1/2{x}½-½ 1/2 * +-- --+", "1-0 0-1 1/2-1/2 {x} 1/2-1/2 1/2-1/2 * 1-0 0-1");
        check("Nf3* 1-0x 1/2-1/2-", "Nf3 * 1-0x 1/2-1/2-");
    }

    #[test]
    fn glyphs_as_numbers_marks_and_signs() {
        check("e4!e5 ?? Nf3!?$14 Nc6!!! ⩱ Bb5± a6 +- $ $256", {
            "e4 $1 e5 $4 Nf3 $5 $14 Nc6 $3 $15 Bb5 $16 a6 $18 <bad glyph, expected $ and a number from 0 to 255> \
             <bad glyph, expected $ and a number from 0 to 255>"
        });
        check("-- N Nf3 = =∞ e5 ↑→", "-- $146 Nf3 $10 $44 e5 $36 $40");
    }

    #[test]
    fn comments_and_escape_lines() {
        check(
            "{a ; b}e4 ; rest {of line\ne5 % not first\n% first\nNf3",
            "{a ; b} e4 { rest {of line} e5 % not first Nf3",
        );
        check("\u{feff}%first\r\n e4{\n\n[no tag]}", "e4 {\n\n[no tag]}");
        check("e4 }", "e4 <unexpected '}'>");
        check("{never closed", "<comment without its closing brace>");
        check("{lost\n \n[Event \"x\"] {found}", "<comment without its closing brace> [Event=x] {found}");
    }

    #[test]
    fn tags_with_quotes_that_are_escaped_bare_or_missing() {
        check(
            r#"[Event "a \"b\" \\ c"] [ Site  "x"  ][Round "1"]"#,
            r#"[Event=a "b" \ c] [Site=x] [Round=1]"#,
        );
        check("[Event \"a \"b\" c\"]\n[Site \"open]\ne4", "[Event=a \"b\" c] [Site=open] e4");
        check("[pgn] e4 [/PGN]", "e4");
        check("[Event x] e4", "<bad tag, expected a pair such as [Event \"Casual game\"]> e4");
        check(
            "[Event\n] e4",
            "<bad tag, expected a pair such as [Event \"Casual game\"]> Event <unexpected ']'> e4",
        );
    }
}
