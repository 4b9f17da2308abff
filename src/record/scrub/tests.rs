//! What goes, what stays, and that scrubbing twice is scrubbing once.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const HEADER: &str =
    r#"{"seq":0,"at_ms":0,"kind":"header","body":{"format":2,"wall_ms":1796025008684,"about":null}}"#;

fn entry(kind: &str, body: Value) -> String {
    json!({ "seq": 1, "at_ms": 5, "kind": kind, "body": body }).to_string()
}

fn scrubbed(recording: &str) -> String {
    let mut scrubber = Scrubber::new(vec!["tok_ada".to_owned()]);
    scrubber.learn(recording);
    scrubber.scrub(recording)
}

/// The bodies of the entries after the header, scrubbed together.
fn bodies(entries: &[(&str, Value)]) -> Vec<Value> {
    let entries: Vec<String> = entries.iter().map(|(kind, body)| entry(kind, body.clone())).collect();
    let text = scrubbed(&format!("{HEADER}\n{}", entries.join("\n")));
    let body = |line: &str| serde_json::from_str::<Value>(line).unwrap()["body"].clone();
    text.lines().skip(1).map(body).collect()
}

#[test]
fn the_same_has_the_same_name_everywhere() {
    let full = r#"{"type":"gameFull", "id":"Qz7Lm2Xa","white":{"id":"ferncastle","name":"Ferncastle"}}"#;
    let path = json!({ "method": "GET", "path": "/api/bot/game/Qz7Lm2Xa/move/e2e4", "answer": "{\"ok\":true}",
        "error": "refused with status 400: not your turn, Ferncastle" });
    let gone = json!({ "input": "gone", "id": "Qz7Lm2Xa", "opponent": "ferncastle" });
    let found = bodies(&[("line", json!(full)), ("request", path), ("input", gone)]);
    let line = r#"{"type":"gameFull", "id":"g0000001","white":{"id":"player1","name":"Player1"}}"#;
    assert_eq!(found[0], line, "everything else stays, blanks too");
    assert_eq!(found[1]["path"], "/api/bot/game/g0000001/move/e2e4");
    assert_eq!(found[1]["error"], "refused with status 400: not your turn, Player1");
    assert_eq!((&found[1]["answer"], &found[1]["method"]), (&json!("{\"ok\":true}"), &json!("GET")));
    assert_eq!(found[2], json!({ "input": "gone", "id": "g0000001", "opponent": "player1" }));
}

#[test]
fn what_is_said_goes_whole_and_what_the_server_says_stays() {
    let chat = |who: &str, text: &str| json!({ "text": text, "type": "chatLine", "room": "player", "username": who });
    let said =
        json!([{ "effect": "chat", "text": "Good luck!" }, { "effect": "log", "text": "playing any" }]);
    let form = json!({ "form": [["room", "player"], ["text", "Good luck!"]] });
    let found = bodies(&[
        ("input", chat("Ferncastle", "I am Anna, born in Wesel")),
        ("input", chat("lichess", "Takeback sent")),
        ("effects", said),
        ("request", form),
        ("line", json!(chat("Ferncastle", "I am Anna, born in Wesel").to_string())),
    ]);
    assert_eq!((&found[0]["text"], &found[1]["text"]), (&json!("chat 1"), &json!("Takeback sent")));
    assert_eq!((&found[2][0]["text"], &found[2][1]["text"]), (&json!("chat 2"), &json!("playing any")));
    assert_eq!(found[3]["form"], json!([["room", "player"], ["text", "chat 2"]]));
    let line: Value = serde_json::from_str(found[4].as_str().unwrap()).unwrap();
    assert_eq!(line["text"], "chat 1");
}

