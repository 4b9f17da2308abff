//! What goes wrong in the world on purpose: restarts, jumping clocks, twins, and news that is old.

use std::time::Duration;

use super::tests::{SECOND, minutes, play, status, user, wish, world};
use super::*;
use crate::chess::{Color, Variant};

const OPENING: &str = "e2e4 c7c5 b1c3 b8c6 g1f3 e7e5";

/// A blitz game of `ada` against `bob` in which each move has taken a second.
fn game(world: &mut World) -> GameId {
    let start = Start { variant: VariantKey::from(Variant::Standard), fen: None };
    let users = [user("ada"), user("bob")];
    let plan = |_: &mut _| Ok((start, minutes(3), true, GameSource::Friend));
    let id = world.arrange(&users, plan, Duration::ZERO).unwrap();
    for (n, uci) in (1..).zip(OPENING.split(' ')) {
        play(world, &id, uci, SECOND * n);
    }
    id
}

fn state(world: &World, id: &GameId, now: Duration) -> StateView {
    world.game(id).unwrap().state(now)
}

/// What a client sees of a restart at 10 s that lasts 45 s: the moves, and the clocks as of the last move. The first
/// two moves are free, so that after six plies each side has used two seconds, after five White two and Black one.
#[test]
fn a_restart_loses_the_last_plies_and_nothing_else() {
    for (lost, moves, used) in [
        (0, "e2e4 c7c5 b1c3 b8c6 g1f3 e7e5", [2, 2]),
        (1, "e2e4 c7c5 b1c3 b8c6 g1f3", [2, 1]),
        (2, "e2e4 c7c5 b1c3 b8c6", [1, 1]),
        (5, "e2e4", [0, 0]),
        (99, "", [0, 0]),
    ] {
        let mut world = world();
        let id = game(&mut world);
        assert!(world.go_down(SECOND * 10));
        assert!(!world.go_down(SECOND * 11), "it is down already");
        world.come_up(Losses { plies: lost, games: 0 }, SECOND * 55);
        let view = state(&world, &id, SECOND * 55);
        assert_eq!(view.moves, moves, "{lost} plies");
        assert_eq!(view.left, used.map(|used| SECOND * (180 - used)), "{lost} plies");
        assert_eq!((view.status, view.draw_offers), (Status::Started, [false; 2]));
        // The game goes on by the usual rules.
        let next = if lost % 2 == 0 && lost < 99 { ["d2d3", "d7d6"] } else { ["g8f6", "d2d3"] };
        let next = if lost == 99 { ["d2d3", "d7d6"] } else { next };
        play(&mut world, &id, &next.join(" "), SECOND * 56);
        let last = state(&world, &id, SECOND * 56).moves;
        assert_eq!(last, format!("{moves} {}", next.join(" ")).trim());
    }
}

#[test]
fn nobodys_time_runs_while_the_server_is_down() {
    let mut world = world();
    let id = game(&mut world);
    world.go_down(SECOND * 10);
    world.sweep(SECOND * 400);
    assert_eq!(status(&world, &id), Status::Started);
    world.come_up(Losses::default(), SECOND * 400);
    // Since 6 s it is White's turn, who had 178 s: four of them are gone.
    let game = world.game(&id).unwrap();
    assert_eq!(game.clock.left(Color::White, SECOND * 400), SECOND * 174);
    world.sweep(SECOND * 573);
    assert_eq!(status(&world, &id), Status::Started);
    world.sweep(SECOND * 580);
    assert_eq!(status(&world, &id), Status::OutOfTime);
}

#[test]
fn a_move_lost_with_its_offer_can_be_offered_again() {
    let mut world = world();
    let id = game(&mut world);
    world.draw(&user("ada"), &id, Answer::Yes, SECOND * 7).unwrap();
    world.takeback(&user("bob"), &id, Answer::Yes, SECOND * 7).unwrap();
    world.go_down(SECOND * 8);
    world.come_up(Losses { plies: 2, games: 0 }, SECOND * 9);
    assert_eq!(state(&world, &id, SECOND * 9).draw_offers, [false; 2]);
    assert!(world.game(&id).unwrap().sheet.offers.is_empty());
    world.draw(&user("ada"), &id, Answer::Yes, SECOND * 9).unwrap();
    assert_eq!(state(&world, &id, SECOND * 9).draw_offers, [true, false]);
}

