//! bot.
