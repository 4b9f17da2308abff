//! The arbiter's office over HTTP, and the table.

use std::time::Duration;

use rookery::sandbox::SandboxOptions;
use rookery::sandbox::laws::{Lateness, Laws};
use serde_json::{Value, json};

use super::support::{Lines, Server, User, options, until};

const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 ";

async fn under(laws: Laws) -> Server {
    Server::with(SandboxOptions { laws, ..options() }).await
}

/// A request to the arbiter of a game.
async fn office(user: &User, game: &str, what: &str, form: &[(&str, &str)]) -> (u16, Value) {
    user.post(&format!("/sandbox/game/{game}/arbiter/{what}"), form).await
}

async fn sheet(server: &Server, game: &str) -> Value {
    server.nobody().get(&format!("/sandbox/game/{game}/arbiter")).await.1
}

async fn state(lines: &mut Lines) -> Value {
    lines.next_of("gameState").await
}

#[tokio::test]
async fn a_claim_with_an_announced_move_draws() {
    let server = under(Laws::FIDE_2023).await;
    let game = server.game();
    server.play(&game, &(SHUFFLE.to_owned() + "g1f3 g8f6 f3g1")).await;
    let (full, mut lines) = server.bob().watch(&game).await;
    let found = office(&server.bob(), &game, "claim/threefold", &[("move", "f6g8")]).await;
    assert_eq!(found, (200, json!({"ok": true, "right": true})));
    let last = lines.last_state(&full).await;
    assert_eq!((&last["status"], last.get("winner")), (&json!("draw"), None));
    assert!(!last["moves"].as_str().unwrap().ends_with("f6g8"), "the move is not played");
    server.stop().await;
}

#[tokio::test]
async fn a_wrong_claim_gives_time_and_binds_to_the_move() {
    let server = under(Laws::FIDE_2023).await;
    let game = server.game();
    server.play(&game, "e2e4 e7e5").await;
    let (_, mut lines) = server.bob().watch(&game).await;
    let found = office(&server.ada(), &game, "claim/fifty", &[("move", "g1f3")]).await;
    assert_eq!(found, (200, json!({"ok": true, "right": false})));
    let told = state(&mut lines).await;
    assert_eq!(
        (&told["btime"], &told["wdraw"]),
        (&json!(240_000), &json!(true)),
        "a minute more, and an offer"
    );
    assert_eq!(server.ada().refused(&game, "move/d2d4").await.1, "The announced move must be played");
    assert_eq!(sheet(&server, &game).await["announced"], "g1f3");
    server.ada().command(&game, "move/g1f3").await;
    assert_eq!(sheet(&server, &game).await.get("announced"), None);
    let (status, body) = office(&server.ada(), &game, "claim/fifty", &[]).await;
    assert_eq!((status, &body["error"]), (400, &json!("Not your turn, or game already over")));
    server.stop().await;
}

#[tokio::test]
async fn five_minutes_more_may_be_the_end() {
    let server = under(Laws::FIDE_1990).await;
    let game = server.game();
    server.play(&game, "e2e4 e7e5").await;
    office(&server.ada(), &game, "claim/threefold", &[]).await;
    let (full, mut lines) = server.ada().watch(&game).await;
    let last = lines.last_state(&full).await;
    assert_eq!((&last["status"], &last["winner"]), (&json!("outoftime"), &json!("black")));
    server.stop().await;
}

#[tokio::test]
async fn the_second_illegal_move_loses() {
    let server = under(Laws::FIDE_2023).await;
    let game = server.game();
    server.play(&game, "e2e4 e7e5").await;
    let (_, mut lines) = server.bob().watch(&game).await;
    assert_eq!(
        server.ada().refused(&game, "move/e4e5").await,
        (400, "Piece on e4 cannot move to e5".to_owned())
    );
    assert_eq!(state(&mut lines).await["btime"], 240_000);
    assert_eq!(sheet(&server, &game).await["illegalMoves"], json!({"white": 1, "black": 0}));
    server.ada().refused(&game, "move/e4e5").await;
    let last = state(&mut lines).await;
    assert_eq!((&last["status"], &last["winner"]), (&json!("unknownFinish"), &json!("black")));
    server.stop().await;
}

