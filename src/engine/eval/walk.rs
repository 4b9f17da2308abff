//! The way over all numbers of the weights, and the weights as source text.
//!
//! The structs of `weights` get their part of both from the macro that declares them.

use super::taper::{Taper, t};

/// A weight at the end of the way.
pub(crate) enum Word<'a> {
    /// Middlegame and endgame.
    Pair(&'a mut Taper),
    /// The same at all times.
    Number(&'a mut i32),
}

/// What gets the name of each weight, such as `king.attacker[1]`, and the weight.
pub(crate) type Visit<'a> = dyn FnMut(&str, Word<'_>) + 'a;

/// What consists of weights.
pub(crate) trait Walk {
    /// Shows every weight once, always in the same order. `name` is what this is called, or nothing.
    fn walk(&mut self, name: &str, visit: &mut Visit<'_>);

    /// The value as it stands in the source, in lines that begin `depth` steps from the edge.
    fn source(&self, depth: usize) -> String;
}

impl Walk for Taper {
    fn walk(&mut self, name: &str, visit: &mut Visit<'_>) {
        visit(name, Word::Pair(self));
    }

    fn source(&self, _: usize) -> String {
        format!("t({}, {})", self.mg(), self.eg())
    }
}

impl Walk for i32 {
    fn walk(&mut self, name: &str, visit: &mut Visit<'_>) {
        visit(name, Word::Number(self));
    }

    fn source(&self, _: usize) -> String {
        self.to_string()
    }
}

/// Characters in a line of source.
const WIDTH: usize = 100;

/// Weights in a line: as many as a rank has squares.
const IN_LINE: usize = 8;

impl<T: Walk, const N: usize> Walk for [T; N] {
    fn walk(&mut self, name: &str, visit: &mut Visit<'_>) {
        for (i, part) in self.iter_mut().enumerate() {
            part.walk(&format!("{name}[{i}]"), visit);
        }
    }

    fn source(&self, depth: usize) -> String {
        let parts: Vec<String> = self.iter().map(|part| part.source(depth + 1)).collect();
        let line = format!("[{}]", parts.join(", "));
        if N <= IN_LINE && line.len() <= WIDTH && !line.contains('\n') {
            return line;
        }
        let in_line = if parts.iter().any(|part| part.contains('[')) { 1 } else { IN_LINE };
        let lines: Vec<String> = parts
            .chunks(in_line)
            .map(|parts| format!("{}{},\n", indent(depth + 1), parts.join(", ")))
            .collect();
        format!("[\n{}{}]", lines.concat(), indent(depth))
    }
}

/// The name of a field of what is called `name`.
pub(super) fn below(name: &str, field: &str) -> String {
    if name.is_empty() { field.to_owned() } else { format!("{name}.{field}") }
}

/// A struct as it stands in the source.
pub(super) fn struct_source(name: &str, fields: &[(&str, String)], depth: usize) -> String {
    let lines: Vec<String> =
        fields.iter().map(|(field, value)| format!("{}{field}: {value},\n", indent(depth + 1))).collect();
    format!("{name} {{\n{}{}}}", lines.concat(), indent(depth))
}

fn indent(depth: usize) -> String {
    "    ".repeat(depth)
}

impl Word<'_> {
    /// The numbers of the weight: one or two.
    pub(crate) fn numbers(&self) -> Vec<i32> {
        match self {
            Word::Pair(pair) => vec![pair.mg(), pair.eg()],
            Word::Number(number) => vec![**number],
        }
    }

    /// Makes each number of the weight another one; `part` is 0 for the first, 1 for the second of a pair.
    pub(crate) fn change(self, mut other: impl FnMut(usize, i32) -> i32) {
        match self {
            Word::Pair(pair) => *pair = t(other(0, pair.mg()), other(1, pair.eg())),
            Word::Number(number) => *number = other(0, *number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::eval::Weights;
    use crate::engine::eval::trial::weights;

    #[test]
    fn no_weight_is_missed() {
        let mut names = Vec::new();
        weights().clone().walk("", &mut |name, _| names.push(name.to_owned()));
        assert_eq!(names.len() * size_of::<i32>(), size_of::<Weights>(), "each weight takes one word");
        assert!(names.iter().any(|name| name == "placement[5][63]"));
        assert!(names.iter().any(|name| name == "king.safe_check[2]"));
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "names that stand for two weights");
    }

    #[test]
    fn the_source_has_every_number() {
        let mut counted = weights().clone();
        let mut next = 1000;
        counted.walk("", &mut |_, word| {
            word.change(|_, _| {
                next += 1;
                next
            })
        });
        let source = counted.source(0);
        for number in 1001..=next {
            assert!(source.contains(&number.to_string()), "{number} is missing in {source}");
        }
    }

    #[test]
    fn values_stand_as_in_the_source() {
        assert_eq!([t(1, -2), t(0, 0)].source(0), "[t(1, -2), t(0, 0)]");
        assert_eq!([[1, 2], [3, 4]].source(0), "[[1, 2], [3, 4]]");
        assert_eq!([7; 9].source(1), "[\n        7, 7, 7, 7, 7, 7, 7, 7,\n        7,\n    ]");
    }
}
