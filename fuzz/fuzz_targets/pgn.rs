//! A text of games is read or refused game by game; a game that was read is the same when written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rookery_fuzz::chess::pgn::{Games, decode};

fuzz_target!(|bytes: &[u8]| {
    let text = decode(bytes);
    for (number, game) in (1..).zip(Games::new(&text)) {
        match game {
            Ok(game) => {
                let written = game.to_string();
                let again: Vec<_> = Games::new(&written).collect();
                assert_eq!(again, [Ok(game)], "{written}");
            }
            Err(error) => {
                assert_eq!(error.place.game, number);
                assert!(error.place.line > 0 && error.place.column > 0);
                assert!(!error.to_string().is_empty());
            }
        }
    }
});
