//! Scripted players in a world under a clock of the test's own. What a client sees of them is tested over HTTP.

use std::sync::Arc;
use std::time::Duration;

use super::players::{Players, Wanted};
use super::script::{Act, Moment, Moves, Outgoing, Reply, Script, ScriptEvent};
use crate::chess::{CastlingSpelling, Color, UciMove, Variant};
use crate::sandbox::world::{
    Answer, ChallengeStatus, GameId, GameLine, GameSource, Notice, Start, Status, TimeControl, UserId, World,
};
use crate::sandbox::{RequestLimits, SandboxOptions, UserSpec};

const SECOND: Duration = Duration::from_secs(1);

/// A world with the bot `ada`, who has no script, and the scripted `bob` and `cleo`.
struct Scene {
    world: World,
    players: Players,
    now: Duration,
    heard: Vec<Notice>,
    wanted: Vec<Wanted>,
}

impl Scene {
    fn new(bob: Script, cleo: Script) -> Scene {
        let ada = UserSpec { accepts_takebacks: true, ..UserSpec::bot("ada", "a") };
        let scripted =
            |name, script| UserSpec { accepts_takebacks: true, ..UserSpec::scripted(name, script) };
        let users = vec![ada, scripted("bob", bob), scripted("cleo", cleo)];
        let limits = RequestLimits::NONE;
        let options = Arc::new(SandboxOptions { users, limits, seed: Some(1), ..SandboxOptions::default() });
        let mut world = World::new(Arc::clone(&options), 0, 1);
        let mut players = Players::new(&options);
        players.enter(&mut world, Duration::ZERO);
        Scene { world, players, now: Duration::ZERO, heard: Vec::new(), wanted: Vec::new() }
    }

    /// Lets them act until they wait for something.
    fn settle(&mut self) {
        loop {
            let news = self.world.take_notices();
            self.heard.extend(news.iter().cloned());
            let idle = news.is_empty() && self.players.next().is_none_or(|due| due > self.now);
            if idle {
                return;
            }
            self.wanted.extend(self.players.step(&mut self.world, news, self.now));
        }
    }

    /// The same at each moment at which something is due, until `time` has passed.
    fn wait(&mut self, time: Duration) {
        let end = self.now + time;
        self.settle();
        while let Some(due) = self.players.next().filter(|due| *due <= end) {
            self.now = due;
            self.settle();
        }
        self.now = end;
    }

    fn game(&mut self, white: &str, black: &str) -> GameId {
        let users = [UserId::of(white), UserId::of(black)];
        let start = Start { variant: Variant::Standard.into(), fen: None };
        let time = TimeControl::Clock { limit: SECOND * 60, increment: SECOND };
        let plan = |_: &mut _| Ok((start, time, false, GameSource::Friend));
        let id = self.world.arrange(&users, plan, self.now).unwrap();
        self.settle();
        id
    }

    /// `ada` plays the first legal move.
    fn ada_moves(&mut self, id: &GameId) {
        let mv = self.world.game(id).unwrap().history.position().legal_moves()[0];
        let uci = UciMove::from_move(mv, CastlingSpelling::KingTwoSquares);
        self.world.play(&UserId::of("ada"), id, &uci.to_string(), None, self.now).unwrap();
        self.settle();
    }

    fn ply(&self, id: &GameId) -> usize {
        self.world.game(id).unwrap().ply()
    }

    fn status(&self, id: &GameId) -> Status {
        self.world.game(id).unwrap().status
    }
}

fn with_events(events: &[(Moment, Act)]) -> Script {
    let events = events.iter().map(|(at, act)| ScriptEvent::new(*at, act.clone())).collect();
    Script { events, ..Script::default() }
}

#[test]
fn random_players_finish_a_legal_game_and_the_same_one_again() {
    let game = |white, black| {
        let mut scene = Scene::new(Script::default(), Script::default());
        let id = scene.game(white, black);
        assert_ne!(scene.status(&id), Status::Started, "no move waits for anything");
        let game = scene.world.game(&id).unwrap();
        (game.history.to_uci(game.castling()), game.status)
    };
    assert_eq!(game("bob", "cleo"), game("bob", "cleo"));
    assert_ne!(game("bob", "cleo").0, game("cleo", "bob").0);
}

#[test]
fn a_move_takes_its_time() {
    let script = Script { think_ms: (1000, 3000), ..Script::default() };
    let mut scene = Scene::new(script.clone(), script);
    let id = scene.game("bob", "cleo");
    scene.wait(Duration::from_millis(999));
    assert_eq!(scene.ply(&id), 0);
    scene.wait(Duration::from_millis(2001));
    assert!((1..=3).contains(&scene.ply(&id)), "{}", scene.ply(&id));
}

#[test]
fn a_level_wants_the_engine() {
    let mut scene = Scene::new(Script { moves: Moves::Level(3), ..Script::default() }, Script::default());
    let id = scene.game("bob", "ada");
    let wanted = scene.wanted.pop().unwrap();
    assert_eq!((&wanted.game, wanted.level, wanted.history.ply()), (&id, 3, 0));
}

