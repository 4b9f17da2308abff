//! Moves in standard algebraic notation: written canonically, read leniently.

use thiserror::Error;

use super::{CastlingSide, Laws, Move, Role, Square, UciMove};

/// Why a text is not a move of the position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SanError {
    /// The text has not the shape of a move.
    #[error("bad SAN {0:?}, expected a move such as \"Nf3\", \"exd6\", \"e8=Q\" or \"O-O\"")]
    Invalid(String),
    /// No legal move fits.
    #[error("illegal SAN {san:?} in {fen}")]
    Illegal {
        /// The move.
        san: String,
        /// The position.
        fen: String,
    },
    /// Several legal moves fit.
    #[error("ambiguous SAN {san:?} in {fen}")]
    Ambiguous {
        /// The move.
        san: String,
        /// The position.
        fen: String,
    },
}

/// The canonical SAN of a legal move, with `+` for check and `#` for mate or another win on the board.
pub fn format(position: &impl Laws, mv: Move) -> String {
    let mut san = without_suffix(position, mv);
    san.extend(position.check_mark(mv));
    san
}

/// Reads a move: check and annotation marks are optional, `0-0` is castling, a promotion needs no `=`, and from-squares
/// may be given where they are not needed (`e2e4`, `Ng1-f3`). A UCI move (`g1f3`, `e1g1`) is read too.
pub fn parse(position: &impl Laws, text: &str) -> Result<Move, SanError> {
    if let Some(mv) = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(position).ok()) {
        return Ok(mv);
    }
    let parts = Parts::read(text).ok_or_else(|| SanError::Invalid(text.chars().take(16).collect()))?;
    let mut fits = position.legal_moves().into_iter().filter(|&mv| parts.fit(position, mv));
    let (san, fen) = (text.to_owned(), || position.to_fen());
    match (fits.next(), fits.next()) {
        (Some(mv), None) => Ok(mv),
        (None, _) => Err(SanError::Illegal { san, fen: fen() }),
        (Some(_), Some(_)) => Err(SanError::Ambiguous { san, fen: fen() }),
    }
}

fn without_suffix(position: &impl Laws, mv: Move) -> String {
    if mv.is_castling() {
        return if side(mv) == CastlingSide::King { "O-O".to_owned() } else { "O-O-O".to_owned() };
    }
    let role = position.moved(mv);
    if mv.drop().is_some() {
        let letter =
            if role == Role::Pawn { String::new() } else { role.to_char().to_ascii_uppercase().into() };
        return format!("{letter}@{}", mv.to());
    }
    let mut san = String::new();
    if role == Role::Pawn {
        if position.is_capture(mv) {
            san.push(file_char(mv.from()));
        }
    } else {
        san.push(role.to_char().to_ascii_uppercase());
        san.push_str(&disambiguation(position, mv, role));
    }
    if position.is_capture(mv) {
        san.push('x');
    }
    san.push_str(&mv.to().to_string());
    if let Some(promotion) = mv.promotion() {
        san.push('=');
        san.push(promotion.to_char().to_ascii_uppercase());
    }
    san
}

/// File, else rank, else both, as far as another piece of the kind may legally go to the same square (PGN 8.2.3.4).
fn disambiguation(position: &impl Laws, mv: Move, role: Role) -> String {
    let rivals: Vec<Square> = position
        .legal_moves()
        .into_iter()
        .filter(|other| !other.is_castling() && other.drop().is_none())
        .filter(|other| other.to() == mv.to() && position.moved(*other) == role)
        .map(Move::from)
        .filter(|&from| from != mv.from())
        .collect();
    let from = mv.from();
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|rival| rival.file() != from.file()) {
        file_char(from).to_string()
    } else if rivals.iter().all(|rival| rival.rank() != from.rank()) {
        ((b'1' + from.rank()) as char).to_string()
    } else {
        from.to_string()
    }
}

fn side(castling: Move) -> CastlingSide {
    if castling.to().file() > castling.from().file() { CastlingSide::King } else { CastlingSide::Queen }
}

fn file_char(square: Square) -> char {
    (b'a' + square.file()) as char
}

/// What a SAN text says about a move.
enum Parts {
    Castling(CastlingSide),
    Drop { role: Role, to: Square },
    Plain { role: Role, file: Option<u8>, rank: Option<u8>, to: Square, promotion: Option<Role> },
}

impl Parts {
    fn read(text: &str) -> Option<Parts> {
        let text = text.trim().trim_end_matches("e.p.").trim_end_matches("ep");
        let text = text.trim_end_matches(['+', '#', '!', '?', ' ']);
        match text.replace('0', "O").as_str() {
            "O-O" => return Some(Parts::Castling(CastlingSide::King)),
            "O-O-O" => return Some(Parts::Castling(CastlingSide::Queen)),
            _ => {}
        }
        if !text.is_ascii() {
            return None;
        }
        if let Some((role, to)) = text.split_once('@') {
            let role = match role {
                "" => Role::Pawn,
                _ if role.len() == 1 => Role::from_char(role.chars().next()?)?,
                _ => return None,
            };
            return Some(Parts::Drop { role, to: to.parse().ok()? });
        }
        let (text, promotion) = split_promotion(text);
        let (role, text) = match text.chars().next()? {
            letter @ ('P' | 'N' | 'B' | 'R' | 'Q' | 'K') => (Role::from_char(letter)?, &text[1..]),
            _ => (Role::Pawn, text),
        };
        let split = text.len().checked_sub(2)?;
        let to: Square = text[split..].parse().ok()?;
        let (file, rank) = read_origin(&text[..split])?;
        Some(Parts::Plain { role, file, rank, to, promotion })
    }

