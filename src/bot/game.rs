//! The shell of one game: it waits for what happens, hands it to the session, and does what the session says. It
//! decides nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tracing::{debug, error, info, warn};

use super::handler::Parked;
use super::pgn;
use super::session::{
    Action, Effect, GameReport, Input, Level, Loss, Outcome, SearchLimits, Session, SessionOptions, Timer,
};
use super::shutdown::Phase;
use super::thinker::{Found, Search, Thinker, spell};
use super::view::{LastSearch, View};
use crate::chess::{CastlingSpelling, UciMove};
use crate::ignore::Ignore;
use crate::lichess::{
    Answer, ApiError, Client, Disposition, DrawOffer, GameEvent, GameId, GameInfo, GameStream, LostReason,
    Room, StreamItem,
};
use crate::record::{Kind, Log};

/// How long the last words of a game, such as a farewell, may take to be sent. The place is taken until then.
const LAST_WORDS: Duration = Duration::from_millis(1500);

/// What the supervisor tells a game.
#[derive(Clone, Debug)]
pub(crate) enum Notice {
    /// The account's stream says that it is over.
    Finished(Box<GameInfo>),
    /// Whether it is on the list of running games.
    Listed(bool),
    /// That list says that it is our turn.
    OurTurn,
}

/// What a game needs.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) client: Client,
    pub(crate) thinker: Thinker,
    pub(crate) log: Log,
    pub(crate) options: SessionOptions,
    pub(crate) mailbox: mpsc::Receiver<Notice>,
    pub(crate) phase: watch::Receiver<Phase>,
    pub(crate) view: Option<View>,
    /// Where to tell that the game needs no place, or needs one again.
    pub(crate) parking: mpsc::Sender<Parked>,
    /// The address of the server, for the record of the game.
    pub(crate) site: String,
}

/// How a game ended for us.
#[derive(Clone, Debug)]
pub(crate) struct GameEnd {
    /// None if it was left while it goes on.
    pub(crate) report: Option<GameReport>,
    /// The game as text, when it is over.
    pub(crate) pgn: Option<String>,
}

/// Plays a game until it is over or has to be left.
pub(crate) async fn play(setup: Setup) -> GameEnd {
    let mut shell = Shell::new(setup);
    let phase = *shell.phase.borrow_and_update();
    if phase != Phase::Running {
        shell.step(Input::Phase { phase });
    }
    while shell.end.is_none() {
        let input = shell.next_input().await;
        shell.step(input);
    }
    shell.finish().await
}

struct Shell {
    game: GameId,
    client: Client,
    thinker: Thinker,
    log: Log,
    session: Session,
    stream: GameStream,
    mailbox: mpsc::Receiver<Notice>,
    phase: watch::Receiver<Phase>,
    view: Option<View>,
    parking: mpsc::Sender<Parked>,
    site: String,
    began: Instant,
    search: Option<Search>,
    last_search: LastSearch,
    posts: FuturesUnordered<BoxFuture<'static, Input>>,
    acts: FuturesUnordered<BoxFuture<'static, Option<Input>>>,
    timers: BTreeMap<Timer, Instant>,
    end: Option<Option<GameReport>>,
}

impl Shell {
    fn new(setup: Setup) -> Shell {
        let game = setup.options.game.clone();
        Shell {
            stream: setup.client.game_stream(game.clone()),
            game,
            client: setup.client,
            thinker: setup.thinker,
            began: setup.log.began(),
            log: setup.log,
            session: Session::new(setup.options),
            mailbox: setup.mailbox,
            phase: setup.phase,
            view: setup.view,
            parking: setup.parking,
            site: setup.site,
            search: None,
            last_search: LastSearch::default(),
            posts: FuturesUnordered::new(),
            acts: FuturesUnordered::new(),
            timers: BTreeMap::new(),
            end: None,
        }
    }

    /// Each branch may be dropped when another one is ready: the streams and channels lose nothing, and requests,
    /// the search and the timers live in `self`. The stream is asked last, so that a flood of lines holds up nothing;
    /// the order is fixed, so that a simulation repeats itself.
    async fn next_input(&mut self) -> Input {
        loop {
            let timer = self.timers.iter().min_by_key(|(_, at)| **at).map(|(timer, at)| (*timer, *at));
            tokio::select! {
                biased;
                Some(notice) = self.mailbox.recv() => return match notice {
                    Notice::Finished(game) => Input::Finished { game },
                    Notice::Listed(listed) => Input::Playing { listed },
                    Notice::OurTurn if self.session.our_turn() => continue,
                    Notice::OurTurn => Input::Owed,
                },
                Ok(()) = self.phase.changed() => {
                    return Input::Phase { phase: *self.phase.borrow_and_update() };
                }
                Some(input) = self.posts.next() => return input,
                Some(answer) = self.acts.next() => {
                    if let Some(input) = answer {
                        return input;
                    }
                }
                (ticket, found) = found(&mut self.search) => return self.on_found(ticket, found),
                timer = due(timer) => {
                    self.timers.remove(&timer);
                    return Input::Timer { timer };
                }
                item = self.stream.next() => {
                    if let Some(input) = from_stream(item) {
                        return input;
                    }
                }
            }
        }
    }

