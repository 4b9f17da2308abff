//! Adjourned games: the sealed move, and what becomes of the game when play is to be taken up again.
//!
//! Sources: the FIDE Laws of about 1990, 10.5 and 10.15 to 10.17; the Laws of 2023, Guidelines I.

use std::time::Duration;

use super::{Game, Refusal, Status};
use crate::chess::{AnyPosition, Color, Move, UciMove, san};

/// The longest text in an envelope that is read.
const MAX_CHARS: usize = 32;

/// A move in an envelope, as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sealed {
    pub(crate) by: Color,
    pub(crate) text: String,
}

/// Who has not come an hour after play was to be taken up again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    /// Everybody is there.
    Nobody,
    /// The one who sealed. The opponent waited for the reply to count, and may have lost on time meanwhile.
    Sealer {
        /// Whether that has happened.
        opponent_flagged: bool,
    },
    /// The one who has to answer the sealed move.
    Opponent,
    /// Both.
    Both,
}

/// What the envelope and the empty chairs make of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resumption {
    /// The sealed move is played, and the game goes on from there.
    Play(Move),
    /// The sealed move is played and ends the game, by mate or as a draw: whoever is away, that is how it ended.
    End(Move),
    /// What is in the envelope is no move: this side loses (10.16).
    NoMove(Color),
    /// This side has run out of time.
    Flagged(Color),
    /// This side has not come (10.15).
    Late(Color),
    /// Neither has come (10.17).
    BothLate,
}

/// The verdict. `is_dead` tells dead positions by the laws of the game.
pub(crate) fn resume(
    position: &AnyPosition,
    sealed: &Sealed,
    absence: Absence,
    is_dead: impl Fn(&AnyPosition) -> bool,
) -> Resumption {
    match absence {
        // The envelope stays closed.
        Absence::Both => return Resumption::BothLate,
        Absence::Opponent => return Resumption::Late(!sealed.by),
        Absence::Nobody | Absence::Sealer { .. } => {}
    }
    let Some(mv) = read(position, &sealed.text) else {
        return Resumption::NoMove(sealed.by);
    };
    let after = position.after(mv);
    if !after.has_legal_move() || is_dead(&after) {
        return Resumption::End(mv);
    }
    match absence {
        Absence::Sealer { opponent_flagged: true } => Resumption::Flagged(!sealed.by),
        Absence::Sealer { opponent_flagged: false } => Resumption::Late(sealed.by),
        Absence::Nobody | Absence::Opponent | Absence::Both => Resumption::Play(mv),
    }
}

/// The one legal move that a text means, as UCI or in short notation; none if it is ambiguous, illegal or no move.
fn read(position: &AnyPosition, text: &str) -> Option<Move> {
    match text.parse::<UciMove>() {
        Ok(uci) => uci.to_move(position).ok(),
        Err(_) => san::parse(position, text).ok(),
    }
}

impl Game {
    /// Whether the game is adjourned.
    pub(crate) fn is_adjourned(&self) -> bool {
        self.sheet.sealed.is_some()
    }

    /// `color` seals its move: the game is adjourned and the clocks stand.
    pub(super) fn adjourn(&mut self, color: Color, text: &str, now: Duration) -> Result<(), Refusal> {
        self.ask_arbiter()?;
        if !self.options.laws.adjournments {
            return Err(Refusal::NotAllowed("These laws know no adjournment"));
        }
        if !self.has_the_move(color, now) {
            return Err(Refusal::NotYourTurn);
        }
        if text.is_empty() || text.chars().count() > MAX_CHARS {
            return Err(Refusal::NotAllowed("The sealed move is missing or too long"));
        }
        self.sheet.sealed = Some(Sealed { by: color, text: text.to_owned() });
        self.note(Some(color), "the game was adjourned");
        self.clock.stop(now);
        self.tell_state(now);
        Ok(())
    }

