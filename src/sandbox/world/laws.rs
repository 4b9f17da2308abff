//! Which laws a sandbox keeps: one table of switches, set exactly where the sources differ. What a switch does is done
//! where it is read; all that the laws agree on is in no table.
//!
//! Sources: Lichess' server; the FIDE Laws in force from 2023; the FIDE Laws adopted in 2000 (what 9.5 and 7.4 said
//! then included); the FIDE Laws of about 1990, with sealed moves; and the rules of amateur events as schools hand
//! them out. Where such a text is silent, the Laws of 2023 decide, by their own preface: by analogy.

use std::time::Duration;

use crate::chess::AutomaticDraws;

/// The laws of a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Laws {
    /// What the command line calls them.
    pub name: &'static str,
    /// Draws that come without a claim.
    pub draws: Draws,
    /// Whether the third occurrence of a position ends a game in which a BOT account plays.
    pub threefold_ends_bot_games: bool,
    /// When neither side can mate any more.
    pub dead_position: DeadPosition,
    /// Who cannot win when the opponent's time runs out or the opponent breaks the rules for good.
    pub cannot_win: CannotWin,
    /// Whether resigning to somebody who cannot win is a draw (FIDE 5.1.2 since 2023).
    pub resigning_may_draw: bool,
    /// Whether an open offer of the other side makes a fallen flag a draw.
    pub flag_accepts_offer: bool,
    /// Who may claim a draw.
    pub claims: Claims,
    /// What a wrong claim costs.
    pub wrong_claim: WrongClaim,
    /// Whether a claim counts as an offer too (FIDE 9.1.2.3).
    pub claim_is_offer: bool,
    /// Whether more than fifty moves may be announced before the game.
    pub extendable_count: bool,
    /// When a draw may be offered.
    pub offers: Offering,
    /// When it may be offered again.
    pub repeated_offers: RepeatedOffers,
    /// Before this ply nobody offers a draw.
    pub first_offer_ply: usize,
    /// Whether who has offered can think better of it.
    pub offers_can_be_withdrawn: bool,
    /// Whether an offer to somebody who cannot win ends the game at once.
    pub offer_to_hopeless_draws: bool,
    /// Whether offers are marked (=) in the record of the game (FIDE 8.1.5).
    pub offers_are_marked: bool,
    /// What becomes of an illegal move.
    pub illegal_move: IllegalMove,
    /// Whether moves can be taken back.
    pub takebacks: bool,
    /// What becomes of who does not come.
    pub lateness: Lateness,
    /// Whether a game from a wrong initial position goes on.
    pub wrong_start: WrongStart,
    /// Whether a game that began with the colours exchanged goes on.
    pub reversed_colors: ReversedColors,
    /// Whether there is an arbiter to go to.
    pub has_arbiter: bool,
    /// Whether games are adjourned, with a sealed move.
    pub adjournments: bool,
}

/// Draws that need no claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// As Lichess ends games of every kind.
    AsLichess,
    /// At these counts.
    At(AutomaticDraws),
}

/// When a position is dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadPosition {
    /// By the material that is left.
    Material,
    /// When no series of legal moves leads to a mate (FIDE 5.2.2).
    Full,
}

/// Who cannot win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CannotWin {
    /// Who lacks the material, by Lichess' table.
    Material,
    /// A bare king, and nobody else.
    BareKing,
    /// Who could not mate by any series of legal moves (FIDE 6.9).
    AnySeries,
}

/// Who claims draws, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claims {
    /// Either player, a repetition that is on the board, with a draw offer: what Lichess does.
    WithAnOffer,
    /// The player to move, before moving, what is on the board or what an announced move makes (FIDE 9.2, 9.3).
    ToTheArbiter,
    /// Nobody: what could be claimed has ended the game already.
    Needless,
}

/// What a wrong claim costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongClaim {
    /// Nothing.
    Nothing,
    /// The opponent gains time (FIDE 9.5.3).
    OpponentGains(Bonus),
    /// This time is added to what the claimant has used.
    ClaimantLoses(Duration),
    /// The opponent gains three minutes, and a claimant with more than two loses half, at most three; who has between
    /// one and two is left with one (FIDE 9.5 of 2000).
    Both,
}

/// Time that the arbiter gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bonus {
    /// In games of an hour or more for each player.
    pub standard: Duration,
    /// In rapid and blitz games.
    pub fast: Duration,
}

