//! A sandbox, bots that play in it, and Cleo, whose moves are made by hand. She is a BOT account too, since others may
//! not use the bot endpoints.

use std::path::PathBuf;
use std::time::Duration;

use rookery::bot::{self, BotError, BotOptions, BotSummary, FixedLimit, Phase};
use rookery::chess::{Color, History, Position, UciMove};
use rookery::engine::PoolOptions;
use rookery::lichess::{
    BackoffOptions, Client, ClientOptions, DrawOffer, GameEvent, GameId, GameState, GameStream, NoTap,
    StreamItem, Token,
};
use rookery::sandbox::{GameSetup, GameSummary, RequestLimits, Sandbox, SandboxOptions, UserSpec};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// Nothing here takes that long: a test that waits longer has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// How often a condition is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// A running sandbox with the bots `ada` and `bob`, with `Cleo` and the human `Hugo`.
pub(crate) struct Server {
    pub(crate) sandbox: Sandbox,
}

/// Settings with which nothing takes long and nothing is limited.
pub(crate) fn sandbox_options() -> SandboxOptions {
    let cleo = UserSpec { accepts_takebacks: true, ..UserSpec::bot("Cleo", "tok_cleo") };
    SandboxOptions {
        users: vec![
            UserSpec::bot("ada", "tok_ada"),
            UserSpec::bot("bob", "tok_bob"),
            cleo,
            UserSpec::human("Hugo", "tok_hugo"),
        ],
        limits: RequestLimits::NONE,
        tick: Duration::from_millis(2),
        flag_check: Duration::from_millis(2),
        keep_alive: Duration::from_millis(200),
        seed: Some(1),
        ..SandboxOptions::default()
    }
}

impl Server {
    pub(crate) async fn start() -> Server {
        Server::with(|_| {}).await
    }

    pub(crate) async fn with(change: impl FnOnce(&mut SandboxOptions)) -> Server {
        let mut options = sandbox_options();
        change(&mut options);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Server { sandbox: Sandbox::start(options, listener).await.unwrap() }
    }

    /// A game of `white` against `black` with three minutes each.
    pub(crate) fn game(&self, white: &str, black: &str) -> GameId {
        self.game_with(white, black, |_| {})
    }

    pub(crate) fn game_with(&self, white: &str, black: &str, change: impl FnOnce(&mut GameSetup)) -> GameId {
        let mut setup = GameSetup::new(white, black, Duration::from_secs(180), Duration::from_secs(2));
        change(&mut setup);
        self.sandbox.create_game(&setup).unwrap().parse().unwrap()
    }

    pub(crate) fn summary(&self, game: &GameId) -> GameSummary {
        self.sandbox.games().into_iter().find(|summary| summary.id == game.as_str()).unwrap()
    }

    /// Waits for a game to be like this.
    pub(crate) async fn until(&self, game: &GameId, wanted: impl Fn(&GameSummary) -> bool) -> GameSummary {
        wait_for(&format!("game {game}"), || Some(self.summary(game)).filter(&wanted)).await
    }

    pub(crate) async fn until_over(&self, game: &GameId) -> GameSummary {
        self.until(game, |summary| !summary.live).await
    }

    pub(crate) async fn stop(self) {
        timeout(PATIENCE, self.sandbox.stop()).await.unwrap();
    }
}

/// Looks again and again, until there is something to see.
pub(crate) async fn wait_for<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    let looking = async {
        loop {
            if let Some(seen) = look() {
                return seen;
            }
            tokio::time::sleep(LOOK).await;
        }
    };
    timeout(PATIENCE, looking).await.unwrap_or_else(|_| panic!("waited in vain for {what}"))
}

/// Quick in all that can be quick.
pub(crate) fn client_options(url: &str, token: &str) -> ClientOptions {
    ClientOptions {
        backoff: BackoffOptions { first: Duration::from_millis(10), max: Duration::from_millis(100) },
        stream_silence: Duration::from_secs(2),
        ..ClientOptions::new(url, Token::new(token.to_owned()).unwrap())
    }
}

/// A bot that thinks about a few positions for each move.
pub(crate) fn bot_options(url: &str, token: &str) -> BotOptions {
    let mut options = BotOptions::new(client_options(url, token));
    options.engine = PoolOptions { threads: 1, hash_mib: 1, ..PoolOptions::default() };
    options.thinking.fixed = Some(FixedLimit::Nodes(200));
    options.thinking.overhead = Duration::from_millis(20);
    options.games.accept_draws = None;
    // Games are made by the tests without asking; one too many would be called off.
    options.challenges.max_games = 16;
    options.shutdown_grace = PATIENCE;
    options
}

/// A bot at work.
pub(crate) struct Bot {
    phase: watch::Sender<Phase>,
    task: JoinSet<Result<BotSummary, BotError>>,
}

