//! What happens in a game: offers, takebacks, ends, states that do not fit.
