//! The client against the sandbox. They share no types, so that where they agree, two readings of the API agree.

use std::sync::Arc;
use std::time::Duration;

use rookery::chess::{Color, Variant};
use rookery::lichess::{
    AccountEvent, AiRequest, Answer, ApiError, Challenge, ChallengeRequest, Client, ClientOptions, ColorWish,
    DeclineReason, Disposition, DrawOffer, EventStream, GameEvent, GameId, GameState, GameStream, LostReason,
    NoTap, Room, Speed, Status, StreamItem, TimeControl, Token,
};
use rookery::sandbox::{RequestLimits, Sandbox, SandboxOptions, UserSpec};
use tokio::net::TcpListener;
use tokio::time::timeout;

/// Nothing here takes that long: a test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(20);

async fn sandbox() -> Sandbox {
    let options = SandboxOptions {
        users: vec![UserSpec::bot("Ada", "tok_ada"), UserSpec::bot("Bob", "tok_bob")],
        limits: RequestLimits::NONE,
        tick: Duration::from_millis(2),
        seed: Some(1),
        ..SandboxOptions::default()
    };
    Sandbox::start(options, TcpListener::bind("127.0.0.1:0").await.unwrap()).await.unwrap()
}

fn client(sandbox: &Sandbox, token: &str) -> Client {
    let options = ClientOptions::new(sandbox.url(), Token::new(token.to_owned()).unwrap());
    Client::new(options, Arc::new(NoTap)).unwrap()
}

/// The next event of the account that `pick` wants; others are passed over.
async fn event<T>(stream: &mut EventStream, pick: impl Fn(AccountEvent) -> Option<T>) -> T {
    let wanted = async {
        loop {
            match stream.next().await {
                StreamItem::Event { event, .. } => {
                    assert!(!matches!(event, AccountEvent::Unknown(_)), "{event:?}");
                    if let Some(wanted) = pick(event) {
                        return wanted;
                    }
                }
                StreamItem::Connected | StreamItem::KeepAlive => {}
                StreamItem::Lost(reason) => panic!("{reason:?}"),
            }
        }
    };
    timeout(PATIENCE, wanted).await.unwrap()
}

/// The next event of a game.
async fn line(stream: &mut GameStream) -> GameEvent {
    let wanted = async {
        loop {
            match stream.next().await {
                StreamItem::Event { event, .. } => return event,
                StreamItem::Connected | StreamItem::KeepAlive => {}
                StreamItem::Lost(reason) => panic!("{reason:?}"),
            }
        }
    };
    timeout(PATIENCE, wanted).await.unwrap()
}

/// The next state of a game that `pick` wants; others are passed over.
async fn state(stream: &mut GameStream, pick: impl Fn(&GameState) -> bool) -> GameState {
    let wanted = async {
        loop {
            match line(stream).await {
                GameEvent::State(state) if pick(&state) => return state,
                GameEvent::Unknown(raw) => panic!("{raw}"),
                _ => {}
            }
        }
    };
    timeout(PATIENCE, wanted).await.unwrap()
}

fn challenge(event: AccountEvent) -> Option<Challenge> {
    match event {
        AccountEvent::Challenge(challenge) => Some(challenge),
        _ => None,
    }
}

fn request() -> ChallengeRequest {
    ChallengeRequest {
        rated: false,
        time: TimeControl::Clock { limit: Duration::from_secs(180), increment: Duration::from_secs(2) },
        color: ColorWish::White,
        variant: Variant::Standard,
        fen: None,
    }
}

/// Ada challenges Bob, who accepts.
async fn start_game(ada: &Client, bob: &Client) -> GameId {
    let mut events = bob.event_stream();
    let made = ada.create_challenge(&"Bob".parse().unwrap(), &request()).await.unwrap();
    let seen = event(&mut events, challenge).await;
    assert_eq!((&seen.id, seen.time_control, &seen.speed), (&made.id, request().time, &Speed::Blitz));
    assert!(seen.suits_bots() && seen.challenger.unwrap().is_bot());
    bob.accept_challenge(&made.id).await.unwrap();
    let started = event(&mut events, |event| match event {
        AccountEvent::GameStart(game) => Some(game),
        _ => None,
    })
    .await;
    assert_eq!((started.id.clone(), started.color), (made.id.game(), Some(Color::Black)));
    started.id
}

#[tokio::test]
async fn a_whole_game_over_the_wire() {
    let sandbox = sandbox().await;
    let (ada, bob) = (client(&sandbox, "tok_ada"), client(&sandbox, "tok_bob"));
    let account = ada.account().await.unwrap();
    assert!(account.is_bot() && account.username == "Ada");
    let ada = ada.with_account(&account.id);
    assert!(ada.test_token().await.unwrap().has("bot:play"));
    let game = start_game(&ada, &bob).await;
    assert_eq!(ada.playing().await.unwrap()[0].id, game);

    let (mut white, mut black) = (ada.game_stream(game.clone()), bob.game_stream(game.clone()));
    let GameEvent::Full(full) = line(&mut white).await else { panic!() };
    assert_eq!((full.color_of(&account.id), full.state.moves().count()), (Some(Color::White), 0));
    assert!(matches!(line(&mut black).await, GameEvent::Full(_)));
    ada.chat(&game, Room::Player, "good luck").await.unwrap();
    for (ply, mv) in ["f2f3", "e7e5", "g2g4", "d8h4"].into_iter().enumerate() {
        let (mover, stream) = if ply % 2 == 0 { (&ada, &mut black) } else { (&bob, &mut white) };
        mover.play_move(&game, mv.parse().unwrap(), DrawOffer::Leave).await.unwrap();
        state(stream, |state| state.moves().count() == ply + 1).await;
    }
    let last = state(&mut black, |state| state.status.is_over()).await;
    assert_eq!((last.status, last.winner), (Status::Mate, Some(Color::Black)));
    assert_eq!(timeout(PATIENCE, black.next()).await.unwrap(), StreamItem::Lost(LostReason::Ended));

    let chat = bob.chat_history(&game).await.unwrap();
    assert!(chat.iter().any(|line| line.username == "Ada" && line.text == "good luck"), "{chat:?}");
    assert!(bob.export_pgn(&game).await.unwrap().contains("Qh4#"));
    let late = ada.play_move(&game, "a2a3".parse().unwrap(), DrawOffer::Leave).await.unwrap_err();
    assert_eq!(late.disposition(), Disposition::Rejected, "{late}");
    sandbox.stop().await;
}

