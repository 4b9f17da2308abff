//! Where the token comes from: the environment, or a file of its own. It never passes through the configuration,
//! and what is wrong with it is said without showing it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::layers::Sources;

/// The environment variable that holds the token.
pub const TOKEN_VARIABLE: &str = "ROOKERY_TOKEN";

/// The variable of another bot, which people may have set and wonder about.
const FOREIGN_VARIABLE: &str = "LICHESS_BOT_TOKEN";

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum TokenSourceError {
    /// Neither place holds one.
    #[error(
        "there is no token: put it in the environment variable {TOKEN_VARIABLE}, or name a file that holds it with lichess.token_file{hint}"
    )]
    Missing {
        /// A word about another variable that is set.
        hint: &'static str,
    },
    /// The file is there but says nothing.
    #[error("the token file {} is empty", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("cannot read the token file {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// The text of the token, from the environment or else from the file.
pub(crate) fn find(sources: &Sources, file: Option<&Path>) -> Result<String, TokenSourceError> {
    if let Some(text) = sources.variable(TOKEN_VARIABLE) {
        return Ok(text.trim().to_owned());
    }
    let Some(path) = file else {
        let hint = match sources.variable(FOREIGN_VARIABLE) {
            Some(_) => " (LICHESS_BOT_TOKEN is set, but that is not the name that is read here)",
            None => "",
        };
        return Err(TokenSourceError::Missing { hint });
    };
    let path = path.to_path_buf();
    match fs::read_to_string(&path) {
        Ok(text) if text.trim().is_empty() => Err(TokenSourceError::Empty { path }),
        Ok(text) => Ok(text.trim().to_owned()),
        Err(source) => Err(TokenSourceError::Unreadable { path, source }),
    }
}

/// Whether others than the owner may read the file.
#[cfg(unix)]
pub(crate) fn is_open_to_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

/// Whether others than the owner may read the file: not known on this system.
#[cfg(not(unix))]
pub(crate) fn is_open_to_others(_path: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Sources {
        let environment =
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Sources { environment, ..Sources::default() }
    }

    #[test]
    fn the_environment_comes_before_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("token");
        fs::write(&file, "from_file\n").unwrap();
        let set = environment(&[(TOKEN_VARIABLE, " from_environment ")]);
        assert_eq!(find(&set, Some(&file)).unwrap(), "from_environment");
        let empty = environment(&[(TOKEN_VARIABLE, "")]);
        assert_eq!(find(&empty, Some(&file)).unwrap(), "from_file");
    }

    #[test]
    fn a_missing_token_says_where_to_put_it() {
        let text = find(&environment(&[]), None).unwrap_err().to_string();
        assert!(text.contains("ROOKERY_TOKEN") && text.contains("lichess.token_file"), "{text}");
        let text = find(&environment(&[(FOREIGN_VARIABLE, "x")]), None).unwrap_err().to_string();
        assert!(text.contains("LICHESS_BOT_TOKEN is set"), "{text}");
    }

    #[test]
    fn an_empty_file_and_a_missing_one_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("token");
        let missing = find(&environment(&[]), Some(&file)).unwrap_err();
        assert!(matches!(missing, TokenSourceError::Unreadable { .. }), "{missing}");
        fs::write(&file, " \n").unwrap();
        let empty = find(&environment(&[]), Some(&file)).unwrap_err();
        assert!(matches!(empty, TokenSourceError::Empty { .. }), "{empty}");
    }
}
