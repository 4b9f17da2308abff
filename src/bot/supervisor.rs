//! The one loop of the account: what its stream says becomes challenges accepted and games played. It owns the
//! tasks of the games and joins them. Which challenges to accept, `desk` decides.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;
use tracing::{Instrument, debug, error, info, info_span, warn};

use super::calls::{self, Answered};
use super::desk::{Desk, DeskEffect, DeskInput, DeskOptions, StreamEnd};
use super::door::Door;
use super::error::{BotError, BotSummary};
use super::finished::Finished;
use super::game::{self, GameEnd, Notice, Setup};
use super::handler::{Handler, Origin, Parked, Take};
use super::lobby::{Accepted, Pace};
use super::options::BotOptions;
use super::roster::Roster;
use super::session::SessionOptions;
use super::shutdown::Phase;
use super::tap::Ear;
use super::thinker::Thinker;
use super::view::View;
use crate::ignore::Ignore;
use crate::lichess::{
    AccountEvent, ApiError, Client, EventStream, GameId, GameInfo, LostReason, PlayingGame, Speed,
    StreamItem, UserId,
};
use crate::mutant::{self, Mutant};
use crate::record::{Kind, Log, Recorder};

/// How often a game whose task broke down is taken up again.
const MAX_REVIVALS: u32 = 3;

/// No server lets an account play more games at once: one that says so is broken, and must not fill the memory.
const MAX_GAMES: usize = 256;

/// How many notices wait for a game; it takes them at once.
const MAILBOX: usize = 8;

/// How many words about places wait to be heard.
const PARKING: usize = 64;

/// How many answers to challenges may be under way; challenges beyond are left without an answer.
const MAX_CALLS: usize = 64;

/// The list of running games shows no more than this.
const LISTED: usize = 50;

/// How long the games get to stop, on top of the time that a move may take to be posted.
const STOPPING: Duration = Duration::from_secs(2);

/// What happens when nothing else does: longer than any wait of ours.
const IDLE: Duration = Duration::from_secs(3600);

/// The account at work.
#[derive(Debug)]
pub(crate) struct Supervisor {
    pub(crate) options: BotOptions,
    pub(crate) us: UserId,
    pub(crate) client: Client,
    pub(crate) thinker: Thinker,
    pub(crate) recorder: Recorder,
    pub(crate) ear: Arc<Ear>,
    /// The account's own recording.
    pub(crate) log: Log,
    pub(crate) view: Option<View>,
}

/// The state of the loop.
pub(crate) struct Loop {
    parts: Supervisor,
    events: EventStream,
    /// The stream is left alone until then.
    resting_until: Option<Instant>,
    desk: Desk,
    games: JoinSet<(GameId, GameEnd)>,
    handlers: BTreeMap<GameId, Handler>,
    /// Which game a task plays, for when the task cannot say so itself.
    tasks: HashMap<Id, GameId>,
    finished: Finished,
    /// The game that has just begun and has no place.
    surplus: Option<GameId>,
    parked: (mpsc::Sender<Parked>, mpsc::Receiver<Parked>),
    calls: JoinSet<Answered>,
    roster: Roster,
    /// What the games are told.
    phase: watch::Sender<Phase>,
    /// When the present phase is over at the latest.
    phase_ends: Option<Instant>,
    door: Door,
    fatal: Option<BotError>,
    summary: BotSummary,
}

impl Loop {
    pub(crate) fn new(parts: Supervisor) -> Loop {
        let options = DeskOptions {
            us: parts.us.clone(),
            challenges: parts.options.challenges.clone(),
            account: parts.options.account.clone(),
        };
        let desk = Desk::new(&options);
        parts.log.entry(Kind::Input, &DeskInput::Opened { options: Box::new(options) });
        Loop {
            events: parts.client.event_stream(),
            resting_until: None,
            desk,
            games: JoinSet::new(),
            handlers: BTreeMap::new(),
            tasks: HashMap::new(),
            finished: Finished::default(),
            surplus: None,
            parked: mpsc::channel(PARKING),
            calls: JoinSet::new(),
            roster: Roster::new(Instant::now(), parts.options.account.reconcile),
            phase: watch::Sender::new(Phase::Running),
            phase_ends: None,
            door: Door::default(),
            fatal: None,
            summary: BotSummary::default(),
            parts,
        }
    }

