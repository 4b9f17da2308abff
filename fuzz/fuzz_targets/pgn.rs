//! See `rookery::chess::fuzzing::pgn`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rookery::chess::fuzzing::pgn(bytes));
