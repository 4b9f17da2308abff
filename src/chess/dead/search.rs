//! The search for a helpmate: best first over all that can be reached, each position once. When nothing is left to
//! look at, there is no helpmate.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use super::super::{Color, Move, Position, Role};
use super::guide::{Fatigue, Guide, Style};
use super::net;
use super::verdict::{Effort, Helpmate};

/// Styles and the positions that each may look at, in turn; the last takes all that is left. The first finds nearly
/// all mates of ordinary games, the second those of bare endgames. Measured on the positions of the CHA solver: each
/// finds some that the others do not.
const ROUNDS: [(Style, u32); 4] = [
    (Style { near: 1, corner: 0, promotion: 0 }, 200),
    (Style { near: 0, corner: 2, promotion: 1 }, 600),
    (Style { near: 0, corner: 0, promotion: 1 }, 4_000),
    (Style { near: 0, corner: 2, promotion: 1 }, u32::MAX),
];

/// Looks for a mate by `winner`.
pub(super) fn helpmate(root: &Position, winner: Color, effort: Effort) -> Helpmate {
    if root.lacks_winning_material(winner) {
        return Helpmate::Impossible;
    }
    let mut left = effort.count();
    for (round, (style, share)) in ROUNDS.into_iter().enumerate() {
        if round == 1 && net::is_impossible(root, winner) {
            return Helpmate::Impossible;
        }
        let proofs = if round == 0 { Proofs::Material } else { Proofs::Reach };
        let mut search = Search::new(winner, style, proofs);
        match search.run(root, share.min(left)) {
            Helpmate::Unknown => left = left.saturating_sub(share),
            known @ (Helpmate::Found(_) | Helpmate::Impossible) => return known,
        }
    }
    Helpmate::Unknown
}

/// How a position is tested for a mate that has become impossible.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proofs {
    /// By what is left on the board.
    Material,
    /// Also by what can ever move where.
    Reach,
}

/// A position whose moves are waiting, and how it came about.
struct Node {
    position: Position,
    /// The node before and the move played there; none at the root.
    origin: Option<(u32, Move)>,
}

/// A move that waits to be looked at. The greatest is the next: the cheapest, the latest among equals.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    cost: Reverse<i32>,
    arrival: u32,
    node: u32,
    /// [`Move::raw`], because moves have no order.
    mv: u16,
}

/// Keys are random already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = self.0.rotate_left(8) ^ key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

type Keys = HashSet<u64, BuildHasherDefault<KeyHasher>>;

struct Search {
    winner: Color,
    style: Style,
    proofs: Proofs,
    /// Keys of the positions already looked at. Two different ones share a key of 64 bits so rarely (once in 10^9
    /// searches of full effort) that it is not worth the memory to rule it out.
    seen: Keys,
    /// Pawns and men among which a proof has failed: it would mostly fail again wherever the others stand.
    unproven: Keys,
    nodes: Vec<Node>,
    open: BinaryHeap<Candidate>,
    arrivals: u32,
    fatigue: Fatigue,
}

impl Search {
    fn new(winner: Color, style: Style, proofs: Proofs) -> Search {
        Search {
            winner,
            style,
            proofs,
            seen: Keys::default(),
            unproven: Keys::default(),
            nodes: Vec::new(),
            open: BinaryHeap::new(),
            arrivals: 0,
            fatigue: [[0; 64]; 6],
        }
    }

    fn run(&mut self, root: &Position, effort: u32) -> Helpmate {
        if let Some(line) = self.visit(root.clone(), None) {
            return Helpmate::Found(line);
        }
        while self.seen.len() < effort as usize {
            let Some(Candidate { node, mv, .. }) = self.open.pop() else { return Helpmate::Impossible };
            let Some(mv) = Move::from_raw(mv) else { continue };
            let next = self.nodes[node as usize].position.after(mv);
            if let Some(line) = self.visit(next, Some((node, mv))) {
                return Helpmate::Found(line);
            }
        }
        if self.open.is_empty() { Helpmate::Impossible } else { Helpmate::Unknown }
    }

    /// Looks at a position: returns the way to it if it is a mate, else notes its moves.
    fn visit(&mut self, position: Position, origin: Option<(u32, Move)>) -> Option<Vec<Move>> {
        if !self.seen.insert(position.key()) {
            return None;
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            let mate = position.is_check() && position.turn() != self.winner;
            return mate.then(|| self.line(origin));
        }
        if origin.is_some_and(|(node, mv)| self.is_hopeless(&position, node, mv)) {
            return None;
        }
        let guide = Guide::of(&position, self.winner, &self.fatigue);
        guide.tire(&mut self.fatigue);
        let distance = guide.distance(&position, self.style);
        let node = self.nodes.len() as u32;
        for mv in &moves {
            let cost = Reverse(distance + guide.step(&position, mv));
            self.arrivals += 1;
            self.open.push(Candidate { cost, arrival: self.arrivals, node, mv: mv.raw() });
        }
        self.nodes.push(Node { position, origin });
        None
    }

    /// Whether no mate can come after a move, seen without moving on. Only what cannot be undone can make it so.
    fn is_hopeless(&mut self, position: &Position, node: u32, mv: Move) -> bool {
        let before = &self.nodes[node as usize].position;
        if !before.is_capture(mv) && before.moved(mv) != Role::Pawn {
            return false;
        }
        if position.lacks_winning_material(self.winner) {
            return true;
        }
        if self.proofs == Proofs::Material || self.unproven.contains(&skeleton(position)) {
            return false;
        }
        let hopeless = net::is_impossible(position, self.winner);
        if !hopeless {
            self.unproven.insert(skeleton(position));
        }
        hopeless
    }

    /// The moves from the root.
    fn line(&self, mut origin: Option<(u32, Move)>) -> Vec<Move> {
        let mut line = Vec::new();
        while let Some((node, mv)) = origin {
            line.push(mv);
            origin = self.nodes[node as usize].origin;
        }
        line.reverse();
        line
    }
}

/// A key of where the pawns stand and of how many other men there are.
fn skeleton(position: &Position) -> u64 {
    let counts =
        Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| position.pieces(color, role).count()));
    counts.fold(position.pawn_key(), |key, count| key.wrapping_mul(31) ^ u64::from(count))
}