    /// Runs until the games are over and no more are wanted. What was played is told also when it ends badly.
    pub(crate) async fn run(
        mut self,
        mut phase: watch::Receiver<Phase>,
    ) -> (Recorder, Result<BotSummary, BotError>) {
        let first = *phase.borrow_and_update();
        self.enter(first);
        while !self.is_done() {
            let deadline = self.next_deadline();
            // In this order, so that a flood of events holds up nothing, and a simulation repeats itself.
            tokio::select! {
                biased;
                Ok(()) = phase.changed() => {
                    let wanted = *phase.borrow_and_update();
                    self.enter(wanted);
                }
                Some(ended) = self.games.join_next_with_id() => self.on_ended(ended),
                Some(answered) = self.calls.join_next() => self.on_answered(answered),
                Some((game, parked)) = self.parked.1.recv() => self.tell(DeskInput::Parked { game, parked }),
                () = tokio::time::sleep_until(deadline) => self.on_time(),
                item = self.events.next_after(self.resting_until) => self.on_item(item),
            }
        }
        self.games.shutdown().await;
        let answers = async { while self.calls.join_next().await.is_some() {} };
        tokio::time::timeout(STOPPING, answers).await.ignore("nobody waits longer for a refusal");
        self.calls.shutdown().await;
        let left = u64::try_from(self.handlers.len()).unwrap_or(u64::MAX);
        self.summary.left = self.summary.left.saturating_add(left);
        (self.parts.recorder, self.fatal.map_or(Ok(self.summary), Err))
    }

    fn is_done(&self) -> bool {
        match *self.phase.borrow() {
            Phase::Running => false,
            // Refusals may be under way without an end: somebody always asks.
            Phase::Draining => self.handlers.is_empty() && self.desk.is_empty(),
            Phase::Stopping => {
                self.handlers.is_empty() || self.phase_ends.is_some_and(|end| end <= Instant::now())
            }
        }
    }

    fn next_deadline(&self) -> Instant {
        let idle = Instant::now() + IDLE;
        let deadlines = [Some(self.roster.at()), self.desk_deadline(), self.phase_ends];
        deadlines.into_iter().flatten().min().unwrap_or(idle)
    }

    fn on_time(&mut self) {
        let now = Instant::now();
        if self.desk_deadline().is_some_and(|deadline| deadline <= now) {
            self.tell(DeskInput::Time);
        }
        if self.roster.at() <= now {
            self.reconcile();
        }
        if *self.phase.borrow() == Phase::Draining && self.phase_ends.is_some_and(|end| end <= now) {
            warn!("the time for running games is over");
            self.enter(Phase::Stopping);
        }
    }

    /// Phases only ever go forward.
    fn enter(&mut self, phase: Phase) {
        if phase <= *self.phase.borrow() {
            return;
        }
        info!(?phase, games = self.handlers.len(), "ending");
        self.tell(DeskInput::Close);
        let time = match phase {
            Phase::Running | Phase::Draining => self.parts.options.shutdown_grace,
            Phase::Stopping => self.parts.options.client.move_timeout.saturating_add(STOPPING),
        };
        self.phase_ends = Instant::now().checked_add(time);
        self.phase.send_replace(phase);
    }

    fn on_item(&mut self, item: StreamItem<AccountEvent>) {
        self.resting_until = None;
        match item {
            StreamItem::Connected => {
                self.tell(DeskInput::Connected);
                self.reconcile();
            }
            StreamItem::KeepAlive => self.door.welcome(),
            StreamItem::Event { received: _, event } => {
                self.door.welcome();
                self.on_event(event);
            }
            StreamItem::Lost(reason) => self.on_lost(reason),
        }
    }

    fn on_event(&mut self, event: AccountEvent) {
        match event {
            AccountEvent::GameStart(info) => self.on_game_start(info, Origin::Event),
            AccountEvent::GameFinish(info) => self.on_game_finish(info),
            AccountEvent::Challenge(challenge) => {
                debug!(id = %challenge.id, "challenge");
                self.tell(DeskInput::Challenge { challenge: Box::new(challenge) });
            }
            AccountEvent::ChallengeCanceled(challenge) | AccountEvent::ChallengeDeclined(challenge) => {
                self.tell(DeskInput::Gone { id: challenge.id });
            }
            // The stream has logged it.
            AccountEvent::Unknown(_) => {}
        }
    }

    fn on_lost(&mut self, reason: LostReason) {
        if let LostReason::Refused(error @ (ApiError::Unauthorized { .. } | ApiError::Forbidden { .. })) =
            reason
        {
            return self.on_denied(error);
        }
        debug!(?reason, "the event stream is lost; opening it again");
        let end = if reason == LostReason::Ended { StreamEnd::Clean } else { StreamEnd::Broken };
        self.tell(DeskInput::Lost { end });
    }

    fn rest(&mut self) {
        let pause = self.parts.options.account.twin_pause;
        warn!(
            pause_s = pause.as_secs(),
            "the event stream ends whenever it was opened: another program seems to use the same token; \
             give each program a token of its own"
        );
        self.resting_until = Instant::now().checked_add(pause);
    }

    /// The server does not let us in. At the start that is final; later it may be a moment's confusion.
    fn on_denied(&mut self, error: ApiError) {
        if self.door.denied() {
            return self.fail(BotError::Refused(error));
        }
        warn!(%error, "the server does not let us in any more; asking again");
    }

