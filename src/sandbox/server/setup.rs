//! Games arranged and looked at from within the process: for tests and for the demonstration.

use std::time::Duration;

use thiserror::Error;

use super::Shared;
use crate::chess::{Color, Variant};
use crate::sandbox::wire::{Export, game_pgn, refusal_answer, standings_text};
use crate::sandbox::world::{Game, GameId, GameSource, Refusal, Start, TimeControl, UserId, VariantKey};

/// A game that is to begin at once, without a challenge.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// Who has White.
    pub white: String,
    /// Who has Black.
    pub black: String,
    /// How much time they have.
    pub time: TimeControl,
    /// The kind of game.
    pub variant: Variant,
    /// Where it starts, if not at the variant's own start.
    pub fen: Option<String>,
    /// Whether it counts.
    pub rated: bool,
    /// Where it is said to come from; the lobby and tournaments have deadlines for the first moves.
    pub source: GameSource,
}

impl GameSetup {
    /// A casual standard game with a clock.
    pub fn new(white: &str, black: &str, limit: Duration, increment: Duration) -> GameSetup {
        GameSetup {
            white: white.to_owned(),
            black: black.to_owned(),
            time: TimeControl::Clock { limit, increment },
            variant: Variant::Standard,
            fen: None,
            rated: false,
            source: GameSource::Friend,
        }
    }
}

/// A game in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// Its id.
    pub id: String,
    /// Who has White.
    pub white: String,
    /// Who has Black.
    pub black: String,
    /// The kind of game.
    pub variant: Variant,
    /// The status word of the API.
    pub status: &'static str,
    /// Whether it goes on.
    pub live: bool,
    /// Who won.
    pub winner: Option<Color>,
    /// Plies played.
    pub plies: usize,
    /// Whose turn it is, or was when it ended.
    pub turn: Color,
    /// Since when the side to move has been to move, counted from the start of the sandbox.
    pub turn_since: Duration,
    /// When it ended.
    pub ended: Option<Duration>,
    /// When each ply's turn began, the next one's too.
    pub turns: Vec<Duration>,
    /// Moves of White and of Black that were refused because they break the laws of chess.
    pub illegal_moves: [u32; 2],
}

/// Why a game could not be arranged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the sandbox refuses: {0}")]
pub struct SandboxError(String);

impl From<Refusal> for SandboxError {
    fn from(refusal: Refusal) -> SandboxError {
        let body = refusal_answer(&refusal).body;
        SandboxError(body["error"].as_str().map_or_else(|| body["error"].to_string(), str::to_owned))
    }
}

impl Shared {
    /// Begins a game.
    pub(super) fn arrange(&self, setup: &GameSetup) -> Result<String, SandboxError> {
        let id = self.act(|world, now| {
            let users = [UserId::of(&setup.white), UserId::of(&setup.black)];
            let variant = VariantKey::from(setup.variant);
            world.arrange(
                &users,
                |random| {
                    let start =
                        Start::settle(variant, setup.fen.as_deref(), random).map_err(Refusal::Form)?;
                    Ok((start, setup.time, setup.rated, setup.source))
                },
                now,
            )
        })?;
        Ok(id.to_string())
    }

    /// All games, the newest first.
    pub(super) fn summaries(&self) -> Vec<GameSummary> {
        self.act(|world, _| world.games().map(summary).collect())
    }

    /// A game as PGN.
    pub(super) fn pgn(&self, id: &str) -> Option<String> {
        let id = GameId::parse(id)?;
        self.act(|world, _| Some(game_pgn(world, world.game(&id)?, Export::default(), &self.url)))
    }

    /// The table of all accounts as text.
    pub(super) fn standings(&self) -> String {
        self.act(|world, _| standings_text(&world.standings()))
    }

    /// A player of a finished game offers a rematch. The new challenge's id.
    pub(super) fn rematch(&self, game: &str, by: &str) -> Result<String, SandboxError> {
        let game = GameId::parse(game).ok_or(Refusal::NoSuchGame)?;
        let id = self.act(|world, now| world.offer_rematch(&UserId::of(by), &game, now))?;
        Ok(id.to_string())
    }
}

fn summary(game: &Game) -> GameSummary {
    GameSummary {
        id: game.id.to_string(),
        white: game.seat(Color::White).name(),
        black: game.seat(Color::Black).name(),
        variant: game.variant,
        status: game.status.words().1,
        live: game.is_live(),
        winner: game.winner,
        plies: game.ply(),
        turn: game.turn(),
        turn_since: game.turn_since,
        ended: game.ended,
        turns: game.turns.clone(),
        illegal_moves: game.sheet.illegal_moves,
    }
}
