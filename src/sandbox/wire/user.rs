//! Accounts as JSON.

use serde_json::{Map, Value, json};

use crate::chess::Color;
use crate::sandbox::world::{Account, Game, Speed, World};

/// What a list of users shows, and with the numbers of `GET /api/account`.
pub(in crate::sandbox) fn user_json(
    world: &World,
    account: &Account,
    playing: Option<&str>,
    url: &str,
) -> Value {
    let score = account.score;
    let mut json = json!({
        "id": account.id.as_str(),
        "username": account.name,
        "perfs": perfs(account),
        "createdAt": world.date_ms(std::time::Duration::ZERO),
        "seenAt": world.date_ms(account.seen),
        "playTime": {"total": 0, "tv": 0},
        "url": format!("{url}/@/{}", account.name),
        "count": {
            "all": score.all(),
            "rated": score.rated,
            "ai": score.against_ai,
            "draw": score.drawn,
            "loss": score.lost,
            "win": score.won,
            "playing": u32::from(playing.is_some()),
        },
    });
    if let Some(title) = &account.title {
        json["title"] = json!(title);
    }
    if let Some(playing) = playing {
        json["playing"] = json!(playing);
    }
    json
}

fn perfs(account: &Account) -> Value {
    let perf = |games: u32| json!({"games": games, "rating": account.rating, "rd": 60, "prog": 0});
    let kinds = Speed::ALL.into_iter().map(Speed::key).chain(["chess960"]);
    // One rating for everything: which games it came from is not kept.
    kinds.map(|kind| (kind.to_owned(), perf(account.score.all()))).collect::<Map<_, _>>().into()
}

/// The address of a user's game.
pub(in crate::sandbox) fn playing_url(game: &Game, color: Color, url: &str) -> String {
    let side = match color {
        Color::White => "",
        Color::Black => "/black",
    };
    format!("{url}/{}{side}", game.id)
}

/// An element of `GET /api/users/status`. `playing` is the user's game, if it has one; its id and the rest are told
/// when asked for.
pub(in crate::sandbox) fn status_json(
    account: &Account,
    playing: Option<&Game>,
    with_ids: bool,
    with_metas: bool,
) -> Value {
    let mut json = json!({"id": account.id.as_str(), "name": account.name});
    if let Some(title) = &account.title {
        json["title"] = json!(title);
    }
    if account.is_online() {
        json["online"] = json!(true);
    }
    if let Some(game) = playing {
        json["playing"] = if with_metas {
            json!({
                "id": game.id.as_str(),
                "clock": game.clock.control().show(),
                "variant": game.variant.key(),
            })
        } else {
            json!(true)
        };
        if with_ids {
            json["playingId"] = json!(game.id.as_str());
        }
    }
    json
}