#[tokio::test]
async fn offers_and_resignation_over_the_wire() {
    let sandbox = sandbox().await;
    let (ada, bob) = (client(&sandbox, "tok_ada"), client(&sandbox, "tok_bob"));
    let game = start_game(&ada, &bob).await;
    let mut stream = ada.game_stream(game.clone());
    assert!(matches!(line(&mut stream).await, GameEvent::Full(_)));
    for (mover, mv) in [(&ada, "e2e4"), (&bob, "e7e5"), (&ada, "g1f3")] {
        mover.play_move(&game, mv.parse().unwrap(), DrawOffer::Leave).await.unwrap();
    }
    bob.play_move(&game, "b8c6".parse().unwrap(), DrawOffer::Offer).await.unwrap();
    state(&mut stream, |state| state.bdraw).await;
    ada.draw(&game, Answer::No).await.unwrap();
    state(&mut stream, |state| !state.bdraw).await;
    ada.takeback(&game, Answer::No).await.unwrap();
    assert!(matches!(ada.abort(&game).await, Err(ApiError::Refused { status: 400, .. })));
    ada.claim_victory(&game).await.ok();
    bob.resign(&game).await.unwrap();
    let last = state(&mut stream, |state| state.status.is_over()).await;
    assert_eq!((last.status, last.winner), (Status::Resign, Some(Color::White)));
    sandbox.stop().await;
}

#[tokio::test]
async fn challenges_declined_withdrawn_and_refused_over_the_wire() {
    let sandbox = sandbox().await;
    let (ada, bob) = (client(&sandbox, "tok_ada"), client(&sandbox, "tok_bob"));
    let mut events = ada.event_stream();
    assert_eq!(timeout(PATIENCE, events.next()).await.unwrap(), StreamItem::Connected);
    let to = "bob".parse().unwrap();
    let made = ada.create_challenge(&to, &request()).await.unwrap();
    bob.decline_challenge(&made.id, DeclineReason::TooFast).await.unwrap();
    let declined = event(&mut events, |event| match event {
        AccountEvent::ChallengeDeclined(challenge) => challenge.decline_reason,
        _ => None,
    })
    .await;
    assert_eq!(DeclineReason::from_key(&declined), Some(DeclineReason::TooFast));

    let made = ada.create_challenge(&to, &request()).await.unwrap();
    ada.cancel_challenge(&made.id).await.unwrap();
    let late = bob.accept_challenge(&made.id).await.unwrap_err();
    assert!(matches!(late.disposition(), Disposition::Rejected | Disposition::Gone), "{late}");
    let nobody = ada.create_challenge(&"nobody".parse().unwrap(), &request()).await.unwrap_err();
    assert!(!nobody.to_string().is_empty());
    let odd = ChallengeRequest {
        time: TimeControl::Clock { limit: Duration::from_secs(7), increment: Duration::ZERO },
        ..request()
    };
    let odd = ada.create_challenge(&to, &odd).await.unwrap_err();
    assert!(matches!(odd, ApiError::Refused { status: 400, .. }), "{odd}");
    let unlisted = ada.challenges().await.unwrap_err();
    assert_eq!(
        unlisted.disposition(),
        Disposition::Auth,
        "a playing token may not list challenges: {unlisted}"
    );
    sandbox.stop().await;
}

#[tokio::test]
async fn a_game_against_the_servers_engine_and_a_token_it_does_not_know() {
    let sandbox = sandbox().await;
    let ada = client(&sandbox, "tok_ada");
    let request = AiRequest {
        level: 1,
        time: TimeControl::Clock { limit: Duration::from_secs(60), increment: Duration::ZERO },
        color: ColorWish::White,
        variant: Variant::Standard,
        fen: None,
    };
    let game = ada.challenge_ai(&request).await.unwrap();
    let mut stream = ada.game_stream(game.clone());
    let GameEvent::Full(full) = line(&mut stream).await else { panic!() };
    assert_eq!((full.black.ai_level, full.black.id), (Some(1), None));
    ada.abort(&game).await.unwrap();
    assert_eq!(state(&mut stream, |state| state.status.is_over()).await.status, Status::Aborted);

    let stranger = client(&sandbox, "tok_stranger");
    assert_eq!(stranger.account().await.unwrap_err().disposition(), Disposition::Auth);
    assert_eq!(stranger.test_token().await.unwrap_err().disposition(), Disposition::Auth);
    let StreamItem::Lost(LostReason::Refused(refused)) = stranger.event_stream().next().await else {
        panic!()
    };
    assert_eq!(refused.disposition(), Disposition::Auth);
    sandbox.stop().await;
}
