//! What can only be said when a run is over: whether the server and the bot agree on what happened, and whether a game
//! was lost that need not have been. Pure.

use std::time::Duration;

use super::judge::Judge;
use super::plan::BOT;
use super::run::BotSide;
use crate::bot::session::GameResult;
use crate::chess::Color;
use crate::sandbox::{FaultReport, GameSummary, Outage};

/// A server that could be reached for less than this before the flag fell cannot be blamed on the bot.
const REACHABLE: Duration = Duration::from_secs(5);

/// How long a game without a move of one side holds a place.
const UNBEGUN: Duration = Duration::from_secs(60);

/// Tells the judge what is wrong about the end of a run.
pub(super) fn judge(judge: &mut Judge, games: &[GameSummary], faults: &FaultReport, side: &BotSide) {
    match &side.ended {
        Some(Ok(summary)) if summary.left > 0 => {
            judge.breach("I4", format!("{} games were left at the end", summary.left));
        }
        Some(Ok(_)) => {}
        Some(Err(error)) => judge.breach("I7", format!("the bot gave up: {error}")),
        None => judge.breach("I4", "the bot did not end after its last game".to_owned()),
    }
    if side.tasks_left > 0 {
        judge.breach("I6", format!("{} tasks are left at the end", side.tasks_left));
    }
    for game in games.iter().filter(|game| game.live) {
        judge.breach("I4", format!("game {} goes on for ever at ply {}", game.id, game.plies));
    }
    for game in games.iter().filter(|game| !game.live) {
        if let Some(what) = needless_loss(game, &faults.outages) {
            judge.breach("I3", what);
        }
        if let Some(what) = wrong_result(game, side) {
            judge.breach("I7", what);
        }
    }
}

/// Whether the bot does not know how a game ended.
pub(super) fn is_untold(game: &GameSummary, side: &BotSide) -> bool {
    side.reports.get(&game.id).is_none_or(|report| report.result == GameResult::Unknown)
}

/// Whether a game has waited so long for the opponent's first move that it has lost its place: the bot may begin another
/// one instead.
pub(super) fn is_waited_for(game: &GameSummary, now: Duration) -> bool {
    game.live
        && game.plies < 2
        && game.turn != our_color(game)
        && now.saturating_sub(game.turn_since) > UNBEGUN
}

pub(crate) fn our_color(game: &GameSummary) -> Color {
    if game.white == BOT { Color::White } else { Color::Black }
}

/// Whether an outage cut the bot off in this game.
pub(crate) fn concerns(outage: &Outage, game: &GameSummary) -> bool {
    outage.account.as_deref().is_none_or(|account| account == BOT)
        && outage.game.as_deref().is_none_or(|id| id == game.id)
}

/// A game lost on time although the server could be reached for long enough.
pub(crate) fn needless_loss(game: &GameSummary, outages: &[Outage]) -> Option<String> {
    let lost = game.status == "outoftime" && game.winner == Some(!our_color(game));
    let ended = game.ended.filter(|_| lost)?;
    let had = ended.saturating_sub(game.turn_since);
    let hits = outages.iter().filter(|outage| concerns(outage, game));
    let cut: Vec<_> = hits.map(|outage| (outage.from, outage.to)).collect();
    let reached = reachable(game.turn_since, ended, cut);
    let enough = REACHABLE.max(had / 10);
    (reached >= enough).then(|| {
        format!(
            "game {} was lost on time at ply {}: its turn took {} ms, and the server could be reached for {} ms",
            game.id,
            game.plies,
            had.as_millis(),
            reached.as_millis()
        )
    })
}

/// How much of a time is outside of all outages.
fn reachable(from: Duration, to: Duration, mut outages: Vec<(Duration, Duration)>) -> Duration {
    outages.sort_unstable();
    let (mut free, mut at) = (Duration::ZERO, from);
    for (begin, end) in outages {
        let (begin, end) = (begin.clamp(from, to), end.clamp(from, to));
        free += begin.saturating_sub(at);
        at = at.max(end);
    }
    free + to.saturating_sub(at)
}

/// A result that the bot tells differently than the server.
fn wrong_result(game: &GameSummary, side: &BotSide) -> Option<String> {
    let report = side.reports.get(&game.id)?;
    let us = our_color(game);
    let right = match (report.result, game.winner) {
        (GameResult::Unknown, _) => true,
        (GameResult::Win, winner) => winner == Some(us),
        (GameResult::Loss, winner) => winner == Some(!us),
        (GameResult::Draw, winner) => winner.is_none() && !matches!(game.status, "aborted" | "noStart"),
        (GameResult::Aborted, _) => matches!(game.status, "aborted" | "noStart"),
    };
    (!right).then(|| {
        format!("game {} ended with {} ({:?}), the bot says {report:?}", game.id, game.status, game.winner)
    })
}
