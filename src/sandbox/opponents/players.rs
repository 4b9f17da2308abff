//! The scripted accounts: what they hear of their games and challenges, and what they do then and later.
//!
//! Pure but for the world that they act on: the time is an argument, and what is to be done later stands in an agenda.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::dice::Dice;
use super::script::{Act, AskedColor, Moment, Moves, Outgoing, Reply, Script};
use crate::chess::{Color, History};
use crate::ignore::Ignore;
use crate::sandbox::SandboxOptions;
use crate::sandbox::world::{
    Answer, ChallengeStatus, ChallengeWish, ColorWish, DeclineReason, Game, GameId, GameLine, Notice,
    Refusal, Room, StateView, TimeControl, UserId, VariantKey, World,
};

/// A move that the engine is to choose.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) game: GameId,
    pub(super) level: u8,
    pub(super) history: History,
}

impl From<(GameId, u8, History)> for Wanted {
    fn from((game, level, history): (GameId, u8, History)) -> Wanted {
        Wanted { game, level, history }
    }
}

/// All scripted accounts and their games.
#[derive(Debug)]
pub(super) struct Players {
    seed: u64,
    actors: BTreeMap<UserId, Actor>,
    /// Where they sit.
    places: BTreeMap<(GameId, UserId), Place>,
    /// What is to be done when; what was planned first comes first.
    agenda: BTreeMap<(Duration, u64), Task>,
    planned: u64,
    /// The server is down: what is due waits.
    paused: bool,
}

#[derive(Debug)]
struct Actor {
    script: Script,
    /// The last challenge that it made, and how many there were.
    asked: Option<GameId>,
    challenges: u64,
}

/// A scripted player in a game.
#[derive(Debug)]
struct Place {
    color: Color,
    /// The number of plies that it last saw.
    seen: Option<usize>,
    /// The events that happen only once and have happened.
    past: BTreeSet<usize>,
    /// What the opponent has on the table.
    offered: [bool; 2],
    /// It has left.
    away: bool,
    /// It moves no more.
    still: bool,
}

#[derive(Clone, Debug)]
enum Task {
    Move { game: GameId, user: UserId, ply: usize },
    Event { game: GameId, user: UserId, event: usize },
    Return { game: GameId, user: UserId },
    Reply { game: GameId, user: UserId, to: Proposal, answer: Answer },
    AnswerChallenge { user: UserId, challenge: GameId },
    Challenge { user: UserId },
    Cancel { user: UserId, challenge: GameId },
}

#[derive(Clone, Copy, Debug)]
enum Proposal {
    Draw,
    Takeback,
}

impl Players {
    /// The accounts that have a script.
    pub(super) fn new(options: &SandboxOptions) -> Players {
        let scripted = options.users.iter().filter_map(|spec| {
            let actor = Actor { script: spec.script.clone()?, asked: None, challenges: 0 };
            Some((UserId::of(&spec.name), actor))
        });
        Players {
            seed: options.seed.unwrap_or(options.ai.seed),
            actors: scripted.collect(),
            places: BTreeMap::new(),
            agenda: BTreeMap::new(),
            planned: 0,
            paused: false,
        }
    }

    /// They connect, and those that challenge of themselves begin to.
    pub(super) fn enter(&mut self, world: &mut World, now: Duration) {
        let users: Vec<UserId> = self.actors.keys().cloned().collect();
        for user in users {
            world.connected(&user, None, now);
            if self.actors[&user].script.challenges.is_some() {
                self.plan(now, Task::Challenge { user });
            }
        }
    }

    /// When something is due next.
    pub(super) fn next(&self) -> Option<Duration> {
        self.agenda.keys().next().map(|(at, _)| *at).filter(|_| !self.paused)
    }

    /// Whether whoever is to move would: lent opponents always, scripted players while they are there.
    pub(super) fn may_move(&self, world: &World, id: &GameId) -> bool {
        if world.is_down() {
            return false;
        }
        let Some(user) = world.game(id).and_then(|game| game.seat(game.turn()).user()) else {
            return true;
        };
        self.places.get(&(id.clone(), user.clone())).is_some_and(Place::moves)
    }

