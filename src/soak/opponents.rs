//! Who is there in a long run: the bot, and opponents that challenge it again and again. When faults are on, they also
//! do what people do: chat, offer, take back, leave, resign, let their time run out.

use super::SoakOptions;
use crate::chess::Variant;
use crate::sandbox::{Act, Moment, Moves, Outgoing, Reply, Script, ScriptEvent, UserSpec};
use crate::simulation::BOT;

/// The bot's token. It opens nothing but this sandbox.
pub(super) const TOKEN: &str = "tok_rook_soak_71c0";

/// The pause before the next challenge, in milliseconds.
const PAUSE_MS: u64 = 500;

/// All accounts.
pub(super) fn accounts(options: &SoakOptions) -> Vec<UserSpec> {
    let mut users = vec![UserSpec::bot(BOT, TOKEN)];
    users.extend((0..options.at_once).map(|number| opponent(number, options)));
    users
}

fn opponent(number: usize, options: &SoakOptions) -> UserSpec {
    let plain = options.fault_every.is_none();
    let script = Script {
        moves: options.level.map_or(Moves::Random, Moves::Level),
        think_ms: options.think_ms,
        draws: Reply::Decline,
        takebacks: Reply::Decline,
        challenges: Some(Outgoing {
            every_ms: PAUSE_MS,
            clock: options.clock,
            variant: if !plain && number % 4 == 3 { Variant::Chess960 } else { Variant::Standard },
            ..Outgoing::to(BOT)
        }),
        events: if plain { Vec::new() } else { habits(number) },
        ..Script::default()
    };
    UserSpec::scripted(&format!("rival{number}"), script)
}

/// What this one does beside moving.
fn habits(number: usize) -> Vec<ScriptEvent> {
    let sometimes = |percent, at, act| ScriptEvent { percent, ..ScriptEvent::new(at, act) };
    let talk = Act::Chat { lines: 3, text: "are you there?".to_owned() };
    match number % 6 {
        0 => vec![ScriptEvent::new(Moment::Every(6), talk), sometimes(10, Moment::Start, Act::Abort)],
        1 => vec![sometimes(50, Moment::Every(10), Act::OfferDraw)],
        2 => vec![sometimes(50, Moment::Every(8), Act::Takeback)],
        3 => vec![sometimes(30, Moment::Ply(12), Act::Leave { ms: Some(5000) })],
        4 => vec![sometimes(50, Moment::Ply(30), Act::Resign)],
        _ => vec![
            sometimes(5, Moment::Start, Act::NeverMove),
            sometimes(5, Moment::Ply(16), Act::Leave { ms: None }),
            sometimes(5, Moment::Ply(20), Act::Flag),
        ],
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::soak::options::example;

    #[test]
    fn every_opponent_has_a_script_that_makes_sense() {
        let options = SoakOptions { at_once: 12, fault_every: Some(Duration::from_secs(3)), ..example() };
        let users = accounts(&options);
        assert_eq!(users.len(), 13);
        for user in &users[1..] {
            let script = user.script.as_ref().unwrap();
            assert_eq!(script.check(), Ok(()), "{}", user.name);
            assert!(!script.events.is_empty(), "{} does nothing of itself", user.name);
        }
    }

    #[test]
    fn without_faults_they_only_play() {
        let users = accounts(&SoakOptions { fault_every: None, ..example() });
        assert!(users.iter().filter_map(|user| user.script.as_ref()).all(|script| script.events.is_empty()));
    }
}
