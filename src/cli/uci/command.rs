//! One line of UCI as a value. Knows the words, not what they do.

use super::go::Go;
use crate::chess::{History, Variant};
use crate::engine::parameters;

/// What a line asks for.
#[derive(Debug)]
pub(super) enum Command {
    Uci,
    IsReady,
    NewGame,
    Position(Box<History>),
    Go(Go),
    SetOption(Setting),
    Stop,
    PonderHit,
    Quit,
    /// Show the position, or its evaluation: conveniences beside the protocol.
    Display,
    Eval,
    /// An empty line, or `debug` and `register`, which need no answer.
    Nothing,
}

/// An option of the engine with its new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    HashMib(usize),
    Threads(usize),
    MultiPv(usize),
    /// Milliseconds.
    MoveOverhead(u64),
    Chess960(bool),
    /// Whose rules apply to the positions that follow.
    Variant(Variant),
    /// The program will let the engine ponder; `go ponder` is understood in any case.
    Ponder,
    ClearHash,
    /// What positions are judged by: `embedded`, `hand-made` or the path of a network.
    Network(String),
    /// A constant of the engine, by its name, in the unit of the option; only in a build with the feature `tune`.
    Parameter(&'static str, i64),
}

/// The options as `uci` lists them, with the ranges that [`Command::parse`] holds.
pub(super) const OPTIONS: &[&str] = &[
    "option name Hash type spin default 16 min 1 max 65536",
    "option name Threads type spin default 1 min 1 max 256",
    "option name Ponder type check default false",
    "option name MultiPV type spin default 1 min 1 max 218",
    "option name UCI_Chess960 type check default false",
    "option name UCI_Variant type combo default chess var chess var crazyhouse var antichess var atomic var horde \
     var kingofthehill var racingkings var 3check",
    "option name Move Overhead type spin default 20 min 0 max 10000",
    "option name Clear Hash type button",
    "option name EvalFile type string default hand-made",
];

impl Command {
    /// Reads a line, with positions by the rules of `variant`; the error says what is wrong with it.
    pub(super) fn parse(line: &str, variant: Variant) -> Result<Command, String> {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return Ok(Command::Nothing) };
        let rest: Vec<&str> = words.collect();
        match first {
            "uci" => Ok(Command::Uci),
            "isready" => Ok(Command::IsReady),
            "ucinewgame" => Ok(Command::NewGame),
            "position" => position(&rest, variant).map(|history| Command::Position(Box::new(history))),
            "go" => Go::parse(&rest).map(Command::Go),
            "setoption" => setting(&rest).map(Command::SetOption),
            "stop" => Ok(Command::Stop),
            "ponderhit" => Ok(Command::PonderHit),
            "quit" => Ok(Command::Quit),
            "d" => Ok(Command::Display),
            "eval" => Ok(Command::Eval),
            "debug" | "register" => Ok(Command::Nothing),
            _ => Err(format!("unknown command {first:?}")),
        }
    }
}

fn position(words: &[&str], variant: Variant) -> Result<History, String> {
    let moves_at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (set_up, moves) = (&words[..moves_at], words.get(moves_at + 1..).unwrap_or_default());
    let fen = match set_up {
        ["startpos"] => None,
        ["fen", fen @ ..] => Some(fen.join(" ")),
        _ => return Err("position: expected startpos or fen".to_owned()),
    };
    let bad = |error| format!("position: bad fen {:?}: {error}", fen.as_deref().unwrap_or_default());
    let start = variant.start(fen.as_deref()).map_err(bad)?;
    History::from_uci(start, moves.iter().copied()).map_err(|error| format!("position: {error}"))
}

