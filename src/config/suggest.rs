//! "Did you mean": the known word nearest to a mistyped one.

/// The candidate that differs least from `word`, if it is near enough to be a slip.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(2);
    candidates
        .into_iter()
        .map(|candidate| (slips(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The distance, but a forgotten ending (of a unit, mostly) is one slip.
fn slips(word: &str, candidate: &str) -> usize {
    if word.len() > 3 && candidate.starts_with(word) { 1 } else { distance(word, candidate) }
}

/// How many characters must be inserted, removed or replaced to turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits() {
        for (a, b, edits) in
            [("", "", 0), ("abc", "abc", 0), ("", "ab", 2), ("hash", "hasch", 1), ("flaw", "lawn", 2)]
        {
            assert_eq!(distance(a, b), edits, "{a} {b}");
            assert_eq!(distance(b, a), edits, "{b} {a}");
        }
    }

    #[test]
    fn only_slips_are_suggested() {
        let keys = ["engine.threads", "engine.hash_mib", "record.dir"];
        assert_eq!(nearest("engine.thread", keys), Some("engine.threads"));
        assert_eq!(nearest("engine.hash", keys), Some("engine.hash_mib"));
        assert_eq!(nearest("something.else.entirely", keys), None);
    }
}
