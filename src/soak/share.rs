//! What the bot itself adds to a move, from its recordings: from the moment at which a state has been read from the
//! socket until the request with the move leaves, less the time that the search took. Pure but for reading.
//!
//! A recording has whole milliseconds. Each of the four times is rounded down, so one result is off by 2 ms at most.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::SoakError;
use crate::record::{Entry, Kind, Reader};

/// The bot's part of every move in a directory of recordings that answers a line of the server.
pub(super) fn of_directory(records: &Path) -> Result<Vec<Duration>, SoakError> {
    let failed = || SoakError::io(format!("read {}", records.display()));
    let mut parts = Vec::new();
    for file in fs::read_dir(records).map_err(failed())? {
        let path = file.map_err(failed())?.path();
        if path.extension().is_some_and(|extension| extension == "ndjson") {
            parts.extend(of_file(&path)?);
        }
    }
    Ok(parts)
}

/// The same for the recording of one game.
pub(crate) fn of_file(recording: &Path) -> Result<Vec<Duration>, SoakError> {
    let file = File::open(recording).map_err(SoakError::io(format!("read {}", recording.display())))?;
    // What a kill has cut off is no entry, and none of ours.
    Ok(of_entries(Reader::new(BufReader::new(file)).flatten().map(|(_, entry)| entry)))
}

/// A search for a move. All times are those of the recording.
struct Search {
    ply: u64,
    began_ms: u64,
    /// Since when a line asks for the move, and when that was received. On the opponent's time nothing asks until the hit.
    asked: Option<Asked>,
    took_ms: Option<u64>,
}

struct Asked {
    at_ms: u64,
    received_ms: u64,
}

/// The same for what a recording holds.
fn of_entries(entries: impl IntoIterator<Item = Entry>) -> Vec<Duration> {
    let mut parts = Vec::new();
    let mut searches: BTreeMap<u64, Search> = BTreeMap::new();
    let mut line: Option<u64> = None;
    let mut posting: Option<(u64, u64)> = None;
    for entry in entries {
        let (at, body) = (entry.at_ms, &entry.body);
        match entry.kind {
            // Another process, with another clock.
            Kind::Header => (searches, line, posting) = (BTreeMap::new(), None, None),
            Kind::Input => {
                line = (body["input"] == "line").then(|| at.saturating_sub(number(body, "ageMs")));
                if body["input"] == "searched"
                    && let Some(search) = searches.get_mut(&number(body, "ticket"))
                {
                    search.took_ms = Some(number(&body["thought"], "elapsedMs"));
                }
            }
            Kind::Effects => {
                let asked = |at_ms| line.map(|received_ms| Asked { at_ms, received_ms });
                for effect in body.as_array().into_iter().flatten() {
                    match effect["effect"].as_str() {
                        Some("search") => {
                            let asked = asked(at).filter(|_| effect["ponder"].is_null());
                            let ply = number(effect, "ply");
                            let search = Search { ply, began_ms: at, asked, took_ms: None };
                            searches.insert(number(effect, "ticket"), search);
                        }
                        Some("ponderHit") => {
                            if let Some(search) = searches.get_mut(&number(effect, "ticket")) {
                                search.asked = asked(at);
                            }
                        }
                        Some("post") => posting = answered(&mut searches, number(effect, "ply")),
                        _ => {}
                    }
                }
            }
            Kind::Request if body["path"].as_str().is_some_and(|path| path.contains("/move/")) => {
                if let Some((received, thought)) = posting.take() {
                    let left = at.saturating_sub(number(body, "elapsed_ms"));
                    parts.push(Duration::from_millis(left.saturating_sub(received).saturating_sub(thought)));
                }
            }
            Kind::Request
            | Kind::Line
            | Kind::Search
            | Kind::Alive
            | Kind::Stream
            | Kind::Gap
            | Kind::Other => {}
        }
    }
    parts
}

