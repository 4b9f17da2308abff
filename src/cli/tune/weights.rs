//! `rookery tune weights`: reads positions, shows how the losses fall, and writes the weights.

use std::fs;
use std::io;
use std::path::Path;

use super::WeightsArgs;
use crate::cli::exit::{Exit, Failure};
use crate::engine::tune::{Data, Labelled, Losses, Options, Tuned, Tuner};

/// How many of the changed numbers are shown.
const SHOWN: usize = 20;

/// Runs the command.
pub(super) fn execute(args: &WeightsArgs, out: &mut dyn io::Write) -> Result<Exit, Failure> {
    let mut data = Data::default();
    for file in &args.files {
        data.add(read(file)?, args.holdout);
    }
    let options =
        Options { epochs: args.epochs, rate: args.rate, pull: args.pull, threads: usize::from(args.threads) };
    let mut tuner = Tuner::from_here(data, options);
    let tuned = descend(&mut tuner, out).map_err(Failure::output)?;
    show(&tuned, out).map_err(Failure::output)?;
    match &args.out {
        Some(file) => fs::write(file, tuned.file())
            .map_err(|e| Failure::because(Exit::Failed, format!("cannot write {}", file.display()), e))?,
        None => write!(out, "\n{}", tuned.file()).map_err(Failure::output)?,
    }
    Ok(Exit::Ok)
}

/// Reads a file, and names the line that is wrong.
fn read(file: &Path) -> Result<Vec<Labelled>, Failure> {
    let name = file.display();
    let text = fs::read_to_string(file)
        .map_err(|e| Failure::because(Exit::Failed, format!("cannot read {name}"), e))?;
    let line = |(i, line): (usize, &str)| {
        let wrong = |e| Failure::because(Exit::Failed, format!("{name}, line {}", i + 1), e);
        line.parse().map_err(wrong)
    };
    let positions: Vec<Labelled> = text.lines().enumerate().map(line).collect::<Result<_, _>>()?;
    if positions.is_empty() {
        return Err(Failure::new(
            Exit::Failed,
            format!("{name} is empty, expected lines of a FEN and a result"),
        ));
    }
    Ok(positions)
}

fn descend(tuner: &mut Tuner, out: &mut dyn io::Write) -> io::Result<Tuned> {
    let [training, held_out, left_out] = tuner.counts();
    writeln!(
        out,
        "{training} positions to learn from, {held_out} held out, {left_out} left out that the weights do not value"
    )?;
    writeln!(
        out,
        "scale {:.3}: a lead of {:.0} centipawns stands for ten times the points",
        tuner.scale(),
        400.0 / tuner.scale()
    )?;
    line(out, "before", tuner.before())?;
    let mut epoch = 0;
    while let Some(losses) = tuner.epoch() {
        epoch += 1;
        line(out, &format!("epoch {epoch}"), losses)?;
    }
    let tuned = tuner.finish();
    line(out, "rounded", tuned.after)?;
    Ok(tuned)
}

fn line(out: &mut dyn io::Write, what: &str, losses: Losses) -> io::Result<()> {
    writeln!(out, "{what:<10} training {:.6}  held out {:.6}", losses.training, losses.held_out)?;
    out.flush()
}

fn show(tuned: &Tuned, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "{} numbers changed", tuned.changes.len())?;
    for change in tuned.changes.iter().take(SHOWN) {
        writeln!(out, "  {:<24} {:>5} -> {:>5}", change.name, change.before, change.after)?;
    }
    Ok(())
}
