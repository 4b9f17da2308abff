//! Games of the engine against itself.

use super::games::Game;
use super::opening::Openings;
use crate::chess::{Color, History, Move, Position};
use crate::engine::training::{Evaluation, SelfPlay, result};
use crate::random::Random;

/// How games are made.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    /// No new iteration after so many nodes.
    pub(crate) nodes: u64,
    pub(crate) openings: Openings,
    pub(crate) evaluation: Evaluation,
}

/// The most nodes of a move, in those after which no iteration begins.
const HARD: u64 = 4;

/// A game begins only where the first search finds neither side so far ahead, in centipawns.
const OPEN: i32 = 400;

/// A side that is so far ahead for so many plies wins.
const WON: (i32, u32) = (2000, 4);

/// A game in which nobody is ahead by more for so many plies is drawn, after so many plies in all.
const DRAWN: (i32, u32, usize) = (8, 10, 60);

impl Plan {
    /// The plan in words, for the file: a file goes on only by the plan that it began with.
    pub(crate) fn about(&self) -> String {
        let Openings { chess960, from_book, book } = &self.openings;
        format!(
            "rookery {} seed {} nodes {} evaluation {} chess960 {chess960} % book {from_book} % of {}",
            env!("CARGO_PKG_VERSION"),
            self.seed,
            self.nodes,
            self.evaluation,
            book.len(),
        )
    }
}

/// An engine that plays by a plan.
pub(crate) struct Player<'a> {
    plan: &'a Plan,
    engine: SelfPlay,
}

impl<'a> Player<'a> {
    pub(crate) fn new(plan: &'a Plan) -> Player<'a> {
        Player { plan, engine: SelfPlay::new(&plan.evaluation) }
    }

    /// Plays the game of this number, which is the same whoever plays it.
    pub(crate) fn game(&mut self, number: u64) -> Game {
        let mut random = Random::new(self.plan.seed, number);
        let (start, first) = self.begin(&mut random);
        let mut history = History::new(start.clone());
        let mut moves = Vec::new();
        let mut judge = Judge::default();
        let mut next = Some(first);
        let result = loop {
            if let Some(result) = result(&history) {
                break result;
            }
            let chosen = next.take().or_else(|| self.choose(&history));
            let Some((mv, score)) = chosen else { break 1 };
            let for_white = if history.position().turn() == Color::White { score } else { -score };
            if let Some(result) = judge.rule(for_white, history.ply()) {
                break result;
            }
            moves.push((mv, for_white.clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16));
            history.push(mv);
        };
        Game { start, moves, result }
    }

    /// A position that is worth playing from, with its move and score.
    fn begin(&mut self, random: &mut Random) -> (Position, (Move, i32)) {
        loop {
            self.engine.clear();
            let start = self.plan.openings.draw(random);
            let found = self.choose(&History::new(start.clone()));
            if let Some(found) = found.filter(|(_, score)| score.abs() <= OPEN) {
                return (start, found);
            }
        }
    }

    fn choose(&mut self, history: &History) -> Option<(Move, i32)> {
        self.engine.choose(history, self.plan.nodes, HARD * self.plan.nodes)
    }
}

/// Ends games whose outcome is clear.
#[derive(Debug, Default)]
struct Judge {
    won: [u32; 2],
    level: u32,
}

impl Judge {
    /// White's half points, if this score makes the outcome clear.
    fn rule(&mut self, score: i32, ply: usize) -> Option<u8> {
        let (lead, plies) = WON;
        for (won, score) in self.won.iter_mut().zip([score, -score]) {
            *won = if score >= lead { *won + 1 } else { 0 };
        }
        let (level, level_plies, first) = DRAWN;
        self.level = if score.abs() <= level { self.level + 1 } else { 0 };
        match self.won {
            [won, _] if won >= plies => Some(2),
            [_, won] if won >= plies => Some(0),
            _ if self.level >= level_plies && ply >= first => Some(1),
            _ => None,
        }
    }
}