/// When draws are offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offering {
    /// At any time.
    AnyTime,
    /// With a move. Otherwise the offer is valid, but the arbiter notes one that is made while the opponent thinks.
    Noted,
    /// With a move. There is no other offer.
    WithMove,
}

/// When who has offered may offer again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepeatedOffers {
    /// After so many plies.
    PliesApart(usize),
    /// When the opponent has offered meanwhile.
    AfterOpponent,
    /// At any time; the opponent may complain (FIDE 11.5).
    Free,
}

/// What becomes of an illegal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// The server refuses it, and that is all.
    Refused,
    /// It is refused and counts: the opponent gains time, and the one that makes up the number loses the game.
    Counted {
        /// What the opponent gains.
        bonus: Bonus,
        /// The number that loses.
        loses_at: Option<u32>,
    },
}

/// What becomes of who does not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lateness {
    /// First moves have deadlines where Lichess has them.
    FirstMove,
    /// Who has not come so long after the start loses; if neither has, both do (FIDE 6.7).
    Loses(Duration),
}

/// What becomes of a game from a wrong initial position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongStart {
    /// It is void, and another is played (FIDE 7.2.1).
    Void,
    /// Likewise, but a rapid or blitz game goes on once each side has made so many moves (FIDE A.5.1).
    VoidOrFastAfter {
        /// Moves of each side.
        moves: usize,
    },
}

/// What becomes of a game that began with the colours exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReversedColors {
    /// It goes on.
    Stand,
    /// It begins again if both sides together have made fewer than twice so many moves (FIDE 7.3).
    RestartBefore {
        /// Moves of each side.
        moves: usize,
    },
    /// It begins again unless more than this share of both sides' time is used: one divided by that.
    RestartWithin {
        /// The divisor.
        one_in: u32,
    },
}

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

impl Bonus {
    /// The same in all games.
    pub const fn always(time: Duration) -> Bonus {
        Bonus { standard: time, fast: time }
    }

    /// FIDE 7.5.5 and 9.5.3; half of it in rapid and blitz games (A.3, B.2).
    pub const FIDE: Bonus = Bonus { standard: Duration::from_secs(120), fast: MINUTE };
}

impl Laws {
    /// All of them, the default first.
    pub const ALL: [Laws; 5] =
        [Laws::LICHESS, Laws::FIDE_2023, Laws::FIDE_2000, Laws::FIDE_1990, Laws::AMATEUR];

    /// As Lichess plays.
    pub const LICHESS: Laws = Laws {
        name: "lichess",
        draws: Draws::AsLichess,
        threefold_ends_bot_games: true,
        dead_position: DeadPosition::Material,
        cannot_win: CannotWin::Material,
        resigning_may_draw: false,
        flag_accepts_offer: true,
        claims: Claims::WithAnOffer,
        wrong_claim: WrongClaim::Nothing,
        claim_is_offer: false,
        extendable_count: false,
        offers: Offering::AnyTime,
        repeated_offers: RepeatedOffers::PliesApart(20),
        first_offer_ply: 2,
        offers_can_be_withdrawn: true,
        offer_to_hopeless_draws: true,
        offers_are_marked: false,
        illegal_move: IllegalMove::Refused,
        takebacks: true,
        lateness: Lateness::FirstMove,
        wrong_start: WrongStart::Void,
        reversed_colors: ReversedColors::Stand,
        has_arbiter: false,
        adjournments: false,
    };

    /// The FIDE Laws in force from 1 January 2023. The default time of 6.7.1 is the organiser's to set: here an hour.
    pub const FIDE_2023: Laws = Laws {
        name: "fide-2023",
        draws: Draws::At(AutomaticDraws::FIDE),
        threefold_ends_bot_games: false,
        dead_position: DeadPosition::Full,
        cannot_win: CannotWin::AnySeries,
        resigning_may_draw: true,
        flag_accepts_offer: false,
        claims: Claims::ToTheArbiter,
        wrong_claim: WrongClaim::OpponentGains(Bonus::FIDE),
        claim_is_offer: true,
        extendable_count: false,
        offers: Offering::Noted,
        repeated_offers: RepeatedOffers::Free,
        first_offer_ply: 2,
        offers_can_be_withdrawn: false,
        offer_to_hopeless_draws: false,
        offers_are_marked: true,
        illegal_move: IllegalMove::Counted { bonus: Bonus::FIDE, loses_at: Some(2) },
        takebacks: false,
        lateness: Lateness::Loses(HOUR),
        wrong_start: WrongStart::VoidOrFastAfter { moves: 10 },
        reversed_colors: ReversedColors::RestartBefore { moves: 10 },
        has_arbiter: true,
        adjournments: true,
    };

