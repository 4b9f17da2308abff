//! Ordering faults over HTTP, and the scenario that comes with the program.

use std::path::Path;

use reqwest::Method;
use rookery::sandbox::Scenario;
use serde_json::{Value, json};

use super::support::Server;

async fn order(server: &Server, json: &Value) -> (u16, Value) {
    let request = server.nobody().request(Method::POST, "/sandbox/faults").body(json.to_string());
    let response = request.send().await.unwrap();
    (response.status().as_u16(), serde_json::from_str(&response.text().await.unwrap()).unwrap())
}

async fn remove(server: &Server, path: &str) -> u16 {
    server.nobody().request(Method::DELETE, path).send().await.unwrap().status().as_u16()
}

async fn account(server: &Server) -> u16 {
    server.ada().get("/api/account").await.0
}

#[tokio::test]
async fn rules_are_added_reported_and_removed() {
    let server = Server::start().await;
    let unavailable = json!({"name": "down", "route": "account", "fault": {"kind": "status", "status": 503}});
    let chat = json!({"route": "chat", "times": "always", "fault": "empty_body"});
    assert_eq!(order(&server, &json!([unavailable, chat])).await, (200, json!({"ids": [1, 2]})));
    assert_eq!(account(&server).await, 503);
    assert_eq!(account(&server).await, 200);
    let (status, report) = server.nobody().get("/sandbox/faults").await;
    assert_eq!(status, 200);
    assert_eq!(report["fired"], json!({"status": 1}));
    let down = json!({"id": 1, "name": "down", "kind": "status", "matched": 1, "fired": 1, "planned": true});
    let chat = json!({"id": 2, "name": "empty_body", "kind": "empty_body", "matched": 0, "fired": 0, "planned": true});
    assert_eq!(report["rules"], json!([down, chat]));
    assert_eq!(report["outages"][0]["account"], "ada");
    assert_eq!(report["outages"][0]["from_ms"], report["outages"][0]["to_ms"]);
    assert_eq!(remove(&server, "/sandbox/faults/2").await, 200);
    for gone in ["/sandbox/faults/2", "/sandbox/faults/x"] {
        assert_eq!(remove(&server, gone).await, 404, "{gone}");
    }
    server.stop().await;
}

#[tokio::test]
async fn all_rules_are_removed_even_when_everything_goes_wrong() {
    let server = Server::start().await;
    let rule = json!({"route": "any", "times": "always", "fault": {"kind": "status", "status": 500}});
    assert_eq!(order(&server, &rule).await, (200, json!({"ids": [1]})));
    assert_eq!(account(&server).await, 500);
    assert_eq!(remove(&server, "/sandbox/faults").await, 200);
    assert_eq!(account(&server).await, 200);
    assert_eq!(server.sandbox.faults().report().fired["status"], 1, "what happened stays counted");
    server.stop().await;
}

#[tokio::test]
async fn a_bad_rule_is_told_by_field_and_none_of_its_list_is_taken() {
    let server = Server::start().await;
    let good = json!({"fault": "end"});
    for (json, error) in [
        (
            json!([good, {"fault": {"kind": "late", "ms": -1}}]),
            "1.fault.ms: expected a whole number from 0, found -1",
        ),
        (json!({"fault": "end", "ply": "ten"}), "ply: expected a whole number from 0, found \"ten\""),
        (json!({"fault": "end", "port": 1}), "port: unknown, expected one of fault, name, route,"),
        (json!("end"), "expected a table of fields, found \"end\""),
    ] {
        let (status, body) = order(&server, &json).await;
        let text = body["error"].as_str().unwrap();
        assert!(status == 400 && text.starts_with(error), "{status} {text}");
    }
    let request = server.nobody().request(Method::POST, "/sandbox/faults").body("{");
    let text = request.send().await.unwrap().text().await.unwrap();
    let body: Value = serde_json::from_str(&text).unwrap();
    assert!(
        body["error"].as_str().unwrap().starts_with("expected a rule or a list of rules in JSON"),
        "{body}"
    );
    assert!(server.sandbox.faults().report().rules.is_empty());
    server.stop().await;
}

#[test]
fn the_example_scenario_is_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("config/faults.example.toml");
    let scenario = Scenario::from_toml(&std::fs::read_to_string(path).unwrap()).unwrap();
    let names: Vec<&str> = scenario.rules.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["lag", "answer lost", "bad gateway", "deaf", "half a line", "again and again"]);
}
