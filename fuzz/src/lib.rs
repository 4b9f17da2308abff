//! What the fuzz targets share: the laws of chess, and how a text names a start position.
//!
//! The laws are compiled from their sources by themselves. They use nothing else of the crate, and all that the daemon
//! depends on would have to be built again for fuzzing.

#[allow(dead_code, unused_imports, reason = "some of it is for the rest of the crate, which is not here")]
#[path = "../../src/chess/mod.rs"]
pub mod chess;

use chess::{AnyPosition, FenError, Variant};

/// A FEN, with the variant before a colon if it is not standard chess: `atomic: 8/8/8/8/8/8/8/K7 b - - 0 1`.
pub fn variant_and_fen(text: &str) -> Option<(Variant, &str)> {
    match text.split_once(':') {
        None => Some((Variant::Standard, text)),
        Some((name, fen)) => Variant::from_name(name).map(|variant| (variant, fen)),
    }
}

/// The position of a FEN, also where no game leads to it.
pub fn unreachable(text: &str) -> Option<Result<AnyPosition, FenError>> {
    variant_and_fen(text).map(|(variant, fen)| AnyPosition::from_unreachable_fen(variant, fen))
}

/// Splits a text into the position of its first line and the rest. Without a line break it is all rest, and the
/// position that of a new game; none if the first line is no FEN.
pub fn position_and_rest(text: &str) -> Option<(AnyPosition, &str)> {
    match text.split_once('\n') {
        None => Variant::Standard.start(None).ok().map(|position| (position, text)),
        Some((fen, rest)) => unreachable(fen)?.ok().map(|position| (position, rest)),
    }
}
