//! What is said in a game.

use super::{FormErrors, Game, GameLine, Refusal};
use crate::chess::Color;

/// Who the server's own lines are from.
pub(crate) const SYSTEM: &str = "lichess";
/// The longest line.
const MAX_CHARS: usize = 140;
/// Lines kept for each game; later ones are dropped, as a flood is on Lichess.
const MAX_LINES: usize = 1000;

/// Where something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    Player,
    Spectator,
}

impl Room {
    /// The word of the API.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Room::Player => "player",
            Room::Spectator => "spectator",
        }
    }

    fn from_key(key: &str) -> Option<Room> {
        [Room::Player, Room::Spectator].into_iter().find(|room| room.key() == key)
    }
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChatLine {
    pub(crate) room: Room,
    pub(crate) user: String,
    pub(crate) text: String,
}

impl Game {
    /// `color` says something. Links of bots are dropped without a word, as Lichess does.
    pub(super) fn say(&mut self, color: Color, room: &str, text: &str) -> Result<(), Refusal> {
        let mut errors = FormErrors::default();
        let room = Room::from_key(room);
        if room.is_none() {
            errors.add("room", "Invalid value");
        }
        match text.chars().count() {
            0 => errors.add("text", "This field is required"),
            1..=MAX_CHARS => {}
            _ => errors.add("text", format!("Maximum length is {MAX_CHARS}")),
        }
        let room = errors.or(room)?.unwrap_or(Room::Player);
        let seat = self.seat(color);
        let link = ["http://", "https://", "www."].iter().any(|start| text.contains(start));
        if !(seat.is_bot() && link) {
            let user = seat.name();
            self.tell_chat(ChatLine { room, user, text: text.to_owned() });
        }
        Ok(())
    }

    /// A line of the server to the players.
    pub(super) fn tell_system(&mut self, text: &str) {
        self.tell_chat(ChatLine { room: Room::Player, user: SYSTEM.to_owned(), text: text.to_owned() });
    }

    fn tell_chat(&mut self, line: ChatLine) {
        if self.chat.len() < MAX_LINES {
            self.chat.push(line.clone());
            self.lines.push(GameLine::Chat(line));
        }
    }
}
