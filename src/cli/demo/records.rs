//! Where the bots of a demo record: in the directory that the user named, or in one that goes with the demo. What they
//! recorded says how long their moves took them; nothing else is read from it here.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::ignore::Ignore as _;
use crate::soak::{SoakError, share};

/// A directory for recordings, with one of its own for each bot.
#[derive(Debug)]
pub(crate) struct Records {
    dir: PathBuf,
    keep: Keep,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keep {
    /// The user wants them.
    Always,
    /// They are there to be measured.
    UntilMeasured,
}

impl Records {
    /// Recordings that stay there.
    pub(crate) fn kept(dir: &Path) -> Records {
        Records { dir: dir.to_owned(), keep: Keep::Always }
    }

    /// Recordings that are removed with this. Fails where nothing can be written, as in some containers.
    pub(crate) fn passing() -> io::Result<Records> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let name = format!("rookery-demo-{}-{}", process::id(), now.as_nanos());
        let dir = std::env::temp_dir().join(name);
        // What somebody else has put there is not used.
        fs::create_dir(&dir)?;
        Ok(Records { dir, keep: Keep::UntilMeasured })
    }

    /// Where the bot of this name records.
    pub(crate) fn of(&self, bot: &str) -> PathBuf {
        self.dir.join(bot.to_lowercase())
    }

    /// The own part of these bots in the moves of these games. The bots must have ended.
    pub(crate) fn own_parts(&self, bots: &[&str], games: &[String]) -> Result<Vec<Duration>, SoakError> {
        let mut parts = Vec::new();
        for bot in bots {
            for game in games {
                parts.extend(share::of_file(&self.of(bot).join(format!("{game}.ndjson")))?);
            }
        }
        Ok(parts)
    }
}

impl Drop for Records {
    fn drop(&mut self) {
        if self.keep == Keep::UntilMeasured {
            fs::remove_dir_all(&self.dir).ignore("what is left in the directory for such files harms nobody");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = r#"{"seq":0,"at_ms":0,"kind":"header","body":{"format":2}}
{"seq":1,"at_ms":10,"kind":"input","body":{"input":"line","ageMs":1}}
{"seq":2,"at_ms":10,"kind":"effects","body":[{"effect":"search","ticket":1,"ply":0}]}
{"seq":3,"at_ms":60,"kind":"input","body":{"input":"searched","ticket":1,"thought":{"elapsedMs":49}}}
{"seq":4,"at_ms":60,"kind":"effects","body":[{"effect":"post","ply":0}]}
{"seq":5,"at_ms":90,"kind":"request","body":{"path":"/api/bot/game/a/move/e2e4","elapsed_ms":29}}
"#;

    #[test]
    fn the_moves_of_all_bots_are_measured_and_the_directory_goes() {
        let records = Records::passing().unwrap();
        let dir = records.dir.clone();
        for bot in ["raven", "rook"] {
            fs::create_dir(dir.join(bot)).unwrap();
            fs::write(dir.join(bot).join("a.ndjson"), GAME).unwrap();
        }
        let parts = records.own_parts(&["Raven", "Rook"], &["a".to_owned()]).unwrap();
        assert_eq!(parts, [Duration::from_millis(3); 2]);
        assert!(records.own_parts(&["Raven"], &["b".to_owned()]).is_err(), "a game without a recording");
        drop(records);
        assert!(!dir.exists());
    }

    #[test]
    fn what_the_user_wants_stays() {
        let dir = tempfile::tempdir().unwrap();
        drop(Records::kept(dir.path()));
        assert!(dir.path().exists());
    }
}
