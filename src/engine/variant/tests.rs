//! What the evaluations of the variants hold to be good.

use crate::chess::Variant;
use crate::engine::{Evaluation, static_score};

fn value(variant: Variant, fen: &str) -> i32 {
    let position = variant.start(Some(fen)).unwrap_or_else(|error| panic!("{fen}: {error}"));
    static_score(&position, &Evaluation::default()).centipawns()
}

/// The same position with colours, ranks and the side to move exchanged.
fn flipped(fen: &str) -> String {
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let mut ranks: Vec<&str> = fields[0].split('/').collect();
    ranks[..8].reverse();
    fields[0] = ranks.join("/").chars().map(swap).collect();
    fields[1] = if fields[1] == "w" { "b" } else { "w" }.to_owned();
    fields[2] = fields[2].chars().map(swap).collect();
    if let Some(checks) = fields.get_mut(6) {
        let given: Vec<&str> = checks.split('+').collect();
        *checks = format!("+{}+{}", given[2], given[1]);
    }
    fields.join(" ")
}

/// Horde is not symmetric, and in Racing Kings both go the same way.
#[test]
fn colours_are_treated_alike() {
    use Variant::{Antichess, Atomic, Crazyhouse, KingOfTheHill, ThreeCheck};
    for (variant, fen) in [
        (KingOfTheHill, "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8"),
        (KingOfTheHill, "8/2p5/3p4/1K5r/1R3p1k/8/4P1P1/8 w - - 3 20"),
        (ThreeCheck, "2kr3r/pp1q1ppp/2n1b3/2b1p3/4P3/2NB4/PPP1QPPP/R1B2RK1 b - - 0 12 +1+2"),
        (Crazyhouse, "r1bq1rk1/pp3ppp/2n2n2/2b5/8/2N2N2/PPP2PPP/R1BQK2R/Pbpp w KQ - 2 8"),
        (Antichess, "rnb1kbnr/p1pp1ppp/1p6/8/8/8/PPPP1PPP/RNBQK1NR w - - 0 5"),
        (Atomic, "r1bqkb1r/pp2pppp/2n2n2/3p4/8/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 2 6"),
    ] {
        assert_eq!(value(variant, fen), value(variant, &flipped(fen)), "{variant:?} {fen}");
    }
}

/// Of two positions the side to move likes the second better.
#[test]
fn what_wins_is_worth_more() {
    use Variant::{Antichess, Atomic, Crazyhouse, Horde, KingOfTheHill, RacingKings, ThreeCheck};
    for (variant, worse, better) in [
        (KingOfTheHill, "8/8/8/k7/8/8/7K/8 w - - 0 1", "8/8/8/k7/8/5K2/8/8 w - - 0 1"),
        (ThreeCheck, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 +0+0", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 +1+0"),
        (Crazyhouse, "4k3/8/8/8/8/8/8/4K3/n w - - 0 1", "4k3/8/8/8/8/8/8/4K3/Nn w - - 0 1"),
        (Crazyhouse, "4k3/8/8/8/8/8/8/4K3/Pn w - - 0 1", "4k3/8/8/8/8/8/8/4K3/Np w - - 0 1"),
        (Antichess, "8/pppp4/8/8/8/8/4PPPP/8 w - - 0 1", "8/pppp4/8/8/8/8/5PPP/8 w - - 0 1"),
        (Atomic, "4k3/8/8/8/8/8/8/4K2N w - - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
        (Atomic, "r5k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "r5k1/5ppp/8/8/8/8/8/5RK1 w - - 0 1"),
        (Horde, "4k3/8/8/8/8/8/PPP5/PPP5 w - - 0 1", "4k3/8/PPP5/8/8/8/PPP5/8 w - - 0 1"),
        (RacingKings, "8/8/8/8/8/8/k6K/8 w - - 0 1", "8/8/8/8/7K/8/k7/8 w - - 0 1"),
    ] {
        assert!(value(variant, worse) < value(variant, better), "{variant:?} {worse} {better}");
    }
}
