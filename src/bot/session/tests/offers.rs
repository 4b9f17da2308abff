//! Draws, takebacks and giving up.

use serde_json::json;

use super::support::*;
use crate::bot::options::{DrawWindow, ResignPolicy};
use crate::bot::session::{Action, Input, Outcome, Timer};

/// `rounds` times out and back with the knights.
fn shuffle(rounds: usize) -> String {
    "g1f3 g8f6 f3g1 f6g8 ".repeat(rounds).trim_end().to_owned()
}

fn accepting(score: i32, moves: u32) -> Game {
    game_with(|options| options.policy.accept_draws = Some(DrawWindow { score, moves }))
}

fn offered(moves: &str) -> Input {
    state_with(moves, json!({ "bdraw": true }))
}

#[test]
fn an_offer_is_accepted_with_the_move_when_the_game_was_level_long_enough() {
    accepting(20, 2)
        .then(full("e2e4 e7e5"))
        .then(scored(1, "g1f3", 15))
        .then(state("e2e4 e7e5 g1f3"))
        .on(offered("e2e4 e7e5 g1f3 b8c6"), ["search 2 ply 4"])
        .on(scored(2, "f1c4", -20), ["post f1c4 ply 4 draw"]);
}

#[test]
fn an_offer_in_a_game_that_was_level_only_once_is_declined_by_moving() {
    accepting(20, 2)
        .then(full("e2e4 e7e5"))
        .then(offered("e2e4 e7e5"))
        .on(scored(1, "g1f3", 15), ["post g1f3 ply 2"]);
}

#[test]
fn an_offer_is_declined_when_we_are_better_and_taken_when_we_are_worse() {
    let reply = |score, expected| {
        accepting(20, 3)
            .then(full("e2e4 e7e5"))
            .then(offered("e2e4 e7e5"))
            .on(scored(1, "g1f3", score), [expected]);
    };
    reply(900, "post g1f3 ply 2");
    reply(-900, "post g1f3 ply 2 draw");
}

#[test]
fn nothing_is_accepted_without_a_policy() {
    game()
        .then(full("e2e4 e7e5"))
        .then(offered("e2e4 e7e5"))
        .on(scored(1, "g1f3", -900), ["post g1f3 ply 2"]);
}

#[test]
fn we_offer_rarely_and_only_by_policy() {
    let mut game = game_with(|options| options.policy.offer_draws = Some(DrawWindow { score: 10, moves: 3 }));
    let mut offers = Vec::new();
    // Rooks go to and fro in ways that repeat nothing thrice: what matters are plies and scores.
    let wander = |n: usize| -> String {
        let squares = ["a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1"];
        let them = ["a8", "b8", "c8", "d8", "e8", "f8", "g8"];
        let (mut we, mut they, mut moves) = (0, 0, Vec::new());
        for ply in 0..n {
            let (at, row) = if ply % 2 == 0 { (&mut we, &squares[..]) } else { (&mut they, &them[..]) };
            let to = (*at + 1) % row.len();
            moves.push(format!("{}{}", row[*at], row[to]));
            *at = to;
        }
        moves.join(" ")
    };
    let start = json!({ "variant": { "key": "fromPosition" },
        "initialFen": "r7/p6k/8/8/8/8/P6K/R7 w - - 0 1" });
    game = game.then(full_with("", start));
    for (ticket, ply) in (0..100).step_by(2).enumerate() {
        let best = wander(ply + 1).split(' ').next_back().unwrap().to_owned();
        let shown = game.after(500).try_on(scored(ticket as u64 + 1, &best, 0));
        game = shown.0;
        assert_eq!(shown.1.len(), 1, "ply {ply}: {:?}", shown.1);
        if shown.1[0].ends_with("draw") {
            offers.push(ply);
        }
        // The opponent offers once, before our move at ply 50: only then we may offer again, and not too soon.
        let reply = if ply == 48 { offered(&wander(50)) } else { state(&wander(ply + 2)) };
        game = game.then(state(&wander(ply + 1))).then(reply);
    }
    assert_eq!(offers, [40, 60]);
}

