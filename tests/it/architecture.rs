//! The structure of `src/`, checked: who may use whom, where I/O and clocks may appear, how long a file may be.
//!
//! The checker is a function over a directory, so that it is itself tried on small broken trees. It reads text,
//! not syntax trees: it is meant to catch a slip, not an adversary.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Who may use whom: a module, and the paths below `crate::` that it may name. `docs/architecture.md` shows the
/// same table to people, and a test compares the two.
const MAY_USE: &[(&str, &[&str])] = &[
    ("chess", &[]),
    ("engine", &["chess"]),
    ("lichess", &["chess"]),
    ("record", &["chess"]),
    ("bot", &["lichess", "engine", "record", "chess"]),
    ("sandbox", &["chess", "engine"]),
    ("replay", &["bot", "lichess", "record", "chess"]),
    ("simulation", &["bot", "sandbox", "lichess", "engine", "chess"]),
    ("soak", &["simulation", "sandbox", "record", "chess"]),
    ("training", &["engine", "chess"]),
    ("config", &["bot", "sandbox", "lichess", "engine", "chess"]),
    (
        "cli",
        &[
            "config",
            "bot",
            "sandbox",
            "replay",
            "simulation",
            "soak",
            "training",
            "engine",
            "lichess",
            "record",
            "chess",
        ],
    ),
];

/// What stands beside the modules and is open to all of them.
const OPEN_TO_ALL: &[&str] = &["ignore", "mutant", "odd_fields", "printable", "random", "seeds", "splitmix"];

/// Words that must not appear in the code below these paths, and why.
const FORBIDDEN: &[(&[&str], &[&str], &str)] = &[
    (
        &["chess", "engine"],
        &["tokio::", "reqwest::"],
        "the laws and the search know no async runtime and no network",
    ),
    (
        &[
            "chess",
            "bot/session",
            "bot/desk.rs",
            "bot/policy.rs",
            "bot/lobby.rs",
            "bot/twin.rs",
            "sandbox/world",
        ],
        &["Instant::now", "SystemTime::now"],
        "what decides takes the time as an argument",
    ),
];

/// Words of terminal output: only `cli` speaks to a terminal.
const PRINTING: &[&str] = &["println!", "eprintln!", "print!", "eprint!"];

/// Files that may hold `unsafe` code, each with its reason.
const MAY_BE_UNSAFE: &[(&str, &str)] = &[
    ("engine/tt.rs", "prefetching and huge pages: 5 and 13 % of the time of a search"),
    ("engine/nnue/kernel.rs", "instructions that not every processor has"),
];

/// Files that may be longer than [`MAX_LINES`], each with its reason.
const MAY_BE_LONG: &[(&str, &str)] = &[];

/// A file longer than this holds more than one idea.
const MAX_LINES: usize = 500;

#[test]
fn the_source_keeps_to_its_structure() {
    let complaints = check(&source_dir());
    assert!(complaints.is_empty(), "the structure of src/ is broken:\n{}", complaints.join("\n"));
}

#[test]
fn exceptions_name_existing_files() {
    for (file, reason) in MAY_BE_UNSAFE.iter().chain(MAY_BE_LONG) {
        assert!(source_dir().join(file).is_file(), "{file} has an exception but does not exist");
        assert!(reason.len() > 10, "the exception of {file} needs a reason");
    }
}

#[test]
fn the_documentation_shows_the_same_table() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let page = fs::read_to_string(page).unwrap();
    for (module, uses) in MAY_USE {
        let uses = if uses.is_empty() { "nothing".to_owned() } else { uses.join(", ") };
        let row = format!("{module} -> {uses}");
        assert!(page.lines().any(|line| line.trim() == row), "docs/architecture.md lacks the line `{row}`");
    }
}

/// A broken tree: one file with `text`, and a part of what the checker must say about it.
struct Broken {
    file: &'static str,
    text: &'static str,
    complaint: &'static str,
}