#[tokio::test]
async fn a_game_is_adjourned_and_taken_up_again() {
    let server = under(Laws::FIDE_1990).await;
    let game = server.game();
    server.play(&game, "e2e4 e7e5").await;
    let sealed = office(&server.ada(), &game, "adjourn", &[("move", "Nf3")]).await;
    assert_eq!(sealed, (200, json!({"ok": true})));
    assert_eq!(sheet(&server, &game).await["adjourned"], true);
    assert_eq!(server.ada().refused(&game, "move/g1f3").await.0, 400);
    let (status, body) =
        office(&server.bob(), &game, "resume", &[("fen", "8/8/8/4k3/8/8/8/4K2R w - - 0 1")]).await;
    assert_eq!((status, &body["adjourned"]), (200, &json!(false)), "{body}");
    assert!(body["incidents"].to_string().contains("restored"), "{body}");
    server.bob().command(&game, "move/b8c6").await;
    office(&server.ada(), &game, "adjourn", &[("move", "Ke2xe5")]).await;
    office(&server.bob(), &game, "resume", &[]).await;
    let (full, _) = server.bob().watch(&game).await;
    assert_eq!(
        (&full["state"]["status"], &full["state"]["winner"]),
        (&json!("unknownFinish"), &json!("black"))
    );
    server.stop().await;
}

#[tokio::test]
async fn a_void_game_is_played_again() {
    let server = under(Laws::FIDE_2023).await;
    let game = server.game();
    server.play(&game, "e2e4").await;
    let (status, body) = office(&server.bob(), &game, "report/colors", &[]).await;
    assert_eq!((status, &body["void"]), (200, &json!(true)), "{body}");
    let again = body["game"].as_str().unwrap();
    let (full, _) = server.bob().watch(again).await;
    assert_eq!(full["white"]["id"], "bob");
    let (full, _) = server.bob().watch(&game).await;
    assert_eq!(full["state"]["status"], "aborted");
    server.stop().await;
}

#[tokio::test]
async fn the_arbiter_punishes_and_declares_games_lost() {
    let server = under(Laws::FIDE_2000).await;
    let game = server.game();
    let (_, mut lines) = server.ada().watch(&game).await;
    assert_eq!(office(&server.ada(), &game, "penalty/black", &[("seconds", "30")]).await.0, 200);
    assert_eq!(state(&mut lines).await["wtime"], 210_000);
    for (what, refusal) in [("penalty/black", 400), ("penalty/red", 400), ("forfeit/red", 404), ("x", 404)] {
        assert_eq!(office(&server.ada(), &game, what, &[]).await.0, refusal, "{what}");
    }
    assert_eq!(office(&server.ada(), &game, "forfeit/both", &[]).await.0, 200);
    let told = sheet(&server, &game).await;
    assert_eq!((&told["bothLost"], &told["status"]), (&json!(true), &json!("unknownFinish")));
    let (_, pgn) = server.nobody().get(&format!("/game/export/{game}")).await;
    let pgn = pgn.as_str().unwrap().to_owned();
    assert!(pgn.contains("[Result \"*\"]") && pgn.contains("[Termination \"Rules infraction\"]"), "{pgn}");
    server.stop().await;
}

#[tokio::test]
async fn who_comes_to_the_board_is_not_late() {
    let lateness = Lateness::Loses(Duration::from_millis(1));
    let server = under(Laws { lateness, ..Laws::FIDE_2023 }).await;
    let game = server.game();
    until(async || sheet(&server, &game).await["status"] == "noStart").await;
    assert_eq!(sheet(&server, &game).await["bothLost"], true);
    server.stop().await;
}

/// FIDE 8.1.5: an offer is written beside the move with which it was made.
#[tokio::test]
async fn offers_stand_in_the_record() {
    for (laws, marked) in [(Laws::FIDE_2023, true), (Laws::LICHESS, false)] {
        let server = under(laws).await;
        let game = server.game();
        server.play(&game, "e2e4 e7e5").await;
        server.ada().command(&game, "move/g1f3?offeringDraw=true").await;
        let (_, pgn) = server.nobody().get(&format!("/game/export/{game}?clocks=false")).await;
        let pgn = pgn.as_str().unwrap().to_owned();
        assert_eq!(pgn.contains("2. Nf3 { (=) }"), marked, "{pgn}");
        assert_eq!(pgn.matches("(=)").count(), usize::from(marked));
        server.stop().await;
    }
}

