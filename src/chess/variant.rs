//! The kinds of chess game that Lichess knows and we play, by Lichess' names.

use super::{FenError, Position, Role};

/// A kind of game: where it starts and how castling is spelled. The moves are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// From the standard start.
    Standard,
    /// From one of 960 starts.
    Chess960,
    /// From any legal position.
    FromPosition,
}

impl Variant {
    /// All of them.
    pub const ALL: [Variant; 3] = [Variant::Standard, Variant::Chess960, Variant::FromPosition];

    /// The key of the API, such as `fromPosition`.
    pub const fn key(self) -> &'static str {
        match self {
            Variant::Standard => "standard",
            Variant::Chess960 => "chess960",
            Variant::FromPosition => "fromPosition",
        }
    }

    /// The name people see, such as `From Position`.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Standard => "Standard",
            Variant::Chess960 => "Chess960",
            Variant::FromPosition => "From Position",
        }
    }

    /// The short name of the API, such as `FEN`.
    pub const fn short(self) -> &'static str {
        match self {
            Variant::Standard => "Std",
            Variant::Chess960 => "960",
            Variant::FromPosition => "FEN",
        }
    }

    /// The variant of an API key.
    pub fn from_key(key: &str) -> Option<Variant> {
        Variant::ALL.into_iter().find(|variant| variant.key() == key)
    }

    /// Where a game starts: at the given FEN, else at the variant's own start (number 518 in Chess960).
    pub fn start(self, fen: Option<&str>) -> Result<Position, FenError> {
        fen.map_or_else(|| Ok(Position::initial()), Position::from_fen)
    }
}

/// The back rank of a Chess960 start, a-file first, by Reinhard Scharnagl's numbering.
pub(super) fn chess960_back_rank(number: u16) -> Option<[Role; 8]> {
    if number >= 960 {
        return None;
    }
    let number = number as usize;
    let mut rank = [None; 8];
    rank[number % 4 * 2 + 1] = Some(Role::Bishop);
    rank[number / 4 % 4 * 2] = Some(Role::Bishop);
    put_on_empty(&mut rank, number / 16 % 6, Role::Queen);
    let (first, second) = KNIGHTS[number / 96];
    // The second knight first: its index counts the squares that the first leaves empty.
    put_on_empty(&mut rank, second, Role::Knight);
    put_on_empty(&mut rank, first, Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        put_on_empty(&mut rank, 0, role);
    }
    Some(rank.map(|role| role.unwrap_or(Role::King)))
}

/// The pairs of the five empty squares that hold the knights.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

fn put_on_empty(rank: &mut [Option<Role>; 8], nth: usize, role: Role) {
    if let Some(square) = rank.iter_mut().filter(|square| square.is_none()).nth(nth) {
        *square = Some(role);
    }
}
