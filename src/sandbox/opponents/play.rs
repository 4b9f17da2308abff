//! The task that plays for lent opponents and scripted accounts. It decides nothing: it wakes them when something has
//! changed or is due, carries positions to the engine, and moves back.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::{mpsc, watch};
use tokio::task::yield_now;

use super::levels::{Choice, choose};
use super::players::{Players, Wanted};
use crate::chess::{History, Move};
use crate::engine::{Limits, Pool, PoolOptions, SearchHandle, SearchRequest};
use crate::ignore::Ignore;
use crate::sandbox::AiOptions;
use crate::sandbox::server::Shared;
use crate::sandbox::world::{GameId, World};

/// Answers that wait to be played.
const ANSWERS: usize = 64;

/// Plays for all of them until told to stop.
pub(in crate::sandbox) async fn play(shared: Arc<Shared>, mut stopping: watch::Receiver<bool>) {
    let mut players = Players::new(&shared.options);
    let (answer, mut answers) = mpsc::channel(ANSWERS);
    let mut engine = Engine::new(shared.options.ai, answer);
    shared.act(|world, now| players.enter(world, now));
    loop {
        let due = players.next();
        // All branches are cancel-safe: a ring is kept by `Notify`, an answer by its channel, what is due by `players`.
        tokio::select! {
            biased;
            _ = stopping.wait_for(|stop| *stop) => return,
            Some(Found { game, ply, best }) = answers.recv() => {
                engine.forget(&game, ply);
                if let Some(best) = best {
                    shared.act(|world, now| {
                        if players.may_move(world, &game) {
                            carry_out(world, &game, ply, best, now);
                        }
                    });
                }
            }
            () = shared.games_changed.notified() => {}
            () = shared.wait_until(due) => {}
        }
        shared.act_on_news(|world, news, now| {
            let scripted = players.step(world, news, now);
            engine.drop_old(world);
            for wanted in world.awaiting_ai().into_iter().map(Wanted::from).chain(scripted) {
                if let Some((ply, mv)) = engine.answer(&wanted) {
                    carry_out(world, &wanted.game, ply, mv, now);
                }
            }
        });
        // Games in which nobody thinks ring at every move: others must have their turn.
        yield_now().await;
    }
}

fn carry_out(world: &mut World, game: &GameId, ply: usize, mv: Move, now: std::time::Duration) {
    let played = world.plays_itself(game, ply, mv, now);
    played.ignore("the game may have been forgotten meanwhile");
}

/// A search for a game, and the ply that it is for.
struct Job {
    ply: usize,
    _search: SearchHandle,
}

struct Found {
    game: GameId,
    ply: usize,
    best: Option<Move>,
}

/// Our own engine, for as many games as want it.
struct Engine {
    options: AiOptions,
    // Made when it is first needed: most sandboxes never lend an opponent.
    pool: Option<Pool>,
    jobs: BTreeMap<GameId, Job>,
    found: mpsc::Sender<Found>,
}

impl Engine {
    fn new(options: AiOptions, found: mpsc::Sender<Found>) -> Engine {
        Engine { options, pool: None, jobs: BTreeMap::new(), found }
    }

    /// A search is over.
    fn forget(&mut self, game: &GameId, ply: usize) {
        if self.jobs.get(game).is_some_and(|job| job.ply == ply) {
            self.jobs.remove(game);
        }
    }

    /// Stops the searches for positions that are no longer there.
    fn drop_old(&mut self, world: &World) {
        self.jobs
            .retain(|id, job| world.game(id).is_some_and(|game| game.is_live() && game.ply() == job.ply));
    }

    /// The move at once, if no search is needed; else one is started, unless it goes on already.
    fn answer(&mut self, wanted: &Wanted) -> Option<(usize, Move)> {
        let ply = wanted.history.ply();
        if self.jobs.contains_key(&wanted.game) {
            return None;
        }
        match choose(self.options.seed, &wanted.game, wanted.level, &wanted.history)? {
            Choice::Play(mv) => Some((ply, mv)),
            Choice::Search { nodes } => {
                let options = self.options;
                let pool = self.pool.get_or_insert_with(|| {
                    Pool::new(PoolOptions {
                        threads: options.threads,
                        hash_mib: options.hash_mib,
                        ..PoolOptions::default()
                    })
                });
                let search =
                    search(pool, wanted.game.clone(), wanted.history.clone(), nodes, self.found.clone());
                self.jobs.insert(wanted.game.clone(), Job { ply, _search: search });
                None
            }
        }
    }
}

fn search(
    pool: &Pool,
    game: GameId,
    history: History,
    nodes: u64,
    answer: mpsc::Sender<Found>,
) -> SearchHandle {
    let ply = history.ply();
    let request = SearchRequest::new(history, Limits { nodes: Some(nodes), ..Limits::default() });
    pool.start(
        request,
        |_| {},
        move |outcome| {
            let found = Found { game, ply, best: outcome.best };
            answer.blocking_send(found).ignore("the sandbox has stopped");
        },
    )
}