    fn on_found(&mut self, ticket: u64, found: Found) -> Input {
        if let Some(info) = self.search.take().and_then(|search| search.progress()) {
            self.last_search.note(&info);
        }
        let pv: Vec<String> = found.pv.iter().copied().map(spell).collect();
        let reason = found.reason.map_or_else(|| "NoAnswer".to_owned(), |reason| format!("{reason:?}"));
        let body = serde_json::json!({ "ticket": ticket, "pv": pv, "reason": reason });
        self.log.entry(Kind::Search, &body);
        if !matches!(found.reason, Some(reason) if reason.is_regular()) {
            let game = self.session.board().map(|board| &board.history);
            let start = game.map(|game| game.start().to_fen());
            let moves = game.map(|game| game.to_uci(CastlingSpelling::KingTakesRook));
            warn!(reason, ?start, ?moves, "the search failed; playing the best it had found, or any move");
        }
        Input::Searched { ticket, thought: found.thought }
    }

    /// The input goes to the session, and what it wants is done. Both are recorded. Times are whole milliseconds,
    /// so that a recording holds exactly what the session was told.
    fn step(&mut self, input: Input) {
        let at = Duration::from_millis(millis(self.began.elapsed()));
        let shown = matches!(input, Input::Line { .. } | Input::Searched { .. });
        debug!(?input, "input");
        self.log.entry_at(at, Kind::Input, &input);
        let effects = self.session.handle(at, input);
        if !effects.is_empty() {
            self.log.entry_at(at, Kind::Effects, &effects);
        }
        for effect in effects {
            debug!(?effect, "effect");
            self.perform(effect);
        }
        if let Some(view) = self.view.as_ref().filter(|_| shown || self.end.is_some()) {
            let report = self.end.as_ref().and_then(Option::as_ref);
            view.show(self.began, &self.session, &self.last_search, report);
        }
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Search { ticket, ply: _, limits, ponder } => self.start_search(ticket, &limits, ponder),
            Effect::PonderHit { ticket, limits } => {
                if let Some(search) = self.search.as_mut().filter(|search| search.ticket == ticket) {
                    search.ponder_hit(&limits);
                }
            }
            Effect::HurrySearch => {
                if let Some(search) = &mut self.search {
                    search.hurry();
                }
            }
            Effect::StopSearch => self.search = None,
            Effect::Post { ply, uci, offer_draw } => self.post(ply, &uci, offer_draw),
            Effect::CancelPost => self.posts.clear(),
            Effect::Act { action } => self.act(action),
            Effect::Chat { text } => self.chat(text),
            Effect::SetTimer { timer, after_ms } => {
                let at = Instant::now().checked_add(Duration::from_millis(after_ms));
                // What lies beyond the reach of the clock never comes.
                at.map(|at| self.timers.insert(timer, at));
            }
            Effect::CancelTimer { timer } => drop(self.timers.remove(&timer)),
            Effect::Reopen => self.stream = self.client.game_stream(self.game.clone()),
            Effect::CheckPlaying => self.check_playing(),
            Effect::Park { parked } => {
                let sent = self.parking.try_send((self.game.clone(), parked));
                sent.ignore("an account that does not listen is about to end");
            }
            Effect::Log { level, text } => match level {
                Level::Info => info!("{text}"),
                Level::Warn => warn!("{text}"),
                Level::Error => error!("{text}"),
            },
            Effect::Finish { report } => self.end = Some(Some(report)),
            Effect::Leave { why: _ } => self.end = Some(None),
        }
    }

    fn start_search(&mut self, ticket: u64, limits: &SearchLimits, ponder: Option<String>) {
        let Some(board) = self.session.board() else { return };
        let mut history = board.history.clone();
        if let Some(uci) = &ponder {
            let expected = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(history.position()).ok());
            let Some(expected) = expected else { return };
            history.push(expected);
        }
        self.search = Some(self.thinker.start(ticket, history, limits, ponder.is_some()));
    }

    /// A move goes out at once. An older post whose answer is still to come would hold up its lane, and what became
    /// of it is known: the position has changed since.
    fn post(&mut self, ply: usize, uci: &str, offer_draw: bool) {
        let Ok(mv) = uci.parse::<UciMove>() else { return error!(uci, "a move that is none") };
        self.posts.clear();
        let (client, game) = (self.client.clone(), self.game.clone());
        let offer = if offer_draw { DrawOffer::Offer } else { DrawOffer::Leave };
        let sent = Instant::now();
        self.posts.push(Box::pin(async move {
            let outcome = outcome(client.play_move(&game, mv, offer).await);
            Input::Posted { ply, outcome, elapsed_ms: millis(sent.elapsed()) }
        }));
    }

    fn act(&mut self, action: Action) {
        let (client, game) = (self.client.clone(), self.game.clone());
        self.acts.push(Box::pin(async move {
            let result = match action {
                Action::Abort => client.abort(&game).await,
                Action::Resign => client.resign(&game).await,
                Action::ClaimWin => client.claim_victory(&game).await,
                Action::ClaimDraw => client.claim_draw(&game).await,
                Action::ClaimRepetition => client.draw(&game, Answer::Yes).await,
                Action::AllowTakeback => client.takeback(&game, Answer::Yes).await,
                Action::RefuseTakeback => client.takeback(&game, Answer::No).await,
            };
            Some(Input::Acted { action, outcome: outcome(result) })
        }));
    }

    /// Whether a text arrives is of no consequence for the game.
    fn chat(&mut self, text: String) {
        let (client, game) = (self.client.clone(), self.game.clone());
        self.acts.push(Box::pin(async move {
            if let Err(error) = client.chat(&game, Room::Player, &text).await {
                info!(%error, "a chat line was not sent");
            }
            None
        }));
    }

    fn check_playing(&mut self) {
        let (client, game) = (self.client.clone(), self.game.clone());
        self.acts.push(Box::pin(async move {
            match client.playing().await {
                Ok(games) => Some(Input::Playing { listed: games.iter().any(|listed| listed.id == game) }),
                Err(error) => {
                    info!(%error, "cannot see which games are running");
                    None
                }
            }
        }));
    }

    async fn finish(mut self) -> GameEnd {
        let last_words = async { while self.acts.next().await.is_some() {} };
        if tokio::time::timeout(LAST_WORDS, last_words).await.is_err() {
            debug!("the last requests of the game were not answered in time");
        }
        let report = self.end.flatten();
        let pgn = report.as_ref().and_then(|report| pgn::of(&self.session, report, &self.site));
        GameEnd { report, pgn }
    }
}

