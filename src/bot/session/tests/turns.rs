//! Whose turn it is, and what is thought about when.

use serde_json::json;

use super::support::*;
use crate::bot::session::table::plain;
use crate::bot::session::turn::worth_pondering;
use crate::bot::session::{Input, Outcome, Thought, Timer};
use crate::bot::shutdown::Phase;
use crate::chess::{History, Position};

#[test]
fn we_think_when_it_is_our_turn_and_post_what_we_find() {
    game()
        .on(Input::Connected, [])
        .on(full(""), ["search 1 ply 0"])
        .on(found(1, "e2e4"), ["post e2e4 ply 0"])
        .on(posted(0, Outcome::Done), ["Post in 3000"])
        .on(state("e2e4"), ["no Post", "Abort in 30000"])
        .on(state("e2e4 e7e5"), ["no Abort", "search 2 ply 2"]);
}

#[test]
fn as_black_we_wait_for_white() {
    game().on(full_as_black(""), ["Abort in 30000"]).on(state("e2e4"), ["no Abort", "search 1 ply 1"]);
}

#[test]
fn our_own_move_starts_no_search_in_whatever_order_answer_and_line_come() {
    let thought = || game().then(full("e2e4 e7e5")).on(found(1, "g1f3"), ["post g1f3 ply 2"]);
    thought().on(posted(2, Outcome::Done), ["Post in 3000"]).on(state("e2e4 e7e5 g1f3"), ["no Post"]);
    thought().on(state("e2e4 e7e5 g1f3"), []).on(posted(2, Outcome::Done), []);
}

#[test]
fn the_same_line_again_has_no_effect() {
    game()
        .then(full("e2e4 e7e5"))
        .on(state("e2e4 e7e5"), [])
        .on(state("e2e4 e7e5"), [])
        .on(found(1, "g1f3"), ["post g1f3 ply 2"])
        .on(state("e2e4 e7e5"), [])
        .then(posted(2, Outcome::Done))
        .on(state("e2e4 e7e5"), [])
        .on(state("e2e4 e7e5 g1f3"), ["no Post"])
        .on(state("e2e4 e7e5 g1f3"), []);
}

#[test]
fn an_offer_while_we_think_does_not_start_the_search_again() {
    game().then(full("e2e4 e7e5")).on(state_with("e2e4 e7e5", json!({ "bdraw": true })), []);
}

#[test]
fn a_takeback_throws_the_search_away() {
    game()
        .then(full("e2e4 e7e5 g1f3 b8c6"))
        .on(full("e2e4 e7e5 g1f3"), ["stop"])
        .on(found(1, "f1b5"), [])
        .on(state("e2e4 e7e5 g1f3 d7d6"), ["search 2 ply 4"]);
}

#[test]
fn a_takeback_of_two_plies_leaves_us_to_move() {
    game()
        .then(full("e2e4 e7e5 g1f3 b8c6"))
        .on(full("e2e4 e7e5"), ["stop", "search 2 ply 2"])
        .on(found(2, "g1f3"), ["post g1f3 ply 2"]);
}

#[test]
fn a_takeback_cancels_the_post_that_is_on_its_way() {
    game()
        .then(full("e2e4 e7e5 g1f3 b8c6"))
        .on(found(1, "f1b5"), ["post f1b5 ply 4"])
        .on(full("e2e4 e7e5"), ["cancel post", "search 2 ply 2"])
        .on(posted(4, Outcome::Done), []);
}

#[test]
fn a_jump_ahead_is_taken_as_it_is() {
    game()
        .then(full("e2e4 e7e5"))
        .on(lost(), [])
        .on(full("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"), ["stop", "search 2 ply 6"])
        .on(found(1, "g1f3"), [])
        .on(found(2, "b5a4"), ["post b5a4 ply 6"]);
}

#[test]
fn another_line_than_before_is_played_from_scratch() {
    game()
        .then(full("e2e4 c7c5 b1c3 b8c6"))
        .on(full("d2d3"), ["Abort in 30000", "stop"])
        .logged("another line")
        .on(state("d2d3 d7d5"), ["no Abort", "search 2 ply 2"]);
}

