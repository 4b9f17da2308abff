//! The two bots of a demo and the sandbox that they play on: starting them, pairing them, listening to both, and
//! ending them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::clock::ClockArg;
use super::figures::{Figures, result};
use super::records::Records;
use super::scene::{Report, Searched};
use crate::bot::{self, BotError, BotOptions, BotSummary, ChallengePolicy, GameUpdate, Phase, view};
use crate::chess::Variant;
use crate::cli::exit::{Exit, Failure};
use crate::cli::server;
use crate::config::Settings;
use crate::engine::Score;
use crate::ignore::Ignore as _;
use crate::lichess::{ChallengeRequest, Client, ColorWish, NoTap, TimeControl, Token, UserId};
use crate::sandbox::{GameSetup, GameSummary, RequestLimits, Sandbox, SandboxOptions, UserSpec};
use crate::soak::lag::{self, Lag};

/// The accounts with their tokens, which open nothing but this sandbox.
const BOTS: [(&str, &str); 2] = [("Corvus", "demo_corvus"), ("Jackdaw", "demo_jackdaw")];

/// Their names.
pub(crate) const NAMES: [&str; 2] = [BOTS[0].0, BOTS[1].0];

/// Games that each of them takes at the same time.
const GAMES: usize = 100;

/// Reports that may wait to be shown.
const REPORTS: usize = 1024;

/// How long a challenge may wait for its answer: both bots may still be on their way to the sandbox.
const ACCEPTED_IN: Duration = Duration::from_secs(20);

/// How often it is looked whether it was accepted.
const LOOK: Duration = Duration::from_millis(5);

/// How long the bots get to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// How games of a sandbox end that were really played out.
const PLAYED_OUT: [&str; 7] =
    ["mate", "resign", "stalemate", "draw", "outoftime", "insufficientMaterialClaim", "variantEnd"];

/// A game that is over, as the sandbox sees it.
pub(crate) struct Ended {
    pub(crate) id: String,
    /// The result in words.
    pub(crate) result: String,
    /// How many plies were played.
    pub(crate) plies: usize,
}

/// The sandbox and the bots.
pub(crate) struct Players {
    sandbox: Sandbox,
    /// For each bot a client of its own, which sends challenges.
    challengers: Vec<Client>,
    bots: JoinSet<Result<BotSummary, BotError>>,
    phase: watch::Sender<Phase>,
    updates: mpsc::Receiver<GameUpdate>,
    games: Vec<String>,
}

impl Players {
    /// Starts the sandbox on a free port of the loopback interface, as far away as `lag` says, and both bots on it.
    pub(crate) async fn start(
        settings: &Settings,
        records: Option<&Records>,
        lag: Lag,
    ) -> Result<Players, Failure> {
        let cannot = |e| Failure::because(Exit::Failed, "cannot start the sandbox", e);
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(cannot)?;
        let options = SandboxOptions {
            users: BOTS.map(|(name, token)| UserSpec::bot(name, token)).to_vec(),
            limits: RequestLimits::NONE,
            ultra_bullet: true,
            ..SandboxOptions::default()
        };
        let sandbox = lag::serve(options, listener, lag).await.map_err(cannot)?;
        let (phase, _) = watch::channel(Phase::Running);
        let (view, updates) = view::channel(REPORTS);
        let mut bots = JoinSet::new();
        let mut challengers = Vec::new();
        for (name, token) in BOTS {
            let record_dir = records.map(|records| records.of(name));
            let options = bot_options(settings, &sandbox.url(), token, record_dir)?;
            let client = Client::new(options.client.clone(), Arc::new(NoTap));
            challengers.push(client.map_err(|e| server::failure("cannot set up a client", e))?);
            bots.spawn(bot::run(options, phase.subscribe(), Some(view.clone())));
        }
        Ok(Players { sandbox, challengers, bots, phase, updates, games: Vec::new() })
    }

    /// Who plays, and where.
    pub(crate) fn introduction(&self) -> String {
        let [(first, _), (second, _)] = BOTS;
        format!("{first} and {second} play on a sandbox at {}", self.sandbox.url())
    }

    /// How many games were begun.
    pub(crate) fn started(&self) -> usize {
        self.games.len()
    }

    /// How many of them are not over: a challenge that waits for its answer counts, too.
    pub(crate) fn running(&self) -> usize {
        self.games.len() - self.results().len()
    }

    /// Begins a game, with colours swapped from game to game. What the API takes is a challenge that one bot sends
    /// and the other accepts; for other clocks the sandbox arranges the game by itself. Returns the game's id.
    pub(crate) async fn begin(&mut self, clock: ClockArg, variant: Variant) -> Result<String, Failure> {
        let (us, them) = if self.games.len().is_multiple_of(2) { (0, 1) } else { (1, 0) };
        let game = if clock.is_for_challenges() {
            let request = ChallengeRequest {
                rated: false,
                time: TimeControl::Clock { limit: clock.limit, increment: clock.increment },
                color: ColorWish::White,
                variant,
                fen: None,
            };
            let opponent: UserId =
                BOTS[them].0.parse().map_err(|e| Failure::because(Exit::Failed, "no user", e))?;
            let sent = self.challengers[us].create_challenge(&opponent, &request).await;
            let challenge = sent.map_err(|e| server::failure("the challenge was refused", e))?;
            let game = challenge.id.to_string();
            self.until_accepted(&game).await?;
            game
        } else {
            let [white, black] = [BOTS[us].0, BOTS[them].0];
            let setup = GameSetup { variant, ..GameSetup::new(white, black, clock.limit, clock.increment) };
            let begun = self.sandbox.create_game(&setup);
            begun.map_err(|e| Failure::because(Exit::Failed, "the game does not begin", e))?
        };
        self.games.push(game.clone());
        Ok(game)
    }

