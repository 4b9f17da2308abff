//! See `rookery::chess::fuzzing::san`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| rookery::chess::fuzzing::san(text));
