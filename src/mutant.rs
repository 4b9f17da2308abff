//! Deliberate faults of our own, to see that the tests notice them. Without the feature `mutants` none can be switched
//! on, and nothing of them remains in the program.

/// A fault. `tests/data/mutants.tsv` says what each one breaks and which tests must notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::enum_variant_names, reason = "each name says what is missing")]
pub(crate) enum Mutant {
    /// A stream may be silent for ever.
    NoReadLimit,
    /// An answer is a success whatever its status says.
    NoStatusCheck,
    /// The start of a game that is played already starts it again.
    NoStartCheck,
    /// Places that are kept for accepted challenges are not counted.
    NoReservations,
    /// A search may answer for another position than the present one.
    NoTicketCheck,
    /// A move whose answer was lost is posted again at once.
    NoEcho,
    /// The status of a game is not looked at.
    NoEnd,
    /// A line that was cut off counts as a line.
    NoFragmentDrop,
    /// "Too many requests" is no reason to wait.
    NoCoolDown,
    /// A search that never answers is waited for.
    NoWatchdog,
    /// The token prints as it is.
    NoRedaction,
    /// A move that the server refused is tried again.
    NoExclusion,
}

/// Whether the fault is switched on: the environment names it in `ROOKERY_MUTANT`.
#[cfg(feature = "mutants")]
pub(crate) fn on(mutant: Mutant) -> bool {
    use std::sync::OnceLock;
    static NAME: OnceLock<Option<String>> = OnceLock::new();
    let name = NAME.get_or_init(|| std::env::var("ROOKERY_MUTANT").ok());
    name.as_deref().is_some_and(|name| name == format!("{mutant:?}"))
}

/// Whether the fault is switched on: never.
#[cfg(not(feature = "mutants"))]
pub(crate) const fn on(_: Mutant) -> bool {
    false
}
