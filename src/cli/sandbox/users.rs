//! The users of a sandbox, from flags and from a TOML file.

use std::path::Path;

use ::config::{Config, File, FileFormat};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::cli::exit::{Exit, Failure};
use crate::sandbox::{Scope, Script, TokenSpec, UserSpec};

/// Enough to try a bot: itself, another one, and somebody without a title.
pub(super) fn default() -> Vec<UserSpec> {
    vec![
        UserSpec::bot("sandbox-bot", "tok_bot"),
        UserSpec::bot("sandbox-rival", "tok_rival"),
        UserSpec::human("sandbox-human", "tok_human"),
    ]
}

/// `NAME:TOKEN[:TITLE]`
pub(super) fn from_flag(text: &str) -> Result<UserSpec, String> {
    let parts: Vec<&str> = text.split(':').collect();
    match parts.as_slice() {
        [name, token] if is_token(token) => Ok(UserSpec::human(name, token)),
        [name, token, title] if is_token(token) => Ok(with_title(name, token, Some(title))),
        [_, _] | [_, _, _] => Err("a token is 1 to 512 letters, digits and _".to_owned()),
        _ => Err("expected NAME:TOKEN or NAME:TOKEN:TITLE, such as mybot:secret:BOT".to_owned()),
    }
}

fn is_token(text: &str) -> bool {
    (1..=512).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn with_title(name: &str, token: &str, title: Option<&str>) -> UserSpec {
    match title {
        Some("BOT") => UserSpec::bot(name, token),
        title => UserSpec { title: title.map(str::to_owned), ..UserSpec::human(name, token) },
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct UsersFile {
    #[serde(default)]
    user: Vec<UserTable>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct UserTable {
    name: String,
    token: Option<String>,
    #[serde(default)]
    tokens: Vec<String>,
    title: Option<String>,
    scopes: Option<Vec<String>>,
    rating: Option<u32>,
    takebacks: Option<bool>,
    // Read in a second step, by serde_json: its complaints name the words that are known.
    script: Option<Value>,
}

/// The same tables in a scenario, whose other parts are read elsewhere.
#[derive(Debug, Deserialize)]
struct ScenarioFile {
    #[serde(default)]
    user: Vec<UserTable>,
}

/// The users of a file. What is wrong is told with the file, the key, and what would be right.
pub(super) fn from_file(path: &Path) -> Result<Vec<UserSpec>, Failure> {
    let file: UsersFile = read(path)?;
    if file.user.is_empty() {
        let text = format!("{}: no user, expected a [[user]] table for each", path.display());
        return Err(Failure::new(Exit::Config, text));
    }
    specs(path, file.user)
}

/// The users of a scenario, which may have none.
pub(super) fn from_scenario(path: &Path) -> Result<Vec<UserSpec>, Failure> {
    let file: ScenarioFile = read(path)?;
    specs(path, file.user)
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::because(Exit::Config, format!("cannot read {name}"), error))?;
    let read = Config::builder()
        .add_source(File::from_str(&text, FileFormat::Toml))
        .build()
        .and_then(Config::try_deserialize);
    read.map_err(|error| Failure::because(Exit::Config, format!("{name} is refused"), error))
}

fn specs(path: &Path, tables: Vec<UserTable>) -> Result<Vec<UserSpec>, Failure> {
    let refuse = |text: String| Failure::new(Exit::Config, format!("{}: {text}", path.display()));
    tables.into_iter().enumerate().map(|(n, table)| spec(n, table).map_err(refuse)).collect()
}

fn spec(n: usize, table: UserTable) -> Result<UserSpec, String> {
    let at = |key: &str, text: &str| format!("user[{n}].{key}: {text}");
    let tokens: Vec<String> = table.token.into_iter().chain(table.tokens).collect();
    if tokens.is_empty() && table.script.is_none() {
        return Err(at("token", "missing, expected 1 to 512 letters, digits and _, or a script"));
    }
    if !tokens.iter().all(|token| is_token(token)) {
        return Err(at("token", "expected 1 to 512 letters, digits and _"));
    }
    let mut spec = with_title(&table.name, "", table.title.as_deref());
    let scopes = match table.scopes {
        Some(words) => words
            .iter()
            .map(|word| word.parse::<Scope>().map_err(|error| at("scopes", &error.to_string())))
            .collect::<Result<Vec<_>, _>>()?,
        None => spec.tokens.first().map(|token| token.scopes.clone()).unwrap_or_default(),
    };
    spec.tokens = tokens.into_iter().map(|token| TokenSpec { token, scopes: scopes.clone() }).collect();
    spec.script =
        table.script.map(|script| read_script(script).map_err(|text| at("script", &text))).transpose()?;
    spec.rating = table.rating.unwrap_or(spec.rating);
    spec.accepts_takebacks = table.takebacks.unwrap_or(spec.accepts_takebacks);
    Ok(spec)
}

fn read_script(script: Value) -> Result<Script, String> {
    let script: Script = serde_json::from_value(script).map_err(|error| error.to_string())?;
    script.check().map_err(|error| error.to_string())?;
    Ok(script)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::{Act, Moment, Moves, ScriptEvent};

    fn read(text: &str) -> Result<Vec<UserSpec>, String> {
        read_by(from_file, text)
    }

    fn read_by(
        reader: impl Fn(&Path) -> Result<Vec<UserSpec>, Failure>,
        text: &str,
    ) -> Result<Vec<UserSpec>, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("users.toml");
        std::fs::write(&path, text).unwrap();
        reader(&path).map_err(|failure| {
            assert_eq!(failure.exit, Exit::Config);
            failure.to_string()
        })
    }

    #[test]
    fn a_flag_names_a_user() {
        assert_eq!(from_flag("ada:tok_a:BOT"), Ok(UserSpec::bot("ada", "tok_a")));
        assert_eq!(from_flag("Hugo:tok_h"), Ok(UserSpec::human("Hugo", "tok_h")));
        assert_eq!(from_flag("Gm:tok_g:GM").unwrap().title.as_deref(), Some("GM"));
        for bad in ["ada", "ada:", "ada:t-k", "a:b:c:d", ""] {
            assert!(from_flag(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_file_names_users_with_all_they_have() {
        let users = read(
            "[[user]]\nname = \"ada\"\ntoken = \"tok_a\"\ntitle = \"BOT\"\nrating = 2400\ntakebacks = true\n\n\
             [[user]]\nname = \"Hugo\"\ntokens = [\"tok_h\", \"tok_i\"]\nscopes = [\"board:play\"]\n",
        )
        .unwrap();
        let ada = UserSpec { rating: 2400, accepts_takebacks: true, ..UserSpec::bot("ada", "tok_a") };
        assert_eq!(users[0], ada);
        assert_eq!((users[1].title.as_deref(), users[1].tokens.len()), (None, 2));
        assert_eq!(users[1].tokens[1].scopes, [Scope::BoardPlay]);
    }

    #[test]
    fn a_script_plays_for_a_user_who_needs_no_token() {
        let users = read(
            "[[user]]\nname = \"ada\"\ntitle = \"BOT\"\n[user.script]\nmoves = { level = 2 }\nthink_ms = [5, 9]\n\
             events = [{ at = { ply = 4 }, act = { chat = { lines = 3, text = \"hi\" } } }]\n",
        )
        .unwrap();
        let chat = Act::Chat { lines: 3, text: "hi".to_owned() };
        let script = Script {
            moves: Moves::Level(2),
            think_ms: (5, 9),
            events: vec![ScriptEvent::new(Moment::Ply(4), chat)],
            ..Script::default()
        };
        assert_eq!(users, [UserSpec::scripted("ada", script)]);
    }

    #[test]
    fn a_scenario_may_have_users() {
        let rules = "seed = 3\n[[rule]]\nfault = \"end\"\n";
        assert_eq!(read_by(from_scenario, rules), Ok(Vec::new()));
        let user = "[[user]]\nname = \"ada\"\ntitle = \"BOT\"\nscript = {}\n";
        let scripted = UserSpec::scripted("ada", Script::default());
        assert_eq!(read_by(from_scenario, &format!("{rules}{user}")), Ok(vec![scripted]));
        let complaint = read_by(from_scenario, &format!("{rules}{user}titel = \"GM\"\n")).unwrap_err();
        assert!(complaint.contains("titel"), "{complaint}");
    }

    #[test]
    fn the_documented_script_can_be_read() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/sandbox.md");
        let page = std::fs::read_to_string(page).unwrap();
        let block = page.split("```toml\n").find(|block| block.contains("[user.script]")).unwrap();
        let users = read(block.split("```").next().unwrap()).unwrap();
        assert_eq!(users[0].script.as_ref().unwrap().events.len(), 2);
    }

    #[test]
    fn the_example_can_be_read() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("config/users.example.toml");
        let users = from_file(&path).unwrap();
        let scripts = users.iter().filter(|user| user.script.is_some()).count();
        assert_eq!((users.len(), scripts), (4, 3));
    }

    #[test]
    fn a_refusal_names_file_key_and_what_is_allowed() {
        for (text, parts) in [
            ("[[user]]\nname = \"a\"\ntitel = \"BOT\"\n", ["titel", "`title`"]),
            ("[[users]]\nname = \"a\"\n", ["users", "`user`"]),
            ("[[user]]\nname = \"a\"\n", ["user[0].token", "1 to 512"]),
            ("[[user]]\nname = \"a\"\ntoken = \"a b\"\n", ["user[0].token", "1 to 512"]),
            ("[[user]]\nname = \"a\"\ntoken = \"a\"\nscopes = [\"bot\"]\n", ["user[0].scopes", "bot:play"]),
            ("[[user]]\nname = \"a\"\ntoken = \"a\"\nrating = \"high\"\n", ["rating", "integer"]),
            ("[[user]]\nname = \"a\"\n[user.script]\nmove = 1\n", ["unknown field `move`", "`moves`"]),
            (
                "[[user]]\nname = \"a\"\n[user.script]\nmoves = { level = 9 }\n",
                ["user[0].script: moves.level", "1 to 8"],
            ),
            (
                "[[user]]\nname = \"a\"\n[user.script]\nevents = [{ at = \"start\", act = \"sing\" }]\n",
                ["sing", "`never_move`"],
            ),
            ("", ["no user", "[[user]]"]),
            ("[[user\n", ["users.toml", "line 1"]),
        ] {
            let complaint = read(text).unwrap_err();
            assert!(complaint.contains("users.toml"), "{complaint}");
            assert!(parts.iter().all(|part| complaint.contains(part)), "{parts:?} in: {complaint}");
        }
    }
}
