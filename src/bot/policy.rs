//! Which challenges to accept. Pure: a challenge and the options go in, a verdict comes out. How many games are
//! going on is not looked at here; that is `lobby`'s business.

use super::options::{ChallengePolicy, Span};
use crate::chess::Variant;
use crate::lichess::{Challenge, ChallengeUser, DeclineReason, Speed, TimeControl};

/// What to do about a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Play it.
    Accept,
    /// Do not, and say why.
    Decline(DeclineReason),
}

/// The speeds from fast to slow, as far as they have an order.
const PACES: [Speed; 5] = [Speed::UltraBullet, Speed::Bullet, Speed::Blitz, Speed::Rapid, Speed::Classical];

/// The first objection counts, and who asks is looked at before what is asked.
pub(crate) fn judge(policy: &ChallengePolicy, challenge: &Challenge) -> Verdict {
    let objection = person(policy, challenge.challenger.as_ref())
        .or_else(|| rules(policy, challenge))
        .or_else(|| time(policy, challenge))
        .or_else(|| stakes(policy, challenge));
    objection.map_or(Verdict::Accept, Verdict::Decline)
}

/// Someone who is not named counts as a person without a rating.
fn person(policy: &ChallengePolicy, challenger: Option<&ChallengeUser>) -> Option<DeclineReason> {
    let id = challenger.map(|user| &user.id);
    let blocked = id.is_some_and(|id| policy.block.contains(id));
    let uninvited = !policy.allow.is_empty() && !id.is_some_and(|id| policy.allow.contains(id));
    if blocked || uninvited {
        return Some(DeclineReason::Generic);
    }
    match challenger.is_some_and(ChallengeUser::is_bot) {
        true if !policy.bots => return Some(DeclineReason::NoBot),
        false if !policy.humans => return Some(DeclineReason::OnlyBot),
        _ => {}
    }
    let rating = challenger.and_then(|user| user.rating)?;
    let weak = policy.min_rating.is_some_and(|least| rating < least);
    let strong = policy.max_rating.is_some_and(|most| rating > most);
    (weak || strong).then_some(DeclineReason::Generic)
}

fn rules(policy: &ChallengePolicy, challenge: &Challenge) -> Option<DeclineReason> {
    let only_standard = policy.variants == [Variant::Standard];
    let other = if only_standard { DeclineReason::Standard } else { DeclineReason::Variant };
    let Some(variant) = challenge.variant.known().filter(|variant| policy.variants.contains(variant)) else {
        return Some(other);
    };
    if variant.start(challenge.initial_fen.as_deref()).is_err() {
        return Some(other);
    }
    // A game that cannot be called off would keep its place when nobody comes.
    challenge.rules.iter().any(|rule| rule == "noAbort").then_some(DeclineReason::Generic)
}

fn time(policy: &ChallengePolicy, challenge: &Challenge) -> Option<DeclineReason> {
    match challenge.time_control {
        TimeControl::Unknown => Some(DeclineReason::TimeControl),
        TimeControl::Clock { limit, increment } => pace(policy, challenge)
            .or_else(|| outside(policy.base, limit))
            .or_else(|| outside(policy.increment, increment)),
        TimeControl::Correspondence { .. } | TimeControl::Unlimited
            if !policy.speeds.contains(&Speed::Correspondence) =>
        {
            Some(DeclineReason::TimeControl)
        }
        TimeControl::Correspondence { days } => {
            let (least, most) = policy.days;
            match days {
                _ if days < least => Some(DeclineReason::TooFast),
                _ if days > most => Some(DeclineReason::TooSlow),
                _ => None,
            }
        }
        TimeControl::Unlimited => (!policy.unlimited).then_some(DeclineReason::TimeControl),
    }
}

/// The speed, and whether the server lets bots play it at all.
fn pace(policy: &ChallengePolicy, challenge: &Challenge) -> Option<DeclineReason> {
    let speed = &challenge.speed;
    if *speed == Speed::UltraBullet {
        return Some(DeclineReason::TooFast);
    }
    if !challenge.suits_bots() {
        return Some(DeclineReason::Generic);
    }
    if policy.speeds.contains(speed) {
        return None;
    }
    let place = |speed: &Speed| PACES.iter().position(|pace| pace == speed);
    let Some(asked) = place(speed) else { return Some(DeclineReason::TimeControl) };
    let mut welcome = policy.speeds.iter().filter_map(place);
    let (Some(fastest), Some(slowest)) = (welcome.clone().min(), welcome.by_ref().max()) else {
        return Some(DeclineReason::TimeControl);
    };
    Some(match asked {
        _ if asked < fastest => DeclineReason::TooFast,
        _ if asked > slowest => DeclineReason::TooSlow,
        _ => DeclineReason::TimeControl,
    })
}