impl Bot {
    pub(crate) fn start(options: BotOptions) -> Bot {
        let (phase, receiver) = watch::channel(Phase::Running);
        let mut task = JoinSet::new();
        task.spawn(bot::run(options, receiver, None));
        Bot { phase, task }
    }

    /// The bot `ada` of this sandbox, with some options changed.
    pub(crate) fn ada(server: &Server, change: impl FnOnce(&mut BotOptions)) -> Bot {
        let mut options = bot_options(&server.sandbox.url(), "tok_ada");
        change(&mut options);
        Bot::start(options)
    }

    /// The bot `bob` of this sandbox.
    pub(crate) fn bob(server: &Server) -> Bot {
        Bot::start(bot_options(&server.sandbox.url(), "tok_bob"))
    }

    pub(crate) fn enter(&self, phase: Phase) {
        self.phase.send_replace(phase);
    }

    /// How it ends by itself.
    pub(crate) async fn end(mut self) -> Result<BotSummary, BotError> {
        timeout(PATIENCE, self.task.join_next()).await.expect("the bot ends").unwrap().unwrap()
    }

    /// Lets it finish its games.
    pub(crate) async fn drain(self) -> BotSummary {
        self.enter(Phase::Draining);
        self.end().await.unwrap()
    }

    /// As `kill -9` does: nothing is finished, answered or written.
    pub(crate) async fn kill(mut self) {
        self.task.shutdown().await;
    }
}

/// Somebody whose requests are made by the test.
pub(crate) struct Player {
    pub(crate) client: Client,
}

/// A game as a player sees it.
pub(crate) struct Seat {
    pub(crate) game: GameId,
    client: Client,
    stream: GameStream,
    start: Position,
}

impl Player {
    pub(crate) fn new(url: &str, token: &str) -> Player {
        Player { client: Client::new(client_options(url, token), std::sync::Arc::new(NoTap)).unwrap() }
    }

    pub(crate) fn cleo(server: &Server) -> Player {
        Player::new(&server.sandbox.url(), "tok_cleo")
    }

    /// A human: he can challenge, but not play through the bot endpoints.
    pub(crate) fn hugo(server: &Server) -> Player {
        Player::new(&server.sandbox.url(), "tok_hugo")
    }

    /// Sits down at a game; what it looks like comes too.
    pub(crate) async fn sit(&self, game: &GameId) -> (Seat, GameState) {
        let stream = self.client.game_stream(game.clone());
        let mut seat =
            Seat { game: game.clone(), client: self.client.clone(), stream, start: Position::initial() };
        let state = seat.next_state().await;
        (seat, state)
    }
}

impl Seat {
    /// The next line that says how the game stands.
    pub(crate) async fn next_state(&mut self) -> GameState {
        let next = async {
            loop {
                match self.stream.next().await {
                    StreamItem::Event { event: GameEvent::Full(full), .. } => {
                        if let rookery::lichess::InitialFen::Fen(fen) = &full.initial_fen {
                            self.start = Position::from_fen(fen).unwrap();
                        }
                        return full.state;
                    }
                    StreamItem::Event { event: GameEvent::State(state), .. } => return state,
                    _ => {}
                }
            }
        };
        timeout(PATIENCE, next).await.expect("a state comes")
    }

    /// Waits for a state that is like this.
    pub(crate) async fn until(&mut self, wanted: impl Fn(&GameState) -> bool) -> GameState {
        loop {
            let state = self.next_state().await;
            if wanted(&state) {
                return state;
            }
        }
    }

    /// Waits until so many moves are played.
    pub(crate) async fn until_ply(&mut self, ply: usize) -> GameState {
        self.until(|state| state.moves().count() >= ply || state.status.is_over()).await
    }

    pub(crate) async fn play(&self, uci: &str) {
        let mv: UciMove = uci.parse().unwrap();
        self.client.play_move(&self.game, mv, DrawOffer::Leave).await.unwrap();
    }

    /// Plays the first move that is legal where the game stands.
    pub(crate) async fn play_first(&self, state: &GameState) {
        let history = History::from_uci(self.start.clone(), state.moves()).unwrap();
        let mv = *history.position().legal_moves().first().expect("a legal move");
        let spelling = rookery::chess::CastlingSpelling::KingTakesRook;
        self.play(&UciMove::from_move(mv, spelling).to_string()).await;
    }

    /// Plays as `color` to the end: always the first move that is legal.
    pub(crate) async fn play_on(&mut self, color: Color, first: GameState) -> GameState {
        let mut state = first;
        while !state.status.is_over() {
            let history = History::from_uci(self.start.clone(), state.moves()).unwrap();
            if history.position().turn() == color {
                self.play_first(&state).await;
            }
            let ply = history.ply();
            state = self.until(|state| state.moves().count() > ply || state.status.is_over()).await;
        }
        state
    }
}

/// A directory for recordings, and its path.
pub(crate) fn record_dir() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records");
    (dir, path)
}
