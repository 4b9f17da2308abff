//! What servers and opponents have done to other bots, and what this one does about it: the cases of
//! `docs/failures.md` that a single game shows.

use serde_json::json;

use super::support::*;
use crate::bot::options::{DrawWindow, Thinking};
use crate::bot::session::{Action, Input, Loss, Outcome, Timer};

fn chat() -> Input {
    line(json!({ "type": "chatLine", "room": "player", "username": "Ferncastle", "text": "hi" }))
}

fn acted(action: Action, outcome: Outcome) -> Input {
    Input::Acted { action, outcome }
}

fn timer(timer: Timer) -> Input {
    Input::Timer { timer }
}

#[test]
fn a05_a_stream_that_does_not_begin_with_the_game_is_opened_anew() {
    for first in [chat(), state("e2e4"), line(json!({ "type": "opponentGone", "gone": false }))] {
        game()
            .on(Input::Connected, [])
            .on(first.clone(), ["reopen"])
            .on(Input::Connected, [])
            .on(line(json!({ "type": "novelty" })), [])
            .on(full(""), ["search 1 ply 0"])
            .on(chat(), [])
            // The same after the stream was lost: what happened meanwhile may be in the lines that are gone.
            .on(lost(), [])
            .then(Input::Connected)
            .then(first)
            .logged("does not begin with the game");
    }
}

#[test]
fn a05_a_stream_that_never_begins_with_the_game_is_asked_for_rarely() {
    let again = |game: Game| game.on(Input::Connected, []).try_on(chat());
    let mut game = game();
    let mut seen = Vec::new();
    for _ in 0..9 {
        let (next, mut effects) = again(game);
        assert_eq!(effects.len(), 1, "{effects:?}");
        seen.append(&mut effects);
        game = next;
    }
    let waits =
        ["2000", "4000", "8000", "16000", "30000", "30000", "30000"].map(|wait| format!("Reread in {wait}"));
    assert_eq!(seen[..2], ["reopen", "reopen"]);
    assert_eq!(seen[2..], waits);
    game.on(timer(Timer::Reread), ["reopen"]).then(Input::Connected).on(full(""), ["search 1 ply 0"]);
}

#[test]
fn b01_a_list_in_the_other_spelling_of_castling_is_the_same_list() {
    let short = |castling: &str| format!("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 {castling}");
    for (one, other) in [("e1h1", "e1g1"), ("e1g1", "e1h1")] {
        game()
            .on(full_as_black(&short(one)), ["search 1 ply 7"])
            .on(state(&short(other)), [])
            .on(full_as_black(&short(other)), [])
            .on(found(1, "g8f6"), ["post g8f6 ply 7"]);
    }
    let long = |ours: &str, theirs: &str| format!("d2d4 d7d5 c1f4 c8f5 b1c3 b8c6 d1d2 d8d7 {ours} {theirs}");
    game()
        .on(full(&long("e1c1", "e8a8")), ["search 1 ply 10"])
        .on(state(&long("e1a1", "e8c8")), [])
        .on(found(1, "e2e3"), ["post e2e3 ply 10"]);
}

#[test]
fn b06_a_draw_that_is_accepted_may_be_answered_400() {
    let accepting = || {
        game_with(|options| options.policy.accept_draws = Some(DrawWindow { score: 20, moves: 1 }))
            .then(full("e2e4 e7e5"))
            .then(state_with("e2e4 e7e5", json!({ "bdraw": true })))
            .on(scored(1, "g1f3", 0), ["post g1f3 ply 2 draw"])
    };
    let draw = || state_with("e2e4 e7e5", json!({ "status": "draw" }));
    accepting().on(posted(2, refused()), ["Post in 500"]).on(draw(), ["finish Draw ply 2"]).calm();
    accepting().on(draw(), ["cancel post", "finish Draw ply 2"]).on(posted(2, refused()), []).calm();
}

fn takebacks() -> Game {
    game_with(|options| options.policy.takebacks = 1).then(full("e2e4 e7e5 g1f3 b8c6"))
}

fn asked(moves: &str) -> Input {
    state_with(moves, json!({ "btakeback": true }))
}

const FOUR: &str = "e2e4 e7e5 g1f3 b8c6";
const FIVE: &str = "e2e4 e7e5 g1f3 b8c6 f1c4";

