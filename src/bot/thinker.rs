//! The async face of the engine: a search is started, waited for, hurried or dropped, and never blocks. What to do
//! with its result is decided in `session`.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

use super::mind::{self, Mind};
use super::session::{SearchLimits, Thought};
use crate::chess::{CastlingSpelling, History, Move, UciMove};
use crate::engine::{Limits, SearchInfo, SearchOutcome, SearchRequest, StopReason};
use crate::ignore::Ignore;
use crate::mutant::{self, Mutant};

/// How long after its hard limit a search may answer. The engine watches over its searches as well; this is for
/// when the engine as a whole does not answer.
const GRACE: Duration = Duration::from_millis(100);

/// A search without limits, on the opponent's time, is not watched.
const UNWATCHED: Duration = Duration::from_secs(30 * 24 * 3600);

/// Starts searches. All games share the engine's threads.
#[derive(Clone, Debug)]
pub(crate) struct Thinker {
    mind: Arc<dyn Mind>,
}

/// A running search; dropping it stops it.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) ticket: u64,
    handle: Box<dyn mind::Thought>,
    done: oneshot::Receiver<SearchOutcome>,
    best_so_far: watch::Receiver<Option<SearchInfo>>,
    deadline: Instant,
    began: Instant,
}

/// What a search found, for the session and for those who want to know more.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) thought: Thought,
    pub(crate) pv: Vec<Move>,
    /// None if the engine did not answer.
    pub(crate) reason: Option<StopReason>,
}

impl Thinker {
    pub(crate) fn new(mind: Arc<dyn Mind>) -> Thinker {
        Thinker { mind }
    }

    /// Thinks about the last position of `history`.
    pub(crate) fn start(
        &self,
        ticket: u64,
        history: History,
        limits: &SearchLimits,
        pondering: bool,
    ) -> Search {
        let legal = history.position().legal_moves();
        let mut request = SearchRequest::new(history, engine_limits(limits));
        if !limits.exclude.is_empty() {
            let allowed = legal.iter().copied().filter(|&mv| !limits.exclude.contains(&spell(mv)));
            request.root_moves = allowed.collect();
        }
        request.ponder = pondering;
        let (outcome, done) = oneshot::channel();
        let (info, best_so_far) = watch::channel(None);
        let handle = self.mind.start(
            request,
            Box::new(move |news| drop(info.send_replace(Some(news.clone())))),
            Box::new(move |result| outcome.send(result).ignore("nobody waits for a search that was dropped")),
        );
        let began = Instant::now();
        let watched = if pondering { UNWATCHED } else { hard(limits).saturating_add(GRACE) };
        Search { ticket, handle, done, best_so_far, deadline: began + watched, began }
    }
}

impl Search {
    /// Waits for the result. Cancel-safe: the search goes on as long as `self` lives.
    pub(crate) async fn found(&mut self) -> Found {
        let deadline = match mutant::on(Mutant::NoWatchdog) {
            true => self.began + UNWATCHED,
            false => self.deadline,
        };
        match tokio::time::timeout_at(deadline, &mut self.done).await {
            Ok(Ok(outcome)) => found(outcome),
            Ok(Err(_)) | Err(_) => self.without_answer(),
        }
    }

    /// Asks for the best move now.
    pub(crate) fn hurry(&mut self) {
        self.handle.stop();
        self.deadline = self.deadline.min(Instant::now() + GRACE);
    }

    /// The move that was supposed was played.
    pub(crate) fn ponder_hit(&mut self, limits: &SearchLimits) {
        self.handle.ponder_hit(engine_limits(limits));
        self.deadline = Instant::now() + hard(limits).saturating_add(GRACE);
    }

    /// The newest progress, for the display.
    pub(crate) fn progress(&self) -> Option<SearchInfo> {
        self.best_so_far.borrow().clone()
    }

    /// The engine does not answer: the best of what it reported must do.
    fn without_answer(&self) -> Found {
        let info = self.progress();
        let best = info.as_ref().and_then(|info| info.pv.first().copied());
        let elapsed = self.began.elapsed();
        let thought = Thought {
            best: best.map(spell),
            ponder: None,
            score: info.as_ref().map_or(0, |info| info.score.centipawns()),
            depth: info.as_ref().map_or(0, |info| info.depth),
            nodes: info.as_ref().map_or(0, |info| info.nodes),
            elapsed_ms: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
        };
        Found { thought, pv: info.map(|info| info.pv).unwrap_or_default(), reason: None }
    }
}

fn found(outcome: SearchOutcome) -> Found {
    let thought = Thought {
        best: outcome.best.map(spell),
        ponder: outcome.ponder.map(spell),
        score: outcome.score.centipawns(),
        depth: outcome.depth,
        nodes: outcome.nodes,
        elapsed_ms: u64::try_from(outcome.elapsed.as_millis()).unwrap_or(u64::MAX),
    };
    Found { thought, pv: outcome.pv, reason: Some(outcome.reason) }
}

fn engine_limits(limits: &SearchLimits) -> Limits {
    Limits {
        soft: limits.soft_ms.map(Duration::from_millis),
        hard: Some(hard(limits)),
        depth: limits.depth,
        nodes: limits.nodes,
        ..Limits::default()
    }
}

fn hard(limits: &SearchLimits) -> Duration {
    Duration::from_millis(limits.hard_ms)
}

