//! One run: a bot and a sandbox in one process, on a clock that only moves when both wait.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{Builder, Handle};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::judge::{Breach, Judge, Tally};
use super::mind::Stepper;
use super::plan::{BOT, Plan, TOKEN};
use super::verdict;
use super::watched::{Court, Watched};
use super::wire::{URL, wire};
use crate::bot::session::GameReport;
use crate::bot::{self, BotError, BotOptions, BotSummary, GameUpdate, Phase};
use crate::lichess::{ClientOptions, Token};
use crate::sandbox::{GameSummary, Sandbox};

/// How often the games are looked at.
const LOOK: Duration = Duration::from_millis(500);

/// No run takes longer, in virtual time: what is not played by then is left.
const LONGEST: Duration = Duration::from_secs(3600);

/// How long the bot may take to end once its last game is over: its longest wait for an answer and then some.
const DRAIN: Duration = Duration::from_secs(300);

/// Updates that wait for the watcher.
const UPDATES: usize = 256;

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct RunReport {
    /// Its seed.
    pub seed: u64,
    /// Games that the bot played to their end.
    pub games: usize,
    /// Plies of all games.
    pub plies: usize,
    /// Games of which the bot never heard how they ended.
    pub untold: usize,
    /// How often each kind of fault fired.
    pub faults: BTreeMap<String, u64>,
    /// Promises that were broken.
    pub breaches: Vec<Breach>,
    /// What went over the wire last.
    pub tail: Vec<String>,
    /// The same number for the same run.
    pub trace: u64,
    /// How long it took in virtual time.
    pub time: Duration,
}

/// Runs a seed. The same seed gives the same run.
pub fn run(seed: u64) -> io::Result<RunReport> {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build()?;
    runtime.block_on(play(seed))
}

/// How the bot's side ended.
pub(super) struct BotSide {
    pub(super) ended: Option<Result<BotSummary, BotError>>,
    pub(super) reports: BTreeMap<String, GameReport>,
    pub(super) tasks_left: usize,
}

async fn play(seed: u64) -> io::Result<RunReport> {
    let (report, _) = follow(seed, &Plan::of(seed)).await?;
    Ok(report)
}

/// What is known of a run beside its report.
pub(super) struct Details {
    pub(super) games: Vec<GameSummary>,
    pub(super) tally: Tally,
}

/// Does what a plan says.
pub(super) async fn follow(seed: u64, plan: &Plan) -> io::Result<(RunReport, Details)> {
    let (wire, port) = wire(plan.lag);
    let sandbox = Sandbox::start_on(plan.sandbox.clone(), URL.to_owned(), port)?;
    for setup in &plan.arranged {
        sandbox.create_game(setup).map_err(io::Error::other)?;
    }
    let court = Court::new(Judge::new(TOKEN));
    let began = Instant::now();
    let options = options(seed, plan, Watched { wire, court: court.clone() });
    let side = watch_bot(options, plan, &sandbox, &court).await;
    let time = began.elapsed();
    let (games, faults) = (games(&sandbox), sandbox.faults().report());
    sandbox.stop().await;
    // What was aborted needs a moment to go.
    tokio::time::sleep(LOOK).await;
    let side = BotSide { tasks_left: Handle::current().metrics().num_alive_tasks(), ..side };
    verdict::judge(&mut court.judge(), &games, &faults, &side);
    let (breaches, tail, trace) = court.judge().take();
    let tally = court.judge().tally();
    let over: Vec<&GameSummary> = games.iter().filter(|game| !game.live).collect();
    let report = RunReport {
        seed,
        games: over.len(),
        plies: over.iter().map(|game| game.plies).sum(),
        untold: over.iter().filter(|game| verdict::is_untold(game, &side)).count(),
        faults: faults.fired,
        breaches,
        tail,
        trace,
        time,
    };
    Ok((report, Details { games, tally }))
}

fn options(seed: u64, plan: &Plan, transport: Watched) -> BotOptions {
    let token = Token::new(TOKEN.to_owned()).expect("because it has no blanks");
    let mut client = ClientOptions::new(URL, token);
    client.transport = Some(Arc::new(transport));
    client.seed = Some(seed);
    BotOptions {
        mind: Some(Arc::new(Stepper::new(seed, plan.habit))),
        // Every game is played to its end.
        shutdown_grace: LONGEST.saturating_mul(2),
        challenges: plan.challenges.clone(),
        games: plan.policy.clone(),
        thinking: plan.thinking.clone(),
        ..BotOptions::new(client)
    }
}

/// Lets the bot play as many games as planned, and then end.
async fn watch_bot(options: BotOptions, plan: &Plan, sandbox: &Sandbox, court: &Court) -> BotSide {
    let (phase, told) = watch::channel(Phase::Running);
    let (view, mut updates) = bot::view::channel(UPDATES);
    let mut bots = JoinSet::new();
    bots.spawn(bot::run(options, told, Some(view)));
    let mut side = BotSide { ended: None, reports: BTreeMap::new(), tasks_left: 0 };
    let mut begun = 0;
    let began = Instant::now();
    let mut played_at = began;
    let mut drained_at = None;
    let deadline = began + LONGEST;
    loop {
        tokio::time::sleep(LOOK).await;
        while let Ok(update) = updates.try_recv() {
            note(&mut side.reports, update);
        }
        let games = games(sandbox);
        let live = games.iter().filter(|game| game.live).count();
        let now = began.elapsed();
        // Games that lost their place may come back beside others: the bot is to blame only for what it begins.
        if games.len() > begun {
            begun = games.len();
            let placeless =
                |game: &GameSummary| verdict::is_waited_for(game, now) || court.judge().is_hidden(&game.id);
            let placed = games.iter().filter(|game| game.live && !placeless(game)).count();
            let allowed = plan.challenges.max_games;
            if placed > allowed {
                court.judge().breach("I4", format!("{placed} games at once, {allowed} allowed"));
            }
        }
        if games.len() - live >= plan.games || Instant::now() >= deadline {
            drained_at.get_or_insert_with(Instant::now);
            phase.send_replace(Phase::Draining);
        }
        if live > 0 {
            played_at = Instant::now();
        }
        side.ended = bots.try_join_next().and_then(Result::ok);
        let overdue = Instant::now() >= deadline + DRAIN.saturating_mul(2);
        let idle = drained_at.is_some_and(|at| at.max(played_at).elapsed() >= DRAIN);
        if side.ended.is_some() || overdue || idle {
            break;
        }
    }
    while let Ok(update) = updates.try_recv() {
        note(&mut side.reports, update);
    }
    bots.shutdown().await;
    side
}

fn note(reports: &mut BTreeMap<String, GameReport>, update: GameUpdate) {
    if let Some(report) = update.report {
        reports.insert(update.game.to_string(), report);
    }
}

/// The games of the bot.
fn games(sandbox: &Sandbox) -> Vec<GameSummary> {
    let ours = |game: &GameSummary| game.white == BOT || game.black == BOT;
    sandbox.games().into_iter().filter(ours).collect()
}
