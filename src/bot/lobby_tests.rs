//! Places, event by event: what happens, and what is then told to the server.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const NOW: Duration = Duration::from_secs(7);

fn challenge(id: &str, who: &str) -> Challenge {
    serde_json::from_value(json!({ "id": id, "challenger": { "id": who }, "variant": { "key": "standard" },
        "timeControl": { "type": "clock", "limit": 180, "increment": 2 } }))
    .unwrap()
}

fn id(text: &str) -> ChallengeId {
    text.parse().unwrap()
}

fn accept(text: &str) -> Vec<Order> {
    vec![Order::Accept(id(text))]
}

fn later(text: &str) -> Vec<Order> {
    vec![Order::Decline(id(text), DeclineReason::Later)]
}

fn lobby(change: impl FnOnce(&mut ChallengePolicy)) -> Lobby {
    let mut policy = ChallengePolicy { max_games: 1, max_held: 1, ..ChallengePolicy::default() };
    change(&mut policy);
    Lobby::new("quillbot-dev".parse().unwrap(), policy, Duration::from_secs(30))
}

#[test]
fn a_burst_is_accepted_held_and_declined() {
    let mut lobby = lobby(|_| {});
    assert_eq!(lobby.on_challenge(challenge("aaaaaaaa", "anna")), accept("aaaaaaaa"));
    assert_eq!(lobby.on_challenge(challenge("bbbbbbbb", "bert")), []);
    assert_eq!(lobby.on_challenge(challenge("cccccccc", "cleo")), later("cccccccc"));
    // The same again, as after a reconnect.
    for (text, who) in [("aaaaaaaa", "anna"), ("bbbbbbbb", "bert"), ("cccccccc", "cleo")] {
        assert_eq!(lobby.on_challenge(challenge(text, who)), [], "{text}");
    }
}

#[test]
fn the_next_one_gets_the_place_after_a_game() {
    let mut lobby = lobby(|_| {});
    lobby.on_challenge(challenge("aaaaaaaa", "anna"));
    lobby.on_challenge(challenge("bbbbbbbb", "bert"));
    let now = NOW;
    assert_eq!(lobby.on_accepted(now, &id("aaaaaaaa"), Accepted::Yes), []);
    lobby.on_game_start(id("aaaaaaaa").game(), Some("anna".parse().unwrap()), Pace::Live);
    assert_eq!(lobby.on_time(now + Duration::from_secs(60)), []);
    assert_eq!(lobby.on_game_end(&id("aaaaaaaa").game()), accept("bbbbbbbb"));
}

#[test]
fn a_place_is_free_when_accepting_fails() {
    let mut lobby = lobby(|_| {});
    lobby.on_challenge(challenge("aaaaaaaa", "anna"));
    lobby.on_challenge(challenge("bbbbbbbb", "bert"));
    assert_eq!(lobby.on_accepted(NOW, &id("aaaaaaaa"), Accepted::No), accept("bbbbbbbb"));
    assert!(!lobby.is_empty());
}

#[test]
fn a_place_is_free_when_the_game_never_begins() {
    for answer in [Accepted::Yes, Accepted::Unclear] {
        let mut lobby = lobby(|_| {});
        let now = NOW;
        lobby.on_challenge(challenge("aaaaaaaa", "anna"));
        assert_eq!(lobby.next_deadline(), None, "the answer is not there yet");
        lobby.on_accepted(now, &id("aaaaaaaa"), answer);
        let deadline = lobby.next_deadline().unwrap();
        assert_eq!(deadline, now + Duration::from_secs(30));
        lobby.on_challenge(challenge("bbbbbbbb", "bert"));
        assert_eq!(lobby.on_time(deadline - Duration::from_millis(1)), []);
        assert_eq!(lobby.on_time(deadline), accept("bbbbbbbb"));
    }
}

