//! The laws in play: the same games under each of them. `docs/sandbox.md` says where the differences come from.

use std::sync::Arc;
use std::time::Duration;

use super::laws::{Lateness, Laws};
use super::tests::{SECOND, minutes, play, status, user};
use super::*;
use crate::chess::{Color, Position, Variant};
use crate::sandbox::{SandboxOptions, UserSpec};

/// A world with these laws in which clocks run from the first move. Ada and bob are no bots, so that nothing that
/// holds for bots alone gets in the way.
pub(super) fn world(laws: Laws) -> World {
    let users = vec![UserSpec::human("ada", "a"), UserSpec::human("bob", "b")];
    let options = SandboxOptions { users, laws, free_first_moves: false, ..SandboxOptions::default() };
    World::new(Arc::new(options), 0, 1)
}

/// A game of ada against bob with two hours each, from a position.
pub(super) fn begin(world: &mut World, fen: Option<&str>) -> GameId {
    begin_with(world, fen, 120)
}

pub(super) fn begin_with(world: &mut World, fen: Option<&str>, limit: u32) -> GameId {
    let start = match fen {
        Some(fen) => Start { variant: Variant::FromPosition.into(), fen: Some(fen.to_owned()) },
        None => Start { variant: Variant::Standard.into(), fen: None },
    };
    let users = ["ada", "bob"].map(user);
    world.arrange(&users, |_| Ok((start, minutes(limit), false, GameSource::Friend)), Duration::ZERO).unwrap()
}

pub(super) fn left(world: &World, id: &GameId) -> [u64; 2] {
    world.game(id).unwrap().clock.as_of_last_move().map(|left| left.as_secs())
}

/// Status word and winner.
pub(super) fn ended(world: &World, id: &GameId) -> (Status, Option<Color>) {
    (status(world, id), world.game(id).unwrap().winner)
}

pub(super) const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 ";
pub(super) const WHITE: Option<Color> = Some(Color::White);
pub(super) const BLACK: Option<Color> = Some(Color::Black);

/// C4 and C5: who draws by itself at the third and fifth occurrence and after 50 and 75 moves.
#[test]
fn some_draws_come_by_themselves() {
    let quiet = |clock: u32| format!("4k3/8/6r1/8/8/8/2R5/4K3 w - - {clock} 99");
    for (laws, third, fifth, fifty, seventy_five) in [
        (Laws::LICHESS, false, true, true, true),
        (Laws::FIDE_2023, false, true, false, true),
        (Laws::FIDE_2000, false, false, false, false),
        (Laws::FIDE_1990, false, false, false, false),
        (Laws::AMATEUR, true, true, true, true),
    ] {
        let drawn = |fen: Option<&str>, moves: &str| {
            let mut world = world(laws);
            let id = begin(&mut world, fen);
            for uci in moves.split_whitespace() {
                if status(&world, &id) == Status::Started {
                    play(&mut world, &id, uci, SECOND);
                }
            }
            status(&world, &id) == Status::Draw
        };
        let name = laws.name;
        assert_eq!(drawn(None, &SHUFFLE.repeat(2)), third, "{name}: third");
        assert_eq!(drawn(None, &SHUFFLE.repeat(4)), fifth, "{name}: fifth");
        assert_eq!(drawn(Some(&quiet(99)), "c2c3"), fifty, "{name}: fifty");
        assert_eq!(drawn(Some(&quiet(149)), "c2c3"), seventy_five, "{name}: 75");
        assert!(!drawn(Some(&quiet(98)), "c2c3"), "{name}: 49½");
    }
}

/// C9: which illegal move loses, and what the earlier ones give the opponent, who began with two hours or five minutes.
#[test]
fn illegal_moves_are_counted() {
    for (laws, lost_at, gain, fast_gain) in [
        (Laws::LICHESS, None, 0, 0),
        (Laws::FIDE_2023, Some(2), 120, 60),
        (Laws::FIDE_2000, Some(3), 240, 240),
        (Laws::FIDE_1990, None, 0, 0),
        (Laws::AMATEUR, Some(3), 0, 0),
    ] {
        for (limit, gain) in [(120, gain), (5, fast_gain)] {
            let mut world = world(laws);
            let id = begin_with(&mut world, None, limit);
            let mut tries = 0;
            while status(&world, &id) == Status::Started && tries < 6 {
                tries += 1;
                let refused = world.play(&user("ada"), &id, "e2e5", None, SECOND);
                assert!(matches!(refused, Err(Refusal::IllegalMove { .. })), "{refused:?}");
                assert!(
                    world.play(&user("bob"), &id, "e2e5", None, SECOND).is_err(),
                    "not his turn: not counted"
                );
            }
            let end = lost_at.map_or((Status::Started, None), |_| (Status::UnknownFinish, BLACK));
            assert_eq!((tries, ended(&world, &id)), (lost_at.unwrap_or(6), end), "{}", laws.name);
            assert_eq!(world.game(&id).unwrap().sheet.illegal_moves, [tries, 0], "{}", laws.name);
            assert_eq!(left(&world, &id)[1], u64::from(limit) * 60 + gain, "{}", laws.name);
        }
    }
}

