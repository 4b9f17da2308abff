//! What must hold for whatever stands in a recording, for the fuzz target and for the test of its seeds. Not built
//! otherwise.

use super::{ReplayReport, replay_from};
use crate::record::Reader;

/// A text is read as a recording, to its end, and is replayed or refused; the same text gives the same report.
pub fn recording(bytes: &[u8]) {
    let lines = bytes.split(|byte| *byte == b'\n').count();
    assert!(Reader::new(bytes).count() <= lines);
    let report: Option<ReplayReport> = replay_from(bytes).ok();
    assert_eq!(replay_from(bytes).ok(), report);
    if let Some(report) = report {
        assert!(!report.to_string().is_empty() && report.inputs <= lines);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_seeds_of_recordings() {
        crate::seeds::each("recording", super::recording);
    }
}
