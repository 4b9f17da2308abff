//! The laws against shakmaty, an independent implementation, in random games of every variant: legal moves, their SAN, the
//! FEN, check, the end of the game and who lacks the material to win.
//!
//! `ROOKERY_POSITIONS=10000000 cargo test --release --test it differential` compares that many positions; by default some
//! thousands of each variant. Both follow Lichess but for two differences, which are counted: Lichess draws some closed
//! positions, and looks less closely at material: in atomic chess only a bare king cannot win and bishops of different
//! colours draw only up to four pieces, in antichess only lone knights cannot win.

#![expect(clippy::print_stdout, reason = "a long run reports what it compared")]

use std::ops::ControlFlow;

use rookery::chess::{AnyPosition, CastlingSpelling, Color, GameEnd, Move, Position, UciMove, Variant, san};
use shakmaty::fen::Fen;
use shakmaty::variant as theirs;
use shakmaty::{CastlingMode, EnPassantMode, FromSetup};

use super::random::Random;

/// Positions of each variant that an ordinary test run compares.
const POSITIONS: u64 = 3_000;
/// Random games seldom end by themselves.
const MAX_PLIES: usize = 240;

#[test]
fn standard() {
    compare::<shakmaty::Chess>(Variant::Standard);
}

#[test]
fn chess960() {
    compare::<shakmaty::Chess>(Variant::Chess960);
}

#[test]
fn crazyhouse() {
    compare::<theirs::Crazyhouse>(Variant::Crazyhouse);
}

#[test]
fn antichess() {
    compare::<theirs::Antichess>(Variant::Antichess);
}

#[test]
fn atomic() {
    compare::<theirs::Atomic>(Variant::Atomic);
}

#[test]
fn horde() {
    compare::<theirs::Horde>(Variant::Horde);
}

#[test]
fn king_of_the_hill() {
    compare::<theirs::KingOfTheHill>(Variant::KingOfTheHill);
}

#[test]
fn racing_kings() {
    compare::<theirs::RacingKings>(Variant::RacingKings);
}

#[test]
fn three_check() {
    compare::<theirs::ThreeCheck>(Variant::ThreeCheck);
}

/// Plays games until enough positions are compared; the seed of a game that differs is its number.
fn compare<P: shakmaty::Position + FromSetup + Clone>(variant: Variant) {
    let wanted = std::env::var("ROOKERY_POSITIONS").ok().and_then(|text| text.parse().ok());
    let wanted = wanted.map_or(POSITIONS, |all: u64| all / 9);
    let (mut count, mut explained, mut game) = (0, 0, 0);
    while count < wanted {
        let mut random = Random::new(game);
        let start = match variant {
            Variant::Chess960 => Position::chess960((game % 960) as u16).unwrap().into(),
            _ => variant.start(None).unwrap(),
        };
        let mut both = Pair::<P>::new(start, variant, game);
        for _ in 0..MAX_PLIES {
            count += 1;
            match both.step(&mut random) {
                ControlFlow::Continue(differences) => explained += differences,
                ControlFlow::Break(()) => break,
            }
        }
        game += 1;
    }
    println!("{}: {count} positions of {game} games, {explained} explained differences", variant.key());
}

struct Pair<P> {
    variant: Variant,
    game: u64,
    ours: AnyPosition,
    theirs: P,
}

impl<P: shakmaty::Position + FromSetup + Clone> Pair<P> {
    fn new(ours: AnyPosition, variant: Variant, game: u64) -> Pair<P> {
        let fen: Fen = ours.to_fen().parse().unwrap();
        let theirs = fen.into_position(CastlingMode::Chess960).ok().unwrap();
        Pair { variant, game, ours, theirs }
    }

    /// Compares this position and plays a random move on both boards; breaks when the game is over.
    fn step(&mut self, random: &mut Random) -> ControlFlow<(), u64> {
        self.compare_text();
        let explained = self.compare_ends();
        let moves = self.compare_moves();
        let Some((ours, theirs)) = random.choose(&moves) else { return ControlFlow::Break(()) };
        self.ours.play(*ours);
        self.theirs.play_unchecked(*theirs);
        ControlFlow::Continue(explained)
    }

