//! The world under a clock of the test's own: what takes seconds or days with Lichess' numbers.

use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::chess::{Color, Variant};
use crate::sandbox::{SandboxOptions, UserSpec};

pub(super) const SECOND: Duration = Duration::from_secs(1);

pub(super) fn world() -> World {
    let users = vec![UserSpec::bot("ada", "a"), UserSpec::bot("bob", "b"), UserSpec::human("hugo", "h")];
    World::new(Arc::new(SandboxOptions { users, ..SandboxOptions::default() }), 0, 1)
}

pub(super) fn user(name: &str) -> UserId {
    UserId::of(name)
}

pub(super) fn minutes(limit: u32) -> TimeControl {
    TimeControl::Clock { limit: SECOND * 60 * limit, increment: Duration::ZERO }
}

fn begin(world: &mut World, players: [&str; 2], time: TimeControl, source: GameSource) -> GameId {
    let users = players.map(user);
    let start = Start { variant: VariantKey::from(Variant::Standard), fen: None };
    world.arrange(&users, |_| Ok((start, time, false, source)), Duration::ZERO).unwrap()
}

pub(super) fn play(world: &mut World, id: &GameId, moves: &str, now: Duration) {
    for uci in moves.split_whitespace() {
        let game = world.game(id).unwrap();
        let mover = game.seat(game.turn()).user().unwrap().clone();
        world.play(&mover, id, uci, None, now).unwrap();
    }
}

pub(super) fn wish(time: TimeControl) -> ChallengeWish {
    let (variant, color) = (VariantKey::Standard, ColorWish::White);
    ChallengeWish { variant, fen: None, rated: false, time, color, rules: Vec::new() }
}

pub(super) fn status(world: &World, id: &GameId) -> Status {
    world.game(id).unwrap().status
}

#[test]
fn patience_depends_on_the_speed() {
    for (limit, patience) in [(3, 40), (10, 80), (30, 120)] {
        let mut world = world();
        let id = begin(&mut world, ["ada", "bob"], minutes(limit), GameSource::Friend);
        world.connected(&user("ada"), Some(&id), Duration::ZERO);
        world.connected(&user("bob"), Some(&id), Duration::ZERO);
        play(&mut world, &id, "e2e4 e7e5 g1f3", SECOND);
        world.disconnected(&user("bob"), Some(&id), SECOND);
        // Gone a second later, and then for as long as the patience lasts.
        let claim = SECOND * (2 + patience);
        let early = world.claim_victory(&user("ada"), &id, claim - Duration::from_millis(1));
        assert_eq!(early, Err(Refusal::CannotClaimWin), "{limit} minutes");
        assert_eq!(world.claim_victory(&user("ada"), &id, claim), Ok(()));
        assert_eq!(
            (status(&world, &id), world.game(&id).unwrap().winner),
            (Status::Timeout, Some(Color::White))
        );
    }
}

#[test]
fn absence_is_reported_after_five_seconds_and_every_five() {
    let mut world = world();
    let id = begin(&mut world, ["ada", "bob"], minutes(3), GameSource::Friend);
    world.connected(&user("ada"), Some(&id), Duration::ZERO);
    world.connected(&user("bob"), Some(&id), Duration::ZERO);
    play(&mut world, &id, "e2e4 e7e5 g1f3", SECOND);
    world.disconnected(&user("bob"), Some(&id), SECOND);
    world.take_notices();
    let mut reports = Vec::new();
    for second in 1..=20 {
        world.sweep(SECOND * second);
        for notice in world.take_notices() {
            if let Notice::Game { line: GameLine::Gone { to, claim_in }, .. } = notice {
                reports.push((second, to, claim_in.unwrap().as_secs()));
            }
        }
    }
    let white = Color::White;
    assert_eq!(reports, [(7, white, 35), (12, white, 30), (17, white, 25)]);
}

#[test]
fn flags_are_looked_at_every_five_seconds() {
    let mut world = world();
    let id = begin(&mut world, ["ada", "bob"], minutes(1), GameSource::Friend);
    play(&mut world, &id, "e2e4 e7e5", SECOND);
    let mut fell = None;
    for second in 1..=80 {
        world.sweep(SECOND * second);
        if fell.is_none() && status(&world, &id) == Status::OutOfTime {
            fell = Some(second);
        }
    }
    // The clock ran out at 61; the looks are at 5, 10, ... 65.
    assert_eq!(fell, Some(65));
}