    /// The server does not let us in any more: finish what can be finished.
    fn fail(&mut self, error: BotError) {
        if self.fatal.is_none() {
            error!(error = %error, "ending");
            self.fatal = Some(error);
        }
        self.resting_until = Instant::now().checked_add(IDLE.saturating_mul(24));
        self.enter(Phase::Draining);
    }

    fn on_game_start(&mut self, info: GameInfo, origin: Origin) {
        if self.handlers.contains_key(&info.id) && !mutant::on(Mutant::NoStartCheck) {
            return;
        }
        let again = self.finished.contains(&info.id);
        match origin {
            Origin::Event if again => return self.look_again(&info.id),
            Origin::List(asked) if again && !self.finished.reopens(&info.id, asked) => return,
            Origin::Event | Origin::List(_) => {}
        }
        if !info.suits_bots() {
            return info!(game = %info.id, "this game is not for bots; leaving it alone");
        }
        if info.variant.known().is_none() {
            return warn!(game = %info.id, variant = %info.variant, "a game of an unknown variant; leaving it alone");
        }
        if *self.phase.borrow() == Phase::Stopping {
            return;
        }
        if self.handlers.len() >= MAX_GAMES {
            return warn!(game = %info.id, "more games than can be; leaving it alone");
        }
        let opponent = info.opponent.as_ref().and_then(|opponent| opponent.id.clone());
        let slow = info.speed == Some(Speed::Correspondence);
        let pace = if slow { Pace::Slow } else { Pace::Live };
        self.surplus = None;
        self.tell(DeskInput::GameStarted { game: info.id.clone(), opponent, pace });
        let surplus = self.surplus.take().is_some_and(|game| game == info.id);
        self.spawn(info, Take { revivals: 0, surplus, again });
    }

    /// A game that is over starts, it is said. It may be an old word; the list of running games knows.
    fn look_again(&mut self, game: &GameId) {
        if let Some(at) = self.finished.check_at(game) {
            info!(%game, "a game that is over is said to start; looking whether it is running");
            self.roster.look_by(at);
        }
    }

    fn spawn(&mut self, info: GameInfo, take: Take) {
        let parts = &self.parts;
        let game = info.id.clone();
        let mut policy = parts.options.games.clone();
        // Who greets twice has not noticed that the game goes on.
        policy.greeting = policy.greeting.filter(|_| take.revivals == 0 && !take.again);
        policy.farewell = policy.farewell.filter(|_| !take.again);
        let options = SessionOptions {
            game: game.clone(),
            us: parts.us.clone(),
            info: Some(info.clone()),
            thinking: parts.options.thinking.clone(),
            policy,
            surplus: take.surplus && take.revivals == 0,
        };
        let log = parts.recorder.log(game.as_str(), &options);
        parts.ear.open(game.clone(), log.clone());
        self.roster.begun(Instant::now());
        let (sender, mailbox) = mpsc::channel(MAILBOX);
        let setup = Setup {
            client: parts.client.clone(),
            thinker: parts.thinker.clone(),
            log,
            options,
            mailbox,
            phase: self.phase.subscribe(),
            view: parts.view.clone(),
            parking: self.parked.0.clone(),
            site: parts.options.client.base_url.clone(),
        };
        let span = info_span!("game", id = %game);
        let id = game.clone();
        let playing = async move { (id, game::play(setup).await) }.instrument(span);
        let task = self.games.spawn(playing).id();
        self.tasks.insert(task, game.clone());
        let opponent = info.opponent.as_ref().and_then(|opponent| opponent.username.as_deref());
        info!(%game, opponent, color = ?info.color, "game");
        self.handlers.insert(game, Handler { mailbox: sender, info, since: Instant::now(), take });
    }

    /// The game itself knows best how it ended, so it is only told.
    fn on_game_finish(&mut self, info: GameInfo) {
        let Some(handler) = self.handlers.get(&info.id) else {
            return self.tell(DeskInput::GameEnded { game: info.id });
        };
        let notice = Notice::Finished(Box::new(info));
        handler.mailbox.try_send(notice).ignore("a game that does not listen is over or flooded");
    }

    fn on_ended(&mut self, ended: Result<(Id, (GameId, GameEnd)), JoinError>) {
        match ended {
            Ok((task, (game, end))) => {
                self.tasks.remove(&task);
                self.close_game(&game, Some(end));
            }
            Err(broken) => {
                if let Some(game) = self.tasks.remove(&broken.id()) {
                    self.revive(&game, &broken);
                }
            }
        }
    }

