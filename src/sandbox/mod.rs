//! sandbox.