#[test]
fn b10_a_takeback_while_we_think() {
    let granted = || takebacks().on(asked(FOUR), ["act AllowTakeback", "Hold in 2000"]);
    granted()
        .on(acted(Action::AllowTakeback, Outcome::Done), [])
        .on(state("e2e4 e7e5 g1f3"), ["stop"])
        .on(found(1, "f1c4"), [])
        .on(state("e2e4 e7e5 g1f3 d7d6"), ["search 2 ply 4"]);
    // The answer was found before the new list came: it belongs to the past.
    granted()
        .on(found(1, "f1c4"), [])
        .on(state("e2e4 e7e5 g1f3"), [])
        .on(timer(Timer::Hold), [])
        .on(state("e2e4 e7e5 g1f3 d7d6"), ["search 2 ply 4"]);
    granted()
        .on(found(1, "f1c4"), [])
        .on(acted(Action::AllowTakeback, refused()), ["no Hold", "post f1c4 ply 4"]);
}

#[test]
fn b10_a_takeback_after_our_reply_takes_two_plies() {
    takebacks()
        .then(found(1, "f1c4"))
        .then(posted(4, Outcome::Done))
        .then(state(FIVE))
        .on(asked(FIVE), ["act AllowTakeback", "Hold in 2000"])
        .on(state("e2e4 e7e5 g1f3"), [])
        .on(state("e2e4 e7e5 g1f3 d7d6"), ["search 2 ply 4"]);
}

#[test]
fn b10_a_takeback_that_crosses_our_move() {
    let crossing = || takebacks().then(found(1, "f1c4")).on(asked(FOUR), ["act RefuseTakeback"]);
    crossing().on(posted(4, Outcome::Done), ["Post in 3000"]).on(state(FIVE), ["no Post"]);
    // The server has taken back all the same: the whole game confirms it before we play on.
    crossing()
        .on(state("e2e4 e7e5 g1f3"), ["cancel post", "reopen"])
        .on(posted(4, Outcome::Done), [])
        .on(full("e2e4 e7e5 g1f3"), [])
        .on(state("e2e4 e7e5 g1f3 d7d6"), ["search 2 ply 4"]);
    // Taken but not shown yet.
    takebacks()
        .then(found(1, "f1c4"))
        .then(posted(4, Outcome::Done))
        .on(asked(FOUR), ["act AllowTakeback", "Hold in 2000"])
        .on(state("e2e4 e7e5 g1f3"), ["no Post"])
        .on(state("e2e4 e7e5 g1f3 d7d6"), ["search 2 ply 4"]);
}

#[test]
fn b11_a_list_that_shrinks_or_jumps_is_confirmed_by_the_whole_game() {
    let moves = "e2e4 c7c5 b1c3 b8c6 g1f3 e7e5 f1c4 f8e7";
    for odd in ["d2d3", "e2e4 c7c5", "e2e4 c7c5 b1c3 b8c6 g1f3 e7e5 f1c4 g8f6", ""] {
        let doubted = || game().then(full(moves)).on(state(odd), ["stop", "reopen"]).on(found(1, "e1g1"), []);
        // It was an old line.
        doubted().on(Input::Connected, []).on(full(moves), ["search 2 ply 8"]);
        // It is so: a restart has lost moves.
        doubted().on(Input::Connected, []).then(full(odd)).logged("moves");
    }
    game()
        .then(full(moves))
        .then(state("d2d3"))
        .on(full("d2d3"), ["Abort in 30000"])
        .on(state("d2d3 d7d5"), ["no Abort", "search 2 ply 2"]);
}

#[test]
fn b11_a_server_that_contradicts_itself_is_believed_in_the_end() {
    let long = "e2e4 e7e5 g1f3 b8c6";
    game()
        .then(full(long))
        .on(state("e2e4 e7e5"), ["stop", "reopen"])
        .on(full(long), ["search 2 ply 4"])
        .on(state("e2e4 e7e5"), ["stop", "reopen"])
        .on(full(long), ["search 3 ply 4"])
        .on(state("e2e4 e7e5"), ["stop", "search 4 ply 2"]);
}

#[test]
fn b12_a_game_that_can_neither_be_begun_nor_called_off_gives_up_its_place() {
    let zombie = || {
        game()
            .then(full_as_black(""))
            .on(timer(Timer::Abort), ["act Abort"])
            .on(acted(Action::Abort, refused()), ["reopen", "Abort in 30000", "Park in 60000"])
            .on(timer(Timer::Abort), ["act Abort"])
            .on(acted(Action::Abort, refused()), ["reopen", "Abort in 60000"])
            .after(60_000)
            .on(timer(Timer::Park), ["park"])
    };
    zombie().on(state("e2e4"), ["unpark", "no Abort", "search 1 ply 1"]);
    zombie().on(lost(), []).on(full_as_black(""), []).on(timer(Timer::Park), []);
    zombie().on(state_with("", json!({ "status": "noStart", "winner": "black" })), ["finish Win ply 0"]);
}