/// What stops a player from moving, where the game then stands, and how it ends a minute later.
#[test]
fn a_player_can_stop_moving() {
    for (moment, act, plies, end) in [
        (Moment::Start, Act::NeverMove, 0, Status::Started),
        (Moment::Ply(2), Act::NeverMove, 4, Status::Started),
        (Moment::Start, Act::Flag, 0, Status::Started),
        (Moment::Ply(2), Act::Flag, 2, Status::OutOfTime),
        (Moment::Ply(2), Act::Leave { ms: None }, 2, Status::OutOfTime),
        (Moment::Ply(2), Act::Resign, 2, Status::Resign),
        (Moment::Start, Act::Abort, 0, Status::Aborted),
        (Moment::Ply(2), Act::Abort, 4, Status::Started),
        (Moment::Start, Act::Resign, 0, Status::Aborted),
    ] {
        let mut scene = Scene::new(with_events(&[(moment, act.clone())]), Script::default());
        let id = scene.game("bob", "ada");
        for _ in 0..2 {
            if scene.ply(&id) % 2 == 1 {
                scene.ada_moves(&id);
            }
        }
        assert_eq!(scene.ply(&id) / 2 * 2, plies, "{act:?} at {moment:?}");
        if plies != 4 {
            scene.wait(SECOND * 62);
            scene.world.sweep(scene.now);
        }
        assert_eq!(scene.status(&id), end, "{act:?} at {moment:?}");
    }
}

#[test]
fn who_leaves_is_reported_and_moves_when_it_is_back() {
    let leave = Act::Leave { ms: Some(20_000) };
    let mut scene = Scene::new(with_events(&[(Moment::Ply(2), leave)]), Script::default());
    let id = scene.game("bob", "ada");
    scene.ada_moves(&id);
    scene.wait(SECOND * 10);
    scene.world.sweep(scene.now);
    scene.settle();
    let gone =
        |claim_in| Notice::Game { game: id.clone(), line: GameLine::Gone { to: Color::Black, claim_in } };
    assert!(scene.heard.contains(&gone(Some(SECOND * 31))), "{:?}", scene.heard);
    assert!(!scene.heard.contains(&gone(None)));
    scene.wait(SECOND * 11);
    assert!(scene.heard.contains(&gone(None)));
    assert_eq!(scene.ply(&id), 3, "it moves");
}

#[test]
fn a_player_leaves_at_every_multiple_of_a_ply_but_once_at_each() {
    let leave = Act::Leave { ms: Some(100) };
    let mut scene = Scene::new(with_events(&[(Moment::Every(2), leave)]), Script::default());
    let id = scene.game("bob", "ada");
    for ply in [2, 4, 6] {
        scene.ada_moves(&id);
        assert_eq!(scene.ply(&id), ply);
        scene.wait(Duration::from_millis(101));
        assert_eq!(scene.ply(&id), ply + 1);
    }
}

#[test]
fn offers_are_answered_by_policy() {
    for (reply, end, open) in [
        (Reply::Accept, Status::Draw, false),
        (Reply::Decline, Status::Started, false),
        (Reply::Ignore, Status::Started, true),
    ] {
        let script = Script { draws: reply, think_ms: (5000, 5000), ..Script::default() };
        let mut scene = Scene::new(script, Script::default());
        let id = scene.game("bob", "ada");
        scene.wait(SECOND * 5);
        scene.ada_moves(&id);
        scene.world.draw(&UserId::of("ada"), &id, Answer::Yes, scene.now).unwrap();
        scene.settle();
        assert_eq!(scene.status(&id), end, "{reply:?}");
        let offers = scene.world.game(&id).unwrap().state(scene.now).draw_offers;
        assert_eq!(offers[Color::Black.index()], open, "{reply:?}");
    }
}

#[test]
fn takebacks_are_answered_by_policy() {
    for (reply, plies) in [(Reply::Accept, 1), (Reply::Decline, 2), (Reply::Ignore, 2)] {
        let script = Script { takebacks: reply, think_ms: (5000, 5000), ..Script::default() };
        let mut scene = Scene::new(script, Script::default());
        let id = scene.game("bob", "ada");
        scene.wait(SECOND * 5);
        scene.ada_moves(&id);
        scene.world.takeback(&UserId::of("ada"), &id, Answer::Yes, scene.now).unwrap();
        scene.settle();
        assert_eq!(scene.ply(&id), plies, "{reply:?}");
    }
}

