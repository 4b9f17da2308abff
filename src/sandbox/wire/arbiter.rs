//! The arbiter's sheet, the table and a game put together again: what this server tells beyond the API of Lichess.

use serde_json::{Map, Value, json};

use super::color_key;
use crate::chess::{CastlingSpelling, Color, UciMove};
use crate::sandbox::world::{Account, Game, Reconstruction, UserId};

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

/// A round that has begun.
pub(in crate::sandbox) fn round_json(games: &[&Game], rests: Option<&UserId>) -> Value {
    let game = |game: &&Game| {
        let [white, black] = Color::ALL.map(|color| game.seat(color).name());
        json!({"id": game.id.as_str(), "white": white, "black": black})
    };
    json!({"games": games.iter().map(game).collect::<Vec<_>>(), "rests": rests.map(UserId::as_str)})
}

/// The table as JSON, the best first.
pub(in crate::sandbox) fn standings_json(table: &[&Account]) -> Value {
    let row = |account: &&Account| {
        let score = account.score;
        let mut row = Map::new();
        row.insert("name".to_owned(), json!(account.name));
        if let Some(title) = &account.title {
            row.insert("title".to_owned(), json!(title));
        }
        let numbers =
            [("games", score.all()), ("won", score.won), ("drawn", score.drawn), ("lost", score.lost)];
        row.extend(numbers.map(|(key, number)| (key.to_owned(), json!(number))));
        row.insert("score".to_owned(), json!(f64::from(score.half_points()) / 2.0));
        row.insert("points".to_owned(), json!(account.points.hundredths() as f64 / 100.0));
        row.insert("level".to_owned(), json!(account.points.level()));
        Value::Object(row)
    };
    Value::Array(table.iter().map(row).collect())
}

/// The table as text, a line for each account.
pub(in crate::sandbox) fn standings_text(table: &[&Account]) -> String {
    let width = table.iter().map(|account| account.name.len()).max().unwrap_or(0).max("player".len());
    let mut text = format!(
        "{:width$}  {:>5}  {:>4}  {:>5}  {:>4}  {:>5}  {:>8}  {:>5}\n",
        "player", "games", "won", "drawn", "lost", "score", "points", "level"
    );
    for account in table {
        let score = account.score;
        let level = account.points.level().map_or_else(|| "-".to_owned(), |level| level.to_string());
        text.push_str(&format!(
            "{:width$}  {:>5}  {:>4}  {:>5}  {:>4}  {:>5}  {:>8}  {level:>5}\n",
            account.name,
            score.all(),
            score.won,
            score.drawn,
            score.lost,
            halves(score.half_points()),
            account.points,
        ));
    }
    text
}

/// Half points as people write them.
fn halves(halves: u32) -> String {
    match (halves / 2, halves % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "½".to_owned(),
        (whole, _) => format!("{whole}½"),
    }
}