/// As in [`Thought`].
pub(crate) fn spell(mv: Move) -> String {
    UciMove::from_move(mv, CastlingSpelling::KingTakesRook).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use std::sync::Mutex;

    use crate::bot::mind::{OnDone, OnInfo};
    use crate::engine::{Bound, Pool, PoolOptions, Score};

    const PATIENCE: Duration = Duration::from_secs(20);

    fn thinker() -> Thinker {
        Thinker::new(Arc::new(Pool::new(PoolOptions { threads: 1, hash_mib: 1, ..PoolOptions::default() })))
    }

    fn start() -> History {
        History::new(Position::initial())
    }

    async fn found(mut search: Search) -> Found {
        tokio::time::timeout(PATIENCE, search.found()).await.unwrap()
    }

    #[tokio::test]
    async fn a_search_answers_with_a_legal_move() {
        let limits = SearchLimits { nodes: Some(500), hard_ms: 10_000, ..SearchLimits::default() };
        let found = found(thinker().start(7, start(), &limits, false)).await;
        let best: UciMove = found.thought.best.unwrap().parse().unwrap();
        assert!(best.to_move(&Position::initial()).is_ok());
        assert_eq!(found.reason, Some(StopReason::Limit));
    }

    #[tokio::test]
    async fn excluded_moves_are_not_played() {
        let position = Position::from_fen("7k/6pp/8/8/8/8/8/R6K w - - 0 1").unwrap();
        let mate = SearchLimits { nodes: Some(2000), hard_ms: 10_000, ..SearchLimits::default() };
        let best = found(thinker().start(1, History::new(position.clone()), &mate, false)).await.thought.best;
        assert_eq!(best.as_deref(), Some("a1a8"));
        let other = SearchLimits { exclude: vec!["a1a8".to_owned()], ..mate };
        let best = found(thinker().start(1, History::new(position), &other, false)).await.thought.best;
        assert_ne!(best.as_deref(), Some("a1a8"));
        assert!(best.is_some());
    }

    #[tokio::test]
    async fn a_hurried_search_answers_at_once() {
        let limits = SearchLimits { hard_ms: 600_000, ..SearchLimits::default() };
        let mut search = thinker().start(1, start(), &limits, false);
        search.hurry();
        assert!(found(search).await.thought.best.is_some());
    }

    #[tokio::test]
    async fn a_pondering_search_ends_after_the_hit() {
        let limits = SearchLimits { hard_ms: 20, ..SearchLimits::default() };
        let mut search = thinker().start(1, start(), &limits, true);
        search.ponder_hit(&limits);
        assert!(found(search).await.thought.best.is_some());
    }

    /// An engine that reports some progress, or none, and then never answers.
    struct Deaf {
        reports: bool,
        kept: Mutex<Vec<OnDone>>,
    }

    impl std::fmt::Debug for Deaf {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("Deaf")
        }
    }

    impl Mind for Deaf {
        fn start(
            &self,
            request: SearchRequest,
            mut on_info: OnInfo,
            on_done: OnDone,
        ) -> Box<dyn mind::Thought> {
            if self.reports {
                on_info(&progress(request.history.position().legal_moves()[3]));
            }
            self.kept.lock().unwrap().push(on_done);
            Box::new(Ignored)
        }
    }

    #[derive(Debug)]
    struct Ignored;

    impl mind::Thought for Ignored {
        fn stop(&self) {}

        fn ponder_hit(&self, _: Limits) {}
    }

    fn progress(mv: Move) -> SearchInfo {
        SearchInfo {
            depth: 5,
            seldepth: 5,
            multipv: 1,
            score: Score::cp(20),
            bound: Bound::Exact,
            nodes: 1,
            elapsed: Duration::ZERO,
            hashfull: 0,
            pv: vec![mv],
        }
    }

    #[tokio::test(start_paused = true)]
    async fn c12_an_engine_that_never_answers_is_not_waited_for() {
        for reports in [true, false] {
            let deaf = Arc::new(Deaf { reports, kept: Mutex::default() });
            let limits = SearchLimits { hard_ms: 3000, ..SearchLimits::default() };
            for ponder in [false, true] {
                let asked = Instant::now();
                let mut search = Thinker::new(deaf.clone()).start(1, start(), &limits, ponder);
                if ponder {
                    search.ponder_hit(&limits);
                }
                let found = search.found().await;
                assert!(asked.elapsed() <= Duration::from_millis(3100), "{:?}", asked.elapsed());
                // With nothing reported it is for the session to find a move.
                assert_eq!((found.thought.best.is_some(), found.reason), (reports, None));
            }
            let mut hurried = Thinker::new(deaf.clone()).start(1, start(), &limits, false);
            hurried.hurry();
            let asked = Instant::now();
            hurried.found().await;
            assert!(asked.elapsed() <= Duration::from_millis(100), "{:?}", asked.elapsed());
            // Late answers find nobody, and harm nobody.
            drop(hurried);
            for on_done in deaf.kept.lock().unwrap().drain(..) {
                on_done(late());
            }
        }
    }

    fn late() -> SearchOutcome {
        SearchOutcome {
            best: None,
            ponder: None,
            score: Score::cp(0),
            depth: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
            pv: Vec::new(),
            reason: StopReason::Limit,
        }
    }
}
