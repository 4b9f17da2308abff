//! Challenges as JSON.

use bytes::Bytes;
use serde::Serialize;
use serde_json::{Value, json};

use super::{VariantJson, color_key, line};
use crate::sandbox::world::{Challenge, KeepAliveEnd, TimeControl, UserId, World};

/// From whose side a challenge is shown, where that is said at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sandbox) enum Direction {
    In,
    Out,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ChallengeJson<'a> {
    id: &'a str,
    url: String,
    status: &'static str,
    challenger: Value,
    dest_user: Value,
    variant: VariantJson,
    rated: bool,
    speed: &'static str,
    time_control: Value,
    color: &'static str,
    final_color: &'static str,
    perf: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    rematch_of: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    initial_fen: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decline_reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decline_reason_key: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rules: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
struct ChallengeUser<'a> {
    id: &'a str,
    name: &'a str,
    title: Option<&'a str>,
    rating: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    online: Option<bool>,
}

/// A challenge. `url` is the base address.
pub(in crate::sandbox) fn challenge_json(
    world: &World,
    challenge: &Challenge,
    direction: Option<Direction>,
    url: &str,
) -> Value {
    let speed = challenge.time.speed();
    let json = ChallengeJson {
        id: challenge.id.as_str(),
        url: format!("{url}/{}", challenge.id),
        status: challenge.status.key(),
        challenger: user(world, &challenge.challenger),
        dest_user: user(world, &challenge.dest),
        variant: VariantJson::full(challenge.variant),
        rated: challenge.rated,
        speed: speed.key(),
        time_control: time_control(challenge.time),
        color: challenge.color.key(),
        final_color: color_key(challenge.final_color),
        perf: json!({"icon": "", "name": challenge.variant.perf_name(speed)}),
        rematch_of: challenge.rematch_of.as_ref().map(|id| id.as_str()),
        direction: direction.map(|direction| match direction {
            Direction::In => "in",
            Direction::Out => "out",
        }),
        initial_fen: challenge.initial_fen.as_deref(),
        decline_reason: challenge.decline.map(|reason| reason.text()),
        decline_reason_key: challenge.decline.map(|reason| reason.key()),
        rules: challenge.rules.iter().map(|rule| rule.key()).collect(),
    };
    json!(json)
}

fn user(world: &World, id: &UserId) -> Value {
    let Some(account) = world.account(id) else {
        return Value::Null;
    };
    json!(ChallengeUser {
        id: account.id.as_str(),
        name: &account.name,
        title: account.title.as_deref(),
        rating: account.rating,
        online: account.is_online().then_some(true),
    })
}

fn time_control(time: TimeControl) -> Value {
    match time {
        TimeControl::Clock { limit, increment } => json!({
            "type": "clock",
            "limit": limit.as_secs(),
            "increment": increment.as_secs(),
            "show": time.show(),
        }),
        TimeControl::Correspondence { days } => json!({"type": "correspondence", "daysPerTurn": days}),
        TimeControl::Unlimited => json!({"type": "unlimited"}),
    }
}

/// The last line of a stream that waits for the answer.
pub(in crate::sandbox) fn keep_alive_end(end: KeepAliveEnd) -> Bytes {
    line(&json!({"done": end.key()}))
}