#[test]
fn b14_a_game_without_a_clock_is_thought_about_for_a_set_time() {
    let state = |wtime: u64, winc: u64| {
        patched(
            state_json("e2e4 e7e5"),
            json!({ "wtime": wtime, "btime": wtime, "winc": winc, "binc": winc }),
        )
    };
    let with = |clock: serde_json::Value, state: serde_json::Value| {
        let patch = json!({ "clock": clock, "speed": "correspondence", "state": state });
        game_with(|options| options.thinking = Thinking::default()).hard_limit(full_with("e2e4 e7e5", patch))
    };
    assert_eq!(with(json!(null), state(2_147_483_647, 0)), 10_000);
    let clock = json!({ "initial": 2_147_483_647, "increment": 60_000 });
    let limit = with(clock, state(2_147_483_647, 60_000));
    assert!((1..2_147_483_647).contains(&limit), "{limit}");
}

#[test]
fn b17_an_unknown_status_is_an_end_only_if_somebody_won_or_the_stream_ends() {
    let moves = "e2e4 e7e5";
    let odd = || state_with(moves, json!({ "status": "newKindOfEnd" }));
    let paused = || game().then(full(moves)).on(odd(), []);
    paused().on(found(1, "g1f3"), ["post g1f3 ply 2"]);
    paused().on(Input::Lost { loss: Loss::Ended }, ["stop", "finish Unknown ply 2"]);
    paused().on(state(moves), []).on(Input::Lost { loss: Loss::Ended }, ["playing?"]);
    paused().on(lost(), []).on(full(moves), []);
    game().then(full(moves)).on(
        state_with(moves, json!({ "status": "newKindOfEnd", "winner": "white" })),
        ["stop", "finish Win ply 2"],
    );
    let first = patched(state_json(moves), json!({ "status": "newKindOfEnd" }));
    game().on(full_with(moves, json!({ "state": first })), ["search 1 ply 2"]);
}

#[test]
fn b20_a_game_too_many_is_called_off_if_it_can_be_and_played_if_not() {
    let surplus =
        || game_with(|options| (options.surplus, options.policy.greeting) = (true, Some("hi".to_owned())));
    surplus()
        .on(full(""), ["act Abort"])
        .on(lost(), [])
        .on(full(""), [])
        .on(acted(Action::Abort, Outcome::Done), ["Abort in 20000"])
        .on(state_with("", json!({ "status": "aborted" })), ["finish Aborted ply 0"]);
    surplus()
        .on(full("e2e4"), ["act Abort", "Abort in 30000"])
        .then(state("e2e4 e7e5"))
        .on(acted(Action::Abort, refused()), ["search 1 ply 2"]);
    surplus().on(full("e2e4 e7e5"), ["search 1 ply 2"]);
    surplus().on(full_with("", json!({ "tournamentId": "Wk2sArn0" })), ["chat hi", "search 1 ply 0"]);
    // Called off, it was said; but the game goes on.
    surplus()
        .then(full(""))
        .then(acted(Action::Abort, Outcome::Done))
        .then(lost())
        .on(full(""), ["chat hi", "search 1 ply 0"]);
}

fn gone(seconds: u64) -> Input {
    line(json!({ "type": "opponentGone", "gone": true, "claimWinInSeconds": seconds }))
}

#[test]
fn b21_five_ways_in_which_an_opponent_is_gone() {
    let waiting = || game().then(full("e2e4 e7e5 g1f3")).on(gone(8), ["Claim in 9000"]);
    let claim = || timer(Timer::Claim);
    // Gone for good.
    waiting()
        .after(9000)
        .on(claim(), ["act ClaimWin", "Claim in 3000"])
        .on(acted(Action::ClaimWin, Outcome::Done), [])
        .on(
            state_with("e2e4 e7e5 g1f3", json!({ "status": "timeout", "winner": "white" })),
            ["finish Win ply 3"],
        );
    // Our own stream breaks meanwhile, and the server says it again.
    waiting().on(lost(), []).on(full("e2e4 e7e5 g1f3"), []).after(7000).on(gone(1), ["Claim in 2000"]);
    // A move comes without a word that the opponent is back.
    waiting().on(state("e2e4 e7e5 g1f3 b8c6"), ["no Claim", "search 1 ply 4"]).after(9000).on(claim(), []);
    // Back by word.
    waiting()
        .on(line(json!({ "type": "opponentGone", "gone": false })), ["no Claim"])
        .after(9000)
        .on(claim(), []);
    // The claim is answered "done" without effect, and the opponent plays on.
    waiting()
        .after(9000)
        .then(claim())
        .on(acted(Action::ClaimWin, Outcome::Done), [])
        .on(state("e2e4 e7e5 g1f3 b8c6"), ["no Claim", "search 1 ply 4"]);
}

