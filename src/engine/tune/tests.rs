//! What the tuner finds where the answer is known.

use super::games::SelfPlay;
use super::labelled::{Labelled, LineError};
use super::loss::mean;
use super::numbers::{Place, names, places, raised, read, write};
use super::slopes::Samples;
use super::{Data, Options, Tuner};
use crate::chess::{Color, FenError, Position};
use crate::engine::eval::Weights;
use crate::engine::eval::sums::{Mix, Sums, sums};
use crate::engine::eval::trial::{self, weights};
use crate::random::Random;

/// Positions of games at random, always the same.
pub(crate) fn positions(count: usize) -> Vec<Position> {
    let mut found = Vec::with_capacity(count);
    for game in 0.. {
        let (mut random, mut position) = (Random::new(7, game), Position::initial());
        for ply in 0..90 {
            let Some(mv) = random.choose(&position.legal_moves()) else { break };
            position.play(mv);
            if ply % 10 == 9 {
                found.push(position.clone());
            }
            if found.len() == count {
                return found;
            }
        }
    }
    found
}

/// What comes of positions by weights.
fn by<T>(weights: Weights, positions: &[Position], of: impl Fn(&Position) -> T) -> Vec<T> {
    let former = trial::weights();
    trial::put_in_force(Box::leak(Box::new(weights)));
    let all = positions.iter().map(of).collect();
    trial::put_in_force(former);
    all
}

/// White's values of positions by weights.
fn values(positions: &[Position], weights: Weights) -> Vec<f64> {
    by(weights, positions, |position| Mix::of(position).unwrap().value(&sums(position).map(f64::from)).0)
}

/// Positions whose value comes from the weights.
fn valued(count: usize) -> Vec<Position> {
    positions(count).into_iter().filter(|position| Mix::of(position).is_some()).collect()
}

/// Positions with the points that are expected from their values.
fn as_expected(positions: &[Position], values: &[f64]) -> Vec<Labelled> {
    let label = |(position, value): (&Position, &f64)| {
        let result = 1.0 / (1.0 + 10_f64.powf(-value / 400.0));
        Labelled { position: position.clone(), result }
    };
    positions.iter().zip(values).map(label).collect()
}

/// The weights with some of them raised.
fn changed(changes: &[(&str, i32)]) -> Weights {
    let form = weights();
    changes.iter().fold(form.clone(), |weights, (name, by)| {
        let place = places(form).into_iter().find(|place| place.name == *name).unwrap();
        raised(&weights, &place, *by)
    })
}

#[test]
fn the_gradient_is_that_of_the_loss() {
    let positions = valued(60);
    let results: Vec<f64> = (0..positions.len()).map(|i| [1.0, 0.0, 0.5][i % 3]).collect();
    let labelled = |(position, &result): (&Position, &f64)| Labelled { position: position.clone(), result };
    let form = weights();
    let samples = Samples::new(positions.iter().zip(&results).map(labelled).collect(), form, 2);
    let start = read(form);
    let loss = |numbers: &[f64]| {
        let values = values(&positions, write(form, numbers));
        mean(&values.into_iter().zip(results.iter().copied()).collect::<Vec<_>>(), 0.8)
    };
    let gradient = samples.gradient(&start, 0.8);
    assert!((gradient.loss - loss(&start)).abs() < 1e-9);
    let mut moving = 0;
    for (i, name) in names(form).iter().enumerate() {
        let step = if name == "king.eg_divisor" { 1.0 } else { 20.0 };
        let at = |by: f64| {
            let mut numbers = start.clone();
            numbers[i] += by;
            loss(&numbers)
        };
        let slope = (at(step) - at(-step)) / (2.0 * step);
        let error = (gradient.slopes[i] - slope).abs();
        assert!(error < 0.05 * slope.abs() + 4e-6, "{name}: {} is not {slope}", gradient.slopes[i]);
        moving += usize::from(slope.abs() > 1e-5);
    }
    assert!(moving > 300, "only {moving} numbers matter to these positions");
}

#[test]
fn weights_that_are_not_bent_add_the_same_whatever_the_others_are() {
    let far =
        changed(&[("king.shelter", 30), ("king.attack", 9), ("shelter[0][1]", 40), ("material[4]", -80)]);
    let positions = positions(40);
    let sums_by = |weights: Weights| by(weights, &positions, sums);
    let added = |from: &Weights, before: &[Sums<i32>], place: &Place| -> Vec<Sums<i32>> {
        let pairs = before.iter().zip(sums_by(raised(from, place, 100)));
        pairs.map(|(before, after)| std::array::from_fn(|i| after[i] - before[i])).collect()
    };
    let near = weights();
    let (near_sums, far_sums) = (sums_by(near.clone()), sums_by(far.clone()));
    for place in places(near).iter().filter(|place| !place.is_bent()) {
        let here = added(near, &near_sums, place);
        assert_eq!(here, added(&far, &far_sums, place), "{}", place.name);
        assert!(here.iter().all(|sums| sums[2..] == [0; 4]), "{} is a danger for a king", place.name);
    }
}

