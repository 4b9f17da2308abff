//! Puts the terms together: threats, passed pawns, space, and the blend of middlegame and endgame.

use super::endgame::{self, NORMAL, distance};
use super::judge::{Evaluation, Evaluator};
use super::king;
use super::pawns::{PawnCache, PawnEntry, attacks_of, fill, relative};
use super::pieces::Scan;
use super::taper::Taper;
use super::weights::weights;
use crate::chess::{
    AnyPosition, Bitboard, Color, Extra as _, Pockets, Position, Role, Rules, Square, with_rules,
};
use crate::engine::score::{EVAL_LIMIT, Score, Value};
use crate::engine::variant::Play;

/// The value for the side to move, in centipawns, of a position of chess or of a game much like it.
pub(crate) fn evaluate<R: Play>(position: &Position<R>, cache: &mut PawnCache) -> Value {
    let known = if R::ENDINGS { endgame::bare_king(position) } else { None };
    let for_white = known.unwrap_or_else(|| blend(position, cache));
    for_the_mover(position, for_white)
}

/// White's value as the side to move sees it.
pub(crate) fn for_the_mover<R: Rules>(position: &Position<R>, for_white: Value) -> Value {
    let value = if position.turn() == Color::White { for_white } else { -for_white };
    if !R::FIFTY_MOVES {
        return value.clamp(-EVAL_LIMIT, EVAL_LIMIT);
    }
    // The fifty-move rule comes nearer: a lead that makes no progress is worth less.
    let clock = Value::from(position.halfmove_clock().min(100));
    (value * (220 - clock) / 220).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

/// The value of `position` for the side to move, without any search.
pub fn static_score(position: &AnyPosition, evaluation: &Evaluation) -> Score {
    fn value<R: Play>(position: &Position<R>, evaluation: &Evaluation) -> Value {
        R::evaluate(position, &mut Evaluator::new(evaluation), 0)
    }
    Score::from_value(with_rules!(position, position => value(position, evaluation)))
}

fn blend<R: Play>(position: &Position<R>, cache: &mut PawnCache) -> Value {
    let score = sum(position, &cache.get(position), king::safety);
    let phase = phase(position);
    let strong = if score.eg() >= 0 { Color::White } else { Color::Black };
    let scale = if R::ENDINGS { endgame::scale(position, strong) } else { NORMAL };
    let eg = score.eg() * scale / NORMAL;
    (score.mg() * phase + eg * (PHASES - phase)) / PHASES
}

/// White's terms less Black's. `safety` values a king: for the tuner it is a sum of its own.
pub(super) fn sum<R: Play>(
    position: &Position<R>,
    pawns: &PawnEntry,
    mut safety: impl FnMut(&Scan<R>, Color) -> Taper,
) -> Taper {
    let mut scan = Scan::new(position);
    let mut score = pawns.score;
    score += scan.pieces(Color::White, pawns) - scan.pieces(Color::Black, pawns);
    score += side(&scan, Color::White, pawns) - side(&scan, Color::Black, pawns);
    score += safety(&scan, Color::White) - safety(&scan, Color::Black);
    score + if position.turn() == Color::White { weights().tempo } else { -weights().tempo }
}

/// The phase of a full board; 0 is kings and pawns.
pub(super) const PHASES: i32 = 24;

pub(super) fn phase<R: Rules>(position: &Position<R>) -> i32 {
    let count = |role| {
        let in_hand = |pockets: &Pockets| Color::ALL.map(|color| i32::from(pockets.count(color, role)));
        let in_hand = position.extra().pockets().map(in_hand).unwrap_or_default();
        (position.by_role(role).count() as i32) + in_hand[0] + in_hand[1]
    };
    let phase = count(Role::Knight) + count(Role::Bishop) + 2 * count(Role::Rook) + 4 * count(Role::Queen);
    phase.min(PHASES)
}

/// What needs the attacks of both sides, but for the safety of the king.
fn side<R: Play>(scan: &Scan<R>, us: Color, pawns: &PawnEntry) -> Taper {
    R::bonus(scan.position, us) + threats(scan, us) + passed(scan, us, pawns) + space(scan, us)
}

fn threats<R: Rules>(scan: &Scan<R>, us: Color) -> Taper {
    let (c, e) = (us.index(), (!us).index());
    let position = scan.position;
    let enemies = position.colored(!us);
    let pawn = Role::Pawn.index();
    let guarded = scan.by[e][pawn] | scan.twice[e] & !scan.twice[c];
    let mut score = Taper::ZERO;
    let mut each = |by: Bitboard, weights: &[Taper; 6]| {
        for square in enemies & by {
            if let Some(role) = position.role_at(square) {
                score += weights[role.index()];
            }
        }
    };
    each(scan.by[c][pawn], &weights().threat_by_pawn);
    // A guarded pawn is no target, a guarded piece is when what attacks it is worth less.
    let targets = !(position.by_role(Role::Pawn) & guarded);
    let minors = scan.by[c][Role::Knight.index()] | scan.by[c][Role::Bishop.index()];
    each(minors & targets, &weights().threat_by_minor);
    let by_rook = scan.by[c][Role::Rook.index()] & (!guarded | position.by_role(Role::Queen));
    each(by_rook, &weights().threat_by_rook);
    let loose = enemies & !guarded;
    score += weights().threat_by_king * (loose & scan.by[c][Role::King.index()]).count().min(1) as i32;
    let hanging = loose & scan.all[c] & (!scan.all[e] | scan.twice[c] & !position.by_role(Role::Pawn));
    score += weights().hanging * hanging.count() as i32;
    score + weights().pawn_push_threat * push_threats(scan, us).count() as i32
}

/// The enemy pieces that a safe step of a pawn would attack.
fn push_threats<R: Rules>(scan: &Scan<R>, us: Color) -> Bitboard {
    let (c, e) = (us.index(), (!us).index());
    let position = scan.position;
    let step = |set: Bitboard| set.forward(us) & !scan.occupied;
    let once = step(position.pieces(us, Role::Pawn));
    let twice = step(once & Bitboard::rank(us.rank(2)));
    let safe = (once | twice) & !scan.by[e][Role::Pawn.index()] & (scan.all[c] | !scan.all[e]);
    attacks_of(safe, us) & position.colored(!us) & !position.by_role(Role::Pawn)
}

fn passed<R: Rules>(scan: &Scan<R>, us: Color, pawns: &PawnEntry) -> Taper {
    let position = scan.position;
    let (c, e) = (us.index(), (!us).index());
    let mut score = Taper::ZERO;
    for square in pawns.passed & position.colored(us) {
        let rank = usize::from(relative(square, us).rank());
        score += weights().passed[rank];
        let stop = Bitboard::square(square).forward(us);
        let Some(stop_square) = stop.first() else { continue };
        let king = |color: Color| distance(position.king(color), stop_square).min(5);
        score += weights().passed_own_king[rank] * king(us) + weights().passed_enemy_king[rank] * king(!us);
        if (stop & scan.occupied).has_any() {
            continue;
        }
        score += weights().passed_free[rank];
        let way = fill(stop, us);
        let danger =
            way & (scan.all[e] & !(scan.by[c][Role::Pawn.index()] | own_rook_behind(scan, us, square)));
        if danger.is_empty() {
            score += weights().passed_safe[rank];
        }
    }
    score
}

/// The way of the pawn, if an own rook or queen behind it sees through to it.
fn own_rook_behind<R: Rules>(scan: &Scan<R>, us: Color, square: Square) -> Bitboard {
    let heavy = scan.position.by_role(Role::Rook) | scan.position.by_role(Role::Queen);
    let behind = fill(Bitboard::square(square).forward(!us), !us);
    let seen = crate::chess::attacks::rook(square, scan.occupied) & behind;
    if (seen & heavy & scan.position.colored(us)).has_any() {
        fill(Bitboard::square(square), us)
    } else {
        Bitboard::EMPTY
    }
}

/// Safe squares behind and among the own centre pawns.
fn space<R: Rules>(scan: &Scan<R>, us: Color) -> Taper {
    const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
    let ranks = Bitboard::rank(us.rank(1)) | Bitboard::rank(us.rank(2)) | Bitboard::rank(us.rank(3));
    let pawns = scan.position.pieces(us, Role::Pawn);
    let safe = CENTRE_FILES & ranks & !pawns & !scan.by[(!us).index()][Role::Pawn.index()];
    weights().space * safe.count() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(fen: &str) -> Value {
        evaluate(&Position::from_fen(fen).unwrap(), &mut PawnCache::new())
    }

    /// The same position with colours, ranks and the side to move exchanged.
    fn flipped(fen: &str) -> String {
        let fields: Vec<&str> = fen.split(' ').collect();
        let swap = |text: &str| -> String {
            text.chars()
                .map(|c| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
                .collect()
        };
        let ranks: Vec<String> = fields[0].split('/').rev().map(swap).collect();
        let turn = if fields[1] == "w" { "b" } else { "w" };
        format!("{} {turn} {} - {} {}", ranks.join("/"), swap(fields[2]), fields[4], fields[5])
    }

    const POSITIONS: &[&str] = &[
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 3 20",
        "2kr3r/pp1q1ppp/2n1b3/2b1p3/4P3/2NB4/PPP1QPPP/R1B2RK1 b - - 0 12",
        "8/5pk1/4p1p1/3bP2p/1P3P1P/4K1P1/3B4/8 b - - 11 50",
        "6k1/5ppp/3r4/8/1P6/8/5PPP/1R4K1 w - - 0 30",
        "8/8/4k3/8/8/2BN4/4K3/8 w - - 9 80",
    ];

    #[test]
    fn colours_are_treated_alike() {
        for fen in POSITIONS {
            assert_eq!(value(fen), value(&flipped(fen)), "{fen}");
        }
    }

    #[test]
    fn the_start_is_worth_the_first_move() {
        assert!((0..=40).contains(&value(POSITIONS[0])), "{}", value(POSITIONS[0]));
    }

    #[test]
    fn more_material_is_worth_more() {
        assert!(
            value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") + 30
                < value("rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
        );
        assert!(value("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1") > 1500);
    }

    #[test]
    fn a_bare_king_is_driven_to_the_edge() {
        let rook_middle = value("8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
        let rook_edge = value("4k3/8/4K3/8/8/8/8/R7 w - - 0 1");
        assert!(rook_middle > 2000 && rook_edge > rook_middle, "{rook_middle} {rook_edge}");
        let wrong_corner = value("k7/8/1K6/8/8/8/3N4/4B3 w - - 0 1");
        let right_corner = value("7k/8/6K1/8/8/8/3N4/4B3 w - - 0 1");
        assert!(right_corner > wrong_corner);
        assert_eq!(value("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1"), 0, "two knights do not mate");
    }

    #[test]
    fn drawish_endings_are_scaled_down() {
        assert!(value("4k3/8/8/8/8/8/4b3/R3K3 w - - 0 1").abs() < 60, "rook against bishop");
        let opposite = value("4k3/5ppp/3b4/8/8/3B4/PP3PPP/4K3 w - - 0 1");
        let same = value("4k3/5ppp/2b5/8/8/3B4/PP3PPP/4K3 w - - 0 1");
        assert!(opposite < same, "{opposite} {same}");
    }

    #[test]
    fn a_lead_fades_with_the_fifty_moves() {
        let fresh = value("8/5pk1/4p1p1/7p/1P3P1P/4K1P1/3B4/8 w - - 0 50");
        let stale = value("8/5pk1/4p1p1/7p/1P3P1P/4K1P1/3B4/8 w - - 90 95");
        assert!(stale < fresh && stale > 0, "{stale} {fresh}");
    }
}
