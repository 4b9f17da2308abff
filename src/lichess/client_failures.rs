//! Answers that are not what they should be, and connections that are dead: the cases of `docs/failures.md` that a
//! socket shows.

use std::time::Duration;

use super::tests::{e2e4, game, request};
use super::*;
use crate::lichess::testing::{Server, Step, done, reply};

#[tokio::test]
async fn a08_a_page_with_too_many_requests_is_waited_out() {
    let page = "<!DOCTYPE html><html><head><title>Slow down</title></head></html>";
    let server = Server::start(move |seen| if seen.number < 2 { reply(429, page) } else { done() }).await;
    server.client().play_move(&game(), e2e4(), DrawOffer::Leave).await.unwrap();
    assert_eq!(server.seen().len(), 3);
}

#[tokio::test]
async fn a11_success_with_an_empty_body_is_no_challenge_and_no_crash() {
    let server = Server::start(|_| reply(200, "")).await;
    let client = server.client();
    let error = client.create_challenge(&"ferncastle".parse().unwrap(), &request()).await.unwrap_err();
    assert!(matches!(error, ApiError::BadBody { .. }), "{error}");
    client.play_move(&game(), e2e4(), DrawOffer::Leave).await.unwrap();
}

/// Every connection that was made before the server moved away swallows what it is sent.
#[tokio::test]
async fn a18_after_a_time_limit_no_old_connection_is_used() {
    let server = Server::start(|seen| match seen.number {
        // Two at the same time, so that there are two connections to choose from later.
        0 | 1 => [vec![Step::Pause(Duration::from_millis(100))], done()].concat(),
        _ if seen.earlier > 0 => vec![Step::Hang],
        _ => done(),
    })
    .await;
    let client = server.client_with(|options| options.move_timeout = Duration::from_millis(500));
    let (other, game) = ("aP3wVt9k".parse().unwrap(), game());
    let (first, second) = tokio::join!(client.abort(&game), client.abort(&other));
    first.unwrap();
    second.unwrap();
    let dead = client.play_move(&game, e2e4(), DrawOffer::Leave).await.unwrap_err();
    assert!(matches!(dead, ApiError::Timeout { .. }), "{dead}");
    client.play_move(&game, e2e4(), DrawOffer::Leave).await.unwrap();
    assert_eq!(server.seen().len(), 4);
}
