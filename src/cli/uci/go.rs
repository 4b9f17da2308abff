//! The `go` command: which limits its words set, and what they mean for a clock.

use std::time::Duration;

use crate::chess::{Color, History, Move, UciMove};
use crate::engine::Limits;
use crate::engine::time::{self, Lag};

/// The words of a `go` command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub(super) remaining: [Option<Duration>; 2],
    pub(super) increment: [Duration; 2],
    pub(super) moves_to_go: Option<u32>,
    pub(super) move_time: Option<Duration>,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) mate: Option<u32>,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    pub(super) perft: Option<u32>,
    pub(super) search_moves: Vec<UciMove>,
}

impl Go {
    pub(super) fn parse(words: &[&str]) -> Result<Go, String> {
        let mut go = Go::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(mv) = words.peek().and_then(|word| word.parse().ok()) {
                        go.search_moves.push(mv);
                        words.next();
                    }
                    if go.search_moves.is_empty() {
                        return Err("go: searchmoves needs moves".to_owned());
                    }
                }
                _ => go.set(word, words.next())?,
            }
        }
        Ok(go)
    }

    fn set(&mut self, word: &str, value: Option<&str>) -> Result<(), String> {
        match word {
            "wtime" => self.remaining[0] = Some(millis(word, value)?),
            "btime" => self.remaining[1] = Some(millis(word, value)?),
            "winc" => self.increment[0] = millis(word, value)?,
            "binc" => self.increment[1] = millis(word, value)?,
            "movetime" => self.move_time = Some(millis(word, value)?),
            "movestogo" => self.moves_to_go = Some(number(word, value)?),
            "depth" => self.depth = Some(number(word, value)?),
            "nodes" => self.nodes = Some(number(word, value)?),
            "mate" => self.mate = Some(number(word, value)?),
            "perft" => self.perft = Some(number(word, value)?),
            _ => return Err(format!("go: unknown word {word:?}")),
        }
        Ok(())
    }

    /// The limits for the side to move of `history`.
    pub(super) fn limits(&self, history: &History, overhead: Duration) -> Limits {
        let turn = history.position().turn();
        let mut limits = Limits {
            soft: None,
            hard: self.move_time,
            depth: self.depth,
            nodes: self.nodes,
            mate: self.mate,
            infinite: self.infinite,
        };
        if let Some(remaining) = self.remaining[turn.index()] {
            let clock = time::Clock {
                remaining,
                increment: self.increment[turn.index()],
                moves_to_go: self.moves_to_go,
                initial: None,
            };
            let moves = usize::from(history.position().fullmove_number().max(1) - 1);
            let budget =
                time::budget(clock, Lag::constant(overhead), 2 * moves + usize::from(turn == Color::Black));
            limits.soft = Some(budget.soft);
            limits.hard = Some(limits.hard.map_or(budget.hard, |hard| hard.min(budget.hard)));
        }
        // Without any limit there is only `stop`.
        limits.infinite |= limits == Limits::default();
        limits
    }

    /// The moves to which the search is restricted; those that are not legal are named in the error.
    pub(super) fn root_moves(&self, history: &History) -> Result<Vec<Move>, String> {
        let legal =
            |mv: &UciMove| mv.to_move(history.position()).map_err(|error| format!("go searchmoves: {error}"));
        self.search_moves.iter().map(legal).collect()
    }
}

/// Some programs send a negative clock once it has run out.
fn millis(word: &str, value: Option<&str>) -> Result<Duration, String> {
    let value: i64 = number(word, value)?;
    Ok(Duration::from_millis(u64::try_from(value).unwrap_or(0)))
}

fn number<T: std::str::FromStr>(word: &str, value: Option<&str>) -> Result<T, String> {
    let value = value.ok_or_else(|| format!("go: {word} needs a number"))?;
    value.parse().map_err(|_| format!("go: {word} is {value:?}, expected a number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    fn go(line: &str) -> Go {
        Go::parse(&line.split(' ').collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn the_clock_of_the_side_to_move_counts() {
        let white = History::new(Position::initial());
        let mut black = white.clone();
        black.push(black.position().legal_moves()[0]);
        let go = go("wtime 1000 btime 600000 winc 0 binc 5000");
        let (short, long) = (go.limits(&white, Duration::ZERO), go.limits(&black, Duration::ZERO));
        assert!(short.hard.unwrap() <= Duration::from_secs(1));
        assert!(long.soft.unwrap() > Duration::from_secs(5));
    }

    #[test]
    fn a_clock_that_ran_out_still_gives_a_time() {
        let history = History::new(Position::initial());
        let limits = go("wtime -30 btime 100").limits(&history, Duration::from_millis(20));
        assert_eq!(limits.hard, Some(Duration::from_millis(1)));
    }

    #[test]
    fn no_limit_means_until_stopped() {
        let history = History::new(Position::initial());
        assert!(Go::default().limits(&history, Duration::ZERO).infinite);
        assert!(!go("nodes 5").limits(&history, Duration::ZERO).infinite);
    }

    #[test]
    fn search_moves_end_at_the_next_word() {
        let go = go("searchmoves e2e4 d2d4 depth 7");
        assert_eq!(go.search_moves.len(), 2);
        assert_eq!(go.depth, Some(7));
    }
}
