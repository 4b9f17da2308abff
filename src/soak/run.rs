//! One long run: start everything, look at it every second, make trouble, end it, and write down what came of it.

use std::fs;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::bot::{Bot, LOG, RECORDS};
use super::figures::{Level, Sample, Spread};
use super::lag::{self, Lag};
use super::mischief::Mischief;
use super::opponents::{TOKEN, accounts};
use super::report::Report;
use super::score::score;
use super::timeline::Timeline;
use super::{End, SoakError, SoakOptions, plot, share};
use crate::chess::Color;
use crate::sandbox::{GameSummary, Outage, RequestLimits, Sandbox, SandboxOptions};
use crate::simulation::{BOT, our_color};

/// How often everything is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// How often something is said.
const NEWS: Duration = Duration::from_secs(60);

/// How long the last faults may go on, and the bot take to move again, before it is told to end.
const SETTLING: Duration = Duration::from_secs(120);

/// A bot that was just started does not listen to signals yet.
const YOUNG: Duration = Duration::from_secs(5);

/// A bot that lets a game wait for longer than this has not come back from the last fault.
const BACK: Duration = Duration::from_secs(2);

/// How long the bot may take to finish its games: what its configuration allows by default, and a little.
const GRACE: Duration = Duration::from_secs(630);

/// Runs until the end that the options name, or until `stop` is ready. `say` is told how it goes, line by line. The
/// figures are also written into the directory, as `report.txt`, `samples.tsv` and `plot.svg`.
pub async fn run(
    options: &SoakOptions,
    stop: impl Future<Output = ()>,
    say: &mut dyn FnMut(&str),
) -> Result<Report, SoakError> {
    prepare(options)?;
    let mut run = Run::start(options).await?;
    say(&format!("sandbox at {}, everything is written to {}", run.sandbox.url(), options.out.display()));
    // Both are cancel-safe where they are cut: `play` waits for its ticks alone.
    let played = tokio::select! {
        biased;
        () = stop => Ok(()),
        played = run.play(say) => played,
    };
    played?;
    say("no more faults");
    run.settle().await?;
    say("the bot is told to end");
    run.drain().await?;
    let (report, timeline) = run.finish().await?;
    write(options, "report.txt", &format!("{report}\n"))?;
    write(options, "samples.tsv", &timeline.table())?;
    write(options, "plot.svg", &plot::draw(&timeline, report.recoveries.sorted()).map_err(SoakError::Plot)?)?;
    Ok(report)
}

fn prepare(options: &SoakOptions) -> Result<(), SoakError> {
    let failed = || SoakError::io(format!("use {}", options.out.display()));
    fs::create_dir_all(&options.out).map_err(failed())?;
    match fs::read_dir(&options.out).map_err(failed())?.next() {
        Some(_) => Err(SoakError::NotEmpty(options.out.clone())),
        None => Ok(()),
    }
}

fn write(options: &SoakOptions, file: &str, text: &str) -> Result<(), SoakError> {
    let path = options.out.join(file);
    fs::write(&path, text).map_err(SoakError::io(format!("write {}", path.display())))
}

struct Run<'a> {
    options: &'a SoakOptions,
    sandbox: Sandbox,
    /// What the sandbox counts its times from.
    began: Instant,
    bot: Bot,
    life: usize,
    mischief: Mischief,
    fired: u64,
    timeline: Timeline,
    /// When the bot was dead.
    dead: Vec<Outage>,
    /// Live games, added up over all looks.
    live: usize,
    looks: usize,
    /// Samples that were taken until the bot was told to end.
    busy: usize,
    report: Report,
}

