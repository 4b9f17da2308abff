//! What happens in a run: who plays the bot how, and what goes wrong when. Everything is drawn from the seed; nothing
//! here acts.

use std::time::Duration;

use super::dice::Dice;
use super::mind::Habit;
use super::mishap;
use crate::bot::{ChallengePolicy, DrawWindow, GamePolicy, ResignPolicy, Thinking};
use crate::chess::Variant;
use crate::lichess::Speed;
use crate::sandbox::{
    Act, GameSetup, Moment, Moves, Outgoing, Reply, RequestLimits, SandboxOptions, Scenario, Script,
    ScriptEvent, UserSpec,
};

/// The bot that is watched.
pub(crate) const BOT: &str = "rook";

/// Its token: it must not be seen anywhere.
pub(super) const TOKEN: &str = "tok_rook_5f2c9e";

/// A run.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// How long the wire takes in one direction.
    pub(super) lag: Duration,
    /// Games to be played.
    pub(super) games: usize,
    pub(super) sandbox: SandboxOptions,
    pub(super) challenges: ChallengePolicy,
    pub(super) policy: GamePolicy,
    pub(super) thinking: Thinking,
    pub(super) habit: Habit,
    /// Games that begin at once, without a challenge.
    pub(super) arranged: Vec<GameSetup>,
}

impl Plan {
    /// The plan of a seed.
    pub(super) fn of(seed: u64) -> Plan {
        let mut dice = Dice::new(seed, 1);
        let mut users = vec![UserSpec::bot(BOT, TOKEN)];
        for n in 0..dice.between(2, 5) {
            users.push(opponent(&mut dice, n));
        }
        let faults = dice.between(4, 20);
        let mut faulty = Dice::new(seed, 2);
        let sandbox = SandboxOptions {
            users,
            limits: if dice.percent(30) { RequestLimits::lichess() } else { RequestLimits::NONE },
            seed: Some(seed),
            date: Some(Duration::from_secs(1_900_000_000)),
            tick: Duration::from_millis(200),
            scenario: Scenario { seed, rules: (0..faults).map(|_| mishap::rule(&mut faulty)).collect() },
            ..SandboxOptions::default()
        };
        Plan {
            lag: Duration::from_millis(dice.between(1, 80)),
            games: dice.size(6, 12),
            sandbox,
            challenges: challenges(&mut dice),
            policy: policy(&mut dice),
            thinking: Thinking { ponder: dice.percent(30), ..Thinking::default() },
            habit: Habit::Wild,
            arranged: Vec::new(),
        }
    }
}

/// Somebody who challenges the bot again and again.
fn opponent(dice: &mut Dice, number: u64) -> UserSpec {
    let name = format!("rival{number}");
    let token = format!("tok_{name}");
    let user = if dice.percent(60) { UserSpec::bot(&name, &token) } else { UserSpec::human(&name, &token) };
    let clock = *dice.pick(&[(30, 0), (60, 0), (60, 1), (120, 1), (180, 0), (15, 1)]);
    let (variant, fen) = start(dice);
    let script = Script {
        moves: Moves::Random,
        think_ms: (dice.between(0, 100), dice.between(100, 1500)),
        accepts: true,
        draws: *dice.pick(&[Reply::Accept, Reply::Decline, Reply::Ignore]),
        takebacks: *dice.pick(&[Reply::Accept, Reply::Decline, Reply::Ignore]),
        rematches: dice.percent(10),
        challenges: Some(Outgoing {
            every_ms: dice.between(500, 8000),
            clock,
            variant,
            fen,
            rated: dice.percent(50) && variant != Variant::FromPosition,
            cancel_after_ms: dice.percent(15).then(|| dice.between(1, 2000)),
            ..Outgoing::to(BOT)
        }),
        events: events(dice),
    };
    UserSpec { script: Some(script), accepts_takebacks: dice.percent(70), ..user }
}

/// Endings, so that games end by themselves, among all kinds of game.
fn start(dice: &mut Dice) -> (Variant, Option<String>) {
    const ENDINGS: [&str; 6] = [
        "8/8/8/4k3/8/8/4K2R/8 w - - 0 1",
        "8/5pk1/6p1/8/3K4/8/1R6/8 b - - 3 41",
        "7k/8/6K1/8/8/8/8/R7 w - - 90 80",
        "8/P7/8/8/8/8/k1K5/8 w - - 0 1",
        "4k3/8/8/8/8/8/4q3/4K2N w - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    ];
    match dice.between(1, 100) {
        1..=40 => (Variant::Standard, None),
        41..=70 => (Variant::FromPosition, Some((*dice.pick(&ENDINGS)).to_owned())),
        _ => (
            *dice.pick(&Variant::ALL.map(|variant| match variant {
                Variant::FromPosition => Variant::Chess960,
                other => other,
            })),
            None,
        ),
    }
}

fn events(dice: &mut Dice) -> Vec<ScriptEvent> {
    // Most games are ended early: whole games of random moves are long, and all alike.
    let mut events = Vec::new();
    if dice.percent(75) {
        let ply = dice.size(4, 60);
        events.push(ScriptEvent::new(Moment::Ply(ply), Act::Resign));
    }
    for _ in 0..dice.between(0, 3) {
        let act = match dice.between(0, 9) {
            0 => Act::Leave { ms: dice.percent(70).then(|| dice.between(500, 60_000)) },
            1 => Act::NeverMove,
            2 => Act::Flag,
            3 => Act::Abort,
            4 => Act::OfferDraw,
            5 => Act::Takeback,
            6 => Act::Withdraw,
            7 => Act::Chat {
                lines: u32::try_from(dice.between(1, 100)).unwrap_or(1),
                text: "hello ♟".to_owned(),
            },
            8 => Act::GiveTime { seconds: 15 },
            _ => Act::Berserk,
        };
        let at = match dice.between(0, 3) {
            0 => Moment::Start,
            1 => Moment::Every(dice.size(3, 20)),
            _ => Moment::Ply(dice.size(0, 30)),
        };
        let percent = u8::try_from(dice.between(20, 100)).unwrap_or(100);
        events.push(ScriptEvent { after_ms: dice.between(0, 400), percent, ..ScriptEvent::new(at, act) });
    }
    events
}

fn challenges(dice: &mut Dice) -> ChallengePolicy {
    ChallengePolicy {
        variants: Variant::ALL.to_vec(),
        speeds: vec![Speed::UltraBullet, Speed::Bullet, Speed::Blitz, Speed::Rapid, Speed::Classical],
        max_games: dice.size(1, 4),
        max_held: dice.size(0, 4),
        ..ChallengePolicy::default()
    }
}

fn policy(dice: &mut Dice) -> GamePolicy {
    let defaults = GamePolicy::default();
    GamePolicy {
        accept_draws: dice.percent(60).then_some(DrawWindow { score: 100, moves: 2 }),
        offer_draws: dice.percent(30).then_some(DrawWindow { score: 150, moves: 2 }),
        takebacks: u32::try_from(dice.between(0, 3)).unwrap_or(0),
        resign: dice.percent(20).then_some(ResignPolicy { score: -150, moves: 3 }),
        greeting: dice.percent(50).then(|| "Good luck!".to_owned()),
        farewell: dice.percent(50).then(|| "Good game!".to_owned()),
        ..defaults
    }
}