#[test]
fn an_offer_outlives_a_restart_without_losses() {
    let mut world = world();
    let id = game(&mut world);
    world.draw(&user("ada"), &id, Answer::Yes, SECOND * 7).unwrap();
    world.go_down(SECOND * 8);
    world.come_up(Losses::default(), SECOND * 9);
    assert_eq!(state(&world, &id, SECOND * 9).draw_offers, [true, false]);
}

#[test]
fn a_restart_aborts_as_many_games_as_it_is_told_and_leaves_finished_ones_alone() {
    let mut world = world();
    let ids = [game(&mut world), game(&mut world), game(&mut world)];
    world.resign(&user("ada"), &ids[0], SECOND * 7).unwrap();
    world.take_notices();
    world.go_down(SECOND * 8);
    assert_eq!(world.take_notices(), [Notice::Down]);
    world.come_up(Losses { plies: 1, games: 1 }, SECOND * 9);
    let ends = ids.each_ref().map(|id| (status(&world, id), world.game(id).unwrap().ply()));
    assert_eq!(ends, [(Status::Resign, 6), (Status::Aborted, 6), (Status::Started, 5)]);
    assert_eq!(world.account(&user("ada")).unwrap().score.all(), 1, "an aborted game does not count");
    let notices = world.take_notices();
    let finish = |to| Notice::GameFinish { to: user(to), game: ids[1].clone() };
    assert!(notices.contains(&finish("ada")) && notices.contains(&finish("bob")));
    assert_eq!(notices.last(), Some(&Notice::Up));
}

#[test]
fn who_was_away_before_a_restart_has_time_to_come_back() {
    let mut world = world();
    let id = game(&mut world);
    world.connected(&user("ada"), Some(&id), SECOND * 6);
    world.disconnected(&user("ada"), Some(&id), SECOND * 8);
    world.go_down(SECOND * 10);
    world.come_up(Losses::default(), SECOND * 100);
    let claim = |world: &mut World, now| world.claim_victory(&user("bob"), &id, now);
    assert_eq!(claim(&mut world, SECOND * 140), Err(Refusal::CannotClaimWin));
    assert_eq!(claim(&mut world, SECOND * 141), Ok(()));
    assert_eq!(status(&world, &id), Status::Timeout);
}

#[test]
fn an_adjourned_game_keeps_its_moves() {
    let options = crate::sandbox::SandboxOptions {
        users: vec![crate::sandbox::UserSpec::bot("ada", "a"), crate::sandbox::UserSpec::bot("bob", "b")],
        laws: laws::Laws::FIDE_2023,
        ..crate::sandbox::SandboxOptions::default()
    };
    let mut world = World::new(std::sync::Arc::new(options), 0, 1);
    let id = game(&mut world);
    world.adjourn(&user("ada"), &id, "d2d3", SECOND * 7).unwrap();
    world.go_down(SECOND * 8);
    world.come_up(Losses { plies: 2, games: 0 }, SECOND * 9);
    assert_eq!(world.game(&id).unwrap().ply(), 6);
}