/// FIDE 7.5.5: a draw, if the opponent could not mate anyhow.
#[test]
fn illegal_moves_against_a_bare_king_draw() {
    let mut world = world(Laws::FIDE_2023);
    let id = begin(&mut world, Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
    for _ in 0..2 {
        world.play(&user("ada"), &id, "e1e8", None, SECOND).unwrap_err();
    }
    assert_eq!(ended(&world, &id), (Status::Draw, None));
}

/// C7 and C20, by the pieces of who would win: White resigns, or White's flag falls.
#[test]
fn who_cannot_win_is_not_given_the_win() {
    let knight = "4k1n1/8/8/8/8/8/8/Q3K3 w - - 0 1";
    let bare = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
    for (laws, fen, resigned, flagged) in [
        (Laws::LICHESS, bare, (Status::Resign, BLACK), None),
        (Laws::LICHESS, knight, (Status::Resign, BLACK), None),
        (Laws::FIDE_2023, bare, (Status::Draw, None), None),
        (Laws::FIDE_2023, knight, (Status::Draw, None), None),
        (Laws::FIDE_2000, knight, (Status::Resign, BLACK), None),
        (Laws::FIDE_1990, bare, (Status::Resign, BLACK), None),
        (Laws::FIDE_1990, knight, (Status::Resign, BLACK), BLACK),
        (Laws::AMATEUR, bare, (Status::Draw, None), None),
    ] {
        let mut world = world(laws);
        let id = begin(&mut world, Some(fen));
        for name in ["ada", "bob"] {
            world.connected(&user(name), Some(&id), SECOND);
        }
        world.sweep(SECOND * 8000);
        assert_eq!(ended(&world, &id), (Status::OutOfTime, flagged), "{} {fen}", laws.name);
        let id = begin(&mut world, Some(fen));
        play(&mut world, &id, "a1a2 e8e7", SECOND);
        world.resign(&user("ada"), &id, SECOND).unwrap();
        assert_eq!(ended(&world, &id), resigned, "{} {fen}", laws.name);
    }
}

/// FIDE 5.2.2 and 6.9: between closed chains of pawns nobody can ever take anything. Only Lichess and the laws of about
/// 1990 look at the material alone.
#[test]
fn a_dead_position_ends_the_game() {
    let closed = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1";
    for (laws, is_dead) in [
        (Laws::LICHESS, false),
        (Laws::FIDE_2023, true),
        (Laws::FIDE_2000, true),
        (Laws::FIDE_1990, false),
        (Laws::AMATEUR, true),
    ] {
        let mut world = world(laws);
        let moved = begin(&mut world, Some(closed));
        play(&mut world, &moved, "e1d1", SECOND);
        assert_eq!(status(&world, &moved) == Status::Draw, is_dead, "{}", laws.name);
        let knight = begin(&mut world, Some("4k3/8/8/8/8/8/4N3/4K3 w - - 0 1"));
        play(&mut world, &knight, "e1d1", SECOND);
        assert_eq!(status(&world, &knight), Status::Draw, "{}: a knight mates nobody", laws.name);
        let flagged = begin(&mut world, Some(closed));
        for name in ["ada", "bob"] {
            world.connected(&user(name), Some(&flagged), SECOND);
        }
        world.sweep(SECOND * 8000);
        let winner = if is_dead { None } else { BLACK };
        assert_eq!(ended(&world, &flagged), (Status::OutOfTime, winner), "{}", laws.name);
    }
}

/// Lichess takes an open offer of the other side for a draw when a flag falls; to FIDE the flag loses.
#[test]
fn an_open_offer_and_a_fallen_flag() {
    for (laws, end) in [(Laws::LICHESS, (Status::Draw, None)), (Laws::FIDE_2023, (Status::OutOfTime, WHITE))]
    {
        let mut world = world(laws);
        let id = begin(&mut world, None);
        play(&mut world, &id, "e2e4 e7e5 g1f3", SECOND);
        world.draw(&user("ada"), &id, Answer::Yes, SECOND).unwrap();
        world.sweep(SECOND * 8000);
        assert_eq!(ended(&world, &id), end, "{}", laws.name);
    }
}

/// C10 to C12: which of these offers are on the table. Ada has White and is to move at the beginning.
#[test]
fn offers_are_made_when_the_laws_allow() {
    // With her first move; while bob thinks; before her own move; again a move after the first was declined.
    for (laws, first, thinking, own_turn, again) in [
        (Laws::LICHESS, false, true, true, false),
        (Laws::FIDE_2023, false, true, true, true),
        (Laws::FIDE_2000, true, true, true, true),
        (Laws::FIDE_1990, true, true, true, true),
        (Laws::AMATEUR, true, false, false, false),
    ] {
        let offered = |moves: &[&str], act: &dyn Fn(&mut World, &GameId)| {
            let mut world = world(laws);
            let id = begin(&mut world, None);
            for uci in moves {
                play(&mut world, &id, uci, SECOND);
            }
            act(&mut world, &id);
            world.game(&id).unwrap().state(SECOND).draw_offers[0]
        };
        let with_move = |world: &mut World, id: &GameId, uci: &str| {
            world.play(&user("ada"), id, uci, Some(true), SECOND).unwrap();
        };
        let plainly = |world: &mut World, id: &GameId| {
            world.draw(&user("ada"), id, Answer::Yes, SECOND).unwrap();
        };
        let name = laws.name;
        assert_eq!(offered(&[], &|world, id| with_move(world, id, "e2e4")), first, "{name}: first move");
        assert_eq!(offered(&["e2e4", "e7e5", "g1f3"], &plainly), thinking, "{name}: bob thinks");
        assert_eq!(offered(&["e2e4", "e7e5"], &plainly), own_turn, "{name}: own turn");
        let repeated = offered(&["e2e4", "e7e5"], &|world, id| {
            with_move(world, id, "g1f3");
            play(world, id, "b8c6", SECOND);
            with_move(world, id, "f1b5");
        });
        assert_eq!(repeated, again, "{name}: again");
    }
}

/// `noEarlyDraw`: no offer before both sides have made thirty moves. The rooks wander without repeating a position.
#[test]
fn no_draw_is_offered_early_where_that_is_the_rule() {
    let uci = |ply: usize| {
        let (rank, files) = if ply.is_multiple_of(2) { (1, "abcdefgh") } else { (8, "abcdefg") };
        let file = |step: usize| &files[step % files.len()..][..1];
        format!("{}{rank}{}{rank}", file(ply / 2), file(ply / 2 + 1))
    };
    for (plies, rules, is_offered) in
        [(59, vec![GameRule::NoEarlyDraw], false), (60, vec![GameRule::NoEarlyDraw], true), (2, vec![], true)]
    {
        let mut world = world(Laws::LICHESS);
        let id = begin(&mut world, Some("r7/p6k/8/8/8/8/P6K/R7 w - - 0 1"));
        world.games.get_mut(&id).unwrap().rules = rules;
        let moves: Vec<String> = (0..plies).map(uci).collect();
        play(&mut world, &id, &moves.join(" "), SECOND);
        world.draw(&user("ada"), &id, Answer::Yes, SECOND).unwrap();
        assert_eq!(world.game(&id).unwrap().state(SECOND).draw_offers[0], is_offered, "{plies} plies");
    }
}

/// C12: in amateur events the right to offer comes back when the opponent has offered.
#[test]
fn the_opponents_offer_gives_the_right_back() {
    let mut world = world(Laws::AMATEUR);
    let id = begin(&mut world, None);
    let mut turn = ["ada", "bob"].into_iter().cycle();
    let mut offered = Vec::new();
    for (uci, offer) in
        [("e2e4", true), ("e7e5", false), ("g1f3", true), ("b8c6", true), ("f1b5", true), ("a7a6", true)]
    {
        let name = turn.next().unwrap();
        world.play(&user(name), &id, uci, offer.then_some(true), SECOND).unwrap();
        let state = world.game(&id).unwrap().state(SECOND);
        offered.push(state.draw_offers.contains(&true));
        // Whoever is asked says no.
        world.draw(&user(if name == "ada" { "bob" } else { "ada" }), &id, Answer::No, SECOND).unwrap();
    }
    assert_eq!(offered, [true, false, false, true, true, true]);
}

/// C11, 10.9 of 1990: an offer stands until the opponent answers, also while the one who made it moves.
#[test]
fn an_offer_cannot_be_withdrawn() {
    for (laws, stands) in [(Laws::LICHESS, false), (Laws::FIDE_2023, true), (Laws::FIDE_1990, true)] {
        let mut world = world(laws);
        let id = begin(&mut world, None);
        play(&mut world, &id, "e2e4 e7e5", SECOND);
        world.draw(&user("ada"), &id, Answer::Yes, SECOND).unwrap();
        world.draw(&user("ada"), &id, Answer::No, SECOND).unwrap();
        world.play(&user("ada"), &id, "g1f3", Some(false), SECOND).unwrap();
        assert_eq!(world.game(&id).unwrap().state(SECOND).draw_offers[0], stands, "{}", laws.name);
        world.draw(&user("bob"), &id, Answer::Yes, SECOND).unwrap();
        assert_eq!(status(&world, &id) == Status::Draw, stands, "{}", laws.name);
    }
}

/// FIDE 11.5, 10.8 of 1990: such an offer is valid; the arbiter has it in writing and may punish.
#[test]
fn offers_out_of_turn_are_noted() {
    for (name, noted) in [("ada", 0), ("bob", 1)] {
        let mut world = world(Laws::FIDE_2023);
        let id = begin(&mut world, None);
        play(&mut world, &id, "e2e4 e7e5", SECOND);
        world.draw(&user(name), &id, Answer::Yes, SECOND).unwrap();
        assert_eq!(world.game(&id).unwrap().sheet.incidents.len(), noted, "{name}");
        world.punish(&id, Color::Black, SECOND * 120, SECOND).unwrap();
        assert_eq!(left(&world, &id), [7319, 7200]);
    }
}

/// C14: who has not come after the default time loses; Lichess and amateur events know no such hour.
#[test]
fn who_does_not_come_loses() {
    let late = Laws { lateness: Lateness::Loses(SECOND * 60), ..Laws::FIDE_2023 };
    for (laws, here, end, both) in [
        (late, vec!["ada", "bob"], (Status::Started, None), false),
        (late, vec!["ada"], (Status::NoStart, WHITE), false),
        (late, vec!["bob"], (Status::NoStart, BLACK), false),
        (late, vec![], (Status::NoStart, None), true),
        (Laws::LICHESS, vec![], (Status::Started, None), false),
        (Laws::AMATEUR, vec![], (Status::Started, None), false),
    ] {
        let mut world = world(laws);
        let id = begin(&mut world, None);
        for name in &here {
            world.connected(&user(name), Some(&id), SECOND);
        }
        world.sweep(SECOND * 59);
        assert_eq!(status(&world, &id), Status::Started);
        world.sweep(SECOND * 60);
        assert_eq!(ended(&world, &id), end, "{} {here:?}", laws.name);
        let lost: Vec<u32> = world.accounts().map(|account| account.score.lost).collect();
        assert_eq!(lost == [1, 1], both, "{lost:?}");
    }
}

#[test]
fn a_sealed_move_is_played_when_play_goes_on() {
    let mut world = world(Laws::FIDE_1990);
    let id = begin(&mut world, None);
    play(&mut world, &id, "e2e4 e7e5", SECOND);
    world.adjourn(&user("ada"), &id, "Nf3", SECOND * 11).unwrap();
    assert!(world.play(&user("ada"), &id, "g1f3", None, SECOND * 12).is_err(), "the game is adjourned");
    assert_eq!(
        world.claim_victory(&user("bob"), &id, SECOND * 9000),
        Ok(()),
        "and nobody can claim anything"
    );
    world.sweep(SECOND * 9000);
    assert!(world.resume(&id, Absence::Nobody, Some("nonsense"), SECOND).is_err());
    let elsewhere = Position::initial().to_fen();
    world.resume(&id, Absence::Nobody, Some(&elsewhere), SECOND * 9000).unwrap();
    let game = world.game(&id).unwrap();
    assert_eq!(game.state(SECOND).moves, "e2e4 e7e5 g1f3");
    assert_eq!(left(&world, &id), [7189, 7200], "ada used ten seconds; the night is nobody's time");
    assert!(game.sheet.incidents.iter().any(|incident| incident.what.contains("restored")), "8.4");
    play(&mut world, &id, "b8c6", SECOND * 9001);
}

/// 10.5, 10.15 to 10.17 of 1990, where nobody is mated on the board.
#[test]
fn an_adjourned_game_may_be_over() {
    let bare = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let flagged = Absence::Sealer { opponent_flagged: true };
    for (fen, text, absence, end) in [
        (None, "Nf6", Absence::Nobody, (Status::UnknownFinish, BLACK)),
        (Some(bare), "Nf6", Absence::Nobody, (Status::Draw, None)),
        (None, "Nf3", Absence::Opponent, (Status::NoStart, WHITE)),
        (None, "Nf3", Absence::Sealer { opponent_flagged: false }, (Status::NoStart, BLACK)),
        (None, "Nf3", flagged, (Status::OutOfTime, WHITE)),
        (None, "Nf3", Absence::Both, (Status::NoStart, None)),
    ] {
        let mut world = world(Laws::FIDE_1990);
        let id = begin(&mut world, fen);
        world.adjourn(&user("ada"), &id, text, SECOND).unwrap();
        world.resume(&id, absence, None, SECOND * 2).unwrap();
        assert_eq!(ended(&world, &id), end, "{text} {absence:?}");
    }
    for laws in [Laws::LICHESS, Laws::AMATEUR] {
        let mut world = world(laws);
        let id = begin(&mut world, None);
        assert!(world.adjourn(&user("ada"), &id, "Nf3", SECOND).is_err(), "{}", laws.name);
    }
}

/// 10.17 of 1990, FIDE 11.7 and 11.8: refusing to keep the laws.
#[test]
fn the_arbiter_declares_a_game_lost() {
    for (side, winner, scores) in
        [(WHITE, BLACK, [(0, 1), (1, 0)]), (BLACK, WHITE, [(1, 0), (0, 1)]), (None, None, [(0, 1); 2])]
    {
        let mut world = world(Laws::FIDE_2023);
        let id = begin(&mut world, None);
        world.forfeit(&id, side, SECOND).unwrap();
        assert_eq!(ended(&world, &id), (Status::UnknownFinish, winner));
        let won_and_lost: Vec<_> =
            world.accounts().map(|account| (account.score.won, account.score.lost)).collect();
        assert_eq!(won_and_lost, scores);
        assert!(world.forfeit(&id, side, SECOND).is_err(), "it is over");
    }
}

#[test]
fn a_game_that_began_wrongly_is_played_again() {
    let mut world = world(Laws::FIDE_2023);
    let wrong = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w KQkq - 0 1";
    let id = begin(&mut world, Some(wrong));
    play(&mut world, &id, "e2e3", SECOND);
    let right = WrongBeginning::InitialPosition(None);
    let again = world.report_beginning(&id, &right, SECOND).unwrap().unwrap();
    assert_eq!(status(&world, &id), Status::Aborted);
    let game = world.game(&again).unwrap();
    assert_eq!(*game.history.start(), Position::initial().into());
    assert_eq!(game.seat(Color::White).user(), Some(&user("ada")));
    assert!(world.report_beginning(&again, &right, SECOND).is_err(), "that one began rightly");
    let other = world.report_beginning(&again, &WrongBeginning::Colors, SECOND).unwrap().unwrap();
    assert_eq!(world.game(&other).unwrap().seat(Color::White).user(), Some(&user("bob")));
    let stands = &mut self::world(Laws::FIDE_2000);
    let id = begin(stands, None);
    assert_eq!(stands.report_beginning(&id, &WrongBeginning::Colors, SECOND), Ok(None));
    assert_eq!(status(stands, &id), Status::Started);
}

/// A released move stands, also one that is only sorry.
#[test]
fn only_lichess_takes_moves_back() {
    for laws in Laws::ALL {
        let mut world = world(laws);
        let id = begin(&mut world, None);
        play(&mut world, &id, "e2e4 e7e5", SECOND);
        world.takeback(&user("ada"), &id, Answer::Yes, SECOND).unwrap();
        let offered = world.game(&id).unwrap().state(SECOND).takeback_offers[0];
        assert_eq!(offered, laws == Laws::LICHESS, "{}", laws.name);
    }
}

#[test]
fn lichess_has_no_arbiter() {
    let mut world = world(Laws::LICHESS);
    let id = begin(&mut world, None);
    let claimed = world.claim(&user("ada"), &id, (ClaimKind::Threefold, None), SECOND);
    assert!(claimed.is_err());
    assert!(world.forfeit(&id, None, SECOND).is_err());
    assert!(world.punish(&id, Color::White, SECOND, SECOND).is_err());
    assert!(world.resume(&id, Absence::Both, None, SECOND).is_err());
    assert!(world.report_beginning(&id, &WrongBeginning::Colors, SECOND).is_err());
    assert_eq!(status(&world, &id), Status::Started);
}
