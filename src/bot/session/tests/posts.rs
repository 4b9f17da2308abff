//! What becomes of a posted move.

use super::support::*;
use crate::bot::session::table::plain;
use crate::bot::session::{Input, Outcome, Timer};
use crate::chess::{CastlingSpelling, History, Position};

/// The Italian; we post f1c4 at ply 4.
const BEFORE: &str = "e2e4 e7e5 g1f3 b8c6";
const AFTER: &str = "e2e4 e7e5 g1f3 b8c6 f1c4";

fn posting() -> Game {
    game().then(Input::Connected).then(full(BEFORE)).on(found(1, "f1c4"), ["post f1c4 ply 4"])
}

fn timer() -> Input {
    Input::Timer { timer: Timer::Post }
}

#[test]
fn an_unclear_answer_is_settled_by_the_stream() {
    posting().on(posted(4, unclear()), ["Post in 50"]).on(state(AFTER), ["no Post"]);
}

#[test]
fn a_move_that_did_not_count_is_posted_again() {
    posting()
        .on(posted(4, unclear()), ["Post in 50"])
        .after(50)
        .on(timer(), ["no Post", "post f1c4 ply 4"])
        .on(posted(4, unclear()), ["Post in 100"])
        .after(100)
        .on(timer(), ["no Post", "post f1c4 ply 4"])
        .on(posted(4, Outcome::Done), ["Post in 3000"])
        .on(state(AFTER), ["no Post"]);
}

#[test]
fn without_the_stream_we_wait_for_it_first() {
    posting()
        .on(lost(), [])
        .on(posted(4, unclear()), ["Post in 50"])
        .after(50)
        .on(timer(), ["Post in 1600"])
        .on(Input::Connected, [])
        .on(full(BEFORE), ["no Post", "post f1c4 ply 4"]);
}

#[test]
fn when_the_stream_stays_away_the_move_goes_out_all_the_same() {
    posting().then(lost()).then(posted(4, unclear())).after(5000).on(timer(), ["no Post", "post f1c4 ply 4"]);
}

#[test]
fn a_stream_that_shows_the_move_needs_no_second_post() {
    posting().then(lost()).then(posted(4, unclear())).on(full(AFTER), ["no Post"]).on(timer(), []);
}

#[test]
fn only_one_post_is_on_its_way() {
    posting().on(state(BEFORE), []).on(full(BEFORE), []).on(timer(), []);
}

#[test]
fn a_move_that_was_taken_but_does_not_appear_is_looked_for() {
    posting()
        .then(posted(4, Outcome::Done))
        .after(3000)
        .on(timer(), ["Post in 5000", "reopen"])
        .on(Input::Connected, [])
        .on(full(AFTER), ["no Post"]);
    posting()
        .then(posted(4, Outcome::Done))
        .after(3000)
        .then(timer())
        .on(full(BEFORE), ["no Post", "post f1c4 ply 4"]);
}

#[test]
fn a_refusal_because_the_game_is_over_ends_calmly() {
    let game = posting()
        .on(posted(4, refused()), ["Post in 500"])
        .on(
            state_with(BEFORE, serde_json::json!({ "status": "outoftime", "winner": "black" })),
            ["finish Loss ply 4"],
        )
        .on(timer(), []);
    assert_eq!(game.count_logged("trying another"), 0);
}

#[test]
fn a_refusal_after_an_unclear_answer_may_mean_that_it_counted() {
    posting()
        .then(posted(4, unclear()))
        .then(timer())
        .on(posted(4, refused()), ["Post in 500"])
        .on(state(AFTER), ["no Post"]);
}

#[test]
fn a_refused_move_is_tried_twice_then_another_one_and_then_seldom() {
    posting()
        .on(posted(4, refused()), ["Post in 500"])
        .on(timer(), ["Post in 5000", "reopen"])
        .on(Input::Connected, [])
        .on(full(BEFORE), ["no Post", "post f1c4 ply 4"])
        .on(posted(4, refused()), ["Post in 500"])
        .on(timer(), ["search 2 ply 4 not f1c4"])
        .logged("f1c4 is legal")
        .on(found(2, "f1b5"), ["post f1b5 ply 4"])
        .on(posted(4, refused()), ["Post in 500"])
        .on(timer(), ["playing?", "Post in 5000"])
        .logged("every move is refused")
        .on(full(BEFORE), [])
        .after(5000)
        .on(timer(), ["no Post", "post f1b5 ply 4"])
        .on(posted(4, refused()), ["Post in 500"])
        .on(timer(), ["playing?", "Post in 10000"])
        // The next ply is another matter.
        .on(state(&format!("{AFTER} f8c5")), ["no Post", "search 3 ply 6"]);
}

