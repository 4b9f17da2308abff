//! Games that began wrongly: from a wrong initial position, or with the colours exchanged. The laws say which go on
//! and which are void and played again.

use std::time::Duration;

use super::laws::{Laws, ReversedColors, WrongStart};
use super::wish::Start;
use super::{Game, GameId, GamePlan, Refusal, Seat, Status, TimeControl, World};
use crate::chess::{Color, Variant};

/// What is found to be wrong with the beginning of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WrongBeginning {
    /// It should have begun from here; from the usual start if not given.
    InitialPosition(Option<String>),
    /// Each side has the other's pieces.
    Colors,
}

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    /// Plies played.
    plies: usize,
    /// What both sides had together, and what of it they have used.
    allotted: Duration,
    used: Duration,
    is_fast: bool,
}

impl Laws {
    /// Whether a game from a wrong initial position is void.
    pub(super) fn voids_wrong_start(&self, progress: Progress) -> bool {
        match self.wrong_start {
            WrongStart::Void => true,
            WrongStart::VoidOrFastAfter { moves } => !progress.is_fast || progress.plies < moves * 2,
        }
    }

    /// Whether a game with the colours exchanged begins again.
    pub(super) fn restarts_reversed(&self, progress: Progress) -> bool {
        match self.reversed_colors {
            ReversedColors::Stand => false,
            ReversedColors::RestartBefore { moves } => progress.plies < moves * 2,
            ReversedColors::RestartWithin { one_in } => {
                progress.used.saturating_mul(one_in) <= progress.allotted
            }
        }
    }
}

impl Game {
    fn progress(&self, now: Duration) -> Progress {
        let allotted = match self.clock.control() {
            TimeControl::Clock { limit, .. } => limit.saturating_mul(2),
            TimeControl::Correspondence { .. } | TimeControl::Unlimited => Duration::ZERO,
        };
        let left = Color::ALL.map(|color| self.clock.left(color, now));
        let used = left.into_iter().fold(allotted, Duration::saturating_sub);
        Progress { plies: self.ply(), allotted, used, is_fast: self.is_fast() }
    }
}

impl World {
    /// The arbiter is told that a game began wrongly. If it is void it is aborted, and the same players begin
    /// another, whose id this returns.
    pub(crate) fn report_beginning(
        &mut self,
        id: &GameId,
        wrong: &WrongBeginning,
        now: Duration,
    ) -> Result<Option<GameId>, Refusal> {
        let game = self.games.get(id).ok_or(Refusal::NoSuchGame)?;
        game.ask_arbiter()?;
        let (laws, progress) = (self.options.laws, game.progress(now));
        let mut seats = game.seats.clone();
        let as_it_was = Start { variant: game.variant.into(), fen: game.initial_fen.clone() };
        let (is_void, start) = match wrong {
            WrongBeginning::InitialPosition(fen) => {
                let kind = if game.variant.is_orthodox() { Variant::Standard } else { game.variant };
                let right = Start::settle(kind.into(), fen.as_deref(), &mut self.random);
                let right = right.map_err(Refusal::Form)?;
                let position = right.variant.played().start(right.fen.as_deref());
                if position.is_ok_and(|position| position == *game.history.start()) {
                    return Err(Refusal::NotAllowed("The game began from that position"));
                }
                (laws.voids_wrong_start(progress), right)
            }
            WrongBeginning::Colors => {
                seats.swap(0, 1);
                (laws.restarts_reversed(progress), as_it_was)
            }
        };
        let plan = GamePlan {
            id: None,
            seats: seats.map(without_result),
            start,
            time: game.clock.control(),
            rated: game.rated && matches!(wrong, WrongBeginning::Colors),
            source: game.source,
            rules: game.rules.clone(),
        };
        self.on_game(id, |game| {
            game.note(None, "the game began wrongly");
            if is_void {
                game.end(Status::Aborted, None, now);
            }
            Ok(())
        })?;
        if is_void { self.begin(plan, now).map(Some) } else { Ok(None) }
    }
}

/// A seat as at the start of a game.
fn without_result(seat: Seat) -> Seat {
    match seat {
        Seat::User { id, name, title, rating, .. } => {
            Seat::User { id, name, title, rating, rating_diff: None }
        }
        ai @ Seat::Ai { .. } => ai,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    /// A game with an hour for each side, or five minutes: so many plies, so many minutes used by both together.
    fn progress(plies: usize, used: u32, is_fast: bool) -> Progress {
        let allotted = MINUTE * if is_fast { 10 } else { 120 };
        Progress { plies, allotted, used: MINUTE * used, is_fast }
    }

    /// FIDE 7.2.1 and A.5.1 of 2023; all others void such a game whenever it is found.
    #[test]
    fn a_wrong_start_is_void() {
        for (laws, plies, is_fast, void) in [
            (Laws::FIDE_2023, 60, false, true),
            (Laws::FIDE_2023, 19, true, true),
            (Laws::FIDE_2023, 20, true, false),
            (Laws::FIDE_2000, 60, true, true),
            (Laws::FIDE_1990, 60, false, true),
            (Laws::AMATEUR, 60, true, true),
        ] {
            assert_eq!(laws.voids_wrong_start(progress(plies, 1, is_fast)), void, "{} {plies}", laws.name);
        }
    }

    /// FIDE 7.3 of 2023: fewer than ten moves each. 8.6 of 1990: a quarter of both sides' time. 7.2 of 2000: it stands.
    #[test]
    fn exchanged_colours_stand_after_a_while() {
        for (laws, plies, used, again) in [
            (Laws::FIDE_2023, 19, 100, true),
            (Laws::FIDE_2023, 20, 0, false),
            (Laws::FIDE_2000, 2, 0, false),
            (Laws::FIDE_1990, 60, 30, true),
            (Laws::FIDE_1990, 6, 31, false),
        ] {
            let restarts = laws.restarts_reversed(progress(plies, used, false));
            assert_eq!(restarts, again, "{} {plies} {used}", laws.name);
        }
    }
}
