//! Games for export: PGN and JSON.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::color_key;
use crate::chess::pgn::{self, PgnResult};
use crate::chess::{Color, san};
use crate::sandbox::world::{Game, Seat, Status, TimeControl, VariantKey, World};

/// What an export is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sandbox) struct Export {
    pub(in crate::sandbox) tags: bool,
    pub(in crate::sandbox) clocks: bool,
    pub(in crate::sandbox) moves: bool,
    pub(in crate::sandbox) pgn_in_json: bool,
}

impl Default for Export {
    fn default() -> Export {
        Export { tags: true, clocks: true, moves: true, pgn_in_json: false }
    }
}

/// A game as PGN.
pub(in crate::sandbox) fn game_pgn(world: &World, game: &Game, export: Export, url: &str) -> String {
    let tags = if export.tags { tags(world, game, url) } else { Vec::new() };
    let clocks = export.clocks && matches!(game.clock.control(), TimeControl::Clock { .. });
    let first = game.history.start().turn();
    let marks = game.laws().offers_are_marked;
    pgn::write(&tags, &game.history, result(game), |ply| {
        let mover = if ply % 2 == 0 { first } else { !first };
        let offered = marks && game.sheet.offers.contains(&(ply, mover));
        let left = game.past_times.get(ply + 1).filter(|_| clocks).map(|times| times[mover.index()]);
        let clock = left.map(|left| format!("[%clk {}]", hours(left)));
        let words = offered.then(|| "(=)".to_owned()).into_iter().chain(clock);
        Some(words.collect::<Vec<_>>().join(" ")).filter(|comment| !comment.is_empty())
    })
}

fn result(game: &Game) -> PgnResult {
    match game.status {
        Status::Started | Status::Aborted => PgnResult::Unfinished,
        // PGN has no result in which both lose.
        _ if game.sheet.both_lost => PgnResult::Unfinished,
        _ => PgnResult::of_winner(game.winner),
    }
}

fn tags(world: &World, game: &Game, url: &str) -> Vec<(&'static str, String)> {
    let (date, time) = date_and_time(world.date_ms(game.created));
    let kind = if game.rated { "Rated" } else { "Casual" };
    let variant = VariantKey::from(game.variant);
    let mut tags = vec![
        ("Event", format!("{kind} {} game", variant.perf_name(game.speed))),
        ("Site", format!("{url}/{}", game.id)),
        ("Date", date.clone()),
        ("Round", "-".to_owned()),
        ("White", game.seat(Color::White).name()),
        ("Black", game.seat(Color::Black).name()),
        ("Result", result(game).as_str().to_owned()),
        ("GameId", game.id.to_string()),
        ("UTCDate", date),
        ("UTCTime", time),
    ];
    let seats = [
        (game.seat(Color::White), "WhiteElo", "WhiteTitle", "WhiteRatingDiff"),
        (game.seat(Color::Black), "BlackElo", "BlackTitle", "BlackRatingDiff"),
    ];
    for (seat, elo, title_tag, diff_tag) in seats {
        let Seat::User { rating, title, rating_diff, .. } = seat else { continue };
        tags.push((elo, rating.to_string()));
        tags.extend(title.iter().map(|title| (title_tag, title.clone())));
        tags.extend(rating_diff.iter().map(|diff| (diff_tag, format!("{diff:+}"))));
    }
    tags.push(("Variant", variant.name().to_owned()));
    tags.push(("TimeControl", time_control(game.clock.control())));
    tags.push(("Termination", termination(game.status).to_owned()));
    if let Some(fen) = &game.initial_fen {
        tags.push(("FEN", fen.clone()));
        tags.push(("SetUp", "1".to_owned()));
    }
    tags
}

/// In seconds; clocks that were arranged in the process may have fractions.
fn time_control(control: TimeControl) -> String {
    match control {
        TimeControl::Clock { limit, increment } => {
            format!("{}+{}", limit.as_secs_f64(), increment.as_secs_f64())
        }
        TimeControl::Correspondence { days } => format!("1/{}", u64::from(days) * 86_400),
        TimeControl::Unlimited => "-".to_owned(),
    }
}

fn termination(status: Status) -> &'static str {
    match status {
        Status::Started => "Unterminated",
        Status::Aborted | Status::NoStart => "Abandoned",
        Status::Timeout | Status::OutOfTime => "Time forfeit",
        Status::UnknownFinish => "Rules infraction",
        Status::Mate
        | Status::Resign
        | Status::Stalemate
        | Status::Draw
        | Status::InsufficientMaterialClaim
        | Status::VariantEnd => "Normal",
    }
}