#[test]
fn a_flag_is_a_draw_when_the_other_offers_one() {
    let mut world = world();
    let id = begin(&mut world, ["ada", "bob"], minutes(1), GameSource::Friend);
    play(&mut world, &id, "e2e4 e7e5", SECOND);
    world.draw(&user("bob"), &id, Answer::Yes, SECOND * 2).unwrap();
    world.sweep(SECOND * 65);
    assert_eq!((status(&world, &id), world.game(&id).unwrap().winner), (Status::Draw, None));
}

#[test]
fn first_moves_have_the_time_of_their_speed() {
    for (source, status_then, limit) in
        [(GameSource::Lobby, Status::Aborted, 25), (GameSource::Arena, Status::NoStart, 21)]
    {
        let mut world = world();
        let id = begin(&mut world, ["ada", "bob"], minutes(3), source);
        play(&mut world, &id, "e2e4", SECOND * 10);
        world.sweep(SECOND * (10 + limit) - Duration::from_millis(1));
        assert_eq!(status(&world, &id), Status::Started);
        world.sweep(SECOND * (10 + limit));
        assert_eq!(status(&world, &id), status_then);
    }
}

#[test]
fn a_friend_who_never_moves_blocks_the_game_for_ever() {
    let mut world = world();
    let id = begin(&mut world, ["ada", "bob"], minutes(3), GameSource::Friend);
    world.sweep(SECOND * 86_000);
    assert_eq!(status(&world, &id), Status::Started);
}

#[test]
fn correspondence_gives_each_turn_its_days() {
    let day = SECOND * 86_400;
    let mut world = world();
    let time = TimeControl::Correspondence { days: 3 };
    let id = begin(&mut world, ["ada", "bob"], time, GameSource::Friend);
    play(&mut world, &id, "e2e4 e7e5", day);
    play(&mut world, &id, "g1f3", day * 3);
    assert_eq!(world.game(&id).unwrap().state(day * 3).left, [day * 3; 2]);
    world.sweep(day * 5);
    assert_eq!(status(&world, &id), Status::Started);
    world.sweep(day * 6 + SECOND);
    assert_eq!(
        (status(&world, &id), world.game(&id).unwrap().winner),
        (Status::OutOfTime, Some(Color::White))
    );
}

#[test]
fn challenges_grow_old_by_their_time_control() {
    let mut world = world();
    let clocked = world.challenge_user(&user("ada"), &user("bob"), &wish(minutes(3)), SECOND).unwrap();
    let slow = TimeControl::Correspondence { days: 3 };
    let days = world.challenge_user(&user("ada"), &user("hugo"), &wish(slow), SECOND).unwrap();
    let status = |world: &World, id: &GameId| world.challenge(id).unwrap().status;
    world.sweep(SECOND * 20);
    assert_eq!(status(&world, &clocked), ChallengeStatus::Created);
    world.sweep(SECOND * 21);
    assert_eq!(status(&world, &clocked), ChallengeStatus::Offline);
    world.sweep(SECOND * 86_400 * 13);
    assert_eq!(status(&world, &days), ChallengeStatus::Created);
    assert!(world.challenge(&clocked).is_none(), "what waits for nothing is forgotten");
}

#[test]
fn refused_takebacks_wait_longer_each_time() {
    let mut world = world();
    let id = begin(&mut world, ["ada", "hugo"], minutes(30), GameSource::Friend);
    play(&mut world, &id, "e2e4 e7e5", SECOND);
    let proposed = |world: &mut World, now: Duration| {
        world.takeback(&user("ada"), &id, Answer::Yes, now).unwrap();
        let proposed = world.game(&id).unwrap().state(now).takeback_offers[Color::White.index()];
        world.takeback(&user("hugo"), &id, Answer::No, now).unwrap();
        proposed
    };
    for (second, possible) in [(1, true), (10, false), (11, true), (50, false), (51, true), (140, false)] {
        assert_eq!(proposed(&mut world, SECOND * second), possible, "at {second} s");
    }
}

#[test]
fn only_so_many_finished_games_are_kept() {
    let users = vec![UserSpec::bot("ada", "a"), UserSpec::bot("bob", "b")];
    let options = SandboxOptions { users, keep_finished: 2, ..SandboxOptions::default() };
    let mut world = World::new(Arc::new(options), 0, 1);
    let games: Vec<GameId> = (0..4)
        .map(|_| {
            let id = begin(&mut world, ["ada", "bob"], minutes(3), GameSource::Friend);
            world.abort(&user("ada"), &id, SECOND).unwrap();
            id
        })
        .collect();
    let kept: Vec<bool> = games.iter().map(|id| world.game(id).is_some()).collect();
    assert_eq!(kept, [false, false, true, true]);
    assert_eq!(world.games().count(), 2);
}