/// The search is told what not to find; if it finds that all the same, any other legal move goes out.
#[test]
fn a_refused_move_is_not_posted_again_even_if_the_search_insists() {
    let game = posting()
        .on(posted(4, refused()), ["Post in 500"])
        .on(timer(), ["Post in 5000", "reopen"])
        .on(Input::Connected, [])
        .on(full(BEFORE), ["no Post", "post f1c4 ply 4"])
        .on(posted(4, refused()), ["Post in 500"])
        .on(timer(), ["search 2 ply 4 not f1c4"]);
    let (_, effects) = game.try_on(found(2, "f1c4"));
    assert!(
        effects.len() == 1 && effects[0].starts_with("post ") && effects[0] != "post f1c4 ply 4",
        "{effects:?}"
    );
}

#[test]
fn too_many_requests_are_waited_out_as_told() {
    posting()
        .on(posted(4, Outcome::TooMany { wait_ms: 1500 }), ["Post in 1500"])
        .on(state(BEFORE), [])
        .on(full(BEFORE), [])
        .after(1500)
        .on(timer(), ["no Post", "post f1c4 ply 4"]);
}

#[test]
fn a08_a_wait_that_would_cost_the_game_is_cut_short() {
    let too_many = || posted(4, Outcome::TooMany { wait_ms: 60_000 });
    let with_clock = |ms: u64| {
        let clock = serde_json::json!({ "wtime": ms, "winc": 0 });
        game()
            .then(Input::Connected)
            .then(full_with(BEFORE, serde_json::json!({ "state": patched(state_json(BEFORE), clock) })))
            .on(found(1, "f1c4"), ["post f1c4 ply 4"])
    };
    with_clock(600_000).on(too_many(), ["Post in 60000"]);
    // An eighth of what is left is not too much to wait, and less than a second helps nobody.
    with_clock(160_000).on(too_many(), ["Post in 20000"]);
    with_clock(4000)
        .on(too_many(), ["Post in 1000"])
        .after(1000)
        .then(timer())
        .on(too_many(), ["Post in 2000"]);
}

#[test]
fn a_game_that_is_gone_is_looked_for() {
    posting().on(posted(4, Outcome::Gone), ["playing?", "Post in 500"]);
}

#[test]
fn the_measured_lag_shortens_the_search() {
    let clock = serde_json::json!({ "wtime": 100_000, "winc": 0 });
    let played = |elapsed_ms| {
        let post = |ply| Input::Posted { ply, outcome: Outcome::Done, elapsed_ms };
        game()
            .then(full("e2e4 e7e5"))
            .then(found(1, "g1f3"))
            .then(post(2))
            .then(state("e2e4 e7e5 g1f3"))
            .then(state("e2e4 e7e5 g1f3 b8c6"))
            .then(found(2, "f1c4"))
            .then(post(4))
            .then(state(AFTER))
            .hard_limit(state_with(&format!("{AFTER} f8c5"), clock.clone()))
    };
    assert!(played(1500) < played(20), "{} {}", played(1500), played(20));
}

/// In a race of instant moves the twenty-first within a second waits, but not for a good part of the clock.
#[test]
fn c07_a_race_of_instant_moves_is_slowed_down_a_little() {
    let race = |clock: serde_json::Value| {
        let mut history = History::new(Position::initial());
        let (mut game, mut shown) = (game().then(full("")), Vec::new());
        for number in 0..21_usize {
            let step = |history: &History| {
                let moves = history.position().legal_moves();
                moves[number * 7 % moves.len()]
            };
            let ours = step(&history);
            (game, shown) = game.after(1).try_on(found(number as u64 + 1, &plain(ours)));
            history.push(ours);
            history.push(step(&history));
            if number < 20 {
                assert!(shown[0].starts_with("post "), "{number}: {shown:?}");
                let moves = history.to_uci(CastlingSpelling::KingTwoSquares);
                game = game.then(posted(2 * number, Outcome::Done)).then(state_with(&moves, clock.clone()));
            }
        }
        let again = game.after(1000).try_on(timer()).1;
        assert!(again[1].starts_with("post "), "it goes out after the wait: {again:?}");
        shown
    };
    assert_eq!(race(serde_json::json!({})), ["Post in 980"]);
    assert_eq!(race(serde_json::json!({ "wtime": 1000 })), ["Post in 49"], "not with the flag about to fall");
}