    /// The game is taken up again: the envelope is opened, if anybody is there to see it. `set_up` is the position
    /// that the players have on their board, as a FEN: where it is another, that of the adjournment is restored.
    pub(super) fn resume(
        &mut self,
        absence: Absence,
        set_up: Option<&str>,
        now: Duration,
    ) -> Result<(), Refusal> {
        self.ask_arbiter()?;
        let set_up = set_up.map(|fen| AnyPosition::start(self.variant, Some(fen))).transpose();
        let set_up = set_up.map_err(|_| Refusal::NotAllowed("The position that was set up is not legal"))?;
        let Some(sealed) = self.sheet.sealed.take() else {
            return Err(Refusal::NotAllowed("The game is not adjourned"));
        };
        if set_up.is_some_and(|board| board != *self.history.position()) {
            self.note(None, "the board was set up wrongly: the adjourned position was restored");
        }
        self.note(None, "play was to be taken up again");
        let laws = self.options.laws;
        let verdict = resume(self.history.position(), &sealed, absence, |position| laws.is_dead(position));
        match verdict {
            Resumption::Play(mv) | Resumption::End(mv) => self.play(mv, now),
            Resumption::NoMove(color) => self.lose(color, Status::UnknownFinish, now),
            Resumption::Flagged(color) => self.lose(color, Status::OutOfTime, now),
            Resumption::Late(color) => self.end(Status::NoStart, Some(!color), now),
            Resumption::BothLate => self.lose_both(Status::NoStart, now),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Variant;

    fn verdict(fen: &str, text: &str, absence: Absence) -> String {
        let position = AnyPosition::start(Variant::Standard, Some(fen)).unwrap();
        let sealed = Sealed { by: position.turn(), text: text.to_owned() };
        match resume(&position, &sealed, absence, AnyPosition::is_insufficient_material) {
            Resumption::Play(_) => "play".to_owned(),
            Resumption::End(mv) if position.after(mv).is_check() => "mate".to_owned(),
            Resumption::End(_) => "draw".to_owned(),
            Resumption::NoMove(color) => format!("no move of {color:?}"),
            Resumption::Flagged(color) => format!("{color:?} flagged"),
            Resumption::Late(color) => format!("{color:?} late"),
            Resumption::BothLate => "both late".to_owned(),
        }
    }

    const MATE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    const STALEMATE: &str = "7k/5K2/8/6Q1/8/8/8/8 w - - 0 1";
    const LAST_PAWN: &str = "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1";
    const TWO_ROOKS: &str = "R6R/8/8/3k4/8/8/8/4K3 w - - 0 1";

    /// The Laws of about 1990: 10.15 (1) to (3), 10.16, 10.17.
    #[test]
    fn an_envelope_is_opened_or_not() {
        use Absence::{Both, Nobody, Opponent};
        let away = Absence::Sealer { opponent_flagged: false };
        let flagged = Absence::Sealer { opponent_flagged: true };
        for (fen, text, absence, expected) in [
            (MATE, "a1a7", Nobody, "play"),
            (MATE, "Ra8", Nobody, "mate"),
            (MATE, "Ra8", away, "mate"),
            (MATE, "Ra8", flagged, "mate"),
            (MATE, "Ra8", Opponent, "Black late"),
            (MATE, "Ra8", Both, "both late"),
            (MATE, "Ra7", away, "White late"),
            (MATE, "Ra7", flagged, "Black flagged"),
            (STALEMATE, "Qg6", away, "draw"),
            (LAST_PAWN, "Kxe2", away, "draw"),
            (TWO_ROOKS, "Rd8", Nobody, "no move of White"),
            (TWO_ROOKS, "Rad8", Nobody, "play"),
            (MATE, "Rb2", Nobody, "no move of White"),
            (MATE, "a1b2", away, "no move of White"),
            (MATE, "castles", Nobody, "no move of White"),
        ] {
            assert_eq!(verdict(fen, text, absence), expected, "{fen} {text} {absence:?}");
        }
    }
}