    /// Waits until a challenge has become a game: another challenge to the same bot would cancel it before.
    async fn until_accepted(&self, game: &str) -> Result<(), Failure> {
        let begun = async {
            while !self.sandbox.games().iter().any(|begun| begun.id == game) {
                sleep(LOOK).await;
            }
        };
        let late = || Failure::new(Exit::Failed, format!("challenge {game} was not accepted in time"));
        timeout(ACCEPTED_IN, begun).await.map_err(|_| late())
    }

    /// What one of the bots says about a game. A bot that ends now has failed.
    pub(crate) async fn report(&mut self) -> Result<Report, Failure> {
        tokio::select! {
            Some(update) = self.updates.recv() => Ok(convert(update)),
            Some(ended) = self.bots.join_next() => Err(match ended {
                Ok(Ok(_)) => Failure::new(Exit::Failed, "a bot ended before its games did"),
                Ok(Err(e)) => Failure::because(Exit::Failed, "a bot ended", e),
                Err(e) => Failure::because(Exit::Failed, "a bot broke down", e),
            }),
            else => Err(Failure::new(Exit::Failed, "both bots are gone")),
        }
    }

    /// What has been said and not yet taken by [`Players::report`].
    pub(crate) fn next_report(&mut self) -> Option<Report> {
        self.updates.try_recv().ok().map(convert)
    }

    /// The games that are over.
    pub(crate) fn results(&self) -> Vec<Ended> {
        let ended = |game: GameSummary| Ended { result: result(&game), plies: game.plies, id: game.id };
        self.finished().into_iter().map(ended).collect()
    }

    /// The same as figures.
    pub(crate) fn figures(&self) -> Figures {
        Figures::of(&self.finished())
    }

    fn finished(&self) -> Vec<GameSummary> {
        let ours = |game: &GameSummary| !game.live && self.games.contains(&game.id);
        self.sandbox.games().into_iter().filter(ours).collect()
    }

    /// The ids of the games that were begun.
    pub(crate) fn games(&self) -> &[String] {
        &self.games
    }

    /// All games as PGN.
    pub(crate) fn pgn(&self) -> String {
        let games: Vec<String> = self.games.iter().filter_map(|id| self.sandbox.game_pgn(id)).collect();
        games.iter().map(|game| format!("{}\n", game.trim_end())).collect::<Vec<_>>().join("\n")
    }

    /// Who has scored how much, a line for each bot.
    pub(crate) fn standings(&self) -> String {
        self.sandbox.standings()
    }

    /// Whether every game was really played out.
    pub(crate) fn verdict(&self) -> Result<(), Failure> {
        let games = self.sandbox.games();
        match games.iter().find(|game| self.games.contains(&game.id) && !PLAYED_OUT.contains(&game.status)) {
            Some(game) => {
                Err(Failure::new(Exit::Failed, format!("game {} ended as {}", game.id, game.status)))
            }
            None => Ok(()),
        }
    }

    /// Ends the bots, then the sandbox.
    pub(crate) async fn stop(mut self) {
        self.phase.send_replace(Phase::Stopping);
        let ended = async { while self.bots.join_next().await.is_some() {} };
        timeout(PATIENCE, ended).await.ignore("a bot that does not end in time is dropped");
        self.bots.shutdown().await;
        self.sandbox.stop().await;
    }
}

/// As configured, but each with half of threads and memory, and willing to play the other.
fn bot_options(
    settings: &Settings,
    url: &str,
    token: &str,
    record_dir: Option<PathBuf>,
) -> Result<BotOptions, Failure> {
    let token = Token::new(token.to_owned())
        .map_err(|e| Failure::because(Exit::Failed, "the demo's token is bad", e))?;
    let mut options = settings.bot(token);
    options.client.base_url = url.to_owned();
    options.engine.threads = (options.engine.threads / BOTS.len()).max(1);
    options.engine.hash_mib = (options.engine.hash_mib / BOTS.len()).max(1);
    options.challenges = ChallengePolicy {
        variants: Variant::ALL.to_vec(),
        max_games: GAMES,
        max_games_per_opponent: GAMES,
        ..ChallengePolicy::default()
    };
    options.record_dir = record_dir;
    Ok(options)
}

fn convert(update: GameUpdate) -> Report {
    let search = update.our_score.map(|score| Searched {
        score: Score::from_value(score),
        depth: update.depth,
        line: update.pv,
    });
    Report {
        game: update.game.to_string(),
        color: update.our_color,
        names: [update.white, update.black],
        history: update.history,
        clocks: [Some(update.wtime), Some(update.btime)],
        since: update.received,
        search,
    }
}
