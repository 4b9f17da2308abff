//! A round of a Swiss tournament. The whole sandbox is the tournament: the table is its table, and every game between
//! two accounts counts as played.

use std::time::Duration;

use super::{
    Account, Game, GameId, GamePlan, GameSource, Refusal, Start, Status, TimeControl, UserId, World,
};
use crate::chess::{Color, Variant};
use crate::sandbox::swiss::{Entrant, pair};

impl World {
    /// Everybody who is connected.
    pub(crate) fn online(&self) -> Vec<UserId> {
        self.accounts().filter(|account| account.is_online()).map(|account| account.id.clone()).collect()
    }

    /// Begins the next round between these players. Its games, and who rests for a point.
    pub(crate) fn begin_round(
        &mut self,
        players: &[UserId],
        time: TimeControl,
        now: Duration,
    ) -> Result<(Vec<GameId>, Option<UserId>), Refusal> {
        if let Some(unknown) = players.iter().find(|player| self.account(player).is_none()) {
            return Err(Refusal::NoSuchUser(unknown.clone()));
        }
        if self.live_games().any(|game| players.iter().any(|player| game.color_of(player).is_some())) {
            return Err(Refusal::NotAllowed("A game of these players still goes on"));
        }
        let table: Vec<UserId> = self
            .standings()
            .iter()
            .map(|account| account.id.clone())
            .filter(|id| players.contains(id))
            .collect();
        let entrants: Vec<Entrant> = table.iter().filter_map(|id| self.entrant(id, &table)).collect();
        let round =
            pair(&entrants).ok_or(Refusal::NotAllowed("No round is possible without a game again"))?;
        let rests = round.rests.map(|place| table[place].clone());
        if let Some(account) = rests.as_ref().and_then(|id| self.accounts.get_mut(id)) {
            account.score.rests = account.score.rests.saturating_add(1);
        }
        let mut games = Vec::new();
        for pair in round.pairs {
            let [white, black] = pair.map(|place| &table[place]);
            let seats = [self.seat_of(white)?, self.seat_of(black)?];
            let start = Start { variant: Variant::Standard.into(), fen: None };
            let (source, rules) = (GameSource::Friend, Vec::new());
            games.push(
                self.begin(GamePlan { id: None, seats, start, time, rated: false, source, rules }, now)?,
            );
        }
        Ok((games, rests))
    }

    /// What the pairing must know of a player.
    fn entrant(&self, id: &UserId, table: &[UserId]) -> Option<Entrant> {
        let Account { score, .. } = self.account(id)?;
        let mut entrant =
            Entrant { half_points: score.half_points(), has_rested: score.rests > 0, ..Entrant::default() };
        let played = self.order.iter().filter_map(|game| self.games.get(game));
        for (game, color) in
            played.filter(|game| counts(game)).filter_map(|game| Some((game, game.color_of(id)?)))
        {
            entrant.colors.push(color);
            let opponent = game.seat(!color).user();
            entrant.opponents.extend(table.iter().position(|other| opponent == Some(other)));
        }
        Some(entrant)
    }
}

/// Whether a game was played between two accounts.
fn counts(game: &Game) -> bool {
    game.status != Status::Aborted && Color::ALL.into_iter().all(|color| game.seat(color).user().is_some())
}
