//! See `rookery::lichess::fuzzing::chat`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rookery::lichess::fuzzing::chat(bytes));
