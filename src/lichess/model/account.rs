//! The account and its token.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::UserId;
use super::fields::{Fields, cut};

/// Ratings and scopes that are kept, and the bytes of their names: several times what there is.
const MOST: usize = 128;
const LONGEST: usize = 100;

/// The account that the token belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value", rename_all = "camelCase")]
pub struct Account {
    /// Its id.
    pub id: UserId,
    /// Its name as people write it.
    pub username: String,
    /// `BOT`, `GM` and the like.
    pub title: Option<String>,
    /// Ratings by kind of game.
    pub perfs: BTreeMap<String, Perf>,
    /// Games played, of any kind.
    pub games: u64,
    /// Whether the account is closed.
    pub disabled: bool,
}

/// The rating in one kind of game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Value")]
pub struct Perf {
    /// Games played.
    pub games: u64,
    /// The rating.
    pub rating: Option<u32>,
    /// Whether the rating is still unsettled.
    #[serde(rename = "prov")]
    pub provisional: bool,
}

/// What the server knows about a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenInfo {
    /// The account.
    pub user: Option<UserId>,
    /// What the token may do.
    pub scopes: Vec<String>,
    /// When it ends, in milliseconds since 1970.
    pub expires: Option<u64>,
}

impl Account {
    /// Whether it is a BOT account; only those may play through the bot endpoints.
    pub fn is_bot(&self) -> bool {
        self.title.as_deref() == Some("BOT")
    }
}

impl TokenInfo {
    /// Whether the token carries a scope, such as `bot:play`.
    pub fn has(&self, scope: &str) -> bool {
        self.scopes.iter().any(|owned| owned == scope)
    }

    pub(crate) fn read(value: &Value) -> TokenInfo {
        let fields = Fields::of(value);
        let scopes = fields.long_text("scopes").unwrap_or_default().split(',').map(str::trim);
        TokenInfo {
            user: fields.parsed("userId"),
            scopes: scopes
                .filter(|scope| !scope.is_empty())
                .take(MOST)
                .map(|scope| cut(scope, LONGEST).to_owned())
                .collect(),
            expires: fields.number("expires"),
        }
    }
}

impl TryFrom<Value> for Account {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Account, &'static str> {
        let fields = Fields::of(&value);
        let id: UserId =
            fields.parsed("id").or_else(|| fields.parsed("username")).ok_or("an account has an id")?;
        let perfs = fields.get("perfs").and_then(Value::as_object).into_iter().flatten();
        Ok(Account {
            username: fields.text("username").unwrap_or(id.as_str()).to_owned(),
            id,
            title: fields.name("title").map(str::to_owned),
            perfs: perfs
                .take(MOST)
                .map(|(name, perf)| (cut(name, LONGEST).to_owned(), Perf::from(perf.clone())))
                .collect(),
            games: fields.object("count").number("all").or_else(|| fields.number("games")).unwrap_or(0),
            disabled: fields.flag("disabled"),
        })
    }
}

impl From<Value> for Perf {
    fn from(value: Value) -> Perf {
        let fields = Fields::of(&value);
        Perf {
            games: fields.number("games").unwrap_or(0),
            rating: fields.small("rating"),
            provisional: fields.flag("prov"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_account_needs_only_a_name() {
        let account = Account::try_from(json!({ "username": "Quillbot-Dev" })).unwrap();
        assert_eq!((account.id.as_str(), account.username.as_str()), ("quillbot-dev", "Quillbot-Dev"));
        assert!(!account.is_bot() && account.perfs.is_empty());
        assert!(Account::try_from(json!({ "title": "BOT" })).is_err());
    }

    #[test]
    fn a_bot_is_known_by_its_title() {
        let account =
            Account::try_from(json!({ "id": "quillbot-dev", "username": "quillbot-dev", "title": "BOT",
            "perfs": { "blitz": { "games": 3, "rating": 2013, "rd": 90, "prog": -5, "prov": true },
                "puzzle": { "runs": 1 } }, "count": { "all": 7 } }))
            .unwrap();
        assert!(account.is_bot());
        assert_eq!(account.perfs["blitz"], Perf { games: 3, rating: Some(2013), provisional: true });
        assert_eq!(account.perfs["puzzle"].rating, None);
        assert_eq!(account.games, 7);
    }

    #[test]
    fn scopes_are_split_and_trimmed() {
        let info = TokenInfo::read(&json!({ "userId": "quillbot-dev", "scopes": "bot:play, challenge:read,",
            "expires": null }));
        assert_eq!(info.scopes, ["bot:play", "challenge:read"]);
        assert!(info.has("bot:play") && !info.has("bot"));
        assert_eq!(info.expires, None);
    }
}
