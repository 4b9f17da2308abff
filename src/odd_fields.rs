//! The fields of a line and odd values for them, for the tests of those who read lines.

use serde_json::{Value, json};

/// The JSON pointers of all fields of a line's objects, inner ones first.
pub(crate) fn places(line: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(line, "", &mut found);
    found
}

fn collect(value: &Value, at: &str, found: &mut Vec<String>) {
    for (key, inner) in value.as_object().into_iter().flatten() {
        let place = format!("{at}/{key}");
        collect(inner, &place, found);
        found.push(place);
    }
}

/// Each odd value in each of the `places` of a line: the place, the value, and the line.
pub(crate) fn changed<'a>(
    line: &'a Value,
    places: &'a [String],
) -> impl Iterator<Item = (&'a str, Value, Value)> + 'a {
    let odd = [json!(null), json!(-1), json!(1e308), json!("odd"), json!([]), json!({}), json!(true)];
    places.iter().flat_map(move |place| {
        odd.clone().into_iter().map(move |odd| {
            let mut changed = line.clone();
            *changed.pointer_mut(place).unwrap() = odd.clone();
            (place.as_str(), odd, changed)
        })
    })
}
