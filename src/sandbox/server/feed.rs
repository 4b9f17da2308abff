//! The one place through which every line of a stream leaves. If a rule says so, it comes late, changed, in pieces or not
//! at all.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use tracing::debug;

use super::Shared;
use super::queue::LineQueue;
use super::spoil::Outlet;
use super::streams::Topic;
use crate::sandbox::faults::{Desk, Fault, Level, Occasion, Route, Rule, Step, edited, is_blank};
use crate::sandbox::world::GameId;

/// The chunks of one stream.
pub(super) struct Feed {
    shared: Arc<Shared>,
    queue: Arc<LineQueue>,
    keep_alive: Interval,
    /// What the stream is to the rules.
    occasion: Occasion,
    /// What the line is that is being sent.
    current: Occasion,
    /// Since when the desk holds a line.
    holding: Option<Duration>,
    outlet: Outlet,
    desk: Desk,
    steps: VecDeque<Step>,
    /// Lines wait until then.
    late: Option<Instant>,
    ended: bool,
}

impl Feed {
    /// The lines of `queue`, and a blank one every `period`.
    pub(super) fn new(
        shared: &Arc<Shared>,
        queue: Arc<LineQueue>,
        topic: &Topic,
        period: Duration,
        outlet: Outlet,
    ) -> Feed {
        let mut keep_alive = interval_at(Instant::now() + period, period);
        keep_alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Feed {
            shared: Arc::clone(shared),
            queue,
            keep_alive,
            current: occasion(topic),
            occasion: occasion(topic),
            holding: None,
            outlet,
            desk: Desk::default(),
            steps: VecDeque::new(),
            late: None,
            ended: false,
        }
    }

    /// The next chunk, or none at the end. An error breaks the connection.
    pub(super) async fn next(&mut self) -> Option<io::Result<Bytes>> {
        loop {
            if let Some(until) = self.late {
                // Both branches are cancel-safe: a time, and a tick that stays in its interval.
                tokio::select! {
                    biased;
                    () = self.shared.connections.pause(until.saturating_duration_since(Instant::now())) => {
                        self.late = None;
                    }
                    _ = self.keep_alive.tick() => return Some(Ok(BLANK)),
                }
            }
            if let Some(step) = self.steps.pop_front() {
                match self.take(step).await {
                    Done::Nothing => continue,
                    Done::Chunk(chunk) => return Some(chunk),
                    Done::End => return None,
                }
            }
            if self.ended {
                return None;
            }
            // Both branches are cancel-safe: a line stays in its queue, a tick in its interval.
            let line = tokio::select! {
                biased;
                line = self.queue.next() => line,
                _ = self.keep_alive.tick() => Some(BLANK),
            };
            match line {
                Some(line) if self.desk.is_clear() && !self.shared.faults.is_active() => {
                    return Some(Ok(line));
                }
                Some(line) => self.judge(line),
                None => {
                    self.ended = true;
                    self.steps.extend(self.desk.finish());
                    self.let_go();
                }
            }
        }
    }

    async fn take(&mut self, step: Step) -> Done {
        let connections = Arc::clone(&self.shared.connections);
        match step {
            Step::Send(bytes) => return Done::Chunk(Ok(bytes)),
            Step::Leave => tokio::task::yield_now().await,
            Step::Pause(time) => {
                self.cut_off(time);
                connections.pause(time).await;
            }
            Step::Wait(time) => {
                self.cut_off(time);
                self.late = Some(Instant::now() + time);
            }
            Step::Stall { capacity, time } => {
                self.cut_off(time);
                self.queue.narrow(capacity);
                connections.pause(time).await;
                if self.queue.widen() {
                    self.steps.clear();
                }
            }
            Step::End => {
                self.cut_off(Duration::ZERO);
                return Done::End;
            }
            Step::Break => {
                self.cut_off(Duration::ZERO);
                if let Some(connection) = self.outlet.0.get() {
                    connection.reset();
                }
                return Done::Chunk(Err(io::ErrorKind::ConnectionReset.into()));
            }
        }
        Done::Nothing
    }

