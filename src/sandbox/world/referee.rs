//! Moves: whether one is allowed, what it does to the clock, and whether it ends the game.

use std::time::Duration;

use super::laws::Draws;
use super::offers::Occasion;
use super::{Game, Refusal, Status};
use crate::chess::{Color, GameEnd, Move, Role, UciMove, Variant};

impl Game {
    /// `color` plays a move given as text. `offer` is what the request says about a draw: an offer goes before the
    /// move and may end the game, in which case the move is void and this still succeeds.
    pub(super) fn play_text(
        &mut self,
        color: Color,
        text: &str,
        offer: Option<bool>,
        now: Duration,
    ) -> Result<(), Refusal> {
        let uci = read_uci(text)?;
        if !self.has_the_move(color, now) {
            return Err(Refusal::NotYourTurn);
        }
        match offer {
            Some(true) => self.offer_draw(color, Occasion::WithMove, now),
            Some(false) if self.options.laws.offers_can_be_withdrawn => {
                self.offers.draw[color.index()] = false;
            }
            Some(false) | None => {}
        }
        if !self.is_live() {
            return Ok(());
        }
        match self.read_move(uci) {
            Ok(mv) => {
                self.keeps_announcement(mv)?;
                self.play(mv, now);
            }
            Err(refusal) => {
                if offer.is_some() {
                    self.tell_state(now);
                }
                self.punish_illegal_move(color, now);
                return Err(refusal);
            }
        }
        Ok(())
    }

    /// Whether `color` may move now. If its time is up, the game ends here.
    pub(super) fn has_the_move(&mut self, color: Color, now: Duration) -> bool {
        self.is_live() && self.turn() == color && !self.is_adjourned() && !self.fall_flag(now)
    }

    /// The legal move that a text means.
    pub(super) fn move_of_text(&self, text: &str) -> Result<Move, Refusal> {
        self.read_move(read_uci(text)?)
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, mv: Move, now: Duration) {
        let color = self.turn();
        self.offers.after_move(color);
        self.sheet.announced = None;
        self.clock.stop(now);
        let free = self.options.free_first_moves && self.ply() < 2;
        self.history.push(mv);
        self.turn_since = now;
        match self.end_by_laws() {
            Some((status, winner)) => self.end(status, winner, now),
            None => {
                if !free {
                    self.clock.earn(color);
                }
                if !(self.options.free_first_moves && self.ply() < 2) {
                    self.clock.run(!color, now);
                }
                self.tell_state(now);
            }
        }
        self.past_times.push(self.clock.as_of_last_move());
        self.turns.push(now);
    }

    /// The move that the text means. A promotion without a letter makes a queen; castling as the king's two squares
    /// is understood only where king and rooks stand on their classical squares.
    fn read_move(&self, uci: UciMove) -> Result<Move, Refusal> {
        let position = self.history.position();
        let with_queen = uci.with_promotion(Some(Role::Queen));
        let found = match uci.promotion() {
            Some(_) => uci.to_move(position).ok(),
            None => uci.to_move(position).or_else(|_| with_queen.to_move(position)).ok(),
        };
        let classical = self.variant != Variant::Chess960 && position.has_standard_castling();
        let allowed = found.filter(|mv| classical || !mv.is_castling() || uci.to() == mv.to());
        allowed.ok_or_else(|| Refusal::IllegalMove { from: uci.from().to_string(), to: uci.to().to_string() })
    }

    /// The end that the position is, by the laws or by what the server adds to them.
    fn end_by_laws(&self) -> Option<(Status, Option<Color>)> {
        let laws = self.options.laws;
        let end = self.history.end();
        match end {
            Some(GameEnd::Checkmate { winner }) => return Some((Status::Mate, Some(winner))),
            Some(GameEnd::Stalemate) => return Some((Status::Stalemate, None)),
            Some(GameEnd::VariantEnd { winner: None }) => return Some((Status::Draw, None)),
            Some(GameEnd::VariantEnd { winner }) => return Some((Status::VariantEnd, winner)),
            Some(GameEnd::InsufficientMaterial | GameEnd::FiftyMoves | GameEnd::FivefoldRepetition)
            | None => {}
        }
        let drawn = match laws.draws {
            Draws::AsLichess => end.is_some(),
            // FIDE has no laws for the variants: those of Lichess hold.
            Draws::At(_) if !self.variant.is_orthodox() => end.is_some(),
            Draws::At(counts) => laws.is_dead(self.history.position()) || self.history.is_drawn_by(counts),
        };
        let threefold = laws.threefold_ends_bot_games
            && self.options.auto_threefold
            && self.has_bot()
            && self.history.occurrences() >= 3;
        (drawn || threefold || self.ply() >= self.options.max_plies).then_some((Status::Draw, None))
    }
}

fn read_uci(text: &str) -> Result<UciMove, Refusal> {
    text.parse().map_err(|_| Refusal::InvalidUci(text.chars().take(16).collect()))
}
