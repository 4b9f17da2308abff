//! Which request is which: the names by which rules choose.

use serde::Serialize;

/// A kind of request. Streams are routes too: their lines count as theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// The event stream.
    Events,
    /// The stream of a game.
    Game,
    /// A move.
    Move,
    /// Chat, said or read.
    Chat,
    /// A draw offer or the answer to one.
    Draw,
    /// A takeback offer or the answer to one.
    Takeback,
    /// Aborting a game.
    Abort,
    /// Resigning.
    Resign,
    /// Claiming a win or a draw.
    Claim,
    /// Accepting a challenge.
    Accept,
    /// Declining one.
    Decline,
    /// Taking one back.
    Cancel,
    /// Creating, listing or showing challenges.
    Challenge,
    /// The account.
    Account,
    /// The list of running games.
    Playing,
    /// The list of bots that are online.
    Online,
    /// Users by name.
    Users,
    /// The test of tokens.
    Token,
    /// Games as text.
    Export,
    /// Becoming a bot.
    Upgrade,
    /// All of these, and what has no name.
    Any,
}

impl Route {
    /// Every route by its name.
    pub(super) const ALL: [(&'static str, Route); 21] = [
        ("events", Route::Events),
        ("game", Route::Game),
        ("move", Route::Move),
        ("chat", Route::Chat),
        ("draw", Route::Draw),
        ("takeback", Route::Takeback),
        ("abort", Route::Abort),
        ("resign", Route::Resign),
        ("claim", Route::Claim),
        ("accept", Route::Accept),
        ("decline", Route::Decline),
        ("cancel", Route::Cancel),
        ("challenge", Route::Challenge),
        ("account", Route::Account),
        ("playing", Route::Playing),
        ("online", Route::Online),
        ("users", Route::Users),
        ("token", Route::Token),
        ("export", Route::Export),
        ("upgrade", Route::Upgrade),
        ("any", Route::Any),
    ];

    /// The route of a path, and the game (or the challenge, which has the id of its game) that it names.
    pub(in crate::sandbox) fn of(path: &str) -> (Route, Option<&str>) {
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        match parts.as_slice() {
            ["api", "stream", "event"] => (Route::Events, None),
            ["api", "bot" | "board", "game", "stream", id] => (Route::Game, Some(id)),
            ["api", "bot" | "board", "game", id, command, ..] => (Route::of_command(command), Some(id)),
            ["api", "game", id, "chat"] => (Route::Chat, Some(id)),
            ["api", "challenge", id, "accept"] => (Route::Accept, Some(id)),
            ["api", "challenge", id, "decline"] => (Route::Decline, Some(id)),
            ["api", "challenge", id, "cancel"] => (Route::Cancel, Some(id)),
            ["api", "challenge", id, "show"] => (Route::Challenge, Some(id)),
            ["api", "challenge"] | ["api", "challenge", _] => (Route::Challenge, None),
            ["api", "account"] => (Route::Account, None),
            ["api", "account", "playing"] => (Route::Playing, None),
            ["api", "bot", "online"] => (Route::Online, None),
            ["api", "bot", "account", "upgrade"] => (Route::Upgrade, None),
            ["api", "user", ..] | ["api", "users", ..] => (Route::Users, None),
            ["api", "token", "test"] => (Route::Token, None),
            ["game", "export", id] => (Route::Export, Some(id)),
            ["api", "games", ..] => (Route::Export, None),
            _ => (Route::Any, None),
        }
    }

    fn of_command(command: &str) -> Route {
        match command {
            "move" => Route::Move,
            "chat" => Route::Chat,
            "draw" => Route::Draw,
            "takeback" => Route::Takeback,
            "abort" => Route::Abort,
            "resign" => Route::Resign,
            "claim-victory" | "claim-draw" => Route::Claim,
            _ => Route::Any,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_a_route_and_perhaps_a_game() {
        for (path, route, game) in [
            ("/api/stream/event", "events", None),
            ("/api/bot/game/stream/Qz7Lm2Xa", "game", Some("Qz7Lm2Xa")),
            ("/api/board/game/stream/Qz7Lm2Xa", "game", Some("Qz7Lm2Xa")),
            ("/api/bot/game/Qz7Lm2Xa/move/e2e4", "move", Some("Qz7Lm2Xa")),
            ("/api/bot/game/Qz7Lm2Xa/chat", "chat", Some("Qz7Lm2Xa")),
            ("/api/bot/game/Qz7Lm2Xa/draw/yes", "draw", Some("Qz7Lm2Xa")),
            ("/api/bot/game/Qz7Lm2Xa/takeback/no", "takeback", Some("Qz7Lm2Xa")),
            ("/api/bot/game/Qz7Lm2Xa/abort", "abort", Some("Qz7Lm2Xa")),
            ("/api/bot/game/Qz7Lm2Xa/resign", "resign", Some("Qz7Lm2Xa")),
            ("/api/bot/game/Qz7Lm2Xa/claim-victory", "claim", Some("Qz7Lm2Xa")),
            ("/api/challenge/Qz7Lm2Xa/accept", "accept", Some("Qz7Lm2Xa")),
            ("/api/challenge/Qz7Lm2Xa/decline", "decline", Some("Qz7Lm2Xa")),
            ("/api/challenge/Qz7Lm2Xa/cancel", "cancel", Some("Qz7Lm2Xa")),
            ("/api/challenge/somebody", "challenge", None),
            ("/api/challenge", "challenge", None),
            ("/api/account", "account", None),
            ("/api/account/playing", "playing", None),
            ("/api/bot/online", "online", None),
            ("/api/users/status", "users", None),
            ("/api/token/test", "token", None),
            ("/game/export/Qz7Lm2Xa", "export", Some("Qz7Lm2Xa")),
            ("/api/bot/account/upgrade", "upgrade", None),
            ("/sandbox/standings", "any", None),
        ] {
            let (found, id) = Route::of(path);
            let name = serde_json::to_value(found).unwrap();
            assert_eq!((name.as_str(), id), (Some(route), game), "{path}");
            assert!(Route::ALL.contains(&(route, found)), "{route} has its name");
        }
    }
}