    /// Finds what the rules make of a line.
    fn judge(&mut self, line: Bytes) {
        let json: Value = serde_json::from_slice(&line).unwrap_or_default();
        let occasion = self.of_line(&json);
        self.shared.upset_at(&occasion);
        let fire = |may: &dyn Fn(&Rule) -> bool| {
            let fired = self.shared.faults.fire(&occasion, may)?;
            debug!(rule = fired.id, kind = fired.fault.kind(), "a fault spoils a line");
            Some(fired.fault)
        };
        if let Some(fault) = fire(&|rule| rule.fault.level() == Level::Connection) {
            self.trouble(&fault, &occasion);
            // The line is in what was written last or it is lost, as it happens.
            self.steps.push_back(Step::Send(line));
            return;
        }
        let blank = is_blank(&line);
        let of_line = fire(&|rule| {
            let changes = match &rule.fault {
                Fault::Field { path, value } => edited(&json, path, value.as_ref()).is_some(),
                _ => true,
            };
            rule.fault.level() == Level::Line && !blank && changes
        });
        let of_stream = match of_line {
            Some(Fault::Drop | Fault::Reorder) => None,
            _ => fire(&|rule| rule.fault.level() == Level::Stream),
        };
        self.note(&json, &occasion, of_line.as_ref());
        self.steps.extend(self.desk.line(line, of_line.as_ref(), of_stream.as_ref()));
        if !self.desk.holds_line() {
            self.let_go();
        } else if self.holding.is_none() {
            self.holding = Some(self.shared.faults.now());
        }
        self.current = occasion;
    }

    /// The desk holds no line any more.
    fn let_go(&mut self) {
        if let Some(from) = self.holding.take() {
            let (faults, Occasion { account, game, .. }) = (&self.shared.faults, &self.occasion);
            faults.was_cut_off(account.as_deref(), game.as_deref(), from, faults.now());
        }
    }

    /// The connection under the stream gets into trouble.
    fn trouble(&self, fault: &Fault, occasion: &Occasion) {
        let Some(connection) = self.outlet.0.get() else { return };
        if let Fault::Reset { .. } = fault {
            self.cut_off(Duration::ZERO);
            connection.reset();
        } else {
            self.shared.silence(connection, fault, occasion);
        }
    }

    /// Notes whether the reader lacks something now, or has all.
    fn note(&self, json: &Value, occasion: &Occasion, of_line: Option<&Fault>) {
        let (account, game) = (occasion.account.as_deref(), occasion.game.as_deref());
        let kind = occasion.line.as_deref().unwrap_or_default();
        let faults = &self.shared.faults;
        match of_line {
            // What others depend on: with a state lost or spoilt the reader may not know that it is to move.
            Some(Fault::Drop | Fault::Field { .. })
                if ["gameFull", "gameState", "gameStart", "challenge"].contains(&kind) =>
            {
                faults.hold(account, game);
            }
            _ if ["gameFull", "gameState"].contains(&kind) || json["type"] == "challenge" => {
                faults.release(account, game);
            }
            _ => {}
        }
    }

    fn cut_off(&self, time: Duration) {
        let Occasion { account, game, .. } = &self.current;
        if account.is_some() {
            self.shared.faults.cut_off(account.as_deref(), game.as_deref(), time);
        }
    }

    /// What a line is to the rules.
    fn of_line(&self, json: &Value) -> Occasion {
        let line = json["type"].as_str().map(str::to_owned);
        let ids = [&json["game"]["gameId"], &json["game"]["id"], &json["challenge"]["id"]];
        let game = self.occasion.game.clone();
        let game = game.or_else(|| ids.into_iter().find_map(Value::as_str).map(str::to_owned));
        // A state tells its ply itself: the game may have gone on.
        let moves = [&json["moves"], &json["state"]["moves"]].into_iter().find_map(Value::as_str);
        let ply = match moves {
            Some(moves) => Some(moves.split_whitespace().count()),
            None => game
                .as_deref()
                .and_then(GameId::parse)
                .and_then(|id| self.shared.act(|world, _| world.game(&id).map(|game| game.ply()))),
        };
        Occasion { line, game, ply, ..self.occasion.clone() }
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.let_go();
    }
}

const BLANK: Bytes = Bytes::from_static(b"\n");

enum Done {
    Nothing,
    Chunk(io::Result<Bytes>),
    End,
}

/// What a stream is to the rules.
fn occasion(topic: &Topic) -> Occasion {
    let (route, account, game) = match topic {
        Topic::Events { user, .. } => (Route::Events, Some(user), None),
        Topic::Game { user, game, .. } => (Route::Game, Some(user), Some(game)),
        Topic::Challenge { challenge } => (Route::Challenge, None, Some(challenge)),
    };
    Occasion {
        route,
        account: account.map(ToString::to_string),
        game: game.map(ToString::to_string),
        ..Occasion::nobodys()
    }
}
