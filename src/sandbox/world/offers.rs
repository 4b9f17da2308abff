//! Draw offers and takebacks: who may propose when, and what an answer does.

use std::time::Duration;

use super::game::GameRule;
use super::laws::{Offering, RepeatedOffers};
use super::{Game, GameSource, Status};
use crate::chess::Color;

/// Before this ply nobody offers a draw under `noEarlyDraw`.
const EARLY_DRAW_PLY: usize = 60;

/// Yes to the opponent's proposal or a proposal of one's own; no to theirs or no longer one's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
}

/// When a draw is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occasion {
    /// Together with a move.
    WithMove,
    /// At any other time.
    Otherwise,
}

/// What is on the table.
#[derive(Clone, Debug, Default)]
pub(super) struct Offers {
    pub(super) draw: [bool; 2],
    pub(super) takeback: [bool; 2],
    last_draw: [Option<usize>; 2],
    last_offerer: Option<Color>,
    refused_takebacks: [u32; 2],
    next_takeback: [Duration; 2],
}

impl Offers {
    /// A move answers the opponent's offers with no and takes back one's own wish to take back.
    pub(super) fn after_move(&mut self, mover: Color) {
        self.draw[(!mover).index()] = false;
        self.takeback = [false; 2];
    }

    /// What was done after `ply` plies has never been.
    pub(super) fn rewind(&mut self, ply: usize) {
        self.clear();
        self.last_draw = self.last_draw.map(|last| last.filter(|last| *last <= ply));
        if self.last_offerer.is_some_and(|color| self.last_draw[color.index()].is_none()) {
            self.last_offerer = Color::ALL.into_iter().find(|color| self.last_draw[color.index()].is_some());
        }
    }

    /// Nothing is on the table any more.
    pub(super) fn clear(&mut self) {
        self.draw = [false; 2];
        self.takeback = [false; 2];
    }
}

impl Game {
    /// `draw/yes` and `draw/no`. Nothing happens where nothing applies.
    pub(super) fn answer_draw(&mut self, color: Color, answer: Answer, now: Duration) {
        if !self.is_live() {
            return;
        }
        match answer {
            Answer::Yes => {
                let before = self.offers.draw;
                self.offer_draw(color, Occasion::Otherwise, now);
                if self.is_live() && self.offers.draw != before {
                    self.tell_state(now);
                }
            }
            Answer::No => self.refuse_draw(color, now),
        }
    }

    /// Claims a threefold repetition, accepts the opponent's offer, or makes one: what is possible first.
    pub(super) fn offer_draw(&mut self, color: Color, occasion: Occasion, now: Duration) {
        if self.offer_is_a_claim(color) {
            self.end(Status::Draw, None, now);
        } else if self.offers.draw[(!color).index()] {
            self.tell_system("Draw offer accepted");
            self.end(Status::Draw, None, now);
        } else if self.may_offer_draw(color, occasion) {
            let laws = self.options.laws;
            if laws.offer_to_hopeless_draws && laws.cannot_win(self.history.position(), !color) {
                self.end(Status::InsufficientMaterialClaim, None, now);
                return;
            }
            if laws.offers == Offering::Noted && self.turn() != color {
                self.note(Some(color), "a draw was offered while the opponent was thinking");
            }
            self.put_offer(color);
        }
    }

    /// An offer of `color` is on the table.
    pub(super) fn put_offer(&mut self, color: Color) {
        self.offers.draw[color.index()] = true;
        self.offers.last_draw[color.index()] = Some(self.ply());
        self.offers.last_offerer = Some(color);
        self.sheet.offers.push((self.move_with_offer(color), color));
        self.tell_system(&format!("{} offers draw", capitalised(color)));
    }

    /// The number of the move, from 0, beside which `color` writes its offer: the next one or the last.
    fn move_with_offer(&self, color: Color) -> usize {
        if self.turn() == color { self.ply() } else { self.ply().saturating_sub(1) }
    }