/// Weights that few others can stand in for, and how wrong they begin.
const WRONG: &[(&str, i32)] = &[
    ("pawn_push_threat", 40),
    ("hanging", -40),
    ("tempo", 30),
    ("rook_open", 35),
    ("space", -8),
    ("king.safe_check[4]", -90),
];

#[test]
fn known_weights_are_found_again() {
    let truth = weights();
    let positions = valued(1000);
    let expected = values(&positions, truth.clone());
    let mut data = Data::default();
    data.add(as_expected(&positions, &expected), 0.2);
    let options = Options { epochs: 20, rate: 1.0, pull: 0.0, threads: 2 };
    let mut tuner = Tuner::new(data, &changed(WRONG), options);
    while tuner.epoch().is_some() {}
    let (before, tuned) = (tuner.before(), tuner.finish());
    assert!(tuned.after.training < before.training && tuned.after.held_out < before.held_out);
    let distance = |name: &str, weights: &Weights| {
        let place = places(truth).into_iter().find(|place| place.name == name).unwrap();
        (read(weights)[place.number(0)] - read(truth)[place.number(0)]).abs()
    };
    for (name, by) in WRONG {
        let left = distance(name, &tuned.weights);
        assert!(left < 0.6 * f64::from(by.abs()), "{name} is still {left} off");
    }
    let error = |weights: Weights| {
        let values = values(&positions, weights);
        values.iter().zip(&expected).map(|(a, b)| (a - b).abs()).sum::<f64>()
    };
    let (start, end) = (error(changed(WRONG)), error(tuned.weights));
    assert!(end < 0.3 * start, "{start} {end}");
}

#[test]
fn nothing_is_learnt_where_the_weights_are_right_already() {
    let positions = valued(60);
    let mut data = Data::default();
    data.add(as_expected(&positions, &values(&positions, weights().clone())), 0.5);
    let options = Options { epochs: 20, rate: 1.0, pull: 0.0, threads: 1 };
    let mut tuner = Tuner::new(data, weights(), options);
    assert!((tuner.scale() - 1.0).abs() < 1e-3, "{}", tuner.scale());
    let epochs = std::iter::from_fn(|| tuner.epoch()).count();
    let tuned = tuner.finish();
    assert!(epochs < 20, "it went on although nothing got better");
    assert!(tuned.changes.is_empty(), "{}", tuned.changes[0].name);
}

#[test]
fn games_give_quiet_positions_that_can_be_read_back() {
    let mut engine = SelfPlay::new(60);
    let game: Vec<Labelled> = (1..4).flat_map(|number| engine.game(5, number)).collect();
    assert!(game.len() > 20, "{}", game.len());
    for labelled in &game {
        assert!(!labelled.position.is_check());
        let ply = 2 * (labelled.position.fullmove_number() - 1)
            + u16::from(labelled.position.turn() == Color::Black);
        assert!(ply >= 8, "{labelled}");
        assert_eq!(labelled.to_string().parse(), Ok(labelled.clone()), "{labelled}");
    }
    let again: Vec<Labelled> = (1..4).flat_map(|number| SelfPlay::new(60).game(5, number)).collect();
    assert_eq!(game, again);
    assert_ne!(engine.game(5, 1), engine.game(6, 1));
}

#[test]
fn bad_lines_are_told_from_good_ones() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for (line, result) in [("1", 1.0), ("0.5", 0.5), ("0", 0.0)] {
        let labelled: Labelled = format!("{fen};{line}").parse().unwrap();
        assert_eq!((labelled.position.to_fen().as_str(), labelled.result), (fen, result));
    }
    let error = |line: &str| line.parse::<Labelled>().unwrap_err();
    assert_eq!(error(fen), LineError::NoResult);
    assert_eq!(error(&format!("{fen};1-0")), LineError::Result("1-0".to_owned()));
    assert_eq!(error(&format!("{fen}; 1")), LineError::Result(" 1".to_owned()));
    assert_eq!(error(";1"), LineError::Fen(FenError::Empty));
    let illegal = error("4k3/8/8/8/8/8/4P3/8 w - - 0 1;1").to_string();
    assert!(illegal.contains("not a legal position"), "{illegal}");
}
