//! Challenges over the wire; which are welcome is a table in `bot::policy`.

use std::time::Duration;

use rookery::bot::ChallengePolicy;
use rookery::chess::Variant;
use rookery::lichess::{
    AccountEvent, Challenge, ChallengeRequest, ColorWish, DeclineReason, EventStream, StreamItem, TimeControl,
};
use tokio::time::timeout;

use super::support::*;

fn blitz() -> ChallengeRequest {
    ChallengeRequest {
        rated: false,
        time: TimeControl::Clock { limit: Duration::from_secs(180), increment: Duration::from_secs(2) },
        color: ColorWish::White,
        variant: Variant::Standard,
        fen: None,
    }
}

/// The next event that `pick` is interested in.
async fn next<T>(events: &mut EventStream, pick: impl Fn(AccountEvent) -> Option<T>) -> T {
    let looking = async {
        loop {
            if let StreamItem::Event { event, .. } = events.next().await
                && let Some(picked) = pick(event)
            {
                return picked;
            }
        }
    };
    timeout(PATIENCE, looking).await.expect("the event comes")
}

/// Hugo's stream, once it is open.
async fn listen(hugo: &Player) -> EventStream {
    let mut events = hugo.client.event_stream();
    let open = async { while !matches!(events.next().await, StreamItem::Connected) {} };
    timeout(PATIENCE, open).await.unwrap();
    events
}

fn declined(event: AccountEvent) -> Option<Challenge> {
    match event {
        AccountEvent::ChallengeDeclined(challenge) => Some(challenge),
        _ => None,
    }
}

#[tokio::test]
async fn a_welcome_challenge_becomes_a_game() {
    let server = Server::start().await;
    let ada = Bot::ada(&server, |_| {});
    let cleo = Player::cleo(&server);
    let challenge = cleo.client.create_challenge(&"ada".parse().unwrap(), &blitz()).await.unwrap();
    let game = challenge.id.game();
    wait_for("the game", || server.sandbox.games().into_iter().find(|summary| summary.id == game.as_str()))
        .await;
    let (mut seat, _) = cleo.sit(&game).await;
    seat.play("e2e4").await;
    seat.until_ply(2).await;
    cleo.client.resign(&game).await.unwrap();
    assert_eq!(ada.drain().await.wins, 1);
    server.stop().await;
}

type Change = fn(&mut ChallengePolicy, &mut ChallengeRequest);

#[tokio::test]
async fn each_refusal_says_why() {
    let cases: [(DeclineReason, Change); 8] = [
        (DeclineReason::Casual, |policy, request| (policy.rated, request.rated) = (false, true)),
        (DeclineReason::Rated, |policy, _| policy.casual = false),
        (DeclineReason::OnlyBot, |policy, _| policy.humans = false),
        (DeclineReason::Generic, |policy, _| policy.block = vec!["hugo".parse().unwrap()]),
        (DeclineReason::Standard, |policy, request| {
            (policy.variants, request.variant) = (vec![Variant::Standard], Variant::Chess960);
        }),
        (DeclineReason::TooFast, |policy, _| policy.base.from = Duration::from_secs(300)),
        (DeclineReason::TooSlow, |policy, _| policy.base.to = Duration::from_secs(60)),
        (DeclineReason::TimeControl, |_, request| request.time = TimeControl::Correspondence { days: 2 }),
    ];
    for (reason, change) in cases {
        let server = Server::start().await;
        let mut request = blitz();
        let ada = Bot::ada(&server, |options| change(&mut options.challenges, &mut request));
        let hugo = Player::hugo(&server);
        let mut events = listen(&hugo).await;
        hugo.client.create_challenge(&"ada".parse().unwrap(), &request).await.unwrap();
        let answer = next(&mut events, declined).await;
        let key = answer.decline_reason.as_deref().and_then(DeclineReason::from_key);
        assert_eq!(key, Some(reason), "{answer:?}");
        assert_eq!(ada.drain().await.games(), 0);
        drop(events);
        server.stop().await;
    }
}

#[tokio::test]
async fn a_challenge_waits_for_its_place_and_the_rest_is_declined() {
    let server = Server::start().await;
    let ada = Bot::ada(&server, |options| {
        options.challenges.max_games = 1;
        options.challenges.max_held = 1;
    });
    let cleo = Player::cleo(&server);
    let bob = Player::new(&server.sandbox.url(), "tok_bob");
    let first = server.game("Cleo", "ada");
    let (mut seat, _) = cleo.sit(&first).await;
    seat.play("e2e4").await;
    seat.until_ply(2).await;
    let held = bob.client.create_challenge(&"ada".parse().unwrap(), &blitz()).await.unwrap();
    let bob_events = listen(&bob).await;
    cleo.client.resign(&first).await.unwrap();
    let game = held.id.game();
    wait_for("bob's game", || server.sandbox.games().into_iter().find(|summary| summary.id == game.as_str()))
        .await;
    bob.client.abort(&game).await.unwrap();
    let summary = ada.drain().await;
    assert_eq!((summary.wins, summary.aborted), (1, 1));
    drop(bob_events);
    server.stop().await;
}

#[tokio::test]
async fn our_own_challenge_is_not_answered() {
    let server = Server::start().await;
    let ada = Bot::ada(&server, |_| {});
    let ada_by_hand = Player::new(&server.sandbox.url(), "tok_ada");
    let cleo = Player::cleo(&server);
    let mut events = listen(&cleo).await;
    let own = ada_by_hand.client.create_challenge(&"cleo".parse().unwrap(), &blitz()).await.unwrap();
    let seen = next(&mut events, |event| match event {
        AccountEvent::Challenge(challenge) => Some(challenge),
        _ => None,
    })
    .await;
    assert_eq!(seen.id, own.id);
    // Were it declined by the bot, accepting would be refused.
    cleo.client.accept_challenge(&own.id).await.unwrap();
    let game = own.id.game();
    server.until(&game, |summary| summary.plies > 0).await;
    cleo.client.resign(&game).await.unwrap();
    ada.drain().await;
    drop(events);
    server.stop().await;
}
