//! What must hold in every position of every variant, checked along random games: kept keys are right, the ways to ask for
//! moves agree, text reads back, taking back restores, and a mirrored board has mirrored moves.

use rookery::chess::{
    Antichess, AnyPosition, Atomic, CastlingSpelling, Crazyhouse, History, Horde, KingOfTheHill, Move,
    Position, RacingKings, Rules, Standard, ThreeCheck, UciMove,
};

use super::random::Random;

const GAMES: u64 = 12;
const PLIES: usize = 150;
/// Bit patterns that are tried as moves in each position.
const PATTERNS: usize = 300;

#[test]
fn standard() {
    play::<Standard>(Mirror::Exact);
}

#[test]
fn crazyhouse() {
    play::<Crazyhouse>(Mirror::Exact);
}

#[test]
fn antichess() {
    play::<Antichess>(Mirror::Exact);
}

#[test]
fn atomic() {
    play::<Atomic>(Mirror::Exact);
}

#[test]
fn horde() {
    play::<Horde>(Mirror::None);
}

#[test]
fn king_of_the_hill() {
    play::<KingOfTheHill>(Mirror::Exact);
}

#[test]
fn racing_kings() {
    play::<RacingKings>(Mirror::None);
}

#[test]
fn three_check() {
    play::<ThreeCheck>(Mirror::Exact);
}

/// Whether both sides play by the same rules.
#[derive(Clone, Copy, PartialEq)]
enum Mirror {
    Exact,
    None,
}

fn play<R: Rules>(mirror: Mirror)
where
    AnyPosition: From<Position<R>>,
{
    for game in 0..GAMES {
        let mut random = Random::new(game);
        let start: Position<R> = R::START.parse().unwrap();
        let mut history = History::new(start.clone());
        let mut position = start;
        for _ in 0..PLIES {
            check_keys(&position);
            check_moves(&position, &mut random);
            if mirror == Mirror::Exact {
                check_mirror(&position);
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            position.play(mv);
            history.push(mv);
        }
        check_taking_back(history, &mut random);
    }
}

fn check_keys<R: Rules>(position: &Position<R>) {
    let fen = position.to_fen();
    assert_eq!(position.key(), position.key_from_scratch(), "{fen}");
    assert_eq!(&fen.parse::<Position<R>>().unwrap(), position, "{fen}");
    assert_eq!(&position.to_shredder_fen().parse::<Position<R>>().unwrap(), position, "{fen}");
}

fn check_moves<R: Rules>(position: &Position<R>, random: &mut Random) {
    let fen = position.to_fen();
    let all = position.legal_moves();
    assert_eq!(position.count_legal_moves(), all.len() as u64, "{fen}");
    assert_eq!(position.has_legal_move(), !all.is_empty(), "{fen}");
    let mut parts: Vec<u16> =
        position.legal_captures().iter().chain(position.legal_quiets().iter()).map(|mv| mv.raw()).collect();
    let mut whole: Vec<u16> = all.iter().map(|mv| mv.raw()).collect();
    parts.sort_unstable();
    whole.sort_unstable();
    assert_eq!(parts, whole, "{fen}");
    for mv in &all {
        assert!(position.is_legal(mv), "{mv:?} {fen}");
        assert_eq!(Move::from_raw(mv.raw()), Some(mv));
        let uci = UciMove::from_move(mv, CastlingSpelling::KingTakesRook);
        assert_eq!(uci.to_string().parse::<UciMove>().unwrap().to_move(position), Ok(mv), "{mv:?} {fen}");
    }
    for _ in 0..PATTERNS {
        if let Some(mv) = Move::from_raw(random.below(1 << 16) as u16) {
            assert_eq!(position.is_legal(mv), all.contains(&mv), "{mv:?} {fen}");
        }
    }
}

/// Turns the board upside down and changes the colours of everything.
fn check_mirror<R: Rules>(position: &Position<R>) {
    let fen = position.to_fen();
    let mirrored: Position<R> = mirror_fen(&fen).parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut expected: Vec<String> =
        position.legal_moves().iter().map(|mv| mirror_ranks(&words(*mv))).collect();
    let mut found: Vec<String> = mirrored.legal_moves().iter().map(|mv| words(*mv)).collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "{fen}");
    assert_eq!(position.end().is_some(), mirrored.end().is_some(), "{fen}");
}

fn words(mv: Move) -> String {
    UciMove::from_move(mv, CastlingSpelling::KingTakesRook).to_string()
}

fn mirror_fen(fen: &str) -> String {
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let mut ranks: Vec<&str> = fields[0].split('/').collect();
    ranks[..8].reverse();
    fields[0] = swap_case(&ranks.join("/"));
    fields[1] = if fields[1] == "w" { "b".to_owned() } else { "w".to_owned() };
    fields[2] = swap_case(&fields[2]);
    fields[3] = mirror_ranks(&fields[3]);
    if let Some(checks) = fields.get_mut(6) {
        let given: Vec<&str> = checks[1..].split('+').collect();
        *checks = format!("+{}+{}", given[1], given[0]);
    }
    fields.join(" ")
}

fn swap_case(text: &str) -> String {
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    text.chars().map(swap).collect()
}

fn mirror_ranks(text: &str) -> String {
    text.chars().map(|c| c.to_digit(10).map_or(c, |rank| (b'0' + 9 - rank as u8) as char)).collect()
}

fn check_taking_back(mut history: History, random: &mut Random) {
    let ply = random.below(history.ply() + 1);
    let mut again = History::new(history.start().clone());
    for &mv in &history.moves()[..ply] {
        again.push(mv);
    }
    history.truncate(ply);
    assert_eq!(history.position(), again.position());
    assert_eq!(history.keys(), again.keys());
    assert_eq!(history.occurrences(), again.occurrences());
}