#[tokio::test]
async fn under_the_laws_of_lichess_there_is_no_arbiter() {
    let server = Server::start().await;
    let game = server.game();
    server.play(&game, "e2e4 e7e5").await;
    for what in ["claim/threefold", "adjourn", "resume", "report/colors", "forfeit/both", "quiet-moves/75"] {
        let (status, body) = office(&server.ada(), &game, what, &[("move", "g1f3")]).await;
        assert_eq!(status, 400, "{what}: {body}");
    }
    assert_eq!(server.ada().refused(&game, "move/e4e5").await.0, 400);
    let told = sheet(&server, &game).await;
    assert_eq!((&told["laws"], &told["incidents"]), (&json!("lichess"), &json!([])));
    assert_eq!(server.nobody().post(&format!("/sandbox/game/{game}/arbiter/adjourn"), &[]).await.0, 401);
    server.stop().await;
}

#[tokio::test]
async fn two_sheets_make_one_game() {
    let server = Server::start().await;
    let sheets = [("white", "1. e4 ? 2. Nf3 Nc6"), ("black", "1. ? e5")];
    let (status, found) = server.nobody().post("/sandbox/scoresheets", &sheets).await;
    assert_eq!((status, &found["moves"], found.get("brokenAt")), (200, &json!("e2e4 e7e5 g1f3 b8c6"), None));
    let (_, found) = server.nobody().post("/sandbox/scoresheets", &sheets[..1]).await;
    assert_eq!((&found["plies"], &found["brokenAt"]), (&json!(1), &json!(1)));
    server.stop().await;
}

/// Ada beats bob, both without points: 10 move. Then a draw at a difference of 20: the lower side gains 6.
#[tokio::test]
async fn the_table_shows_score_points_and_level() {
    let server = Server::start().await;
    let game = server.game();
    server.play(&game, "f2f3 e7e5 g2g4 d8h4").await;
    let game = server.game();
    server.play(&game, &SHUFFLE.repeat(2)).await;
    let aborted = server.game();
    server.ada().command(&aborted, "abort").await;
    let (status, table) = server.nobody().get("/sandbox/standings").await;
    let bob = json!({"name": "bob", "title": "BOT", "games": 2, "won": 1, "drawn": 1, "lost": 0,
        "score": 1.5, "points": 4.0, "level": null});
    assert_eq!((status, &table[0]), (200, &bob));
    assert_eq!((&table[1]["name"], &table[1]["score"]), (&json!("ada"), &json!(0.5)));
    assert_eq!((&table[2]["name"], &table[2]["points"]), (&json!("Hugo"), &json!(0.0)));
    let (_, text) = server.nobody().get("/sandbox/standings.txt").await;
    let expected = "player  games   won  drawn  lost  score    points  level\n\
                    bob         2     1      1     0     1½         4      -\n\
                    ada         2     0      1     1      ½        -4      -\n\
                    Hugo        0     0      0     0      0         0      -\n";
    assert_eq!(text, expected);
    server.stop().await;
}

/// Three players: each rests once and meets each other once; then no round is left.
#[tokio::test]
async fn rounds_are_paired_by_the_table() {
    let server = Server::start().await;
    let clock = [("players", "ada,bob,hugo"), ("clock.limit", "180"), ("clock.increment", "0")];
    let mut met = Vec::new();
    for _ in 0..3 {
        let (status, round) = server.ada().post("/sandbox/round", &clock).await;
        assert_eq!((status, round["games"].as_array().map(Vec::len)), (200, Some(1)), "{round}");
        let again = server.ada().post("/sandbox/round", &clock).await;
        assert_eq!((again.0, &again.1["error"]), (400, &json!("A game of these players still goes on")));
        let game = &round["games"][0];
        let id = game["id"].as_str().unwrap().to_owned();
        met.push(round["rests"].as_str().unwrap().to_owned());
        // White gives up, after the plies in which that would abort.
        let (white, black) = (game["white"].as_str().unwrap(), game["black"].as_str().unwrap());
        for (name, command) in [(white, "move/e2e4"), (black, "move/e7e5"), (white, "resign")] {
            let user = server.user(&format!("tok_{}", name.to_lowercase()));
            let base = if name == "Hugo" { "board" } else { "bot" };
            assert_eq!(user.post(&format!("/api/{base}/game/{id}/{command}"), &[]).await.0, 200);
        }
    }
    met.sort();
    assert_eq!(met, ["ada", "bob", "hugo"]);
    let (status, refused) = server.ada().post("/sandbox/round", &clock).await;
    assert_eq!(status, 400, "{refused}");
    assert_eq!(
        server.ada().post("/sandbox/round", &[("players", "ada,eve"), clock[1], clock[2]]).await.0,
        400
    );
    server.stop().await;
}
