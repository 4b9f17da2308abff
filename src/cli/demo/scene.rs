//! What is known of the games of a demo, put together from what both players report. Pure: it turns reports
//! into panels to draw and lines to print, and touches neither network nor terminal.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use super::board::{self, Panel, Side, Thought};
use crate::chess::{AnyPosition, Color, History, Move, san};
use crate::engine::{Score, ScoreKind};
use crate::printable::printable;

/// How much of a line is shown.
const SHOWN_PLIES: usize = 6;

/// What one player says about its game.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    /// The game.
    pub(crate) game: String,
    /// Who reports.
    pub(crate) color: Color,
    /// The names of White and Black.
    pub(crate) names: [String; 2],
    /// The game so far.
    pub(crate) history: History,
    /// The time that White and Black had when the report was made.
    pub(crate) clocks: [Option<Duration>; 2],
    /// When the clocks were that way.
    pub(crate) since: Instant,
    /// The last search of who reports.
    pub(crate) search: Option<Searched>,
}

/// What a search came to, from the side that searched.
#[derive(Debug, Clone)]
pub(crate) struct Searched {
    pub(crate) score: Score,
    pub(crate) depth: u32,
    pub(crate) line: Vec<Move>,
}

/// The games of a demo in the order in which they began.
#[derive(Debug)]
pub(crate) struct Scene {
    total: usize,
    clock: String,
    /// The ids of all games that have begun.
    order: Vec<String>,
    /// What was reported, by the place in that order.
    games: BTreeMap<usize, Game>,
}

#[derive(Debug)]
struct Game {
    names: [String; 2],
    history: History,
    clocks: [Option<Duration>; 2],
    since: Instant,
    /// The last search of White and of Black.
    thoughts: [Option<Thought>; 2],
    /// The search that chose the move of a ply.
    chosen: BTreeMap<usize, Thought>,
    /// How many plies were printed.
    printed: usize,
    result: Option<String>,
    result_printed: bool,
    /// The length of the finished game.
    plies: usize,
}

impl Scene {
    /// An empty scene for so many games, played with this clock.
    pub(crate) fn new(total: usize, clock: impl Into<String>) -> Scene {
        Scene { total, clock: clock.into(), order: Vec::new(), games: BTreeMap::new() }
    }

    /// A game begins. Games are numbered in this order.
    pub(crate) fn begin(&mut self, id: impl Into<String>) {
        self.order.push(id.into());
    }

    /// Takes in a report. Reports of the two players may overtake each other; the longer game counts.
    pub(crate) fn take(&mut self, report: Report) {
        let Some(number) = self.order.iter().position(|id| *id == report.game) else { return };
        self.games.entry(number).or_insert_with(|| Game::new(&report)).take(report);
    }

    /// Takes in how a game ended, in words, and after how many plies: the last of them may not be reported yet.
    pub(crate) fn finish(&mut self, id: &str, result: &str, plies: usize) {
        let Some(number) = self.order.iter().position(|known| known == id) else { return };
        if let Some(game) = self.games.get_mut(&number).filter(|game| game.result.is_none()) {
            game.result = Some(result.to_owned());
            game.plies = plies;
        }
    }

    /// Whether nothing is missing of the games that have ended.
    pub(crate) fn is_complete(&self) -> bool {
        self.games.values().all(|game| game.result.is_none() || game.history.ply() >= game.plies)
    }

    /// The last `count` games, to be drawn.
    pub(crate) fn panels(&self, count: usize, now: Instant) -> Vec<Panel> {
        let first = self.games.len().saturating_sub(count);
        self.games.iter().skip(first).map(|(n, game)| game.panel(&self.title(*n), now)).collect()
    }

    /// The lines that were not printed yet: one for each move, one for each result.
    pub(crate) fn new_lines(&mut self) -> Vec<String> {
        self.games.iter_mut().flat_map(|(n, game)| game.new_lines(&format!("game {}", n + 1))).collect()
    }

    fn title(&self, n: usize) -> String {
        format!("game {} of {} · {}", n + 1, self.total.max(n + 1), self.clock)
    }
}

impl Game {
    fn new(report: &Report) -> Game {
        Game {
            names: report.names.clone(),
            history: History::new(report.history.start().clone()),
            clocks: report.clocks,
            since: report.since,
            thoughts: [None, None],
            chosen: BTreeMap::new(),
            printed: 0,
            result: None,
            result_printed: false,
            plies: 0,
        }
    }

    fn take(&mut self, report: Report) {
        if let Some(search) = &report.search {
            self.take_search(report.color, &report.history, search);
        }
        if report.history.ply() >= self.history.ply() {
            self.history = report.history;
            self.clocks = report.clocks;
            self.since = report.since;
        }
    }

