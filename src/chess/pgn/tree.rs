//! A game with its variations, comments and glyphs.

use std::collections::BTreeMap;

use super::super::{AnyPosition, History, Move, Variant};
use super::{Nag, PgnResult};

/// A game as a tree, in canonical form: what a reader of PGN made of it.
///
/// The lines lie side by side in one list and refer to each other by number, so that no depth of nesting costs stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub(super) tags: BTreeMap<String, String>,
    pub(super) variant: Variant,
    pub(super) start: AnyPosition,
    pub(super) lines: Vec<Line>,
    pub(super) result: PgnResult,
}

/// The number of a line in its game; 0 is the main line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineId(pub(super) usize);

/// A sequence of moves: the main line or a variation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub(super) intro: Vec<String>,
    pub(super) plies: Vec<Ply>,
}

/// A move of a line with what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    pub(super) mv: Option<Move>,
    pub(super) nags: Vec<Nag>,
    pub(super) comments: Vec<String>,
    pub(super) variations: Vec<LineId>,
}

impl Game {
    pub(super) fn new(variant: Variant, start: AnyPosition) -> Game {
        Game {
            tags: BTreeMap::new(),
            variant,
            start,
            lines: vec![Line::default()],
            result: PgnResult::Unfinished,
        }
    }

    /// The value of a tag, if the text told it. Unknown values of the seven standard tags (`?`, `????.??.??`) count as
    /// not told, and `Variant`, `SetUp`, `FEN` and `Result` are not kept as tags: see the methods that say them.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name).map(String::as_str)
    }

    /// All tags, by name, as [`tag`](Game::tag) knows them.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The kind of game.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Where it began.
    pub fn start(&self) -> &AnyPosition {
        &self.start
    }

    /// How it ended, by its tag, or else by what stands after the moves.
    pub fn result(&self) -> PgnResult {
        self.result
    }

    /// The moves that were played.
    pub fn main_line(&self) -> &Line {
        &self.lines[0]
    }

    /// A line by a number that a [`Ply`] of this game names.
    pub fn line(&self, id: LineId) -> &Line {
        &self.lines[id.0]
    }

    /// The main line as a history, unless it holds a null move.
    pub fn history(&self) -> Option<History> {
        let mut history = History::new(self.start.clone());
        for ply in self.main_line().plies() {
            history.push(ply.mv?);
        }
        Some(history)
    }
}

impl Line {
    /// Comments before the first move.
    pub fn intro(&self) -> &[String] {
        &self.intro
    }

    /// The moves in order.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }
}

impl Ply {
    pub(super) fn new(mv: Option<Move>) -> Ply {
        Ply { mv, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }

    /// The move, legal where it stands; none is a null move.
    pub fn mv(&self) -> Option<Move> {
        self.mv
    }

    /// Glyphs behind the move.
    pub fn nags(&self) -> &[Nag] {
        &self.nags
    }

    /// Comments on the move. Each is one line without braces, its words separated by single spaces; what programs put
    /// there, such as `[%clk 0:03:00]`, is kept as text.
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// Lines that begin with another move instead.
    pub fn variations(&self) -> &[LineId] {
        &self.variations
    }
}

/// A comment in canonical form; none if nothing is left of it.
pub(super) fn canonical_comment(text: &str) -> Option<String> {
    // A brace inside would end the comment.
    let plain: String = text
        .chars()
        .filter(|c| !matches!(c, '{' | '}'))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// A tag's value in canonical form: control characters would break the line that a tag is.
pub(super) fn canonical_value(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