#[test]
fn a_place_is_kept_while_no_game_can_be_heard_of() {
    let seconds = Duration::from_secs;
    let mut lobby = lobby(|_| {});
    lobby.on_challenge(challenge("aaaaaaaa", "anna"));
    lobby.on_accepted(NOW, &id("aaaaaaaa"), Accepted::Yes);
    lobby.on_lost();
    assert_eq!(lobby.next_deadline(), None);
    lobby.on_time(NOW + seconds(100));
    assert!(!lobby.is_empty(), "it may have begun unheard");
    // The stream names the games that are running as soon as it is open.
    lobby.on_connected(NOW + seconds(100));
    assert_eq!(lobby.next_deadline(), Some(NOW + seconds(105)));
    lobby.on_time(NOW + seconds(105));
    assert!(lobby.is_empty());
}

#[test]
fn a_game_may_begin_before_the_acceptance_is_answered() {
    let mut lobby = lobby(|_| {});
    lobby.on_challenge(challenge("aaaaaaaa", "anna"));
    lobby.on_game_start(id("aaaaaaaa").game(), None, Pace::Live);
    lobby.on_accepted(NOW, &id("aaaaaaaa"), Accepted::Yes);
    assert_eq!(lobby.next_deadline(), None);
    lobby.on_game_end(&id("aaaaaaaa").game());
    assert!(lobby.is_empty());
}

#[test]
fn a_rematch_takes_its_place_under_another_id() {
    let mut lobby = lobby(|_| {});
    let mut rematch = challenge("aaaaaaaa", "anna");
    rematch.rematch_of = Some("zzzzzzzz".parse().unwrap());
    lobby.on_challenge(rematch);
    lobby.on_game_start("dddddddd".parse().unwrap(), Some("anna".parse().unwrap()), Pace::Live);
    lobby.on_game_end(&"dddddddd".parse().unwrap());
    assert!(lobby.is_empty());
}