    /// The FIDE Laws adopted in 2000, in force from July 2001.
    pub const FIDE_2000: Laws = Laws {
        name: "fide-2000",
        draws: Draws::At(AutomaticDraws::NONE),
        resigning_may_draw: false,
        wrong_claim: WrongClaim::Both,
        first_offer_ply: 0,
        illegal_move: IllegalMove::Counted {
            bonus: Bonus::always(Duration::from_secs(120)),
            loses_at: Some(3),
        },
        wrong_start: WrongStart::Void,
        reversed_colors: ReversedColors::Stand,
        ..Laws::FIDE_2023
    };

    /// The FIDE Laws of about 1990.
    pub const FIDE_1990: Laws = Laws {
        name: "fide-1990",
        dead_position: DeadPosition::Material,
        cannot_win: CannotWin::BareKing,
        wrong_claim: WrongClaim::ClaimantLoses(Duration::from_secs(300)),
        claim_is_offer: false,
        extendable_count: true,
        offers_are_marked: false,
        illegal_move: IllegalMove::Counted { bonus: Bonus::always(Duration::ZERO), loses_at: None },
        reversed_colors: ReversedColors::RestartWithin { one_in: 4 },
        ..Laws::FIDE_2000
    };

    /// Amateur events: what others claim ends the game by itself, and draws are offered with a move, once.
    pub const AMATEUR: Laws = Laws {
        name: "amateur",
        draws: Draws::At(AutomaticDraws { occurrences: Some(3), quiet_moves: Some(50) }),
        claims: Claims::Needless,
        wrong_claim: WrongClaim::Nothing,
        claim_is_offer: false,
        offers: Offering::WithMove,
        repeated_offers: RepeatedOffers::AfterOpponent,
        first_offer_ply: 0,
        offers_are_marked: false,
        illegal_move: IllegalMove::Counted { bonus: Bonus::always(Duration::ZERO), loses_at: Some(3) },
        lateness: Lateness::FirstMove,
        wrong_start: WrongStart::Void,
        adjournments: false,
        ..Laws::FIDE_2023
    };
}

impl WrongClaim {
    /// What the claimant loses and what the opponent gains, when the claimant has `left` on the clock.
    pub(super) fn penalty(self, left: Duration, is_fast: bool) -> (Duration, Duration) {
        match self {
            WrongClaim::Nothing => (Duration::ZERO, Duration::ZERO),
            WrongClaim::OpponentGains(bonus) => (Duration::ZERO, bonus.of(is_fast)),
            WrongClaim::ClaimantLoses(time) => (time, Duration::ZERO),
            WrongClaim::Both => {
                let loses =
                    if left > MINUTE * 2 { (left / 2).min(MINUTE * 3) } else { left.saturating_sub(MINUTE) };
                (loses, MINUTE * 3)
            }
        }
    }
}

impl Bonus {
    /// The one for this kind of game.
    pub(super) fn of(self, is_fast: bool) -> Duration {
        if is_fast { self.fast } else { self.standard }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// A wrong claim under each of the laws, with ten minutes left, in a slow game and in a fast one.
    #[test]
    fn wrong_claims_cost_what_the_laws_say() {
        for (laws, slow, fast) in [
            (Laws::LICHESS, (0, 0), (0, 0)),
            (Laws::FIDE_2023, (0, 120), (0, 60)),
            (Laws::FIDE_2000, (180, 180), (180, 180)),
            (Laws::FIDE_1990, (300, 0), (300, 0)),
            (Laws::AMATEUR, (0, 0), (0, 0)),
        ] {
            for (is_fast, (loses, gains)) in [(false, slow), (true, fast)] {
                let penalty = laws.wrong_claim.penalty(MINUTE * 10, is_fast);
                assert_eq!(penalty, (SECOND * loses, SECOND * gains), "{} {is_fast}", laws.name);
            }
        }
    }

    /// FIDE 9.5 of 2000: half, at most three minutes; between two minutes and one, down to one; below, nothing.
    #[test]
    fn the_laws_of_2000_spare_who_is_short_of_time() {
        for (left, loses) in [(600, 180), (300, 150), (121, 60), (120, 60), (90, 30), (60, 0), (20, 0)] {
            let (loss, _) = WrongClaim::Both.penalty(SECOND * left, false);
            assert!(loss.abs_diff(SECOND * loses) < SECOND, "{left} s: {loss:?}");
        }
    }
}
