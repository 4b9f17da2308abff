//! See `rookery::lichess::fuzzing::framer`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rookery::lichess::fuzzing::framer(bytes));
