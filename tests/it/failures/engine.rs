//! Searches that are late, dead or wrong. What needs a search that breaks down or hangs is tested beside the code that
//! survives it, in `src/engine/pool/tests`.

use std::fs;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use rookery::chess::{Color, History, Move, Position};
use rookery::engine::{
    Limits, Pool, PoolOptions, Score, ScoreKind, SearchHandle, SearchInfo, SearchOutcome, SearchRequest,
    StopReason,
};

use crate::random::Random;
use crate::shared;

/// Nothing that is waited for here takes this long, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

fn pool(threads: usize) -> Pool {
    Pool::new(PoolOptions { threads, hash_mib: 4, ..PoolOptions::default() })
}

fn game(fen: &str, moves: &str) -> History {
    History::from_uci(Position::from_unreachable_fen(fen).unwrap(), moves.split_whitespace()).unwrap()
}

/// A search that keeps what it is told.
struct Running {
    handle: SearchHandle,
    infos: Receiver<SearchInfo>,
    outcome: Receiver<SearchOutcome>,
}

fn start(pool: &Pool, request: SearchRequest) -> Running {
    let (info, infos) = sync_channel(10_000);
    let (done, outcome) = sync_channel(2);
    let handle = pool.start(
        request,
        move |news| info.send(news.clone()).unwrap(),
        move |outcome| done.send(outcome).unwrap(),
    );
    Running { handle, infos, outcome }
}

impl Running {
    fn answer(&self) -> SearchOutcome {
        self.outcome.recv_timeout(PATIENCE).expect("a search must be answered")
    }
}

fn think(pool: &Pool, history: &History, limits: Limits) -> SearchOutcome {
    start(pool, SearchRequest::new(history.clone(), limits)).answer()
}

fn clock(time: Duration) -> Limits {
    Limits { soft: Some(time), hard: Some(time), ..Limits::default() }
}

fn uci(outcome: &SearchOutcome) -> String {
    outcome.best.map(|mv| format!("{mv:?}")).unwrap_or_default()
}

#[test]
fn c16_a_root_without_moves_has_no_move_and_a_drawn_one_has() {
    for (fen, moves, score) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "", Some(ScoreKind::Mate(0))),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "", Some(ScoreKind::Centipawns(0))),
        ("5k2/5r2/1p3QBp/2b4P/5P2/5K2/P5P1/8 w - - 6 54", "f6f7", Some(ScoreKind::Mate(0))),
        ("4k3/8/8/8/8/8/8/4K3 w - - 100 90", "", None),
    ] {
        for threads in [1, 4] {
            let pool = pool(threads);
            for ponder in [false, true] {
                let limits = clock(Duration::from_millis(20));
                let request = SearchRequest { ponder, ..SearchRequest::new(game(fen, moves), limits) };
                let running = start(&pool, request);
                if ponder {
                    running.handle.ponder_hit(limits);
                }
                let outcome = running.answer();
                let told = format!("{fen} {moves}, {threads} threads, ponder {ponder}: {outcome:?}");
                match score {
                    Some(score) => {
                        assert_eq!((outcome.best, outcome.reason), (None, StopReason::NoMoves), "{told}");
                        assert_eq!(outcome.score.kind(), score, "{told}");
                    }
                    None => assert!(outcome.best.is_some(), "{told}"),
                }
            }
        }
    }
}

/// Without tablebases, by search: only the king's move wins, the pawn's draws.
#[test]
fn c19_a_pawn_move_that_draws_is_not_played() {
    let outcome = think(&pool(1), &game("8/8/8/8/k1P5/8/1K6/8 w - - 0 1", ""), Limits::depth(20));
    assert_eq!(uci(&outcome), "b2c3");
}

#[test]
fn c20_the_fifty_moves_are_seen_coming() {
    let pool = pool(1);
    // The queen wins the rook, but not within the fifteen half moves that are left: no certain win.
    let late = think(&pool, &game("8/8/8/Q7/3K4/1k6/2r5/8 w - - 85 100", ""), Limits::depth(12));
    assert!(matches!(late.score.kind(), ScoreKind::Centipawns(_)), "{}", late.score);
    // With the next quiet move it is drawn; a capture wins.
    for (fen, best) in
        [("k7/8/8/3r4/4P3/8/8/6QK w - - 99 90", "e4d5"), ("8/8/8/8/8/1k6/8/K2r3Q w - - 99 90", "h1d1")]
    {
        let outcome = think(&pool, &game(fen, ""), Limits::depth(8));
        assert_eq!(uci(&outcome), best, "{fen}");
        assert!(outcome.score.centipawns() > 300, "{fen}: {}", outcome.score);
    }
}

