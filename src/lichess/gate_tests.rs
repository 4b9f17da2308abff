//! The gate, with a clock that only moves when everybody waits.

use super::*;
use crate::lichess::Token;

const PATIENCE: Duration = Duration::from_secs(10);

fn gate() -> Gate {
    let options = ClientOptions::new("https://lichess.org", Token::new("x".to_owned()).unwrap());
    Gate::new(&options, Random::new(Some(1)))
}

fn game(n: u8) -> GameId {
    format!("game000{n}").parse().unwrap()
}

fn moves(n: u8) -> Family {
    Family::Move(game(n))
}

fn lobby() -> [Family; 4] {
    [Family::Account, Family::Answer, Family::Create, Family::Read]
}

/// Whether a request would have to wait, for a lane or a cool-down.
async fn must_wait(gate: &Gate, family: &Family) -> bool {
    tokio::time::timeout(Duration::ZERO, gate.enter(family, PATIENCE)).await.is_err()
}

#[tokio::test(start_paused = true)]
async fn the_lobby_is_one_at_a_time_in_order() {
    let gate = gate();
    let first = gate.enter(&Family::Account, PATIENCE).await.unwrap();
    for family in lobby() {
        assert!(must_wait(&gate, &family).await, "{family:?}");
    }
    let order = Mutex::new(Vec::new());
    let second = async {
        let _pass = gate.enter(&Family::Answer, PATIENCE).await.unwrap();
        order.lock().unwrap().push("second");
        tokio::time::sleep(Duration::from_secs(1)).await;
        order.lock().unwrap().push("second done");
    };
    let third = async {
        let _pass = gate.enter(&Family::Create, PATIENCE).await.unwrap();
        order.lock().unwrap().push("third");
    };
    let release = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        drop(first);
    };
    tokio::join!(second, third, release);
    assert_eq!(order.into_inner().unwrap(), ["second", "second done", "third"]);
}

#[tokio::test(start_paused = true)]
async fn nothing_but_a_move_of_the_same_game_delays_a_move() {
    let gate = gate();
    let mut held = vec![gate.enter(&Family::Account, PATIENCE).await.unwrap()];
    held.push(gate.enter(&Family::Chat(game(1)), PATIENCE).await.unwrap());
    held.push(gate.enter(&moves(2), PATIENCE).await.unwrap());
    for family in lobby().into_iter().chain([Family::Chat(game(1)), Family::Offer(game(1)), moves(2)]) {
        gate.limited(&family, Some(Duration::from_secs(3600)));
    }
    for family in [Family::EventStream, Family::GameStream] {
        gate.limited(&family, None);
    }
    assert!(!must_wait(&gate, &moves(1)).await);
    let first = gate.enter(&moves(1), PATIENCE).await.unwrap();
    assert!(must_wait(&gate, &moves(1)).await, "one in flight a game");
    drop(first);
    assert!(!must_wait(&gate, &moves(1)).await);
}

#[tokio::test(start_paused = true)]
async fn talk_is_one_at_a_time_in_a_game_and_waits_for_no_other() {
    let gate = gate();
    let _chat = gate.enter(&Family::Chat(game(1)), PATIENCE).await.unwrap();
    assert!(must_wait(&gate, &Family::Offer(game(1))).await);
    assert!(!must_wait(&gate, &Family::Offer(game(2))).await);
}

#[tokio::test(start_paused = true)]
async fn streams_wait_for_nobody() {
    let gate = gate();
    let _lobby = gate.enter(&Family::Read, PATIENCE).await.unwrap();
    let _first = gate.enter(&Family::GameStream, Duration::ZERO).await.unwrap();
    assert!(!must_wait(&gate, &Family::GameStream).await);
    assert!(!must_wait(&gate, &Family::EventStream).await);
}

#[tokio::test(start_paused = true)]
async fn a_cool_down_stops_its_family_only_and_sends_nothing() {
    let gate = gate();
    let wait = gate.limited(&Family::Create, None);
    assert!((60..=66).contains(&wait.as_secs()), "{wait:?}");
    let Err(ApiError::RateLimited { wait: left, .. }) = gate.enter(&Family::Create, PATIENCE).await else {
        panic!("a cool-down beyond the patience is answered at once")
    };
    assert_eq!(left, wait);
    for family in [Family::Account, Family::Answer, Family::Read] {
        assert!(!must_wait(&gate, &family).await, "{family:?}");
    }
    tokio::time::advance(wait).await;
    assert!(!must_wait(&gate, &Family::Create).await);
}

