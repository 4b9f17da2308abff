//! Every kind of line, and games of every variant.

use rookery::bot::session::Outcome;
use rookery::chess::{Color, Variant};
use serde_json::json;

use super::Scenario;
use super::stage::{game, game_with};
use crate::golden::stage::Setup;

pub(super) const SCENARIOS: &[Scenario] = &[
    ("lines-of-every-flag", || {
        let mut game = game_with(Color::White, |setup| {
            setup.full = json!({ "state": { "expiration": { "idleMillis": 412, "millisToMove": 16_000 } } });
        });
        game.play("e2e4 e7e5");
        for flag in ["wdraw", "bdraw", "wtakeback", "btakeback"] {
            game.state(json!({ flag: true }));
        }
        game.acted(Outcome::Done);
        game.state(json!({ "expiration": { "idleMillis": 1, "millisToMove": 16_000 } }));
        game.state(json!({ "status": "resign", "winner": "white", "rematch": "nR4gTz8c" }));
        game.entries()
    }),
    ("lines-of-chat", || {
        let mut game = game(Color::White);
        game.raw(r#"{"type":"chatLine","room":"player","username":"Ferncastle","text":"Good luck! Which engine is this?"}"#);
        game.raw(r#"{"type":"chatLine","room":"spectator","username":"Oakwatcher","text":"resign now!"}"#);
        game.raw(r#"{"type":"chatLine","room":"player","username":"lichess","text":"White offers draw"}"#);
        game.play("e2e4");
        game.raw(r#"{"type":"opponentGone","gone":true,"claimWinInSeconds":35}"#);
        game.raw(r#"{"type":"opponentGone","gone":false}"#);
        game.end("aborted", None);
        game.entries()
    }),
    ("lines-that-nobody-knows", || {
        let mut game = game(Color::White);
        for odd in include_str!("../../data/wire/odd.ndjson").lines() {
            game.raw(odd);
        }
        game.play("e2e4");
        game.end("aborted", None);
        game.entries()
    }),
    ("lines-before-the-game-is-told", || {
        let mut game = game(Color::White);
        game.play("e2e4");
        game.moves("e2e4 c7c5");
        game.raw(r#"{"type":"gameState","moves":"e2e4 c7c5"}"#);
        game.think("g1f3");
        game.answer(Outcome::Done);
        game.echo();
        game.end("resign", Some(Color::White));
        game.entries()
    }),
    ("variant-standard", || {
        let mut game = game(Color::White);
        game.play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1 g8f6");
        game.end("resign", Some(Color::White));
        game.entries()
    }),
    ("variant-chess960", || {
        let fen = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1";
        let mut game = game_with(Color::White, in_variant(Variant::Chess960, Some(fen)));
        game.play("b2b3 b7b6 c1b2 c8b7 d1b1 d8b8");
        game.end("resign", Some(Color::White));
        game.entries()
    }),
    ("variant-from-position", || {
        let fen = "8/5pk1/6p1/8/3K4/8/1R6/8 b - - 3 41";
        let mut game = game_with(Color::White, in_variant(Variant::FromPosition, Some(fen)));
        game.play("g7f6 b2b7 g6g5");
        game.end("resign", Some(Color::White));
        game.entries()
    }),
    ("variant-crazyhouse", || {
        let mut game = game_with(Color::White, in_variant(Variant::Crazyhouse, None));
        game.play("e2e4 d7d5 e4d5 d8d5 P@d4 d5d6");
        game.end("resign", Some(Color::White));
        game.entries()
    }),
    ("variant-antichess", || {
        let fen = "8/8/8/8/8/2p5/8/1N6 w - - 0 1";
        let mut game = game_with(Color::Black, in_variant(Variant::Antichess, Some(fen)));
        game.play_last("b1c3", "variantEnd", Some(Color::Black));
        game.entries()
    }),
    ("variant-atomic", || {
        let mut game = game_with(Color::White, in_variant(Variant::Atomic, None));
        game.play("g1f3 a7a6 f3g5 b7b6");
        game.play_last("g5f7", "variantEnd", Some(Color::White));
        game.entries()
    }),
    ("variant-horde", || {
        let fen = "4k3/8/8/8/8/8/r7/P7 b - - 0 60";
        let mut game = game_with(Color::Black, in_variant(Variant::Horde, Some(fen)));
        game.play_last("a2a1", "variantEnd", Some(Color::Black));
        game.entries()
    }),
    ("variant-king-of-the-hill", || {
        let mut game = game_with(Color::White, in_variant(Variant::KingOfTheHill, None));
        game.play("e2e4 a7a6 e1e2 b7b6 e2e3 c7c6");
        game.play_last("e3d4", "variantEnd", Some(Color::White));
        game.entries()
    }),
    ("variant-racing-kings", || {
        let fen = "8/6K1/8/8/8/8/1k6/8 w - - 0 40";
        let mut game = game_with(Color::White, in_variant(Variant::RacingKings, Some(fen)));
        game.play_last("g7g8", "variantEnd", Some(Color::White));
        game.entries()
    }),
    ("variant-three-check", || {
        let mut game = game_with(Color::Black, in_variant(Variant::ThreeCheck, None));
        game.play("e2e4 d7d6 f1b5 c7c6 b5c6 b7c6 d1h5 a7a6");
        game.play_last("h5f7", "variantEnd", Some(Color::White));
        game.entries()
    }),
];

fn in_variant(variant: Variant, fen: Option<&'static str>) -> impl FnOnce(&mut Setup) {
    move |setup| (setup.variant, setup.fen) = (variant, fen)
}
