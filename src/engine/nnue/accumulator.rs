//! The hidden layers of the positions on the current line, brought up to date only when a value is asked for.
//!
//! A layer remembers the board it belongs to. To get the layer of a position, the difference between its board and that
//! of a layer already known is added and removed: usually that of the position one or two plies before, else the last
//! one that was seen from the same place of the king (a refresh). Which layer is taken decides about time alone; the
//! sums are exact, so that the outcome is always the same.

use super::features::{Board, View};
use super::kernel::Block;
use super::network::Network;
use crate::chess::{Color, Position, Rules};
use crate::engine::score::{MAX_PLY, Value};

/// Pieces that may differ for a layer to be worth taking up without looking further: castling and every capture.
const NEAR: u32 = 4;

/// A hidden layer's board, as one side sees it.
#[derive(Clone, Copy)]
struct Known {
    view: Option<View>,
    board: Board,
}

const UNKNOWN: Known = Known { view: None, board: Board::EMPTY };

/// Layers with the boards they belong to, all of one length.
struct Layers {
    known: Box<[Known]>,
    values: Box<[Block]>,
    width: usize,
}

impl Layers {
    fn new(count: usize, width: usize) -> Layers {
        Layers {
            known: vec![UNKNOWN; count].into_boxed_slice(),
            values: vec![Block::ZERO; count * width].into_boxed_slice(),
            width,
        }
    }

    fn get(&self, index: usize) -> &[Block] {
        &self.values[index * self.width..][..self.width]
    }

    fn get_mut(&mut self, index: usize) -> &mut [Block] {
        &mut self.values[index * self.width..][..self.width]
    }
}

/// Layers by ply and side.
const ON_LINE: usize = 2 * (MAX_PLY + 2);

/// Layers by side and view.
const SEEN: usize = 2 * View::MOST;

/// All of them.
const LAYERS: usize = ON_LINE + SEEN;

/// What one search thread knows of hidden layers.
pub(crate) struct Accumulators {
    /// By ply and side.
    line: Layers,
    /// By side and view: the last layers that were seen so.
    seen: Layers,
}

impl Accumulators {
    /// Nothing is known yet.
    pub(crate) fn new(network: &Network) -> Accumulators {
        let width = network.width();
        let mut seen = Layers::new(SEEN, width);
        for values in seen.values.chunks_exact_mut(width) {
            values.copy_from_slice(&network.biases);
        }
        Accumulators { line: Layers::new(ON_LINE, width), seen }
    }

    /// Bytes that such layers take.
    pub(crate) fn bytes(network: &Network) -> usize {
        LAYERS * (network.width() * size_of::<Block>() + size_of::<Known>())
    }

    /// The network's value of a position `ply` plies from the root, for the side to move, in centipawns.
    pub(crate) fn evaluate<R: Rules>(
        &mut self,
        network: &Network,
        position: &Position<R>,
        ply: usize,
    ) -> Value {
        let board = Board::of(position);
        for side in Color::ALL {
            let view = network.architecture.view(position.king(side), side);
            self.refresh(network, &board, view, ply, side);
        }
        let layer = |side: Color| self.line.get(2 * ply + side.index());
        let pieces = position.occupied().count() as usize;
        network.value(layer(position.turn()), layer(!position.turn()), pieces)
    }

    /// Makes the layer of a side at this ply that of the board.
    fn refresh(&mut self, network: &Network, board: &Board, view: View, ply: usize, side: Color) {
        let target = 2 * ply + side.index();
        let near = [1, 2].into_iter().filter_map(|back| target.checked_sub(2 * back)).find(|&earlier| {
            let known = &self.line.known[earlier];
            known.view == Some(view) && known.board.distance(board) <= NEAR
        });
        match near {
            Some(earlier) => {
                let (before, after) = self.line.values.split_at_mut(target * self.line.width);
                let source = &before[earlier * self.line.width..][..self.line.width];
                let change = Change::between(network, board, &self.line.known[earlier].board, view);
                let target = &mut after[..self.line.width];
                network.kernel.update(target, source, &change.added, &change.removed);
            }
            None => {
                let seen = view.index() + side.index() * View::MOST;
                let change = Change::between(network, board, &self.seen.known[seen].board, view);
                let (target, kept) = (self.line.get_mut(target), self.seen.get_mut(seen));
                network.kernel.refresh(target, kept, &change.added, &change.removed);
                self.seen.known[seen] = Known { view: Some(view), board: *board };
            }
        }
        self.line.known[target] = Known { view: Some(view), board: *board };
    }
}

/// More pieces than any two boards differ by.
const MOST_CHANGES: usize = 64;

/// The columns that lead from one board to another.
struct Change<'a> {
    added: arrayvec::ArrayVec<&'a [Block], MOST_CHANGES>,
    removed: arrayvec::ArrayVec<&'a [Block], MOST_CHANGES>,
}

impl<'a> Change<'a> {
    fn between(network: &'a Network, board: &Board, before: &Board, view: View) -> Change<'a> {
        let mut change = Change { added: arrayvec::ArrayVec::new(), removed: arrayvec::ArrayVec::new() };
        board.changes(before, view, |feature, added| {
            let columns = if added { &mut change.added } else { &mut change.removed };
            columns.push(network.column(feature));
        });
        change
    }
}