#[tokio::test(start_paused = true)]
async fn a_cool_down_that_ends_soon_is_waited_for_without_holding_the_lane() {
    let gate = gate();
    gate.limited(&Family::Create, Some(Duration::from_secs(5)));
    let started = Instant::now();
    let limited = gate.enter(&Family::Create, PATIENCE);
    let other = async {
        let _pass = gate.enter(&Family::Answer, PATIENCE).await.unwrap();
        started.elapsed()
    };
    let (limited, other) = tokio::join!(limited, other);
    assert!(limited.is_ok() && started.elapsed() >= Duration::from_secs(5));
    assert_eq!(other, Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_cool_down_that_begins_while_a_request_waits_for_its_lane_counts() {
    let gate = gate();
    let first = gate.enter(&Family::Create, PATIENCE).await.unwrap();
    let second = gate.enter(&Family::Create, PATIENCE);
    let refused = async {
        tokio::task::yield_now().await;
        gate.limited(&Family::Create, None);
        drop(first);
    };
    let (second, ()) = tokio::join!(second, refused);
    assert!(matches!(second, Err(ApiError::RateLimited { .. })));
}

#[tokio::test(start_paused = true)]
async fn waits_grow_with_each_strike_up_to_a_cap_and_start_over_after_success() {
    let gate = gate();
    for (family, cap) in [(Family::Create, 3600), (Family::Account, 600)] {
        for expected in [60, 120, 240, 480, 960, 1920, 3840, 7680].map(|wait: u64| wait.min(cap)) {
            let wait = gate.limited(&family, None);
            assert!((expected..=expected + expected / 10).contains(&wait.as_secs()), "{expected}: {wait:?}");
            assert!(wait <= Duration::from_secs(cap), "{wait:?}");
            gate.passed(&family); // a request that was under way before: the cool-down stays
            assert!(gate.enter(&family, PATIENCE).await.is_err());
            tokio::time::advance(wait).await;
        }
        gate.passed(&family);
        assert!(gate.limited(&family, None) < Duration::from_secs(67));
    }
}

#[tokio::test(start_paused = true)]
async fn a_move_waits_shortly_at_first_then_as_long_as_all() {
    let gate = gate();
    for expected in [1000, 2000, 4000, 60_000, 60_000] {
        let wait = gate.limited(&moves(1), None);
        assert!((expected..=expected * 11 / 10).contains(&wait.as_millis()), "{expected}: {wait:?}");
        tokio::time::advance(wait).await;
    }
    assert!(gate.limited(&moves(2), None) < Duration::from_secs(2), "another game has its own count");
}

/// A server that refuses moves for a minute, or names a long wait: the clock of the game may not allow it.
#[tokio::test(start_paused = true)]
async fn a08_a_move_is_told_the_whole_wait_but_held_back_shortly() {
    for told in [None, Some(Duration::from_secs(100))] {
        let gate = gate();
        let mut wait = Duration::ZERO;
        for _ in 0..5 {
            wait = gate.limited(&moves(1), told);
        }
        assert!(wait >= Duration::from_secs(60), "{wait:?}");
        assert!(gate.enter(&moves(1), Duration::from_secs(3)).await.is_err());
        tokio::time::advance(Duration::from_secs(4)).await;
        assert!(!must_wait(&gate, &moves(1)).await);
    }
}

#[tokio::test(start_paused = true)]
async fn a08_chat_challenges_and_reading_make_way_for_a_move() {
    let gate = gate();
    gate.limited(&moves(1), None);
    for family in [Family::Chat(game(1)), Family::Chat(game(2)), Family::Create, Family::Read] {
        assert!(gate.enter(&family, PATIENCE).await.is_err(), "{family:?}");
    }
    for family in [moves(2), Family::Answer, Family::Account, Family::EventStream, Family::GameStream] {
        assert!(!must_wait(&gate, &family).await, "{family:?}");
    }
    tokio::time::advance(Duration::from_secs(60)).await;
    assert!(!must_wait(&gate, &Family::Chat(game(1))).await);
    assert!(gate.limited(&Family::Create, None) < Duration::from_secs(67), "it was no strike");
}

#[tokio::test(start_paused = true)]
async fn the_server_is_obeyed_within_reason() {
    let gate = gate();
    let told = |secs| gate.limited(&Family::Answer, Some(Duration::from_secs(secs)));
    assert_eq!(told(7), Duration::from_secs(7));
    assert_eq!(told(5400), Duration::from_secs(5400));
    assert_eq!(told(0), Duration::from_secs(1), "no wait would be a storm");
    assert_eq!(told(u64::MAX), Duration::from_secs(24 * 3600));
}

#[tokio::test(start_paused = true)]
async fn a_lane_that_does_not_move_is_given_up() {
    let gate = gate();
    let _stuck = gate.enter(&Family::Account, PATIENCE).await.unwrap();
    let started = Instant::now();
    let late = gate.enter(&Family::Answer, PATIENCE).await;
    assert!(matches!(late, Err(ApiError::Timeout { .. })) && started.elapsed() == PATIENCE * 3);
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_gives_up_leaves_the_lane() {
    let gate = gate();
    let first = gate.enter(&moves(1), PATIENCE).await.unwrap();
    assert!(must_wait(&gate, &moves(1)).await, "this one gave up waiting");
    drop(first);
    assert!(!must_wait(&gate, &moves(1)).await);
}

#[tokio::test(start_paused = true)]
async fn games_that_are_over_leave_nothing_behind() {
    let gate = gate();
    for n in 0..200_u32 {
        let id: GameId = format!("g{n:07}").parse().unwrap();
        drop(gate.enter(&Family::Move(id.clone()), PATIENCE).await.unwrap());
        gate.limited(&Family::Move(id), None);
        tokio::time::advance(Duration::from_secs(600)).await;
    }
    assert!(lock(&gate.games).len() <= 2);
    assert!(lock(&gate.cooling).by_kind.len() <= 12);
}
