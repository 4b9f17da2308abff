//! The weights as one list of numbers, and back.

use crate::engine::eval::Weights;
use crate::engine::eval::sums::ENDGAME;
use crate::engine::eval::walk::{Walk as _, Word};

/// A weight of the list.
pub(super) struct Place {
    /// Such as `king.attacker[1]`.
    pub(super) name: String,
    /// Where its first number is.
    first: usize,
    /// The second number follows.
    is_pair: bool,
}

impl Place {
    /// The number that adds to a sum when the whole weight grows.
    pub(super) fn number(&self, sum: usize) -> usize {
        self.first + usize::from(self.is_pair && sum == ENDGAME)
    }

    /// The names of its numbers.
    fn names(&self) -> Vec<String> {
        if self.is_pair {
            vec![format!("{}.mg", self.name), format!("{}.eg", self.name)]
        } else {
            vec![self.name.clone()]
        }
    }

    /// Whether what it adds to a sum depends on other weights: all that the danger for a king is made of, since part
    /// of the shelter counts there.
    pub(super) fn is_bent(&self) -> bool {
        ["king.", "shelter", "storm"].iter().any(|start| self.name.starts_with(start))
    }
}

/// Where each weight is in the list.
pub(super) fn places(weights: &Weights) -> Vec<Place> {
    let (mut places, mut first) = (Vec::new(), 0);
    weights.clone().walk("", &mut |name, word| {
        let is_pair = matches!(word, Word::Pair(_));
        places.push(Place { name: name.to_owned(), first, is_pair });
        first += word.numbers().len();
    });
    places
}

/// The name of each number in the list.
pub(super) fn names(weights: &Weights) -> Vec<String> {
    places(weights).iter().flat_map(Place::names).collect()
}

/// The list.
pub(super) fn read(weights: &Weights) -> Vec<f64> {
    let mut numbers = Vec::new();
    weights.clone().walk("", &mut |_, word| numbers.extend(word.numbers().into_iter().map(f64::from)));
    numbers
}

/// The weights of a list, each to the nearest whole number. What is divided by stays above 0.
pub(super) fn write(form: &Weights, numbers: &[f64]) -> Weights {
    let (mut weights, mut next) = (form.clone(), numbers.iter());
    weights.walk("", &mut |name, word| {
        let least = if name.ends_with("divisor") { 1.0 } else { f64::MIN };
        word.change(|_, old| next.next().map_or(old, |number| number.round().max(least) as i32));
    });
    weights
}

/// The weights with one of them raised: a pair in both halves.
pub(super) fn raised(weights: &Weights, place: &Place, by: i32) -> Weights {
    let mut weights = weights.clone();
    weights.walk("", &mut |name, word| {
        if name == place.name {
            word.change(|_, old| old + by);
        }
    });
    weights
}
