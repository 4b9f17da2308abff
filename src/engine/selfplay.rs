//! The engine against itself: what games for the tuner and games for networks have in common.

use std::time::Instant;

use super::eval::Evaluation;
use super::limits::Limits;
use super::score::Value;
use super::search::{Control, Memory, Part, Task, deepen};
use super::tt::Table;
use crate::chess::{Color, History, Move, Position};

/// A game that is not over after so many plies is a draw.
const MOST_PLIES: usize = 400;

/// The table's size in MiB: a few thousand nodes a move fill no more.
const HASH_MIB: usize = 4;

/// An engine that plays both sides, with one thread.
pub(crate) struct SelfPlay {
    table: Table,
    memory: Memory,
}

impl SelfPlay {
    /// Judges positions by `evaluation`.
    pub(crate) fn new(evaluation: &Evaluation) -> SelfPlay {
        SelfPlay { table: Table::new(HASH_MIB), memory: Memory::new(evaluation) }
    }

    /// Forgets all games, so that the next one does not depend on them.
    pub(crate) fn clear(&mut self) {
        self.table.clear(1);
        self.memory.clear();
    }

    /// The best move and its score for the mover in centipawns, if there is a move. No iteration begins after `soft` nodes,
    /// and none goes on after `hard`.
    pub(crate) fn choose(&mut self, history: &History, soft: u64, hard: u64) -> Option<(Move, Value)> {
        let root_moves = history.position().legal_moves().to_vec();
        let control = Control::new(Instant::now(), &Limits::nodes(hard), false);
        self.table.new_search();
        let task = Task {
            history,
            root_moves: &root_moves,
            multipv: 1,
            control: &control,
            table: &self.table,
            recalled: &|| false,
        };
        let finished = deepen(&task, &mut self.memory, Part::Lead, &mut |infos| {
            if infos.first().is_some_and(|info| info.nodes >= soft) {
                control.stop();
            }
        });
        Some((*finished.line.first()?, finished.score.value()))
    }
}

/// White's half points, if the game is over by the laws, with every draw claimed that may be, or takes too long.
pub(crate) fn result(history: &History) -> Option<u8> {
    if let Some(end) = history.end() {
        return Some(match end.winner() {
            Some(Color::White) => 2,
            Some(Color::Black) => 0,
            None => 1,
        });
    }
    (history.occurrences() >= 3 || history.ply() >= MOST_PLIES).then_some(1)
}

/// Whether the value of the position does not hang on a capture, a promotion or a check that is under way.
pub(crate) fn is_quiet(position: &Position, best: Move) -> bool {
    !position.is_check() && !position.is_capture(best) && best.promotion().is_none()
}
