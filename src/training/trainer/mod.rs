//! The trainer: a network learns to foretell the points that scores and results of positions promise.
//!
//! On the processor, with as many threads as wanted; the same data, options and seed give the same network, whatever
//! their number, and so does a training that was interrupted and taken up again.

mod adam;
mod checkpoint;
mod lanes;
mod model;
mod quantise;

#[cfg(test)]
mod tests;

use std::thread;

#[cfg(test)]
use self::checkpoint::CheckpointError;

use self::adam::Adam;
use self::lanes::{Lane, Lesson};
use self::model::Numbers;
use super::games::Game;
use super::samples::Sample;
use crate::engine::training::{Architecture, Network, SCALE};
use crate::random::Random;

/// Parts of a batch. Each has a gradient of its own, and they are added in their order.
const LANES: usize = 4;

/// Positions to learn from, and positions held out.
#[derive(Debug, Default)]
pub(crate) struct Data {
    pub(crate) training: Vec<Sample>,
    pub(crate) held_out: Vec<Sample>,
    games: u64,
}

impl Data {
    /// Takes the positions of a game. So many of a hundred games are held out, always the same.
    pub(crate) fn add(&mut self, game: &Game, held_out: u64) {
        let held_out = Random::new(0, self.games).percent(held_out);
        self.games += 1;
        let part = if held_out { &mut self.held_out } else { &mut self.training };
        game.samples(|position, score| part.push(Sample::new(position, score, game.result)));
    }
}

/// How to train.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Options {
    pub(crate) architecture: Architecture,
    pub(crate) seed: u64,
    /// Times that every position is looked at.
    pub(crate) epochs: u32,
    /// Positions of a step.
    pub(crate) batch: usize,
    /// The rate of the first step and of the last one; between them it falls as a cosine does.
    pub(crate) rates: [f64; 2],
    /// What the weights lose with each step, times the rate.
    pub(crate) decay: f64,
    /// How much of the target the result is; the rest is the score.
    pub(crate) result_share: f64,
    pub(crate) threads: usize,
}

/// The mean squared errors of an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Losses {
    /// Of the positions learnt from, while they were.
    pub(crate) training: f64,
    /// Of the positions held out, after it.
    pub(crate) held_out: f64,
}

/// A network on its way.
pub(crate) struct Trainer<'a> {
    options: Options,
    data: &'a Data,
    numbers: Numbers,
    adam: Adam,
    lanes: Vec<Lane>,
    losses: Vec<Losses>,
}

impl<'a> Trainer<'a> {
    /// Begins with numbers at random.
    pub(crate) fn new(data: &'a Data, options: Options) -> Trainer<'a> {
        let numbers = Numbers::random(&options.architecture, options.seed);
        Trainer {
            adam: Adam::new(&options.architecture),
            lanes: (0..LANES).map(|_| Lane::new(&options.architecture)).collect(),
            numbers,
            data,
            losses: Vec::new(),
            options,
        }
    }

    /// The losses so far, one for each epoch.
    pub(crate) fn losses(&self) -> &[Losses] {
        &self.losses
    }

    /// Looks at every position once, in an order of this epoch; nothing, if there were enough epochs.
    pub(crate) fn epoch(&mut self, mut progress: impl FnMut(usize)) -> Option<Losses> {
        let epoch = self.losses.len() as u32;
        if epoch >= self.options.epochs {
            return None;
        }
        let mut random = Random::new(self.options.seed, u64::from(epoch) + 1);
        let mut order: Vec<u32> = (0..self.data.training.len() as u32).collect();
        random.shuffle(&mut order);
        let steps = order.len().div_ceil(self.options.batch);
        let mut loss = 0.0;
        for (step, batch) in order.chunks(self.options.batch).enumerate() {
            let part = (epoch as usize * steps + step) as f64 / (self.options.epochs as usize * steps) as f64;
            loss += self.step(batch, rate(self.options.rates, part), random.next());
            progress((step * self.options.batch + batch.len()).min(order.len()));
        }
        let losses = Losses { training: loss / order.len().max(1) as f64, held_out: self.held_out() };
        self.losses.push(losses);
        Some(losses)
    }

    /// Learns from a batch; returns the sum of its losses. `flips` decides which positions are mirrored.
    fn step(&mut self, batch: &[u32], rate: f64, flips: u64) -> f64 {
        let samples = &self.data.training;
        let lesson = |(place, index): (usize, &u32)| {
            let mirrored = Random::new(flips, place as u64).next() & 1 == 1;
            self::lesson(&samples[*index as usize], mirrored, self.options.result_share)
        };
        let width = batch.len().div_ceil(LANES).max(1);
        let lessons = (0..LANES).map(|lane| {
            let indices = batch.iter().enumerate().skip(lane * width).take(width);
            indices.map(lesson)
        });
        run(&mut self.lanes, lessons, self.options.threads, |lane, lessons| {
            lane.clear();
            lane.work(&self.numbers, &self.options.architecture, lessons, true);
        });
        self.adam.step(&mut self.numbers, &self.lanes, batch.len(), rate, self.options.decay);
        self.lanes.iter().map(|lane| lane.loss).sum()
    }

    /// The mean loss of the positions held out.
    fn held_out(&mut self) -> f64 {
        let samples = &self.data.held_out;
        let width = samples.len().div_ceil(LANES).max(1);
        let share = self.options.result_share;
        let lessons = (0..LANES).map(|lane| {
            let samples = samples.iter().skip(lane * width).take(width);
            samples.map(|sample| lesson(sample, false, share))
        });
        run(&mut self.lanes, lessons, self.options.threads, |lane, lessons| {
            lane.loss = 0.0;
            lane.work(&self.numbers, &self.options.architecture, lessons, false);
        });
        self.lanes.iter().map(|lane| lane.loss).sum::<f64>() / samples.len().max(1) as f64
    }

    /// The network as it is now, for use.
    pub(crate) fn network(&self) -> Network {
        quantise::network(&self.options.architecture, &self.numbers)
    }
}

/// Gives each lane its lessons, on so many threads.
fn run<L: Send>(
    lanes: &mut [Lane],
    lessons: impl Iterator<Item = L>,
    threads: usize,
    work: impl Fn(&mut Lane, L) + Sync,
) {
    let mut jobs: Vec<(&mut Lane, L)> = lanes.iter_mut().zip(lessons).collect();
    let each = jobs.len().div_ceil(threads.clamp(1, LANES));
    let work = &work;
    thread::scope(|scope| {
        while !jobs.is_empty() {
            let rest = jobs.split_off(each.min(jobs.len()));
            let mine = std::mem::replace(&mut jobs, rest);
            let all = move || mine.into_iter().for_each(|(lane, lessons)| work(lane, lessons));
            if jobs.is_empty() {
                all();
            } else {
                scope.spawn(all);
            }
        }
    });
}

fn lesson(sample: &Sample, mirrored: bool, result_share: f64) -> Lesson<'_> {
    let by_score = 1.0 / (1.0 + (-f64::from(sample.score) / f64::from(SCALE)).exp());
    let by_result = f64::from(sample.result) / 2.0;
    let target = (by_result * result_share + by_score * (1.0 - result_share)) as f32;
    Lesson { sample, mirrored, target }
}

/// The rate at this part of the way.
fn rate([first, last]: [f64; 2], part: f64) -> f64 {
    last + (first - last) * 0.5 * (1.0 + (std::f64::consts::PI * part).cos())
}