#[test]
fn a_rematch_leaves_the_place_of_another_game_alone() {
    let mut lobby = lobby(|policy| (policy.max_games, policy.max_games_per_opponent) = (3, 3));
    for id in ["cccccccc", "bbbbbbbb", "aaaaaaaa"] {
        let mut rematch = challenge(id, "anna");
        rematch.rematch_of = Some("zzzzzzzz".parse().unwrap());
        lobby.on_challenge(rematch);
    }
    let mut start = |game: &str| {
        lobby.on_game_start(game.parse().unwrap(), Some("anna".parse().unwrap()), Pace::Live);
        lobby.reserved.keys().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(start("bbbbbbbb"), ["aaaaaaaa", "cccccccc"], "its own");
    assert_eq!(start("dddddddd"), ["aaaaaaaa"], "the one that was accepted first");
}

#[test]
fn our_own_challenges_are_left_alone() {
    let mut lobby = lobby(|_| {});
    assert_eq!(lobby.on_challenge(challenge("aaaaaaaa", "Quillbot-Dev")), []);
    assert!(lobby.is_empty());
}

#[test]
fn one_opponent_gets_so_many_games() {
    let mut lobby = lobby(|policy| policy.max_games = 3);
    lobby.on_challenge(challenge("aaaaaaaa", "anna"));
    assert_eq!(lobby.on_challenge(challenge("bbbbbbbb", "anna")), later("bbbbbbbb"));
    assert_eq!(lobby.on_challenge(challenge("cccccccc", "cleo")), accept("cccccccc"));
}

#[test]
fn a_withdrawn_challenge_does_not_get_the_place() {
    let mut lobby = lobby(|_| {});
    lobby.on_challenge(challenge("aaaaaaaa", "anna"));
    lobby.on_challenge(challenge("bbbbbbbb", "bert"));
    lobby.on_gone(&id("bbbbbbbb"));
    assert_eq!(lobby.on_accepted(NOW, &id("aaaaaaaa"), Accepted::No), []);
}

#[test]
fn a_second_challenge_replaces_the_first_one_held() {
    let mut lobby = lobby(|_| {});
    lobby.on_challenge(challenge("aaaaaaaa", "anna"));
    lobby.on_challenge(challenge("bbbbbbbb", "bert"));
    assert_eq!(lobby.on_challenge(challenge("cccccccc", "bert")), []);
    assert_eq!(lobby.on_accepted(NOW, &id("aaaaaaaa"), Accepted::No), accept("cccccccc"));
}

#[test]
fn a_closed_lobby_declines_all() {
    let mut lobby = lobby(|_| {});
    lobby.on_challenge(challenge("aaaaaaaa", "anna"));
    lobby.on_challenge(challenge("bbbbbbbb", "bert"));
    assert_eq!(lobby.close(), later("bbbbbbbb"));
    assert_eq!(lobby.on_challenge(challenge("cccccccc", "cleo")), later("cccccccc"));
    assert!(!lobby.is_empty(), "anna was promised a game");
}

#[test]
fn no_places_means_no_games() {
    let mut lobby = lobby(|policy| policy.max_games = 0);
    assert_eq!(lobby.on_challenge(challenge("aaaaaaaa", "anna")), later("aaaaaaaa"));
}

/// A challenge with other fields.
fn patched(id: &str, who: &str, patch: &Value) -> Challenge {
    let mut value = json!({ "id": id, "challenger": { "id": who }, "variant": { "key": "standard" },
        "timeControl": { "type": "clock", "limit": 180, "increment": 2 } });
    for (key, field) in patch.as_object().unwrap() {
        value[key] = field.clone();
    }
    serde_json::from_value(value).unwrap()
}

fn by_bot(id: &str, who: &str) -> Challenge {
    patched(id, who, &json!({ "challenger": { "id": who, "title": "BOT" } }))
}

#[test]
fn a09_a_limit_on_games_between_bots_leaves_people_welcome() {
    let now = NOW;
    let day = Duration::from_secs(86_398);
    let met = |who| {
        let mut lobby = lobby(|policy| policy.max_games = 3);
        assert_eq!(lobby.on_challenge(by_bot("aaaaaaaa", "anna")), accept("aaaaaaaa"));
        lobby.on_limit(now, &id("aaaaaaaa"), Rest { who, wait: day });
        lobby.on_accepted(now, &id("aaaaaaaa"), Accepted::No);
        lobby
    };
    let mut ours = met(Tired::Us);
    assert_eq!(ours.on_challenge(by_bot("bbbbbbbb", "bert")), later("bbbbbbbb"));
    assert_eq!(ours.on_challenge(challenge("cccccccc", "cleo")), accept("cccccccc"));
    ours.on_time(now + day);
    assert_eq!(ours.on_challenge(by_bot("dddddddd", "dora")), accept("dddddddd"));
    let mut theirs = met(Tired::Opponent);
    assert_eq!(theirs.on_challenge(by_bot("bbbbbbbb", "anna")), later("bbbbbbbb"));
    assert_eq!(theirs.on_challenge(by_bot("cccccccc", "cleo")), accept("cccccccc"));
}

#[test]
fn b12_a_parked_game_does_not_count() {
    let mut lobby = lobby(|_| {});
    lobby.on_game_start(id("aaaaaaaa").game(), None, Pace::Live);
    lobby.on_challenge(challenge("bbbbbbbb", "bert"));
    assert_eq!(lobby.on_parked(&id("aaaaaaaa").game(), true), accept("bbbbbbbb"));
    lobby.on_game_start(id("bbbbbbbb").game(), None, Pace::Live);
    assert!(!lobby.is_crowded() && !lobby.is_empty());
    lobby.on_parked(&id("aaaaaaaa").game(), false);
    assert!(lobby.is_crowded(), "it is a game like any other again");
}

#[test]
fn b15_games_without_a_clock_keep_nobody_out() {
    let slow = json!({ "timeControl": { "type": "correspondence", "daysPerTurn": 3 } });
    let mut lobby = lobby(|policy| {
        policy.speeds = vec![crate::lichess::Speed::Blitz, crate::lichess::Speed::Correspondence];
    });
    for n in 0..8 {
        lobby.on_game_start(format!("slow000{n}").parse().unwrap(), None, Pace::Slow);
    }
    assert!(!lobby.is_crowded());
    assert_eq!(lobby.on_challenge(challenge("bbbbbbbb", "bert")), accept("bbbbbbbb"));
    assert_eq!(lobby.on_challenge(patched("cccccccc", "cleo", &slow)), [], "it waits for a slow place");
    assert_eq!(lobby.on_challenge(challenge("dddddddd", "dora")), later("dddddddd"));
}

#[test]
fn b19_a_rematch_may_have_the_id_of_the_game_before() {
    let mut lobby = lobby(|_| {});
    let rematch = || patched("aaaaaaaa", "anna", &json!({ "rematchOf": "aaaaaaaa" }));
    let anna = || Some("anna".parse().unwrap());
    lobby.on_challenge(challenge("aaaaaaaa", "anna"));
    lobby.on_game_start(id("aaaaaaaa").game(), anna(), Pace::Live);
    assert_eq!(lobby.on_challenge(challenge("aaaaaaaa", "anna")), [], "an old word");
    lobby.on_game_end(&id("aaaaaaaa").game());
    assert_eq!(lobby.on_challenge(challenge("aaaaaaaa", "anna")), [], "a very old word");
    assert_eq!(lobby.on_challenge(rematch()), accept("aaaaaaaa"));
    assert_eq!(lobby.on_challenge(rematch()), [], "accepted once");
    lobby.on_game_end(&id("aaaaaaaa").game());
    assert!(!lobby.is_empty(), "the end of the game before does not end the promise");
    lobby.on_game_start("gggggggg".parse().unwrap(), anna(), Pace::Live);
    assert_eq!(lobby.on_challenge(rematch()), []);
    lobby.on_game_end(&"gggggggg".parse().unwrap());
    assert!(lobby.is_empty());
}

proptest! {
    /// Challenges come, go, are accepted, refused, begin or never begin, in any order: no place stays taken, and no
    /// more places are taken than there are.
    #[test]
    fn b18_any_order_of_events_leaves_no_place_taken(
        steps in prop::collection::vec((0_u8..9, 0_u8..20), 0..200), max_games in 1_usize..3,
    ) {
        let mut lobby = lobby(|policy| (policy.max_games, policy.max_games_per_opponent) = (max_games, 9));
        let mut now = NOW;
        let mut accepted: Vec<ChallengeId> = Vec::new();
        for (what, who) in steps {
            now += Duration::from_millis(700);
            let id = id(&format!("chal{who:04}"));
            let promised = accepted.contains(&id);
            let orders = match what {
                0 | 1 => lobby.on_challenge(challenge(id.as_str(), &format!("user{who}"))),
                2 => lobby.on_gone(&id),
                3 if promised => {
                    let answers = [Accepted::Yes, Accepted::No, Accepted::Unclear];
                    lobby.on_accepted(now, &id, answers[usize::from(who) % 3])
                }
                // The server starts no game that was not accepted.
                4 if promised => {
                    accepted.retain(|other| *other != id);
                    lobby.on_game_start(id.game(), None, Pace::Live);
                    Vec::new()
                }
                5 => lobby.on_game_end(&id.game()),
                6 => {
                    lobby.on_declined(&id);
                    Vec::new()
                }
                7 => {
                    lobby.on_lost();
                    Vec::new()
                }
                8 => {
                    lobby.on_connected(now);
                    Vec::new()
                }
                _ => lobby.on_time(now),
            };
            accepted.extend(orders.into_iter().filter_map(|order| match order {
                Order::Accept(id) => Some(id),
                Order::Decline(..) => None,
            }));
            prop_assert!(lobby.reserved.len() <= max_games);
        }
        // All that was begun comes to its end: answers, games, times.
        for game in lobby.games.keys().cloned().collect::<Vec<_>>() {
            lobby.on_game_end(&game);
        }
        lobby.on_connected(now);
        for _ in 0..25 {
            for id in lobby.reserved.keys().cloned().collect::<Vec<_>>() {
                lobby.on_accepted(now, &id, Accepted::Yes);
            }
            now += Duration::from_secs(31);
            lobby.on_time(now);
        }
        prop_assert!(lobby.is_empty(), "{:?}", lobby);
    }
}

#[test]
fn b20_a_burst_takes_no_more_places_than_there_are() {
    let mut lobby = lobby(|policy| policy.max_held = 4);
    let accepts = (0..20)
        .flat_map(|n| lobby.on_challenge(challenge(&format!("chal{n:04}"), &format!("user{n}"))))
        .filter(|order| matches!(order, Order::Accept(_)));
    assert_eq!(accepts.count(), 1);
}