    /// A search belongs to the position before the move that it chose, or to this one if it goes on. Nobody plays
    /// the same move twice running, so the first move of the line tells which.
    fn take_search(&mut self, color: Color, history: &History, search: &Searched) {
        let Some(&first) = search.line.first() else { return };
        let ply = history.ply();
        let ours = turn_at(history, ply) == color;
        let played = ply.checked_sub(if ours { 2 } else { 1 }).filter(|&last| history.moves()[last] == first);
        let root = match played {
            Some(last) => last,
            None if ours && history.position().is_legal(first) => ply,
            None => return,
        };
        let thought = Thought {
            score: score(search.score, color),
            depth: search.depth,
            line: line(&position_at(history, root), &search.line[..search.line.len().min(SHOWN_PLIES)]),
        };
        self.thoughts[color.index()] = Some(thought.clone());
        if played.is_some() {
            self.chosen.insert(root, thought);
        }
    }

    fn panel(&self, title: &str, now: Instant) -> Panel {
        let position = self.history.position().clone();
        let side = |color: Color| Side {
            name: self.names[color.index()].clone(),
            clock: self.clock(color, now),
            thought: self.thoughts[color.index()].clone(),
        };
        Panel {
            title: title.to_owned(),
            last: self.history.moves().last().copied(),
            sides: [side(Color::White), side(Color::Black)],
            footer: self.result.clone().unwrap_or_else(|| self.last_moves()),
            position,
        }
    }

    /// The clock as it is now: it runs for the side to move, from the second move of each side on.
    fn clock(&self, color: Color, now: Instant) -> Option<Duration> {
        let left = self.clocks[color.index()]?;
        let runs =
            self.result.is_none() && self.history.ply() >= 2 && self.history.position().turn() == color;
        Some(if runs { left.saturating_sub(now.saturating_duration_since(self.since)) } else { left })
    }

    fn last_moves(&self) -> String {
        let from = self.history.ply().saturating_sub(4);
        line(&position_at(&self.history, from), &self.history.moves()[from..])
    }

    /// A move is printed when the search that chose it is known, or when it is known that nobody will tell.
    fn new_lines(&mut self, name: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while self.printed < self.history.ply() {
            let ply = self.printed;
            let told =
                self.chosen.contains_key(&ply) || self.history.ply() > ply + 1 || self.result.is_some();
            if !told {
                break;
            }
            lines.push(self.move_line(name, ply));
            self.printed += 1;
        }
        if self.printed < self.plies {
            return lines;
        }
        if let (Some(result), false) = (&self.result, self.result_printed) {
            let [white, black] = &self.names;
            lines.push(format!("{name}  {} - {}: {}", printable(white), printable(black), printable(result)));
            self.result_printed = true;
        }
        lines
    }

    fn move_line(&self, name: &str, ply: usize) -> String {
        let root = position_at(&self.history, ply);
        let played = line(&root, &self.history.moves()[ply..=ply]);
        let mover = printable(&self.names[root.turn().index()]);
        let clocks = self.clocks.map(|clock| clock.map_or_else(|| "-".to_owned(), board::clock)).join(" ");
        match self.chosen.get(&ply) {
            Some(thought) => format!(
                "{name}  {played:<13} {mover:<8} {clocks:<13} {:>6} d{:<2} {}",
                thought.score, thought.depth, thought.line
            ),
            None => format!("{name}  {played:<13} {mover:<8} {clocks}"),
        }
    }
}

fn turn_at(history: &History, ply: usize) -> Color {
    let start = history.start().turn();
    if ply.is_multiple_of(2) { start } else { !start }
}

fn position_at(history: &History, ply: usize) -> AnyPosition {
    let mut position = history.start().clone();
    history.moves()[..ply].iter().for_each(|mv| position.play(*mv));
    position
}

/// The score from White's side: `+0.31`, or `#3` and `#-3` for a mate.
fn score(score: Score, searcher: Color) -> String {
    let sign = if searcher == Color::White { 1 } else { -1 };
    match score.kind() {
        ScoreKind::Centipawns(n) => format!("{:+.2}", f64::from(n * sign) / 100.0),
        ScoreKind::Mate(n) => format!("#{}", n * sign),
    }
}

