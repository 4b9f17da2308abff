//! The settings as a whole: which sections there are, and how the merged layers become typed values.

use std::path::PathBuf;
use std::time::Duration;

use super::error::{Complaint, ConfigError};
use super::layers::{self, Merged, Sources};
use super::reader::{Reader, Shown, Unit};
use super::sections::{self, HealthSettings, LichessSettings, LogSettings};
use super::token::{self, TokenSourceError};
use crate::bot::{BotOptions, ChallengePolicy, GamePolicy, Thinking};
use crate::engine::PoolOptions;
use crate::lichess::Token;

/// Valid settings of everything that can be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The server and how to talk to it.
    pub lichess: LichessSettings,
    /// Search threads and memory.
    pub engine: PoolOptions,
    /// How long to think.
    pub thinking: Thinking,
    /// Which challenges to accept.
    pub challenges: ChallengePolicy,
    /// How to behave in a game.
    pub games: GamePolicy,
    /// Where recordings go.
    pub record_dir: Option<PathBuf>,
    /// How long running games may go on once the bot was asked to end.
    pub shutdown_grace: Duration,
    /// Who may learn whether the server is heard.
    pub health: HealthSettings,
    /// What is logged, and how.
    pub log: LogSettings,
}

/// Settings with what there is to say about them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// The settings.
    pub settings: Settings,
    /// Every key with its value and where it was set.
    pub shown: Vec<Shown>,
    /// Values that are legal but hardly meant.
    pub warnings: Vec<Complaint>,
}

impl Settings {
    /// Merges the layers and reads every key, or says all that is wrong.
    pub fn load(sources: &Sources) -> Result<Loaded, ConfigError> {
        Settings::of(layers::merge(sources))
    }

    /// Reads every key of the merged layers, or says all that is wrong.
    pub(super) fn of(merged: Merged) -> Result<Loaded, ConfigError> {
        let mut reader = Reader::new(merged);
        let settings = Settings::read(&mut reader);
        let findings = reader.finish();
        if findings.complaints.is_empty() {
            Ok(Loaded { settings, shown: findings.shown, warnings: findings.warnings })
        } else {
            Err(ConfigError { complaints: findings.complaints })
        }
    }

    /// The text of the token, from the environment or the file that the settings name.
    pub fn token(&self, sources: &Sources) -> Result<String, TokenSourceError> {
        token::find(sources, self.lichess.token_file.as_deref())
    }

    /// The options of a bot that uses this token.
    pub fn bot(&self, token: Token) -> BotOptions {
        BotOptions {
            engine: self.engine.clone(),
            thinking: self.thinking.clone(),
            challenges: self.challenges.clone(),
            games: self.games.clone(),
            record_dir: self.record_dir.clone(),
            shutdown_grace: self.shutdown_grace,
            ..BotOptions::new(self.lichess.client(token))
        }
    }

    fn read(reader: &mut Reader) -> Settings {
        let mut settings = Settings::default();
        sections::lichess(reader, &mut settings.lichess);
        sections::engine(reader, &mut settings.engine);
        sections::thinking(reader, &mut settings.thinking);
        sections::challenges(reader, &mut settings.challenges);
        sections::games(reader, &mut settings.games);
        reader.path("record.dir", &mut settings.record_dir);
        reader.time("shutdown.grace_s", Unit::Seconds, 0..=86_400, &mut settings.shutdown_grace);
        sections::health(reader, &mut settings.health);
        sections::log(reader, &mut settings.log);
        settings
    }
}

/// What `config/default.toml` says; a test compares the two.
impl Default for Settings {
    fn default() -> Settings {
        Settings {
            lichess: LichessSettings::default(),
            engine: PoolOptions { threads: sections::processors(), hash_mib: 256, ..PoolOptions::default() },
            thinking: Thinking::default(),
            challenges: ChallengePolicy::default(),
            games: GamePolicy::default(),
            record_dir: Some(PathBuf::from("records")),
            shutdown_grace: Duration::from_secs(600),
            health: HealthSettings::default(),
            log: LogSettings::default(),
        }
    }
}
