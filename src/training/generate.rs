//! Many games on many threads, written in the order of their numbers, and taken up again after an interruption.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use thiserror::Error;

use super::datagen::{Plan, Player};
use super::games::{Game, Games, GamesError, write_header};

/// Why games cannot be written.
#[derive(Debug, Error)]
pub(crate) enum GenerateError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// What is there already is no file of games, or damaged.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// What is there already was made by another plan.
    #[error("the file was made by another plan: \"{there}\", not \"{asked}\"")]
    OtherPlan {
        /// What the file says.
        there: String,
        /// What was asked for.
        asked: String,
    },
}

/// Plays until the file holds so many games. `watch` is told of each game, with how many there are, and says whether to go
/// on; of games that were there already it is told how many there are, once.
pub(crate) fn generate(
    file: &Path,
    plan: &Plan,
    games: u64,
    threads: usize,
    mut watch: impl FnMut(u64, Option<&Game>) -> bool,
) -> Result<(), GenerateError> {
    let (file, first) = open(file, plan)?;
    if !watch(first, None) {
        return Ok(());
    }
    let next = AtomicU64::new(first);
    let (sender, receiver) = sync_channel(threads);
    thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || play(plan, games, next, &sender));
        }
        drop(sender);
        write(file, receiver, first, &mut watch)
    })
}

/// Plays the games that no other thread has begun, until nobody wants them any more.
fn play(plan: &Plan, games: u64, next: &AtomicU64, sender: &SyncSender<(u64, Game)>) {
    let mut player = Player::new(plan);
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= games || sender.send((number, player.game(number))).is_err() {
            break;
        }
    }
}

/// Writes games in their order. Takes the receiver, so that the players end with it.
fn write(
    file: File,
    games: Receiver<(u64, Game)>,
    first: u64,
    watch: &mut impl FnMut(u64, Option<&Game>) -> bool,
) -> Result<(), GenerateError> {
    let mut file = BufWriter::new(file);
    let mut early = BTreeMap::new();
    let mut next = first;
    for (number, game) in games {
        early.insert(number, game);
        while let Some(game) = early.remove(&next) {
            game.write(&mut file)?;
            next += 1;
            if !watch(next, Some(&game)) {
                return Ok(file.flush()?);
            }
        }
    }
    Ok(file.flush()?)
}

/// The file at its end, and how many games are in it. A game that is cut off is removed.
fn open(path: &Path, plan: &Plan) -> Result<(File, u64), GenerateError> {
    let asked = plan.about();
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    if file.metadata()?.len() == 0 {
        write_header(&mut file, &asked)?;
        return Ok((file, 0));
    }
    let mut games = Games::open(BufReader::new(&file))?;
    if games.about() != asked {
        return Err(GenerateError::OtherPlan { there: games.about().to_owned(), asked });
    }
    for game in games.by_ref() {
        game?;
    }
    let (count, whole) = (games.read_so_far(), games.whole_bytes());
    file.set_len(whole)?;
    file.seek(SeekFrom::Start(whole))?;
    Ok((file, count))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::engine::training::Evaluation;
    use crate::training::opening::Openings;

    fn plan(seed: u64) -> Plan {
        let openings = Openings { chess960: 30, ..Openings::default() };
        Plan { seed, nodes: 40, openings, evaluation: Evaluation::hand_made() }
    }

    fn all(_: u64, _: Option<&Game>) -> bool {
        true
    }

    #[test]
    fn the_games_do_not_depend_on_threads_and_interruptions() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        generate(&path("one"), &plan(1), 6, 1, all).unwrap();
        let expected = fs::read(path("one")).unwrap();
        generate(&path("three"), &plan(1), 6, 3, all).unwrap();
        assert!(fs::read(path("three")).unwrap() == expected);

        generate(&path("part"), &plan(1), 6, 2, |count, _| count < 3).unwrap();
        let part = fs::read(path("part")).unwrap();
        assert!(part.len() < expected.len() && expected.starts_with(&part));
        fs::write(path("part"), &expected[..part.len() + 9]).unwrap();
        generate(&path("part"), &plan(1), 6, 2, all).unwrap();
        assert!(fs::read(path("part")).unwrap() == expected, "after a game that was cut off");

        let other = generate(&path("one"), &plan(2), 6, 1, all).unwrap_err().to_string();
        assert!(other.contains("another plan: \"rookery") && other.contains("seed 1"), "{other}");
        fs::write(path("text"), "no games").unwrap();
        let text = generate(&path("text"), &plan(1), 6, 1, all).unwrap_err().to_string();
        assert!(text.starts_with("no file of games"), "{text}");
        assert_eq!(fs::read(path("text")).unwrap(), b"no games", "what is there is not touched");
    }
}
