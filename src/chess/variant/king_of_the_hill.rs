//! King of the Hill: standard chess in which a king that reaches the centre has won.

use crate::chess::{Bitboard, Color, GameEnd, Position, Role, Rules, Variant};

/// The rules of King of the Hill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KingOfTheHill;

/// d4, e4, d5 and e5.
const HILL: Bitboard = Bitboard(0x0000_0018_1800_0000);

impl Rules for KingOfTheHill {
    type Extra = ();

    const VARIANT: Variant = Variant::KingOfTheHill;

    fn variant_end(position: &Position<Self>) -> Option<GameEnd> {
        let winner = !position.turn();
        let arrived = (position.pieces(winner, Role::King) & HILL).has_any();
        arrived.then_some(GameEnd::VariantEnd { winner: Some(winner) })
    }

    /// A king alone can still climb the hill.
    fn is_insufficient_material(_: &Position<Self>) -> bool {
        false
    }

    fn lacks_winning_material(_: &Position<Self>, _: Color) -> bool {
        false
    }
}
