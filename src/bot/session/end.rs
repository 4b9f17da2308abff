//! How a game ends for us: by the last line, by what other sources say, or because we leave it.

use std::time::Duration;

use super::{Effect, GameReport, Level, Session, Timer};
use crate::bot::shutdown::Phase;
use crate::chess::Color;
use crate::lichess::{GameInfo, GameState, Status};

/// How long the stream gets to say its last word, once the account's stream has said that the game is over.
const LAST_WORD: Duration = Duration::from_secs(1);
/// The same when the game is merely missing from the list of running games.
const LAST_WORD_UNLISTED: Duration = Duration::from_secs(5);

/// So long a line may be under way.
const UNDER_WAY: Duration = Duration::from_secs(2);

/// How often that time is given again to a stream that says nothing.
const PATIENCE: u32 = 6;

/// How often the server may refuse the stream of a game that it lists as running: for half a minute or so.
const MAX_REFUSALS: u32 = 12;
/// How often it may do so before a game that it has never shown us gives up its place: it may not be for bots.
const PARK_REFUSALS: u32 = 2;

/// How often the server may say that it does not know us, until the next state of the game.
const MAX_DENIALS: u32 = 2;

/// No greeting from here on: somebody who joins in the middle has greeted before.
const GREETING_PLIES: usize = 2;

/// The end as another source than the game's stream tells it.
#[derive(Clone, Debug)]
pub(super) struct Ending {
    status: Option<Status>,
    winner: Option<Color>,
    /// Somebody said so; else the game was only not mentioned where it should have been.
    certain: bool,
    /// How often the stream gets more time to say otherwise.
    patience: u32,
}

impl Session {
    pub(super) fn greet(&mut self, state: &GameState) {
        let begins = state.moves().count() < GREETING_PLIES && !state.status.is_over();
        let first = !std::mem::replace(&mut self.greeted, true);
        if let Some(text) =
            self.options.policy.greeting.clone().filter(|_| begins && first && self.can_talk())
        {
            self.emit(Effect::Chat { text });
        }
    }

    /// The server's engine does not read.
    fn can_talk(&self) -> bool {
        self.seats.as_ref().is_some_and(|seats| seats.opponent().ai_level.is_none())
    }

    /// The account's stream says that the game is over. The last line of the game's own stream may still come.
    pub(super) fn on_finished(&mut self, game: GameInfo) {
        let ending = Ending { status: game.status, winner: game.winner, certain: true, patience: 0 };
        self.await_last_word(ending, LAST_WORD);
    }

    pub(super) fn on_playing(&mut self, listed: bool) {
        if !listed && self.ending.is_none() {
            let ending = Ending { status: None, winner: None, certain: false, patience: PATIENCE };
            self.await_last_word(ending, LAST_WORD_UNLISTED);
            // A list may be old. The game's own stream begins with how it stands.
            if self.connected {
                self.reopen();
            }
        }
    }

    /// By the list of running games it is our turn, by our board it is not. If the line is not merely under way, it was
    /// lost, or the list is old.
    pub(super) fn on_owed(&mut self) {
        let still =
            self.board.as_ref().is_some_and(|board| self.now >= board.since.saturating_add(UNDER_WAY));
        if still && self.connected && !self.our_turn() && self.ending.is_none() {
            self.log(Level::Warn, "the opponent has moved, it is said, and the stream does not show it");
            self.reopen();
        }
    }

    /// The game's own stream, opened anew, says that the game goes on: that counts more than a list.
    pub(super) fn doubt_the_end(&mut self) {
        if self.ending.take_if(|ending| !ending.certain).is_some() {
            self.emit(Effect::CancelTimer { timer: Timer::End });
        }
    }

    fn await_last_word(&mut self, ending: Ending, wait: Duration) {
        self.stop_search();
        self.cancel_post();
        self.ending = Some(ending);
        self.set_timer(Timer::End, wait);
    }

    /// The last word is overdue. An end that nobody has told is believed late: a stream that says anything begins with
    /// how the game stands, and one that is open and silent has told nothing.
    pub(super) fn on_end_timer(&mut self) {
        match self.ending.as_mut().filter(|ending| ending.patience > 0) {
            Some(ending) => {
                ending.patience -= 1;
                self.set_timer(Timer::End, LAST_WORD_UNLISTED);
            }
            None => self.finish_as_told(),
        }
    }

    /// The stream is lost while its last word is awaited. Whether that is the end.
    pub(super) fn ends_now(&self) -> bool {
        self.ending.as_ref().is_some_and(|ending| ending.certain)
    }

    /// Nothing more will come on the stream.
    pub(super) fn finish_as_told(&mut self) {
        if let Some(ending) = self.ending.take() {
            self.finish(ending.status, ending.winner);
        }
    }

    /// The server does not give us the game's stream.
    pub(super) fn on_refused(&mut self) {
        self.refusals += 1;
        if self.refusals >= MAX_REFUSALS {
            return self.leave("the server does not let us watch it".to_owned());
        }
        self.emit(Effect::CheckPlaying);
        if self.refusals == PARK_REFUSALS && self.board.is_none() {
            self.park("the server does not show us the game");
        }
    }

    /// The server does not know us. It has been seen to say so for a moment only, while it was restarted.
    pub(super) fn on_denied(&mut self) {
        self.refusals += 1;
        if self.refusals >= MAX_DENIALS {
            self.leave("the token is not valid any more".to_owned());
        } else {
            self.log(Level::Warn, "the server does not accept the token; asking once more");
        }
    }

    pub(super) fn finish(&mut self, status: Option<Status>, winner: Option<Color>) {
        self.stop_search();
        self.cancel_post();
        let result = self.result(status.as_ref(), winner);
        let plies = self.board.as_ref().map_or(0, |board| board.ply());
        if let Some(text) = self.options.policy.farewell.clone().filter(|_| plies >= 2 && self.can_talk()) {
            self.emit(Effect::Chat { text });
        }
        self.over = true;
        self.emit(Effect::Finish { report: GameReport { status, result, plies } });
    }

    pub(super) fn leave(&mut self, why: String) {
        self.stop_search();
        self.cancel_post();
        self.over = true;
        self.log(Level::Warn, format!("leaving the game: {why}"));
        self.emit(Effect::Leave { why });
    }

    /// While the program stops, a game is left as soon as nothing of ours is on its way.
    pub(super) fn leave_if_idle(&mut self) {
        let busy = self.turn.ticket.is_some() || self.is_posting();
        if self.phase == Phase::Stopping && !busy && !self.over {
            self.over = true;
            self.emit(Effect::Leave { why: "the program stops".to_owned() });
        }
    }
}
