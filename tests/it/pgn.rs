//! Games as PGN text: odd spellings and their canonical form, broken games and their places, and collections of games
//! against what python-chess reads in them.

use std::collections::BTreeMap;
use std::fs;

use proptest::prelude::*;
use rookery::chess::pgn::{Game, Games, PgnError, PgnResult, decode};
use rookery::chess::{AnyPosition, CastlingSpelling, Position, UciMove, Variant, san};

use crate::shared;

fn read(text: &str) -> Vec<Result<Game, PgnError>> {
    Games::new(text).collect()
}

#[track_caller]
fn read_one(text: &str) -> Game {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{text:?}: {games:?}");
    games.remove(0).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

/// The game as written, without the seven tags that always stand there and their empty values.
fn canonical(game: &Game) -> String {
    let text = game.to_string();
    assert_eq!(read(&text), [Ok(game.clone())], "{text}");
    let is_told = |line: &&str| !line.ends_with(" \"?\"]") && !line.ends_with(" \"????.??.??\"]");
    let told: Vec<&str> = text.lines().filter(is_told).filter(|line| !line.is_empty()).collect();
    told.join(" ").replace("[Result \"*\"] ", "")
}

/// Odd text on the left, what is written of it on the right. The first of each group says whence the oddity is known.
const ODD: &[(&str, &str)] = &[
    // The standard's own import format: comments, escape lines, numbers where they are not needed (8.2).
    ("1. e4 {a} e5 ; b\n% c\n2. Nf3", "1. e4 { a } 1... e5 { b } 2. Nf3 *"),
    ("e4 e5 Nf3", "1. e4 e5 2. Nf3 *"),
    ("1.e4 e5 2.Nf3 2...Nc6 3 . Bb5", "1. e4 e5 2. Nf3 Nc6 3. Bb5 *"),
    ("7. e4 7. .. e5 1 Nf3 ... Nc6", "1. e4 e5 2. Nf3 Nc6 *"),
    ("1…e4 1…e5", "1. e4 e5 *"),
    ("1. e4 $1 $14 e5!? 2. Nf3?! ± Nc6 +-", "1. e4 $1 $14 e5 $5 2. Nf3 $6 $16 Nc6 $18 *"),
    ("$5 1. e4 (?? 1. d4)", "1. e4 $5 (1. d4 $4) *"),
    // Variations: in each other, after each other, empty, with a result of their own.
    (
        "1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) (1. c4) e5",
        "1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) (1. c4) 1... e5 *",
    ),
    ("1. e4 () e5 ({only words} $3)", "1. e4 e5 $3 { only words } *"),
    ("1. e4 ({before} 1. d4 {after} 1-0) e5", "1. e4 ({ before } 1. d4 { after }) 1... e5 *"),
    ("1. e4 (1. d4) {of e4} e5", "1. e4 { of e4 } (1. d4) 1... e5 *"),
    // Comments: before the first move, several, empty, over several lines, with braces in the rest of a line.
    ("{x} {} {y}\n1. e4 {[%clk 0:03:00]}{\n two\tlines \r\n}", {
        "{ x } { y } 1. e4 { [%clk 0:03:00] } { two lines } *"
    }),
    ("1. e4 ; {open\n1... e5 {a (b) [c] ; d}", "1. e4 { open } 1... e5 { a (b) [c] ; d } *"),
    ("[White \"w\"]\n{about}\n[Black \"b\"]\n1. e4", "[White \"w\"] [Black \"b\"] { about } 1. e4 *"),
    ("1. e4 1-0 {resigns} ; at once", "[Result \"1-0\"] 1. e4 { resigns } { at once } 1-0"),
    // Moves as UCI, in long form, with figurines, typographic dashes, zeros for castling, or none at all.
    ("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O *"),
    ("1. e2-e4 e7-e5 2. Ng1-f3 ♞c6 3. ♗c4 Nf6 4. 0-0", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O *"),
    ("1. Nf3 d5 2. g3 Nf6 3. Bg2 e6 4. O‑O", "1. Nf3 d5 2. g3 Nf6 3. Bg2 e6 4. O-O *"),
    ("1. e4 d5 2. e5 f5 3. exf6 e.p. e6", "1. e4 d5 2. e5 f5 3. exf6 e6 *"),
    ("1. e4 d5 2. e5 f5 3. exf6ep", "1. e4 d5 2. e5 f5 3. exf6 *"),
    ("1. -- e5 2. Z0 Nf6 3. e4 (3. 0000 Nc6)", "1. -- e5 2. -- Nf6 3. e4 (3. -- Nc6) *"),
    // Results: by any dash, as fractions, in the tag alone, as ChessBase writes games that were not played.
    ("1. e4 1–0", "[Result \"1-0\"] 1. e4 1-0"),
    ("1. e4 ½-½", "[Result \"1/2-1/2\"] 1. e4 1/2-1/2"),
    ("1. e4 1/2", "[Result \"1/2-1/2\"] 1. e4 1/2-1/2"),
    ("[Result \"0-1\"]\n1. e4", "[Result \"0-1\"] 1. e4 0-1"),
    ("[Result \"0-1\"]\n1. e4 *", "[Result \"0-1\"] 1. e4 0-1"),
    ("[Result \"+--\"]\n\n +--", "[Result \"1-0\"] 1-0"),
    ("[Result \"won\"]\n\n1. e4 1-0", "[Result \"1-0\"] 1. e4 1-0"),
    // Where both speak, the tag is believed, as by python-chess and Lichess.
    ("[Result \"0-1\"]\n1. e4 1-0", "[Result \"0-1\"] 1. e4 0-1"),
    // Tags: on one line, with spaces, with quotation marks that are bare or missing, twice, after empty lines.
    ("[Event \"a\"] [Site \"b\"][Round \"c\"] 1. e4", "[Event \"a\"] [Site \"b\"] [Round \"c\"] 1. e4 *"),
    ("  [ Event  \"a\" ]\n1. e4", "[Event \"a\"] 1. e4 *"),
    (r#"[Event "a \"b\" \\"] 1. e4"#, r#"[Event "a \"b\" \\"] 1. e4 *"#),
    ("[Event \"a \"b\" c\"]\n1. e4", r#"[Event "a \"b\" c"] 1. e4 *"#),
    ("[Event \"open]\n[Site \"b\"]\n1. e4", "[Event \"open\"] [Site \"b\"] 1. e4 *"),
    ("[White \"a\"]\n[White \"b\"]\n1. e4", "[White \"b\"] 1. e4 *"),
    ("[Event \"a\"]\n\n[Site \"b\"]\n\n1. e4\n\ne5", "[Event \"a\"] [Site \"b\"] 1. e4 e5 *"),
    ("[Zoo \"z\"]\n[Site \"b\"]\n[ECO \"\"]\n1. e4", "[Site \"b\"] [ECO \"\"] [Zoo \"z\"] 1. e4 *"),
    // The variant by many names, and a start of its own.
    ("[Variant \" Standard   \"] *", "*"),
    ("[Variant \"normal\"]\n[FEN \"\"]\n*", "*"),
    ("[Variant \"fischerandom\"]\n*", "[Variant \"Chess960\"] *"),
    ("[Variant \"From Position\"]\n[SetUp \"1\"]\n1. e4", "[Variant \"From Position\"] 1. e4 *"),
    (
        "[FEN \"rbnnqkbr/pppppppp/8/8/8/8/PPPPPPPP/RBNNQKBR w HAha - 0 1\"]\n[Variant \"Fischerandom\"]\n*",
        "[FEN \"rbnnqkbr/pppppppp/8/8/8/8/PPPPPPPP/RBNNQKBR w KQkq - 0 1\"] [SetUp \"1\"] \
         [Variant \"Chess960\"] *",
    ),
    ("[Variant \"crazy house\"]\n1. e4 d5 2. exd5 Qxd5 3. Nc3 P@e4", {
        "[Variant \"Crazyhouse\"] 1. e4 d5 2. exd5 Qxd5 3. Nc3 @e4 *"
    }),
    ("[Variant \"racing kings\"]\n*", "[Variant \"Racing Kings\"] *"),
    ("[Variant \"3-check\"]\n1. e4 d6 2. Bb5+ c6 *", "[Variant \"Three-check\"] 1. e4 d6 2. Bb5+ c6 *"),
    ("[FEN \"4k3/4p3/8/8/8/8/8/4K3 b - - 0 40\"]\n40... e5 (40... e6 41. Kd2) 41. Ke2 *", {
        "[FEN \"4k3/4p3/8/8/8/8/8/4K3 b - - 0 40\"] [SetUp \"1\"] 40... e5 (40... e6 41. Kd2) 41. Ke2 *"
    }),
    // What surrounds games in files and forums.
    ("\u{feff}[Event \"a\"]\r\n\r\n1. e4\r\n", "[Event \"a\"] 1. e4 *"),
    ("%head\n[pgn]\n1. e4\u{a0}e5 \u{200b}\n[/pgn]", "1. e4 e5 *"),
    ("[Event \"old Macintosh\"]\r%x\r1. e4 ;y\re5", "[Event \"old Macintosh\"] 1. e4 { y } 1... e5 *"),
];

#[test]
fn odd_text_is_read_and_made_canonical() {
    for (odd, expected) in ODD {
        assert_eq!(&canonical(&read_one(odd)), expected, "{odd:?}");
    }
}

#[test]
fn the_export_format_is_that_of_the_standard() {
    let game = read_one(
        "[Site \"here\"]\n[Opening \"x\"]\n[Annotator \"me\"]\n[FEN \"k7/8/8/8/8/8/8/6KR w K - 0 1\"]\n\
         1. O-O! {castles, and says so in a comment that is long enough to need a second line of text} Ka7 1/2-1/2",
    );
    let expected = "[Event \"?\"]\n[Site \"here\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
        [Black \"?\"]\n[Result \"1/2-1/2\"]\n[Annotator \"me\"]\n[FEN \"k7/8/8/8/8/8/8/6KR w K - 0 1\"]\n\
        [Opening \"x\"]\n[SetUp \"1\"]\n\n\
        1. O-O $1 { castles, and says so in a comment that is long enough to need a\n\
        second line of text } 1... Ka7 1/2-1/2\n";
    assert_eq!(game.to_string(), expected);
}

/// Broken games and what is said of them.
const BROKEN: &[(&str, &str)] = &[
    (
        "1. e4 e5\n2. Ke3",
        "line 2, column 4 (game 1, ply 2): illegal SAN \"Ke3\" in rnbqkbnr/pppp1ppp/8/4p3/4P3/8",
    ),
    ("1. d4 d5 2. Nd2 Nf6 3. Nf3", "line 1, column 24 (game 1, ply 4): ambiguous SAN \"Nf3\""),
    ("1. e4 hello", "line 1, column 7 (game 1, ply 1): bad SAN \"hello\""),
    ("1. e4 (1. d4 d5 2. c5)", "line 1, column 20 (game 1, ply 2): illegal SAN \"c5\""),
    ("1. e4 (1. d4 (1. c4) 1... e5 (1... d5 2. c4", "line 1, column 30 (game 1, ply 1): variation without"),
    ("1. e4 e5)", "line 1, column 9 (game 1, ply 2): unexpected ')'"),
    ("(1. e4)", "line 1, column 1 (game 1, ply 0): variation before the first move"),
    ("1. e4 ((1. d4))", "line 1, column 8 (game 1, ply 0): variation before the first move"),
    ("1. e4 {open", "line 1, column 7 (game 1, ply 1): comment without its closing brace"),
    ("1. e4 } e5", "line 1, column 7 (game 1, ply 1): unexpected '}'"),
    ("1. e4 $300", "line 1, column 7 (game 1, ply 1): bad glyph"),
    ("1. e4 $ e5", "line 1, column 7 (game 1, ply 1): bad glyph"),
    ("[Event a]\n\n1. e4 *", "line 1, column 1 (game 1, ply 0): bad tag"),
    ("1. e4 e5 2. Qh5 a6 3. Qxf7 --", "line 1, column 28 (game 1, ply 5): null move in check"),
    (
        "[Event \"é\"] [Variant \"Seirawan\"]\n*",
        "line 1, column 13 (game 1, ply 0): unknown variant \"Seirawan\"",
    ),
    (
        "[FEN \"8/8/8/8/8/8/8/K7 w - - 0 1\"]",
        "(game 1, ply 0): bad FEN tag: not a legal position: black has 0 kings",
    ),
    ("[FEN \"start\"]", "line 1, column 1 (game 1, ply 0): bad FEN tag: bad FEN placement \"start\""),
];

#[test]
fn what_is_wrong_is_refused_with_its_place() {
    for (text, expected) in BROKEN {
        let games = read(text);
        let [Err(error)] = &games[..] else { panic!("{text:?}: {games:?}") };
        assert!(error.to_string().contains(expected), "{text:?}: {error}");
    }
}

/// Each of these texts stands where the second of three games does. The first and the third are read all the same.
#[test]
fn reading_goes_on_after_a_broken_game() {
    let between = |broken: &str| {
        let text = format!("[Event \"1\"]\n\n1. e4 1-0\n\n{broken}\n\n[Event \"3\"]\n\n1. c4 {{end}} 0-1\n");
        let games = read(&text);
        assert_eq!(games.len(), 3, "{text}: {games:?}");
        assert_eq!(games[0].as_ref().unwrap().tag("Event"), Some("1"));
        assert_eq!(games[2].as_ref().unwrap().tag("Event"), Some("3"), "{text}");
        let error = games[1].as_ref().unwrap_err();
        assert_eq!(error.place.game, 2, "{text}");
        error.to_string()
    };
    for (text, _) in BROKEN {
        between(text);
        if !text.starts_with('[') {
            between(&format!("[Event \"2\"]\n\n{text}"));
        }
        if !text.contains(['{', '*']) {
            between(&format!("{text} * "));
        }
    }
    assert!(
        between("[Event \"2\"]\n[Variant \"x\"]\n\n[Site \"y\"]\n\n1. e4 e5")
            .starts_with("line 6, column 1 ")
    );
}

/// Without tags, a game ends with its result, or with an empty line and number 1.
#[test]
fn games_of_moves_alone() {
    let plies = |text: &str| -> Vec<Option<usize>> {
        read(text).iter().map(|game| game.as_ref().ok().map(|game| game.main_line().plies().len())).collect()
    };
    assert_eq!(plies("1. e4 1-0 1. d4 d5 *\ne4 e5 Nf3"), [Some(1), Some(2), Some(3)]);
    assert_eq!(plies("1. e4 e5\n\n1. d4\n\n1... d5\n\n2. c4"), [Some(2), Some(3)]);
    assert_eq!(plies("1. e4 e6 (1... e5 2. Ke3 *\n1. d4 *"), [None, Some(1)]);
    assert_eq!(plies("1. e4 e9 1. d4 (d5) 1-0\n1. d4 *"), [None, Some(1)]);
    assert_eq!(plies("* *\n1/2"), [Some(0), Some(0), Some(0)]);
    for nothing in ["", " \n", "{alone}", "% x", "; x", "1.", "... ", "$3", "\u{feff}"] {
        assert_eq!(plies(nothing), [], "{nothing:?}");
    }
    assert_eq!(plies("12. $1\n[Event \"x\"]"), [Some(0)]);
}

#[test]
fn bytes_that_are_not_utf8_are_latin1() {
    assert_eq!(decode(b"[White \"M\xfcller\"] {\xc3\xbc}"), "[White \"Müller\"] {ü}");
}

/// Texts that would overflow the stack of a recursive reader, or take hours if any step looked at all of the rest.
#[test]
fn deep_and_long_texts_take_linear_time() {
    let deep = format!("1. e4 {} e5", "(1. d4 ".repeat(50_000) + &")".repeat(50_000));
    let game = read_one(&deep);
    assert_eq!(read_one(&game.to_string()), game);
    assert!(read(&"1. e4 (".repeat(50_000))[0].is_err());
    let tags: String = (0..50_000).map(|number| format!("[Tag{number} \"x\"]\n\n")).collect();
    assert_eq!(read_one(&tags).tags().count(), 50_000);
    for (unit, games) in [
        ("1. e4 {open\n\n[Event \"x\"]\n", 50_000),
        ("1. e5 * ", 50_000),
        ("[Event \"x\n", 50_000),
        ("1. e4 (1. d4 1-0\n", 25_000),
        ("1. e4 * {", 1),
        ("1.1.1.1.", 0),
        ("[[[[[[[[", 1),
        ("[aaaaaaa", 1),
        ("{\n\n[aaa ", 1),
        ("! ? !? *", 50_000),
        ("\u{a0}\u{feff}½", 50_000),
        ("((((((((", 1),
        ("\\\"\\\"\"\" ", 1),
    ] {
        let found = Games::new(&unit.repeat(50_000)).count();
        assert!(found.abs_diff(games) <= 2, "{unit:?}: {found} games");
    }
}

/// The main line as UCI words, `0000` for a null move, and where it ends.
fn play_out(game: &Game, spelling: CastlingSpelling) -> (String, AnyPosition) {
    let mut position = game.start().clone();
    let mut words = Vec::new();
    for ply in game.main_line().plies() {
        match ply.mv() {
            Some(mv) => {
                words.push(UciMove::from_move(mv, spelling).to_string());
                position.play(mv);
            }
            None => {
                words.push("0000".to_owned());
                position = position.after_null();
            }
        }
    }
    (words.join(" "), position)
}

/// How we read a game otherwise than python-chess.
enum Ours {
    /// So many plies and this result.
    Reads(usize, PgnResult),
    /// Refused after so many plies of the broken line.
    Refuses(usize),
}

/// Where we differ from python-chess, and why.
const DIFFERENT: &[(&str, Ours, &str)] = &[
    ("blackAbsentResult.pgn", Ours::Reads(0, PgnResult::White), "`+--` is a result, not a null move"),
    ("completeTagsWithSpaces.pgn", Ours::Reads(0, PgnResult::Unfinished), "spaces around a variant's name"),
    ("fromChessProgrammingWiki.pgn", Ours::Reads(85, PgnResult::White), "the result has a typographic dash"),
    ("fromCrafty.pgn", Ours::Reads(68, PgnResult::Black), "an empty line does not end a game"),
    ("fromPositionEmptyFen.pgn", Ours::Refuses(68), "the illegal move stands in a variation"),
    ("gameWithComments.pgn", Ours::Reads(106, PgnResult::Draw), "an empty line does not end a game"),
    ("overflow.pgn", Ours::Refuses(19), "the illegal move stands in a variation"),
    ("stackOverflow.pgn", Ours::Reads(8, PgnResult::Unfinished), "tags and moves may share a line"),
    ("unicodeResultDraw.pgn", Ours::Reads(0, PgnResult::Draw), "a result of fractions"),
    ("unicodeResultWeirdDashDraw.pgn", Ours::Reads(0, PgnResult::Draw), "the result has a typographic dash"),
    ("unicodeResultWeirdDashWin.pgn", Ours::Reads(0, PgnResult::White), "the result has a typographic dash"),
    ("weirdDashes.pgn", Ours::Reads(74, PgnResult::Black), "castling with a typographic dash"),
    ("whiteResignsInTags.pgn", Ours::Reads(35, PgnResult::Black), "all tags are on one line"),
    ("withDelimiters.pgn", Ours::Reads(33, PgnResult::Unfinished), "forum mark-up before the moves"),
    (
        "sunfish_movetext_only.pgn",
        Ours::Reads(42, PgnResult::Black),
        "a result ends a game without empty line",
    ),
];

/// Every game of the collection: its moves, where they lead, its start and result as python-chess read them, or an
/// error where it met one. And each game that is read is written and read back.
#[test]
fn collections_agree_with_python_chess() {
    let Some(folder) = shared::path("games") else { return };
    let mut files: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for row in shared::table("games/games_uci.tsv").unwrap() {
        files.entry(row[0].clone()).or_default().push(row);
    }
    for (file, rows) in &files {
        let bytes = fs::read(folder.join(file)).unwrap();
        let games = read(&decode(&bytes));
        let name = file.rsplit('/').next().unwrap();
        if let Some((_, ours, why)) = DIFFERENT.iter().find(|(known, _, _)| *known == name) {
            check_difference(&games[0], ours, &format!("{file}: {why}"));
            continue;
        }
        assert_eq!(games.len(), rows.len(), "{file}");
        for (game, row) in games.iter().zip(rows) {
            check_agreement(game, row);
        }
    }
}

fn check_difference(game: &Result<Game, PgnError>, ours: &Ours, label: &str) {
    match (game, ours) {
        (Ok(game), Ours::Reads(plies, result)) => {
            assert_eq!((game.main_line().plies().len(), game.result()), (*plies, *result), "{label}");
            assert_eq!(read_one(&game.to_string()), *game, "{label}");
        }
        (Err(error), Ours::Refuses(ply)) => assert_eq!(error.place.ply, *ply, "{label}: {error}"),
        (game, _) => panic!("{label}: {game:?}"),
    }
}

fn check_agreement(game: &Result<Game, PgnError>, row: &[String]) {
    let [file, index, variant, chess960, start, result, plies, moves, end, _, _, errors] = row else {
        panic!("{row:?}")
    };
    let label = format!("{file} {index}");
    match game {
        Err(error) if variant.is_empty() => assert!(error.to_string().contains("unknown variant"), "{error}"),
        Err(error) => {
            assert!(!errors.is_empty(), "{label}: {error}");
            assert_eq!(&error.place.ply.to_string(), plies, "{label}: {error} ({errors})");
        }
        Ok(game) => {
            assert!(errors.is_empty(), "{label} was read: {errors}");
            let spelling = match chess960.as_str() {
                "1" => CastlingSpelling::KingTakesRook,
                _ => CastlingSpelling::KingTwoSquares,
            };
            let (uci, position) = play_out(game, spelling);
            assert_eq!(&uci, moves, "{label}");
            assert_same(game.start(), start, &label);
            assert_same(&position, end, &label);
            assert_eq!(game.result().as_str(), result, "{label}");
            assert_eq!(game.history().is_some(), !moves.contains("0000"), "{label}");
            assert_eq!(read_one(&game.to_string()), *game, "{label}");
        }
    }
}

/// Whether a position is that of a FEN of other programs. They write pockets otherwise, and in crazyhouse a dropped
/// pawn does not start their half-move clock again, as it does at Lichess.
#[track_caller]
fn assert_same(position: &AnyPosition, fen: &str, label: &str) {
    let theirs = AnyPosition::from_unreachable_fen(position.variant(), fen).unwrap().to_fen();
    let ours = position.to_fen();
    let fields = |fen: &str| -> Vec<String> {
        let is_compared = |at: usize| at != 4 || position.variant() != Variant::Crazyhouse;
        fen.split(' ')
            .enumerate()
            .filter(|&(at, _)| is_compared(at))
            .map(|(_, word)| word.to_owned())
            .collect()
    };
    assert_eq!(fields(&ours), fields(&theirs), "{label}");
}

#[test]
fn a_collection_of_moves_alone() {
    let Some(rows) = shared::table("games/sunfish_movetext_only_uci.tsv") else { return };
    let text = fs::read_to_string(shared::path("games/sunfish_movetext_only.pgn").unwrap()).unwrap();
    let games = read(&text);
    assert_eq!(games.len(), rows.len());
    for (game, row) in games.iter().zip(&rows) {
        let [line, result, _, moves, end] = &row[..] else { panic!("{row:?}") };
        let game = game.as_ref().unwrap();
        let (uci, position) = play_out(game, CastlingSpelling::KingTwoSquares);
        assert_eq!((&uci, &position.to_fen()), (moves, end), "line {line}");
        assert_eq!(game.result().as_str(), result, "line {line}");
    }
}

/// Random games of every variant by shakmaty: moves as SAN, as UCI, and where they lead.
#[test]
fn games_of_every_variant() {
    let Some(rows) = shared::table("games/variant_games_shakmaty.tsv") else { return };
    for row in &rows {
        let [name, uci, san, end, ..] = &row[..] else { panic!("{row:?}") };
        let game = read_one(&format!("[Variant \"{name}\"]\n\n{san}"));
        let (words, position) = play_out(&game, CastlingSpelling::KingTwoSquares);
        assert_eq!(&words, uci, "{name} {san}");
        assert_same(&position, end, &format!("{name} {san}"));
        assert_eq!(read_one(&game.to_string()), game);
        let from_uci = read_one(&format!("[Variant \"{name}\"]\n\n{uci}"));
        assert_eq!(from_uci, game);
    }
}

/// Two collections of tags, told apart by `Event` or by a tag that comes again after an empty line.
#[test]
fn collections_of_tags_alone() {
    for (file, expected) in [("FWWRC_headers_only.pgn", 605), ("uzchesscup_headers_only.pgn", 45)] {
        let Some(path) = shared::path(&format!("games/{file}")) else { return };
        let games = read(&fs::read_to_string(path).unwrap());
        assert_eq!(games.len(), expected, "{file}");
        assert!(games.iter().flatten().all(|game| game.tag("White").is_some()), "{file}");
        assert_eq!(games.iter().flatten().count(), expected, "{file}");
    }
}

/// A random game tree as text: moves with glyphs, comments and variations, spelled in one of several ways.
fn write_line(
    position: &AnyPosition,
    choices: &mut impl Iterator<Item = u8>,
    depth: usize,
    text: &mut String,
) {
    let mut position = position.clone();
    for _ in 0..choices.next().unwrap_or(0) % 12 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mut choose = || usize::from(choices.next().unwrap_or(0));
        let mv = moves[choose() % moves.len()];
        let number = position.fullmove_number();
        match choose() % 4 {
            0 => text.push_str(&format!("{number}. ")),
            1 => text.push_str(&format!("{number}...\n")),
            _ => {}
        }
        match choose() % 4 {
            0 => text.push_str(&UciMove::from_move(mv, CastlingSpelling::KingTakesRook).to_string()),
            1 => text.push_str(&san::format(&position, mv).replace('O', "0")),
            _ => text.push_str(&san::format(&position, mv)),
        }
        text.push_str(["", "!?", " $7", " ±", " {one \n two}", " ; to the end}\n", "", ""][choose() % 8]);
        if depth < 4 && choose() % 4 == 0 {
            text.push_str(" (");
            write_line(&position, choices, depth + 1, text);
            text.push_str(") ");
        }
        text.push(' ');
        position.play(mv);
    }
}

proptest! {
    /// Whatever comes in, it is read or refused, and what is read is read back from what is written.
    #[test]
    fn any_text_is_read_or_refused(
        text in "([\\[\\]{}();%$*!?.\"\\\\ \n\r]|\\PC|1-0|\\$1|[1-3]\\.|(e4|d5|Nf3|c6|O-O)[ +#]|\\[(Event|FEN|Result) \"){0,60}"
    ) {
        for game in Games::new(&text).flatten() {
            let written = game.to_string();
            prop_assert_eq!(read(&written), [Ok(game)], "{}", written);
        }
    }

    #[test]
    fn random_trees_are_read_back(
        variant in prop::sample::select(Variant::ALL.as_slice()),
        number in 0u16..960,
        choices in prop::collection::vec(any::<u8>(), 0..400)
    ) {
        let start = match variant {
            Variant::Chess960 => Position::chess960(number).unwrap().into(),
            _ => variant.start(None).unwrap(),
        };
        let mut text = format!("[Variant \"{}\"]\n[FEN \"{}\"]\n\n", variant.name(), start.to_fen());
        write_line(&start, &mut choices.into_iter(), 0, &mut text);
        let games = read(&text);
        prop_assert_eq!(games.len(), 1);
        let game = games[0].as_ref().map_err(|error| TestCaseError::fail(format!("{error} in {text}")))?;
        let written = game.to_string();
        prop_assert_eq!(&read(&written), &games, "{}", written);
        prop_assert!(written.lines().all(|line| line.len() <= 80 || line.starts_with('[')), "{}", written);
    }
}
