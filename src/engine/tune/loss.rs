//! How badly values tell results: the logistic loss, and the scale on which it is least.

use std::f64::consts::LN_10;

/// The loss of one value for White, in centipawns, and how it grows with the value. On the scale `k` a lead of 400 / `k`
/// centipawns stands for ten times the points.
pub(super) fn logistic(value: f64, result: f64, k: f64) -> (f64, f64) {
    let factor = k * LN_10 / 400.0;
    let x = factor * value;
    let expected = 1.0 / (1.0 + (-x).exp());
    // -r ln(e) - (1 - r) ln(1 - e), in a form that stands large values.
    let loss = x.max(0.0) + (-x.abs()).exp().ln_1p() - result * x;
    (loss, (expected - result) * factor)
}

/// The mean loss of values with their results.
pub(super) fn mean(values: &[(f64, f64)], k: f64) -> f64 {
    let total: f64 = values.iter().map(|&(value, result)| logistic(value, result, k).0).sum();
    total / values.len().max(1) as f64
}

/// The scale between 0 and 10 on which values tell results best: the loss is convex in it.
pub(super) fn best_scale(values: &[(f64, f64)]) -> f64 {
    let (mut low, mut high) = (0.0, 10.0);
    for _ in 0..60 {
        let third = (high - low) / 3.0;
        if mean(values, low + third) < mean(values, high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_of_the_results_is_found() {
        let expected = |value: f64| 1.0 / (1.0 + 10_f64.powf(-1.3 * value / 400.0));
        let values: Vec<(f64, f64)> =
            (-40..=40).map(|i| f64::from(i) * 10.0).map(|value| (value, expected(value))).collect();
        assert!((best_scale(&values) - 1.3).abs() < 1e-4, "{}", best_scale(&values));
    }

    #[test]
    fn the_loss_is_the_known_one() {
        let (loss, slope) = logistic(0.0, 0.5, 1.0);
        assert!((loss - 2_f64.ln()).abs() < 1e-12 && slope == 0.0);
        let (loss, slope) = logistic(400.0, 1.0, 1.0);
        assert!((loss - 1.1_f64.ln()).abs() < 1e-12 && slope < 0.0, "one point of eleven is lost: {loss}");
        assert!(logistic(30_000.0, 0.0, 1.0).0.is_finite());
    }
}
