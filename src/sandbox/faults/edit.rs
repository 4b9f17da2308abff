//! Sets or removes one field of a JSON line.

use serde_json::Value;

/// The line with the field changed, or none if that would change nothing: what holds the field must be there, and a field
/// that is removed too.
pub(in crate::sandbox) fn edited(line: &Value, path: &str, value: Option<&Value>) -> Option<Value> {
    let mut copy = line.clone();
    let (parents, key) = path.rsplit_once('.').unwrap_or(("", path));
    let mut place = &mut copy;
    for part in parents.split('.').filter(|part| !part.is_empty()) {
        place = match place {
            Value::Object(map) => map.get_mut(part)?,
            Value::Array(list) => list.get_mut(part.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    match (place, value) {
        (Value::Object(map), Some(value)) => drop(map.insert(key.to_owned(), value.clone())),
        (Value::Object(map), None) => drop(map.remove(key)?),
        (Value::Array(list), Some(value)) => *list.get_mut(key.parse::<usize>().ok()?)? = value.clone(),
        (Value::Array(list), None) => {
            let at = key.parse::<usize>().ok().filter(|at| *at < list.len())?;
            list.remove(at);
        }
        _ => return None,
    }
    (copy != *line).then_some(copy)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_field_changes_or_nothing_does() {
        let line = json!({"type": "gameState", "game": {"id": "g", "tags": ["a", "b"]}});
        let with = |change: fn(&mut Value)| {
            let mut copy = line.clone();
            change(&mut copy);
            Some(copy)
        };
        for (path, value, expected) in [
            ("type", Some(json!(7)), with(|line| line["type"] = json!(7))),
            ("new", Some(json!(null)), with(|line| line["new"] = json!(null))),
            ("game.id", Some(json!("h")), with(|line| line["game"]["id"] = json!("h"))),
            ("game.tags.1", Some(json!({})), with(|line| line["game"]["tags"][1] = json!({}))),
            ("game.tags.0", None, with(|line| line["game"]["tags"] = json!(["b"]))),
            ("game", None, with(|line| *line = json!({"type": "gameState"}))),
            ("type", Some(json!("gameState")), None),
            ("game.id", Some(json!("g")), None),
            ("clock.limit", Some(json!(1)), None),
            ("game.tags.2", None, None),
            ("gone", None, None),
            ("type.x", None, None),
        ] {
            assert_eq!(edited(&line, path, value.as_ref()), expected, "{path} = {value:?}");
        }
    }
}
