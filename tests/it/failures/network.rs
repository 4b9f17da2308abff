//! Streams that end or fall silent, answers that are lost, limits that are hit.
