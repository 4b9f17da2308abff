//! What a session is told and what it asks for. All of it can be written down and read back: a recording is made
//! of these.

use serde::{Deserialize, Serialize};

use crate::bot::options::{GamePolicy, Thinking};
use crate::bot::shutdown::Phase;
use crate::chess::Color;
use crate::lichess::{GameEvent, GameId, GameInfo, Status, UserId};

/// What a session knows from the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionOptions {
    /// The game.
    pub game: GameId,
    /// Our account.
    pub us: UserId,
    /// What the account's stream said about the game, if it did.
    pub info: Option<GameInfo>,
    /// How long to think.
    pub thinking: Thinking,
    /// How to behave.
    pub policy: GamePolicy,
    /// It is a game too many: it is called off if that is still possible, and played if not.
    #[serde(default)]
    pub surplus: bool,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "input", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Input {
    /// The game's stream is open.
    Connected,
    /// A line came, so many milliseconds before now.
    Line {
        /// How old it is.
        age_ms: u64,
        /// What it says.
        event: Box<GameEvent>,
    },
    /// The stream ended; it will be opened again.
    Lost {
        /// How.
        loss: Loss,
    },
    /// A search is done.
    Searched {
        /// The number that its request had.
        ticket: u64,
        /// Its result.
        thought: Thought,
    },
    /// A move was posted, and this became of it.
    Posted {
        /// The ply that the move was for.
        ply: usize,
        /// What the server said.
        outcome: Outcome,
        /// How long that took.
        elapsed_ms: u64,
    },
    /// Something else was asked of the server, and this became of it.
    Acted {
        /// What was asked.
        action: Action,
        /// What the server said.
        outcome: Outcome,
    },
    /// A timer ran out.
    Timer {
        /// Which.
        timer: Timer,
    },
    /// The account's stream says that the game is over.
    Finished {
        /// How.
        game: Box<GameInfo>,
    },
    /// The list of running games was asked for.
    Playing {
        /// Whether this game is on it.
        listed: bool,
    },
    /// By the list of running games it is our turn, and by our board it is not.
    Owed,
    /// The program begins to end.
    Phase {
        /// How far that is.
        phase: Phase,
    },
}

/// How a stream ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Loss {
    /// The server closed it.
    Ended,
    /// Silence, or a broken connection, or a server in trouble.
    Broken,
    /// The server does not give us this game: no such game, or not for bots.
    Refused,
    /// The server does not know us any more.
    Denied,
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Outcome {
    /// Done.
    Done,
    /// Refused.
    Refused {
        /// The server's words.
        message: String,
    },
    /// There is no such game, or it is not ours.
    Gone,
    /// Too many requests.
    TooMany {
        /// How long to wait, as the server says or as is usual.
        wait_ms: u64,
    },
    /// It may have been done or not: no answer came, or the server was in trouble.
    Unclear {
        /// What happened.
        message: String,
    },
    /// The token does not allow it.
    Denied {
        /// The server's words.
        message: String,
    },
}

/// The result of a search. Moves are written in UCI, castling as king takes rook.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Thought {
    /// The move to play; none if the search found none.
    pub best: Option<String>,
    /// The reply expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ponder: Option<String>,
    /// The value for us in centipawns, a mate far outside of every other value.
    pub score: i32,
    /// The last finished iteration.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub elapsed_ms: u64,
}

