//! What is known about a game: who plays and from where, and how the board stands.

use std::collections::BTreeMap;
use std::time::Duration;

use super::SessionOptions;
use crate::chess::{
    AnyPosition, CastlingSpelling, Color, History, HistoryError, UciMove, Variant, lichess_spelling,
};
use crate::lichess::{GameFull, GameState, InitialFen, Player};

/// What stays the same for the whole game.
#[derive(Clone, Debug)]
pub(crate) struct Seats {
    /// Our side.
    pub(crate) us: Color,
    pub(crate) variant: Variant,
    pub(crate) start: AnyPosition,
    /// Whether a clock runs.
    pub(crate) clocked: bool,
    /// Whether the game belongs to a tournament: such a game is not called off.
    pub(crate) tournament: bool,
    /// What the server said, for records.
    pub(crate) full: GameFull,
}

/// How the game stands.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) history: History,
    pub(crate) state: GameState,
    /// When this position came about, as far as we know; the clock runs from here.
    pub(crate) since: Duration,
    /// Our clock as the account's stream gave it, when that is less than the state says.
    pub(crate) known_left: Option<Duration>,
}

/// What is remembered about a move, by its ply: for the record of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Note {
    /// The mover's clock after it.
    pub(crate) clock: Option<Duration>,
    /// The value that our search gave it, for us.
    pub(crate) score: Option<i32>,
}

/// Notes by ply.
pub(crate) type Notes = BTreeMap<usize, Note>;

/// How a list of moves relates to the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// There was none before.
    First,
    /// The same moves.
    Same,
    /// Moves were added.
    Longer,
    /// Moves were taken back.
    Shorter,
    /// Another line: neither is the beginning of the other.
    Other,
}

impl Seats {
    /// Reads the first line of a stream; the error says why we cannot play this game.
    pub(crate) fn read(full: GameFull, options: &SessionOptions) -> Result<Seats, String> {
        let info = options.info.as_ref();
        let us = full.color_of(&options.us).or_else(|| info.and_then(|info| info.color));
        let us = us.ok_or_else(|| format!("{} does not play in it", options.us))?;
        let variant = full.variant.known().ok_or_else(|| format!("unknown variant {}", full.variant))?;
        let fen = match &full.initial_fen {
            InitialFen::Start => None,
            InitialFen::Fen(fen) => Some(fen.as_str()),
        };
        let start = variant.start(fen).map_err(|error| error.to_string())?;
        let tournament = full.tournament_id.is_some()
            || info.is_some_and(|info| info.tournament_id.is_some() || info.swiss_id.is_some());
        Ok(Seats { us, variant, start, clocked: full.clock.is_some(), tournament, full })
    }

    /// The game after these moves.
    pub(crate) fn play(&self, state: &GameState) -> Result<History, HistoryError> {
        History::from_uci(self.start.clone(), state.moves())
    }

    pub(crate) fn opponent(&self) -> &Player {
        self.full.player(!self.us)
    }

    /// A move as the server takes it.
    pub(crate) fn spell(&self, mv: crate::chess::Move, position: &AnyPosition) -> UciMove {
        UciMove::from_move(mv, lichess_spelling(self.variant, position))
    }
}

impl Board {
    /// The ply that comes next.
    pub(crate) fn ply(&self) -> usize {
        self.history.ply()
    }

    /// Whether `color` is to move, from the start position and the number of moves.
    pub(crate) fn is_turn_of(&self, color: Color) -> bool {
        self.history.position().turn() == color
    }

    /// Whether `color` offers a draw.
    pub(crate) fn offers_draw(&self, color: Color) -> bool {
        match color {
            Color::White => self.state.wdraw,
            Color::Black => self.state.bdraw,
        }
    }

    /// Whether `color` would like to take back.
    pub(crate) fn asks_takeback(&self, color: Color) -> bool {
        match color {
            Color::White => self.state.wtakeback,
            Color::Black => self.state.btakeback,
        }
    }

    /// The clock of `color` as of the last move, and what a move adds to it.
    pub(crate) fn clock(&self, color: Color) -> (Duration, Duration) {
        match color {
            Color::White => (self.state.wtime, self.state.winc),
            Color::Black => (self.state.btime, self.state.binc),
        }
    }
}

impl Change {
    /// Compares moves as moves, so that castling may be spelled in two ways.
    pub(crate) fn between(before: Option<&History>, after: &History) -> Change {
        let Some(before) = before else { return Change::First };
        if before.start() != after.start() {
            return Change::Other;
        }
        let (old, new) = (before.moves(), after.moves());
        if old == new {
            Change::Same
        } else if new.starts_with(old) {
            Change::Longer
        } else if old.starts_with(new) {
            Change::Shorter
        } else {
            Change::Other
        }
    }
}

/// A move as records spell it, the same in every variant.
pub(crate) fn plain(mv: crate::chess::Move) -> String {
    UciMove::from_move(mv, CastlingSpelling::KingTakesRook).to_string()
}