#[test]
fn a_list_that_cannot_be_read_is_asked_for_anew_but_not_for_ever() {
    let bad = || state("e2e4 e7e5 e4e5");
    let bad_full = || full("e2e4 e7e5 e4e5");
    let game = game()
        .then(full("e2e4 e7e5"))
        .on(bad(), ["stop", "reopen"])
        .logged("ply 2: illegal move e4e5")
        .on(bad_full(), ["reopen"])
        .on(bad_full(), ["Reread in 2000"])
        .on(Input::Timer { timer: Timer::Reread }, ["reopen"])
        .on(bad_full(), ["Reread in 4000"])
        .on(bad(), ["Reread in 8000"]);
    assert_eq!(game.count_logged("moves cannot be read"), 1);
    assert_eq!(game.count_logged("asking for it again from time to time"), 1);
    // The game is alive: when the server makes sense again, we play on.
    game.on(state("e2e4 e7e5"), ["search 2 ply 2"]);
}

#[test]
fn castling_is_the_same_move_in_either_spelling() {
    let moves = "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7";
    game()
        .then(full(moves))
        .on(found(1, "e1h1"), ["post e1g1 ply 6"])
        .then(posted(6, Outcome::Done))
        .on(state(&format!("{moves} e1h1")), ["no Post"])
        .on(state(&format!("{moves} e1g1")), []);
}

#[test]
fn chess960_castles_by_taking_the_rook() {
    let start = json!({ "variant": { "key": "chess960" },
        "initialFen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" });
    game().then(full_with("g1f3 g8f6 g2g3 g7g6 f1g2 f8g7", start)).on(found(1, "e1h1"), ["post e1h1 ply 6"]);
}

#[test]
fn black_may_begin_in_a_set_up_position() {
    let start = || {
        json!({ "variant": { "key": "fromPosition" },
        "initialFen": "8/5pk1/6p1/8/3K4/8/1R6/8 b - - 3 41" })
    };
    game().on(full_with("", start()), ["Abort in 30000"]).on(state("f7f5"), ["no Abort", "search 1 ply 1"]);
    let mut seats = start();
    seats["white"] = full_json("")["black"].clone();
    seats["black"] = full_json("")["white"].clone();
    game().on(full_with("", seats), ["search 1 ply 0"]).on(found(1, "f7f5"), ["post f7f5 ply 0"]);
}

#[test]
fn c14_c15_a_result_that_is_no_move_is_replaced_by_a_legal_one() {
    for best in [None, Some("e2e5"), Some("e7e5"), Some("0000"), Some("")] {
        let thought = Thought { best: best.map(str::to_owned), ..Thought::default() };
        let (game, shown) = game().then(full("e2e4 e7e5")).try_on(Input::Searched { ticket: 1, thought });
        game.logged("no legal move");
        assert!(shown.len() == 1 && shown[0].starts_with("post "), "{best:?}: {shown:?}");
    }
}

#[test]
fn nothing_is_thought_about_a_finished_board() {
    game().on(full("f2f3 e7e5 g2g4 d8h4"), []);
}

#[test]
fn a_game_that_is_over_by_the_rules_is_left_to_the_server_first() {
    let bare =
        json!({ "variant": { "key": "fromPosition" }, "initialFen": "8/5k2/8/8/3K4/8/8/8 w - - 3 41" });
    game()
        .on(full_with("", bare), ["Settle in 1000"])
        .after(1000)
        .on(Input::Timer { timer: Timer::Settle }, ["search 1 ply 0"])
        .logged("should be over");
}

#[test]
fn the_program_stops_with_the_move_that_is_ready() {
    game()
        .then(full("e2e4 e7e5"))
        .on(Input::Phase { phase: Phase::Draining }, [])
        .on(Input::Phase { phase: Phase::Stopping }, ["hurry"])
        .on(found(1, "g1f3"), ["post g1f3 ply 2"])
        .on(posted(2, Outcome::Done), ["Post in 3000", "leave"])
        .on(state("e2e4 e7e5 g1f3"), []);
}

