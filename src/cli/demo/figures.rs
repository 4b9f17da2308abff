//! The figures of a demo: how its games ended, what the server had to complain of, and how long the bots took for what
//! is not thinking. Pure: it counts what the sandbox tells, and is given what was measured.

use std::collections::BTreeMap;
use std::fmt;

use crate::chess::Color;
use crate::sandbox::GameSummary;
use crate::soak::Spread;

/// What came of the games.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    /// How many ended in which way, in words.
    results: BTreeMap<String, usize>,
    lost_on_time: usize,
    illegal_moves: u32,
}

/// The result and how it came about: `1-0 (mate)`.
pub(crate) fn result(game: &GameSummary) -> String {
    let result = match game.winner {
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
        None => "1/2-1/2",
    };
    format!("{result} ({})", game.status)
}

impl Figures {
    /// Of these games, which are over.
    pub(crate) fn of<'a>(games: impl IntoIterator<Item = &'a GameSummary>) -> Figures {
        let mut figures = Figures::default();
        for game in games {
            *figures.results.entry(result(game)).or_default() += 1;
            figures.lost_on_time += usize::from(game.status == "outoftime" && game.winner.is_some());
            figures.illegal_moves += game.illegal_moves.iter().sum::<u32>();
        }
        figures
    }

    /// All of it, with the bots' own part of their moves, or why that was not measured.
    pub(crate) fn with_own_parts(&self, parts: Result<Spread, String>) -> String {
        let parts = parts.map_or_else(|why| format!("not measured: {why}"), |parts| parts.to_string());
        format!("{self}\na bot's own part of a move: {parts}")
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let results: Vec<String> = self.results.iter().map(|(how, count)| format!("{how} {count}")).collect();
        writeln!(f, "games: {}  {}", self.results.values().sum::<usize>(), results.join(", "))?;
        writeln!(f, "lost on time: {}", self.lost_on_time)?;
        write!(f, "illegal moves refused by the server: {}", self.illegal_moves)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::chess::Variant;

    fn game(status: &'static str, winner: Option<Color>, illegal_moves: [u32; 2]) -> GameSummary {
        GameSummary {
            id: "abcd1234".to_owned(),
            white: "Rook".to_owned(),
            black: "Raven".to_owned(),
            variant: Variant::Standard,
            status,
            live: false,
            winner,
            plies: 0,
            turn: Color::White,
            turn_since: Duration::ZERO,
            ended: None,
            turns: Vec::new(),
            illegal_moves,
        }
    }

    #[test]
    fn games_are_counted_by_result_and_word() {
        let games = [
            game("mate", Some(Color::White), [0, 0]),
            game("mate", Some(Color::White), [1, 2]),
            game("outoftime", Some(Color::Black), [0, 0]),
            // The flag fell, but the opponent could not have won: nobody has lost.
            game("outoftime", None, [0, 1]),
        ];
        let text = Figures::of(&games).with_own_parts(Ok(Spread::of([Duration::from_millis(2)])));
        let expected = "games: 4  0-1 (outoftime) 1, 1-0 (mate) 2, 1/2-1/2 (outoftime) 1\nlost on time: 1\n\
                        illegal moves refused by the server: 4\n\
                        a bot's own part of a move: 1 (50 % 2.0 ms, 90 % 2.0 ms, 99 % 2.0 ms, most 2.0 ms)";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_was_not_measured_says_why() {
        let text = Figures::default().with_own_parts(Err("there is no disk".to_owned()));
        assert!(text.ends_with("own part of a move: not measured: there is no disk"), "{text}");
    }
}
