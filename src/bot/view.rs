//! What others may watch of the games: a snapshot whenever something changed. Watching never holds up a game: what
//! the watcher does not take in time is lost.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::session::{GameReport, Session};
use crate::chess::{Color, History, Move};
use crate::engine::SearchInfo;
use crate::ignore::Ignore;
use crate::lichess::{GameId, Player};

/// How a game stands.
#[derive(Clone, Debug)]
pub struct GameUpdate {
    /// The game.
    pub game: GameId,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Our side.
    pub our_color: Color,
    /// The moves.
    pub history: History,
    /// White's clock as of the last move.
    pub wtime: Duration,
    /// Black's clock as of the last move.
    pub btime: Duration,
    /// When this was: the clock of the side to move runs from here.
    pub received: Instant,
    /// The value of our last search for us, in centipawns.
    pub our_score: Option<i32>,
    /// The depth of our last search.
    pub depth: u32,
    /// The line that our last search expects.
    pub pv: Vec<Move>,
    /// How the game ended.
    pub report: Option<GameReport>,
}

/// Where updates go.
#[derive(Clone, Debug)]
pub struct View(mpsc::Sender<GameUpdate>);

/// A view and its watcher; `capacity` updates wait for the watcher.
pub fn channel(capacity: usize) -> (View, mpsc::Receiver<GameUpdate>) {
    let (sender, receiver) = mpsc::channel(capacity.max(1));
    (View(sender), receiver)
}

/// What the last search said.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastSearch {
    pub(crate) score: Option<i32>,
    pub(crate) depth: u32,
    pub(crate) pv: Vec<Move>,
}

impl LastSearch {
    pub(crate) fn note(&mut self, info: &SearchInfo) {
        *self = LastSearch { score: Some(info.score.centipawns()), depth: info.depth, pv: info.pv.clone() };
    }
}

impl View {
    pub(crate) fn show(
        &self,
        began: Instant,
        session: &Session,
        last: &LastSearch,
        report: Option<&GameReport>,
    ) {
        let (Some(seats), Some(board)) = (session.seats(), session.board()) else { return };
        let update = GameUpdate {
            game: seats.full.id.clone(),
            white: name(&seats.full.white),
            black: name(&seats.full.black),
            our_color: seats.us,
            history: board.history.clone(),
            wtime: board.state.wtime,
            btime: board.state.btime,
            received: began.checked_add(board.since).unwrap_or(began),
            our_score: last.score,
            depth: last.depth,
            pv: last.pv.clone(),
            report: report.cloned(),
        };
        self.0.try_send(update).ignore("a watcher who is behind misses something");
    }
}

/// How a player is called.
pub(crate) fn name(player: &Player) -> String {
    match (&player.name, &player.id, player.ai_level) {
        (Some(name), _, _) => name.clone(),
        (None, Some(id), _) => id.to_string(),
        (None, None, Some(level)) => format!("AI level {level}"),
        (None, None, None) => "Anonymous".to_owned(),
    }
}
