//! Time that is short, odd or wrong.
