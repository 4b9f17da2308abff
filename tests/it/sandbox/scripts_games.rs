//! Whole games between accounts that the sandbox plays by a script.

use std::time::Duration;

use rookery::chess::{History, Variant};
use rookery::sandbox::{
    GameSetup, Moves, Outgoing, RequestLimits, Sandbox, SandboxOptions, Script, TokenSpec, UserSpec,
};
use tokio::net::TcpListener;

use super::support::{Server, options, until};

/// A scripted account to which one can log in as well, to look at its games.
fn watched(name: &str, script: Script) -> UserSpec {
    let tokens = vec![TokenSpec::playing(&format!("tok_{name}"))];
    UserSpec { tokens, ..UserSpec::scripted(name, script) }
}

#[tokio::test]
async fn random_players_finish_games_of_every_variant_by_the_laws() {
    let random = |name| watched(name, Script::default());
    let server =
        Server::with(SandboxOptions { users: vec![random("rosa"), random("rolf")], ..options() }).await;
    let variants: Vec<Variant> =
        Variant::ALL.into_iter().filter(|variant| *variant != Variant::FromPosition).collect();
    for variant in &variants {
        for _ in 0..2 {
            let mut setup = GameSetup::new("rosa", "rolf", Duration::from_secs(180), Duration::ZERO);
            setup.variant = *variant;
            server.sandbox.create_game(&setup).unwrap();
        }
    }
    until(async || server.sandbox.games().iter().all(|game| !game.live)).await;
    for game in server.sandbox.games() {
        let (full, _) = server.user("tok_rosa").watch(&game.id).await;
        let fen = full["initialFen"].as_str().filter(|fen| *fen != "startpos");
        let moves = full["state"]["moves"].as_str().unwrap();
        let start = game.variant.start(fen).unwrap();
        let history = History::from_uci(start, moves.split_whitespace()).unwrap();
        assert_eq!(history.ply(), game.plies, "every move is legal: {moves}");
        // The end is one of the board: nobody resigns, and nothing takes time.
        let end = (history.end().is_some(), history.occurrences() >= 3, history.ply() >= 600);
        assert_ne!(end, (false, false, false), "{} {moves}", game.status);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_level_plays_a_random_mover() {
    let level = watched("lena", Script { moves: Moves::Level(2), ..Script::default() });
    let users = vec![level, watched("rolf", Script::default())];
    let server = Server::with(SandboxOptions { users, ..options() }).await;
    let setup = GameSetup::new("lena", "rolf", Duration::from_secs(180), Duration::ZERO);
    server.sandbox.create_game(&setup).unwrap();
    until(async || server.sandbox.games()[0].plies >= 10 || !server.sandbox.games()[0].live).await;
    server.stop().await;
}

/// Moves and ends of all games that four accounts have played in a minute of a clock that nobody waits for.
async fn a_minute(seed: u64) -> Vec<String> {
    let asks = |to: &str| {
        let outgoing = Outgoing { every_ms: 700, clock: (30, 0), at_once: 2, ..Outgoing::to(to) };
        Script { think_ms: (10, 400), challenges: Some(outgoing), ..Script::default() }
    };
    let slow = Script { think_ms: (0, 300), ..Script::default() };
    let users = vec![
        watched("rosa", asks("rolf")),
        watched("rolf", slow.clone()),
        watched("ruth", asks("rolf")),
        watched("remo", slow),
    ];
    let limits = RequestLimits::NONE;
    let options = SandboxOptions { users, limits, seed: Some(seed), ..SandboxOptions::default() };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let sandbox = Sandbox::start(options, listener).await.unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
    let games = sandbox.games();
    let tell = |id: &str| {
        let pgn = sandbox.game_pgn(id).unwrap();
        // Addresses and dates differ from run to run.
        let same = |line: &&str| {
            !["[Site", "[Date", "[UTC", "[GameUrl", "[Event"].iter().any(|tag| line.starts_with(tag))
        };
        pgn.lines().filter(same).collect::<Vec<_>>().join("\n")
    };
    let told = games.iter().map(|game| format!("{game:?}\n{}", tell(&game.id))).collect();
    sandbox.stop().await;
    told
}

#[tokio::test(start_paused = true)]
async fn the_same_seed_plays_the_same_games_again() {
    let games = a_minute(5).await;
    assert!(games.len() >= 8, "{} games", games.len());
    assert_eq!(a_minute(5).await, games);
    assert_ne!(a_minute(6).await, games);
}
