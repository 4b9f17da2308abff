//! What a server or an opponent may try.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use rookery::bot::session::{Input, Session, SessionOptions};
use rookery::bot::{GamePolicy, Thinking};
use rookery::chess::pgn::Games;
use rookery::lichess::GameEvent;
use rookery::sandbox::{GameSetup, Sandbox, SandboxOptions, Scope, TokenSpec, UserSpec};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::hostile::{Hostile, Says, game_full, game_start};
use crate::daemon::{Daemon, Start, until};

const TOKEN: &str = "lip_TESTTOKEN0123456789";

/// Forges a line of a log, clears the screen, sets its title, turns the direction of writing, begins a sequence in
/// one character.
const EVIL: &str =
    "bob\n2031-01-01T00:00:00Z ERROR token invalid\r\u{1b}[2J\u{1b}]0;x\u{7}\u{202e}gnp\u{9b}31m";

/// Whether a text can do more than be read, line by line.
fn steers(text: &str) -> bool {
    let odd =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().any(|c| (c.is_control() && c != '\n') || odd(c))
}

fn names(dir: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(dir).unwrap().map(name).collect();
    names.sort();
    names
}

/// The lines of a game that Black has won.
fn lost_game(id: &str, change: Value) -> Vec<String> {
    let end = json!({ "moves": "f2f3 e7e5 g2g4 d8h4", "status": "mate", "winner": "black" });
    vec![game_full(id, change, end)]
}