fn outside(span: Span, time: std::time::Duration) -> Option<DeclineReason> {
    if time < span.from {
        Some(DeclineReason::TooFast)
    } else if time > span.to {
        Some(DeclineReason::TooSlow)
    } else {
        None
    }
}

fn stakes(policy: &ChallengePolicy, challenge: &Challenge) -> Option<DeclineReason> {
    match challenge.rated {
        true if !policy.rated => Some(DeclineReason::Casual),
        false if !policy.casual => Some(DeclineReason::Rated),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::*;

    /// A casual 3+2 standard game, asked for by a human of 1874, changed by `patch`.
    fn challenge(patch: Value) -> Challenge {
        let mut value = json!({ "id": "Qz7Lm2Xa", "status": "created", "rated": false,
            "challenger": { "id": "ferncastle", "name": "Ferncastle", "rating": 1874 },
            "variant": { "key": "standard" }, "speed": "blitz", "color": "random",
            "timeControl": { "type": "clock", "limit": 180, "increment": 2 } });
        for (key, patched) in patch.as_object().unwrap() {
            value[key] = patched.clone();
        }
        serde_json::from_value(value).unwrap()
    }

    fn clock(limit: u64, increment: u64) -> Value {
        let speed = Speed::of_clock(Duration::from_secs(limit), Duration::from_secs(increment));
        json!({ "speed": speed.as_str(),
            "timeControl": { "type": "clock", "limit": limit, "increment": increment } })
    }

    fn correspondence(days: u32) -> Value {
        json!({ "speed": "correspondence", "timeControl": { "type": "correspondence", "daysPerTurn": days } })
    }

    fn unlimited() -> Value {
        json!({ "speed": "correspondence", "timeControl": { "type": "unlimited" } })
    }

    fn bot() -> Value {
        json!({ "challenger": { "id": "slatehopper", "name": "SlateHopper", "title": "BOT", "rating": 2207 } })
    }

    fn check(
        about: &str,
        change: impl FnOnce(&mut ChallengePolicy),
        patch: Value,
        expected: Option<DeclineReason>,
    ) {
        let mut policy = ChallengePolicy::default();
        change(&mut policy);
        let expected = expected.map_or(Verdict::Accept, Verdict::Decline);
        assert_eq!(judge(&policy, &challenge(patch)), expected, "{about}");
    }

    #[test]
    fn who_asks() {
        use DeclineReason::{Generic, NoBot, OnlyBot};
        let fern = || vec!["ferncastle".parse().unwrap()];
        let other = || vec!["oakwatcher".parse().unwrap()];
        check("anybody", |_| {}, json!({}), None);
        check("a bot", |_| {}, bot(), None);
        check("no bots", |p| p.bots = false, bot(), Some(NoBot));
        check("no bots, a human", |p| p.bots = false, json!({}), None);
        check("no humans", |p| p.humans = false, json!({}), Some(OnlyBot));
        check("no humans, a bot", |p| p.humans = false, bot(), None);
        check("blocked", |p| p.block = fern(), json!({}), Some(Generic));
        check("another blocked", |p| p.block = other(), json!({}), None);
        check("allowed", |p| p.allow = fern(), json!({}), None);
        check("only others allowed", |p| p.allow = other(), json!({}), Some(Generic));
        check("blocked though allowed", |p| (p.allow, p.block) = (fern(), fern()), json!({}), Some(Generic));
        check("weak", |p| p.min_rating = Some(1875), json!({}), Some(Generic));
        check("just strong enough", |p| p.min_rating = Some(1874), json!({}), None);
        check("strong", |p| p.max_rating = Some(1873), json!({}), Some(Generic));
        check("just weak enough", |p| p.max_rating = Some(1874), json!({}), None);
        let nobody = || json!({ "challenger": null });
        check("nobody", |p| p.min_rating = Some(2000), nobody(), None);
        check("nobody, no humans", |p| p.humans = false, nobody(), Some(OnlyBot));
        check("nobody, a guest list", |p| p.allow = fern(), nobody(), Some(Generic));
    }

    #[test]
    fn which_rules() {
        use DeclineReason::{Generic, Standard, Variant as Other};
        let variant = |key: &str| json!({ "variant": { "key": key } });
        let from = |fen: &str| json!({ "variant": { "key": "fromPosition" }, "initialFen": fen });
        check("chess960", |_| {}, variant("chess960"), None);
        check("antichess, which is not among the defaults", |_| {}, variant("antichess"), Some(Other));
        check("unknown variant", |p| p.variants = Variant::ALL.to_vec(), variant("duck"), Some(Other));
        for welcome in Variant::ALL {
            check(welcome.key(), |p| p.variants = vec![welcome], variant(welcome.key()), None);
        }
        let horde = json!({ "variant": { "key": "horde" }, "initialFen": "4k3/8/8/8/8/8/8/P7 w - - 0 1" });
        check("a position of a variant", |p| p.variants.push(Variant::Horde), horde, None);
        check(
            "unwelcome variant",
            |p| p.variants.retain(|v| *v != Variant::Chess960),
            variant("chess960"),
            Some(Other),
        );
        check("only standard", |p| p.variants = vec![Variant::Standard], variant("chess960"), Some(Standard));
        check("a position", |_| {}, from("8/5pk1/6p1/8/3K4/8/1R6/8 b - - 3 41"), None);
        check("no position", |_| {}, from("8/8/8/8/8/8/8/8 w - - 0 1"), Some(Other));
        check("never called off", |_| {}, json!({ "rules": ["noAbort"] }), Some(Generic));
    }

    #[test]
    fn which_time() {
        use DeclineReason::{Generic, TimeControl, TooFast, TooSlow};
        let secs = Duration::from_secs;
        let speeds = |speeds: &[Speed]| {
            let speeds = speeds.to_vec();
            move |p: &mut ChallengePolicy| p.speeds = speeds
        };
        check("0+1", |_| {}, clock(0, 1), None);
        check("ultra-bullet", |p| p.speeds.push(Speed::UltraBullet), clock(15, 0), Some(TooFast));
        check("not for bots", |_| {}, json!({ "compat": { "bot": false } }), Some(Generic));
        check("too fast a pace", speeds(&[Speed::Blitz, Speed::Rapid]), clock(60, 0), Some(TooFast));
        check("too slow a pace", speeds(&[Speed::Bullet, Speed::Blitz]), clock(600, 0), Some(TooSlow));
        check("a gap", speeds(&[Speed::Bullet, Speed::Rapid]), clock(180, 0), Some(TimeControl));
        check("no clock games", speeds(&[Speed::Correspondence]), clock(180, 0), Some(TimeControl));
        check("unknown pace", |_| {}, json!({ "speed": "hyperBullet" }), Some(TimeControl));
        check("base too short", |p| p.base.from = secs(181), clock(180, 2), Some(TooFast));
        check("base just long enough", |p| p.base.from = secs(180), clock(180, 2), None);
        check("base too long", |p| p.base.to = secs(179), clock(180, 2), Some(TooSlow));
        check("increment too short", |p| p.increment.from = secs(3), clock(180, 2), Some(TooFast));
        check("increment too long", |p| p.increment.to = secs(1), clock(180, 2), Some(TooSlow));
        check("correspondence", |_| {}, correspondence(3), Some(TimeControl));
        check("welcome correspondence", speeds(&[Speed::Correspondence]), correspondence(3), None);
        let days = |least, most| {
            move |p: &mut ChallengePolicy| (p.speeds, p.days) = (vec![Speed::Correspondence], (least, most))
        };
        check("few days", days(4, 14), correspondence(3), Some(TooFast));
        check("many days", days(1, 2), correspondence(3), Some(TooSlow));
        check("unlimited", speeds(&[Speed::Correspondence]), unlimited(), Some(TimeControl));
        let endless = |p: &mut ChallengePolicy| (p.speeds, p.unlimited) = (vec![Speed::Correspondence], true);
        check("welcome unlimited", endless, unlimited(), None);
        let odd = json!({ "timeControl": { "type": "byoyomi", "limit": 180 } });
        check("an unknown time control (b17)", endless, odd, Some(TimeControl));
        check("unlimited without correspondence", |p| p.unlimited = true, unlimited(), Some(TimeControl));
    }

    #[test]
    fn what_is_at_stake() {
        let rated = || json!({ "rated": true });
        check("rated", |_| {}, rated(), None);
        check("only casual", |p| p.rated = false, rated(), Some(DeclineReason::Casual));
        check("only casual, casual", |p| p.rated = false, json!({}), None);
        check("only rated", |p| p.casual = false, json!({}), Some(DeclineReason::Rated));
        check("only rated, rated", |p| p.casual = false, rated(), None);
    }

    #[test]
    fn who_asks_is_looked_at_first() {
        let all = |p: &mut ChallengePolicy| {
            (p.bots, p.casual, p.variants) = (false, false, vec![Variant::Standard])
        };
        let mut patch = bot();
        patch["variant"] = json!({ "key": "antichess" });
        check("three objections", all, patch, Some(DeclineReason::NoBot));
    }
}
