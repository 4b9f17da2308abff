//! Whole games.

use rookery::bot::{BotSummary, FixedLimit};
use rookery::chess::{Color, Variant};
use rookery::sandbox::CastlingNotation;

use super::support::*;

#[tokio::test]
async fn two_bots_play_a_game_to_its_end() {
    let server = Server::start().await;
    let (ada, bob) = (Bot::ada(&server, |_| {}), Bot::bob(&server));
    let game = server.game("ada", "bob");
    let over = server.until_over(&game).await;
    assert!(["mate", "draw", "stalemate"].contains(&over.status), "{over:?}");
    assert!(over.plies > 10, "{over:?}");
    let (ada, bob) = (ada.drain().await, bob.drain().await);
    assert_eq!((ada.games(), bob.games()), (1, 1));
    assert_eq!((ada.wins, ada.losses, ada.draws), (bob.losses, bob.wins, bob.draws));
    server.stop().await;
}

#[tokio::test]
async fn the_bot_beats_somebody_who_plays_anything_with_either_colour() {
    let server = Server::start().await;
    let ada = Bot::ada(&server, |options| options.challenges.max_games = 2);
    let cleo = Player::cleo(&server);
    for (white, black, color) in [("ada", "Cleo", Color::Black), ("Cleo", "ada", Color::White)] {
        let game = server.game(white, black);
        let (mut seat, state) = cleo.sit(&game).await;
        let last = seat.play_on(color, state).await;
        assert_eq!(last.winner, Some(!color), "{last:?}");
    }
    assert_eq!(ada.drain().await, BotSummary { wins: 2, ..BotSummary::default() });
    server.stop().await;
}

#[tokio::test]
async fn several_games_are_played_at_the_same_time() {
    let server = Server::start().await;
    let ada = Bot::ada(&server, |options| options.challenges.max_games = 4);
    let bob = Bot::bob(&server);
    let games: Vec<_> = (0..4).map(|_| server.game("ada", "bob")).collect();
    for game in &games {
        server.until_over(game).await;
    }
    assert_eq!(ada.drain().await.games(), 4);
    assert_eq!(bob.drain().await.games(), 4);
    server.stop().await;
}

/// The king and the rook stand where their step could be mistaken; the bot must play on whatever the spelling is.
#[tokio::test]
async fn chess960_is_played_with_castling() {
    for castling in [CastlingNotation::Auto, CastlingNotation::KingTakesRook, CastlingNotation::Legacy] {
        let server = Server::with(|options| options.castling = castling).await;
        let ada = Bot::ada(&server, |_| {});
        let cleo = Player::cleo(&server);
        let game = server.game_with("Cleo", "ada", |setup| {
            setup.variant = Variant::Chess960;
            // King g1, rook f1 and h1: castling with the rook on f1 leaves the king on its square's neighbour.
            setup.fen = Some("nqbbrnkr/pppppppp/8/8/8/8/PPPPPPPP/NQBBRNKR w KQkq - 0 1".to_owned());
        });
        let (mut seat, _) = cleo.sit(&game).await;
        for (ply, uci) in ["f1g3", "e2e4", "d1e2"].into_iter().enumerate() {
            seat.play(uci).await;
            seat.until_ply(2 * ply + 2).await;
        }
        seat.play("g1h1").await;
        let state = seat.until_ply(8).await;
        assert!(state.moves.contains(" g1h1 "), "{castling:?}: {}", state.moves);
        cleo.client.resign(&game).await.unwrap();
        assert_eq!(ada.drain().await.wins, 1, "{castling:?}");
        server.stop().await;
    }
}

/// Castling on the queen's side gives check and attacks the rook on b2: it wins at once, and nothing else does.
#[tokio::test]
async fn our_own_castling_is_taken_in_every_geometry() {
    for (variant, fen, castling) in [
        (Variant::FromPosition, "3k4/8/8/8/8/8/1r6/R3K3 w Q - 0 1", ["e1c1", "e1a1"]),
        (Variant::FromPosition, "3k4/8/8/8/8/8/1r6/R4K2 w A - 0 1", ["f1a1", "f1a1"]),
    ] {
        let server = Server::start().await;
        let ada = Bot::ada(&server, |options| options.thinking.fixed = Some(FixedLimit::Nodes(5000)));
        let cleo = Player::cleo(&server);
        let game = server.game_with("ada", "Cleo", |setup| {
            setup.variant = variant;
            setup.fen = Some(fen.to_owned());
        });
        let (mut seat, state) = cleo.sit(&game).await;
        let state = if state.moves.is_empty() { seat.until_ply(1).await } else { state };
        assert!(castling.contains(&state.moves.as_str()), "{fen}: {}", state.moves);
        cleo.client.abort(&game).await.unwrap();
        assert_eq!(ada.drain().await.aborted, 1);
        server.stop().await;
    }
}

#[tokio::test]
async fn black_moves_first_where_the_position_says_so() {
    let server = Server::start().await;
    let ada = Bot::ada(&server, |_| {});
    let cleo = Player::cleo(&server);
    let game = server.game_with("Cleo", "ada", |setup| {
        setup.variant = Variant::FromPosition;
        setup.fen = Some("8/5pk1/6p1/8/3K4/8/1R6/8 b - - 3 41".to_owned());
    });
    let (mut seat, state) = cleo.sit(&game).await;
    let state = if state.moves.is_empty() { seat.until_ply(1).await } else { state };
    assert_eq!(state.moves().count(), 1, "we moved first, as Black");
    cleo.client.resign(&game).await.unwrap();
    ada.drain().await;
    server.stop().await;
}

#[tokio::test]
async fn a_recording_and_the_game_itself_are_kept() {
    let server = Server::start().await;
    let (_dir, records) = record_dir();
    let ada = Bot::ada(&server, |options| options.record_dir = Some(records.clone()));
    let bob = Bot::bob(&server);
    let game = server.game("ada", "bob");
    server.until_over(&game).await;
    ada.drain().await;
    bob.drain().await;
    let pgn = std::fs::read_to_string(records.join(format!("{game}.pgn"))).unwrap();
    assert!(pgn.contains("[White \"ada\"]") && pgn.contains("[%eval"), "{pgn}");
    let text = std::fs::read_to_string(records.join(format!("{game}.ndjson"))).unwrap();
    for kind in ["header", "line", "input", "effects", "search", "request"] {
        assert!(text.contains(&format!("\"kind\":\"{kind}\"")), "no {kind}");
    }
    let account = std::fs::read_to_string(records.join("account.ndjson")).unwrap();
    assert!(account.contains("gameStart") && account.contains("/api/account"));
    for text in [&text, &account, &pgn] {
        assert!(!text.contains("tok_ada"), "a recording holds the token");
    }
    server.stop().await;
}
