//! lichess.