    fn may_offer_draw(&self, color: Color, occasion: Occasion) -> bool {
        let laws = self.options.laws;
        let first = if self.has_rule(GameRule::NoEarlyDraw) { EARLY_DRAW_PLY } else { laws.first_offer_ply };
        let timely = match laws.offers {
            Offering::AnyTime | Offering::Noted => true,
            Offering::WithMove => occasion == Occasion::WithMove,
        };
        let rested = match laws.repeated_offers {
            RepeatedOffers::PliesApart(plies) => self.offers.last_draw[color.index()]
                .is_none_or(|last| self.ply() >= last.saturating_add(plies)),
            RepeatedOffers::AfterOpponent => self.offers.last_offerer != Some(color),
            RepeatedOffers::Free => true,
        };
        self.ply() >= first && timely && rested && !self.has_ai() && !self.offers.draw[color.index()]
    }

    /// `color` takes back its own draw offer and its own wish to take back.
    pub(super) fn withdraw(&mut self, color: Color, now: Duration) {
        if self.is_live() && self.offers.draw[color.index()] {
            self.refuse_draw(color, now);
        }
        if self.is_live() && self.offers.takeback[color.index()] {
            self.refuse_takeback(color, now);
        }
    }

    fn refuse_draw(&mut self, color: Color, now: Duration) {
        if self.offers.draw[color.index()] {
            if !self.options.laws.offers_can_be_withdrawn {
                return;
            }
            self.tell_system("Draw offer cancelled");
        } else if self.offers.draw[(!color).index()] {
            self.tell_system(&format!("{} declines draw", capitalised(color)));
        } else {
            return;
        }
        self.offers.draw = [false; 2];
        self.tell_state(now);
    }

    /// `takeback/yes` and `takeback/no`. `opponent_allows` is the opponent's preference.
    pub(super) fn answer_takeback(
        &mut self,
        color: Color,
        answer: Answer,
        opponent_allows: bool,
        now: Duration,
    ) {
        if !self.is_live() {
            return;
        }
        match answer {
            Answer::Yes if self.offers.takeback[(!color).index()] => self.take_back(!color, now),
            Answer::Yes => self.propose_takeback(color, opponent_allows, now),
            Answer::No => self.refuse_takeback(color, now),
        }
    }

    fn propose_takeback(&mut self, color: Color, opponent_allows: bool, now: Duration) {
        let possible = self.ply() >= 2
            && self.options.laws.takebacks
            && self.source != GameSource::Arena
            && !self.offers.takeback[color.index()]
            && now >= self.offers.next_takeback[color.index()];
        if !possible {
            return;
        }
        if self.has_ai() {
            self.take_back(color, now);
        } else if opponent_allows {
            self.offers.takeback[color.index()] = true;
            self.tell_system("Takeback sent");
            self.tell_state(now);
        } else {
            self.tell_system("Takeback declined");
            self.delay_takebacks(color, now);
        }
    }

    fn refuse_takeback(&mut self, color: Color, now: Duration) {
        if self.offers.takeback[color.index()] {
            self.tell_system("Takeback cancelled");
        } else if self.offers.takeback[(!color).index()] {
            self.tell_system("Takeback declined");
            self.delay_takebacks(!color, now);
        } else {
            return;
        }
        self.offers.takeback = [false; 2];
        self.tell_state(now);
    }

    /// The n-th refusal costs the proposer n² waits.
    fn delay_takebacks(&mut self, proposer: Color, now: Duration) {
        let refused = self.offers.refused_takebacks[proposer.index()].saturating_add(1);
        self.offers.refused_takebacks[proposer.index()] = refused;
        let wait = self.options.takeback_delay.saturating_mul(refused.saturating_mul(refused));
        self.offers.next_takeback[proposer.index()] = now.saturating_add(wait);
    }

    /// Takes back one ply or two, so that `proposer` is to move. Its clock returns to what it was; what the other
    /// side earned stays.
    fn take_back(&mut self, proposer: Color, now: Duration) {
        let plies = if self.turn() == proposer { 2 } else { 1 };
        let ply = self.ply().saturating_sub(plies);
        self.clock.stop(now);
        self.history.truncate(ply);
        self.past_times.truncate(ply + 1);
        self.turns.truncate(ply);
        self.turns.push(now);
        if let Some(times) = self.past_times.last() {
            self.clock.restore(proposer, times[proposer.index()]);
        }
        self.offers.clear();
        self.turn_since = now;
        if !(self.options.free_first_moves && ply < 2) {
            self.clock.run(proposer, now);
        }
        self.tell_state(now);
    }
}

fn capitalised(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
