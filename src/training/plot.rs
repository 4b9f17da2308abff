//! The losses of a training, drawn.

use std::fmt::Display;

use plotters::prelude::*;

use super::trainer::Losses;

/// The size of the picture, in pixels.
const SIZE: (u32, u32) = (800, 480);

const TRAINING: RGBColor = RGBColor(150, 150, 150);
const HELD_OUT: RGBColor = RGBColor(31, 87, 164);

/// Draws the losses of all epochs as SVG; says why, if that cannot be done.
pub(crate) fn plot(losses: &[Losses]) -> Result<String, String> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE).map_err(text)?;
        let all = || losses.iter().flat_map(|losses| [losses.training, losses.held_out]);
        let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
        let (low, high) = if low < high { (low, high) } else { (0.0, high.max(1e-9)) };
        let mut chart = ChartBuilder::on(&root)
            .caption("mean squared error by epoch; grey: learnt from, blue: held out", ("sans-serif", 15))
            .margin(8)
            .x_label_area_size(24)
            .y_label_area_size(64)
            .build_cartesian_2d(0.5..losses.len() as f64 + 0.5, low..high)
            .map_err(text)?;
        chart.configure_mesh().light_line_style(WHITE).draw().map_err(text)?;
        let curve = |loss: fn(&Losses) -> f64, color: RGBColor| {
            let points = losses.iter().enumerate().map(move |(i, losses)| (i as f64 + 1.0, loss(losses)));
            LineSeries::new(points, color.stroke_width(2)).point_size(2)
        };
        chart.draw_series(curve(|losses| losses.training, TRAINING)).map_err(text)?;
        chart.draw_series(curve(|losses| losses.held_out, HELD_OUT)).map_err(text)?;
        root.present().map_err(text)?;
    }
    Ok(svg)
}

fn text(error: impl Display) -> String {
    format!("the losses cannot be drawn: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_both_curves() {
        let losses = |training| Losses { training, held_out: training + 0.001 };
        for losses in [vec![losses(0.02), losses(0.01)], vec![losses(0.02)], Vec::new()] {
            let svg = plot(&losses).unwrap();
            assert!(svg.starts_with("<svg") && svg.contains("held out"), "{svg}");
            let curves = svg.matches("<polyline fill=\"none\" opacity=\"1\" stroke=\"#1F57A4\"").count();
            assert_eq!(curves, usize::from(!losses.is_empty()), "{svg}");
        }
    }
}
