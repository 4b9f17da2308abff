//! See `rookery::replay::fuzzing::recording`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rookery::replay::fuzzing::recording(bytes));