    /// They hear the news and do what is due. The moves that need the engine are returned.
    pub(super) fn step(&mut self, world: &mut World, news: Vec<Notice>, now: Duration) -> Vec<Wanted> {
        for notice in news {
            self.hear(world, notice, now);
        }
        let mut wanted = Vec::new();
        while let Some(entry) = self.agenda.first_entry() {
            if self.paused || entry.key().0 > now {
                break;
            }
            let task = entry.remove();
            wanted.extend(self.perform(world, task, now));
        }
        wanted
    }

    fn plan(&mut self, at: Duration, task: Task) {
        self.planned += 1;
        self.agenda.insert((at, self.planned), task);
    }

    fn hear(&mut self, world: &mut World, notice: Notice, now: Duration) {
        match notice {
            Notice::GameStart { to, game } => self.sit_down(world, game, to, now),
            Notice::ChallengeCreated { to, challenge } => self.receive(world, to, challenge, now),
            Notice::Game { game, line: GameLine::State(state) } => {
                for user in self.here(&game) {
                    self.weigh(&game, &user, &state, now);
                    self.look(world, &game, &user, now);
                }
            }
            Notice::GameOver { game } => {
                for user in self.here(&game) {
                    self.get_up(world, &game, user, now);
                }
            }
            Notice::Down => self.paused = true,
            Notice::Up => self.paused = false,
            Notice::Game { .. }
            | Notice::GameStartAgain { .. }
            | Notice::ChallengeAgain { .. }
            | Notice::StreamTaken { .. }
            | Notice::GameFinish { .. }
            | Notice::ChallengeCanceled { .. }
            | Notice::ChallengeDeclined { .. }
            | Notice::ChallengeDone { .. } => {}
        }
    }

    /// The scripted players of a game.
    fn here(&self, game: &GameId) -> Vec<UserId> {
        let all = self.places.range((game.clone(), UserId::of(""))..);
        all.take_while(|((id, _), _)| id == game).map(|((_, user), _)| user.clone()).collect()
    }

    fn sit_down(&mut self, world: &mut World, game: GameId, user: UserId, now: Duration) {
        let color = world.game(&game).filter(|game| game.is_live()).and_then(|game| game.color_of(&user));
        let key = (game, user);
        let (Some(color), true, false) =
            (color, self.actors.contains_key(&key.1), self.places.contains_key(&key))
        else {
            return;
        };
        let (game, user) = key.clone();
        let past = BTreeSet::new();
        let place = Place { color, seen: None, past, offered: [false; 2], away: false, still: false };
        self.places.insert(key, place);
        world.connected(&user, Some(&game), now);
        self.look(world, &game, &user, now);
    }

    fn get_up(&mut self, world: &mut World, game: &GameId, user: UserId, now: Duration) {
        let place = self.places.remove(&(game.clone(), user.clone()));
        if place.is_some_and(|place| !place.away) {
            world.disconnected(&user, Some(game), now);
        }
        if self.actors[&user].script.rematches {
            let offered = world.offer_rematch(&user, game, now);
            offered.ignore("not every game can be played again");
        }
    }

    /// A challenge for one of them is answered after a while.
    fn receive(&mut self, world: &World, user: UserId, challenge: GameId, now: Duration) {
        let for_us = world.challenge(&challenge).is_some_and(|challenge| challenge.dest == user);
        if let (true, Some(actor)) = (for_us, self.actors.get(&user)) {
            let dice = Dice { seed: self.seed, account: &user, game: &challenge };
            let after = Duration::from_millis(dice.time_ms(0, actor.script.think_ms));
            self.plan(now + after, Task::AnswerChallenge { user, challenge });
        }
    }

    /// What the opponent has just proposed is answered at once.
    fn weigh(&mut self, game: &GameId, user: &UserId, state: &StateView, now: Duration) {
        let script = &self.actors[user].script;
        let replies = [(Proposal::Draw, script.draws), (Proposal::Takeback, script.takebacks)];
        let Some(place) = self.places.get_mut(&(game.clone(), user.clone())) else { return };
        let theirs = (!place.color).index();
        let offered = [state.draw_offers[theirs], state.takeback_offers[theirs]];
        let before = std::mem::replace(&mut place.offered, offered);
        for (n, (to, reply)) in replies.into_iter().enumerate() {
            let answer = match reply {
                Reply::Accept => Answer::Yes,
                Reply::Decline => Answer::No,
                Reply::Ignore => continue,
            };
            if offered[n] && !before[n] {
                self.plan(now, Task::Reply { game: game.clone(), user: user.clone(), to, answer });
            }
        }
    }

