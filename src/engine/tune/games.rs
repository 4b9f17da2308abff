//! Games of the engine against itself, for the quiet positions in them.

use std::time::Instant;

use super::labelled::Labelled;
use crate::chess::{Color, History, Move, Position};
use crate::engine::eval::Evaluation;
use crate::engine::limits::Limits;
use crate::engine::search::{Control, Memory, Part, Task, deepen};
use crate::engine::tt::Table;
use crate::random::Random;

/// Plies at random, so that no two games are alike. No position is taken from them.
const RANDOM_PLIES: usize = 8;

/// A game that is not over after so many plies is a draw.
const MOST_PLIES: usize = 400;

/// The table's size: a few thousand nodes a move fill no more.
const HASH_MIB: usize = 4;

/// An engine that plays both sides, with one thread.
pub(crate) struct SelfPlay {
    nodes: u64,
    table: Table,
    memory: Memory,
}

impl SelfPlay {
    /// `nodes` is what each move is searched for.
    pub(crate) fn new(nodes: u64) -> SelfPlay {
        SelfPlay { nodes, table: Table::new(HASH_MIB), memory: Memory::new(&Evaluation::hand_made()) }
    }

    /// Plays the game that `seed` and `number` determine, and returns its quiet positions.
    pub(crate) fn game(&mut self, seed: u64, number: u64) -> Vec<Labelled> {
        self.table.clear(1);
        self.memory.clear();
        let mut history = opening(&mut Random::new(seed, number));
        let mut quiet = Vec::new();
        while !is_over(&history) {
            let Some(mv) = self.choose(&history) else { break };
            if let Some(position) = history.position().standard()
                && is_quiet(position, mv)
                && history.occurrences() == 1
            {
                quiet.push(position.clone());
            }
            history.push(mv);
        }
        let result = match history.end().and_then(|end| end.winner()) {
            Some(Color::White) => 1.0,
            None => 0.5,
            Some(Color::Black) => 0.0,
        };
        quiet.into_iter().map(|position| Labelled { position, result }).collect()
    }

    fn choose(&mut self, history: &History) -> Option<Move> {
        let root_moves = history.position().legal_moves().to_vec();
        if let [only] = root_moves[..] {
            return Some(only);
        }
        let control = Control::new(Instant::now(), &Limits::nodes(self.nodes), false);
        self.table.new_search();
        let task = Task {
            history,
            root_moves: &root_moves,
            multipv: 1,
            control: &control,
            table: &self.table,
            recalled: &|| false,
        };
        let finished = deepen(&task, &mut self.memory, Part::Lead, &mut |_| {});
        finished.line.first().copied()
    }
}

fn opening(random: &mut Random) -> History {
    let mut history = History::new(Position::initial());
    while history.ply() < RANDOM_PLIES {
        let Some(mv) = random.choose(&history.position().legal_moves()) else { break };
        history.push(mv);
    }
    history
}

/// By the laws, with every draw claimed that may be, or because it takes too long.
fn is_over(history: &History) -> bool {
    history.end().is_some() || history.occurrences() >= 3 || history.ply() >= MOST_PLIES
}

/// Whether the value of the position does not hang on a capture, a promotion or a check that is under way.
fn is_quiet(position: &Position, best: Move) -> bool {
    !position.is_check() && !position.is_capture(best) && best.promotion().is_none()
}
