//! Faults of the world: which are due, and what they change.

use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use super::Shared;
use crate::chess::Color;
use crate::sandbox::faults::{Fault, Level, Occasion, Rule};
use crate::sandbox::world::{GameId, Losses, UserId, World};

/// What outlasts the moment in which it begins.
#[derive(Debug, Default)]
pub(super) struct Upheaval {
    /// When the server is there again, and at what price.
    restart: Option<(Duration, Losses)>,
    /// Lists are as they were then, until a later time.
    stale: Option<(Duration, Duration)>,
}

impl Shared {
    /// The time as of which lists of games are shown, if it is not now.
    pub(super) fn lists_as_of(&self, now: Duration) -> Option<Duration> {
        self.upheaval().stale.filter(|(_, until)| now < *until).map(|(at, _)| at)
    }

    fn upheaval(&self) -> MutexGuard<'_, Upheaval> {
        // Nothing panics while it is held, so what it guards is whole.
        self.upheaval.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the fault of the world happen whose rule waits for this request or line, if there is one. Whether every
    /// connection is broken by it.
    pub(super) fn upset_at(&self, occasion: &Occasion) -> bool {
        let world = |rule: &Rule| rule.fault.level() == Level::World && rule.when.route.is_some();
        let Some(fired) = self.faults.fire(occasion, world) else { return false };
        let happened = self.upset(&fired.fault, occasion);
        if !happened {
            self.faults.undo(&fired);
        }
        happened && matches!(fired.fault, Fault::Restart { .. })
    }

    /// Makes a fault of the world happen. Whether there was anything that it could change: if not, it did not happen.
    fn upset(&self, fault: &Fault, occasion: &Occasion) -> bool {
        let user = occasion.account.as_deref().map(UserId::of);
        let game = occasion.game.as_deref().and_then(GameId::parse);
        match fault {
            Fault::ClockJump { white_ms, black_ms } => self.act(|world, now| {
                let game = game.or_else(|| newest_game(world, user.as_ref()));
                game.is_some_and(|game| world.jump_clocks(&game, [*white_ms, *black_ms], now))
            }),
            Fault::Restart { down_ms, lose_plies } => {
                let losses = Losses { plies: *lose_plies, ..Losses::default() };
                self.go_down(Duration::from_millis(*down_ms), losses)
            }
            Fault::Twin => user.is_some_and(|user| {
                let open = self.is_read(&user, game.as_ref());
                if open {
                    self.act(|world, _| world.twin(user, game));
                    self.faults.cut_off(
                        occasion.account.as_deref(),
                        occasion.game.as_deref(),
                        Duration::ZERO,
                    );
                }
                open
            }),
            Fault::StaleChallenge => {
                user.is_some_and(|user| self.act(|world, _| world.repeat_challenge(&user)))
            }
            Fault::StaleStart => user.is_some_and(|user| self.act(|world, _| world.repeat_start(&user))),
            Fault::StaleList { ms } => {
                let now = self.faults.now();
                self.upheaval().stale = Some((now, now.saturating_add(Duration::from_millis(*ms))));
                true
            }
            // The others are no faults of the world.
            _ => false,
        }
    }

    /// Every connection breaks, and for so long there are no new ones. Whether the server was up.
    fn go_down(&self, time: Duration, losses: Losses) -> bool {
        let went = self.act(|world, now| world.go_down(now));
        if went {
            self.faults.cut_off(None, None, time);
            self.upheaval().restart = Some((self.faults.now().saturating_add(time), losses));
            self.connections.refuse(time);
            self.connections.reset_all();
        }
        went
    }

    /// The server comes again when its time has come.
    pub(super) fn come_up(&self) {
        let now = self.faults.now();
        let due = self.upheaval().restart.take_if(|(at, _)| *at <= now);
        if let Some((_, losses)) = due {
            self.act(|world, now| world.come_up(losses, now));
        }
    }
}

fn newest_game(world: &World, user: Option<&UserId>) -> Option<GameId> {
    let mut live = world.games().filter(|game| game.is_live());
    let game = live.find(|game| user.is_none_or(|user| game.color_of(user).is_some()))?;
    Some(game.id.clone())
}

/// Makes the faults of the world happen that wait for no request, and ends those whose time is over. Called again and
/// again.
pub(super) fn make_due(shared: &Arc<Shared>) {
    shared.come_up();
    if !shared.faults.is_active() {
        return;
    }
    for occasion in occasions(shared) {
        let fired = shared.faults.fire(&occasion, |rule| {
            let when = &rule.when;
            rule.fault.level() == Level::World
                && when.route.is_none()
                && (when.game.is_some() || when.ply.is_some()) == occasion.game.is_some()
                && (when.account.is_some() == occasion.account.is_some() || occasion.game.is_some())
        });
        if let Some(fired) = fired
            && !shared.upset(&fired.fault, &occasion)
        {
            shared.faults.undo(&fired);
        }
    }
}

/// The server as a whole, for rules without a condition; each account, for those that name one; and for those that name a
/// game or a ply each running game as each of its players sees it.
fn occasions(shared: &Shared) -> Vec<Occasion> {
    shared.act(|world, _| {
        let mut all = vec![Occasion::nobodys()];
        all.extend(
            world
                .accounts()
                .map(|account| Occasion { account: Some(account.id.to_string()), ..Occasion::nobodys() }),
        );
        for game in world.games().filter(|game| game.is_live()) {
            let players = Color::ALL.into_iter().filter_map(|color| game.seat(color).user());
            all.extend(players.map(|user| Occasion {
                account: Some(user.to_string()),
                game: Some(game.id.to_string()),
                ply: Some(game.ply()),
                ..Occasion::nobodys()
            }));
        }
        all
    })
}
