//! What files of games hold, counted.

use std::collections::HashSet;
use std::fmt;

use super::games::Game;
use crate::chess::{Color, Position};

/// Values between two of these, in centipawns and for White, are counted together.
const SCORES: [i16; 9] = [-1000, -400, -150, -40, 40, 150, 400, 1000, i16::MAX];

/// The count of some games.
#[derive(Debug)]
pub(crate) struct Stats {
    games: u64,
    plies: u64,
    /// Black's wins, draws, White's wins.
    results: [u64; 3],
    chess960: u64,
    positions: u64,
    /// Positions by their number of pieces.
    pieces: [u64; 33],
    scores: [u64; SCORES.len()],
    /// How far the score is from what the result says, summed over all positions: the squares of points.
    error: f64,
    seen: HashSet<u64>,
}

impl Default for Stats {
    fn default() -> Stats {
        Stats {
            games: 0,
            plies: 0,
            results: [0; 3],
            chess960: 0,
            positions: 0,
            pieces: [0; 33],
            scores: [0; SCORES.len()],
            error: 0.0,
            seen: HashSet::new(),
        }
    }
}

impl Stats {
    /// Counts a game.
    pub(crate) fn add(&mut self, game: &Game) {
        self.games += 1;
        self.plies += game.moves.len() as u64;
        self.results[usize::from(game.result)] += 1;
        self.chess960 += u64::from(!game.start.has_standard_castling());
        game.samples(|position, score| self.count(position, score, game.result));
    }

    fn count(&mut self, position: &Position, score: i16, result: u8) {
        self.positions += 1;
        self.pieces[position.occupied().count() as usize] += 1;
        self.scores[SCORES.iter().position(|most| score < *most).unwrap_or(SCORES.len() - 1)] += 1;
        let expected = 1.0 / (1.0 + 10_f64.powf(-f64::from(score) / 400.0));
        self.error += (expected - f64::from(result) / 2.0).powi(2);
        let turn = u64::from(position.turn() == Color::White);
        self.seen.insert(position.key() ^ turn);
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
        let each = |part: u64| part as f64 / self.games.max(1) as f64;
        let [black, drawn, white] = self.results.map(|count| share(count, self.games));
        writeln!(
            f,
            "games      {}, {:.1} % of them of Chess960",
            self.games,
            share(self.chess960, self.games)
        )?;
        writeln!(f, "results    White {white:.1} %, drawn {drawn:.1} %, Black {black:.1} %")?;
        writeln!(f, "plies      {}, {:.1} a game", self.plies, each(self.plies))?;
        let different = share(self.seen.len() as u64, self.positions);
        writeln!(
            f,
            "positions  {} to learn from, {:.1} a game, {different:.1} % of them different",
            self.positions,
            each(self.positions)
        )?;
        writeln!(
            f,
            "error      {:.4} between scores and results",
            self.error / self.positions.max(1) as f64
        )?;
        write!(f, "scores    ")?;
        for (most, count) in SCORES.iter().zip(self.scores) {
            let share = share(count, self.positions);
            match *most {
                i16::MAX => write!(f, " more {share:.1} %")?,
                most => write!(f, " < {most}: {share:.1} %,")?,
            }
        }
        write!(f, "\npieces    ")?;
        for range in [5..=8, 9..=12, 13..=16, 17..=20, 21..=24, 25..=28, 29..=32_usize] {
            let count = self.pieces[range.clone()].iter().sum();
            write!(f, " {}-{}: {:.1} %", range.start(), range.end(), share(count, self.positions))?;
        }
        Ok(())
    }
}
