//! Claims to the arbiter under each of the laws. Games begin as in `laws_tests`.

use super::laws::Laws;
use super::laws_tests::{BLACK, SHUFFLE, begin, begin_with, ended, left, world};
use super::tests::{SECOND, play, status, user};
use super::*;
use crate::chess::Color;

fn claim(
    world: &mut World,
    name: &str,
    id: &GameId,
    kind: ClaimKind,
    intended: Option<&str>,
) -> Option<bool> {
    let found = world.claim(&user(name), id, (kind, intended), SECOND).ok()?;
    Some(found == Finding::Right)
}

#[test]
fn a_right_claim_draws() {
    let quiet = "4k3/8/6r1/8/8/8/2R5/4K3 w - - 98 99";
    for laws in [Laws::FIDE_2023, Laws::FIDE_2000, Laws::FIDE_1990] {
        for (fen, moves, kind, intended) in [
            (None, SHUFFLE.repeat(2), ClaimKind::Threefold, None),
            (None, SHUFFLE.to_owned() + "g1f3 g8f6 f3g1", ClaimKind::Threefold, Some("f6g8")),
            (Some(quiet), "c2c3 g6h6".to_owned(), ClaimKind::QuietMoves, None),
            (Some(quiet), "c2c3".to_owned(), ClaimKind::QuietMoves, Some("g6h6")),
        ] {
            let mut world = world(laws);
            let id = begin(&mut world, fen);
            play(&mut world, &id, &moves, SECOND);
            let turn = if world.game(&id).unwrap().turn() == Color::White { "ada" } else { "bob" };
            assert_eq!(claim(&mut world, turn, &id, kind, intended), Some(true), "{} {moves}", laws.name);
            assert_eq!(ended(&world, &id), (Status::Draw, None));
        }
    }
}

/// C13. Ada claims in vain with 2 h on both clocks; she has used a second.
#[test]
fn a_wrong_claim_costs_time() {
    for (laws, ada, bob) in
        [(Laws::FIDE_2023, 7199, 7320), (Laws::FIDE_2000, 7019, 7380), (Laws::FIDE_1990, 6899, 7200)]
    {
        let mut world = world(laws);
        let id = begin(&mut world, None);
        assert_eq!(claim(&mut world, "ada", &id, ClaimKind::Threefold, None), Some(false));
        assert_eq!(status(&world, &id), Status::Started);
        play(&mut world, &id, "e2e4", SECOND);
        assert_eq!(left(&world, &id), [ada, bob], "{}", laws.name);
    }
}

/// 10.13 (2) of 1990: the five minutes may cost the game, but not against a bare king (10.5).
#[test]
fn a_wrong_claim_may_cost_the_game() {
    for (fen, winner) in [(None, BLACK), (Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), None)] {
        let mut world = world(Laws::FIDE_1990);
        let id = begin_with(&mut world, fen, 5);
        assert_eq!(claim(&mut world, "ada", &id, ClaimKind::Threefold, None), Some(false));
        assert_eq!(ended(&world, &id), (Status::OutOfTime, winner));
    }
}

#[test]
fn the_move_of_a_wrong_claim_must_be_played() {
    let mut world = world(Laws::FIDE_2023);
    let id = begin(&mut world, None);
    assert_eq!(claim(&mut world, "ada", &id, ClaimKind::Threefold, Some("g1f3")), Some(false));
    let must = Err(Refusal::NotAllowed("The announced move must be played"));
    assert_eq!(world.play(&user("ada"), &id, "e2e4", None, SECOND), must);
    assert_eq!(world.game(&id).unwrap().sheet.illegal_moves, [0, 0], "it is no illegal move");
    let again = world.claim(&user("ada"), &id, (ClaimKind::Threefold, None), SECOND).map(|_| ());
    assert_eq!(again, must);
    play(&mut world, &id, "g1f3 e7e5 e2e4", SECOND);
}