    /// A game whose task broke down is opened again: the first line of its stream is the whole game.
    fn revive(&mut self, game: &GameId, broken: &JoinError) {
        error!(%game, error = %broken, "the game's task broke down");
        match self.handlers.remove(game) {
            Some(Handler { info, take, .. }) if take.revivals < MAX_REVIVALS => {
                self.spawn(info, Take { revivals: take.revivals + 1, ..take });
            }
            _ => self.close_game(game, None),
        }
    }

    fn close_game(&mut self, game: &GameId, end: Option<GameEnd>) {
        self.handlers.remove(game);
        self.parts.ear.close(game);
        let report = end.as_ref().and_then(|end| end.report.as_ref());
        match report {
            Some(report) => {
                let status = report.status.as_ref().map_or("unknown", |status| status.as_str());
                info!(%game, result = ?report.result, status, plies = report.plies, "game over");
            }
            None => info!(%game, "game left"),
        }
        if !self.finished.contains(game) {
            self.summary.count(report.map(|report| report.result));
        }
        match report {
            Some(report) if report.status.is_some() => self.finished.add(game.clone(), Instant::now()),
            Some(_) => {}
            None => self.finished.leave(game.clone(), Instant::now()),
        }
        if let Some(pgn) = end.and_then(|end| end.pgn) {
            self.parts.recorder.save(&format!("{game}.pgn"), pgn);
        }
        self.tell(DeskInput::GameEnded { game: game.clone() });
    }

    /// Asks for the running games, to find those whose beginning or end was missed.
    fn reconcile(&mut self) {
        self.roster.asked(Instant::now(), !self.handlers.is_empty());
        let client = self.parts.client.clone();
        self.calls.spawn(calls::playing(client));
    }

    fn on_playing(&mut self, asked: Instant, games: Vec<PlayingGame>) {
        for (game, handler) in self.handlers.iter().filter(|(_, handler)| handler.since < asked) {
            let notice = match games.iter().find(|listed| listed.id == *game) {
                Some(listed) if listed.is_my_turn => Notice::OurTurn,
                None if games.len() < LISTED => Notice::Listed(false),
                Some(_) | None => continue,
            };
            handler.mailbox.try_send(notice).ignore("a game that is over knows it");
        }
        for info in games {
            self.on_game_start(info, Origin::List(asked));
        }
    }

    fn on_answered(&mut self, answered: Result<Answered, JoinError>) {
        match answered {
            Ok(Answered::Accept(id, accepted, rest)) => {
                if accepted != Accepted::No && !self.handlers.contains_key(&id.game()) {
                    self.roster.promised(Instant::now());
                }
                self.tell(DeskInput::Accepted { id, accepted, rest });
            }
            Ok(Answered::Decline(id)) => self.tell(DeskInput::Declined { id }),
            Ok(Answered::Playing(asked, Ok(games))) => self.on_playing(asked, games),
            Ok(Answered::Playing(_, Err(error @ ApiError::Unauthorized { .. }))) => self.on_denied(error),
            Ok(Answered::Playing(_, Err(error))) => warn!(%error, "cannot see which games are running"),
            Err(broken) => error!(error = %broken, "a request's task broke down"),
        }
    }

    /// What happened goes to the desk, and what it wants is done. Both are recorded. Times are whole milliseconds, so
    /// that a recording holds exactly what the desk was told.
    fn tell(&mut self, input: DeskInput) {
        let log = &self.parts.log;
        let at = Duration::from_millis(u64::try_from(log.began().elapsed().as_millis()).unwrap_or(u64::MAX));
        log.entry_at(at, Kind::Input, &input);
        let effects = self.desk.handle(at, input);
        if !effects.is_empty() {
            log.entry_at(at, Kind::Effects, &effects);
        }
        for effect in effects {
            self.perform(effect);
        }
    }

    fn perform(&mut self, effect: DeskEffect) {
        let client = self.parts.client.clone();
        match effect {
            // As if it had been answered by nobody. It comes again with the next connect, if it is still there.
            DeskEffect::Accept { id } | DeskEffect::Decline { id, .. } if self.calls.len() >= MAX_CALLS => {
                warn!(%id, "too many challenges at once");
                self.tell(DeskInput::Unsent { id });
            }
            DeskEffect::Accept { id } => {
                info!(%id, "accepting a challenge");
                self.calls.spawn(calls::accept(client, id));
            }
            DeskEffect::Decline { id, reason } => {
                info!(%id, reason = reason.as_str(), "declining a challenge");
                self.calls.spawn(calls::decline(client, id, reason));
            }
            // Leaving it would lose it, and two games at a time may be too much for the machine.
            DeskEffect::Crowded { game } => {
                warn!(%game, "more games than places");
                self.surplus = Some(game);
            }
            DeskEffect::Rest => self.rest(),
        }
    }

    /// When the desk wants to be told of the time.
    fn desk_deadline(&self) -> Option<Instant> {
        let at = self.desk.next_deadline()?;
        self.parts.log.began().checked_add(at)
    }
}