const BROKEN: &[Broken] = &[
    Broken {
        file: "chess/a.rs",
        text: "//! A.\nuse crate::engine::Pool;\n",
        complaint: "must not use crate::engine",
    },
    Broken {
        file: "sandbox/a.rs",
        text: "//! A.\nuse crate::{chess::{Move, Square}, lichess::Client};\n",
        complaint: "must not use crate::lichess",
    },
    Broken {
        file: "bot/a.rs",
        text: "//! A.\nfn f() { crate::cli::main(); }\n",
        complaint: "must not use crate::cli",
    },
    Broken { file: "novel/mod.rs", text: "//! A.\n", complaint: "is not in the table" },
    Broken { file: "bot/a.rs", text: "//! A.\nfn f() { println!(\"x\"); }\n", complaint: "prints" },
    Broken { file: "engine/a.rs", text: "//! A.\nfn f() { eprintln!(\"x\"); }\n", complaint: "prints" },
    Broken { file: "engine/a.rs", text: "//! A.\nuse tokio::sync::watch;\n", complaint: "`tokio::`" },
    Broken { file: "chess/a.rs", text: "//! A.\nfn f() { reqwest::get(); }\n", complaint: "`reqwest::`" },
    Broken { file: "chess/a.rs", text: "//! A.\nfn f() { Instant::now(); }\n", complaint: "`Instant::now`" },
    Broken {
        file: "bot/session/b.rs",
        text: "//! A.\nfn f() { Instant::now(); }\n",
        complaint: "`Instant::now`",
    },
    Broken {
        file: "bot/policy.rs",
        text: "//! A.\nfn f() { SystemTime::now(); }\n",
        complaint: "`SystemTime::now`",
    },
    Broken {
        file: "sandbox/world.rs",
        text: "//! A.\nfn f() { Instant::now(); }\n",
        complaint: "`Instant::now`",
    },
    Broken { file: "lichess/a.rs", text: "//! A.\nfn f() { unsafe { g() } }\n", complaint: "unsafe" },
    Broken { file: "record/a.rs", text: "use std::fs;\n", complaint: "does not start with `//!`" },
];

#[test]
fn each_kind_of_breach_is_found() {
    for broken in BROKEN {
        let complaints = check_one(broken.file, broken.text);
        assert!(
            complaints.len() == 1
                && complaints[0].contains(broken.complaint)
                && complaints[0].contains(broken.file),
            "{}: expected one complaint with `{}`, got {complaints:?}\n{}",
            broken.file,
            broken.complaint,
            broken.text
        );
    }
}

#[test]
fn a_long_file_is_found() {
    let text = format!("//! A.\n{}", "fn f() {}\n".repeat(MAX_LINES));
    let complaints = check_one("chess/a.rs", &text);
    assert!(complaints.len() == 1 && complaints[0].contains("501 lines"), "{complaints:?}");
}

#[test]
fn innocent_text_passes() {
    let text = r##"//! See [`crate::engine`]; println!("x") here is only talk.
use crate::chess::Move; // not crate::cli
use crate::ignore::Ignore;
/* unsafe { Instant::now() } /* nested */ reqwest::get() */
const A: &str = "crate::cli \" unsafe";
const B: &str = r#"println!("tokio::spawn")"#;
const C: char = '"';
fn unsafely<'a>(x: &'a str) -> &'a str { x }
"##;
    assert_eq!(check_one("engine/a.rs", text), Vec::<String>::new());
}

/// Checks a tree that holds nothing but this file.
fn check_one(file: &str, text: &str) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    check(dir.path())
}

