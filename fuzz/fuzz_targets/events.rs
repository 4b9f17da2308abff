//! See `rookery::lichess::fuzzing::events`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rookery::lichess::fuzzing::events(bytes));
