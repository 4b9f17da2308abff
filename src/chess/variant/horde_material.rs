//! With which men the horde cannot mate, whatever Black does: the table of scalachess, after Stevan Papazis' analysis.

use crate::chess::{Bitboard, Color, Position, Role};

use super::Horde;

/// Men of one side, with bishops by the colour of their squares.
struct Army {
    pawns: u32,
    knights: u32,
    rooks: u32,
    queens: u32,
    light: u32,
    dark: u32,
    all: u32,
}

/// Whether White cannot win.
pub(super) fn is_insufficient(position: &Position<Horde>) -> bool {
    let horde = Army::of(position, Color::White);
    let black = Army::of(position, Color::Black);
    horde.cannot_mate(&black)
}

impl Army {
    fn of(position: &Position<Horde>, color: Color) -> Army {
        let count = |role| position.pieces(color, role).count();
        let bishops = position.pieces(color, Role::Bishop);
        Army {
            pawns: count(Role::Pawn),
            knights: count(Role::Knight),
            rooks: count(Role::Rook),
            queens: count(Role::Queen),
            light: (bishops & !Bitboard::DARK).count(),
            dark: (bishops & Bitboard::DARK).count(),
            all: position.colored(color).count(),
        }
    }

    fn bishops(&self) -> u32 {
        self.light + self.dark
    }

    fn has_bishop_pair(&self) -> bool {
        self.light > 0 && self.dark > 0
    }

    /// A third bishop on the same colour of squares adds nothing.
    fn useful(&self) -> u32 {
        self.pawns + self.knights + self.rooks + self.queens + self.light.min(2) + self.dark.min(2)
    }

    /// Of `black`, the bishops on the squares of the horde's bishop and those on the others.
    fn split_bishops(&self, black: &Army) -> (u32, u32) {
        if self.light > 0 { (black.light, black.dark) } else { (black.dark, black.light) }
    }

    fn cannot_mate(&self, black: &Army) -> bool {
        let (same, _) = self.split_bishops(black);
        match self.useful() {
            0 => true,
            4.. => false,
            2.. if self.pawns + self.queens > 0 => false,
            // Rook and bishop fail only against a king whose other men are bishops of the same squares.
            2.. if self.rooks > 0 => {
                self.useful() == 2 && self.rooks == 1 && self.bishops() > 0 && black.all - same == 1
            }
            1 => black.all == 1 || self.lone_man_cannot_mate(black),
            2 => black.all == 1 || self.two_minors_cannot_mate(black),
            _ if self.knights == 3 || self.knights == 2 && self.bishops() == 1 || self.has_bishop_pair() => {
                false
            }
            // Two bishops of one colour and a knight need a black man that can lose a tempo.
            _ => black.all == 1,
        }
    }

    /// One man mates only a king that its own men shut in.
    fn lone_man_cannot_mate(&self, black: &Army) -> bool {
        if self.queens == 1 {
            self.lone_queen_cannot_mate(black)
        } else if self.pawns == 1 {
            self.lone_queen_cannot_mate(black) && self.lone_knight_cannot_mate(black)
        } else if self.rooks == 1 {
            let pair = (black.rooks > 0 && black.pawns + black.knights > 0)
                || (black.pawns > 0 && black.knights > 0);
            black.pawns < 2 && !pair
        } else if self.knights == 1 {
            self.lone_knight_cannot_mate(black)
        } else {
            let (_, other) = self.split_bishops(black);
            other < 2 && !(other > 0 && black.pawns > 0) && black.pawns < 2
        }
    }

    fn lone_queen_cannot_mate(&self, black: &Army) -> bool {
        black.pawns + black.rooks == 0 && black.light < 2 && black.dark < 2
    }

    /// The smothered mate needs three black men of the right kinds around the king.
    fn lone_knight_cannot_mate(&self, black: &Army) -> bool {
        let kinds = [black.rooks, black.knights, black.bishops(), black.pawns];
        let pair_of_kinds = kinds.iter().filter(|&&count| count > 0).count() >= 2;
        let helpers = black.knights >= 2 || black.pawns >= 2 || pair_of_kinds;
        let room = |bishops: u32| bishops < 2 || black.all - bishops >= 3;
        !(black.all >= 4 && helpers && room(black.dark) && room(black.light))
    }

    fn two_minors_cannot_mate(&self, black: &Army) -> bool {
        let (same, other) = self.split_bishops(black);
        if self.knights == 2 {
            black.pawns + black.bishops() + black.knights == 0
        } else if self.has_bishop_pair() {
            black.pawns + black.bishops() == 0 && (black.knights == 0 || black.rooks + black.queens == 0)
        } else if self.knights == 1 {
            black.pawns + other == 0 && black.all - same < 3
        } else {
            // Bishops of one colour: the other squares around the king have to be filled by Black.
            black.pawns + black.knights + other < 2
        }
    }
}
