//! What a script can say: how an account that the sandbox plays chooses its moves, how it answers, and what it does
//! when. The fields are those of the files; following a script is left to `players`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::chess::Variant;

/// The longest line of a chat.
const MAX_CHARS: usize = 140;
/// The most lines that are said at once: as many as a game keeps.
const MAX_LINES: u32 = 1000;

/// How the sandbox plays an account. The default accepts every challenge and plays random moves at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Script {
    /// How moves are chosen.
    pub moves: Moves,
    /// How long a move and the answer to a challenge take: at least and at most, in milliseconds.
    pub think_ms: (u64, u64),
    /// Whether challenges are accepted; else they are declined.
    pub accepts: bool,
    /// What is answered to an offer of a draw.
    pub draws: Reply,
    /// What is answered to a proposal to take moves back.
    pub takebacks: Reply,
    /// Whether a rematch is offered after each game.
    pub rematches: bool,
    /// Challenges that the account makes of itself.
    pub challenges: Option<Outgoing>,
    /// What it does in its games beside moving.
    pub events: Vec<ScriptEvent>,
}

impl Default for Script {
    fn default() -> Script {
        Script {
            moves: Moves::Random,
            think_ms: (0, 0),
            accepts: true,
            draws: Reply::Ignore,
            takebacks: Reply::Ignore,
            rematches: false,
            challenges: None,
            events: Vec::new(),
        }
    }
}

/// How moves are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moves {
    /// Any legal move, none preferred.
    Random,
    /// As the lent opponent of this level, 1 to 8.
    Level(u8),
}

/// How a proposal is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// With yes.
    Accept,
    /// With no.
    Decline,
    /// Not at all.
    Ignore,
}

/// Challenges that an account makes of itself, whenever the opponent is connected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outgoing {
    /// Who is challenged.
    pub to: String,
    /// The pause between two challenges, in milliseconds.
    pub every_ms: u64,
    /// Limit and increment, in seconds.
    #[serde(default = "three_minutes")]
    pub clock: (u32, u32),
    /// The kind of game, by its key.
    #[serde(default = "standard", serialize_with = "write_variant", deserialize_with = "read_variant")]
    pub variant: Variant,
    /// Where the game starts, if not at the variant's own start.
    #[serde(default)]
    pub fen: Option<String>,
    /// Whether it counts.
    #[serde(default)]
    pub rated: bool,
    /// The colour that is asked for.
    #[serde(default)]
    pub color: AskedColor,
    /// No challenge is made while so many games with this opponent go on.
    #[serde(default = "one")]
    pub at_once: usize,
    /// The most challenges that are made.
    #[serde(default)]
    pub times: Option<u64>,
    /// How long after it was made a challenge is withdrawn, in milliseconds.
    #[serde(default)]
    pub cancel_after_ms: Option<u64>,
}

impl Outgoing {
    /// Casual games of three minutes, one after another.
    pub fn to(opponent: &str) -> Outgoing {
        Outgoing {
            to: opponent.to_owned(),
            every_ms: 1000,
            clock: three_minutes(),
            variant: standard(),
            fen: None,
            rated: false,
            color: AskedColor::Random,
            at_once: one(),
            times: None,
            cancel_after_ms: None,
        }
    }
}

/// The colour that a challenge asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskedColor {
    /// White.
    White,
    /// Black.
    Black,
    /// Either.
    #[default]
    Random,
}

/// Something that a scripted player does in its games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptEvent {
    /// When.
    pub at: Moment,
    /// How much later, in milliseconds.
    #[serde(default)]
    pub after_ms: u64,
    /// In how many of a hundred cases, by the seed.
    #[serde(default = "always")]
    pub percent: u8,
    /// What.
    pub act: Act,
}

impl ScriptEvent {
    /// Does something at a moment, always and without delay.
    pub fn new(at: Moment, act: Act) -> ScriptEvent {
        ScriptEvent { at, after_ms: 0, percent: always(), act }
    }
}

/// When an event of a script happens. What happens at a ply comes before the move that is made there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// When the game begins.
    Start,
    /// Once, as soon as so many plies have been played.
    Ply(usize),
    /// Whenever the number of plies becomes a multiple of this.
    Every(usize),
}

/// What a scripted player can do beside moving. What the laws of the game don't allow is refused without a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Act {
    /// Leaves, and neither moves nor acts until it is back.
    Leave {
        /// For how many milliseconds; for good if not given.
        #[serde(default)]
        ms: Option<u64>,
    },
    /// Makes no first move, and therefore none at all.
    NeverMove,
    /// Stops moving, so that its time runs out.
    Flag,
    /// Resigns.
    Resign,
    /// Aborts.
    Abort,
    /// Offers a draw.
    OfferDraw,
    /// Proposes to take moves back.
    Takeback,
    /// Withdraws its own offer and proposal.
    Withdraw,
    /// Says something to both rooms.
    Chat {
        /// How many lines, all at once; they are numbered if there are several.
        #[serde(default = "one_line")]
        lines: u32,
        /// What.
        text: String,
    },
    /// Gives the opponent time.
    GiveTime {
        /// How much.
        seconds: u32,
    },
    /// Halves its own clock and gives up its increment, before its first move.
    Berserk,
}

fn three_minutes() -> (u32, u32) {
    (180, 0)
}

fn standard() -> Variant {
    Variant::Standard
}

fn one() -> usize {
    1
}

fn one_line() -> u32 {
    1
}

fn always() -> u8 {
    100
}

// serde's `serialize_with` hands out a reference.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn write_variant<S: Serializer>(variant: &Variant, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(variant.key())
}

