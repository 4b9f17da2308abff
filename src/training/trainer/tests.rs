//! What the trainer promises: the gradient is the gradient, the outcome depends on data, options and seed alone, what is
//! learnt is what was shown, and the integers are near the numbers.

use super::*;
use crate::chess::{Color, Position, Role};
use crate::engine::training::Accumulators;

/// Random games in which each side is worth a pawn more for each of its knights and bishops.
fn data(count: usize) -> Data {
    let mut random = Random::new(5, 0);
    let mut data = Data::default();
    while data.training.len() < count {
        let start = Position::initial();
        let mut position = start.clone();
        let mut moves = Vec::new();
        for _ in 0..60 {
            let Some(mv) = random.choose(&position.legal_moves()) else { break };
            let minors = |color| {
                (position.pieces(color, Role::Knight) | position.pieces(color, Role::Bishop)).count() as i16
            };
            moves.push((mv, 100 * (minors(Color::White) - minors(Color::Black))));
            position.play(mv);
        }
        data.add(&Game { start, moves, result: 1 }, 10);
    }
    data
}

fn options(hidden: usize) -> Options {
    let mut king_buckets = [0; 64];
    king_buckets[8..].fill(1);
    Options {
        architecture: Architecture {
            mirrored: true,
            king_buckets,
            outputs: 2,
            ..Architecture::plain(hidden)
        },
        seed: 3,
        epochs: 3,
        batch: 256,
        rates: [1e-2, 1e-4],
        decay: 0.01,
        result_share: 0.1,
        threads: 2,
    }
}

#[test]
fn the_gradient_is_that_of_differences() {
    let data = data(64);
    let options = options(32);
    let architecture = &options.architecture;
    let numbers = Numbers::random(architecture, 1);
    let lessons = || data.training.iter().map(|sample| lesson(sample, false, options.result_share));
    let loss = |numbers: &Numbers| {
        let mut lane = Lane::new(architecture);
        lane.work(numbers, architecture, lessons(), false);
        lane.loss
    };
    let mut lane = Lane::new(architecture);
    lane.work(&numbers, architecture, lessons(), true);
    let largest =
        lane.gradient.parts().into_iter().flatten().fold(0.0_f32, |most, slope| most.max(slope.abs()));
    let mut random = Random::new(9, 9);
    let mut checked = 0;
    for part in 0..4 {
        let slopes = lane.gradient.parts()[part].clone();
        let telling: Vec<usize> = (0..slopes.len()).filter(|i| slopes[*i].abs() > largest / 100.0).collect();
        for _ in 0..40 {
            let Some(i) = random.choose(&telling) else { continue };
            let step = 2e-3_f32;
            let moved = |by: f32| {
                let mut numbers = numbers.clone();
                numbers.parts_mut()[part][i] += by;
                loss(&numbers)
            };
            let slope = (moved(step) - moved(-step)) / f64::from(2.0 * step);
            let error = (slope - f64::from(slopes[i])).abs();
            assert!(error < 0.02 * f64::from(largest), "part {part}, number {i}: {slope}, not {}", slopes[i]);
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}

fn train(data: &Data, options: Options) -> Trainer<'_> {
    let mut trainer = Trainer::new(data, options);
    while trainer.epoch(|_| {}).is_some() {}
    trainer
}

#[test]
fn the_outcome_does_not_depend_on_threads() {
    let data = data(1000);
    let [one, two, many] =
        [1, 2, 7].map(|threads| train(&data, Options { threads, ..options(32) }).checkpoint());
    assert!(one == two && two == many);
    let other = train(&data, Options { seed: 4, ..options(32) }).checkpoint();
    assert!(one != other);
}

#[test]
fn a_training_goes_on_as_if_it_had_not_been_interrupted() {
    let data = data(1000);
    let expected = train(&data, options(32));
    let mut first = Trainer::new(&data, options(32));
    first.epoch(|_| {});
    let mut second = Trainer::new(&data, options(32));
    second.restore(&first.checkpoint()).unwrap();
    while second.epoch(|_| {}).is_some() {}
    assert!(second.checkpoint() == expected.checkpoint());
    assert_eq!(second.losses(), expected.losses());

    let bytes = first.checkpoint();
    let mut other = Trainer::new(&data, Options { seed: 4, ..options(32) });
    assert_eq!(other.restore(&bytes), Err(CheckpointError::Other));
    assert_eq!(second.restore(&bytes[..bytes.len() - 1]), Err(CheckpointError::Damaged));
    assert_eq!(second.restore(b"RKGAMES\n"), Err(CheckpointError::Damaged));
}

#[test]
fn what_is_shown_is_learnt_and_the_integers_are_near() {
    let data = data(20_000);
    let trainer = train(&data, Options { epochs: 6, ..options(32) });
    let losses = trainer.losses();
    let (first, last) = (losses[0], losses[5]);
    assert!(last.held_out < first.held_out * 0.8 && last.held_out < 1.5e-3, "{losses:?}");

    let network = trainer.network();
    let mut accumulators = Accumulators::new(&network);
    let mut lane = Lane::new(&trainer.options.architecture);
    let mut random = Random::new(6, 0);
    let mut position = Position::initial();
    let mut worst = 0.0_f64;
    for _ in 0..200 {
        let Some(mv) = random.choose(&position.legal_moves()) else { break };
        position.play(mv);
        let sample = Sample::new(&position, 0, 1);
        let value = f64::from(accumulators.evaluate(&network, &position, 0));
        let float = lane.output(&trainer.numbers, &trainer.options.architecture, &sample);
        worst = worst.max((value - f64::from(float) * f64::from(SCALE)).abs());
    }
    assert!(worst < 15.0, "{worst} centipawns");
}