/// `rookery check` against this server: its code and all that it says.
async fn check(url: &str, token: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
    command.args(["check", "--log", "trace,mio=warn", "--set", &format!("lichess.url={url}")]);
    command.env("ROOKERY_TOKEN", token).env_remove("ROOKERY_CONFIG").current_dir("/");
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e01_the_token_stands_nowhere_though_all_is_logged() {
    let users = vec![UserSpec::bot("victim", TOKEN), UserSpec::bot("other", "tok_other")];
    let options = SandboxOptions { users, ..SandboxOptions::default() };
    let sandbox = Sandbox::start(options, TcpListener::bind("127.0.0.1:0").await.unwrap()).await.unwrap();
    let _other = Start::run(&sandbox.url(), "tok_other").spawn();
    let loud = Start::run(&sandbox.url(), TOKEN).recording().arg("--log").arg("trace,mio=warn");
    let mut victim = loud.spawn();
    let clock = (Duration::from_secs(30), Duration::ZERO);
    sandbox.create_game(&GameSetup::new("victim", "other", clock.0, clock.1)).unwrap();
    until("the end of the game", || sandbox.games().iter().all(|game| !game.live).then_some(())).await;
    let arguments = victim.arguments();
    victim.signal("TERM");
    assert_eq!(victim.code(), Some(0));
    let (code, checked) = check(&sandbox.url(), TOKEN).await;
    assert_eq!(code, Some(0), "{checked}");
    let (log, recorded) = (victim.log(), victim.recorded());
    assert!(
        log.contains("/move/") && log.contains("hyper") && recorded.contains("/move/"),
        "not all is logged"
    );
    for (what, text) in [("log", &log), ("record", &recorded), ("check", &checked), ("arguments", &arguments)]
    {
        assert!(!text.contains("TESTTOKEN"), "the token stands in the {what}");
    }
    sandbox.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e01_a_server_that_quotes_the_token_does_not_bring_it_into_a_log() {
    let says = Says {
        account: json!({ "id": "quillbot", "username": TOKEN, "title": "BOT" }),
        events: vec![
            json!({ "type": TOKEN, "token": TOKEN }).to_string(),
            game_start("Game0001", json!({ "opponent": { "id": "bob", "username": TOKEN } })),
        ],
        game: Box::new(|id| lost_game(id, json!({ "black": { "id": "bob", "name": TOKEN } }))),
        ..Says::default()
    };
    let hostile = Hostile::start(says).await;
    let mut daemon = Start::run(&hostile.url(), TOKEN).recording().arg("-vv").spawn();
    until("the record of the game", || daemon.records().join("Game0001.pgn").exists().then_some(())).await;
    daemon.signal("TERM");
    assert_eq!(daemon.code(), Some(0));
    assert!(!daemon.log().contains(TOKEN), "{}", daemon.log());
    assert!(!daemon.recorded().contains(TOKEN), "{}", daemon.recorded());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e02_nothing_is_sent_to_where_a_redirect_points() {
    for status in [301, 302, 307, 308] {
        let elsewhere = Hostile::start(Says::default()).await;
        let says = Says { redirect: Some((status, elsewhere.url())), ..Says::default() };
        let hostile = Hostile::start(says).await;
        let mut daemon = Start::run(&hostile.url(), TOKEN).spawn();
        assert_eq!(daemon.code(), Some(5), "{}", daemon.log());
        assert!(daemon.log().contains("which is not followed"), "{}", daemon.log());
        let (asked, there) = (hostile.asked(), elsewhere.asked());
        assert!(asked.iter().all(|asked| asked.authorization.is_some()) && !asked.is_empty(), "{asked:?}");
        assert!(there.is_empty(), "{there:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e03_a_wrong_token_ends_it_at_the_start_with_a_code_of_its_own() {
    let scoped = |name: &str, token: &str, scopes: Vec<Scope>| UserSpec {
        tokens: vec![TokenSpec { token: token.to_owned(), scopes }],
        ..UserSpec::bot(name, token)
    };
    let users = vec![
        UserSpec::human("Hugo", "tok_hugo"),
        scoped("ada", "tok_ada", Vec::new()),
        scoped("bob", "tok_bob", vec![Scope::ChallengeRead]),
    ];
    let options = SandboxOptions { users, ..SandboxOptions::default() };
    let sandbox = Sandbox::start(options, TcpListener::bind("127.0.0.1:0").await.unwrap()).await.unwrap();
    for (token, code, says) in [
        ("tok_nobody", 4, "check the token"),
        (&"x".repeat(512), 4, "check the token"),
        (&"x".repeat(513), 3, "at most 512 are possible"),
        ("tok_hugo", 4, "Hugo is not a BOT account"),
        ("tok_ada", 4, "bot:play"),
    ] {
        let mut daemon = Start::run(&sandbox.url(), token).spawn();
        assert_eq!(daemon.code(), Some(code), "{token}: {}", daemon.log());
        assert!(daemon.log().contains(says), "{token}: {}", daemon.log());
    }
    let (code, said) = check(&sandbox.url(), "tok_bob").await;
    assert!(code == Some(4) && said.contains("lacks the scope bot:play"), "{said}");
    sandbox.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e03_a_token_that_is_revoked_ends_it_after_a_few_requests() {
    let says = Says {
        events: vec![game_start("Game0001", json!({ "isMyTurn": false }))],
        game: Box::new(|id| vec![game_full(id, json!({}), json!({ "moves": "e2e4" }))]),
        ..Says::default()
    };
    let hostile = Hostile::start(says).await;
    let mut daemon = Start::run(&hostile.url(), TOKEN).set("lichess.retry_max_s", "1").spawn();
    until("the game", || (hostile.count("/game/stream/") >= 1).then_some(())).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let before = hostile.asked().len();
    hostile.deny();
    assert_eq!(daemon.code(), Some(4), "{}", daemon.log());
    assert!(daemon.log().contains("does not let us in"), "{}", daemon.log());
    let after: Vec<String> = hostile.asked().into_iter().skip(before).map(|asked| asked.path).collect();
    assert!((3..=6).contains(&after.len()), "the first refusal and at most five more: {after:?}");
}

/// A session that waits for Black, and has greeted.
fn waiting_session() -> Session {
    let policy = GamePolicy { greeting: Some("Good luck!".to_owned()), ..GamePolicy::default() };
    let options = SessionOptions {
        game: "Game0001".parse().unwrap(),
        us: "quillbot".parse().unwrap(),
        info: None,
        thinking: Thinking::default(),
        policy,
        surplus: false,
    };
    let mut session = Session::new(options);
    session.handle(Duration::ZERO, Input::Connected);
    let full = game_full("Game0001", json!({}), json!({ "moves": "e2e4" }));
    session.handle(Duration::ZERO, line(&full));
    session
}

fn line(text: &str) -> Input {
    Input::Line { age_ms: 0, event: Box::new(GameEvent::from_line(text.as_bytes())) }
}

/// What people type to make a bot talk.
fn chat(n: usize) -> String {
    let long = if n.is_multiple_of(1000) { "x".repeat(100_000) } else { "gg".to_owned() };
    let texts = ["", "!eval", "!eval; rm -rf /", "!help", "%s%n{}", &long];
    let names = ["bob", "spectator", "quillbot", "lichess", ""];
    let room = if n.is_multiple_of(2) { "player" } else { "spectator" };
    let (text, name) = (texts[n % texts.len()], names[n % names.len()]);
    json!({ "type": "chatLine", "room": room, "username": name, "text": text }).to_string()
}

/// A thousand lines a second may take a twentieth of the time.
#[test]
fn e07_a_flood_of_chat_is_answered_by_nothing() {
    let mut session = waiting_session();
    let lines: Vec<String> = (0..100_000).map(chat).collect();
    let begun = Instant::now();
    for (n, text) in lines.iter().enumerate() {
        let effects = session.handle(Duration::from_millis(n as u64), line(text));
        assert_eq!(effects, []);
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e07_a_flood_of_chat_does_not_keep_a_move_back() {
    let says = Says {
        events: vec![game_start("Game0001", json!({}))],
        game: Box::new(|id| {
            let mut lines = vec![game_full(id, json!({}), json!({ "moves": "e2e4" }))];
            lines.extend((0..100_000).map(chat));
            lines.push(json!({ "type": "chatLine" }).to_string());
            let state = json!({ "type": "gameState", "moves": "e2e4 e7e5", "wtime": 60_000, "btime": 60_000,
                "winc": 0, "binc": 0, "status": "started" });
            lines.push(state.to_string());
            lines
        }),
        ..Says::default()
    };
    let hostile = Hostile::start(says).await;
    let daemon = Start::run(&hostile.url(), TOKEN).recording().set("games.greeting", "Good luck!").spawn();
    until("the move", || (hostile.count("/move/") > 0).then_some(())).await;
    assert!(hostile.count("/chat") <= 1, "only the greeting");
    assert!(daemon.status("VmRSS") < 200_000, "{} kB", daemon.status("VmRSS"));
}

/// A daemon that has seen evil names wherever there are names, with its log in this format.
async fn after_evil(format: &str) -> Daemon {
    let player = json!({ "id": "bob", "name": EVIL, "title": EVIL });
    let says = Says {
        account: json!({ "id": "quillbot", "username": EVIL, "title": "BOT" }),
        events: vec![
            json!({ "type": EVIL }).to_string(),
            game_start("Game0002", json!({ "variant": { "key": EVIL } })),
            game_start("Game0003", json!({ "opponent": { "id": "eve", "username": EVIL } })),
            game_start("Game0001", json!({ "opponent": { "id": "bob", "username": EVIL } })),
        ],
        game: Box::new(move |id| match id {
            "Game0003" => vec![game_full(id, json!({ "variant": { "key": EVIL } }), json!({}))],
            _ => lost_game(id, json!({ "black": player, "speed": EVIL })),
        }),
        ..Says::default()
    };
    let hostile = Hostile::start(says).await;
    let start = Start::run(&hostile.url(), TOKEN).recording();
    let mut daemon = start.arg("-vv").arg("--log-format").arg(format).spawn();
    until("the record of the game", || daemon.records().join("Game0001.pgn").exists().then_some(())).await;
    daemon.signal("TERM");
    assert_eq!(daemon.code(), Some(0));
    assert!(daemon.log().contains("2031-01-01"), "the name is logged somewhere");
    daemon
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e08_names_cannot_forge_lines_or_steer_the_terminal() {
    for format in ["text", "json"] {
        let daemon = after_evil(format).await;
        let log = daemon.log();
        assert!(!steers(&log), "{format}: {log:?}");
        for line in log.lines() {
            let is_event = match format {
                "json" => serde_json::from_str::<Value>(line).is_ok_and(|event| event["level"].is_string()),
                _ => !line.starts_with("2031") && line.starts_with("20") && line.contains("rookery::"),
            };
            assert!(is_event, "{format}: {line:?}");
        }
        assert!(!steers(&daemon.recorded()), "{:?}", daemon.recorded());
    }
    let says = Says { account: json!({ "id": "x", "username": EVIL, "title": "BOT" }), ..Says::default() };
    let (code, said) = check(&Hostile::start(says).await.url(), TOKEN).await;
    assert!(code == Some(4) && said.contains("\\u{1b}[2J") && !steers(&said), "{said:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e09_no_name_or_id_leads_out_of_the_directory() {
    let long = "x".repeat(300);
    let bad =
        ["../../etc/cron.d/x", "a/b", "..", "CON", "nul.", &long, "x\0yzabcd", "../../..", "Game 001", ""];
    let mut events: Vec<String> = bad.iter().map(|id| game_start(id, json!({}))).collect();
    events.extend(["Linked01", "Linked02", "Game0001"].map(|id| game_start(id, json!({}))));
    let game = |id: &str| lost_game(id, json!({ "black": { "id": "bob", "name": "../../x" } }));
    let hostile = Hostile::start(Says { events, game: Box::new(game), ..Says::default() }).await;
    let start = Start::run(&hostile.url(), TOKEN).recording();
    let (dir, outside) = (start.dir().to_owned(), start.dir().join("outside"));
    fs::create_dir(dir.join("records")).unwrap();
    fs::write(&outside, "mine").unwrap();
    for name in ["Linked01.ndjson", "Linked02.pgn"] {
        std::os::unix::fs::symlink(&outside, dir.join("records").join(name)).unwrap();
    }
    fs::write(dir.join("records/Game0001.pgn"), "an older game").unwrap();
    let mut daemon = start.spawn();
    let second = daemon.records().join("Game0001.2.pgn");
    until("the record of the game", || second.exists().then_some(())).await;
    daemon.signal("TERM");
    assert_eq!(daemon.code(), Some(0));
    assert_eq!(fs::read_to_string(&outside).unwrap(), "mine");
    assert_eq!(fs::read_to_string(daemon.records().join("Game0001.pgn")).unwrap(), "an older game");
    assert_eq!(names(daemon.dir()), ["outside", "records", "stderr"]);
    let expected = ["Game0001.2.pgn", "Game0001.ndjson", "Game0001.pgn", "Linked01.ndjson", "Linked01.pgn"];
    assert_eq!(names(&daemon.records())[..5], expected);
    let streams = hostile.asked().into_iter().filter(|asked| asked.path.contains("/game/stream/"));
    assert!(
        streams.into_iter().all(|asked| asked.method == "GET" && asked.path.len() == 29),
        "an odd id was asked for"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e10_a_name_cannot_write_tags() {
    let name = "bob\"]\n[Result \"1-0\"]\n[X \"\\";
    let game =
        move |id: &str| lost_game(id, json!({ "black": { "id": "bob", "name": name, "title": name } }));
    let events = vec![game_start("Game0001", json!({}))];
    let hostile = Hostile::start(Says { events, game: Box::new(game), ..Says::default() }).await;
    let daemon = Start::run(&hostile.url(), TOKEN).recording().spawn();
    let path = daemon.records().join("Game0001.pgn");
    let text = until("the record of the game", || {
        fs::read_to_string(&path).ok().filter(|text| text.ends_with("0-1\n\n") || text.ends_with("0-1\n"))
    })
    .await;
    let games: Vec<_> = Games::new(&text).map(Result::unwrap).collect();
    let [game] = games.as_slice() else { panic!("one game: {text}") };
    let written = "bob\"]\\u{a}[Result \"1-0\"]\\u{a}[X \"\\";
    assert_eq!((game.tag("Black"), game.tag("BlackTitle")), (Some(written), Some(written)));
    assert_eq!((game.result().as_str(), game.tag("X")), ("0-1", None), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn e11_what_is_no_position_and_no_move_goes_no_further() {
    let command = "setoption name Debug Log File value written";
    let fen = format!("8/8/8/8/8/8/8/K1k5 w - - 0 1\n{command}");
    let games: Vec<(&str, Value, Value)> = vec![
        ("Game0001", json!({ "initialFen": fen, "variant": { "key": "fromPosition" } }), json!({})),
        ("Game0002", json!({}), json!({ "moves": "e2e4 e7e5\nquit" })),
        ("Game0003", json!({}), json!({ "moves": format!("e2e4 e7e5 {command}") })),
        ("Game0004", json!({ "variant": { "key": "../x" } }), json!({})),
        ("Game0005", json!({ "variant": { "key": "standard\nquit" } }), json!({})),
        ("Game0006", json!({ "initialFen": "\u{0}" }), json!({})),
        ("Game0007", json!({ "initialFen": "9/8/8/8/8/8/8/99999999999999999999 w - - 0 1" }), json!({})),
    ];
    let mut events: Vec<String> = games.iter().map(|(id, ..)| game_start(id, json!({}))).collect();
    events.push(game_start("Game0009", json!({})));
    let game = move |id: &str| match games.iter().find(|(known, ..)| *known == id) {
        Some((_, change, state)) => vec![game_full(id, change.clone(), state.clone())],
        None => vec![game_full(id, json!({}), json!({}))],
    };
    let hostile = Hostile::start(Says { events, game: Box::new(game), ..Says::default() }).await;
    // A game too many would be called off.
    let daemon = Start::run(&hostile.url(), TOKEN).set("challenges.max_games", "16").spawn();
    until("the move in a game that is one", || (hostile.count("/Game0009/move/") > 0).then_some(())).await;
    until("a look at all games", || {
        (1..=7).all(|n| hostile.count(&format!("/stream/Game000{n}")) > 0).then_some(())
    })
    .await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    for asked in hostile.asked() {
        assert!(!asked.path.contains("/move/") || asked.path.contains("/Game0009/"), "{}", asked.path);
    }
    assert_eq!(names(daemon.dir()), ["stderr"]);
    assert!(!steers(&daemon.log()), "{}", daemon.log());
}