    fn place(&self) -> String {
        format!("{} game {}: {}", self.variant.key(), self.game, self.ours.to_fen())
    }

    fn compare_text(&self) {
        let ours: Fen = self.ours.to_fen().parse().unwrap();
        let theirs = Fen::from_position(&self.theirs, EnPassantMode::Legal);
        // The drop of a pawn starts Lichess' count of quiet moves anew, shakmaty's not; no rule reads it.
        let [ours, theirs] = [ours, theirs].map(|fen| {
            let mut setup = fen.into_setup();
            if self.variant == Variant::Crazyhouse {
                setup.halfmoves = 0;
            }
            Fen::try_from(setup).unwrap().to_string()
        });
        assert_eq!(ours, theirs, "{}", self.place());
        let fen = self.ours.to_fen();
        let again = self.variant.start(Some(&fen)).unwrap();
        assert_eq!(again, self.ours, "read again: {}", self.place());
        assert_eq!(self.ours.is_check(), self.theirs.is_check(), "{}", self.place());
    }

    /// How the game stands; returns how many differences have a reason.
    fn compare_ends(&self) -> u64 {
        let ours = self.ours.end().filter(|end| *end != GameEnd::FiftyMoves);
        let theirs = self.theirs.outcome();
        let mut differences = u64::from(ours.is_some() != theirs.is_known());
        if differences == 0 {
            let winner = theirs.known().and_then(|outcome| outcome.winner());
            let winner = winner.map(|color| if color.is_white() { Color::White } else { Color::Black });
            assert_eq!(ours.and_then(GameEnd::winner), winner, "{}", self.place());
        } else {
            let known = match ours {
                Some(end) => end == GameEnd::InsufficientMaterial && self.knows_more(),
                None => theirs.winner().is_none() && matches!(self.ours, AnyPosition::Atomic(_)),
            };
            assert!(known, "ends: {ours:?}, {theirs:?}: {}", self.place());
        }
        for color in [Color::White, Color::Black] {
            let their_color = shakmaty::Color::from_white(color == Color::White);
            let lacks = self.theirs.has_insufficient_material(their_color);
            if self.ours.end().is_none() && self.ours.lacks_winning_material(color) != lacks {
                let known = lacks && matches!(self.ours, AnyPosition::Atomic(_) | AnyPosition::Antichess(_));
                assert!(known, "{color} lacks: {lacks} by theirs: {}", self.place());
                differences += 1;
            }
        }
        differences
    }

    /// Whether Lichess draws positions here that shakmaty does not: closed ones, and fortresses.
    fn knows_more(&self) -> bool {
        matches!(self.variant, Variant::Antichess | Variant::Atomic | Variant::Horde)
    }

    /// The legal moves of both, paired.
    fn compare_moves(&self) -> Vec<(Move, shakmaty::Move)> {
        let mut ours: Vec<(String, Move)> = self
            .ours
            .legal_moves()
            .into_iter()
            .map(|mv| (UciMove::from_move(mv, CastlingSpelling::KingTakesRook).to_string(), mv))
            .collect();
        let mut theirs: Vec<(String, shakmaty::Move)> = self
            .theirs
            .legal_moves()
            .into_iter()
            .map(|mv| (mv.to_uci(CastlingMode::Chess960).to_string(), mv))
            .collect();
        ours.sort_by(|a, b| a.0.cmp(&b.0));
        theirs.sort_by(|a, b| a.0.cmp(&b.0));
        let words = |moves: &[String]| moves.join(" ");
        let our_words: Vec<String> = ours.iter().map(|(word, _)| word.clone()).collect();
        let their_words: Vec<String> = theirs.iter().map(|(word, _)| word.clone()).collect();
        assert_eq!(words(&our_words), words(&their_words), "{}", self.place());
        for ((_, our_move), (_, their_move)) in ours.iter().zip(&theirs) {
            let san = san::format(&self.ours, *our_move);
            let theirs = shakmaty::san::SanPlus::from_move(self.theirs.clone(), *their_move).to_string();
            assert_eq!(san, theirs, "{}", self.place());
        }
        ours.into_iter().zip(theirs).map(|(ours, theirs)| (ours.1, theirs.1)).collect()
    }
}
