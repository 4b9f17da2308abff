//! How games end.

use serde_json::json;

use super::support::*;
use crate::bot::session::{Input, Loss, Outcome, Timer};

const MOVES: &str = "e2e4 e7e5";

fn finished(patch: serde_json::Value) -> Input {
    Input::Finished { game: Box::new(info(patch)) }
}

fn unlisted() -> Input {
    Input::Playing { listed: false }
}

fn end() -> Input {
    Input::Timer { timer: Timer::End }
}

#[test]
fn each_final_status_has_its_result() {
    for (status, winner, expected) in [
        ("mate", Some("white"), "finish Win ply 2"),
        ("mate", Some("black"), "finish Loss ply 2"),
        ("resign", Some("white"), "finish Win ply 2"),
        ("timeout", Some("white"), "finish Win ply 2"),
        ("outoftime", Some("black"), "finish Loss ply 2"),
        ("outoftime", None, "finish Draw ply 2"),
        ("stalemate", None, "finish Draw ply 2"),
        ("draw", None, "finish Draw ply 2"),
        ("insufficientMaterialClaim", None, "finish Draw ply 2"),
        ("aborted", None, "finish Aborted ply 2"),
        ("noStart", Some("black"), "finish Loss ply 2"),
        ("cheat", Some("white"), "finish Win ply 2"),
        ("variantEnd", Some("black"), "finish Loss ply 2"),
        ("unknownFinish", None, "finish Unknown ply 2"),
        ("wordOfTomorrow", Some("white"), "finish Win ply 2"),
    ] {
        let last = state_with(MOVES, json!({ "status": status, "winner": winner }));
        game().then(full(MOVES)).on(last, ["stop", expected]).on(state(MOVES), []);
    }
}

#[test]
fn the_end_cancels_what_is_on_its_way() {
    game()
        .then(full(MOVES))
        .then(found(1, "g1f3"))
        .on(
            state_with(MOVES, json!({ "status": "outoftime", "winner": "black" })),
            ["cancel post", "finish Loss ply 2"],
        )
        .on(posted(2, unclear()), []);
}

#[test]
fn a_finished_game_is_not_played() {
    let over = patched(state_json(MOVES), json!({ "status": "resign", "winner": "white" }));
    game().on(full_with(MOVES, json!({ "state": over })), ["finish Win ply 2"]);
}

#[test]
fn the_account_may_know_the_end_first() {
    let told = || {
        game().then(full(MOVES)).on(
            finished(json!({ "status": { "id": 31, "name": "resign" }, "winner": "white" })),
            ["stop", "End in 1000"],
        )
    };
    told().on(end(), ["finish Win ply 2"]);
    told().on(lost(), ["finish Win ply 2"]);
    told().on(state_with(MOVES, json!({ "status": "resign", "winner": "white" })), ["finish Win ply 2"]);
    // A line that was on its way starts nothing any more.
    told().on(state("e2e4 e7e5 g1f3 b8c6"), []);
}

#[test]
fn a_game_that_is_not_listed_any_more_is_over_unless_its_stream_says_otherwise() {
    let gone = || {
        game()
            .then(full(MOVES))
            .on(Input::Lost { loss: Loss::Ended }, ["playing?"])
            .on(unlisted(), ["stop", "End in 5000"])
    };
    // An open stream that says nothing tells no more than none.
    for silent in [gone(), gone().on(Input::Connected, [])] {
        let silent = (0..6).fold(silent, |game, _| game.on(end(), ["End in 5000"]));
        silent.on(end(), ["finish Unknown ply 2"]);
    }
    // Nor does a refusal: it may be a moment's trouble, as the list may be.
    gone()
        .on(Input::Lost { loss: Loss::Refused }, ["playing?"])
        .on(full(MOVES), ["no End", "search 2 ply 2"]);
    // A list may be old: an open stream is asked again.
    game().then(Input::Connected).then(full(MOVES)).on(unlisted(), ["stop", "End in 5000", "reopen"]);
    gone().on(full(MOVES), ["no End", "search 2 ply 2"]).on(end(), []);
    let over = patched(state_json(MOVES), json!({ "status": "draw" }));
    gone().on(full_with(MOVES, json!({ "state": over })), ["finish Draw ply 2"]);
}