/// Moves as SAN with numbers: `12. Nf3 Nc6` or `12... Nc6`. Stops at a move that is not legal there.
fn line(root: &AnyPosition, moves: &[Move]) -> String {
    let mut position = root.clone();
    let mut words = Vec::new();
    for &mv in moves {
        if !position.is_legal(mv) {
            break;
        }
        match position.turn() {
            Color::White => words.push(format!("{}.", position.fullmove_number())),
            Color::Black if words.is_empty() => words.push(format!("{}...", position.fullmove_number())),
            Color::Black => {}
        }
        words.push(san::format(&position, mv));
        position.play(mv);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    fn history(moves: &str) -> History {
        History::from_uci(Position::initial(), moves.split_whitespace()).unwrap()
    }

    fn scene() -> Scene {
        let mut scene = Scene::new(1, "10+0.1");
        scene.begin("abcdefgh");
        scene
    }

    fn report(color: Color, moves: &str) -> Report {
        Report {
            game: "abcdefgh".to_owned(),
            color,
            names: ["Rook".to_owned(), "Raven".to_owned()],
            history: history(moves),
            clocks: [Some(Duration::from_secs(10)), Some(Duration::from_secs(9))],
            since: Instant::now(),
            search: None,
        }
    }

    fn searched(root: &str, line: &str, centipawns: i32) -> Option<Searched> {
        let root = history(root);
        let all = History::from_uci(root.position().clone(), line.split_whitespace()).unwrap();
        Some(Searched { score: Score::cp(centipawns), depth: 7, line: all.moves().to_vec() })
    }

    #[test]
    fn every_move_becomes_one_line_with_the_search_that_chose_it() {
        let mut scene = scene();
        scene.take(report(Color::Black, "e2e4"));
        assert_eq!(scene.new_lines(), Vec::<String>::new(), "White has not said yet what it thought");
        scene.take(Report { search: searched("", "e2e4 e7e5 g1f3", 31), ..report(Color::White, "e2e4") });
        assert_eq!(
            scene.new_lines(),
            ["game 1  1. e4         Rook     0:10 0:09.0    +0.31 d7  1. e4 e5 2. Nf3"]
        );
        scene.take(Report { search: searched("e2e4", "e7e5", 20), ..report(Color::Black, "e2e4 e7e5 g1f3") });
        scene.take(Report { search: searched("e2e4", "e7e5", 20), ..report(Color::Black, "e2e4 e7e5") });
        assert_eq!(scene.new_lines(), ["game 1  1... e5       Raven    0:10 0:09.0    -0.20 d7  1... e5"]);
        scene.take(report(Color::White, "e2e4 e7e5 g1f3"));
        scene.finish("abcdefgh", "1-0 (resign)", 4);
        assert_eq!(scene.new_lines(), ["game 1  2. Nf3        Rook     0:10 0:09.0"], "a ply is missing");
        assert!(!scene.is_complete());
        scene.take(report(Color::White, "e2e4 e7e5 g1f3 b8c6"));
        let end = ["game 1  2... Nc6      Raven    0:10 0:09.0", "game 1  Rook - Raven: 1-0 (resign)"];
        assert_eq!(scene.new_lines(), end);
        assert_eq!(scene.new_lines(), Vec::<String>::new());
        assert!(scene.is_complete());
    }

    #[test]
    fn a_search_that_goes_on_is_shown_but_chose_nothing_yet() {
        let mut scene = scene();
        let thinking = searched("e2e4 e7e5", "g1f3 b8c6", 25);
        scene.take(Report { search: thinking, ..report(Color::White, "e2e4 e7e5") });
        let thought = scene.panels(2, Instant::now())[0].sides[0].thought.clone().unwrap();
        assert_eq!(thought.line, "2. Nf3 Nc6");
        scene.take(report(Color::Black, "e2e4 e7e5 d2d4 e5d4"));
        assert!(scene.new_lines()[2].ends_with("2. d4         Rook     0:10 0:09.0"));
    }

    #[test]
    fn a_search_that_fits_no_position_is_passed_over() {
        let mut scene = scene();
        scene.take(Report { search: searched("", "d2d4", 0), ..report(Color::White, "e2e4") });
        assert_eq!(scene.panels(2, Instant::now())[0].sides[0].thought, None);
    }

    #[test]
    fn a_late_report_does_not_take_moves_back() {
        let mut scene = scene();
        scene.take(report(Color::White, "e2e4 e7e5"));
        scene.take(report(Color::Black, "e2e4"));
        assert_eq!(scene.panels(2, Instant::now())[0].footer, "1. e4 e5");
    }

    #[test]
    fn the_clock_of_the_side_to_move_runs() {
        let mut scene = scene();
        let made = report(Color::White, "e2e4 e7e5");
        let later = made.since + Duration::from_secs(4);
        scene.take(made);
        let sides = scene.panels(2, later)[0].sides.clone();
        assert_eq!(
            sides.map(|side| side.clock),
            [Some(Duration::from_secs(6)), Some(Duration::from_secs(9))]
        );
    }

    #[test]
    fn scores_are_from_the_side_of_white() {
        assert_eq!(score(Score::cp(-150), Color::White), "-1.50");
        assert_eq!(score(Score::cp(-150), Color::Black), "+1.50");
        assert_eq!(score(Score::mate_in(5), Color::White), "#3");
        assert_eq!(score(Score::mate_in(5), Color::Black), "#-3");
    }

    #[test]
    fn the_newest_games_are_drawn() {
        let mut scene = Scene::new(3, "10+0.1");
        for game in ["a", "b", "c"] {
            scene.begin(game);
        }
        for game in ["c", "a", "b"] {
            scene.take(Report { game: game.to_owned(), ..report(Color::White, "") });
        }
        let titles: Vec<String> =
            scene.panels(2, Instant::now()).into_iter().map(|panel| panel.title).collect();
        assert_eq!(titles, ["game 2 of 3 · 10+0.1", "game 3 of 3 · 10+0.1"]);
    }
}