#[test]
fn d21_mate_with_the_last_quiet_move_is_played() {
    for clock in [99, 149] {
        let outcome =
            think(&pool(1), &game(&format!("7k/8/6K1/8/8/8/8/R7 w - - {clock} 120"), ""), Limits::depth(4));
        assert_eq!((uci(&outcome).as_str(), outcome.score.kind()), ("a1a8", ScoreKind::Mate(1)));
    }
}

/// The threads and the table belong to all games together: more games, not more of them, and each keeps its time.
#[test]
fn c22_eight_games_share_two_threads_and_keep_their_time() {
    let pool = pool(2);
    let limit = Duration::from_millis(150);
    let running: Vec<Running> = (0..8)
        .map(|_| {
            let request = SearchRequest::new(History::new(Position::initial()), Limits::move_time(limit));
            start(&pool, request)
        })
        .collect();
    let mut late: Vec<Duration> =
        running.iter().map(|running| running.answer().elapsed.saturating_sub(limit)).collect();
    late.sort();
    assert!(late[2] < Duration::from_millis(60), "{late:?}");
    assert_eq!(pool.options(), PoolOptions { threads: 2, hash_mib: 4, ..PoolOptions::default() });
}

/// Searches have threads of their own: what the bot's tasks wait for is handled while all processors search.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c23_searches_do_not_starve_the_network_tasks() {
    let pool = pool(2);
    let endless = Limits { infinite: true, ..Limits::default() };
    let searches: Vec<Running> = (0..4)
        .map(|_| start(&pool, SearchRequest::new(History::new(Position::initial()), endless)))
        .collect();
    let (sender, mut receiver) = tokio::sync::mpsc::channel::<Instant>(1);
    let mut tasks = tokio::task::JoinSet::new();
    tasks.spawn(async move {
        let mut waits = Vec::new();
        while let Some(sent) = receiver.recv().await {
            waits.push(sent.elapsed());
        }
        waits
    });
    for _ in 0..100 {
        sender.send(Instant::now()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(sender);
    let mut waits = tasks.join_next().await.unwrap().unwrap();
    waits.sort();
    assert!(waits[75] < Duration::from_millis(20), "{waits:?}");
    for running in searches {
        running.handle.stop();
        running.answer();
    }
}

/// The queen stalemates, knight and bishop draw. There is no vote that could mix them up: the lead's move counts.
#[test]
fn c25_the_promotion_that_wins_is_played_with_any_number_of_threads() {
    let history = game("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "");
    for threads in [1, 2, 4, 8] {
        let pool = pool(threads);
        for run in 0..12 {
            let outcome = think(&pool, &history, Limits::move_time(Duration::from_millis(25)));
            assert_eq!(uci(&outcome), "f7f8r", "{threads} threads, run {run}");
        }
    }
}

/// Mate claims come with the moves that prove them, whenever the search is stopped. Positions from the test suites
/// beside the repository, if they are there, and a few of our own.
#[test]
fn c26_a_claimed_mate_is_played_out_to_mate() {
    let mut fens: Vec<String> = [
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
        "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
        "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
        "7k/8/8/8/8/r7/1r6/6K1 w - - 0 1",
        "8/8/8/4k3/8/8/3Q4/4K3 w - - 0 1",
    ]
    .map(str::to_owned)
    .into();
    if let Some(path) = shared::path("suites/mate_matetrack.epd") {
        let text = fs::read_to_string(path).unwrap();
        let fen = |line: &str| line.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
        fens.extend(text.lines().step_by(33).map(fen));
    }
    let mut random = Random::new(26);
    let mut claims = 0;
    for threads in [1, 4] {
        let pool = pool(threads);
        for fen in &fens {
            let Ok(position) = Position::from_fen(fen) else { continue };
            let nodes = [500, 3000, 12_000][random.below(3)] + random.below(500) as u64;
            let running =
                start(&pool, SearchRequest::new(History::new(position.clone()), Limits::nodes(nodes)));
            let outcome = running.answer();
            for info in running.infos.try_iter() {
                claims += usize::from(prove(&position, info.score, &info.pv));
            }
            prove(&position, outcome.score, &outcome.pv);
        }
    }
    assert!(claims > 20, "{claims} claims");
}

/// Whether a mate is claimed; if so it must come about on the board, in as many moves.
fn prove(position: &Position, score: Score, line: &[Move]) -> bool {
    let ScoreKind::Mate(moves) = score.kind() else { return false };
    let told = format!("{score} in {}: {line:?}", position.to_fen());
    let mut last = position.clone();
    for &mv in line {
        assert!(last.is_legal(mv), "{told}: {mv:?}");
        last.play(mv);
    }
    let winner = if moves > 0 { position.turn() } else { !position.turn() };
    assert_eq!(last.end().and_then(|end| end.winner()), Some(winner), "{told}");
    assert_eq!(line.len().div_ceil(2), moves.unsigned_abs() as usize, "{told}");
    true
}

#[test]
fn d09_positions_that_no_game_leads_to_are_searched_without_harm() {
    let pool = pool(1);
    let table = include_str!("../../data/failures/rules.tsv");
    for row in table.lines().filter(|row| row.starts_with("D09\tperft") || row.starts_with("D18\tperft")) {
        let history = game(row.split('\t').nth(2).unwrap(), "");
        let outcome = think(&pool, &history, Limits { nodes: Some(20_000), ..Limits::depth(6) });
        assert!(outcome.best.is_some_and(|mv| history.position().is_legal(mv)), "{row}: {outcome:?}");
    }
}

#[test]
fn d18_the_position_with_the_most_moves_is_searched_in_time() {
    let history = game("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", "");
    let began = Instant::now();
    let outcome = think(&pool(1), &history, clock(Duration::from_millis(300)));
    assert!(began.elapsed() < Duration::from_millis(900), "{:?}", began.elapsed());
    assert!(matches!(outcome.score.kind(), ScoreKind::Mate(1)), "{}", outcome.score);
}

#[test]
fn d19_two_knights_and_two_bishops_mate_where_they_can() {
    let pool = pool(1);
    for (fen, moves) in [("7k/8/5NK1/6N1/8/8/8/8 w - - 0 1", ""), ("7k/8/7K/2Bb4/8/8/8/8 b - - 0 1", "d5g8")]
    {
        let outcome = think(&pool, &game(fen, moves), Limits::depth(4));
        assert_eq!(outcome.score.kind(), ScoreKind::Mate(1), "{fen}");
    }
}

#[test]
fn d24_a_forced_move_takes_no_time() {
    let pool = pool(1);
    let mut history = game("2b5/kpPp4/1p1P4/1P6/6p1/4p1P1/4PpPK/5B2 w - - 0 1", "");
    let mut took = Vec::new();
    for _ in 0..12 {
        assert_eq!(history.position().legal_moves().len(), 1, "{}", history.position().to_fen());
        let outcome = think(&pool, &history, clock(Duration::from_secs(60)));
        assert!(matches!(outcome.reason, StopReason::OnlyMove | StopReason::Overrun), "{outcome:?}");
        took.push(outcome.elapsed);
        history.push(outcome.best.unwrap());
    }
    took.sort();
    assert!(took[4] < Duration::from_millis(20), "{took:?}");
}

/// Whoever thinks about a dead position wastes time, and whoever counts its pawns may give up a drawn game.
#[test]
fn d24_behind_a_wall_nobody_thinks_gives_up_or_hopes() {
    let pool = pool(1);
    let walls = [
        "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1",
        // A bishop more, which will never see daylight.
        "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/3BK3 w - - 0 1",
    ];
    for wall in walls {
        let mut history = game(wall, "");
        let mut spent = [Duration::ZERO; 2];
        while history.end().is_none() && history.occurrences() < 3 {
            let outcome = think(&pool, &history, clock(Duration::from_secs(1)));
            assert_eq!(outcome.score.kind(), ScoreKind::Centipawns(0), "{}", history.position().to_fen());
            spent[history.position().turn().index()] += outcome.elapsed;
            history.push(outcome.best.unwrap());
        }
        assert!(history.ply() <= 100, "{}", history.ply());
        assert!(spent[Color::White.index()] < Duration::from_secs(6), "of a minute: {spent:?}");
    }
}
