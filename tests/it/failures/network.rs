//! Streams that end or fall silent, answers that are lost, limits that are hit. The server is the test's own, in memory
//! and on a virtual clock, except where the sandbox or a socket shows more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rookery::bot::{BotError, BotOptions};
use serde_json::json;
use tokio::time::Instant;

use super::stage::{
    Answer, EVENTS, Quick, Slow, Stage, challenge, done, game_full, game_start, patched, posted, state,
    stream_of,
};
use crate::bot::relay::{Fate, Relay};
use crate::bot::support::{self, Player, Server};

const MS: fn(u64) -> Duration = Duration::from_millis;
const SECS: fn(u64) -> Duration = Duration::from_secs;

/// The name of a game.
const GAME: &str = "g0000001";

/// The time between two moments in which requests came.
fn gap(from: Instant, to: Instant) -> Duration {
    to.saturating_duration_since(from)
}

#[tokio::test(start_paused = true)]
async fn a01_a_silent_stream_is_left_within_twenty_seconds() {
    let stage = Stage::healthy();
    let bot = stage.bot(|_| {});
    stage.begin(GAME, "").await;
    // Keep-alives alone keep streams alive.
    tokio::time::sleep(SECS(600)).await;
    assert_eq!((stage.count(EVENTS), stage.count(&stream_of(GAME))), (1, 1));
    let silent = Instant::now();
    stage.mute("");
    let events = stage.until(EVENTS, 2).await;
    let game = stage.until(&stream_of(GAME), 2).await;
    assert!(gap(silent, events.at) <= SECS(20) && gap(silent, game.at) <= SECS(20), "{events:?} {game:?}");
    // What happened meanwhile is told again.
    stage.say(&stream_of(GAME), &game_full(GAME, "e2e4"));
    assert_eq!(posted(&stage.until("/move/", 1).await).len(), 4);
    bot.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a02_the_end_of_the_event_stream_is_its_own_business() {
    let stage = Stage::healthy();
    let mut bot = stage.bot(|options| options.challenges.max_games = 4);
    let games = ["g0000001", "g0000002", "g0000003", "g0000004"];
    for game in games {
        stage.begin(game, "").await;
    }
    let mut moves = games.map(|_| String::new());
    for (round, theirs) in ["e2e4", "d2d4", "g1f3", "b1c3"].into_iter().enumerate() {
        let lost = Instant::now();
        match round {
            0 => stage.end(EVENTS),
            1 => stage.cut(EVENTS),
            _ => {
                stage.bytes(EVENTS, "{\"type\":\"gameSta");
                stage.cut(EVENTS);
            }
        }
        let again = stage.until(EVENTS, round + 2).await;
        assert!(round > 1 || gap(lost, again.at) < SECS(1), "round {round}: {again:?}");
        for (game, moves) in games.into_iter().zip(&mut moves) {
            // The server repeats at each connect which games are running.
            stage.say(EVENTS, &game_start(game));
            *moves = format!("{moves} {theirs}");
            let ours = stage.reply(game, moves.trim()).await;
            *moves = format!("{moves} {ours}");
        }
    }
    assert!(games.iter().all(|game| stage.count(&stream_of(game)) == 1), "the games have noticed nothing");
    assert!(bot.is_alive());
    bot.stop().await;
}

/// The reader keeps up while the engine thinks.
#[tokio::test(start_paused = true)]
async fn a05_a_flood_of_chat_hides_no_takeback() {
    let stage = Stage::healthy();
    let slow = Slow::default();
    let mind = slow.clone();
    let bot = stage.bot(|options| options.mind = Some(Arc::new(mind)));
    stage.begin(GAME, "e2e4").await;
    stage.wait("the search", |_| (slow.searches.load(Ordering::SeqCst) == 1).then_some(())).await;
    let line = json!({ "type": "chatLine", "room": "player", "username": "Cleo", "text": "hurry up!" });
    for _ in 0..100_000 {
        stage.say(&stream_of(GAME), &line);
    }
    let offer = patched(state("e2e4"), &json!({ "wtakeback": true }));
    stage.say(&stream_of(GAME), &offer);
    stage.until("/takeback/no", 1).await;
    assert_eq!((slow.searches.load(Ordering::SeqCst), slow.dropped.load(Ordering::SeqCst)), (1, 0));
    bot.stop().await;
}

/// Ours is the second move; its answer is spoiled in each way, after the move has counted or before.
#[tokio::test]
async fn a06_a_move_whose_answer_is_lost_is_played_once() {
    for fate in [
        Fate::Afterwards("504 Gateway Timeout"),
        Fate::Instead("504 Gateway Timeout"),
        Fate::Hangs,
        Fate::Swallowed,
        Fate::Lost,
        Fate::Dropped,
        Fate::CutShort,
    ] {
        let server = Server::start().await;
        let relay = Relay::to(server.sandbox.addr()).await;
        let mut options = support::bot_options(&relay.url(), "tok_ada");
        options.client.move_timeout = MS(300);
        let ada = support::Bot::start(options);
        let cleo = Player::cleo(&server);
        let game = server.game("Cleo", "ada");
        let (mut seat, _) = cleo.sit(&game).await;
        relay.spoil("/move/", fate, 1);
        for (round, uci) in ["e2e4", "d2d4", "g1f3"].into_iter().enumerate() {
            seat.play(uci).await;
            let state = seat.until_ply(2 * round + 2).await;
            assert_eq!(state.moves().count(), 2 * round + 2, "{fate:?}: {state:?}");
        }
        assert!(relay.is_spoiled(), "{fate:?}");
        cleo.client.resign(&game).await.unwrap();
        assert_eq!(ada.drain().await.wins, 1, "{fate:?}");
        server.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a07_a_post_that_hangs_does_not_outlive_its_game() {
    let stage = Stage::new(|asked| {
        let late = || Answer::Late(SECS(60), Box::new(Answer::Say(504, String::new())));
        (asked.path.contains("/move/") || asked.path.contains("/chat")).then(late)
    });
    let bot = stage.bot(|options| {
        options.client.move_timeout = SECS(90);
        options.games.farewell = Some("gg".to_owned());
    });
    stage.begin(GAME, "e2e4 e7e5 g1f3").await;
    stage.until("/move/", 1).await;
    let flag = Instant::now();
    let over = json!({ "status": "outoftime", "winner": "white" });
    stage.say(&stream_of(GAME), &patched(state("e2e4 e7e5 g1f3"), &over));
    stage.say(EVENTS, &challenge("chal0001", "dora"));
    let accepted = stage.until("/accept", 1).await;
    assert!(gap(flag, accepted.at) <= SECS(2), "{:?}", gap(flag, accepted.at));
    assert_eq!(bot.stop().await.losses, 1);
}

#[tokio::test(start_paused = true)]
async fn a08_a_minute_of_too_many_requests_costs_few_requests_and_no_game() {
    let began = Instant::now();
    let page = "<!DOCTYPE html><html><title>Too many requests</title></html>";
    let stage = Stage::new(move |asked| {
        let crowded = asked.path.contains("/move/") && gap(began, asked.at) < SECS(61);
        crowded.then(|| Answer::Say(429, page.to_owned()))
    });
    let bot = stage.bot(|_| {});
    stage.begin(GAME, "e2e4").await;
    let taken = stage
        .wait("the move", |stage| stage.asked("/move/").pop().filter(|last| gap(began, last.at) >= SECS(61)));
    let taken = taken.await;
    let refused = stage.count("/move/") - 1;
    assert!((1..=10).contains(&refused), "{refused} requests were refused");
    assert!(gap(began, taken.at) < SECS(120), "{:?}", gap(began, taken.at));
    bot.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a08_a_short_clock_does_not_wait_a_minute() {
    let began = Instant::now();
    let stage = Stage::new(move |asked| {
        let crowded = asked.path.contains("/move/") && gap(began, asked.at) < SECS(9);
        crowded.then(|| Answer::Say(429, String::new()))
    });
    let bot = stage.bot(|_| {});
    let short = patched(state("e2e4 e7e5 g1f3"), &json!({ "wtime": 20_000, "btime": 20_000 }));
    stage.begin(GAME, "e2e4 e7e5").await;
    stage.say(&stream_of(GAME), &short);
    let taken = stage
        .wait("the move", |stage| stage.asked("/move/").pop().filter(|last| gap(began, last.at) >= SECS(9)));
    let taken = taken.await;
    assert!(gap(began, taken.at) < SECS(16), "{:?}", gap(began, taken.at));
    bot.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a09_the_daily_limit_is_met_once_and_people_are_still_served() {
    let body = r#"{"error":"You played 100 games against other bots today, please wait",
        "ratelimit":{"key":"bot.vsBot.day","seconds":86398}}"#;
    let stage = Stage::new(move |asked| {
        asked.path.ends_with("chal0000/accept").then(|| Answer::Say(429, body.to_owned()))
    });
    let bot = stage.bot(|_| {});
    let by_bot = |n: u32| {
        let mut line = challenge(&format!("chal{n:04}"), &format!("bot{n}"));
        line["challenge"]["challenger"]["title"] = json!("BOT");
        line
    };
    stage.until(EVENTS, 1).await;
    stage.say(EVENTS, &by_bot(0));
    stage.until("/accept", 1).await;
    for n in 1..=20 {
        stage.say(EVENTS, &by_bot(n));
        stage.until("/decline", n as usize).await;
        tokio::time::sleep(SECS(3600)).await;
    }
    assert_eq!(stage.count("/accept"), 1);
    stage.say(EVENTS, &challenge("chal9999", "dora"));
    stage.until("chal9999/accept", 1).await;
    // A day later bots are welcome again; the place kept for Dora is free by then.
    tokio::time::sleep(SECS(5 * 3600)).await;
    stage.say(EVENTS, &by_bot(50));
    stage.until("chal0050/accept", 1).await;
    bot.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a10_what_the_games_do_not_need_may_fail_for_ten_minutes() {
    let stage = Stage::new(|asked| {
        let optional = ["/playing", "/chat", "/decline"].iter().any(|part| asked.path.contains(part));
        optional.then(|| match asked.number % 3 {
            0 => Answer::Say(502, "<html>".to_owned()),
            1 => Answer::Say(200, "{\"nowPlaying\":[{\"gameI".to_owned()),
            _ => Answer::Fail("connection refused"),
        })
    });
    let mut bot = stage.bot(|options| {
        options.challenges.max_games = 4;
        options.account.reconcile = SECS(10);
        options.games.greeting = Some("hello".to_owned());
    });
    let games = ["g0000001", "g0000002", "g0000003", "g0000004"];
    for game in games {
        stage.begin(game, "").await;
    }
    let mut moves = games.map(|_| String::new());
    for (round, theirs) in ["e2e4", "d2d4", "g1f3", "b1c3", "f1e2", "c1d2"].into_iter().enumerate() {
        stage.say(EVENTS, &challenge(&format!("chal000{round}"), "dora"));
        for (game, moves) in games.into_iter().zip(&mut moves) {
            *moves = format!("{moves} {theirs}");
            let told = Instant::now();
            let ours = stage.reply(game, moves.trim()).await;
            assert!(told.elapsed() < MS(100), "{:?}", told.elapsed());
            *moves = format!("{moves} {ours}");
        }
        tokio::time::sleep(SECS(100)).await;
    }
    assert!(stage.count("/playing") > 20 && stage.count("/chat") == 4);
    assert!(bot.is_alive());
    bot.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a12_a_missing_scope_on_the_stream_ends_the_bot_with_advice() {
    let stage = Stage::healthy();
    let bot = stage.bot(|_| {});
    stage.until(EVENTS, 1).await;
    stage.say(EVENTS, &json!({ "error": "Missing scope" }));
    let error = bot.end().await.unwrap_err();
    assert!(matches!(error, BotError::Refused(_)), "the exit code for accounts goes with it: {error:?}");
    assert!(error.to_string().contains("bot:play"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a12_a_server_that_feels_polled_is_left_alone_for_a_while() {
    let stage = Stage::healthy();
    let bot = stage.bot(|_| {});
    stage.until(EVENTS, 1).await;
    let told = Instant::now();
    let line = json!({ "error": "Please don't poll this endpoint, it is intended to be streamed." });
    stage.say(EVENTS, &line);
    let again = stage.until(EVENTS, 2).await;
    assert!(gap(told, again.at) >= SECS(30), "{:?}", gap(told, again.at));
    bot.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a16_names_that_cannot_be_resolved_are_waited_for() {
    let began = Instant::now();
    let outages = [(SECS(0), SECS(600)), (SECS(1000), SECS(1600))];
    let stage = Stage::new(move |asked| {
        let since = gap(began, asked.at);
        let down = outages.iter().any(|(from, to)| (*from..*to).contains(&since));
        down.then_some(Answer::Fail("dns error: temporary failure in name resolution"))
    });
    let mut bot = stage.bot(|_| {});
    let first = stage.until(EVENTS, 1).await;
    assert!((SECS(600)..=SECS(660)).contains(&gap(began, first.at)), "{:?}", gap(began, first.at));
    stage.begin(GAME, "").await;
    tokio::time::sleep(SECS(1000).saturating_sub(began.elapsed())).await;
    stage.cut("");
    let game =
        stage.wait("the game's stream", |stage| (stage.open(&stream_of(GAME)) > 0).then(Instant::now)).await;
    assert!(gap(began, game) <= SECS(1603), "{:?}", gap(began, game));
    let events =
        stage.wait("the account's stream", |stage| (stage.open(EVENTS) > 0).then(Instant::now)).await;
    assert!(gap(began, events) <= SECS(1660), "{:?}", gap(began, events));
    assert!(bot.is_alive());
    bot.stop().await;
}

/// All connections that exist are swallowed; new ones work.
#[tokio::test(start_paused = true)]
async fn a18_a_changed_address_costs_seconds() {
    let swallowed = AtomicBool::new(false);
    let stage = Stage::new(move |asked| {
        let first = asked.path.contains("/move/") && !swallowed.swap(true, Ordering::SeqCst);
        first.then_some(Answer::Never)
    });
    let bot = stage.bot(|options| options.challenges.max_games = 2);
    for game in ["g0000001", "g0000002"] {
        stage.begin(game, "").await;
    }
    // The state still arrives; the move does not, and neither does anything after it.
    stage.say(&stream_of("g0000001"), &state("e2e4"));
    stage.until("/move/", 1).await;
    let changed = Instant::now();
    stage.mute("");
    let again = stage.until("g0000001/move/", 2).await;
    assert!(gap(changed, again.at) <= MS(3300), "{:?}", gap(changed, again.at));
    assert_eq!(stage.renewals(), 1, "on fresh connections");
    for path in [EVENTS.to_owned(), stream_of("g0000001"), stream_of("g0000002")] {
        let again = stage.until(&path, 2).await;
        assert!(gap(changed, again.at) <= SECS(20), "{path}: {:?}", gap(changed, again.at));
    }
    bot.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a19_a_game_that_starts_three_hundred_times_is_played_once() {
    let stage = Stage::healthy();
    let quick = Arc::new(Quick::default());
    let mind: Arc<Quick> = Arc::clone(&quick);
    let bot = stage.bot(|options| {
        options.mind = Some(mind);
        options.account.quick_ends = 1000;
    });
    let ours = stage.begin_moving(GAME, "e2e4").await;
    for connect in 0..20 {
        for _ in 0..300 {
            stage.say(EVENTS, &game_start(GAME));
        }
        tokio::time::sleep(SECS(4)).await;
        stage.end(EVENTS);
        stage.wait("the stream", |stage| (stage.open(EVENTS) > 0).then_some(())).await;
        assert_eq!(stage.count(EVENTS), connect + 2);
    }
    assert_eq!((stage.count(&stream_of(GAME)), stage.count("/move/")), (1, 1));
    assert_eq!(quick.searches.load(Ordering::SeqCst), 1);
    // After its end a late word does not open it again, but it is looked for on the list of running games.
    let lists = stage.count("/playing");
    let over = json!({ "status": "resign", "winner": "black" });
    stage.say(&stream_of(GAME), &patched(state(&format!("e2e4 {ours}")), &over));
    tokio::time::sleep(SECS(2)).await;
    for _ in 0..300 {
        // As bytes: an old word, which does not make it run again.
        stage.bytes(EVENTS, format!("{}\n", game_start(GAME)));
    }
    tokio::time::sleep(SECS(60)).await;
    assert_eq!((stage.count(&stream_of(GAME)), stage.count("/playing")), (1, lists + 1));
    assert_eq!(bot.stop().await.wins, 1);
}

/// The restart takes 45 s without a listener and 5 s with a proxy's page; the server calls one game off meanwhile.
#[tokio::test(start_paused = true)]
async fn a22_a_restart_of_the_server_is_waited_for_politely() {
    for seed in 0..20 {
        let began = Instant::now();
        let down = SECS(10);
        let stage = Stage::new(move |asked| match gap(began, asked.at).checked_sub(down)? {
            since if since < SECS(45) => Some(Answer::Fail("connection refused")),
            since if since < SECS(50) => Some(Answer::Say(502, "<html><title>502</title></html>".to_owned())),
            _ => None,
        });
        let change = |options: &mut BotOptions| {
            (options.client.seed, options.challenges.max_games) = (Some(seed), 2);
        };
        let mut bot = stage.bot(change);
        stage.begin_moving("g0000001", "e2e4").await;
        let ours = stage.begin_moving("g0000002", "e2e4").await;
        tokio::time::sleep(down.saturating_sub(began.elapsed())).await;
        stage.cut("");
        tokio::time::sleep(SECS(50)).await;
        for path in [EVENTS, "stream/g0000001", "stream/g0000002"] {
            let tries = stage.asked(path).iter().filter(|asked| gap(began, asked.at) >= down).count();
            assert!((4..=50).contains(&tries), "{tries} requests of {path} in 50 s");
        }
        let back = Instant::now();
        for game in ["stream/g0000001", "stream/g0000002"] {
            stage.wait(game, |stage| (stage.open(game) > 0).then_some(())).await;
        }
        assert!(back.elapsed() <= MS(2500), "{:?}", back.elapsed());
        let aborted = patched(
            game_full("g0000001", "e2e4"),
            &json!({ "state": patched(state("e2e4"), &json!({ "status": "aborted" })) }),
        );
        stage.say("stream/g0000001", &aborted);
        stage.say("stream/g0000002", &game_full("g0000002", &format!("e2e4 {ours} g1f3")));
        stage.until("g0000002/move/", 2).await;
        stage.wait("the account's stream", |stage| (stage.open(EVENTS) > 0).then_some(())).await;
        stage.say(EVENTS, &challenge("chal0001", "dora"));
        stage.until("/accept", 1).await;
        assert!(bot.is_alive());
        assert_eq!(bot.stop().await.aborted, 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_successful_answer_of_nothing_takes_no_move_for_played() {
    let stage = Stage::new(|asked| (asked.path.contains("/move/") && asked.number < 10).then(done));
    let bot = stage.bot(|_| {});
    stage.begin(GAME, "e2e4").await;
    // The move does not appear on the stream: the whole game is asked for, and the move is posted again.
    stage.until(&stream_of(GAME), 2).await;
    stage.say(&stream_of(GAME), &game_full(GAME, "e2e4"));
    stage.until("/move/", 2).await;
    bot.stop().await;
}
