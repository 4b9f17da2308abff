//! A run that is made and not drawn: one fault, or a few, and what they cost the bot. The figures are exact, since the
//! clock is virtual.

use std::io;
use std::time::Duration;

use tokio::runtime::Builder;

use super::mind::Habit;
use super::plan::{BOT, Plan, TOKEN};
use super::run::{Details, RunReport, follow};
use crate::bot::{ChallengePolicy, GamePolicy, Thinking};
use crate::sandbox::{GameSetup, GameSummary, RequestLimits, Rule, SandboxOptions, Scenario, UserSpec};

/// How long the stand-in thinks about each move.
const THINK: Duration = Duration::from_millis(100);

/// How long the wire takes in one direction.
const LAG: Duration = Duration::from_millis(20);

/// What is tried. The bot's account is `rook`.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Whom it plays.
    pub opponents: Vec<UserSpec>,
    /// Games that begin at once, without a challenge.
    pub arranged: Vec<GameSetup>,
    /// What goes wrong.
    pub rules: Vec<Rule>,
    /// The search, counted from 0, that breaks down inside.
    pub crash: Option<u64>,
    /// Which challenges are accepted.
    pub challenges: ChallengePolicy,
    /// How the bot behaves.
    pub policy: GamePolicy,
    /// Games to be played.
    pub games: usize,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct TrialReport {
    /// The run.
    pub run: RunReport,
    /// The bot's games, the newest first.
    pub games: Vec<GameSummary>,
    /// How much longer than its thought and the way there and back the bot's slowest turn took.
    pub slowest: Duration,
    /// The longest time for which a stream of games was closed before it was opened again.
    pub game_gap: Duration,
    /// The same for the account's stream.
    pub event_gap: Duration,
    /// Moves that the server did not take.
    pub refused_moves: usize,
    /// When each request left, since the run began, and its path.
    pub requests: Vec<(Duration, String)>,
}

/// Tries it.
pub fn try_out(trial: &Trial) -> io::Result<TrialReport> {
    let mut users = vec![UserSpec::bot(BOT, TOKEN)];
    users.extend(trial.opponents.iter().cloned());
    let plan = Plan {
        lag: LAG,
        games: trial.games,
        sandbox: SandboxOptions {
            users,
            limits: RequestLimits::NONE,
            seed: Some(1),
            date: Some(Duration::from_secs(1_900_000_000)),
            scenario: Scenario { seed: 1, rules: trial.rules.clone() },
            ..SandboxOptions::default()
        },
        challenges: trial.challenges.clone(),
        policy: trial.policy.clone(),
        thinking: Thinking::default(),
        habit: Habit::Steady { think: THINK, crash: trial.crash },
        arranged: trial.arranged.clone(),
    };
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build()?;
    let (run, Details { games, tally }) = runtime.block_on(follow(1, &plan))?;
    let gap = |start: &str| {
        let ours = tally.gaps.iter().filter(|(path, _)| path.starts_with(start));
        ours.map(|(_, gap)| *gap).max().unwrap_or_default()
    };
    Ok(TrialReport {
        slowest: games.iter().filter_map(slowest).max().unwrap_or_default(),
        game_gap: gap("/api/bot/game/stream/"),
        event_gap: gap("/api/stream/event"),
        refused_moves: tally.refused_moves,
        requests: tally.requests,
        run,
        games,
    })
}

/// The bot's slowest turn of a game, without what it had to take.
fn slowest(game: &GameSummary) -> Option<Duration> {
    let own = usize::from(game.white != BOT);
    let turns = game.turns.windows(2).skip(own).step_by(2).map(|pair| pair[1].saturating_sub(pair[0]));
    // Line and answer, each once over the wire.
    turns.max().map(|turn| turn.saturating_sub(THINK + LAG * 2))
}
