//! The opponents that the sandbox lends: our own engine, weakened by level. How a level plays is decided by pure
//! functions; the task only carries positions to the engine and moves back.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::{mpsc, watch};

use super::AiOptions;
use super::server::Shared;
use super::world::{GameId, Random};
use crate::chess::{History, Move};
use crate::engine::{Limits, Pool, PoolOptions, SearchHandle, SearchRequest};
use crate::ignore::Ignore;

/// Answers that wait to be played.
const ANSWERS: usize = 64;

/// How a level plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Strength {
    /// What it searches for a move.
    nodes: u64,
    /// How often in a thousand it plays any legal move instead.
    blunders: u64,
}

/// Chosen so that each level is clearly weaker than the next; the first can be beaten by a beginner's program.
const STRENGTHS: [Strength; 8] = [
    Strength { nodes: 100, blunders: 500 },
    Strength { nodes: 300, blunders: 350 },
    Strength { nodes: 1_000, blunders: 200 },
    Strength { nodes: 3_000, blunders: 100 },
    Strength { nodes: 10_000, blunders: 40 },
    Strength { nodes: 40_000, blunders: 10 },
    Strength { nodes: 120_000, blunders: 0 },
    Strength { nodes: 400_000, blunders: 0 },
];

/// What a level does in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Play(Move),
    Search { nodes: u64 },
}

/// The same seed, game and ply choose alike. None if there is no legal move.
fn choose(options: AiOptions, game: &GameId, level: u8, history: &History) -> Option<Choice> {
    let strength = STRENGTHS[usize::from(level.clamp(1, 8)) - 1];
    let moves = history.position().legal_moves();
    let name = game.as_str().bytes().fold(options.seed, |sum, byte| sum.wrapping_mul(31) ^ u64::from(byte));
    let mut random = Random::new(name.wrapping_add(history.ply() as u64));
    if random.below(1000) < strength.blunders {
        let nth = random.below(moves.len().max(1) as u64) as usize;
        return moves.get(nth).copied().map(Choice::Play);
    }
    (!moves.is_empty()).then_some(Choice::Search { nodes: strength.nodes })
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

/// Plays for all lent opponents until told to stop.
pub(super) async fn play(shared: Arc<Shared>, mut stopping: watch::Receiver<bool>) {
    let options = shared.options.ai;
    // Made when it is first needed: most sandboxes never lend an opponent.
    let mut pool: Option<Pool> = None;
    let mut jobs: HashMap<GameId, Job> = HashMap::new();
    let (answer, mut answers) = mpsc::channel(ANSWERS);
    loop {
        // All branches are cancel-safe: a ring is kept by `Notify`, an answer by its channel.
        tokio::select! {
            _ = stopping.wait_for(|stop| *stop) => return,
            () = shared.games_changed.notified() => {}
            Some(Found { game, ply, best }) = answers.recv() => {
                if jobs.get(&game).is_some_and(|job| job.ply == ply) {
                    jobs.remove(&game);
                }
                if let Some(best) = best {
                    carry_out(&shared, &game, ply, best);
                }
            }
        }
        let waiting = shared.act(|world, _| world.awaiting_ai());
        jobs.retain(|id, job| {
            waiting.iter().any(|(game, _, history)| game == id && history.ply() == job.ply)
        });
        for (game, level, history) in waiting {
            let ply = history.ply();
            if jobs.contains_key(&game) {
                continue;
            }
            match choose(options, &game, level, &history) {
                Some(Choice::Play(mv)) => carry_out(&shared, &game, ply, mv),
                Some(Choice::Search { nodes }) => {
                    let pool = pool.get_or_insert_with(|| {
                        Pool::new(PoolOptions { threads: options.threads, hash_mib: options.hash_mib })
                    });
                    let search = search(pool, game.clone(), history, nodes, answer.clone());
                    jobs.insert(game, Job { ply, _search: search });
                }
                None => {}
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

fn carry_out(shared: &Shared, game: &GameId, ply: usize, mv: Move) {
    let played = shared.act(|world, now| world.ai_plays(game, ply, mv, now));
    played.ignore("the game may have been forgotten meanwhile");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn choices_depend_on_seed_game_and_ply_alone() {
        let game = GameId::parse("abcdefgh").unwrap();
        let history = History::new(Position::initial());
        let choices = |seed, level| {
            let options = AiOptions { seed, ..AiOptions::default() };
            (0..40)
                .map(|n| {
                    let mut history = history.clone();
                    for _ in 0..n {
                        let mv = history.position().legal_moves()[0];
                        history.push(mv);
                    }
                    choose(options, &game, level, &history)
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(choices(1, 1), choices(1, 1));
        assert_ne!(choices(1, 1), choices(2, 1));
        assert!(choices(1, 1).iter().any(|choice| matches!(choice, Some(Choice::Play(_)))));
        assert!(choices(1, 8).iter().all(|choice| *choice == Some(Choice::Search { nodes: 400_000 })));
    }
}
