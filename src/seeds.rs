//! The seeds of the fuzz targets, for the tests that send them through the same functions.

use std::fs;
use std::path::Path;

/// Calls a fuzz target's function with each of its seeds.
pub(crate) fn each(target: &str, function: impl Fn(&[u8])) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let mut seeds = 0;
    for entry in fs::read_dir(&dir).unwrap() {
        function(&fs::read(entry.unwrap().path()).unwrap());
        seeds += 1;
    }
    assert!(seeds > 0, "no seeds in {}", dir.display());
}
