//! See `rookery::chess::fuzzing::uci_list`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| rookery::chess::fuzzing::uci_list(text));
