//! Searches that are late, dead or wrong.