    /// The position may have changed: events of this ply are planned, and then the move.
    fn look(&mut self, world: &World, id: &GameId, user: &UserId, now: Duration) {
        let script = &self.actors[user].script;
        let Some(game) = world.game(id).filter(|game| game.is_live()) else { return };
        let Some(place) = self.places.get_mut(&(id.clone(), user.clone())) else { return };
        let (ply, dice) = (game.ply(), Dice { seed: self.seed, account: user, game: id });
        if place.seen == Some(ply) {
            return;
        }
        let first = place.seen.is_none();
        place.seen = Some(ply);
        let mut tasks = Vec::new();
        for (n, event) in script.events.iter().enumerate() {
            let once = |past: &mut BTreeSet<usize>, is_due| is_due && past.insert(n);
            let due = match event.at {
                Moment::Start => first,
                Moment::Ply(least) => once(&mut place.past, ply >= least),
                Moment::Every(plies) => ply > 0 && ply.is_multiple_of(plies.max(1)),
            };
            if due && dice.happens(ply, n, event.percent) {
                let at = now + Duration::from_millis(event.after_ms);
                tasks.push((at, Task::Event { game: id.clone(), user: user.clone(), event: n }));
            }
        }
        for (at, task) in tasks {
            self.plan(at, task);
        }
        self.think(world, id, user, now);
    }

    /// If it is to move, it will have a move after a while.
    fn think(&mut self, world: &World, id: &GameId, user: &UserId, now: Duration) {
        let Some(game) = world.game(id).filter(|game| game.is_live() && game.has_move(user)) else { return };
        let (ply, dice) = (game.ply(), Dice { seed: self.seed, account: user, game: id });
        let after = Duration::from_millis(dice.time_ms(ply, self.actors[user].script.think_ms));
        self.plan(now + after, Task::Move { game: id.clone(), user: user.clone(), ply });
    }

    fn perform(&mut self, world: &mut World, task: Task, now: Duration) -> Option<Wanted> {
        match task {
            Task::Move { game, user, ply } => return self.make_move(world, &game, &user, ply, now),
            Task::Event { game, user, event } => {
                let act = self.actors[&user].script.events[event].act.clone();
                self.do_act(world, &game, &user, &act, now);
            }
            Task::Return { game, user } => {
                if let Some(place) = self.places.get_mut(&(game.clone(), user.clone())) {
                    place.away = false;
                    world.connected(&user, Some(&game), now);
                    // What was due meanwhile was missed, but the move is still owed.
                    self.think(world, &game, &user, now);
                }
            }
            Task::Reply { game, user, to, answer } => {
                if self.places.get(&(game.clone(), user.clone())).is_some_and(|place| !place.away) {
                    let answered = match to {
                        Proposal::Draw => world.draw(&user, &game, answer, now),
                        Proposal::Takeback => world.takeback(&user, &game, answer, now),
                    };
                    answered.ignore("the game may have been forgotten meanwhile");
                }
            }
            Task::AnswerChallenge { user, challenge } => {
                let answered = if self.actors[&user].script.accepts {
                    world.accept(&user, &challenge, now)
                } else {
                    world.decline(&user, &challenge, DeclineReason::Generic)
                };
                answered.ignore("it may have been withdrawn meanwhile");
            }
            Task::Challenge { user } => self.challenge(world, user, now),
            Task::Cancel { user, challenge } => {
                if world.challenge(&challenge).is_some_and(|challenge| challenge.is_open()) {
                    let cancelled = world.cancel(&user, &challenge, None, now);
                    cancelled.ignore("that it is open was asked before");
                }
            }
        }
        None
    }

    fn make_move(
        &mut self,
        world: &mut World,
        id: &GameId,
        user: &UserId,
        ply: usize,
        now: Duration,
    ) -> Option<Wanted> {
        self.places.get(&(id.clone(), user.clone())).filter(|place| place.moves())?;
        let here = |game: &&Game| game.is_live() && game.ply() == ply && game.has_move(user);
        let game = world.game(id).filter(here)?;
        match self.actors[user].script.moves {
            Moves::Level(level) => Some(Wanted { game: id.clone(), level, history: game.history.clone() }),
            Moves::Random => {
                let moves = game.history.position().legal_moves();
                let dice = Dice { seed: self.seed, account: user, game: id };
                if let Some(mv) = dice.any_move(ply, &moves) {
                    world.plays_itself(id, ply, mv, now).ignore("that it goes on was asked before");
                }
                None
            }
        }
    }