/// 9.1.2.3: after a wrong claim the opponent may still accept the draw. It cannot be taken back.
#[test]
fn a_claim_is_an_offer() {
    for (laws, status_then) in [(Laws::FIDE_2023, Status::Draw), (Laws::FIDE_1990, Status::Started)] {
        let mut world = world(laws);
        let id = begin(&mut world, None);
        play(&mut world, &id, "e2e4 e7e5", SECOND);
        assert_eq!(claim(&mut world, "ada", &id, ClaimKind::Threefold, None), Some(false));
        world.draw(&user("ada"), &id, Answer::No, SECOND).unwrap();
        world.draw(&user("bob"), &id, Answer::Yes, SECOND).unwrap();
        assert_eq!(status(&world, &id), status_then, "{}", laws.name);
    }
}

/// 10.11 of 1990, FIDE 9.4: the right goes with the move, and comes back with the position.
#[test]
fn moving_loses_the_right_to_claim() {
    let mut world = world(Laws::FIDE_2023);
    let id = begin(&mut world, None);
    play(&mut world, &id, &SHUFFLE.repeat(2), SECOND);
    assert_eq!(claim(&mut world, "bob", &id, ClaimKind::Threefold, None), None, "it is ada's position");
    play(&mut world, &id, "e2e4", SECOND);
    assert_eq!(claim(&mut world, "bob", &id, ClaimKind::Threefold, None), Some(false));
    let id = begin(&mut world, None);
    play(&mut world, &id, &(SHUFFLE.repeat(2) + "b1c3 b8c6 c3b1"), SECOND);
    assert_eq!(claim(&mut world, "bob", &id, ClaimKind::Threefold, None), Some(false));
    play(&mut world, &id, "c6b8", SECOND);
    assert_eq!(claim(&mut world, "ada", &id, ClaimKind::Threefold, None), Some(true));
}

/// What a bot of Lichess says with a draw offer is a claim where it is right, and an offer where it is not.
#[test]
fn a_draw_offer_claims_what_is_on_the_board() {
    for (laws, name, status_then) in [
        (Laws::LICHESS, "ada", Status::Draw),
        (Laws::LICHESS, "bob", Status::Draw),
        (Laws::FIDE_2023, "ada", Status::Draw),
        (Laws::FIDE_2023, "bob", Status::Started),
    ] {
        let mut world = world(laws);
        let id = begin(&mut world, None);
        play(&mut world, &id, &SHUFFLE.repeat(2), SECOND);
        world.draw(&user(name), &id, Answer::Yes, SECOND).unwrap();
        assert_eq!(status(&world, &id), status_then, "{} {name}", laws.name);
    }
}

/// 10.12 of 1990: more than fifty moves, if announced before the game.
#[test]
fn a_higher_count_is_announced_before_the_game() {
    let quiet = "4k3/8/6r1/8/8/8/2R5/4K3 w - - 99 99";
    let mut world = world(Laws::FIDE_1990);
    let id = begin(&mut world, Some(quiet));
    for moves in [49, 101] {
        assert!(world.announce_quiet_moves(&id, moves).is_err());
    }
    world.announce_quiet_moves(&id, 75).unwrap();
    play(&mut world, &id, "c2c3", SECOND);
    assert!(world.announce_quiet_moves(&id, 50).is_err(), "the game has begun");
    assert_eq!(claim(&mut world, "bob", &id, ClaimKind::QuietMoves, None), Some(false));
    let plain = begin(&mut world, Some(quiet));
    play(&mut world, &plain, "c2c3", SECOND);
    assert_eq!(claim(&mut world, "bob", &plain, ClaimKind::QuietMoves, None), Some(true));
    let modern = &mut super::laws_tests::world(Laws::FIDE_2023);
    let id = begin(modern, Some(quiet));
    assert!(modern.announce_quiet_moves(&id, 75).is_err(), "abolished");
}
