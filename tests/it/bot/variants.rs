//! Every variant over the wire: challenges for it, and whole games.

use std::time::Duration;

use rookery::chess::{GameEnd, History, Variant};
use rookery::lichess::{ChallengeRequest, ColorWish, GameEvent, GameId, InitialFen, StreamItem, TimeControl};
use tokio::time::timeout;

use super::support::*;

/// Where a game of a variant starts, if it has no start of its own.
fn position(variant: Variant) -> Option<String> {
    let fen = "r3k2r/ppp2ppp/8/8/8/8/PPP2PPP/R3K2R w KQkq - 0 1";
    (variant == Variant::FromPosition).then(|| fen.to_owned())
}

/// A game as its stream tells it.
async fn history_of(server: &Server, game: &GameId, variant: Variant) -> History {
    let ada = Player::new(&server.sandbox.url(), "tok_ada");
    let mut stream = ada.client.game_stream(game.clone());
    let first = async {
        loop {
            if let StreamItem::Event { event: GameEvent::Full(full), .. } = stream.next().await {
                return full;
            }
        }
    };
    let full = timeout(PATIENCE, first).await.expect("the game comes");
    let fen = match &full.initial_fen {
        InitialFen::Start => None,
        InitialFen::Fen(fen) => Some(fen.as_str()),
    };
    History::from_uci(variant.start(fen).unwrap(), full.state.moves()).unwrap()
}

#[tokio::test]
async fn two_bots_play_a_game_of_every_variant_to_its_end() {
    let server = Server::start().await;
    let (ada, bob) = (Bot::ada(&server, |_| {}), Bot::bob(&server));
    let begin = |variant| {
        server.game_with("ada", "bob", |setup| (setup.variant, setup.fen) = (variant, position(variant)))
    };
    let games = Variant::ALL.map(|variant| (variant, begin(variant)));
    for (variant, game) in &games {
        let over = server.until_over(game).await;
        assert!(over.plies > 4, "{variant:?}: {over:?}");
        let history = history_of(&server, game, *variant).await;
        let (end, winner) = (history.end(), history.end().and_then(GameEnd::winner));
        let fits = match over.status {
            "mate" => matches!(end, Some(GameEnd::Checkmate { .. })),
            "variantEnd" => matches!(end, Some(GameEnd::VariantEnd { .. })),
            "stalemate" => end == Some(GameEnd::Stalemate),
            "draw" => winner.is_none() && (end.is_some() || history.occurrences() >= 3),
            _ => false,
        };
        assert!(fits && over.winner == winner, "{variant:?}: {over:?}, {end:?}");
    }
    assert_eq!((ada.drain().await.games(), bob.drain().await.games()), (10, 10));
    server.stop().await;
}

#[tokio::test]
async fn a_challenge_for_a_welcome_variant_becomes_a_game() {
    let server = Server::start().await;
    let ada = Bot::ada(&server, |options| {
        options.challenges.variants = Variant::ALL.to_vec();
        options.challenges.max_games = 10;
        options.challenges.max_games_per_opponent = 10;
    });
    let cleo = Player::cleo(&server);
    for variant in Variant::ALL {
        let request = ChallengeRequest {
            rated: false,
            time: TimeControl::Clock { limit: Duration::from_secs(180), increment: Duration::from_secs(2) },
            color: ColorWish::Black,
            variant,
            fen: position(variant),
        };
        let sent = cleo.client.create_challenge(&"ada".parse().unwrap(), &request).await.unwrap();
        let game = wait_for(variant.key(), || {
            server.sandbox.games().into_iter().find(|game| game.id == sent.id.as_str())
        });
        let game = game.await.id.parse().unwrap();
        // The bot has White and moves.
        server.until(&game, |game| game.plies == 1).await;
        cleo.client.abort(&game).await.unwrap();
    }
    assert_eq!(ada.drain().await.aborted, 10);
    server.stop().await;
}
