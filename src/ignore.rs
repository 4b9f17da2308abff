//! `result.ignore("why")`: a dropped `Result` that says why it may be dropped.

/// Drops a value on purpose; the reason stands at the call.
pub(crate) trait Ignore {
    /// Drops `self`. `_reason` is for the reader: it says why the outcome does not matter.
    fn ignore(self, _reason: &'static str);
}

impl<T, E> Ignore for Result<T, E> {
    fn ignore(self, _reason: &'static str) {}
}
