//! Every way in which a game ends.

use rookery::bot::ResignPolicy;
use rookery::bot::session::{Loss, Outcome};
use rookery::chess::{Color, Variant};
use serde_json::json;

use super::Scenario;
use super::stage::{game, game_with};

const FOOLS_MATE: &str = "f2f3 e7e5 g2g4";
const OPENING: &str = "e2e4 e7e5 g1f3 b8c6";

pub(super) const SCENARIOS: &[Scenario] = &[
    ("end-mate-won", || {
        let mut game = game(Color::Black);
        game.play(FOOLS_MATE);
        game.play_last("d8h4", "mate", Some(Color::Black));
        game.entries()
    }),
    ("end-mate-lost", || {
        let mut game = game(Color::White);
        game.play(FOOLS_MATE);
        game.play_last("d8h4", "mate", Some(Color::Black));
        game.entries()
    }),
    ("end-resigned-by-them", || {
        let mut game = game_with(Color::White, |setup| {
            setup.options.policy.greeting = Some("Good luck!".to_owned());
            setup.options.policy.farewell = Some("Thanks for the game.".to_owned());
        });
        game.play(OPENING);
        game.end("resign", Some(Color::White));
        game.entries()
    }),
    ("end-resigned-by-us", || {
        let mut game = game_with(Color::White, |setup| {
            setup.options.policy.resign = Some(ResignPolicy { score: -800, moves: 2 });
        });
        game.play(OPENING);
        game.think_worth("d2d4", -900);
        game.answer(Outcome::Done);
        game.echo();
        game.theirs("e5d4");
        game.think_worth("f3d4", -950);
        game.acted(Outcome::Refused { message: "not now".to_owned() });
        game.answer(Outcome::Done);
        game.echo();
        game.end("resign", Some(Color::Black));
        game.entries()
    }),
    ("end-stalemate", || {
        let mut game = game_with(Color::White, |setup| {
            (setup.variant, setup.fen) = (Variant::FromPosition, Some("7k/8/4Q1K1/8/8/8/8/8 w - - 0 1"));
        });
        game.play_last("e6f7", "stalemate", None);
        game.entries()
    }),
    ("end-draw-agreed", || {
        let mut game = game(Color::White);
        game.play(OPENING);
        for (ours, theirs) in [("f1c4", "f8c5"), ("e1h1", "g8f6")] {
            game.think_worth(ours, 5);
            game.answer(Outcome::Done);
            game.echo();
            game.theirs(theirs);
        }
        game.state(json!({ "bdraw": true }));
        game.think_worth("d2d3", 0);
        game.answer(Outcome::Done);
        game.echo();
        game.end("draw", None);
        game.entries()
    }),
    ("end-draw-repetition-claimed", || {
        let mut game = game(Color::White);
        for (ours, theirs) in [("g1f3", "g8f6"), ("f3g1", "f6g8"), ("g1f3", "g8f6"), ("f3g1", "f6g8")] {
            game.think_worth(ours, -20);
            game.answer(Outcome::Done);
            game.echo();
            game.theirs(theirs);
        }
        game.acted(Outcome::Done);
        game.think_worth("d2d4", -20);
        game.end("draw", None);
        game.entries()
    }),
    ("end-draw-repetition-not-granted", || {
        let mut game = game(Color::White);
        for (ours, theirs) in [("g1f3", "g8f6"), ("f3g1", "f6g8"), ("g1f3", "g8f6"), ("f3g1", "f6g8")] {
            game.think_worth(ours, -20);
            game.answer(Outcome::Done);
            game.echo();
            game.theirs(theirs);
        }
        game.think_worth("d2d4", -20);
        game.wait(2500);
        game.acted(Outcome::Refused { message: "no draw".to_owned() });
        game.answer(Outcome::Done);
        game.echo();
        game.end("resign", Some(Color::White));
        game.entries()
    }),
    ("end-draw-fifty-moves", || {
        let mut game = game_with(Color::White, |setup| {
            let fen = "8/8/4k3/8/8/3K4/8/R7 w - - 99 80";
            (setup.variant, setup.fen) = (Variant::FromPosition, Some(fen));
        });
        game.play_last("a1a2", "draw", None);
        game.entries()
    }),
    ("end-draw-material", || {
        let mut game = game_with(Color::White, |setup| {
            let fen = "8/8/4k3/8/8/3K4/4p3/8 w - - 0 1";
            (setup.variant, setup.fen) = (Variant::FromPosition, Some(fen));
        });
        game.play_last("d3e2", "draw", None);
        game.entries()
    }),
    ("end-out-of-time-theirs", || {
        let mut game = game(Color::White);
        game.play(OPENING);
        game.play("f1c4");
        game.state(json!({ "btime": 0, "status": "outoftime", "winner": "white" }));
        game.entries()
    }),
    ("end-out-of-time-ours", || {
        let mut game = game(Color::White);
        game.play(OPENING);
        game.state(json!({ "wtime": 0, "status": "outoftime", "winner": "black" }));
        game.entries()
    }),
    ("end-out-of-time-drawn", || {
        let mut game = game(Color::White);
        game.play(OPENING);
        game.state(json!({ "wtime": 0, "status": "outoftime" }));
        game.entries()
    }),
    ("end-aborted-by-us", || {
        let mut game = game(Color::White);
        game.play("e2e4");
        game.wait(30_000);
        game.acted(Outcome::Done);
        game.end("aborted", None);
        game.entries()
    }),
    ("end-abort-refused", || {
        let mut game = game(Color::Black);
        game.wait(30_000);
        game.acted(Outcome::Refused { message: "this game can not be aborted".to_owned() });
        game.play("e2e4 e7e5");
        game.end("resign", Some(Color::Black));
        game.entries()
    }),
    ("end-never-begun", || {
        let mut game = game_with(Color::Black, |setup| {
            let limit = json!({ "idleMillis": 412, "millisToMove": 16_000 });
            setup.full = json!({ "tournamentId": "Wk2sArn0", "state": { "expiration": limit } });
        });
        game.wait(16_000);
        game.end("noStart", Some(Color::Black));
        game.entries()
    }),
    ("end-opponent-gone-win-claimed", || {
        let mut game = game(Color::White);
        game.play(OPENING);
        game.play("f1c4");
        game.raw(r#"{"type":"opponentGone","gone":true,"claimWinInSeconds":8}"#);
        game.wait(9_500);
        game.acted(Outcome::Done);
        game.end("timeout", Some(Color::White));
        game.entries()
    }),
    ("end-opponent-gone-draw-claimed", || {
        let mut game = game_with(Color::White, |setup| {
            let fen = "8/8/4k3/8/8/3K4/4p3/7r w - - 0 40";
            (setup.variant, setup.fen) = (Variant::FromPosition, Some(fen));
        });
        game.play("d3e2 h1h8 e2d3");
        game.raw(r#"{"type":"opponentGone","gone":true,"claimWinInSeconds":0}"#);
        game.acted(Outcome::Done);
        game.end("draw", None);
        game.entries()
    }),
    ("end-opponent-comes-back", || {
        let mut game = game(Color::White);
        game.play(OPENING);
        game.play("f1c4");
        game.raw(r#"{"type":"opponentGone","gone":true,"claimWinInSeconds":8}"#);
        game.raw(r#"{"type":"opponentGone","gone":false}"#);
        game.wait(20_000);
        game.play("f8c5");
        game.end("cheat", Some(Color::White));
        game.entries()
    }),
    ("end-unknown-finish", || {
        let mut game = game(Color::White);
        game.play(OPENING);
        game.end("unknownFinish", None);
        game.entries()
    }),
    ("end-material-claimed", || {
        let mut game = game(Color::White);
        game.play(OPENING);
        game.end("insufficientMaterialClaim", None);
        game.entries()
    }),
    ("end-of-a-new-kind", || {
        let mut game = game(Color::White);
        game.play(OPENING);
        game.end("struckByLightning", Some(Color::Black));
        game.entries()
    }),
    ("end-told-by-the-account", || {
        let mut game = game(Color::White);
        game.play(OPENING);
        game.finished("resign", "white");
        game.wait(1500);
        game.entries()
    }),
    ("end-told-as-the-stream-ends", || {
        let mut game = game(Color::White);
        game.play(OPENING);
        game.finished("mate", "black");
        game.lose(Loss::Ended, json!("Ended"), "");
        game.entries()
    }),
    ("end-missing-from-the-list", || {
        let mut game = game(Color::White);
        game.play(OPENING);
        game.listed(true);
        game.listed(false);
        game.wait(36_000);
        game.entries()
    }),
];
