//! Every fault as the state machine of a game meets it.

use std::time::Duration;

use rookery::bot::session::{Loss, Outcome, Thought};
use rookery::bot::{GamePolicy, Phase};
use rookery::chess::{Color, Variant};
use serde_json::json;

use super::Scenario;
use super::stage::{Stage, game, game_with};

const OPENING: &str = "e2e4 e7e5 g1f3 b8c6";

/// A game in which we are to move at ply 4.
fn opened() -> Stage {
    let mut game = game(Color::White);
    game.play(OPENING);
    game
}

/// The same, and our move is posted.
fn posting() -> Stage {
    let mut game = opened();
    game.think("f1c4");
    game
}

fn won(mut game: Stage) -> Vec<rookery::record::Entry> {
    game.end("resign", Some(Color::White));
    game.entries()
}

fn unclear() -> Outcome {
    Outcome::Unclear { message: "no answer within 5000 ms".to_owned() }
}

fn refused() -> Outcome {
    Outcome::Refused { message: "refused with status 400: not your turn, or game already over".to_owned() }
}

pub(super) const SCENARIOS: &[Scenario] = &[
    ("fault-stream-ends", || {
        let mut game = opened();
        game.lose(Loss::Ended, json!("Ended"), "");
        game.listed(true);
        game.think("f1c4");
        game.open();
        game.answer(Outcome::Done);
        game.echo();
        won(game)
    }),
    ("fault-silence", || {
        let mut game = opened();
        game.alive();
        game.play("f1c4");
        game.wait(21_000);
        game.lose(Loss::Broken, json!("Silent"), "");
        game.moves("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
        game.open();
        game.think("e1h1");
        game.answer(Outcome::Done);
        game.echo();
        won(game)
    }),
    ("fault-cut-inside-a-line", || {
        let mut game = opened();
        game.play("f1c4");
        let half = r#"{"type":"gameState","moves":"e2e4 e7e5 g1f3 b8c6 f1c4 f8"#;
        game.lose(Loss::Broken, json!({ "Broken": "connection reset by peer" }), half);
        game.moves("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
        game.open();
        game.think("d2d3");
        game.answer(Outcome::Done);
        game.echo();
        won(game)
    }),
    ("fault-duplicate-lines", || {
        let mut game = opened();
        game.state(json!({}));
        game.state(json!({}));
        game.think("f1c4");
        game.state(json!({}));
        game.answer(Outcome::Done);
        game.echo();
        game.state(json!({}));
        won(game)
    }),
    ("fault-lost-plies", || {
        let mut game = opened();
        game.think("f1c4");
        game.answer(Outcome::Done);
        game.echo();
        game.theirs("f8c5");
        game.lose(Loss::Broken, json!({ "Broken": "unexpected eof" }), "");
        game.wait(3000);
        game.moves("e2e4 e7e5 g1f3 b8c6");
        game.open();
        game.think("f1b5");
        game.answer(Outcome::Done);
        game.echo();
        won(game)
    }),
    ("fault-another-line", || {
        let mut game = posting();
        game.moves("d2d4 d7d5 c2c4 e7e6");
        game.state(json!({}));
        game.open();
        game.think("b1c3");
        game.answer(Outcome::Done);
        game.echo();
        won(game)
    }),
    ("fault-line-out-of-order", || {
        let mut game = opened();
        game.play("f1c4");
        game.moves("e2e4 e7e5 g1f3 b8c6");
        game.state(json!({}));
        game.moves("e2e4 e7e5 g1f3 b8c6 f1c4");
        game.open();
        won(game)
    }),
    ("fault-move-refused-once", || {
        let mut game = posting();
        game.answer(refused());
        game.wait(600);
        game.open();
        game.answer(Outcome::Done);
        game.echo();
        won(game)
    }),
    ("fault-move-refused-for-good", || {
        let mut game = posting();
        game.answer(refused());
        game.wait(600);
        game.open();
        game.answer(refused());
        game.wait(600);
        game.think("f1b5");
        game.answer(refused());
        game.wait(600);
        game.listed(true);
        won(game)
    }),
    ("fault-move-of-no-game", || {
        let mut game = posting();
        game.answer(Outcome::Gone);
        game.listed(false);
        game.wait(36_000);
        game.entries()
    }),
    ("fault-move-not-allowed", || {
        let mut game = posting();
        game.answer(Outcome::Denied { message: "not allowed: missing scope bot:play".to_owned() });
        game.wait(1000);
        won(game)
    }),
    ("fault-too-many-requests", || {
        let mut game = posting();
        game.answer(Outcome::TooMany { wait_ms: 1000 });
        game.wait(1000);
        game.answer(Outcome::TooMany { wait_ms: 60_000 });
        game.wait(23_000);
        game.answer(Outcome::Done);
        game.echo();
        won(game)
    }),
    ("fault-answer-lost-move-taken", || {
        let mut game = posting();
        game.answer(unclear());
        game.echo();
        won(game)
    }),
    ("fault-answer-lost-move-not-taken", || {
        let mut game = posting();
        game.answer(unclear());
        game.wait(300);
        game.answer(unclear());
        game.wait(500);
        game.answer(Outcome::Done);
        game.echo();
        won(game)
    }),
    ("fault-answer-and-stream-lost", || {
        let mut game = posting();
        game.lose(Loss::Broken, json!({ "Broken": "connection reset by peer" }), "");
        game.answer(unclear());
        game.wait(6000);
        game.answer(refused());
        game.moves("e2e4 e7e5 g1f3 b8c6 f1c4");
        game.open();
        won(game)
    }),
    ("fault-taken-but-not-shown", || {
        let mut game = posting();
        game.answer(Outcome::Done);
        game.wait(3000);
        game.moves("e2e4 e7e5 g1f3 b8c6 f1c4");
        game.open();
        won(game)
    }),
    ("fault-clock-jump", || {
        let mut game = opened();
        game.state(json!({ "wtime": 400, "btime": 600_000 }));
        game.think("f1c4");
        game.answer(Outcome::Done);
        game.echo();
        game.state(json!({ "wtime": 2_000_000 }));
        won(game)
    }),
    ("fault-twin", || {
        let mut game = opened();
        for _ in 0..3 {
            game.lose(Loss::Ended, json!("Ended"), "");
            game.listed(true);
            game.open();
        }
        // The other program has moved for us.
        game.moves("e2e4 e7e5 g1f3 b8c6 d2d4");
        game.state(json!({}));
        won(game)
    }),
    ("fault-takeback-granted", || {
        let mut game = game_with(Color::White, |setup| setup.options.policy.takebacks = 1);
        game.play(OPENING);
        game.think("f1c4");
        game.answer(Outcome::Done);
        game.echo();
        game.theirs("f8c5");
        game.state(json!({ "btakeback": true }));
        game.acted(Outcome::Done);
        game.think("e1h1");
        game.moves("e2e4 e7e5 g1f3 b8c6 f1c4");
        game.state(json!({}));
        game.theirs("g8f6");
        game.state(json!({ "btakeback": true }));
        game.acted(Outcome::Done);
        game.think("d2d3");
        game.answer(Outcome::Done);
        game.echo();
        won(game)
    }),
    ("fault-takeback-that-never-comes", || {
        let mut game = game_with(Color::White, |setup| setup.options.policy.takebacks = 2);
        game.play(OPENING);
        game.state(json!({ "btakeback": true }));
        game.think("f1c4");
        game.wait(2500);
        game.answer(Outcome::Done);
        game.acted(unclear());
        game.echo();
        won(game)
    }),
    ("fault-stream-refused", || {
        let mut game = opened();
        while !game.is_left() {
            game.lose(Loss::Refused, json!({ "Refused": { "NotFound": { "message": "no such game" } } }), "");
            game.listed(true);
        }
        game.entries()
    }),
    ("fault-token-revoked", || {
        let mut game = posting();
        let reason = json!({ "Unauthorized": { "problem": "Token", "message": "no such token" } });
        game.lose(Loss::Denied, json!({ "Refused": reason }), "");
        game.wait(1000);
        // Some versions ask again before they leave.
        if !game.is_left() {
            game.lose(Loss::Denied, json!({ "Refused": reason }), "");
        }
        if !game.is_left() {
            game.end("resign", Some(Color::White));
        }
        game.entries()
    }),
    ("fault-moves-that-cannot-be-read", || {
        let mut game = opened();
        game.moves("e2e4 e7e5 g1f3 b8c6 a1a8");
        game.state(json!({}));
        game.moves(OPENING);
        game.open();
        game.think("f1c4");
        game.answer(Outcome::Done);
        game.echo();
        won(game)
    }),
    ("fault-draw-that-goes-on", || {
        let mut game = game_with(Color::White, |setup| {
            let fen = "8/8/8/8/8/1k6/8/KB6 b - - 98 80";
            (setup.variant, setup.fen) = (Variant::FromPosition, Some(fen));
            setup.options.policy = GamePolicy { accept_draws: None, ..GamePolicy::default() };
        });
        game.play("b3c4");
        game.wait(1000);
        game.think("b1e4");
        game.answer(Outcome::Done);
        game.echo();
        game.end("draw", None);
        game.entries()
    }),
    ("fault-search-without-a-move", || {
        let mut game = opened();
        game.found(Thought::default());
        game.answer(Outcome::Done);
        game.echo();
        won(game)
    }),
    ("fault-not-our-game", || {
        let mut game =
            game_with(Color::White, |setup| setup.full = json!({ "white": { "id": "somebody-else" } }));
        while !game.is_left() {
            game.open();
        }
        game.entries()
    }),
    ("fault-unknown-variant", || {
        let mut game = game_with(Color::White, |setup| setup.full = json!({ "variant": { "key": "duck" } }));
        while !game.is_left() {
            game.open();
        }
        game.entries()
    }),
    ("phases-drain-and-stop", || {
        let mut game = opened();
        game.phase(Phase::Draining);
        game.think("f1c4");
        game.answer(Outcome::Done);
        game.echo();
        game.theirs("f8c5");
        game.phase(Phase::Stopping);
        game.think("d2d3");
        game.answer(Outcome::Done);
        game.entries()
    }),
    ("ponder-hit-and-miss", || {
        let mut game = game_with(Color::White, |setup| setup.options.thinking.ponder = true);
        let expecting = |best: &str, reply: &str| Thought {
            best: Some(best.to_owned()),
            ponder: Some(reply.to_owned()),
            ..Thought::default()
        };
        game.found(expecting("e2e4", "e7e5"));
        game.answer(Outcome::Done);
        game.echo();
        game.theirs("e7e5");
        game.found(expecting("g1f3", "b8c6"));
        game.answer(Outcome::Done);
        game.echo();
        game.theirs("g8f6");
        game.think("f3e5");
        game.answer(Outcome::Done);
        game.echo();
        won(game)
    }),
    ("clock-of-the-budget", || {
        let mut game = game_with(Color::White, |setup| {
            setup.options.thinking.fixed = None;
            setup.options.thinking.overhead = Duration::from_millis(50);
        });
        game.play("e2e4 e7e5 g1f3");
        game.moves("e2e4 e7e5 g1f3 b8c6");
        game.state(json!({ "wtime": 20_000, "btime": 30_000 }));
        game.think("f1c4");
        game.answer(Outcome::Done);
        game.echo();
        won(game)
    }),
    ("correspondence", || {
        let mut game = game_with(Color::Black, |setup| {
            let no_time = json!({ "wtime": 259_200_000_u64, "btime": 259_200_000_u64, "winc": 0, "binc": 0 });
            setup.full =
                json!({ "speed": "correspondence", "clock": null, "daysPerTurn": 3, "state": no_time });
        });
        game.play("e2e4 c7c5");
        game.end("resign", Some(Color::Black));
        game.entries()
    }),
];
