//! See `rookery::chess::fuzzing::fen`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| rookery::chess::fuzzing::fen(text));
