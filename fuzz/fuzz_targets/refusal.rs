//! See `rookery::lichess::fuzzing::refusal`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rookery::lichess::fuzzing::refusal(bytes));