fn source_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Everything that is wrong with the tree under `root`, one line each.
fn check(root: &Path) -> Vec<String> {
    let mut files = Vec::new();
    collect(root, &mut files);
    assert!(!files.is_empty(), "no Rust file under {}", root.display());
    files.sort();
    files.iter().flat_map(|path| check_file(root, path)).collect()
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn check_file(root: &Path, path: &Path) -> Vec<String> {
    let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
    let text = fs::read_to_string(path).unwrap();
    let code = code_only(&text);
    let mut complaints = shape(&name, &text);
    complaints.extend(uses(&name, &code));
    complaints.extend(words(&name, &code));
    complaints.into_iter().map(|complaint| format!("src/{name} {complaint}")).collect()
}

/// Header and length.
fn shape(name: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    if !text.starts_with("//! ") {
        complaints.push("does not start with `//!`: say what the file is for".to_owned());
    }
    let lines = text.lines().count();
    if lines > MAX_LINES && !excepted(MAY_BE_LONG, name) {
        complaints.push(format!("has {lines} lines, more than {MAX_LINES}: split it by meaning"));
    }
    complaints
}

/// Paths out of the module, against the table.
fn uses(name: &str, code: &str) -> Vec<String> {
    let module = name.split(['/', '.']).next().unwrap();
    if ["lib", "main"].contains(&module) || OPEN_TO_ALL.contains(&module) {
        return Vec::new();
    }
    let Some((_, allowed)) = MAY_USE.iter().find(|(known, _)| *known == module) else {
        return vec!["is not in the table of who may use whom".to_owned()];
    };
    crate_paths(code)
        .into_iter()
        .filter(|used| used != module && !OPEN_TO_ALL.contains(&used.as_str()))
        .filter(|used| !allowed.contains(&used.as_str()))
        .map(|used| format!("must not use crate::{used}: {module} may use {allowed:?}"))
        .collect()
}

/// Words that do not belong where they stand.
fn words(name: &str, code: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    if !name.starts_with("cli/") && PRINTING.iter().any(|word| has_word(code, word)) {
        complaints.push("prints: only cli speaks to the terminal".to_owned());
    }
    for (places, forbidden, reason) in FORBIDDEN {
        if places.iter().any(|place| is_below(name, place)) {
            let found = forbidden.iter().filter(|word| has_word(code, word));
            complaints.extend(found.map(|word| format!("says `{word}`: {reason}")));
        }
    }
    if has_word(code, "unsafe ") && !excepted(MAY_BE_UNSAFE, name) {
        complaints.push("holds unsafe code and is not on the list of those that may".to_owned());
    }
    complaints
}

fn excepted(list: &[(&str, &str)], name: &str) -> bool {
    list.iter().any(|(file, _)| *file == name)
}

/// `bot/session` covers `bot/session.rs` and all of `bot/session/`; `bot/policy.rs` itself only.
fn is_below(name: &str, place: &str) -> bool {
    name.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || rest == ".rs")
}

/// Whether `word` occurs and does not merely end a longer identifier.
fn has_word(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| !code[..at].ends_with(is_identifier))
}

fn is_identifier(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The first path segments after `crate::`, also those inside `crate::{...}`.
fn crate_paths(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, start) in code.match_indices("crate::") {
        if code[..at].ends_with(is_identifier) {
            continue;
        }
        let rest = &code[at + start.len()..];
        match rest.strip_prefix('{') {
            Some(group) => found.extend(group_heads(group)),
            None => found.extend(head(rest)),
        }
    }
    found
}

/// `a::b, c::{d, e}, f}` -> a, c, f.
fn group_heads(group: &str) -> Vec<String> {
    let mut depth = 0;
    let mut heads: Vec<String> = head(group).into_iter().collect();
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => heads.extend(head(&group[at + 1..])),
            _ => {}
        }
    }
    heads
}

fn head(path: &str) -> Option<String> {
    let name: String = path.trim_start().chars().take_while(|c| is_identifier(*c)).collect();
    (!name.is_empty()).then_some(name)
}

/// The text without comments and without what stands in string and character literals.
fn code_only(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = skip_comment(rest).or_else(|| skip_literal(rest, &code));
        match skipped {
            Some(after) => {
                code.push(' ');
                rest = after;
            }
            None => {
                code.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    code
}

fn skip_comment(text: &str) -> Option<&str> {
    if text.starts_with("//") {
        return Some(text.find('\n').map_or("", |end| &text[end..]));
    }
    let mut rest = text.strip_prefix("/*")?;
    let mut depth = 1;
    while depth > 0 && !rest.is_empty() {
        let step = if rest.starts_with("*/") {
            depth -= 1;
            2
        } else if rest.starts_with("/*") {
            depth += 1;
            2
        } else {
            rest.chars().next().map_or(0, char::len_utf8)
        };
        rest = &rest[step..];
    }
    Some(rest)
}

fn skip_literal<'a>(text: &'a str, before: &str) -> Option<&'a str> {
    if let Some(body) = text.strip_prefix('"') {
        return Some(after_quote(body, '"'));
    }
    if let Some(body) = text.strip_prefix('\'') {
        // A lifetime has no closing quote right after its first character.
        let mut chars = body.chars();
        let first = chars.next()?;
        return (first == '\\' || chars.next() == Some('\'')).then(|| after_quote(body, '\''));
    }
    let raw = text.strip_prefix('r').filter(|_| !before.ends_with(is_identifier) || before.ends_with('b'))?;
    let hashes = raw.len() - raw.trim_start_matches('#').len();
    let body = raw[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(body.find(&end).map_or("", |at| &body[at + end.len()..]))
}

fn after_quote(body: &str, quote: char) -> &str {
    let mut escaped = false;
    for (at, c) in body.char_indices() {
        if c == quote && !escaped {
            return &body[at + 1..];
        }
        escaped = c == '\\' && !escaped;
    }
    ""
}
