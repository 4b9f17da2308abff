//! `rookery tune games`: plays on some threads and writes what comes.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Instant;

use super::GamesArgs;
use crate::cli::exit::{Exit, Failure};
use crate::engine::tune::{Labelled, SelfPlay};

/// Games from one report of the progress to the next.
const REPORT: u64 = 200;

/// Runs the command.
pub(super) fn execute(args: &GamesArgs, out: &mut dyn io::Write) -> Result<Exit, Failure> {
    let file = File::create_new(&args.out).map_err(|e| failed(args, e))?;
    let next = AtomicU64::new(0);
    // A game at a time and thread is enough: writing is faster than playing.
    let (sender, games) = sync_channel(usize::from(args.threads));
    std::thread::scope(|scope| {
        for _ in 0..args.threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || play(args, next, &sender));
        }
        drop(sender);
        write(args, games, file, out)
    })
}

/// Plays the games that no other thread has begun, until nobody wants them any more.
fn play(args: &GamesArgs, next: &AtomicU64, sender: &SyncSender<Vec<Labelled>>) {
    let mut engine = SelfPlay::new(args.nodes);
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= args.games || sender.send(engine.game(args.seed, number)).is_err() {
            break;
        }
    }
}

/// Writes games as they come. Takes the receiver, so that the players end with it.
fn write(
    args: &GamesArgs,
    games: Receiver<Vec<Labelled>>,
    file: File,
    out: &mut dyn io::Write,
) -> Result<Exit, Failure> {
    let (mut file, begin) = (BufWriter::new(file), Instant::now());
    let (mut count, mut positions) = (0, 0);
    for game in games {
        count += 1;
        positions += game.len();
        for labelled in &game {
            writeln!(file, "{labelled}").map_err(|e| failed(args, e))?;
        }
        if count % REPORT == 0 || count == args.games {
            let speed = count as f64 / begin.elapsed().as_secs_f64().max(1e-9);
            writeln!(out, "{count} games, {positions} positions, {speed:.1} games a second")
                .and_then(|()| out.flush())
                .map_err(Failure::output)?;
        }
    }
    file.flush().map_err(|e| failed(args, e))?;
    Ok(Exit::Ok)
}

fn failed(args: &GamesArgs, error: io::Error) -> Failure {
    Failure::because(Exit::Failed, format!("cannot write {}", args.out.display()), error)
}
