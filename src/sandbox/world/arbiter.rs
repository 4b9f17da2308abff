//! The arbiter of a game: claims, illegal moves, penalties, and games that are lost without a move. What the laws say
//! is read from the table in `laws`; adjournments and games that begin again are in modules of their own.

use std::time::Duration;

use super::adjournment::Sealed;
use super::laws::{Claims, IllegalMove, Lateness};
use super::{Game, Refusal, Seat, Status, TimeControl};
use crate::chess::{Color, DrawClaim, Move};

/// Moves of each side without capture and pawn move that may be claimed, where nothing else was announced.
const FIFTY: u16 = 50;
/// What may be announced instead: at most twice that, as the lists of such endings had it.
const MOST_ANNOUNCED: u16 = 100;
/// FIDE A.1 and B.1: with less than an hour for each player, counting sixty increments, a game is rapid or blitz.
const SLOW: Duration = Duration::from_secs(3600);
/// Incidents kept for each game; a player who makes more has been noticed.
const MAX_INCIDENTS: usize = 1000;

/// What the arbiter writes down of a game.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    /// Illegal moves of each side.
    pub(crate) illegal_moves: [u32; 2],
    /// What the fifty-move rule counts to in this game.
    pub(crate) quiet_moves: u16,
    /// The move that was announced with a wrong claim and must be played.
    pub(crate) announced: Option<Move>,
    /// Draw offers: beside which move, counted from 0, and who made it.
    pub(crate) offers: Vec<(usize, Color)>,
    /// The move in the envelope, while the game is adjourned.
    pub(crate) sealed: Option<Sealed>,
    /// What else there is to say.
    pub(crate) incidents: Vec<Incident>,
    /// Neither side has any point.
    pub(crate) both_lost: bool,
}

/// Something that the arbiter saw or was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Incident {
    pub(crate) ply: usize,
    pub(crate) by: Option<Color>,
    pub(crate) what: String,
}

/// What a player claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClaimKind {
    Threefold,
    QuietMoves,
}

impl ClaimKind {
    /// The claim of a word.
    pub(crate) fn from_key(key: &str) -> Option<ClaimKind> {
        match key {
            "threefold" => Some(ClaimKind::Threefold),
            "fifty" => Some(ClaimKind::QuietMoves),
            _ => None,
        }
    }
}

/// What the arbiter finds of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    Right,
    Wrong,
}

impl Default for Sheet {
    fn default() -> Sheet {
        Sheet {
            illegal_moves: [0; 2],
            quiet_moves: FIFTY,
            announced: None,
            offers: Vec::new(),
            sealed: None,
            incidents: Vec::new(),
            both_lost: false,
        }
    }
}

impl Game {
    /// `color` claims a draw, perhaps with a move that it announces and does not play. There is no way to take the
    /// claim back. The clocks stand while the arbiter looks: that takes no time here.
    pub(super) fn claim(
        &mut self,
        color: Color,
        kind: ClaimKind,
        intended: Option<&str>,
        now: Duration,
    ) -> Result<Finding, Refusal> {
        if self.options.laws.claims != Claims::ToTheArbiter {
            return Err(Refusal::NotAllowed("These laws know no claims to an arbiter"));
        }
        if !self.has_the_move(color, now) {
            return Err(Refusal::NotYourTurn);
        }
        if self.sheet.announced.is_some() {
            return Err(Refusal::NotAllowed(MUST_PLAY_ANNOUNCED));
        }
        let intended = intended.map(|text| self.move_of_text(text)).transpose()?;
        let claim = self.draw_claim(kind);
        let is_right = match intended {
            Some(mv) => self.history.supports_after(claim, mv),
            None => self.history.supports(claim),
        };
        if is_right {
            self.note(Some(color), "a draw was claimed rightly");
            self.end(Status::Draw, None, now);
            return Ok(Finding::Right);
        }
        self.note(Some(color), "a draw was claimed wrongly");
        self.sheet.announced = intended;
        self.pay_for_claim(color, now);
        Ok(Finding::Wrong)
    }

    /// The penalty of a wrong claim, which may cost the game; otherwise the claim may stand as an offer.
    fn pay_for_claim(&mut self, color: Color, now: Duration) {
        let laws = self.options.laws;
        let left = self.clock.left(color, now);
        let (loses, gains) = laws.wrong_claim.penalty(left, self.is_fast());
        self.clock.take(color, loses);
        self.clock.give(!color, gains);
        let has_clock = matches!(self.clock.control(), TimeControl::Clock { .. });
        if has_clock && self.clock.left(color, now).is_zero() {
            self.lose(color, Status::OutOfTime, now);
            return;
        }
        if laws.claim_is_offer {
            self.put_offer(color);
        }
        self.tell_state(now);
    }

    /// The words of a claim as the chess of it.
    fn draw_claim(&self, kind: ClaimKind) -> DrawClaim {
        match kind {
            ClaimKind::Threefold => DrawClaim::Threefold,
            ClaimKind::QuietMoves => DrawClaim::QuietMoves(self.sheet.quiet_moves),
        }
    }

    /// Whether what `color` says with a draw offer is a right claim already.
    pub(super) fn offer_is_a_claim(&self, color: Color) -> bool {
        match self.options.laws.claims {
            Claims::WithAnOffer => self.history.occurrences() >= 3,
            Claims::ToTheArbiter => {
                self.turn() == color
                    && [ClaimKind::Threefold, ClaimKind::QuietMoves]
                        .into_iter()
                        .any(|kind| self.history.supports(self.draw_claim(kind)))
            }
            Claims::Needless => false,
        }
    }

