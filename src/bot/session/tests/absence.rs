//! Opponents who are not there.

use serde_json::json;

use super::support::*;
use crate::bot::session::{Action, Input, Outcome, Timer};

fn gone(seconds: u64) -> Input {
    line(json!({ "type": "opponentGone", "gone": true, "claimWinInSeconds": seconds }))
}

fn back() -> Input {
    line(json!({ "type": "opponentGone", "gone": false }))
}

fn timer(timer: Timer) -> Input {
    Input::Timer { timer }
}

#[test]
fn a_game_that_the_opponent_does_not_begin_is_called_off() {
    game()
        .then(full(""))
        .then(found(1, "e2e4"))
        .on(state("e2e4"), ["Abort in 30000"])
        .after(30_000)
        .on(timer(Timer::Abort), ["act Abort"])
        .on(Input::Acted { action: Action::Abort, outcome: Outcome::Done }, ["Abort in 20000"])
        .on(state_with("e2e4", json!({ "status": "aborted" })), ["finish Aborted ply 1"]);
}

#[test]
fn a_game_that_goes_on_though_it_was_called_off_is_called_off_again() {
    game_with(|options| options.policy.abort_after = std::time::Duration::from_secs(5))
        .on(full_as_black(""), ["Abort in 5000"])
        .on(timer(Timer::Abort), ["act Abort"])
        .on(Input::Acted { action: Action::Abort, outcome: Outcome::Done }, ["Abort in 20000"])
        .on(timer(Timer::Abort), ["act Abort"])
        .on(
            Input::Acted { action: Action::Abort, outcome: refused() },
            ["reopen", "Abort in 30000", "Park in 60000"],
        );
}

#[test]
fn a_game_that_cannot_be_called_off_is_waited_for() {
    game_with(|options| options.policy.abort_after = std::time::Duration::from_secs(5))
        .on(full_as_black(""), ["Abort in 5000"])
        .on(timer(Timer::Abort), ["act Abort"])
        .on(
            Input::Acted { action: Action::Abort, outcome: refused() },
            ["reopen", "Abort in 30000", "Park in 60000"],
        )
        .logged("cannot be called off")
        .on(timer(Timer::Abort), ["act Abort"])
        .on(Input::Acted { action: Action::Abort, outcome: refused() }, ["reopen", "Abort in 60000"])
        .on(state("e2e4"), ["no Abort", "search 1 ply 1"])
        .on(timer(Timer::Park), []);
}

#[test]
fn games_with_a_time_limit_of_their_own_and_tournament_games_are_not_called_off() {
    let limit = json!({ "expiration": { "idleMillis": 100, "millisToMove": 16_000 } });
    game().on(full_with("e2e4", json!({ "state": patched(state_json("e2e4"), limit) })), []);
    game().on(full_with("e2e4", json!({ "tournamentId": "Wk2sArn0" })), []);
}

#[test]
fn the_time_limit_of_the_first_move_is_kept() {
    let with = |to_move: u64| {
        let limit = json!({ "expiration": { "idleMillis": 0, "millisToMove": to_move } });
        game().hard_limit(full_with("", json!({ "state": patched(state_json(""), limit) })))
    };
    assert!(with(900) <= 300, "{}", with(900));
    assert!(with(16_000) <= 1000, "{}", with(16_000));
}

/// It is the opponent's turn at ply 3.
fn waiting() -> Game {
    game().then(full("e2e4 e7e5 g1f3"))
}

#[test]
fn the_win_is_claimed_when_it_may_be_and_again_after_a_pause() {
    waiting()
        .on(gone(8), ["Claim in 9000"])
        .on(gone(3), ["Claim in 4000"])
        .on(gone(0), ["act ClaimWin", "Claim in 3000"])
        .on(Input::Acted { action: Action::ClaimWin, outcome: Outcome::Done }, [])
        .on(gone(0), [])
        .after(3000)
        .on(timer(Timer::Claim), ["act ClaimWin", "Claim in 6000"])
        .after(5999)
        .on(gone(0), [])
        .after(1)
        .on(gone(0), ["act ClaimWin", "Claim in 12000"]);
}

#[test]
fn the_timer_claims_when_the_line_does_not_come() {
    waiting()
        .on(gone(8), ["Claim in 9000"])
        .after(9000)
        .on(timer(Timer::Claim), ["act ClaimWin", "Claim in 3000"]);
}

#[test]
fn an_opponent_who_comes_back_is_played_on() {
    waiting().then(gone(8)).on(back(), ["no Claim"]).after(9000).on(timer(Timer::Claim), []);
    waiting()
        .then(gone(8))
        .on(state("e2e4 e7e5 g1f3 b8c6"), ["no Claim", "search 1 ply 4"])
        .after(9000)
        .on(timer(Timer::Claim), []);
}

#[test]
fn nothing_is_claimed_on_our_own_turn() {
    game()
        .then(full("e2e4 e7e5"))
        .on(gone(0), [])
        .then(found(1, "g1f3"))
        .then(state("e2e4 e7e5 g1f3"))
        .on(gone(0), ["act ClaimWin", "Claim in 3000"]);
}

#[test]
fn a_bare_king_claims_a_draw() {
    let start =
        json!({ "variant": { "key": "fromPosition" }, "initialFen": "8/5k2/8/8/3K4/8/q7/8 w - - 3 41" });
    game().then(full_with("d4e5 a2a3 e5f5", start)).on(gone(0), ["act ClaimDraw", "Claim in 3000"]);
}

#[test]
fn nothing_is_claimed_against_the_policy() {
    game_with(|options| options.policy.claim_wins = false)
        .then(full("e2e4 e7e5 g1f3"))
        .then(gone(3))
        .on(gone(0), []);
}