    fn do_act(&mut self, world: &mut World, id: &GameId, user: &UserId, act: &Act, now: Duration) {
        let key = (id.clone(), user.clone());
        let Some(place) = self.places.get_mut(&key).filter(|place| !place.away) else { return };
        let done: Result<(), Refusal> = match act {
            Act::Leave { ms } => {
                place.away = true;
                world.disconnected(user, Some(id), now);
                if let Some(ms) = ms {
                    let (game, user) = key;
                    self.plan(now + Duration::from_millis(*ms), Task::Return { game, user });
                }
                Ok(())
            }
            Act::NeverMove => {
                place.still |= world.game(id).is_some_and(|game| !game.has_moved(place.color));
                Ok(())
            }
            Act::Flag => {
                place.still = true;
                Ok(())
            }
            Act::Resign => world.resign(user, id, now),
            Act::Abort => world.abort(user, id, now),
            Act::OfferDraw => world.draw(user, id, Answer::Yes, now),
            Act::Takeback => world.takeback(user, id, Answer::Yes, now),
            Act::Withdraw => world.withdraw(user, id, now),
            Act::Chat { lines, text } => say(world, user, id, *lines, text),
            Act::GiveTime { seconds } => {
                world.add_time(user, id, Duration::from_secs(u64::from(*seconds)), now)
            }
            Act::Berserk => world.berserk(user, id, now),
        };
        done.ignore("what the laws refuse is simply not done");
    }

    /// Makes a challenge unless the opponent is away, has one already, or plays enough; and thinks of the next.
    fn challenge(&mut self, world: &mut World, user: UserId, now: Duration) {
        let Actor { script, asked, challenges } = &self.actors[&user];
        let (Some(outgoing), asked, made) = (script.challenges.clone(), asked.clone(), *challenges) else {
            return;
        };
        let (to, times) = (UserId::of(&outgoing.to), outgoing.times.unwrap_or(u64::MAX));
        if made >= times {
            return;
        }
        let pause = Duration::from_millis(outgoing.every_ms.max(1));
        self.plan(now + pause, Task::Challenge { user: user.clone() });
        let waits = asked.and_then(|id| world.challenge(&id));
        let waits = waits.is_some_and(|challenge| challenge.status == ChallengeStatus::Created);
        let is_there = world.account(&to).is_some_and(|account| account.is_online());
        if waits || !is_there || self.games_of(world, &user, &to) >= outgoing.at_once {
            return;
        }
        let Ok(made) = world.challenge_user(&user, &to, &wish(&outgoing), now) else { return };
        if let Some(actor) = self.actors.get_mut(&user) {
            actor.challenges += 1;
            actor.asked = Some(made.clone());
        }
        if let Some(after) = outgoing.cancel_after_ms {
            self.plan(now + Duration::from_millis(after), Task::Cancel { user, challenge: made });
        }
    }

    /// How many games two users play with each other.
    fn games_of(&self, world: &World, user: &UserId, other: &UserId) -> usize {
        let ours = self.places.keys().filter(|(_, player)| player == user);
        ours.filter(|(id, _)| world.game(id).and_then(|game| Game::color_of(game, other)).is_some()).count()
    }
}

impl Place {
    fn moves(&self) -> bool {
        !self.away && !self.still
    }
}

fn say(world: &mut World, user: &UserId, id: &GameId, lines: u32, text: &str) -> Result<(), Refusal> {
    for n in 1..=lines {
        let text = if lines > 1 { format!("{text} {n}") } else { text.to_owned() };
        for room in [Room::Player, Room::Spectator] {
            world.say(user, id, room.key(), &text)?;
        }
    }
    Ok(())
}

fn wish(outgoing: &Outgoing) -> ChallengeWish {
    let [limit, increment] =
        [outgoing.clock.0, outgoing.clock.1].map(|seconds| Duration::from_secs(u64::from(seconds)));
    ChallengeWish {
        variant: VariantKey::from(outgoing.variant),
        fen: outgoing.fen.clone(),
        rated: outgoing.rated,
        time: TimeControl::Clock { limit, increment },
        color: match outgoing.color {
            AskedColor::White => ColorWish::White,
            AskedColor::Black => ColorWish::Black,
            AskedColor::Random => ColorWish::Random,
        },
        rules: Vec::new(),
    }
}