fn read_variant<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Variant, D::Error> {
    let key = String::deserialize(deserializer)?;
    Variant::from_key(&key).ok_or_else(|| {
        let known = Variant::ALL.map(Variant::key).join(", ");
        serde::de::Error::custom(format!("unknown variant {key:?}, expected one of: {known}"))
    })
}

/// What a script says that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key}: expected {expected}")]
pub struct ScriptError {
    /// Where in the script.
    pub key: String,
    /// What may stand there.
    pub expected: &'static str,
}

impl Script {
    /// Whether everything in it makes sense; the first thing that does not.
    pub fn check(&self) -> Result<(), ScriptError> {
        let mut rules = vec![
            (self.think_ms.0 <= self.think_ms.1, "think_ms".to_owned(), "the least and then the most"),
            (
                matches!(self.moves, Moves::Random | Moves::Level(1..=8)),
                "moves.level".to_owned(),
                "a number from 1 to 8",
            ),
        ];
        if let Some(outgoing) = &self.challenges {
            let at = |key: &str| format!("challenges.{key}");
            let (limit, increment) = outgoing.clock;
            rules.extend([
                (outgoing.every_ms > 0, at("every_ms"), "at least 1"),
                (outgoing.at_once > 0, at("at_once"), "at least 1"),
                (limit > 0 || increment > 0, at("clock"), "a limit or an increment of at least 1 second"),
            ]);
        }
        for (n, event) in self.events.iter().enumerate() {
            let at = |key: &str| format!("events[{n}].{key}");
            rules.push((event.at != Moment::Every(0), at("at.every"), "at least 1"));
            rules.push((event.percent <= 100, at("percent"), "a number from 0 to 100"));
            if let Act::Chat { lines, text } = &event.act {
                rules.push((*lines <= MAX_LINES, at("act.chat.lines"), "at most 1000"));
                // Room for the number behind the text.
                let most = MAX_CHARS - if *lines > 1 { 5 } else { 0 };
                let fits = (1..=most).contains(&text.chars().count());
                rules.push((fits, at("act.chat.text"), "1 to 135 characters, or 140 for a single line"));
            }
        }
        let broken = rules.into_iter().find(|(holds, _, _)| !holds);
        broken.map_or(Ok(()), |(_, key, expected)| Err(ScriptError { key, expected }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_has_a_default() {
        assert_eq!(serde_json::from_str::<Script>("{}").unwrap(), Script::default());
        let outgoing: Outgoing = serde_json::from_str(r#"{"to": "ada", "every_ms": 1000}"#).unwrap();
        assert_eq!(outgoing, Outgoing::to("ada"));
        let event: ScriptEvent = serde_json::from_str(r#"{"at": {"ply": 3}, "act": "resign"}"#).unwrap();
        assert_eq!(event, ScriptEvent::new(Moment::Ply(3), Act::Resign));
    }

    #[test]
    fn a_script_is_written_as_it_is_read() {
        let act = |act| ScriptEvent { at: Moment::Every(4), after_ms: 5, percent: 50, act };
        let script = Script {
            moves: Moves::Level(3),
            challenges: Some(Outgoing { variant: Variant::Chess960, ..Outgoing::to("ada") }),
            events: vec![
                act(Act::Leave { ms: Some(7) }),
                act(Act::Chat { lines: 3, text: "hello".to_owned() }),
                act(Act::NeverMove),
            ],
            ..Script::default()
        };
        let json = serde_json::to_string(&script).unwrap();
        assert_eq!(serde_json::from_str::<Script>(&json).unwrap(), script, "{json}");
    }

    /// Each script has one thing that cannot be; the complaint names it.
    #[test]
    fn nonsense_is_named() {
        for (json, key) in [
            (r#"{"think_ms": [5, 4]}"#, "think_ms"),
            (r#"{"moves": {"level": 9}}"#, "moves.level"),
            (r#"{"challenges": {"to": "a", "every_ms": 0}}"#, "challenges.every_ms"),
            (r#"{"challenges": {"to": "a", "every_ms": 1, "at_once": 0}}"#, "challenges.at_once"),
            (r#"{"challenges": {"to": "a", "every_ms": 1, "clock": [0, 0]}}"#, "challenges.clock"),
            (r#"{"events": [{"at": {"every": 0}, "act": "flag"}]}"#, "events[0].at.every"),
            (r#"{"events": [{"at": "start", "percent": 101, "act": "flag"}]}"#, "events[0].percent"),
            (r#"{"events": [{"at": "start", "act": {"chat": {"text": ""}}}]}"#, "events[0].act.chat.text"),
        ] {
            let script: Script = serde_json::from_str(json).unwrap();
            assert_eq!(script.check().unwrap_err().key, key, "{json}");
        }
        assert_eq!(Script::default().check(), Ok(()));
    }

    #[test]
    fn unknown_words_are_refused_with_the_known_ones() {
        for (json, known) in [
            (r#"{"moves": "best"}"#, "`random`"),
            (r#"{"event": []}"#, "`events`"),
            (r#"{"events": [{"at": "end", "act": "flag"}]}"#, "`start`"),
            (r#"{"events": [{"at": "start", "act": "dance"}]}"#, "`never_move`"),
            (r#"{"challenges": {"to": "a", "every_ms": 1, "variant": "chess"}}"#, "kingOfTheHill"),
        ] {
            let error = serde_json::from_str::<Script>(json).unwrap_err().to_string();
            assert!(error.contains(known), "{json}: {error}");
        }
    }
}
