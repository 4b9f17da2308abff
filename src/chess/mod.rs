//! chess.
