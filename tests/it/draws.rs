//! Repetition, quiet moves and claims against tables, ply by ply. Computed with python-chess, by whose reckoning a
//! claim may also rest on a move that is announced; what Lichess does was read from scalachess.

use rookery::chess::{AnyPosition, AutomaticDraws, DrawClaim, GameEnd, History, Position, UciMove, Variant};

/// A game played up to some ply, and the cells of a row that list a value for every ply.
fn each_ply<'a>(
    start: AnyPosition,
    moves: &str,
    lists: &'a [&'a str],
) -> impl Iterator<Item = (History, Vec<&'a str>)> {
    let mut history = History::new(start);
    let moves: Vec<UciMove> = moves.split_whitespace().map(|uci| uci.parse().unwrap()).collect();
    let mut lists: Vec<_> = lists.iter().map(|list| list.split_whitespace()).collect();
    moves.into_iter().map(move |uci| {
        history.push(uci.to_move(history.position()).unwrap());
        (history.clone(), lists.iter_mut().map(|list| list.next().unwrap()).collect())
    })
}

fn flag(set: bool) -> &'static str {
    if set { "1" } else { "0" }
}

/// Whether the side to move may claim, with what is on the board or with some move.
fn can_claim(history: &History, claim: DrawClaim) -> bool {
    let moves = history.position().legal_moves();
    history.supports(claim) || moves.into_iter().any(|mv| history.supports_after(claim, mv))
}

#[test]
fn draws_and_claims_at_every_ply() {
    for row in include_str!("../data/laws/draws.tsv").lines().skip(1) {
        let row: Vec<&str> = row.split('\t').collect();
        let [id, variant, start, moves, end, ref lists @ .., lichess] = row[..] else { panic!("{row:?}") };
        let variant = Variant::from_key(variant).unwrap();
        let start = variant.start(Some(start)).unwrap();
        let mut last = None;
        for (history, cells) in each_ply(start, moves, lists) {
            let ply = history.ply();
            let fivefold = AutomaticDraws { quiet_moves: None, ..AutomaticDraws::FIDE };
            let seventy_five = AutomaticDraws { occurrences: None, ..AutomaticDraws::FIDE };
            assert_eq!(history.position().halfmove_clock().to_string(), cells[0], "{id} ply {ply}");
            assert_eq!(history.occurrences().to_string(), cells[1], "{id} ply {ply}");
            let verdicts = [
                can_claim(&history, DrawClaim::Threefold),
                history.is_drawn_by(fivefold),
                can_claim(&history, DrawClaim::FIFTY_MOVES),
                history.is_drawn_by(seventy_five),
            ];
            assert_eq!(verdicts.map(flag)[..], cells[2..], "{id} ply {ply}");
            last = Some(history);
        }
        let last = last.unwrap();
        assert_eq!(last.position(), &variant.start(Some(end)).unwrap(), "{id}");
        assert_lichess(&last, lichess, id);
    }
}

/// `-` goes on, `?` is not known; the rest are words for what happens.
fn assert_lichess(history: &History, verdict: &str, id: &str) {
    let end = history.end();
    let expected = match verdict {
        "?" => return,
        "-" => end.is_none() && history.occurrences() < 3,
        "claim" => end.is_none() && history.occurrences() >= 3,
        "mate" => matches!(end, Some(GameEnd::Checkmate { .. })),
        "stalemate" => end == Some(GameEnd::Stalemate),
        "draw" => matches!(end, Some(GameEnd::FiftyMoves | GameEnd::FivefoldRepetition)),
        _ => panic!("{id}: {verdict}"),
    };
    assert!(expected, "{id}: {end:?}, not {verdict}");
}

#[test]
fn counts_of_shuffling_games() {
    for row in include_str!("../data/laws/repetition_games.tsv").lines().skip(1) {
        let row: Vec<&str> = row.split('\t').collect();
        let [start, moves, occurrences, clocks, third, fifth] = row[..] else { panic!("{row:?}") };
        let mut first = [String::new(), String::new()];
        for (history, cells) in
            each_ply(Position::from_fen(start).unwrap().into(), moves, &[occurrences, clocks])
        {
            let counted =
                [history.occurrences().to_string(), history.position().halfmove_clock().to_string()];
            assert_eq!(counted[..], cells, "{start} ply {}", history.ply());
            for (first, times) in first.iter_mut().zip([3, 5]) {
                if first.is_empty() && history.occurrences() >= times {
                    *first = history.ply().to_string();
                }
            }
        }
        assert_eq!(first, [third, fifth], "{start} {moves}");
    }
}
