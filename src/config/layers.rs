//! Where settings come from: the embedded defaults, a file, the environment, flags, each laid over the one
//! before. Every value remembers its origin. Does not know what a value means: that is `reader` and `settings`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ::config::{Config, File, FileFormat, Map, Source, Value, ValueKind};

use super::error::Complaint;
use super::suggest;

/// Every key with its default and a sentence about it.
pub const DEFAULTS: &str = include_str!("../../config/default.toml");

/// The file that is read when none is named, if it exists.
pub const IMPLIED_FILE: &str = "rookery.toml";

/// How the variables start that set keys: `ROOKERY__ENGINE__THREADS` sets `engine.threads`.
const VARIABLE_PREFIX: &str = "ROOKERY__";

/// The origin of a value that nobody set.
pub(crate) const DEFAULT_ORIGIN: &str = "default";

/// A key set on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flag {
    /// The flag as the user knows it, such as `--threads`.
    pub name: String,
    /// The key that it sets.
    pub key: String,
    /// The value as it was written.
    pub value: String,
}

/// What is laid over the embedded defaults, lowest layer first. `Default` is nothing at all.
#[derive(Clone, Default)]
pub struct Sources {
    /// The file of `--config`: it must exist.
    pub file: Option<PathBuf>,
    /// Where [`IMPLIED_FILE`] is looked for when no file is named.
    pub directory: Option<PathBuf>,
    /// The environment. Variables that are none of ours are passed over.
    pub environment: Vec<(String, String)>,
    /// Keys set by flags.
    pub flags: Vec<Flag>,
}

/// The environment holds secrets, ours and others': only the names of our keys are shown.
impl std::fmt::Debug for Sources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let variables: Vec<&str> = self
            .environment
            .iter()
            .map(|(name, _)| name.as_str())
            .filter(|n| n.starts_with("ROOKERY"))
            .collect();
        f.debug_struct("Sources")
            .field("file", &self.file)
            .field("directory", &self.directory)
            .field("environment", &variables)
            .field("flags", &self.flags.iter().map(|flag| &flag.name).collect::<Vec<_>>())
            .finish()
    }
}

impl Sources {
    /// The environment variable `name`, unless it is empty.
    pub fn variable(&self, name: &str) -> Option<&str> {
        let found = self.environment.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.trim().is_empty())
    }

    fn file(&self) -> Option<PathBuf> {
        let implied =
            || self.directory.as_ref().map(|dir| dir.join(IMPLIED_FILE)).filter(|path| path.is_file());
        self.file.clone().or_else(implied)
    }
}

/// All layers merged: known keys only, each with the uppermost value and its origin.
#[derive(Debug)]
pub(crate) struct Merged {
    pub(crate) values: BTreeMap<String, Value>,
    pub(crate) complaints: Vec<Complaint>,
}

/// Merges the layers and complains about everything that is no known key.
pub(crate) fn merge(sources: &Sources) -> Merged {
    let file = sources.file().map(|path| (fs::read_to_string(&path), path));
    merge_with(sources, file)
}

/// The same with a file that was read, or could not be.
pub(super) fn merge_with(sources: &Sources, file: Option<(io::Result<String>, PathBuf)>) -> Merged {
    let mut complaints = Vec::new();
    let defaults = file_layer(DEFAULTS, Path::new("config/default.toml"), &mut complaints);
    let known: BTreeMap<String, Value> = defaults
        .into_iter()
        .map(|(key, value)| (key, Value::new(Some(&DEFAULT_ORIGIN.to_owned()), value.kind)))
        .collect();
    let mut layers = vec![known.clone().into_iter().collect::<Vec<_>>()];
    if let Some((text, path)) = file {
        match text {
            Ok(text) => layers.push(file_layer(&text, &path, &mut complaints)),
            Err(e) => {
                complaints.push(Complaint::new(path.display().to_string(), format!("cannot be read: {e}")))
            }
        }
    }
    layers.push(variables(sources, &known));
    layers.push(flags(sources, &known));
    let mut builder = Config::builder();
    for layer in layers {
        let (good, bad): (Vec<_>, Vec<_>) = layer.into_iter().partition(|(key, _)| known.contains_key(key));
        complaints.extend(bad.iter().map(|(key, value)| unknown(key, value, &known)));
        builder = builder.add_source(Layer(good));
    }
    let values = match builder.build() {
        Ok(merged) => leaves(merged.cache).into_iter().collect(),
        Err(e) => {
            complaints.push(Complaint::new("configuration", e.to_string()));
            known
        }
    };
    Merged { values, complaints }
}

/// A layer whose keys are all known: flat `section.key` names, which the builder merges into its tree.
#[derive(Debug, Clone)]
struct Layer(Vec<(String, Value)>);

impl Source for Layer {
    fn clone_into_box(&self) -> Box<dyn Source + Send + Sync> {
        Box::new(self.clone())
    }

    fn collect(&self) -> Result<Map<String, Value>, ::config::ConfigError> {
        Ok(self.0.iter().cloned().collect())
    }
}

