//! What a session does, input by input.