#[test]
fn the_program_stops_at_once_when_the_opponent_is_to_move() {
    game().then(full("e2e4")).on(Input::Phase { phase: Phase::Stopping }, ["leave"]);
}

#[test]
fn we_ponder_on_the_expected_reply() {
    let pondering = || {
        game_with(|options| options.thinking.ponder = true)
            .then(full("e2e4 e7e5"))
            .on(expecting(1, "g1f3", "b8c6"), ["post g1f3 ply 2"])
            .on(state("e2e4 e7e5 g1f3"), ["search 2 ply 4 if b8c6"])
    };
    pondering()
        .on(state("e2e4 e7e5 g1f3 b8c6"), ["hit 2"])
        .on(found(2, "f1b5"), ["post f1b5 ply 4"])
        .on(state("e2e4 e7e5 g1f3 b8c6 f1b5"), []);
    pondering().on(state("e2e4 e7e5 g1f3 d7d6"), ["stop", "search 3 ply 4"]).on(found(2, "f1b5"), []);
    pondering().on(full("e2e4 e7e5"), ["stop", "search 3 ply 2"]);
    pondering().on(Input::Phase { phase: Phase::Stopping }, ["stop", "leave"]);
}

#[test]
fn we_do_not_ponder_on_the_end_of_the_game() {
    game_with(|options| options.thinking.ponder = true)
        .then(full("f2f3 e7e5"))
        .on(expecting(1, "g2g4", "d8h4"), ["post g2g4 ply 2"])
        .on(state("f2f3 e7e5 g2g4"), []);
}

/// The predicted positions of many short and long games, ends of all kinds among them.
#[test]
fn c09_no_finished_position_is_pondered_on() {
    let mut random = 9_u64;
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % bound
    };
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1",
        "7k/5K2/8/8/8/8/8/6R1 w - - 90 80",
        "8/8/8/8/8/1k6/1p6/1K6 b - - 0 1",
        "k7/2Q5/8/8/8/8/8/K7 w - - 95 80",
    ];
    let (mut pairs, mut finished) = (0, 0);
    while pairs < 10_000 {
        let mut history = History::new(Position::from_fen(starts[below(starts.len())]).unwrap());
        for _ in 0..40 {
            let moves = history.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            let reply = moves[below(moves.len())];
            let mut after = history.clone();
            after.push(reply);
            let position = after.position();
            let times = after.keys().iter().filter(|&&key| key == position.key()).count();
            let over = position.legal_moves().is_empty()
                || position.is_insufficient_material()
                || position.halfmove_clock() >= 100
                || times >= 3;
            let pondered = worth_pondering(&history, &plain(reply));
            assert_eq!(pondered, (!over).then_some(reply), "{} {reply:?}", history.position().to_fen());
            (pairs, finished) = (pairs + 1, finished + usize::from(over));
            history = after;
        }
    }
    assert!(finished > 300, "{finished} of {pairs}");
}

#[test]
fn the_age_of_a_line_counts_against_the_clock() {
    let clocks = json!({ "wtime": 4000, "winc": 0 });
    let aged = |age_ms| match state_with("e2e4 e7e5", clocks.clone()) {
        Input::Line { event, .. } => Input::Line { age_ms, event },
        other => other,
    };
    let limit = |age_ms| game().then(full("e2e4")).after(5000).hard_limit(aged(age_ms));
    assert!(
        limit(0) > limit(2000) && limit(2000) > limit(3500),
        "{} {} {}",
        limit(0),
        limit(2000),
        limit(3500)
    );
    assert_eq!(limit(4500), 1, "a clock that is over leaves the least time, not none");
}

#[test]
fn a_clock_known_from_the_account_bounds_the_first_search() {
    let seconds_left = |left: u64| {
        game_with(|options| options.info = Some(info(json!({ "secondsLeft": left }))))
            .hard_limit(full("e2e4 e7e5"))
    };
    assert!(seconds_left(5) < seconds_left(100) && seconds_left(100) < seconds_left(180));
}