/// The result of the search, if there is one; never, if not.
async fn found(search: &mut Option<Search>) -> (u64, Found) {
    match search {
        Some(search) => (search.ticket, search.found().await),
        None => std::future::pending().await,
    }
}

/// When the next timer runs out; never, if there is none.
async fn due(timer: Option<(Timer, Instant)>) -> Timer {
    match timer {
        Some((timer, at)) => {
            tokio::time::sleep_until(at).await;
            timer
        }
        None => std::future::pending().await,
    }
}

/// Keep-alives are the stream's own business.
fn from_stream(item: StreamItem<GameEvent>) -> Option<Input> {
    match item {
        StreamItem::Connected => Some(Input::Connected),
        StreamItem::KeepAlive => None,
        StreamItem::Event { received, event } => {
            Some(Input::Line { age_ms: millis(received.elapsed()), event: Box::new(event) })
        }
        StreamItem::Lost(reason) => Some(Input::Lost { loss: loss(&reason) }),
    }
}

fn loss(reason: &LostReason) -> Loss {
    match reason {
        LostReason::Ended => Loss::Ended,
        LostReason::Silent | LostReason::Broken(_) => Loss::Broken,
        LostReason::Refused(ApiError::Unauthorized { .. }) => Loss::Denied,
        LostReason::Refused(error) => match error.disposition() {
            Disposition::Retry | Disposition::Wait(_) => Loss::Broken,
            Disposition::Rejected | Disposition::Auth | Disposition::Gone => Loss::Refused,
        },
    }
}

fn outcome(result: Result<(), ApiError>) -> Outcome {
    let Err(error) = result else { return Outcome::Done };
    let message = error.to_string();
    match error.disposition() {
        Disposition::Retry => Outcome::Unclear { message },
        Disposition::Wait(wait) => Outcome::TooMany { wait_ms: millis(wait) },
        Disposition::Rejected => Outcome::Refused { message },
        Disposition::Auth => Outcome::Denied { message },
        Disposition::Gone => Outcome::Gone,
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
