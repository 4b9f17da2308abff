//! What the evaluation weighs: the kinds of weights, and which of them are in force.
//!
//! The numbers stand in `values`.

use super::taper::Taper;
#[cfg(feature = "tune")]
use super::walk::{Visit, Walk, below, struct_source};

#[cfg(feature = "tune")]
pub(crate) use super::trial::weights;

/// The weights in force.
#[cfg(not(feature = "tune"))]
pub(crate) fn weights() -> &'static Weights {
    &super::values::WEIGHTS
}

/// Declares structs of weights. The tuner walks over their numbers, which must not miss any: so the way is made from the
/// declaration.
macro_rules! declare {
    ($(
        $(#[$about:meta])*
        pub(crate) struct $Name:ident {
            $($(#[$note:meta])* pub(crate) $field:ident: $Type:ty,)*
        }
    )*) => {$(
        $(#[$about])*
        #[cfg_attr(feature = "tune", derive(Clone))]
        pub(crate) struct $Name {
            $($(#[$note])* pub(crate) $field: $Type,)*
        }

        #[cfg(feature = "tune")]
        impl Walk for $Name {
            fn walk(&mut self, name: &str, visit: &mut Visit<'_>) {
                $(Walk::walk(&mut self.$field, &below(name, stringify!($field)), visit);)*
            }

            fn source(&self, depth: usize) -> String {
                let fields = [$((stringify!($field), Walk::source(&self.$field, depth + 1)),)*];
                struct_source(stringify!($Name), &fields, depth)
            }
        }
    )*};
}

declare! {
    /// All weights; `values` holds the one constant of this type.
    pub(crate) struct Weights {
        pub(crate) material: [Taper; 6],
        /// By role and square as White sees it.
        pub(crate) placement: [[Taper; 64]; 6],
        /// By the number of squares a piece can safely go to.
        pub(crate) knight_mobility: [Taper; 9],
        pub(crate) bishop_mobility: [Taper; 14],
        pub(crate) rook_mobility: [Taper; 15],
        pub(crate) queen_mobility: [Taper; 28],
        pub(crate) bishop_pair: Taper,
        /// A bishop, for each own pawn on its colour.
        pub(crate) bishop_pawns: Taper,
        /// A knight or bishop in front of a pawn chain where no pawn can drive it away.
        pub(crate) knight_outpost: Taper,
        pub(crate) bishop_outpost: Taper,
        pub(crate) minor_behind_pawn: Taper,
        pub(crate) rook_open: Taper,
        pub(crate) rook_half_open: Taper,
        pub(crate) isolated: Taper,
        pub(crate) doubled: Taper,
        pub(crate) backward: Taper,
        /// By relative rank.
        pub(crate) connected: [Taper; 8],
        pub(crate) passed: [Taper; 8],
        /// The square in front of a passed pawn is free, or the whole way is not attacked.
        pub(crate) passed_free: [Taper; 8],
        pub(crate) passed_safe: [Taper; 8],
        /// For each step of distance from the square before the pawn (times a factor of its rank).
        pub(crate) passed_own_king: [Taper; 8],
        pub(crate) passed_enemy_king: [Taper; 8],
        /// Own pawns before the king, by the rank of the nearest one on the file (0: none), centre and wing files.
        pub(crate) shelter: [[Taper; 8]; 4],
        /// Enemy pawns that come near, by their relative rank (0: none); first free to advance, then blocked.
        pub(crate) storm: [[Taper; 8]; 2],
        /// A pawn attacks a piece; a minor attacks a piece; a rook attacks a piece: by the role attacked.
        pub(crate) threat_by_pawn: [Taper; 6],
        pub(crate) threat_by_minor: [Taper; 6],
        pub(crate) threat_by_rook: [Taper; 6],
        pub(crate) threat_by_king: Taper,
        pub(crate) hanging: Taper,
        /// A safe pawn step that would attack a piece.
        pub(crate) pawn_push_threat: Taper,
        /// Squares in the own half's centre that are safe.
        pub(crate) space: Taper,
        pub(crate) king: KingWeights,
        pub(crate) tempo: Taper,
    }

    /// How attacks on a king add up; the sum's square divided by [`KingWeights::divisor`] is the danger.
    pub(crate) struct KingWeights {
        /// For a piece that attacks the squares round the king: by role.
        pub(crate) attacker: [i32; 6],
        /// For each attack on a square next to the king.
        pub(crate) attack: i32,
        /// For each attacked square of the ring that only the king or queen defends.
        pub(crate) weak_square: i32,
        /// For a check that cannot be answered by taking the checking piece: by role.
        pub(crate) safe_check: [i32; 6],
        pub(crate) unsafe_check: i32,
        /// Without a queen the attack is this much less.
        pub(crate) no_queen: i32,
        /// For each pinned piece before the king.
        pub(crate) pinned: i32,
        /// The danger is this much less with a defending knight near the king.
        pub(crate) knight_defends: i32,
        pub(crate) base: i32,
        /// Percent of the middlegame shelter that is taken from the danger.
        pub(crate) shelter: i32,
        pub(crate) divisor: i32,
        pub(crate) eg_divisor: i32,
    }
}