    fn fit(&self, position: &impl Laws, mv: Move) -> bool {
        match *self {
            Parts::Castling(wanted) => mv.is_castling() && side(mv) == wanted,
            Parts::Drop { role, to } => mv.drop() == Some(role) && mv.to() == to,
            Parts::Plain { role, file, rank, to, promotion } => {
                !mv.is_castling()
                    && mv.drop().is_none()
                    && position.moved(mv) == role
                    && mv.to() == to
                    && mv.promotion() == promotion
                    // A pawn's capture names its file.
                    && (role != Role::Pawn || mv.from().file() == file.unwrap_or(to.file()))
                    && file.is_none_or(|file| file == mv.from().file())
                    && rank.is_none_or(|rank| rank == mv.from().rank())
            }
        }
    }
}

/// Cuts `=Q`, `(Q)` or a bare piece letter off the end.
fn split_promotion(text: &str) -> (&str, Option<Role>) {
    let bare = text.trim_end_matches(')');
    let Some(letter) = bare.chars().last() else { return (text, None) };
    let role = match letter {
        'N' | 'B' | 'R' | 'Q' | 'K' | 'n' | 'r' | 'q' | 'k' => Role::from_char(letter),
        // A small b after a rank is a bishop; elsewhere it is a file.
        'b' if bare.len() > 3 => Role::from_char(letter),
        _ => None,
    };
    match role {
        Some(_) => (bare[..bare.len() - 1].trim_end_matches(['=', '(', '/']), role),
        None => (text, None),
    }
}

/// Reads what stands before the target square: a file, a rank, both or nothing, then perhaps `x`, `:` or `-`.
fn read_origin(text: &str) -> Option<(Option<u8>, Option<u8>)> {
    let text = text.trim_end_matches(['x', ':', '-']);
    match *text.as_bytes() {
        [] => Some((None, None)),
        [file @ b'a'..=b'h'] => Some((Some(file - b'a'), None)),
        [rank @ b'1'..=b'8'] => Some((None, Some(rank - b'1'))),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some((Some(file - b'a'), Some(rank - b'1'))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn writes_the_canonical_form_and_reads_it_back() {
        for (fen, uci, san) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Nf3"),
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", "e5d6", "exd6"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q+"),
            ("4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1", "g1f3", "Ngf3"),
            ("4k3/8/8/6N1/8/8/8/4K1N1 w - - 0 1", "g1f3", "N1f3"),
            ("6k1/8/8/8/Q6Q/8/8/K6Q w - - 0 1", "h4e4", "Qh4e4"),
            ("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1", "e1e2", "Kxe2"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "O-O-O"),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#"),
            // The knight on c3 is pinned, so that the other one needs no file.
            ("4k3/8/8/b7/8/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mv = uci.parse::<super::super::UciMove>().unwrap().to_move(&position).unwrap();
            assert_eq!(format(&position, mv), san, "{fen}");
            assert_eq!(parse(&position, san), Ok(mv), "{fen}");
        }
    }

    #[test]
    fn reads_loose_spellings() {
        let position = Position::from_fen("r3k2r/P7/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1").unwrap();
        for (loose, strict) in [
            ("0-0", "O-O"),
            ("O-O-O!?", "O-O-O"),
            ("e5xd6 e.p.", "exd6"),
            ("exd6ep", "exd6"),
            ("e1g1", "O-O"),
            ("e1e2", "Ke2"),
            ("e5:d6", "exd6"),
            ("Ra1-b1", "Rb1"),
            ("Pe6", "e6"),
            ("e5e6", "e6"),
            ("Ke2??", "Ke2"),
        ] {
            assert_eq!(parse(&position, loose), parse(&position, strict), "{loose}");
            assert!(parse(&position, loose).is_ok(), "{loose}");
        }
        let promoting = Position::from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        for loose in ["a8Q", "a8=Q+", "a8(Q)", "a8/Q", "a7a8q"] {
            assert_eq!(parse(&promoting, loose), parse(&promoting, "a8=Q+"), "{loose}");
        }
    }

    #[test]
    fn says_why_a_text_is_no_move() {
        let position = Position::from_fen("4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1").unwrap();
        assert!(matches!(parse(&position, "Nf3"), Err(SanError::Ambiguous { .. })));
        assert!(matches!(parse(&position, "Nf6"), Err(SanError::Illegal { .. })));
        let pawns = Position::from_fen("4k3/8/8/4Pp2/8/8/8/4K3 w - f6 0 2").unwrap();
        assert!(matches!(parse(&pawns, "f6"), Err(SanError::Illegal { .. })));
        for bad in ["", "e", "ef", "Nf", "N", "x", "O-O-O-O", "Nf9", "Zf3", "--", "é4", "=Q"] {
            assert!(matches!(parse(&position, bad), Err(SanError::Invalid(_))), "{bad:?}");
        }
    }
}
