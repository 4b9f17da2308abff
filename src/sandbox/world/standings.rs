//! The table of a sandbox: who has how many of the points 1, ½ and 0, and which level of the 30.

use std::cmp::Reverse;

use super::{Account, Game, Seat, UserId, World};
use crate::chess::Color;
use crate::sandbox::points::Outcome;

/// How a game ended for one side; both may have lost. Not asked of games that were aborted.
pub(super) fn outcome(game: &Game, color: Color) -> Outcome {
    match game.winner {
        Some(winner) if winner == color => Outcome::Won,
        Some(_) => Outcome::Lost,
        None if game.sheet.both_lost => Outcome::Lost,
        None => Outcome::Drawn,
    }
}

impl World {
    /// All accounts, the best first: by score, then by points, then by name.
    pub(crate) fn standings(&self) -> Vec<&Account> {
        let mut table: Vec<&Account> = self.accounts.values().collect();
        table.sort_by_key(|account| {
            (Reverse(account.score.half_points()), Reverse(account.points), account.id.clone())
        });
        table
    }

    /// Moves points of the 30-level system, if two accounts played. A game that both lost moves none: the system
    /// knows no such result.
    pub(super) fn move_points(&mut self, game: &Game) {
        if game.sheet.both_lost {
            return;
        }
        let [Seat::User { id: white, .. }, Seat::User { id: black, .. }] = &game.seats else { return };
        let points_of = |user: &UserId| self.accounts.get(user).map(|account| account.points);
        let (Some(own), Some(other)) = (points_of(white), points_of(black)) else { return };
        let gain = own.gain(other, outcome(game, Color::White));
        for (user, points) in [(white, own.plus(gain)), (black, other.minus(gain))] {
            if let Some(account) = self.accounts.get_mut(user) {
                account.points = points;
            }
        }
    }
}