/// When the line came that a move for this ply answers, and how long the search took from when it was asked for.
fn answered(searches: &mut BTreeMap<u64, Search>, ply: u64) -> Option<(u64, u64)> {
    let found = searches.values().filter(|search| search.ply == ply).find_map(|search| {
        let (asked, took_ms) = (search.asked.as_ref()?, search.took_ms?);
        Some((asked.received_ms, took_ms.saturating_sub(asked.at_ms.saturating_sub(search.began_ms))))
    });
    searches.clear();
    found
}

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parts(entries: &[(u64, Kind, Value)]) -> Vec<u64> {
        let entry = |(at_ms, kind, body): &(u64, Kind, Value)| Entry {
            seq: 0,
            at_ms: *at_ms,
            kind: *kind,
            body: body.clone(),
        };
        let parts = of_entries(entries.iter().map(entry));
        parts.into_iter().map(|part| u64::try_from(part.as_millis()).unwrap()).collect()
    }

    fn line(at: u64, age: u64) -> (u64, Kind, Value) {
        (at, Kind::Input, json!({"input": "line", "ageMs": age}))
    }

    fn search(at: u64, ply: u64, ticket: u64) -> (u64, Kind, Value) {
        (at, Kind::Effects, json!([{"effect": "search", "ticket": ticket, "ply": ply, "limits": {}}]))
    }

    fn ponder(at: u64, ply: u64, ticket: u64) -> (u64, Kind, Value) {
        (at, Kind::Effects, json!([{"effect": "search", "ticket": ticket, "ply": ply, "ponder": "e7e5"}]))
    }

    fn hit(at: u64, ticket: u64) -> (u64, Kind, Value) {
        (at, Kind::Effects, json!([{"effect": "ponderHit", "ticket": ticket, "limits": {}}]))
    }

    fn searched(at: u64, ticket: u64, took: u64) -> (u64, Kind, Value) {
        (at, Kind::Input, json!({"input": "searched", "ticket": ticket, "thought": {"elapsedMs": took}}))
    }

    fn post(at: u64, ply: u64) -> (u64, Kind, Value) {
        (at, Kind::Effects, json!([{"effect": "post", "ply": ply, "uci": "e2e4"}]))
    }

    fn request(at: u64, elapsed: u64) -> (u64, Kind, Value) {
        (at, Kind::Request, json!({"path": "/api/bot/game/x/move/e2e4", "elapsed_ms": elapsed}))
    }

    #[test]
    fn the_search_and_the_answer_of_the_server_do_not_count() {
        // Received at 98, left at 604: 506 ms, of which the search took 500.
        let game = [line(100, 2), search(100, 4, 7), searched(603, 7, 500), post(603, 4), request(654, 50)];
        assert_eq!(parts(&game), [6]);
    }

    #[test]
    fn a_move_that_is_sent_again_counts_once() {
        let mut game = vec![line(10, 0), search(10, 0, 1), searched(20, 1, 9), post(20, 0), request(20, 0)];
        game.extend([
            request(900, 0),
            line(2000, 0),
            search(2000, 2, 2),
            searched(2009, 2, 5),
            post(2009, 2),
            request(2010, 1),
        ]);
        assert_eq!(parts(&game), [1, 4]);
    }

    #[test]
    fn thinking_on_the_opponents_time_counts_from_the_hit() {
        // Begun at 100, hit at 402, found after 500: 198 ms of thinking in the 203 from the line at 400 to the request.
        let found_later = [
            ponder(100, 4, 7),
            line(402, 2),
            hit(402, 7),
            searched(601, 7, 500),
            post(602, 4),
            request(653, 50),
        ];
        assert_eq!(parts(&found_later), [5]);
        // Found before the hit.
        let found_before = [
            ponder(100, 4, 7),
            line(402, 2),
            hit(402, 7),
            searched(403, 7, 250),
            post(403, 4),
            request(454, 50),
        ];
        assert_eq!(parts(&found_before), [4]);
        // Another move came, and what was stopped answers nevertheless.
        let miss = [
            ponder(100, 4, 7),
            line(402, 2),
            search(402, 4, 8),
            searched(403, 7, 302),
            searched(503, 8, 100),
            post(503, 4),
            request(504, 1),
        ];
        assert_eq!(parts(&miss), [3]);
    }

    #[test]
    fn what_no_line_asked_for_does_not_count() {
        let timer = (5, Kind::Input, json!({"input": "timer", "timer": "abort"}));
        let game = [line(0, 0), timer, search(5, 0, 1), searched(20, 1, 9), post(20, 0), request(20, 0)];
        assert_eq!(parts(&game), [0; 0], "a search that a timer began");
        let game = [line(0, 0), ponder(0, 2, 1), searched(20, 1, 20), post(20, 2), request(20, 0)];
        assert_eq!(parts(&game), [0; 0], "a search on the opponent's time");
        let header = (0, Kind::Header, json!({}));
        let game = [line(900, 0), search(900, 0, 1), header, searched(3, 1, 3), post(3, 0), request(4, 0)];
        assert_eq!(parts(&game), [0; 0], "another process");
    }
}