#[test]
fn a_repetition_that_the_server_ignores_is_claimed_when_we_are_not_better() {
    let thrice = shuffle(2);
    let before = thrice.rsplit_once(' ').unwrap().0.to_owned();
    let reach = |score| {
        game()
            .then(full(before.rsplit_once(' ').unwrap().0))
            .then(scored(1, "f3g1", score))
            .then(state(&before))
    };
    reach(-5)
        .on(state(&thrice), ["act ClaimRepetition", "Hold in 2000", "search 2 ply 8"])
        .on(found(2, "e2e4"), [])
        .on(
            Input::Acted { action: Action::ClaimRepetition, outcome: refused() },
            ["no Hold", "post e2e4 ply 8"],
        );
    reach(-5)
        .then(state(&thrice))
        .then(found(2, "e2e4"))
        .on(Input::Acted { action: Action::ClaimRepetition, outcome: Outcome::Done }, [])
        .on(Input::Timer { timer: Timer::Hold }, ["no Hold", "post e2e4 ply 8"]);
    reach(-5)
        .then(state(&thrice))
        .on(state_with(&thrice, json!({ "status": "draw" })), ["stop", "finish Draw ply 8"]);
    reach(80).on(state(&thrice), ["search 2 ply 8"]);
}

fn asked(moves: &str) -> Input {
    state_with(moves, json!({ "btakeback": true }))
}

#[test]
fn takebacks_are_refused_once_by_default() {
    let moves = "e2e4 e7e5";
    game()
        .then(full(moves))
        .on(asked(moves), ["act RefuseTakeback"])
        .on(asked(moves), [])
        .on(state(moves), [])
        .on(asked(moves), ["act RefuseTakeback"]);
}

#[test]
fn a_takeback_is_granted_so_often_and_the_move_waits_for_it() {
    game_with(|options| options.policy.takebacks = 1)
        .then(full("e2e4 e7e5"))
        .on(asked("e2e4 e7e5"), ["act AllowTakeback", "Hold in 2000"])
        .on(found(1, "g1f3"), [])
        .on(Input::Acted { action: Action::AllowTakeback, outcome: Outcome::Done }, [])
        .on(state("e2e4"), ["Abort in 30000"])
        .then(state("e2e4 d7d5"))
        .on(asked("e2e4 d7d5"), ["act RefuseTakeback"]);
}

#[test]
fn a_takeback_that_does_not_happen_does_not_hold_the_move_for_long() {
    let asked = || {
        game_with(|options| options.policy.takebacks = 1)
            .then(full("e2e4 e7e5"))
            .then(asked("e2e4 e7e5"))
            .then(found(1, "g1f3"))
    };
    asked().on(Input::Timer { timer: Timer::Hold }, ["no Hold", "post g1f3 ply 2"]);
    asked().on(
        Input::Acted { action: Action::AllowTakeback, outcome: refused() },
        ["no Hold", "post g1f3 ply 2"],
    );
}

#[test]
fn we_resign_only_by_policy_and_only_when_it_is_lost_for_long() {
    let resigning = || {
        game_with(|options| options.policy.resign = Some(ResignPolicy { score: -900, moves: 2 }))
            .then(full("e2e4 e7e5"))
            .on(scored(1, "g1f3", -2000), ["post g1f3 ply 2"])
            .then(state("e2e4 e7e5 g1f3"))
            .then(state("e2e4 e7e5 g1f3 b8c6"))
    };
    resigning()
        .on(scored(2, "f1c4", -900), ["act Resign"])
        .on(Input::Acted { action: Action::Resign, outcome: Outcome::Done }, ["Hold in 2000"])
        // It was taken, the server said; but the game goes on.
        .on(Input::Timer { timer: Timer::Hold }, ["no Hold", "post f1c4 ply 4"]);
    resigning()
        .then(scored(2, "f1c4", -900))
        .on(Input::Acted { action: Action::Resign, outcome: refused() }, ["post f1c4 ply 4"]);
    resigning().on(scored(2, "f1c4", -899), ["post f1c4 ply 4"]);
}
