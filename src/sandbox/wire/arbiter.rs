//! The arbiter's sheet and a game put together again: what this server tells beyond the API of Lichess.

use serde_json::{Value, json};

use super::color_key;
use crate::chess::{CastlingSpelling, Color, UciMove};
use crate::sandbox::world::{Game, Reconstruction};

/// What the arbiter has written down of a game.
pub(in crate::sandbox) fn sheet_json(game: &Game) -> Value {
    let sheet = &game.sheet;
    let [white, black] = Color::ALL.map(|color| sheet.illegal_moves[color.index()]);
    let offers = sheet.offers.iter().map(|(ply, by)| json!({"ply": ply, "color": color_key(*by)}));
    let incidents = sheet.incidents.iter().map(|incident| {
        let mut json = json!({"ply": incident.ply, "what": incident.what});
        if let Some(color) = incident.by {
            json["color"] = json!(color_key(color));
        }
        json
    });
    let mut json = json!({
        "laws": game.laws().name,
        "status": game.status.words().1,
        "illegalMoves": {"white": white, "black": black},
        "quietMoves": sheet.quiet_moves,
        "adjourned": game.is_adjourned(),
        "bothLost": sheet.both_lost,
        "offers": offers.collect::<Vec<_>>(),
        "incidents": incidents.collect::<Vec<_>>(),
    });
    if let Some(winner) = game.winner {
        json["winner"] = json!(color_key(winner));
    }
    if let Some(mv) = sheet.announced {
        json["announced"] = json!(UciMove::from_move(mv, game.castling()).to_string());
    }
    json
}

/// A game put together again.
pub(in crate::sandbox) fn reconstruction_json(found: &Reconstruction) -> Value {
    let mut json = json!({
        "plies": found.history.ply(),
        "moves": found.history.to_uci(CastlingSpelling::KingTwoSquares),
        "fen": found.history.position().to_fen(),
    });
    if let Some(ply) = found.broken_at {
        json["brokenAt"] = json!(ply);
    }
    json
}
