//! Data sets beside the repository, which are not committed: tests that want them pass without them and say so.

use std::fs;
use std::path::{Path, PathBuf};

/// A file or folder below `../shared/data`, if it is here.
#[expect(clippy::print_stdout, reason = "whoever runs the tests should learn what they did not cover")]
pub(crate) fn path(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not here", path.display());
    None
}

/// The rows of a table below `../shared/data` as cells, its header left out.
pub(crate) fn table(name: &str) -> Option<Vec<Vec<String>>> {
    let text = fs::read_to_string(path(name)?).unwrap();
    Some(text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}
