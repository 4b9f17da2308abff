//! See `rookery::chess::fuzzing::epd`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| rookery::chess::fuzzing::epd(text));
