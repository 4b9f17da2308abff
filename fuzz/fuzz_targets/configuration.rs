//! See `rookery::config::fuzzing::configuration`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| rookery::config::fuzzing::configuration(text));
