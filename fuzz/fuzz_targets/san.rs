//! A move in SAN is read or refused; what is read is legal and the same move when written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rookery_fuzz::chess::san;
use rookery_fuzz::position_and_rest;

fuzz_target!(|text: &str| {
    let Some((position, text)) = position_and_rest(text) else { return };
    if let Ok(mv) = san::parse(&position, text) {
        assert!(position.is_legal(mv));
        assert_eq!(san::parse(&position, &san::format(&position, mv)), Ok(mv));
    }
});