/// Something to be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "effect", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Effect {
    /// Think about the position of `Session::board`.
    Search {
        /// The number to answer with.
        ticket: u64,
        /// The ply that the move is for.
        ply: usize,
        /// How long.
        limits: SearchLimits,
        /// Suppose that the opponent plays this, and think without limits until told that it was played.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ponder: Option<String>,
    },
    /// The opponent played what was supposed: from now on there are limits.
    PonderHit {
        /// The search.
        ticket: u64,
        /// How long.
        limits: SearchLimits,
    },
    /// End the search now and answer with the best move found.
    HurrySearch,
    /// Forget the search.
    StopSearch,
    /// Post a move.
    Post {
        /// The ply that it is for.
        ply: usize,
        /// The move, spelled as the server takes it.
        uci: String,
        /// Offer a draw with it, which accepts one that is offered.
        offer_draw: bool,
    },
    /// Forget the move that is being posted.
    CancelPost,
    /// Ask something else of the server.
    Act {
        /// What.
        action: Action,
    },
    /// Say something to the opponent.
    Chat {
        /// What.
        text: String,
    },
    /// Wake me up; a timer that is set again starts again.
    SetTimer {
        /// Which timer.
        timer: Timer,
        /// When, from now.
        after_ms: u64,
    },
    /// Do not wake me up.
    CancelTimer {
        /// Which timer.
        timer: Timer,
    },
    /// Open the game's stream anew: what it said does not fit.
    Reopen,
    /// Look whether the game is on the list of running games.
    CheckPlaying,
    /// The game waits for somebody who does not come, and cannot be called off: it needs no place. Or it does again.
    Park {
        /// Whether it waits.
        parked: bool,
    },
    /// Tell the operator.
    Log {
        /// How bad it is.
        level: Level,
        /// What there is to tell.
        text: String,
    },
    /// The game is over.
    Finish {
        /// How.
        report: GameReport,
    },
    /// Leave the game, though it is not over.
    Leave {
        /// Why.
        why: String,
    },
}

/// How long to think; what is not given does not limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchLimits {
    /// About so long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub soft_ms: Option<u64>,
    /// No longer than this; always given, so that no search is endless.
    pub hard_ms: u64,
    /// Plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Moves not to consider, since the server refused them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
}

/// What can be asked of the server, besides moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Action {
    /// Call the game off.
    Abort,
    /// Give up.
    Resign,
    /// Claim the win over an opponent who left.
    ClaimWin,
    /// Claim a draw with an opponent who left, when we could not win.
    ClaimDraw,
    /// Claim a threefold repetition.
    ClaimRepetition,
    /// Let the opponent take back.
    AllowTakeback,
    /// Do not.
    RefuseTakeback,
}

/// The timers of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Timer {
    /// The opponent has not made a first move.
    Abort,
    /// The win may be claimed now.
    Claim,
    /// What the last post did should be clear by now, or it may be tried again.
    Post,
    /// What a move waits for should have happened by now.
    Hold,
    /// The server should have ended the game by now.
    Settle,
    /// The last word about the game should have come by now.
    End,
    /// The game could not be read, and is asked for again.
    Reread,
    /// A game that cannot be called off has waited long enough for the opponent's first move.
    Park,
}

/// How bad a message to the operator is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Level {
    /// Good to know.
    Info,
    /// Odd.
    Warn,
    /// Wrong.
    Error,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GameReport {
    /// The server's word for it; none if it was not heard.
    pub status: Option<Status>,
    /// For us.
    pub result: GameResult,
    /// Moves played.
    pub plies: usize,
}

/// What a game was for us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum GameResult {
    /// Won.
    Win,
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Called off: it does not count.
    Aborted,
    /// It ended, nobody said how.
    Unknown,
}

impl GameResult {
    /// The result for `us` of a final status.
    pub(crate) fn of(status: Option<&Status>, winner: Option<Color>, us: Option<Color>) -> GameResult {
        match (status, winner, us) {
            (Some(Status::Aborted), _, _) => GameResult::Aborted,
            (_, Some(winner), Some(us)) if winner == us => GameResult::Win,
            (_, Some(_), Some(_)) => GameResult::Loss,
            (Some(Status::NoStart), None, _) => GameResult::Aborted,
            (
                Some(
                    Status::Draw | Status::Stalemate | Status::OutOfTime | Status::InsufficientMaterialClaim,
                ),
                None,
                _,
            ) => GameResult::Draw,
            _ => GameResult::Unknown,
        }
    }
}