/// The keys of a TOML text; the origin of each is the file with the line.
fn file_layer(text: &str, path: &Path, complaints: &mut Vec<Complaint>) -> Vec<(String, Value)> {
    match File::from_str(text, FileFormat::Toml).collect() {
        Ok(table) => leaves(Value::new(None, table))
            .into_iter()
            .map(|(key, value)| {
                let origin = match line_of(text, &key) {
                    Some(line) => format!("{}:{line}", path.display()),
                    None => path.display().to_string(),
                };
                (key, Value::new(Some(&origin), value.kind))
            })
            .collect(),
        Err(e) => {
            complaints.push(Complaint::new(
                path.display().to_string(),
                format!("is not valid TOML: {}", without_quotes(&e.to_string())),
            ));
            Vec::new()
        }
    }
}

/// What the parser says, without the lines that it quotes: one of them may hold a token in a wrong place.
fn without_quotes(complaint: &str) -> String {
    let is_quote = |line: &&str| {
        line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ').starts_with('|')
    };
    let lines = complaint.lines().map(str::trim_end).filter(|line| !line.is_empty() && !is_quote(line));
    lines.collect::<Vec<_>>().join(": ")
}

fn variables(sources: &Sources, known: &BTreeMap<String, Value>) -> Vec<(String, Value)> {
    let ours = sources.environment.iter().filter_map(|(name, text)| {
        let key = name.strip_prefix(VARIABLE_PREFIX)?.to_lowercase().replace("__", ".");
        let value = typed(text, known.get(&key));
        Some((key, Value::new(Some(&format!("environment variable {name}")), value)))
    });
    let mut ours: Vec<_> = ours.collect();
    ours.sort_by(|a, b| a.0.cmp(&b.0));
    ours
}

fn flags(sources: &Sources, known: &BTreeMap<String, Value>) -> Vec<(String, Value)> {
    let value = |flag: &Flag| {
        Value::new(Some(&format!("flag {}", flag.name)), typed(&flag.value, known.get(&flag.key)))
    };
    sources.flags.iter().map(|flag| (flag.key.clone(), value(flag))).collect()
}

/// Text in the type of the default it replaces. What does not parse stays text, for the reader to complain about.
fn typed(text: &str, default: Option<&Value>) -> ValueKind {
    let text = text.trim();
    let parsed = match default.map(|value| &value.kind) {
        Some(ValueKind::I64(_)) => text.replace('_', "").parse().ok().map(ValueKind::I64),
        Some(ValueKind::Float(_)) => text.parse().ok().map(ValueKind::Float),
        Some(ValueKind::Boolean(_)) => text.parse().ok().map(ValueKind::Boolean),
        Some(ValueKind::Array(_)) => {
            let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
            Some(ValueKind::Array(words.map(|word| Value::new(None, word)).collect()))
        }
        _ => None,
    };
    parsed.unwrap_or_else(|| ValueKind::String(text.to_owned()))
}

fn unknown(key: &str, value: &Value, known: &BTreeMap<String, Value>) -> Complaint {
    let origin = value.origin().unwrap_or_default();
    let name = key.rsplit('.').next().unwrap_or(key);
    if name == "token" || name.ends_with("_token") {
        return Complaint::new(
            origin,
            format!(
                "{key}: a token does not belong in the configuration: put it in the environment variable \
                 ROOKERY_TOKEN, or in a file of its own that lichess.token_file names"
            ),
        );
    }
    let section = format!("{key}.");
    if known.keys().any(|known| known.starts_with(&section)) {
        return Complaint::new(
            origin,
            format!("{key}: this is a section, not a key; write its keys under [{key}]"),
        );
    }
    let hint =
        match suggest::nearest(key, known.keys().map(String::as_str)).or_else(|| same_name(name, known)) {
            Some(nearest) => format!("did you mean {nearest}?"),
            None => "config/default.toml lists all keys".to_owned(),
        };
    Complaint::new(origin, format!("{key}: unknown key; {hint}"))
}

/// The known key with this last part: the section was wrong or missing.
fn same_name<'a>(name: &str, known: &'a BTreeMap<String, Value>) -> Option<&'a str> {
    known.keys().map(String::as_str).find(|key| key.rsplit('.').next() == Some(name))
}

/// All values that are not tables, by their dotted path.
fn leaves(tree: Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), tree)];
    while let Some((path, value)) = open.pop() {
        let origin = value.origin().map(str::to_owned);
        match value.kind {
            ValueKind::Table(table) => {
                open.extend(table.into_iter().map(|(key, value)| match path.as_str() {
                    "" => (key, value),
                    path => (format!("{path}.{key}"), value),
                }))
            }
            kind => found.push((path, Value::new(origin.as_ref(), kind))),
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

/// The line of a TOML text that sets `key`. The parser keeps no positions, so this looks for the plain forms
/// `[section]` + `key =` and `section.key =`; another form simply gets no line.
fn line_of(text: &str, key: &str) -> Option<usize> {
    let mut section = String::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('[') {
            section = header.split(']').next().unwrap_or_default().trim().to_owned();
            continue;
        }
        let Some((name, _)) = line.split_once('=').filter(|_| !line.starts_with('#')) else { continue };
        let name = name.trim().trim_matches('"');
        let full = if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") };
        if full == key {
            return Some(number + 1);
        }
    }
    None
}
