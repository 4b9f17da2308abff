//! Positions that come again: what has been repeated, and what the side to move can repeat with its next move.
//!
//! The second needs no move to be made. A position some plies back differs from the present one by the keys of the
//! pieces that moved in between; if that difference is the key of one piece's step, and the step is free, it leads
//! there. All such keys fit a table with two places for each (cuckoo hashing; M. N. J. van Kervinck, "The design and
//! implementation of the Rookie 2.0 chess playing program", 2012, section 4).

use std::sync::LazyLock;

use super::searcher::Searcher;
use crate::chess::{Bitboard, Color, Position, Role, Square, attacks, step_key, turn_key};
use crate::engine::variant::Play;

/// Places in the table: more than twice the 3668 steps.
const PLACES: usize = 1 << 13;

/// How many plies back a position is looked for; a longer circle is hardly ever on the board.
const REACH: usize = 100;

/// The steps of all pieces but pawns on an empty board, each known by its key.
struct Steps(Box<[Option<Step>]>);

#[derive(Clone, Copy)]
struct Step {
    key: u64,
    ends: (Square, Square),
}

static STEPS: LazyLock<Steps> = LazyLock::new(Steps::new);

impl Steps {
    fn new() -> Steps {
        let mut steps = Steps(vec![None; PLACES].into_boxed_slice());
        for color in Color::ALL {
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
                for from in Square::all() {
                    for to in reach(role, from).into_iter().filter(|&to| from < to) {
                        steps.insert(Step { key: step_key(color, role, from, to), ends: (from, to) });
                    }
                }
            }
        }
        steps
    }

    /// Puts a step into one of its places; what was there moves to its other one.
    fn insert(&mut self, step: Step) {
        let mut homeless = step;
        let mut place = places(step.key)[0];
        while let Some(other) = self.0[place].replace(homeless) {
            homeless = other;
            let [first, second] = places(other.key);
            place = if place == first { second } else { first };
        }
    }

    fn find(&self, key: u64) -> Option<(Square, Square)> {
        places(key)
            .into_iter()
            .find_map(|place| self.0[place].filter(|step| step.key == key))
            .map(|it| it.ends)
    }
}

fn places(key: u64) -> [usize; 2] {
    [key as usize % PLACES, (key >> 16) as usize % PLACES]
}

fn reach(role: Role, from: Square) -> Bitboard {
    match role {
        Role::Knight => attacks::knight(from),
        Role::Bishop => attacks::bishop(from, Bitboard::EMPTY),
        Role::Rook => attacks::rook(from, Bitboard::EMPTY),
        Role::Queen => attacks::queen(from, Bitboard::EMPTY),
        Role::King => attacks::king(from),
        Role::Pawn => Bitboard::EMPTY,
    }
}

impl<R: Play> Searcher<'_, R> {
    /// Whether the current position stood on the board before: once within the search, or twice in the game.
    pub(super) fn is_repeated(&self, position: &Position<R>) -> bool {
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        let reach = position.reversible_plies().min(last - self.floor);
        let mut seen = 0;
        for back in (4..=reach).step_by(2) {
            if self.keys[last - back] == key {
                seen += 1;
                if last - back > self.root_key || seen == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the side to move can bring about a position that [counts as drawn](Searcher::is_repeated).
    pub(super) fn can_repeat(&self, position: &Position<R>) -> bool {
        let last = self.keys.len() - 1;
        let reach = position.reversible_plies().min(last - self.floor).min(REACH);
        if reach < 3 {
            return false;
        }
        let key = self.keys[last];
        // What the other side has moved since then: nothing, if it is to be the same position.
        let mut theirs = key ^ self.keys[last - 1] ^ turn_key();
        for back in (3..=reach).step_by(2) {
            theirs ^= self.keys[last - back + 1] ^ self.keys[last - back] ^ turn_key();
            if theirs != 0 {
                continue;
            }
            let then = last - back;
            let free = |(a, b)| (attacks::between(a, b) & position.occupied()).is_empty();
            if STEPS.find(key ^ self.keys[then]).is_some_and(free)
                && (then > self.root_key || self.keys[..then].contains(&self.keys[then]))
            {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::History;
    use crate::engine::search::{Control, Memory, Task};
    use crate::engine::tt::Table;
    use crate::engine::{Evaluation, Limits};
    use std::time::Instant;

    #[test]
    fn every_step_is_found_and_nothing_else() {
        let steps = STEPS.0.iter().flatten().count();
        // The number is known from the first program that did this.
        assert_eq!(steps, 3668);
        let find = |color, role, from, to| STEPS.find(step_key(color, role, from, to));
        let [a1, c2, h8] = ["a1", "c2", "h8"].map(|name| name.parse::<Square>().unwrap());
        assert_eq!(find(Color::White, Role::Knight, a1, c2), Some((a1, c2)));
        assert_eq!(find(Color::White, Role::Knight, c2, a1), Some((a1, c2)));
        assert_eq!(find(Color::Black, Role::Bishop, h8, a1), Some((a1, h8)));
        assert_eq!(find(Color::Black, Role::Rook, h8, a1), None);
        assert_eq!(STEPS.find(0), None);
    }

    /// The game so far, the moves of the line, and whether the side to move can repeat a position.
    #[test]
    fn what_can_be_repeated_is_seen() {
        for (game, line, expected) in [
            ("", "b1c3 b8c6 g1f3 g8f6 f3g1", true),
            ("", "b1c3 b8c6 g1f3 g8f6 f3g5", false),
            ("", "b1c3 b8c6 g1f3 g8f6", false),
            // That is the root, which was there once.
            ("", "g1f3 g8f6 f3g1", false),
            // The position before the search counts only if it was there twice.
            ("g1f3 g8f6 f3g1", "", false),
            ("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", "", true),
            // A pawn has moved since.
            ("", "g1f3 g8f6 f3g1 a7a6", false),
        ] {
            let after = |text: &str| History::from_uci(Position::initial(), text.split_whitespace()).unwrap();
            let (history, whole) = (after(game), after(&format!("{game} {line}")));
            let (table, mut memory) = (Table::new(1), Memory::new(&Evaluation::default()));
            let control = Control::new(Instant::now(), &Limits::depth(1), false);
            let task = Task {
                history: &history,
                root_moves: &[],
                multipv: 1,
                control: &control,
                table: &table,
                recalled: &|| false,
            };
            let root = history.position().standard().unwrap();
            let mut searcher = Searcher::new(root, &task, &mut memory);
            searcher.keys = whole.keys().to_vec();
            assert_eq!(
                searcher.can_repeat(whole.position().standard().unwrap()),
                expected,
                "{game} | {line}"
            );
        }
    }
}