    /// `color` has tried a move that breaks the laws of chess. It is always counted, and has a price if these laws of
    /// play say so.
    pub(super) fn punish_illegal_move(&mut self, color: Color, now: Duration) {
        let count = &mut self.sheet.illegal_moves[color.index()];
        *count = count.saturating_add(1);
        let count = *count;
        let IllegalMove::Counted { bonus, loses_at } = self.options.laws.illegal_move else {
            return;
        };
        self.note(Some(color), "an illegal move");
        if loses_at.is_some_and(|number| count >= number) {
            self.lose(color, Status::UnknownFinish, now);
            return;
        }
        self.clock.give(!color, bonus.of(self.is_fast()));
        self.tell_state(now);
    }

    /// Whether a move may be played where one was announced.
    pub(super) fn keeps_announcement(&self, mv: Move) -> Result<(), Refusal> {
        match self.sheet.announced {
            Some(announced) if announced != mv => Err(Refusal::NotAllowed(MUST_PLAY_ANNOUNCED)),
            Some(_) | None => Ok(()),
        }
    }

    /// More than fifty moves are announced for this game, before it begins.
    pub(super) fn announce_quiet_moves(&mut self, moves: u16) -> Result<(), Refusal> {
        if !self.options.laws.extendable_count {
            return Err(Refusal::NotAllowed("These laws count to fifty"));
        }
        if !self.is_live() || self.ply() > 0 {
            return Err(Refusal::NotAllowed("The game has begun"));
        }
        if !(FIFTY..=MOST_ANNOUNCED).contains(&moves) {
            return Err(Refusal::NotAllowed("Between 50 and 100 moves can be announced"));
        }
        self.sheet.quiet_moves = moves;
        self.note(None, &format!("the count was set to {moves} moves"));
        Ok(())
    }

    /// The arbiter gives time to the opponent of `color`, for a reason that the laws leave to the arbiter.
    pub(super) fn punish(&mut self, color: Color, time: Duration, now: Duration) -> Result<(), Refusal> {
        self.ask_arbiter()?;
        self.note(Some(color), &format!("a penalty of {} s", time.as_secs()));
        self.clock.give(!color, time);
        self.tell_state(now);
        Ok(())
    }

    /// The arbiter declares the game lost by one side, or by both (FIDE 11.7; both: 11.8).
    pub(super) fn forfeit(&mut self, side: Option<Color>, now: Duration) -> Result<(), Refusal> {
        self.ask_arbiter()?;
        self.note(side, "the game was declared lost");
        match side {
            Some(color) => self.end(Status::UnknownFinish, Some(!color), now),
            None => self.lose_both(Status::UnknownFinish, now),
        }
        Ok(())
    }

    /// Ends a game to which somebody has not come in time.
    pub(super) fn forfeit_absent(&mut self, now: Duration) {
        let Lateness::Loses(allowed) = self.options.laws.lateness else {
            return;
        };
        if !self.is_live() || now.saturating_sub(self.created) < allowed {
            return;
        }
        let is_absent = |color: Color| {
            let is_user = matches!(self.seat(color), Seat::User { .. });
            is_user && !self.presence[color.index()].has_come() && !self.has_moved(color)
        };
        match [Color::White, Color::Black].map(is_absent) {
            [true, true] => self.lose_both(Status::NoStart, now),
            [true, false] => self.end(Status::NoStart, Some(Color::Black), now),
            [false, true] => self.end(Status::NoStart, Some(Color::White), now),
            [false, false] => {}
        }
    }

    /// `color` loses, unless the opponent cannot win: then it is a draw.
    pub(super) fn lose(&mut self, color: Color, status: Status, now: Duration) {
        let drawn = self.options.laws.cannot_win(self.history.position(), !color);
        match (drawn, status) {
            (false, _) => self.end(status, Some(!color), now),
            // Lichess keeps the word for a flag that wins nothing.
            (true, Status::OutOfTime) => self.end(status, None, now),
            (true, _) => self.end(Status::Draw, None, now),
        }
    }

    /// Both sides lose.
    pub(super) fn lose_both(&mut self, status: Status, now: Duration) {
        self.sheet.both_lost = true;
        self.end(status, None, now);
    }

    /// Whether it is a game with an arbiter, and still one.
    pub(super) fn ask_arbiter(&self) -> Result<(), Refusal> {
        if !self.options.laws.has_arbiter {
            return Err(Refusal::NotAllowed("These laws know no arbiter"));
        }
        if !self.is_live() {
            return Err(Refusal::NotAllowed("The game is over"));
        }
        Ok(())
    }

    /// Writes something down.
    pub(super) fn note(&mut self, by: Option<Color>, what: &str) {
        if self.sheet.incidents.len() < MAX_INCIDENTS {
            self.sheet.incidents.push(Incident { ply: self.ply(), by, what: what.to_owned() });
        }
    }

    /// Whether it is a rapid or blitz game to FIDE.
    pub(super) fn is_fast(&self) -> bool {
        match self.clock.control() {
            TimeControl::Clock { limit, increment } => {
                limit.saturating_add(increment.saturating_mul(60)) < SLOW
            }
            TimeControl::Correspondence { .. } | TimeControl::Unlimited => false,
        }
    }
}

const MUST_PLAY_ANNOUNCED: &str = "The announced move must be played";
