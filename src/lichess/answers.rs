//! Answers that are not simply one value of the model.

use serde_json::Value;

use super::error::AuthProblem;
use super::model::{Fields, GameInfo, PlayingGame, TokenInfo};
use super::{ApiError, Token};

/// An answer without what it should have.
pub(crate) fn unusable(message: &str) -> ApiError {
    ApiError::BadBody { message: message.to_owned() }
}

/// Running games. One that cannot be read does not cost the others.
pub(crate) fn playing(answer: &Value) -> Result<Vec<PlayingGame>, ApiError> {
    let list = Fields::of(answer).get("nowPlaying").and_then(Value::as_array);
    let list = list.ok_or_else(|| unusable("the list of running games is missing"))?;
    Ok(list.iter().cloned().filter_map(|game| GameInfo::try_from(game).ok()).collect())
}

/// What is known about our token: the answer has a field that is named like it, so no part of it may be shown.
pub(crate) fn token(answer: &Value, token: &Token) -> Result<TokenInfo, ApiError> {
    let fields = answer.as_object().ok_or_else(|| unusable("a test of a token answers with an object"))?;
    let own = fields.iter().find(|(name, _)| token.is(name)).map(|(_, info)| info);
    match own {
        Some(info) if info.is_object() => Ok(TokenInfo::read(info)),
        Some(_) => Err(ApiError::Unauthorized {
            problem: AuthProblem::Token,
            message: "it is unknown, revoked or expired".to_owned(),
        }),
        None => Err(unusable("a test of a token answers about that token")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn secret() -> Token {
        Token::new("lip_topsecret".to_owned()).unwrap()
    }

    #[test]
    fn a_token_may_be_known_unknown_or_not_answered_about() {
        let known =
            json!({ "lip_topsecret": { "userId": "quillbot-dev", "scopes": "bot:play", "expires": 17 } });
        assert_eq!(token(&known, &secret()).unwrap().user.unwrap().as_str(), "quillbot-dev");
        let unknown = token(&json!({ "lip_topsecret": null }), &secret()).unwrap_err();
        assert!(matches!(unknown, ApiError::Unauthorized { .. }), "{unknown}");
        for odd in [json!({}), json!([]), json!({ "other": {} })] {
            assert!(matches!(token(&odd, &secret()), Err(ApiError::BadBody { .. })), "{odd}");
        }
    }

    #[test]
    fn one_odd_game_does_not_cost_the_others() {
        let answer = json!({ "nowPlaying": [{ "gameId": "Qz7Lm2Xa", "fullId": "Qz7Lm2XaB4td" }, { "gameId": 7 },
            null, { "fullId": "aP3wVt9kL0xe", "secondsLeft": "12" }] });
        let games = playing(&answer).unwrap();
        let ids: Vec<_> = games.iter().map(|game| game.id.as_str()).collect();
        assert_eq!(ids, ["Qz7Lm2Xa", "aP3wVt9k"]);
        assert!(playing(&json!({ "nowPlaying": null })).is_err());
    }
}
