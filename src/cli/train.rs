//! `rookery train`: a network from files of games.

use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::exit::{Exit, Failure};
use crate::training::{Architecture, Data, Games, Losses, TrainOptions, Trainer, plot};

/// Train a network on games of the engine against itself
///
/// On the processor. The same files, options and seed give the same network, whatever the number of threads. After each
/// epoch the state is written beside the network, as FILE.state; a training that is there already is taken up again.
#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    /// Files of rookery datagen
    #[arg(required = true, value_name = "GAMES")]
    files: Vec<PathBuf>,

    /// The network
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Hidden values of each side: a multiple of 32
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = hidden)]
    hidden: usize,

    /// See the board so that the own king stands on the files a to d
    #[arg(long)]
    mirrored: bool,

    /// Outputs, of which the number of pieces chooses one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=32))]
    outputs: u8,

    /// The set of features for each square of the own king, as 64 letters from a1 on by ranks, beginning with a
    #[arg(long, value_name = "LETTERS", value_parser = king_buckets)]
    king_buckets: Option<[u8; 64]>,

    /// How often every position is looked at
    #[arg(long, value_name = "N", default_value_t = 16)]
    epochs: u32,

    /// How much the result counts beside the score
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    result_share: f64,

    /// Positions of a step
    #[arg(long, value_name = "N", default_value_t = 16_384)]
    batch: usize,

    /// The rate of the first step
    #[arg(long, value_name = "X", default_value_t = 1e-3)]
    rate: f64,

    /// The rate of the last step
    #[arg(long, value_name = "X", default_value_t = 1e-5)]
    last_rate: f64,

    /// What the weights lose in a step, times the rate
    #[arg(long, value_name = "X", default_value_t = 0.01)]
    decay: f64,

    /// How many of a hundred games are held out to see what was learnt
    #[arg(long, value_name = "PERCENT", default_value_t = 2, value_parser = clap::value_parser!(u64).range(0..=50))]
    held_out: u64,

    /// The source of chance
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Threads; 0 for one a processor
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,

    /// Draw the losses into this file, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

fn hidden(text: &str) -> Result<usize, String> {
    let hidden =
        text.parse().ok().filter(|hidden: &usize| (32..=4096).contains(hidden) && hidden.is_multiple_of(32));
    hidden.ok_or_else(|| "expected a multiple of 32, at most 4096".to_owned())
}

fn king_buckets(text: &str) -> Result<[u8; 64], String> {
    let sets: Option<Vec<u8>> =
        text.bytes().map(|letter| letter.checked_sub(b'a').filter(|set| *set < 32)).collect();
    let sets: Option<[u8; 64]> = sets.and_then(|sets| sets.try_into().ok());
    sets.ok_or_else(|| "expected 64 small letters".to_owned())
}

/// Runs the command.
pub(crate) fn execute(args: &TrainArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let data = read(args)?;
    say(out, &format!("{} positions to learn from, {} held out", data.training.len(), data.held_out.len()))?;
    let options = TrainOptions {
        architecture: Architecture {
            mirrored: args.mirrored,
            king_buckets: args.king_buckets.unwrap_or([0; 64]),
            outputs: args.outputs.into(),
            ..Architecture::plain(args.hidden)
        },
        seed: args.seed,
        epochs: args.epochs,
        batch: args.batch.max(1),
        rates: [args.rate, args.last_rate],
        decay: args.decay,
        result_share: args.result_share,
        threads: match args.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads.into(),
        },
    };
    let mut trainer = Trainer::new(&data, options);
    let state = state_of(&args.out);
    if let Ok(bytes) = fs::read(&state) {
        trainer.restore(&bytes).map_err(|e| {
            Failure::because(Exit::Failed, format!("cannot go on from {}", state.display()), e)
        })?;
        say(out, &format!("going on after epoch {}", trainer.losses().len()))?;
    }
    while let Some(losses) = epoch(&mut trainer, data.training.len()) {
        write(&state, &trainer.checkpoint())?;
        let Losses { training, held_out } = losses;
        say(
            out,
            &format!("epoch {:>3}  training {training:.6}  held out {held_out:.6}", trainer.losses().len()),
        )?;
    }
    let network = trainer.network();
    write(&args.out, &network.write())?;
    if let Some(file) = &args.plot {
        let picture = plot(trainer.losses()).map_err(|why| Failure::new(Exit::Failed, why))?;
        write(file, picture.as_bytes())?;
    }
    say(out, &format!("network {} in {}", network.name(), args.out.display()))?;
    match fs::remove_file(&state) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => {
            Err(Failure::because(Exit::Failed, format!("cannot remove {}", state.display()), e))
        }
        _ => Ok(Exit::Ok),
    }
}

/// Where a training that is interrupted is kept.
fn state_of(network: &Path) -> PathBuf {
    let mut name = network.as_os_str().to_owned();
    name.push(".state");
    name.into()
}

fn read(args: &TrainArgs) -> Result<Data, Failure> {
    let mut data = Data::default();
    for path in &args.files {
        let name = path.display();
        let failed = |e: &dyn std::error::Error| Failure::new(Exit::Failed, format!("{name}: {e}"));
        let file =
            File::open(path).map_err(|e| Failure::because(Exit::Failed, format!("cannot read {name}"), e))?;
        for game in Games::open(BufReader::new(file)).map_err(|e| failed(&e))? {
            data.add(&game.map_err(|e| failed(&e))?, args.held_out);
        }
    }
    match data.training.is_empty() {
        true => Err(Failure::new(Exit::Failed, "there is no position to learn from")),
        false => Ok(data),
    }
}

fn epoch(trainer: &mut Trainer<'_>, positions: usize) -> Option<Losses> {
    let bar =
        if io::stderr().is_terminal() { ProgressBar::new(positions as u64) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions, {per_sec}, {eta} left")
    {
        bar.set_style(style);
    }
    let losses = trainer.epoch(|done| bar.set_position(done as u64));
    bar.finish_and_clear();
    losses
}

fn say(out: &mut dyn Write, line: &str) -> Result<(), Failure> {
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(Failure::output)
}

/// Writes a file so that there is always a whole one.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let written = fs::write(&new, bytes).and_then(|()| fs::rename(&new, path));
    written.map_err(|e| Failure::because(Exit::Failed, format!("cannot write {}", path.display()), e))
}
