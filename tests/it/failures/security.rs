//! What a server or an opponent may try.