/// By how much the clocks jump, and what the next line shows after six plies with two seconds used by each side.
#[test]
fn clocks_jump_both_ways_and_not_below_zero() {
    for (millis, left) in [
        ([0, 0], [178_000, 178_000]),
        ([15_000, -8_000], [193_000, 170_000]),
        ([-1, 1], [177_999, 178_001]),
        ([-200_000, 0], [0, 178_000]),
    ] {
        let mut world = world();
        let id = game(&mut world);
        world.take_notices();
        assert!(world.jump_clocks(&id, millis, SECOND * 7));
        let [Notice::Game { line: GameLine::State(view), .. }] = &world.take_notices()[..] else {
            panic!("one line is expected");
        };
        assert_eq!(view.left, left.map(Duration::from_millis));
        world.sweep(SECOND * 8);
        let flagged = left[0] == 0;
        assert_eq!(status(&world, &id) == Status::OutOfTime, flagged, "{millis:?}");
    }
    let mut world = world();
    let id = game(&mut world);
    world.resign(&user("ada"), &id, SECOND * 7).unwrap();
    assert!(!world.jump_clocks(&id, [1000, 0], SECOND * 8), "no clock runs any more");
}

#[test]
fn an_old_challenge_is_repeated_to_whom_it_was_for() {
    let mut world = world();
    assert!(!world.repeat_challenge(&user("bob")));
    let challenge = |world: &mut World, now| {
        world.challenge_user(&user("hugo"), &user("bob"), &wish(minutes(3)), now).unwrap()
    };
    let first = challenge(&mut world, SECOND);
    assert!(!world.repeat_challenge(&user("bob")), "it still waits");
    world.accept(&user("bob"), &first, SECOND).unwrap();
    let second = challenge(&mut world, SECOND * 2);
    world.cancel(&user("hugo"), &second, None, SECOND * 2).unwrap();
    world.take_notices();
    assert!(world.repeat_challenge(&user("bob")));
    assert!(!world.repeat_challenge(&user("hugo")), "none was for him");
    assert_eq!(world.take_notices(), [Notice::ChallengeAgain { to: user("bob"), challenge: second.clone() }]);
    let refused = world.accept(&user("bob"), &second, SECOND * 3);
    assert_eq!(refused, Err(Refusal::ChallengeClosed(ChallengeStatus::Canceled)));
}

#[test]
fn the_start_of_a_finished_game_is_repeated() {
    let mut world = world();
    let id = game(&mut world);
    assert!(!world.repeat_start(&user("ada")), "it goes on");
    world.resign(&user("ada"), &id, SECOND * 7).unwrap();
    let newer = game(&mut world);
    world.take_notices();
    assert!(world.repeat_start(&user("ada")));
    assert_eq!(world.take_notices(), [Notice::GameStartAgain { to: user("ada"), game: id.clone() }]);
    let began = world.game(&id).unwrap().as_it_began();
    assert_eq!((began.status, began.ply(), began.winner), (Status::Started, 0, None));
    assert_eq!(status(&world, &id), Status::Resign, "only what is told is old");
    assert_eq!(status(&world, &newer), Status::Started);
}

#[test]
fn an_old_list_has_the_games_of_its_time() {
    let mut world = world();
    let first = game(&mut world);
    world.resign(&user("ada"), &first, SECOND * 20).unwrap();
    let start = Start { variant: VariantKey::from(Variant::Standard), fen: None };
    let plan = |_: &mut _| Ok((start, minutes(3), false, GameSource::Friend));
    let second = world.arrange(&[user("bob"), user("ada")], plan, SECOND * 30).unwrap();
    let list = |at| {
        let games = world.playing_as_of(&user("ada"), SECOND * at);
        games.into_iter().map(|(game, color)| (game.id.clone(), game.is_live(), color)).collect::<Vec<_>>()
    };
    assert_eq!(list(10), [(first.clone(), true, Color::White)]);
    assert_eq!(list(20), [], "it ended at that time");
    assert_eq!(list(30), [(second.clone(), true, Color::Black)]);
}

#[test]
fn a_twin_takes_one_stream() {
    let mut world = world();
    let id = game(&mut world);
    world.take_notices();
    world.twin(user("ada"), None);
    world.twin(user("bob"), Some(id.clone()));
    let taken = |from, game| Notice::StreamTaken { from: user(from), game };
    assert_eq!(world.take_notices(), [taken("ada", None), taken("bob", Some(id))]);
}
