//! One file that lines are added to. Each line is written whole or not at all: what a full disk does not take waits,
//! up to a bound, and what is lost beyond it is counted and told in its place. What the lines mean is not known here.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// How many bytes are gathered before they are written.
const GATHER: usize = 8 * 1024;

/// How many bytes may wait for a disk that takes none; one longer line may.
const MAY_WAIT: usize = 256 * 1024;

/// A file, what waits for it, and what was lost.
#[derive(Debug)]
pub(super) struct Spool {
    file: File,
    waiting: Vec<u8>,
    bytes: u64,
    lost: u64,
}

impl Spool {
    /// Opens a file for more lines. A crash may have left half a line at its end: the next one must not be glued to it.
    pub(super) fn open(path: &Path) -> io::Result<Spool> {
        refuse_links(path)?;
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
        let bytes = file.metadata()?.len();
        let mut last = [b'\n'];
        if bytes > 0 {
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
        }
        let waiting = if last == *b"\n" { Vec::new() } else { vec![b'\n'] };
        Ok(Spool { file, waiting, bytes, lost: 0 })
    }

    /// How long the file is, with what waits for it.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds a line. `gap` makes the one that stands where so many lines are missing.
    pub(super) fn add(&mut self, line: &str, gap: impl Fn(u64) -> String) -> io::Result<()> {
        let flushed = if self.waiting.len() >= GATHER { self.flush() } else { Ok(()) };
        if !self.waiting.is_empty() && self.waiting.len() + line.len() > MAY_WAIT {
            self.lost += 1;
            return flushed;
        }
        if self.lost > 0 {
            let gap = gap(std::mem::take(&mut self.lost));
            self.push(&gap);
        }
        self.push(line);
        flushed
    }

    fn push(&mut self, line: &str) {
        self.waiting.extend_from_slice(line.as_bytes());
        self.waiting.push(b'\n');
        self.bytes = self.bytes.saturating_add(u64::try_from(line.len() + 1).unwrap_or(u64::MAX));
    }

    /// Nothing more will be added: the file is as long as it may be.
    pub(super) fn close(&mut self) {
        self.bytes = u64::MAX;
    }

    /// Writes what waits, as far as the disk takes it.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        while !self.waiting.is_empty() {
            match self.file.write(&self.waiting) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(taken) => drop(self.waiting.drain(..taken)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Writes a whole file. One that is there already is left as it is: another text goes to `name.2.end`, and so on.
pub(super) fn save(dir: &Path, name: &str, text: &str) -> io::Result<()> {
    /// More texts for one name than a bot makes.
    const MOST: u32 = 9;
    let (stem, end) = name.rsplit_once('.').unwrap_or((name, ""));
    for number in 1..=MOST {
        let path = match number {
            1 => dir.join(name),
            _ => dir.join(format!("{stem}.{number}.{end}")),
        };
        // Neither follows a link nor overwrites anything.
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                let written = file.write_all(text.as_bytes());
                return written.or_else(|error| fs::remove_file(&path).and(Err(error)));
            }
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Err(_) => {
                refuse_links(&path)?;
                if fs::read(&path)? == text.as_bytes() {
                    return Ok(());
                }
            }
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "there are too many files of this name"))
}

/// Somebody who may write into the directory could lead us anywhere with a link.
fn refuse_links(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(about) if !about.is_file() => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a plain file there"))
        }
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap(missing: u64) -> String {
        format!("gap {missing}")
    }

    #[test]
    fn half_a_line_is_closed_before_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        fs::write(&path, "{\"se").unwrap();
        let mut spool = Spool::open(&path).unwrap();
        spool.add("x", gap).unwrap();
        spool.flush().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"se\nx\n");
    }

    /// `/dev/full` refuses every byte, as a full disk does.
    #[cfg(target_os = "linux")]
    #[test]
    fn e12_a_full_disk_costs_whole_lines_which_are_counted() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut spool = Spool { file: full, waiting: Vec::new(), bytes: 0, lost: 0 };
        let line = "x".repeat(1000);
        let failures = (0..1000).filter(|_| spool.add(&line, gap).is_err()).count();
        assert!(failures > 900 && spool.waiting.len() <= MAY_WAIT && spool.lost > 700, "{failures}");
        let lost = spool.lost;
        assert_eq!(spool.flush().unwrap_err().kind(), io::ErrorKind::StorageFull);
        spool.file = File::create(&path).unwrap();
        spool.add("after", gap).unwrap();
        spool.flush().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let kept = text.lines().take_while(|found| *found == line).count() as u64;
        assert_eq!(kept + lost, 1000);
        assert!(text.ends_with(&format!("x\ngap {lost}\nafter\n")), "whole lines only");
    }

    #[test]
    fn e09_a_link_is_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let outside = dir.path().join("outside");
        fs::write(&outside, "mine").unwrap();
        let link = dir.path().join("g.pgn");
        std::os::unix::fs::symlink(&outside, &link).unwrap();
        assert!(Spool::open(&link).is_err());
        assert!(save(dir.path(), "g.pgn", "theirs").is_err());
        assert_eq!(fs::read_to_string(&outside).unwrap(), "mine");
    }

    #[test]
    fn e09_a_file_that_is_there_is_not_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        for text in ["one", "two", "one"] {
            save(dir.path(), "g.pgn", text).unwrap();
        }
        let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
        assert_eq!((read("g.pgn"), read("g.2.pgn")), ("one".to_owned(), "two".to_owned()));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
        for text in 0..7 {
            save(dir.path(), "g.pgn", &text.to_string()).unwrap();
        }
        assert!(save(dir.path(), "g.pgn", "too many").is_err());
    }
}
