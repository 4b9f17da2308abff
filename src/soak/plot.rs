//! The plot of a run: memory, descriptors and threads over time with marks for faults and kills, and how the recoveries
//! are spread.

use std::fmt::Display;
use std::time::Duration;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::figures::Sample;
use super::timeline::Timeline;

/// The size of the whole, in pixels.
const SIZE: (u32, u32) = (1000, 1100);

const LINE: RGBColor = RGBColor(31, 87, 164);
const KILL: RGBColor = RGBColor(200, 30, 30);
const FAULT: RGBColor = RGBColor(150, 150, 150);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Draws it as SVG.
pub(super) fn draw(timeline: &Timeline, recoveries: &[Duration]) -> Result<String, String> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE).map_err(text)?;
        let [memory, descriptors, threads, spread] = <[Area<'_>; 4]>::try_from(root.split_evenly((4, 1)))
            .map_err(|_| "an area is missing".to_owned())?;
        level(&memory, "resident memory (MiB)", timeline, |sample| sample.memory_kib as f64 / 1024.0)?;
        level(&descriptors, "descriptors", timeline, |sample| sample.descriptors as f64)?;
        level(&threads, "threads", timeline, |sample| sample.threads as f64)?;
        distribution(&spread, recoveries)?;
        root.present().map_err(text)?;
    }
    Ok(svg)
}

/// One measure over time. Each process has a line of its own.
fn level(
    area: &Area<'_>,
    caption: &str,
    timeline: &Timeline,
    measure: impl Fn(&Sample) -> f64,
) -> Result<(), String> {
    let Timeline { samples, faults, kills } = timeline;
    let times =
        samples.iter().map(|sample| sample.at).chain(faults.iter().copied()).chain(kills.iter().copied());
    let end = minutes(times.max().unwrap_or_default()).max(0.01);
    let top = samples.iter().map(&measure).fold(1.0, f64::max) * 1.15;
    let caption = format!("{caption}; grey: faults, red: kills; minutes");
    let mut chart = ChartBuilder::on(area)
        .caption(caption, ("sans-serif", 15))
        .margin(8)
        .x_label_area_size(24)
        .y_label_area_size(48)
        .build_cartesian_2d(0.0..end, 0.0..top)
        .map_err(text)?;
    chart.configure_mesh().light_line_style(WHITE).x_labels(12).y_labels(6).draw().map_err(text)?;
    let mark = |at: &Duration, height: f64, color: RGBColor| {
        PathElement::new(vec![(minutes(*at), 0.0), (minutes(*at), height)], color)
    };
    chart.draw_series(faults.iter().map(|at| mark(at, top * 0.06, FAULT))).map_err(text)?;
    chart.draw_series(kills.iter().map(|at| mark(at, top, KILL))).map_err(text)?;
    for life in samples.chunk_by(|one, next| one.life == next.life) {
        let points = life.iter().map(|sample| (minutes(sample.at), measure(sample)));
        chart.draw_series(LineSeries::new(points, LINE)).map_err(text)?;
    }
    Ok(())
}

/// Which part of the recoveries took at most how long.
fn distribution(area: &Area<'_>, recoveries: &[Duration]) -> Result<(), String> {
    // A logarithm has no zero.
    let ms = |time: &Duration| (time.as_secs_f64() * 1000.0).max(0.1);
    let end = recoveries.last().map_or(10_000.0, ms).max(10_000.0);
    let mut chart = ChartBuilder::on(area)
        .caption("from a fault's end to the owed move: % within so many ms", ("sans-serif", 15))
        .margin(8)
        .x_label_area_size(24)
        .y_label_area_size(48)
        .build_cartesian_2d((0.1..end).log_scale(), 0.0..100.0)
        .map_err(text)?;
    chart.configure_mesh().light_line_style(WHITE).y_labels(6).draw().map_err(text)?;
    let part = |rank: usize| rank as f64 * 100.0 / recoveries.len() as f64;
    let steps =
        recoveries.iter().enumerate().flat_map(|(n, time)| [(ms(time), part(n)), (ms(time), part(n + 1))]);
    chart.draw_series(LineSeries::new(steps, LINE)).map_err(text)?;
    Ok(())
}

fn minutes(time: Duration) -> f64 {
    time.as_secs_f64() / 60.0
}

fn text(error: impl Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeline(seconds: u64) -> Timeline {
        let sample = |second: u64| Sample {
            at: Duration::from_secs(second),
            life: usize::from(second >= 30),
            memory_kib: 20_000 + second,
            descriptors: 30,
            threads: 9,
        };
        Timeline {
            samples: (0..seconds).map(sample).collect(),
            faults: vec![Duration::from_secs(10); 3],
            kills: vec![Duration::from_secs(30)],
        }
    }

    #[test]
    fn every_life_fault_and_kill_is_drawn() {
        let recoveries = [1, 5, 5, 900].map(Duration::from_millis);
        let svg = draw(&timeline(60), &recoveries).unwrap();
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{svg}");
        let drawn = |color: &str| {
            svg.lines().filter(|line| line.contains("<polyline") && line.contains(color)).count()
        };
        assert_eq!(drawn("#1F57A4"), 2 * 3 + 1, "two lives in three charts, and the distribution");
        assert_eq!(drawn("#C81E1E"), 3, "a kill in three charts");
        assert_eq!(drawn("#969696"), 3 * 3, "three faults in three charts");
    }

    #[test]
    fn a_run_without_anything_has_a_plot_too() {
        assert!(draw(&timeline(0), &[]).is_ok());
        assert!(draw(&timeline(1), &[Duration::ZERO]).is_ok());
    }
}
