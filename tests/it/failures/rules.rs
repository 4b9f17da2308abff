//! The laws of chess where programs got them wrong.