fn setting(words: &[&str]) -> Result<Setting, String> {
    let ["name", rest @ ..] = words else { return Err("setoption: expected name".to_owned()) };
    let value_at = rest.iter().position(|&word| word == "value").unwrap_or(rest.len());
    let name = rest[..value_at].join(" ");
    let value = rest.get(value_at + 1..).unwrap_or_default().join(" ");
    match name.to_ascii_lowercase().as_str() {
        "hash" => Ok(Setting::HashMib(number(&name, &value, 1, 65_536)? as usize)),
        "threads" => Ok(Setting::Threads(number(&name, &value, 1, 256)? as usize)),
        "multipv" => Ok(Setting::MultiPv(number(&name, &value, 1, 218)? as usize)),
        "move overhead" => Ok(Setting::MoveOverhead(number(&name, &value, 0, 10_000)?)),
        "uci_chess960" => Ok(Setting::Chess960(switch(&name, &value)?)),
        "uci_variant" => game(&value).map(Setting::Variant),
        "ponder" => switch(&name, &value).map(|_| Setting::Ponder),
        "evalfile" => Ok(Setting::Network(value.clone())),
        "clear hash" => Ok(Setting::ClearHash),
        _ => parameter(&name, &value),
    }
}

fn parameter(name: &str, value: &str) -> Result<Setting, String> {
    let named = parameters().iter().find(|parameter| parameter.name.eq_ignore_ascii_case(name));
    let parameter = named.ok_or_else(|| format!("setoption: no option {name:?}"))?;
    let value =
        value.parse().map_err(|_| format!("setoption: {name} is {value:?}, expected a whole number"))?;
    Ok(Setting::Parameter(parameter.name, value))
}

fn number(name: &str, value: &str, min: u64, max: u64) -> Result<u64, String> {
    value
        .parse()
        .ok()
        .filter(|number| (min..=max).contains(number))
        .ok_or_else(|| format!("setoption: {name} is {value:?}, expected a number from {min} to {max}"))
}

fn game(value: &str) -> Result<Variant, String> {
    let named = |variant: &Variant| variant.uci_name().eq_ignore_ascii_case(value);
    Variant::ALL.into_iter().find(named).ok_or_else(|| format!("setoption: no variant {value:?}"))
}

fn switch(name: &str, value: &str) -> Result<bool, String> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("setoption: {name} is {value:?}, expected true or false")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bad_lines_say_what_is_wrong() {
        let table = [
            ("fly", "unknown command \"fly\""),
            ("position", "expected startpos or fen"),
            ("position fen 8/8 w - - 0 1", "bad fen \"8/8 w - - 0 1\""),
            ("position startpos moves e2e5", "e2e5"),
            ("position startpos moves e2e4 zz", "zz"),
            ("setoption", "expected name"),
            ("setoption name Hash value lots", "Hash is \"lots\""),
            ("setoption name Threads value 0", "from 1 to 256"),
            ("setoption name Colour value red", "no option \"Colour\""),
            ("setoption name UCI_Chess960 value maybe", "expected true or false"),
            ("setoption name UCI_Variant value go", "no variant \"go\""),
            ("go wtime", "wtime"),
            ("go depth deep", "deep"),
            ("go sideways", "sideways"),
        ];
        for (line, part) in table {
            let error = Command::parse(line, Variant::Standard).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
    }

    #[test]
    fn options_are_read_without_regard_to_case() {
        for (line, expected) in [
            ("setoption name hash value 64", Setting::HashMib(64)),
            ("setoption name Move Overhead value 35", Setting::MoveOverhead(35)),
            ("setoption name Clear Hash", Setting::ClearHash),
            ("setoption name UCI_Chess960 value true", Setting::Chess960(true)),
            ("setoption name uci_variant value 3Check", Setting::Variant(Variant::ThreeCheck)),
            ("setoption name UCI_Variant value chess", Setting::Variant(Variant::Standard)),
        ] {
            assert!(
                matches!(Command::parse(line, Variant::Standard), Ok(Command::SetOption(setting)) if setting == expected),
                "{line}"
            );
        }
    }

    #[test]
    fn every_variant_is_offered_by_its_name_in_uci() {
        let option = OPTIONS.iter().find(|option| option.contains("UCI_Variant")).unwrap();
        for variant in Variant::ALL {
            assert!(option.split_whitespace().any(|word| word == variant.uci_name()), "{variant:?}");
        }
    }

    proptest! {
        #[test]
        fn no_line_panics(line in "\\PC*", word in "(position|go|setoption) .*") {
            for variant in Variant::ALL {
                drop(Command::parse(&line, variant));
                drop(Command::parse(&word, variant));
            }
        }
    }
}