#[test]
fn tokens_addresses_and_seats_go() {
    let texts = [
        ("no such token lip_aB3dE5", "no such token <token>"),
        ("xtok_adax", "x<token>x"),
        ("connect to 203.0.113.77:8080 refused", "connect to 192.0.2.1:8080 refused"),
        ("http://127.0.0.1:45833/", "http://127.0.0.1:45833/"),
        ("https://lichess.org/Qz7Lm2XaB4td", "https://lichess.org/g0000001seat"),
        ("https://myhost.home.arpa/bad", "https://word1.word2.word3/bad"),
        ("rnbqkbnr/pp1ppppp/8 w KQkq e6 0 2 P@e4 e7e8q", "rnbqkbnr/pp1ppppp/8 w KQkq e6 0 2 P@e4 e7e8q"),
    ];
    let entries: Vec<(&str, Value)> = texts.iter().map(|(text, _)| ("stream", json!(text))).collect();
    let expected: Vec<Value> = texts.iter().map(|(_, expected)| json!(expected)).collect();
    assert_eq!(bodies(&entries), expected);
}

#[test]
fn clocks_of_the_wall_begin_in_2020() {
    let text = scrubbed(&format!(
        "{HEADER}\n{}",
        entry("line", json!(r#"{"createdAt":1796025008665,"wtime":180000}"#))
    ));
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        lines[0]["body"],
        json!({ "format": 2, "wall_ms": EPOCH_MS, "about": null, "scrubbed": true })
    );
    assert_eq!(lines[1]["body"], r#"{"createdAt":1577836799981,"wtime":180000}"#);
}

#[test]
fn words_that_stay_are_told_from_ids() {
    for word in
        ["claimWinInSeconds", "no-start", "kingOfTheHill", "rnbqkbnr", "pp1ppppp", "KQkq", "e7e8q", "1000"]
    {
        assert!(vocabulary::is_plain(word), "{word}");
    }
    for id in ["aBcDeFgH", "bk1K1N11", "Qz7Lm2Xa", "theAbCdE", "e2e4e7e5", "0123456789"] {
        assert!(!vocabulary::is_plain(id), "{id}");
    }
}

/// A name that is a word of ours goes where names stand, and leaves the words alone.
#[test]
fn names_that_are_words_break_nothing() {
    let entries = [
        (
            "input",
            json!({ "input": "line", "event": { "type": "gameState", "moves": "e2e4", "winner": "white" } }),
        ),
        (
            "line",
            json!(r#"{"type":"gameFull","white":{"id":"white"},"black":{"id":"e2e4"},"winner":"white"}"#),
        ),
    ];
    let found = bodies(&entries);
    assert_eq!(found[0], entries[0].1);
    let line = r#"{"type":"gameFull","white":{"id":"player2"},"black":{"id":"player1"},"winner":"white"}"#;
    assert_eq!(found[1], line);
}

#[test]
fn a_line_that_was_cut_off_is_scrubbed_too() {
    let cut = r#"{"seq":2,"at_ms":7,"kind":"line","body":"{\"type\":\"chatLine\",\"username\":\"Fernc"#;
    let text = scrubbed(&format!("{HEADER}\n{cut}"));
    let expected = r#"{"seq":2,"at_ms":7,"kind":"line","body":"{\"type\":\"chatLine\",\"username\":\"word1"#;
    assert_eq!(text.lines().nth(1), Some(expected));
}

#[test]
fn files_that_belong_together_agree() {
    let account = format!("{HEADER}\n{}", entry("input", json!({ "input": "gone", "id": "Qz7Lm2Xa" })));
    let game = format!("{HEADER}\n{}", entry("line", json!(r#"{"id":"Ab3dE5gH","game":"Qz7Lm2Xa"}"#)));
    let mut scrubber = Scrubber::new(Vec::new());
    scrubber.learn(&account);
    scrubber.learn(&game);
    assert!(scrubber.scrub(&account).contains("g0000001"));
    assert!(scrubber.scrub(&game).contains(r#"{\"id\":\"g0000002\",\"game\":\"g0000001\"}"#));
    assert_eq!(
        (scrubber.rename("Qz7Lm2Xa"), scrubber.rename("account")),
        ("g0000001".into(), "account".into())
    );
}

#[test]
fn a_new_part_behind_a_scrubbed_one_is_scrubbed() {
    let part =
        |name: &str| format!("{HEADER}\n{}", entry("line", json!({ "username": name }).to_string().into()));
    let first = scrubbed(&part("anna"));
    let both = scrubbed(&format!("{first}{}", part("bert")));
    assert!(both.starts_with(&first) && !both.contains("bert"), "{both}");
}

/// Where a secret may stand: each a kind and a body that holds it.
fn with_secret(place: usize, secret: &str) -> (&'static str, Value) {
    let raw = |value: Value| json!(value.to_string());
    match place % 16 {
        0 => (
            "line",
            raw(json!({ "type": "gameFull", "id": "Qz7Lm2Xa", "white": { "id": secret, "name": secret } })),
        ),
        1 => (
            "line",
            raw(json!({ "type": "chatLine", "username": secret, "text": format!("I am {secret}!") })),
        ),
        2 => ("line", json!(format!("<html>{secret} was here</html>"))),
        3 => ("line", json!(format!("{{\"type\":\"gameState\",\"moves\":\"{secret}"))),
        4 => ("line", raw(json!({ secret: { "new": [secret, 7] }, "type": "novel" }))),
        5 => (
            "input",
            json!({ "input": "line", "event": { "type": "rookery:unknown", "raw": format!("a {secret} b") } }),
        ),
        6 => (
            "input",
            json!({ "input": "posted", "outcome": { "refused": { "message": format!("No, {secret}.") } } }),
        ),
        7 => ("request", json!({ "path": format!("/api/challenge/{secret}/accept"), "answer": "" })),
        8 => ("request", json!({ "form": [["text", secret]], "answer": raw(json!({ "error": secret })) })),
        9 => ("request", json!({ "headers": [["location", format!("https://{secret}.org/?a={secret}")]] })),
        10 => {
            ("stream", json!({ "stream": "lost", "rest": format!("{{\"type\":\"x\",\"name\":\"{secret}\\") }))
        }
        11 => ("effects", json!([{ "effect": "chat", "text": secret }])),
        12 => (
            "stream",
            json!({ "stream": "lost", "reason": { "Broken": format!("connect to {secret}: refused") } }),
        ),
        13 => (
            "input",
            json!({ "input": "challenge", "challenge": { "id": "Qz7Lm2Xa", "challenger": { "name": secret } } }),
        ),
        14 => ("search", json!({ "pv": [secret] })),
        // A text of ours quotes what an input held.
        _ => ("effects", json!([{ "effect": "log", "level": "info", "text": format!("refused: {secret}") }])),
    }
}

/// Words that no message holds: names, ids, tokens, words of other languages.
fn secret() -> impl Strategy<Value = String> {
    let shape =
        prop_oneof!["[A-Z][a-z]{5,9}xq[0-9]{0,3}", "[a-zA-Z0-9]{8}", "lip_[A-Za-z0-9]{16}", "[äöüßñ]{3,6}x"];
    // An id may look like a rank of a position by chance.
    shape.prop_filter("a word that stays", |word| !vocabulary::is_plain(word))
}

proptest! {
    #[test]
    fn no_secret_survives_and_twice_is_once(
        secrets in prop::collection::vec((0..16_usize, secret()), 1..12),
    ) {
        // What a text of ours quotes stands in an input before it.
        let mut lines = vec![HEADER.to_owned()];
        for (place, secret) in &secrets {
            let (kind, body) = with_secret(6, secret);
            lines.push(entry(kind, body));
            let (kind, body) = with_secret(*place, secret);
            lines.push(entry(kind, body));
        }
        let once = scrubbed(&lines.join("\n"));
        for (_, secret) in &secrets {
            prop_assert!(!once.to_lowercase().contains(&secret.to_lowercase()), "{secret} in {once}");
        }
        prop_assert_eq!(scrubbed(&once), once);
    }

    /// Any place alone, too: none depends on another.
    #[test]
    fn no_secret_survives_alone(place in 0..15_usize, secret in secret()) {
        let (kind, body) = with_secret(place, &secret);
        let once = scrubbed(&format!("{HEADER}\n{}", entry(kind, body)));
        prop_assert!(!once.to_lowercase().contains(&secret.to_lowercase()), "{secret} in {once}");
    }

    /// Whatever a file holds, scrubbing it does no harm.
    #[test]
    fn anything_can_be_scrubbed(text in "[ -~\\n\"\\\\{}]{0,200}") {
        scrubbed(&text);
        scrubbed(&format!("{HEADER}\n{text}"));
    }
}
