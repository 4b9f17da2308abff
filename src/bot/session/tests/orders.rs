//! The same things in every order, and anything in any order: a game always ends once, and each of our moves is posted
//! once.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::support::*;
use crate::bot::session::{Input, Loss, Outcome, Timer};
use crate::odd_fields;

/// All orders of `items`.
fn permutations<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, first) in items.iter().enumerate() {
        let rest = [&items[..at], &items[at + 1..]].concat();
        all.extend(permutations(&rest).into_iter().map(|mut order| {
            order.insert(0, first.clone());
            order
        }));
    }
    all
}

/// What tells the end of a game, or seems to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    /// The position has come about for the third time, and the game goes on, it is said.
    Third,
    /// The account's stream says that it is a draw.
    Finish,
    /// The game's stream ends.
    End,
    /// The move that we posted in between is refused.
    Refusal,
}

#[test]
fn b09_a_third_repetition_ends_once_in_whatever_order_it_is_told() {
    let third = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let before = third.rsplit_once(' ').unwrap().0;
    for order in permutations(&[Word::Third, Word::Finish, Word::End, Word::Refusal]) {
        let mut game = game().then(Input::Connected).then(full(before));
        let mut seen: Vec<String> = Vec::new();
        for word in &order {
            let input = match word {
                Word::Third => state(third),
                Word::Finish => {
                    let status = json!({ "status": { "id": 34, "name": "draw" } });
                    Input::Finished { game: Box::new(info(status)) }
                }
                Word::End => Input::Lost { loss: Loss::Ended },
                Word::Refusal => posted(8, refused()),
            };
            let (next, effects) = game.try_on(input);
            game = next;
            // A search answers at once.
            let searching = effects.iter().any(|effect| effect.starts_with("search"));
            seen.extend(effects);
            if searching {
                let (next, effects) = game.try_on(found(1, "e2e4"));
                game = next;
                seen.extend(effects);
            }
        }
        for timer in [Timer::Hold, Timer::Post, Timer::End] {
            let (next, effects) = game.try_on(Input::Timer { timer });
            game = next;
            seen.extend(effects);
        }
        let ends: Vec<_> = seen.iter().filter(|effect| effect.starts_with("finish")).collect();
        assert!(ends.len() == 1 && ends[0].starts_with("finish Draw"), "{order:?}: {seen:?}");
        assert!(seen.last().unwrap().starts_with("finish"), "{order:?}: {seen:?}");
    }
}

/// A game of eight moves each.
const LINE: [&str; 16] = [
    "e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7", "f1e1", "b7b5", "a4b3",
    "d7d6", "c2c3", "e8g8",
];

#[test]
fn b16_no_odd_field_of_any_line_breaks_a_game() {
    // In a game that has not begun, and in one that has.
    let try_line = |odd: Value| {
        game().then(Input::Connected).then(line(odd.clone()));
        game().then(full("e2e4 e7e5")).then(line(odd));
    };
    for text in include_str!("../../../../tests/data/wire/game.ndjson").lines() {
        let whole: Value = serde_json::from_str(text).unwrap();
        let places = odd_fields::places(&whole);
        for (_, _, changed) in odd_fields::changed(&whole, &places) {
            try_line(changed);
        }
        for place in &places {
            let (parent, key) = place.rsplit_once('/').unwrap();
            let mut without = whole.clone();
            without.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(key);
            try_line(without);
        }
    }
}

/// Fields of a state that change without a move.
fn flags() -> impl Strategy<Value = Value> {
    (any::<[bool; 4]>(), 1_u64..200_000).prop_map(|([wdraw, bdraw, wtakeback, btakeback], wtime)| {
        json!({ "wdraw": wdraw, "bdraw": bdraw, "wtakeback": wtakeback, "btakeback": btakeback, "wtime": wtime })
    })
}

proptest! {
    #[test]
    fn b07_copies_of_a_state_double_nothing(
        copies in prop::collection::vec((prop::collection::vec(flags(), 0..4), 0_usize..4), LINE.len()),
    ) {
        let mut game = game().then(Input::Connected).then(full(""));
        let (mut searches, mut posts) = (vec![0], Vec::new());
        for (ply, (flags, answered_after)) in copies.iter().enumerate() {
            let ours = ply % 2 == 0;
            let mut seen = Vec::new();
            if ply > 0 {
                let (next, effects) = game.try_on(state(&LINE[..ply].join(" ")));
                game = next;
                seen.extend(effects);
            }
            let ticket = ply as u64 / 2 + 1;
            let mut answered = false;
            for copy in 0..=flags.len() {
                if ours && !answered && (copy == *answered_after || copy == flags.len()) {
                    answered = true;
                    for input in [found(ticket, LINE[ply]), posted(ply, Outcome::Done)] {
                        let (next, effects) = game.try_on(input);
                        game = next;
                        seen.extend(effects);
                    }
                }
                if let Some(flags) = flags.get(copy) {
                    let (next, effects) = game.try_on(state_with(&LINE[..ply].join(" "), flags.clone()));
                    game = next;
                    seen.extend(effects);
                }
            }
            prop_assert!(!seen.iter().any(|effect| effect == "stop" || effect == "reopen"), "{:?}", seen);
            searches.extend(seen.iter().filter(|effect| effect.starts_with("search")).map(|_| ply));
            posts.extend(seen.iter().filter(|effect| effect.starts_with("post")).map(|_| ply));
        }
        let ours: Vec<usize> = (0..LINE.len()).step_by(2).collect();
        prop_assert_eq!(searches, ours.clone());
        prop_assert_eq!(posts, ours);
    }

    /// A server that says anything: lists that are cut, garbled or of another game, in any order with all the rest.
    #[test]
    fn b11_no_nonsense_of_the_server_breaks_a_game(
        steps in prop::collection::vec((0_usize..10, 0_usize..=LINE.len(), any::<bool>()), 1..40),
    ) {
        let mut game = game().then(Input::Connected).then(full(""));
        for (what, cut, spoilt) in steps {
            let mut moves = LINE[..cut].join(" ");
            if spoilt {
                moves.push_str(" e4e5");
            }
            let (next, effects) = game.try_on(match what {
                0..=2 => state(&moves),
                3 | 4 => full(&moves),
                5 => Input::Connected,
                6 => lost(),
                7 => found(cut as u64, "e2e4"),
                8 => posted(cut, refused()),
                _ => Input::Timer { timer: [Timer::Reread, Timer::Post, Timer::Hold, Timer::Settle][cut % 4] },
            });
            game = next;
            prop_assert!(effects.iter().filter(|effect| effect.starts_with("post")).count() <= 1, "{:?}", effects);
        }
        // It plays on as soon as the server makes sense.
        let (game, _) = game.try_on(Input::Connected);
        let (game, _) = game.try_on(full(&LINE[..1].join(" ")));
        let (_, effects) = game.try_on(full(&LINE[..4].join(" ")));
        prop_assert!(effects.iter().any(|effect| effect.starts_with("search")), "{:?}", effects);
    }
}