impl<'a> Run<'a> {
    async fn start(options: &'a SoakOptions) -> Result<Run<'a>, SoakError> {
        let failed = || SoakError::io("start the sandbox");
        let listener = TcpListener::bind("127.0.0.1:0").await.map_err(failed())?;
        let began = Instant::now();
        let sandbox = sandbox(options, listener).await.map_err(failed())?;
        let bot = Bot::start(options, &sandbox.url())?;
        Ok(Run {
            options,
            began,
            bot,
            life: 0,
            mischief: Mischief::new(sandbox.faults(), options.seed),
            fired: 0,
            sandbox,
            timeline: Timeline::default(),
            dead: Vec::new(),
            live: 0,
            looks: 0,
            busy: 0,
            report: Report { table_mib: options.hash_mib, ..Report::default() },
        })
    }

    /// Until it is enough.
    async fn play(&mut self, say: &mut dyn FnMut(&str)) -> Result<(), SoakError> {
        let mut ticks = interval(LOOK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut fault, mut kill, mut news) = (self.options.fault_every, self.options.kill_every, NEWS);
        loop {
            ticks.tick().await;
            let now = self.began.elapsed();
            self.look(now);
            self.revive(now)?;
            if let Some(due) = fault.filter(|due| now >= *due) {
                self.mischief.order(now);
                fault = self.options.fault_every.map(|pause| due + pause);
            }
            self.mischief.tidy(now);
            if kill.is_some_and(|due| now >= due) {
                self.bot.kill();
                self.timeline.kills.push(now);
                self.report.kills += 1;
                self.restart(now)?;
                kill = self.options.kill_every.map(|pause| now + pause);
            }
            let games = self.games();
            let live = games.iter().filter(|game| game.live).count();
            (self.live, self.looks) = (self.live + live, self.looks + 1);
            if now >= news {
                news += NEWS;
                say(&self.news(now, games.len() - live, live));
            }
            let enough = match self.options.end {
                End::After(time) => now >= time,
                End::Games(wanted) => games.len() - live >= wanted,
            };
            if enough {
                return Ok(());
            }
        }
    }

    /// Waits until the last faults are over and the bot is back: who is told to end in the middle of a restart knows of
    /// no games, and leaves them.
    async fn settle(&mut self) -> Result<(), SoakError> {
        self.report.unfired = self.mischief.end();
        let give_up = Instant::now() + SETTLING;
        while Instant::now() < give_up {
            let now = self.began.elapsed();
            self.look(now);
            self.revive(now)?;
            let waits = |game: &GameSummary| {
                let ours = game.plies.is_multiple_of(2) == (our_color(game) == Color::White);
                game.live && ours && now.saturating_sub(game.turn_since) > BACK
            };
            let cut_off = self.sandbox.faults().report().outages.iter().any(|outage| outage.to >= now);
            let young = self.dead.last().is_some_and(|dead| now.saturating_sub(dead.to) < YOUNG);
            if !young && !cut_off && !self.games().iter().any(waits) {
                break;
            }
            tokio::time::sleep(LOOK).await;
        }
        Ok(())
    }

    /// Starts the bot again if it has ended, which it should not have.
    fn revive(&mut self, now: Duration) -> Result<(), SoakError> {
        if let Some(status) = self.bot.ended() {
            self.report.troubles.push(format!("the bot ended by itself: {status}"));
            self.restart(now)?;
        }
        Ok(())
    }

    /// A new bot in the place of one that is dead since `died`.
    fn restart(&mut self, died: Duration) -> Result<(), SoakError> {
        self.bot = Bot::start(self.options, &self.sandbox.url())?;
        self.life += 1;
        let account = Some(BOT.to_owned());
        self.dead.push(Outage { account, game: None, from: died, to: self.began.elapsed() });
        Ok(())
    }

    fn look(&mut self, at: Duration) {
        if let Some(usage) = self.bot.usage() {
            self.timeline.samples.push(Sample {
                at,
                life: self.life,
                memory_kib: usage.memory_kib,
                descriptors: usage.descriptors,
                threads: usage.threads,
            });
        }
        let fired = self.mischief.fired();
        self.timeline.faults.extend((self.fired..fired).map(|_| at));
        self.fired = fired;
    }

    /// The bot finishes its games and ends.
    async fn drain(&mut self) -> Result<(), SoakError> {
        self.busy = self.timeline.samples.len();
        self.bot.terminate()?;
        let give_up = Instant::now() + GRACE;
        loop {
            if let Some(status) = self.bot.ended() {
                if !status.success() {
                    self.report.troubles.push(format!("told to end, the bot ended with {status}"));
                }
                return Ok(());
            }
            if Instant::now() >= give_up {
                self.report.troubles.push(format!("told to end, the bot did not in {} s", GRACE.as_secs()));
                self.bot.kill();
                return Ok(());
            }
            self.look(self.began.elapsed());
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Stops the sandbox and puts all figures together.
    async fn finish(self) -> Result<(Report, Timeline), SoakError> {
        let (games, faults) = (self.games(), self.sandbox.faults().report());
        let Run { options, sandbox, began, timeline, dead, live, looks, busy, mut report, .. } = self;
        sandbox.stop().await;
        report.time = began.elapsed();
        report.at_once = live as f64 / looks.max(1) as f64;
        report.faults = faults.fired;
        score(&mut report, &games, &faults.outages, &dead);
        report.share = Spread::of(share::of_directory(&options.out.join(RECORDS))?);
        // What a bot lets go of while it ends says nothing about growth.
        let samples = &timeline.samples[..busy];
        report.memory = Level::of(samples, |sample| sample.memory_kib as f64 / 1024.0);
        report.descriptors = Level::of(samples, |sample| sample.descriptors as f64);
        report.threads = Level::of(samples, |sample| sample.threads as f64);
        let log = fs::read_to_string(options.out.join(LOG)).map_err(SoakError::io("read the bot's log"))?;
        if log.contains("panicked") {
            report.troubles.push(format!("the bot panicked, see {LOG}"));
        }
        if log.contains(TOKEN) {
            report.troubles.push(format!("the token stands in {LOG}"));
        }
        Ok((report, timeline))
    }

    /// The games of the bot.
    fn games(&self) -> Vec<GameSummary> {
        let ours = |game: &GameSummary| game.white == BOT || game.black == BOT;
        self.sandbox.games().into_iter().filter(ours).collect()
    }

    fn news(&self, now: Duration, over: usize, live: usize) -> String {
        let minutes = now.as_secs_f64() / 60.0;
        let mut text = format!("{minutes:.0} min: {over} games over, {live} going on, {} faults", self.fired);
        text.push_str(&format!(", {} kills", self.report.kills));
        if let Some(Sample { memory_kib, descriptors, threads, .. }) = self.timeline.samples.last() {
            let memory = *memory_kib as f64 / 1024.0;
            text.push_str(&format!(", {memory:.1} MiB, {descriptors} descriptors, {threads} threads"));
        }
        text
    }
}

async fn sandbox(options: &SoakOptions, listener: TcpListener) -> std::io::Result<Sandbox> {
    let sandbox = SandboxOptions {
        users: accounts(options),
        limits: RequestLimits::NONE,
        seed: Some(options.seed),
        // All of them are looked at in the end.
        keep_finished: usize::MAX,
        ..SandboxOptions::default()
    };
    let lag = Lag::new(options.lag, options.lag_jitter, options.seed);
    lag::serve(sandbox, listener, lag).await
}
