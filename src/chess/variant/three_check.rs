//! Three-check: standard chess in which the third check wins. A double check counts once.

use crate::chess::position::Setup;
use crate::chess::rules::{Checks, Extra};
use crate::chess::{Color, GameEnd, Position, PositionError, Role, Rules, Variant, zobrist};

/// The rules of three-check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreeCheck;

const CHECKS_TO_WIN: u8 = 3;

impl Rules for ThreeCheck {
    type Extra = Checks;

    const VARIANT: Variant = Variant::ThreeCheck;

    fn turned(position: &mut Position<Self>) {
        if position.is_check() {
            let before = position.extra.key();
            let given = &mut position.extra.given[(!position.turn).index()];
            *given = (*given + 1).min(CHECKS_TO_WIN);
            position.key ^= before ^ position.extra.key();
        }
    }

    fn variant_end(position: &Position<Self>) -> Option<GameEnd> {
        let winner = Color::ALL.into_iter().find(|color| position.extra.given(*color) >= CHECKS_TO_WIN)?;
        Some(GameEnd::VariantEnd { winner: Some(winner) })
    }

    /// Anything but a bare king can give check.
    fn is_insufficient_material(position: &Position<Self>) -> bool {
        position.by_role(Role::King) == position.occupied()
    }

    fn lacks_winning_material(position: &Position<Self>, color: Color) -> bool {
        position.pieces(color, Role::King) == position.colored(color)
    }
}

impl Extra for Checks {
    fn from_setup(setup: &Setup) -> Result<Checks, PositionError> {
        let given = setup.checks.unwrap_or_default();
        if let Some(&count) = given.iter().find(|&&count| count > CHECKS_TO_WIN) {
            return Err(PositionError::TooManyChecks { count });
        }
        Ok(Checks { given })
    }

    fn key(&self) -> u64 {
        Color::ALL.into_iter().fold(0, |key, color| key ^ zobrist::checks(color, self.given(color)))
    }

    fn checks(&self) -> Option<Checks> {
        Some(*self)
    }
}