#[test]
fn b22_a_game_that_ends_while_we_think_ends_the_thinking() {
    let moves = "e2e4 e7e5";
    game()
        .then(full(moves))
        .after(200)
        .on(state_with(moves, json!({ "status": "resign", "winner": "white" })), ["stop", "finish Win ply 2"])
        .on(found(1, "g1f3"), [])
        .calm();
    game()
        .then(full(""))
        .on(state_with("", json!({ "status": "aborted" })), ["stop", "finish Aborted ply 0"])
        .on(found(1, "e2e4"), [])
        .calm();
}

#[test]
fn b23_the_number_of_a_move_in_the_start_position_means_nothing_for_the_clock() {
    let limit = |number: u32| {
        let fen = format!("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 {number}");
        let start = json!({ "variant": { "key": "fromPosition" }, "initialFen": fen });
        game_with(|options| options.thinking = Thinking::default()).hard_limit(full_with("a2a3 a7a6", start))
    };
    assert_eq!((limit(296), limit(65_535)), (limit(1), limit(1)));
    let moves = "a2a3 a7a6";
    let start = json!({ "variant": { "key": "fromPosition" },
        "initialFen": "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 300" });
    game()
        .then(full_with(moves, start))
        .on(state_with(moves, json!({ "status": "draw" })), ["stop", "finish Draw ply 2"])
        .calm();
}

#[test]
fn b25_the_clock_is_planned_from_our_own_side_of_the_newest_state() {
    let clock = |wtime: u64, btime: u64, winc: u64, binc: u64| json!({ "wtime": wtime, "btime": btime, "winc": winc, "binc": binc });
    let white = |patch| game().then(full("e2e4")).hard_limit(state_with("e2e4 e7e5", patch));
    let black =
        |patch| game().then(full_as_black("e2e4 e7e5")).hard_limit(state_with("e2e4 e7e5 g1f3", patch));
    // The opponent's half clock is no business of ours; our own is.
    assert_eq!(white(clock(180_000, 90_000, 2000, 2000)), white(clock(180_000, 180_000, 2000, 2000)));
    assert_eq!(black(clock(90_000, 180_000, 2000, 2000)), black(clock(180_000, 180_000, 2000, 2000)));
    assert!(white(clock(90_000, 180_000, 0, 2000)) < white(clock(180_000, 180_000, 0, 2000)));
    assert!(black(clock(180_000, 90_000, 2000, 0)) < black(clock(180_000, 180_000, 2000, 0)));
    assert_eq!(white(clock(90_000, 180_000, 0, 60_000)), white(clock(90_000, 180_000, 0, 0)));
    // The opponent gives us time: from then on there is more of it.
    assert!(white(clock(195_000, 180_000, 2000, 2000)) > white(clock(180_000, 180_000, 2000, 2000)));
}

#[test]
fn b26_no_offer_goes_with_a_claim() {
    let pushes = |from: u8, to: u8| {
        let (white, black) = ((from, from + 1), (to + 1, to));
        let step =
            |file: char| format!("{file}{}{file}{} {file}{}{file}{} ", white.0, white.1, black.0, black.1);
        ('a'..='h').map(step).collect::<String>()
    };
    let forty = format!("{}{}{}", pushes(2, 6), pushes(3, 5), "g1f3 g8f6 f3g1 f6g8 ".repeat(2));
    game_with(|options| options.policy.offer_draws = Some(DrawWindow { score: 20, moves: 1 }))
        .then(full(forty.trim_end()))
        .on(scored(1, "g1f3", 0), ["act ClaimRepetition", "Hold in 2000"])
        .on(acted(Action::ClaimRepetition, refused()), ["no Hold", "post g1f3 ply 40"]);
}
