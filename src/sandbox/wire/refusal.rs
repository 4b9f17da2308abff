//! Refusals as a status and a body. The texts are those that bots have learnt to expect.

use serde_json::{Map, Value, json};

use crate::sandbox::world::{ChallengeStatus, FormErrors, Refusal, Whose};

/// A status and a JSON body.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::sandbox) struct Answer {
    pub(in crate::sandbox) status: u16,
    pub(in crate::sandbox) body: Value,
}

/// The usual error body.
pub(in crate::sandbox) fn error_body(text: &str) -> Value {
    json!({"error": text})
}

/// How a refusal is answered.
pub(in crate::sandbox) fn refusal_answer(refusal: &Refusal) -> Answer {
    let body = match refusal {
        Refusal::Form(errors) => form_errors(errors),
        Refusal::BotDayLimit { whose, games, wait, .. } => json!({
            "error": format!("{whose} played {games} games against other bots today, please wait"),
            "ratelimit": {"key": "bot.vsBot.day", "seconds": wait.as_millis().div_ceil(1000) as u64},
        }),
        other => error_body(&text(other)),
    };
    Answer { status: status(refusal), body }
}

fn status(refusal: &Refusal) -> u16 {
    match refusal {
        Refusal::NoSuchGame | Refusal::NotYourGame | Refusal::NoSuchChallenge => 404,
        Refusal::RateLimited | Refusal::StreamPolled => 429,
        Refusal::BotDayLimit { own: Whose::Own, .. } => 429,
        _ => 400,
    }
}

/// Field errors both at the top and under `error`: `{"field":[..],"error":{"field":[..]}}`.
fn form_errors(errors: &FormErrors) -> Value {
    let fields: Map<String, Value> =
        errors.0.iter().map(|(field, complaints)| (field.clone(), json!(complaints))).collect();
    let mut body = fields.clone();
    body.insert("error".to_owned(), Value::Object(fields));
    Value::Object(body)
}

fn text(refusal: &Refusal) -> String {
    let fixed = match refusal {
        Refusal::NoSuchUser(user) => return format!("No such user: {user}"),
        Refusal::InvalidUci(text) => return format!("Invalid UCI: {text}"),
        Refusal::IllegalMove { from, to } => return format!("Piece on {from} cannot move to {to}"),
        Refusal::NotAllowed(text) => text,
        Refusal::NotABot => {
            "This endpoint can only be used with a Bot account. See https://lichess.org/api#operation/botAccountUpgrade"
        }
        Refusal::OnlyForHumans => "This endpoint cannot be used with a Bot account",
        Refusal::WrongInterface => "This game cannot be played with the Bot API.",
        Refusal::NoSuchGame => "No such game",
        Refusal::NotYourGame => "Not your game",
        Refusal::NoSuchChallenge => "No such challenge",
        Refusal::NotYourTurn => "Not your turn, or game already over",
        Refusal::CannotAbort => "This game can no longer be aborted",
        Refusal::CannotResign => "This game cannot be resigned",
        Refusal::CannotClaimWin => "You cannot claim the win on this game",
        Refusal::CannotClaimDraw => "You cannot claim draw on this game",
        Refusal::ChallengeClosed(status) => closed_text(*status),
        Refusal::NotYourChallenge => "The challenge is not for you to accept.",
        Refusal::IncompatibleWithBot => "Game incompatible with a BOT account",
        Refusal::ChallengeYourself => "You cannot challenge yourself",
        Refusal::RulesForBot => "Rules not applicable for bots",
        Refusal::UltraBulletForBot => "Bots cannot play UltraBullet. Choose a slower time control.",
        Refusal::NotTheOpponentsToken => "Not the opponent token",
        Refusal::CannotCancelGame => "The game can no longer be aborted",
        Refusal::AlreadyPlayed => "You already have games played. Make a new account.",
        Refusal::RateLimited => "Too many requests. Try again later.",
        Refusal::StreamPolled => "Please don't poll this endpoint, it is intended to be streamed.",
        // Answered with bodies of their own.
        Refusal::Form(_) | Refusal::BotDayLimit { .. } => "",
    };
    fixed.to_owned()
}

fn closed_text(status: ChallengeStatus) -> &'static str {
    match status {
        ChallengeStatus::Canceled => "The challenge has been canceled.",
        ChallengeStatus::Declined => "The challenge has been declined.",
        ChallengeStatus::Accepted => "The challenge has already been accepted",
        ChallengeStatus::Created | ChallengeStatus::Offline => "The challenge is still open",
    }
}
