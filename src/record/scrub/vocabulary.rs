//! Words that may stay: those that server, proxies and bot are known to write, and what chess is written with. It
//! knows nothing of recordings.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words of messages and keys, in lower case, with blanks between.
const WORDS: &str = include_str!("words.txt");

static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| WORDS.split_whitespace().collect());

/// Words of so few characters name nobody.
const SHORT: usize = 2;

/// Digits of the longest number that is no phone number, date or id.
const DIGITS: usize = 9;

/// Characters of the longest part of a position.
const PLACEMENT: usize = 64;

/// An address that is nobody's (RFC 5737).
const ADDRESS: &str = "192.0.2.1";

/// The words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_part(c)).filter(|word| !word.is_empty())
}

/// The text with some of its words replaced.
pub(super) fn replace(text: &str, instead: impl Fn(&str) -> Option<String>) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !is_part(c)).unwrap_or(from.len()));
        written.push_str(before);
        match instead(word) {
            Some(other) => written.push_str(&other),
            None => written.push_str(word),
        }
        rest = after;
    }
    written.push_str(rest);
    written
}

/// Whether a word tells nothing about anybody.
pub(super) fn is_plain(word: &str) -> bool {
    word.chars().count() <= SHORT
        || (word.len() <= DIGITS && word.chars().all(|c| c.is_ascii_digit()))
        || is_move(word)
        || is_placement(word)
        || is_made_of_words(word)
}

/// Whether a word is made of known ones, as `claimWinInSeconds` and `no-start` are. Short pieces between them are
/// allowed, but an id that happens to fall into short pieces is no word.
fn is_made_of_words(word: &str) -> bool {
    let (mut known, mut all) = (0, 0);
    for piece in pieces(word) {
        let letters = piece.chars().count();
        all += letters;
        if KNOWN.contains(piece.to_lowercase().as_str()) {
            known += letters;
        } else if letters > SHORT {
            return false;
        }
    }
    2 * known >= all
}

/// The text with the addresses of machines replaced, but for this machine's own.
pub(super) fn without_addresses(text: &str) -> String {
    let is_address = |word: &str| {
        let numbers: Vec<&str> = word.split('.').collect();
        numbers.len() == 4 && numbers.iter().all(|number| number.parse::<u8>().is_ok())
    };
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    let in_address = |c: char| c.is_ascii_digit() || c == '.';
    while let Some(start) = rest.find(in_address) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !in_address(c)).unwrap_or(from.len()));
        written.push_str(before);
        let bare = word.trim_matches('.');
        let strange = is_address(bare) && !bare.starts_with("127.") && bare != ADDRESS;
        written.push_str(&if strange { word.replace(bare, ADDRESS) } else { word.to_owned() });
        rest = after;
    }
    written.push_str(rest);
    written
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// A move in UCI.
fn is_move(word: &str) -> bool {
    let square = |at: usize| {
        let bytes = word.as_bytes();
        matches!((bytes.get(at), bytes.get(at + 1)), (Some(b'a'..=b'h'), Some(b'1'..=b'8')))
    };
    let promotion = matches!(word.as_bytes().get(4), None | Some(b'q' | b'r' | b'b' | b'n' | b'k'));
    square(0) && square(2) && promotion && word.len() <= 5
}

/// A rank of a FEN, which has eight squares, or castling rights or a pocket, which have letters only.
fn is_placement(word: &str) -> bool {
    let is_piece = |c: char| "pnbrqkPNBRQK".contains(c);
    if word.len() > PLACEMENT || !word.chars().all(|c| is_piece(c) || matches!(c, '1'..='8')) {
        return false;
    }
    let squares: u32 = word.chars().map(|c| c.to_digit(10).unwrap_or(1)).sum();
    let halting = |pair: &[u8]| pair.iter().all(u8::is_ascii_digit);
    word.chars().all(is_piece) || (squares == 8 && !word.as_bytes().windows(2).any(halting))
}

/// `claimWinInSeconds` and `no-start`, cut where a new word begins.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    word.split(['_', '-']).flat_map(|part| {
        let starts: Vec<usize> = part
            .char_indices()
            .filter(|&(at, c)| at == 0 || (c.is_uppercase() && part[..at].ends_with(char::is_lowercase)))
            .map(|(at, _)| at)
            .collect();
        let ends = starts.iter().skip(1).copied().chain([part.len()]).collect::<Vec<_>>();
        starts.into_iter().zip(ends).map(|(start, end)| &part[start..end])
    })
}
