//! Counts the leaves of the tree of legal moves, the standard check of a move generator, and reads suites of counts.

use std::fmt;

use super::{AnyPosition, FenError, Move, Position, Rules, Variant};

/// The number of move sequences of exactly `depth` plies.
pub fn perft<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves(),
        _ => {
            // A copy that is played on where it lies: `after` moves it once more, which costs 13 to 30 %.
            let below = |mv| {
                let mut next = position.clone();
                next.play(mv);
                perft(&next, depth - 1)
            };
            position.legal_moves().into_iter().map(below).sum()
        }
    }
}

/// The count below each legal move, in the order of generation; `depth` is at least 1.
pub fn divide<R: Rules>(position: &Position<R>, depth: u32) -> Vec<(Move, u64)> {
    let below = depth.saturating_sub(1);
    position.legal_moves().into_iter().map(|mv| (mv, perft(&position.after(mv), below))).collect()
}

/// A position of a suite and how many leaves it has at a depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftCase {
    /// Whose rules apply.
    pub variant: Variant,
    /// The position.
    pub fen: String,
    /// Plies.
    pub depth: u32,
    /// Leaves.
    pub nodes: u64,
}

/// A suite as read from text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerftSuite {
    /// The cases that we can play.
    pub cases: Vec<PerftCase>,
    /// How many rows belong to variants that we do not play.
    pub foreign: usize,
}

impl fmt::Display for PerftCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} depth {}", self.variant.key(), self.fen, self.depth)
    }
}

impl PerftCase {
    /// Counts the leaves.
    pub fn count(&self) -> Result<u64, FenError> {
        Ok(AnyPosition::from_unreachable_fen(self.variant, &self.fen)?.perft(self.depth))
    }
}

impl PerftSuite {
    /// Reads either lines `FEN ;D1 20 ;D2 400` or a table, separated by tabs, whose header names the columns `variant`,
    /// `fen`, `depth` and `nodes` (or `total`). The error names the line.
    pub fn parse(text: &str) -> Result<PerftSuite, String> {
        let mut suite = PerftSuite::default();
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim_end()));
        let header = text.lines().next().unwrap_or_default();
        let table = header.contains('\t').then(|| Columns::read(header)).transpose()?;
        if table.is_some() {
            lines.next();
        }
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
            let read = match &table {
                Some(columns) => columns.row(line, &mut suite),
                None => epd_line(line, &mut suite),
            };
            read.map_err(|reason| format!("line {number}: {reason}"))?;
        }
        Ok(suite)
    }
}

/// Where a table keeps what we need.
struct Columns {
    variant: Option<usize>,
    fen: usize,
    depth: usize,
    nodes: usize,
}

impl Columns {
    fn read(header: &str) -> Result<Columns, String> {
        let find = |name: &str| header.split('\t').position(|column| column.trim() == name);
        let need = |name: &str| find(name).ok_or_else(|| format!("line 1: no column {name:?} in the header"));
        Ok(Columns {
            variant: find("variant"),
            fen: need("fen")?,
            depth: need("depth")?,
            nodes: find("total").map_or_else(|| need("nodes"), Ok)?,
        })
    }

    fn row(&self, line: &str, suite: &mut PerftSuite) -> Result<(), String> {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |index: usize| cells.get(index).copied().ok_or_else(|| format!("no column {}", index + 1));
        let name = self.variant.map(cell).transpose()?.unwrap_or("standard");
        let Some(variant) = Variant::from_name(name) else {
            suite.foreign += 1;
            return Ok(());
        };
        let case = PerftCase {
            variant,
            fen: cell(self.fen)?.to_owned(),
            depth: number(cell(self.depth)?)?,
            nodes: number(cell(self.nodes)?)?,
        };
        suite.cases.push(case);
        Ok(())
    }
}

fn epd_line(line: &str, suite: &mut PerftSuite) -> Result<(), String> {
    let mut parts = line.split(';');
    let fen = parts.next().unwrap_or_default().trim();
    for part in parts {
        let count = part.trim().strip_prefix('D').and_then(|count| count.split_once(' '));
        let (depth, nodes) =
            count.ok_or_else(|| format!("bad count {part:?}, expected \"D<depth> <nodes>\""))?;
        suite.cases.push(PerftCase {
            variant: Variant::Standard,
            fen: fen.to_owned(),
            depth: number(depth)?,
            nodes: number(nodes)?,
        });
    }
    Ok(())
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.trim().parse().map_err(|_| format!("bad number {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts recomputed with Stockfish 15.1; the positions are the well-known ones of the field and some that hold a
    /// pin, a promotion, an en passant or a Chess960 castling that generators get wrong.
    #[test]
    fn agrees_with_known_counts() {
        check(include_str!("../../tests/data/perft/known.tsv"), 50);
    }

    /// Counts on which python-chess and pyffish agree.
    #[test]
    fn agrees_with_known_counts_of_variants() {
        check(include_str!("../../tests/data/perft/variants.tsv"), 160);
    }

    fn check(table: &str, at_least: usize) {
        let suite = PerftSuite::parse(table).unwrap();
        assert!(suite.cases.len() >= at_least && suite.foreign == 0);
        for case in suite.cases {
            assert_eq!(case.count().unwrap(), case.nodes, "{case}");
        }
    }

    #[test]
    fn divide_sums_to_perft() {
        let position = Position::initial();
        assert_eq!(divide(&position, 3).iter().map(|(_, nodes)| nodes).sum::<u64>(), 8902);
    }

    #[test]
    fn reads_both_kinds_of_suites() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let case = |variant, depth, nodes| PerftCase { variant, fen: fen.to_owned(), depth, nodes };
        let cases = vec![case(Variant::Standard, 1, 5), case(Variant::Standard, 2, 25)];
        let lines = PerftSuite::parse(&format!("# kings\n{fen} ;D1 5 ;D2 25\n"));
        assert_eq!(lines, Ok(PerftSuite { cases, foreign: 0 }));
        let table = format!(
            "variant\tfen\tdepth\tnodes\nstandard\t{fen}\t1\t5\nxiangqi\t{fen}\t1\t5\natomic\t{fen}\t2\t25\n"
        );
        let cases = vec![case(Variant::Standard, 1, 5), case(Variant::Atomic, 2, 25)];
        assert_eq!(PerftSuite::parse(&table), Ok(PerftSuite { cases, foreign: 1 }));
        assert_eq!(PerftSuite::parse("fen ;D1 x"), Err("line 1: bad number \"x\"".to_owned()));
        assert_eq!(
            PerftSuite::parse("fen\tdepth\n"),
            Err("line 1: no column \"nodes\" in the header".to_owned())
        );
    }
}
