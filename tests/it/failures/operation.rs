//! Starting, stopping, configuration and files.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use rookery::sandbox::{GameSetup, Sandbox, SandboxOptions, UserSpec};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::hostile::{Hostile, Says, game_full, game_start};
use crate::daemon::{Daemon, PATIENCE, Start, until};

const TOKEN: &str = "tok_victim";

/// Whether programs may be started in this way here; if not, it is said.
#[expect(clippy::print_stdout, reason = "whoever runs the tests should learn what they did not cover")]
fn can(words: &[&str]) -> bool {
    let (program, args) = words.split_first().unwrap();
    let works = Command::new(program).args(args).output().is_ok_and(|output| output.status.success());
    if !works {
        println!("skipped: `{}` does not work here", words.join(" "));
    }
    works
}

async fn ready(server: &Hostile) {
    until("the account's stream", || (server.count("/api/stream/event") > 0).then_some(())).await;
}

/// A server where a game waits for Black.
async fn quiet_server() -> Hostile {
    let events = vec![game_start("Game0001", json!({}))];
    let game = |id: &str| vec![game_full(id, json!({}), json!({ "moves": "e2e4" }))];
    Hostile::start(Says { events, game: Box::new(game), ..Says::default() }).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e12_a_full_disk_costs_no_game() {
    let mount = "mount -t tmpfs -o size=32k none records && exec \"$@\"";
    if !can(&["unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=32k none /mnt"]) {
        return;
    }
    let users = vec![UserSpec::bot("victim", TOKEN), UserSpec::bot("other", "tok_other")];
    let options = SandboxOptions { users, ..SandboxOptions::default() };
    let sandbox = Sandbox::start(options, TcpListener::bind("127.0.0.1:0").await.unwrap()).await.unwrap();
    let _other = Start::run(&sandbox.url(), "tok_other").spawn();
    let start =
        Start::wrapped(&["unshare", "-rm", "sh", "-c", mount, "sh"], &sandbox.url(), TOKEN).recording();
    fs::create_dir(start.dir().join("records")).unwrap();
    let mut victim = start.spawn();
    for (white, black) in [("victim", "other"), ("other", "victim")] {
        let setup = GameSetup::new(white, black, Duration::from_secs(30), Duration::ZERO);
        sandbox.create_game(&setup).unwrap();
    }
    until("the end of the games", || sandbox.games().iter().all(|game| !game.live).then_some(())).await;
    for game in sandbox.games() {
        assert!(["mate", "draw", "stalemate"].contains(&game.status), "{game:?}\n{}", victim.log());
    }
    victim.signal("TERM");
    assert_eq!(victim.code(), Some(0), "{}", victim.log());
    let log = victim.log();
    assert_eq!(log.matches("cannot record").count(), 1, "{log}");
    assert!(log.contains("No space left") && !log.contains("panicked"), "{log}");
    sandbox.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e12_a_flood_of_events_does_not_flood_the_log() {
    let game = |n: usize| game_start(&format!("Odd{n:05}"), json!({ "variant": { "key": "fairy" } }));
    let says = Says { events: (0..20_000).map(game).collect(), ..Says::default() };
    let hostile = Hostile::start(says).await;
    let mut daemon = Start::run(&hostile.url(), TOKEN).spawn();
    ready(&hostile).await;
    until("some of the flood", || daemon.log().contains("unknown variant").then_some(())).await;
    daemon.signal("TERM");
    assert_eq!(daemon.code(), Some(0));
    let lines = daemon.log().lines().count();
    assert!((100..1000).contains(&lines), "{lines} lines");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e13_without_a_place_for_recordings_the_games_go_on() {
    let hostile = quiet_server().await;
    for dir in ["/dev/null/records", "plain_file", "missing/below/missing"] {
        let start = Start::run(&hostile.url(), TOKEN).set("record.dir", dir);
        fs::write(start.dir().join("plain_file"), "").unwrap();
        let before = hostile.count("/game/stream/");
        let mut daemon = start.spawn();
        until("the game", || (hostile.count("/game/stream/") > before).then_some(())).await;
        assert_eq!(end(&mut daemon, "TERM"), Some(0), "{dir}: {}", daemon.log());
        let told = daemon.log().matches("cannot record").count();
        assert_eq!(told, usize::from(!dir.starts_with("missing")), "{dir}: {}", daemon.log());
        assert!(dir.starts_with('/') || daemon.dir().join(dir).exists(), "{dir}");
    }
}

/// Asked to end twice, since the game would go on for ever. Two signals at once would be one.
fn end(daemon: &mut Daemon, signal: &str) -> Option<i32> {
    daemon.signal(signal);
    for _ in 0..200 {
        if daemon.log().contains("once more to stop at once") {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    daemon.signal(signal);
    daemon.code()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e15_it_ends_when_asked_and_can_be_started_again() {
    let hostile = quiet_server().await;
    for signal in ["TERM", "INT", "HUP"] {
        // What the one before has asked for does not count, however often it did.
        let before = hostile.count("/game/stream/");
        let mut daemon = Start::run(&hostile.url(), TOKEN).recording().spawn();
        until("the game", || (hostile.count("/game/stream/") > before).then_some(())).await;
        assert_eq!(end(&mut daemon, signal), Some(0), "{signal}: {}", daemon.log());
        assert!(daemon.log().contains("left_running=1"), "{signal}: {}", daemon.log());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e15_who_was_started_by_nohup_outlives_the_terminal() {
    if !can(&["nohup", "true"]) {
        return;
    }
    let hostile = quiet_server().await;
    let mut daemon = Start::wrapped(&["nohup"], &hostile.url(), TOKEN).spawn();
    until("the game", || (hostile.count("/game/stream/") > 0).then_some(())).await;
    daemon.signal("HUP");
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(end(&mut daemon, "TERM"), Some(0));
    assert_eq!(daemon.log().matches("no new games").count(), 1, "{}", daemon.log());
}

/// The first process of a container: signals that it does not handle are not delivered to it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e15_as_the_first_process_it_ends_when_asked() {
    let by = ["unshare", "-rpf"];
    if !can(&["unshare", "-rpf", "true"]) {
        return;
    }
    let hostile = quiet_server().await;
    let mut daemon = Start::wrapped(&by, &hostile.url(), TOKEN).spawn();
    until("the game", || (hostile.count("/game/stream/") > 0).then_some(())).await;
    daemon.signal_child("TERM");
    until("the end's beginning", || daemon.log().contains("once more to stop at once").then_some(())).await;
    daemon.signal_child("TERM");
    assert_eq!(daemon.code(), Some(0), "{}", daemon.log());
    assert!(daemon.log().contains("left_running=1"), "{}", daemon.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e13_e15_it_runs_as_anybody_where_nothing_can_be_written() {
    let by = ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"];
    if !can(&[&by[..], &[env!("CARGO_BIN_EXE_rookery"), "--version"]].concat()) {
        return;
    }
    let hostile = quiet_server().await;
    let mut daemon = Start::wrapped(&by, &hostile.url(), TOKEN).recording().spawn();
    until("the game", || (hostile.count("/game/stream/") > 0).then_some(())).await;
    assert_eq!(end(&mut daemon, "TERM"), Some(0), "{}", daemon.log());
    assert_eq!(daemon.log().matches("cannot record").count(), 1, "{}", daemon.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e15_a_log_that_nobody_reads_does_not_end_it() {
    let hostile = quiet_server().await;
    let mut daemon = Start::run(&hostile.url(), TOKEN).arg("-vv").spawn_into_nothing();
    until("the game", || (hostile.count("/game/stream/") > 0).then_some(())).await;
    hostile.tell(&format!("{}\n", json!({ "type": "something new" })));
    hostile.tell(&format!("{}\n", game_start("Game0002", json!({}))));
    until("the second game", || (hostile.count("/game/stream/Game0002") > 0).then_some(())).await;
    assert_eq!(end(&mut daemon, "TERM"), Some(0));
}

/// Our move, the opponent's move, over: killed in the middle of a thought, and started again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e16_after_a_kill_the_move_comes_soon_and_nobody_is_greeted_again() {
    let ours = json!({ "moves": "e2e4 e7e5 g1f3 b8c6" });
    let events = ["Ours0001", "Theirs01", "Over0001"].map(|id| game_start(id, json!({}))).into();
    let game = move |id: &str| match id {
        "Ours0001" => vec![game_full(id, json!({}), ours.clone())],
        "Theirs01" => vec![game_full(id, json!({}), json!({ "moves": "e2e4 e7e5 g1f3" }))],
        _ => vec![game_full(
            id,
            json!({}),
            json!({ "moves": "e2e4 e7e5", "status": "resign", "winner": "white" }),
        )],
    };
    let hostile = Hostile::start(Says { events, game: Box::new(game), ..Says::default() }).await;
    let start = |think: &str| {
        let start = Start::run(&hostile.url(), TOKEN).recording().set("games.greeting", "Good luck!");
        start.set("thinking.time_ms", think).spawn()
    };
    let mut first = start("20000");
    until("the games", || (hostile.count("/game/stream/") >= 3).then_some(())).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(hostile.count("/move/"), 0, "it thinks");
    first.kill();
    let again = Instant::now();
    let _second = start("20");
    until("the move", || (hostile.count("/Ours0001/move/") > 0).then_some(())).await;
    assert!(again.elapsed() < Duration::from_secs(3), "{:?}", again.elapsed());
    until("a look at all games", || (hostile.count("/game/stream/") >= 6).then_some(())).await;
    assert_eq!((hostile.count("/chat"), hostile.count("/Theirs01/move/")), (0, 0));
}

/// Games that are over as soon as they are opened, each against somebody else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e18_five_thousand_games_take_no_more_memory_than_one_thousand() {
    const BATCH: usize = 100;
    let game = |id: &str| vec![game_full(id, json!({}), json!({ "status": "aborted" }))];
    let hostile = Hostile::start(Says { game: Box::new(game), ..Says::default() }).await;
    let daemon = Start::run(&hostile.url(), TOKEN).recording().spawn();
    ready(&hostile).await;
    let mut seen = Vec::new();
    for batch in 0..5000 / BATCH {
        let name = |n: usize| format!("G{:07}", batch * BATCH + n);
        let start =
            |n: usize| game_start(&name(n), json!({ "opponent": { "id": name(n), "username": name(n) } }));
        let lines: Vec<String> = (0..BATCH).map(start).collect();
        hostile.tell(&format!("{}\n", lines.join("\n")));
        let records = daemon.records();
        until("the games", || records.join(format!("{}.pgn", name(BATCH - 1))).exists().then_some(())).await;
        if [9, 49].contains(&batch) {
            tokio::time::sleep(Duration::from_secs(1)).await;
            seen.push((daemon.status("VmRSS"), daemon.descriptors(), daemon.status("Threads")));
        }
    }
    assert_eq!(hostile.count("/game/stream/"), 5000);
    let [(memory, descriptors, threads), (later_memory, later_descriptors, later_threads)] = seen[..] else {
        panic!("{seen:?}")
    };
    assert!(later_memory < memory + 8_000, "{seen:?}");
    assert!(later_descriptors <= descriptors + 8 && later_threads <= threads, "{seen:?}");
    assert!(Path::new(&daemon.records()).exists());
}

/// The first line of what is told at `/healthz`.
async fn health(port: u16) -> Option<String> {
    let mut connection = TcpStream::connect(("127.0.0.1", port)).await.ok()?;
    connection.write_all(b"GET /healthz HTTP/1.0\r\n\r\n").await.ok()?;
    let mut text = String::new();
    connection.read_to_string(&mut text).await.ok()?;
    text.lines().next().map(str::to_owned)
}

async fn until_health(port: u16, wanted: &str) -> Duration {
    let begun = Instant::now();
    while health(port).await.is_none_or(|told| !told.contains(wanted)) {
        assert!(begun.elapsed() < PATIENCE, "waited in vain for {wanted}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    begun.elapsed()
}

/// With two seconds of patience instead of thirty. The streams are opened anew after one, to no avail.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e19_a_server_that_is_not_heard_is_told() {
    let hostile = quiet_server().await;
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let start = Start::run(&hostile.url(), TOKEN).arg("--health").arg(&format!("127.0.0.1:{port}"));
    let start = start.set("health.silence_s", "2").set("lichess.stream_silence_s", "1");
    let _daemon = start.set("lichess.retry_max_s", "1").spawn();
    until_health(port, " 200 ").await;
    for _ in 0..2 {
        hostile.mute(true);
        until_health(port, " 503 ").await;
        hostile.mute(false);
        let back = until_health(port, " 200 ").await;
        assert!(back < Duration::from_secs(5), "{back:?}");
    }
}