/// `h:mm:ss`
fn hours(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Date and time in UTC, as PGN writes them.
fn date_and_time(ms: u64) -> (String, String) {
    let seconds = ms / 1000;
    let (year, month, day) = civil(seconds / 86_400);
    let second_of_day = seconds % 86_400;
    let time =
        format!("{:02}:{:02}:{:02}", second_of_day / 3600, second_of_day / 60 % 60, second_of_day % 60);
    (format!("{year}.{month:02}.{day:02}"), time)
}

/// Year, month and day of a number of days since 1970: count whole years, then whole months.
fn civil(mut days: u64) -> (u64, u64, u64) {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

/// A game as JSON.
pub(in crate::sandbox) fn game_json(world: &World, game: &Game, export: Export, url: &str) -> Value {
    let variant = VariantKey::from(game.variant);
    let mut json = json!({
        "id": game.id.as_str(),
        "rated": game.rated,
        "variant": variant.key(),
        "speed": game.speed.key(),
        "perf": variant.perf_key(game.speed),
        "createdAt": world.date_ms(game.created),
        "lastMoveAt": world.date_ms(game.ended.unwrap_or(game.turn_since)),
        "status": game.status.words().1,
        "source": game.source.key(),
        "players": {
            "white": player(game.seat(Color::White)),
            "black": player(game.seat(Color::Black)),
        },
    });
    let Some(fields) = json.as_object_mut() else { return json };
    optional_fields(fields, game, export);
    if export.pgn_in_json {
        fields.insert("pgn".to_owned(), json!(game_pgn(world, game, export, url)));
    }
    json
}

fn optional_fields(fields: &mut Map<String, Value>, game: &Game, export: Export) {
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    if let Some(winner) = game.winner {
        put("winner", json!(color_key(winner)));
    }
    if let Some(fen) = &game.initial_fen {
        put("initialFen", json!(fen));
    }
    if let Some(tournament) = &game.tournament {
        put("arenaTour", json!({"id": tournament, "name": "Sandbox Arena"}));
    }
    if export.moves {
        put("moves", json!(san_moves(game)));
    }
    match game.clock.control() {
        TimeControl::Clock { limit, increment } => {
            let total = limit.saturating_add(increment.saturating_mul(40));
            put(
                "clock",
                json!({
                    "initial": limit.as_secs(),
                    "increment": increment.as_secs(),
                    "totalTime": total.as_secs(),
                }),
            );
            if export.clocks {
                put("clocks", json!(centiseconds(game)));
            }
        }
        TimeControl::Correspondence { days } => {
            put("daysPerTurn", json!(days));
        }
        TimeControl::Unlimited => {}
    }
}

fn player(seat: &Seat) -> Value {
    match seat {
        Seat::User { id, name, title, rating, rating_diff } => {
            let mut user = json!({"name": name, "id": id.as_str()});
            if let Some(title) = title {
                user["title"] = json!(title);
            }
            let mut player = json!({"user": user, "rating": rating});
            if let Some(diff) = rating_diff {
                player["ratingDiff"] = json!(diff);
            }
            player
        }
        Seat::Ai { level } => json!({"aiLevel": level}),
    }
}

fn san_moves(game: &Game) -> String {
    let mut position = game.history.start().clone();
    let words: Vec<String> = game
        .history
        .moves()
        .iter()
        .map(|&mv| {
            let word = san::format(&position, mv);
            position.play(mv);
            word
        })
        .collect();
    words.join(" ")
}

/// What the mover's clock showed after each ply.
fn centiseconds(game: &Game) -> Vec<u64> {
    let first = game.history.start().turn();
    let after = game.past_times.iter().skip(1).enumerate();
    after
        .map(|(ply, times)| {
            let mover = if ply % 2 == 0 { first } else { !first };
            u64::try_from(times[mover.index()].as_millis() / 10).unwrap_or(u64::MAX)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (ms, date, time) in [
            (0, "1970.01.01", "00:00:00"),
            (951_782_400_000, "2000.02.29", "00:00:00"),
            (1_788_912_345_678, "2026.09.09", "00:05:45"),
            (1_798_761_599_999, "2026.12.31", "23:59:59"),
        ] {
            assert_eq!(date_and_time(ms), (date.to_owned(), time.to_owned()), "{ms}");
        }
    }
}
