//! `rookery scrub FILE`: recordings without the people in them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::exit::{Exit, Failure};
use crate::printable::printable;
use crate::record::Scrubber;
use crate::replay::replay_from;

/// The environment variable that holds the token.
const TOKEN: &str = "ROOKERY_TOKEN";

/// Take names, ids, chat, tokens, addresses and dates out of recordings, so that they can be shared
///
/// The same name becomes the same invented one in all files that are given at once, and the scrubbed recordings are
/// decided as the originals were. Files named after a game get its invented id for a name. Ratings, clocks and moves
/// stay. Without -o or --in-place the scrubbed recordings go to standard output.
#[derive(Args, Debug)]
pub(crate) struct ScrubArgs {
    /// The recordings
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write the scrubbed files into this directory, which is made if need be
    #[arg(short, long, value_name = "DIR", conflicts_with = "in_place")]
    output: Option<PathBuf>,

    /// Replace the files
    #[arg(long)]
    in_place: bool,
}

/// Scrubs all files together, and looks whether they are still decided as they were.
pub(crate) fn execute(args: &ScrubArgs, out: &mut dyn io::Write) -> Result<Exit, Failure> {
    let mut scrubber = Scrubber::new(std::env::var(TOKEN).into_iter().collect());
    for file in &args.files {
        scrubber.learn(&read(file)?);
    }
    if let Some(dir) = &args.output {
        fs::create_dir_all(dir).map_err(|error| failure("cannot make", dir, error))?;
    }
    for file in &args.files {
        let recording = read(file)?;
        let scrubbed = scrubber.scrub(&recording);
        check(file, &recording, &scrubbed)?;
        let Some(dir) = args.output.as_deref().or_else(|| args.in_place.then(|| file.parent()).flatten())
        else {
            out.write_all(scrubbed.as_bytes()).map_err(Failure::output)?;
            continue;
        };
        let path = dir.join(renamed(file, &scrubber));
        save(&path, &scrubbed)?;
        if args.in_place && path != *file {
            fs::remove_file(file).map_err(|error| failure("cannot remove", file, error))?;
        }
        let told = format!("{} -> {}", file.display(), path.display());
        writeln!(out, "{}", printable(&told)).map_err(Failure::output)?;
    }
    Ok(Exit::Ok)
}

fn read(file: &Path) -> Result<String, Failure> {
    let bytes = fs::read(file).map_err(|error| failure("cannot read", file, error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A scrubbed recording proves something only if it is decided as the original.
fn check(file: &Path, recording: &str, scrubbed: &str) -> Result<(), Failure> {
    let outcome = |text: &str| {
        let report = replay_from(text.as_bytes()).ok();
        report.map(|report| (report.parts, report.inputs, report.effects, report.is_same()))
    };
    if outcome(recording) == outcome(scrubbed) {
        return Ok(());
    }
    let name = file.display();
    Err(Failure::new(
        Exit::Failed,
        format!("{name}: scrubbed, it would be decided in another way; nothing was written"),
    ))
}

fn renamed(file: &Path, scrubber: &Scrubber) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let mut name = PathBuf::from(scrubber.rename(&stem));
    if let Some(extension) = file.extension() {
        name.set_extension(extension);
    }
    name
}

/// Through a second file, so that a full disk does not cost the first.
fn save(path: &Path, text: &str) -> Result<(), Failure> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    fs::write(&new, text).map_err(|error| failure("cannot write", &new, error))?;
    fs::rename(&new, path).map_err(|error| failure("cannot write", path, error))
}

fn failure(what: &str, path: &Path, error: io::Error) -> Failure {
    Failure::because(Exit::Failed, format!("{what} {}", path.display()), error)
}
