//! A list of UCI moves is a game or refused, and a game written as UCI is the same game again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rookery_fuzz::chess::{CastlingSpelling, History};
use rookery_fuzz::position_and_rest;

fuzz_target!(|text: &str| {
    let Some((start, moves)) = position_and_rest(text) else { return };
    let Ok(history) = History::from_uci(start.clone(), moves.split_whitespace()) else { return };
    let _end = history.end();
    let words = history.to_uci(CastlingSpelling::KingTakesRook);
    let again = History::from_uci(start, words.split(' ').filter(|word| !word.is_empty()));
    let again = again.expect("because these moves were legal");
    assert_eq!(again.moves(), history.moves());
    assert_eq!(again.position(), history.position());
    assert_eq!(again.keys(), history.keys());
});