#[test]
fn a_player_offers_proposes_and_withdraws() {
    let acts = |act| with_events(&[(Moment::Ply(2), act)]);
    let state = |script: Script| {
        let mut scene = Scene::new(Script { think_ms: (1, 1), ..script }, Script::default());
        let id = scene.game("bob", "ada");
        scene.wait(SECOND);
        scene.ada_moves(&id);
        scene.world.game(&id).unwrap().state(scene.now)
    };
    assert!(state(acts(Act::OfferDraw)).draw_offers[0]);
    assert!(state(acts(Act::Takeback)).takeback_offers[0]);
    for act in [Act::OfferDraw, Act::Takeback] {
        let mut script = acts(act);
        script.events.push(ScriptEvent::new(Moment::Ply(2), Act::Withdraw));
        let state = state(script);
        assert_eq!((state.draw_offers, state.takeback_offers), ([false; 2], [false; 2]));
    }
}

#[test]
fn a_flood_of_chat_reaches_both_rooms_at_once() {
    let chat = Act::Chat { lines: 40, text: "hello".to_owned() };
    let mut scene = Scene::new(with_events(&[(Moment::Start, chat)]), Script::default());
    let id = scene.game("bob", "ada");
    let said = &scene.world.game(&id).unwrap().chat;
    assert_eq!(said.len(), 80);
    assert_eq!((said[0].text.as_str(), said[79].text.as_str()), ("hello 1", "hello 40"));
    assert_ne!(said[0].room, said[1].room);
}

#[test]
fn a_clock_is_halved_and_time_is_given() {
    let events = [(Moment::Start, Act::Berserk), (Moment::Ply(2), Act::GiveTime { seconds: 15 })];
    let mut scene = Scene::new(with_events(&events), Script::default());
    let id = scene.game("bob", "ada");
    scene.ada_moves(&id);
    let state = scene.world.game(&id).unwrap().state(scene.now);
    // Bob earns nothing for his second move; ada was given 15 seconds and shows the agreed increment.
    assert_eq!((state.left, state.increment), ([SECOND * 30, SECOND * 75], SECOND));
}

#[test]
fn an_event_happens_in_its_share_of_games() {
    let mut script = with_events(&[(Moment::Start, Act::Abort)]);
    script.events[0].percent = 50;
    let mut scene = Scene::new(script, Script::default());
    let games: Vec<GameId> = (0..100).map(|_| scene.game("bob", "ada")).collect();
    let aborted = games.iter().filter(|id| scene.status(id) == Status::Aborted).count();
    assert!((30..=70).contains(&aborted), "{aborted}");
}

#[test]
fn challenges_are_accepted_or_declined() {
    for (accepts, status) in [(true, ChallengeStatus::Accepted), (false, ChallengeStatus::Declined)] {
        let asks =
            Script { challenges: Some(Outgoing::to("cleo")), ..with_events(&[(Moment::Start, Act::Flag)]) };
        let mut scene = Scene::new(asks, Script { accepts, ..Script::default() });
        scene.settle();
        let challenge = scene.heard.iter().find_map(|notice| match notice {
            Notice::ChallengeCreated { challenge, .. } => Some(challenge.clone()),
            _ => None,
        });
        assert_eq!(scene.world.challenge(&challenge.unwrap()).unwrap().status, status);
    }
}

#[test]
fn challenges_go_to_those_who_are_there_and_one_game_follows_another() {
    let outgoing = Outgoing { times: Some(3), ..Outgoing::to("ada") };
    let mut scene = Scene::new(Script { challenges: Some(outgoing), ..Script::default() }, Script::default());
    let ada = UserId::of("ada");
    scene.wait(SECOND * 3);
    assert_eq!(scene.world.games().count() + scene.world.open_challenges(&ada).len(), 0);
    scene.world.connected(&ada, None, scene.now);
    for games in 1..=3 {
        scene.wait(SECOND * 2);
        let challenges = scene.world.open_challenges(&ada);
        assert_eq!(challenges.len(), 1, "it waits for an answer");
        let id = challenges[0].id.clone();
        scene.world.accept(&ada, &id, scene.now).unwrap();
        scene.wait(SECOND * 5);
        assert_eq!(scene.world.games().count(), games, "one at once");
        scene.world.resign(&ada, &id, scene.now).unwrap();
    }
    scene.wait(SECOND * 5);
    assert!(scene.world.open_challenges(&ada).is_empty(), "three were to be made");
}

#[test]
fn a_challenge_can_be_withdrawn_and_a_rematch_offered() {
    let outgoing = Outgoing { times: Some(1), cancel_after_ms: Some(1), ..Outgoing::to("ada") };
    let script = Script { challenges: Some(outgoing), rematches: true, ..Script::default() };
    let mut scene = Scene::new(script, Script::default());
    let ada = UserId::of("ada");
    scene.world.connected(&ada, None, scene.now);
    scene.settle();
    assert_eq!(scene.world.open_challenges(&ada).len(), 1);
    scene.wait(Duration::from_millis(1));
    assert!(scene.world.open_challenges(&ada).is_empty());
    let id = scene.game("bob", "ada");
    scene.ada_moves(&id);
    scene.world.resign(&ada, &id, scene.now).unwrap();
    scene.settle();
    assert_eq!(scene.world.open_challenges(&ada)[0].rematch_of, Some(id));
}
