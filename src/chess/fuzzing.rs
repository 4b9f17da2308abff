//! What must hold for whatever text is read as positions, moves and games: nothing panics, and what a reader accepts is
//! the same when it is written and read again. For the fuzz targets and for the test of their seeds; not built otherwise.

use super::pgn::{Games, decode};
use super::{AnyPosition, CastlingSpelling, Epd, FenError, History, Variant, san};

/// A FEN of any variant is read or refused, and what is read is the same position when written and read again.
pub fn fen(text: &str) {
    let Some((variant, fen)) = variant_and_fen(text) else { return };
    if let Ok(position) = variant.start(Some(fen)) {
        assert_eq!(variant.start(Some(&position.to_fen())).as_ref(), Ok(&position));
        assert_eq!(variant.start(Some(&position.to_shredder_fen())).as_ref(), Ok(&position));
    }
    let read = |fen: &str| AnyPosition::from_unreachable_fen(variant, fen);
    if let Ok(position) = read(fen) {
        assert_eq!(read(&position.to_fen()).as_ref(), Ok(&position));
        for mv in position.legal_moves() {
            let after = position.after(mv);
            assert_eq!(read(&after.to_fen()), Ok(after));
        }
        let _end = History::new(position).end();
    }
}

/// A list of UCI moves is a game or refused, and a game written as UCI is the same game again.
pub fn uci_list(text: &str) {
    let Some((start, moves)) = position_and_rest(text) else { return };
    let Ok(history) = History::from_uci(start.clone(), moves.split_whitespace()) else { return };
    let _end = history.end();
    let words = history.to_uci(CastlingSpelling::KingTakesRook);
    let again = History::from_uci(start, words.split(' ').filter(|word| !word.is_empty()));
    let again = again.expect("because these moves were legal");
    assert_eq!(again.moves(), history.moves());
    assert_eq!(again.position(), history.position());
    assert_eq!(again.keys(), history.keys());
}

/// A move in SAN is read or refused; what is read is legal and the same move when written and read again.
pub fn san(text: &str) {
    let Some((position, text)) = position_and_rest(text) else { return };
    if let Ok(mv) = san::parse(&position, text) {
        assert!(position.is_legal(mv));
        assert_eq!(san::parse(&position, &san::format(&position, mv)), Ok(mv));
    }
}

/// A text of games is read or refused game by game; a game that was read is the same when written and read again.
pub fn pgn(bytes: &[u8]) {
    let text = decode(bytes);
    for (number, game) in (1..).zip(Games::new(&text)) {
        match game {
            Ok(game) => {
                let written = game.to_string();
                let again: Vec<_> = Games::new(&written).collect();
                assert_eq!(again, [Ok(game)], "{written}");
            }
            Err(error) => {
                assert_eq!(error.place.game, number);
                assert!(error.place.line > 0 && error.place.column > 0);
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

/// Lines of test positions are read or refused; the moves of what is read are legal.
pub fn epd(text: &str) {
    for (_, read) in Epd::read_all(text) {
        match read {
            Ok(epd) => {
                assert!(epd.best.iter().chain(&epd.avoid).all(|mv| epd.position.is_legal(*mv)));
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// A FEN, with the variant before a colon if it is not standard chess: `atomic: 8/8/8/8/8/8/8/K7 b - - 0 1`.
fn variant_and_fen(text: &str) -> Option<(Variant, &str)> {
    match text.split_once(':') {
        None => Some((Variant::Standard, text)),
        Some((name, fen)) => Variant::from_name(name).map(|variant| (variant, fen)),
    }
}

/// The position of a FEN, also where no game leads to it.
fn unreachable(text: &str) -> Option<Result<AnyPosition, FenError>> {
    variant_and_fen(text).map(|(variant, fen)| AnyPosition::from_unreachable_fen(variant, fen))
}

/// Splits a text into the position of its first line and the rest. Without a line break it is all rest, and the
/// position that of a new game; none if the first line is no FEN.
fn position_and_rest(text: &str) -> Option<(AnyPosition, &str)> {
    match text.split_once('\n') {
        None => Variant::Standard.start(None).ok().map(|position| (position, text)),
        Some((fen, rest)) => unreachable(fen)?.ok().map(|position| (position, rest)),
    }
}

#[cfg(test)]
mod tests {
    use crate::seeds::each;

    fn texts(target: &str, function: impl Fn(&str)) {
        each(target, |bytes| function(&String::from_utf8_lossy(bytes)));
    }

    #[test]
    fn the_seeds_of_positions() {
        texts("fen", super::fen);
    }

    #[test]
    fn the_seeds_of_moves() {
        texts("uci_list", super::uci_list);
        texts("san", super::san);
    }

    #[test]
    fn the_seeds_of_test_positions() {
        texts("epd", super::epd);
    }

    #[test]
    fn the_seeds_of_games() {
        each("pgn", super::pgn);
    }
}