#[test]
fn a_stream_that_ends_is_no_end_of_the_game() {
    game()
        .then(full(MOVES))
        .on(Input::Lost { loss: Loss::Ended }, ["playing?"])
        .on(Input::Playing { listed: true }, [])
        .on(Input::Connected, [])
        .on(full(MOVES), [])
        .on(found(1, "g1f3"), ["post g1f3 ply 2"]);
}

#[test]
fn a_game_that_the_server_lists_and_does_not_show_us_is_asked_for_again_and_then_left() {
    let refusal = || Input::Lost { loss: Loss::Refused };
    let often = |game: Game, times: u32| (0..times).fold(game, |game, _| game.on(refusal(), ["playing?"]));
    often(game().then(full_as_black("")), 11).on(refusal(), ["leave"]);
    // It has never been seen, and may not be for bots: it takes no place.
    let hidden = || often(game(), 1).on(refusal(), ["playing?", "park"]);
    often(hidden(), 9).on(refusal(), ["leave"]);
    hidden().on(full(MOVES), ["unpark", "search 1 ply 2"]);
}

#[test]
fn e03_a_token_that_is_refused_twice_ends_the_game_for_us() {
    let once = game().then(full(MOVES)).on(Input::Lost { loss: Loss::Denied }, []);
    once.on(Input::Lost { loss: Loss::Denied }, ["stop", "leave"]);
}

#[test]
fn a_game_that_cannot_be_understood_is_left() {
    for patch in [
        json!({ "variant": { "key": "duck" } }),
        json!({ "initialFen": "8/8/8/8/8/8/8/8 w - - 0 1" }),
        json!({ "white": { "id": "oakwatcher" } }),
    ] {
        let first = || full_with("", patch.clone());
        // The line may have been damaged on its way.
        let twice = game().on(first(), ["reopen"]).on(first(), ["reopen"]);
        twice.on(first(), ["leave"]).logged("cannot play");
    }
}

#[test]
fn our_side_may_be_known_from_the_account_only() {
    game_with(|options| options.info = Some(info(json!({ "color": "black" }))))
        .on(full_with("", json!({ "white": {}, "black": {} })), ["Abort in 30000"]);
}

#[test]
fn we_greet_once_at_the_start_and_say_goodbye_at_the_end() {
    let polite = || {
        game_with(|options| {
            options.policy.greeting = Some("Hello!".to_owned());
            options.policy.farewell = Some("gg".to_owned());
        })
    };
    let draw = || state_with(MOVES, json!({ "status": "draw" }));
    polite()
        .on(full(""), ["chat Hello!", "search 1 ply 0"])
        .on(lost(), [])
        .on(full(""), [])
        .then(found(1, "e2e4"))
        .then(posted(0, Outcome::Done))
        .on(draw(), ["chat gg", "finish Draw ply 2"]);
    polite().on(full(MOVES), ["search 1 ply 2"]);
    polite().on(full_with("", json!({ "black": { "aiLevel": 3 } })), ["search 1 ply 0"]);
    polite()
        .then(full(""))
        .on(state_with("", json!({ "status": "aborted" })), ["stop", "finish Aborted ply 0"]);
}

#[test]
fn what_is_said_is_no_order() {
    let say = |who: &str, text: &str| {
        line(json!({ "type": "chatLine", "room": "player", "username": who, "text": text }))
    };
    game()
        .then(full(MOVES))
        .on(say("lichess", "Black offers draw"), [])
        .on(say("Ferncastle", "!resign"), [])
        .on(say("quillbot-dev", "Hello!"), [])
        .on(line(json!({ "type": "ping2" })), [])
        .on(line(json!(["garbage"])), []);
}

/// The line with the opponent's move was lost; the list of running games knows better.
#[test]
fn a_move_that_the_stream_did_not_show_is_looked_for() {
    let waiting = || game().then(Input::Connected).then(full("e2e4 e7e5 g1f3"));
    waiting().after(1999).on(Input::Owed, []);
    let asked = waiting().after(2000).on(Input::Owed, ["reopen"]);
    asked.on(Input::Connected, []).on(full("e2e4 e7e5 g1f3 b8c6"), ["search 1 ply 4"]);
    // The list was old.
    game().then(Input::Connected).then(full(MOVES)).after(9000).on(Input::Owed, []);
}
