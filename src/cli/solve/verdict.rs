//! What a search's answer to a test position is worth, and the count of a whole suite. Pure.

use std::time::Duration;

use crate::chess::Epd;
use crate::engine::{ScoreKind, SearchOutcome};

/// What a score claims about a mate, beside what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// There is no known mate to compare with, or no mate is claimed.
    Nothing,
    /// The shortest one.
    Exact,
    /// One by a longer way, which is true as well.
    Longer(i32),
    /// A shorter one than there is, or one by the wrong side: the search is wrong.
    False(i32),
}

impl Claim {
    /// The claim that a score makes where the mate takes `known` moves.
    fn of(score: ScoreKind, known: i32) -> Claim {
        let ScoreKind::Mate(moves) = score else { return Claim::Nothing };
        let same_side = moves.signum() == known.signum();
        match moves.abs() - known.abs() {
            0 if same_side => Claim::Exact,
            1.. if same_side => Claim::Longer(moves),
            _ => Claim::False(moves),
        }
    }
}

/// What became of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// All that was asked for was found.
    pub(crate) solved: bool,
    /// What the score says of the mate, if there is one to be found.
    pub(crate) claim: Claim,
}

impl Verdict {
    /// The verdict on an answer.
    pub(crate) fn of(epd: &Epd, answer: &SearchOutcome) -> Verdict {
        let claim = epd.mate.map_or(Claim::Nothing, |known| Claim::of(answer.score.kind(), known));
        // Where there is no move to make, there is none that could be wrong.
        let fulfilled = answer.best.is_none_or(|mv| epd.is_fulfilled_by(mv));
        Verdict { solved: fulfilled && (epd.mate.is_none() || claim == Claim::Exact), claim }
    }
}

/// The count of a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) positions: usize,
    pub(crate) solved: usize,
    /// Positions with a known mate.
    pub(crate) mates: usize,
    /// Of these, with a mate that was claimed and is true.
    pub(crate) found: usize,
    /// Of these, with the shortest one.
    pub(crate) exact: usize,
    /// Claims that are false.
    pub(crate) false_claims: usize,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
}

impl Tally {
    /// Counts a position in.
    pub(crate) fn add(&mut self, epd: &Epd, answer: &SearchOutcome, verdict: Verdict) {
        self.positions += 1;
        self.solved += usize::from(verdict.solved);
        self.mates += usize::from(epd.mate.is_some());
        self.found += usize::from(matches!(verdict.claim, Claim::Exact | Claim::Longer(_)));
        self.exact += usize::from(verdict.claim == Claim::Exact);
        self.false_claims += usize::from(matches!(verdict.claim, Claim::False(_)));
        self.nodes += answer.nodes;
        self.time += answer.elapsed;
    }

    /// Both together.
    pub(crate) fn and(self, other: &Tally) -> Tally {
        Tally {
            positions: self.positions + other.positions,
            solved: self.solved + other.solved,
            mates: self.mates + other.mates,
            found: self.found + other.found,
            exact: self.exact + other.exact,
            false_claims: self.false_claims + other.false_claims,
            nodes: self.nodes + other.nodes,
            time: self.time + other.time,
        }
    }

    /// The names over the columns of [`Tally::row`].
    pub(crate) fn head(width: usize) -> String {
        let counts = "positions  solved    share   mates   found   exact   false";
        format!("{:width$}  {counts}  {:>13}  {:>8}", "suite", "nodes", "time")
    }

    /// A line of the table, under the name of the suite.
    pub(crate) fn row(&self, name: &str, width: usize) -> String {
        let share = 100.0 * self.solved as f64 / self.positions.max(1) as f64;
        let count = |count: usize| if self.mates == 0 { "-".to_owned() } else { count.to_string() };
        let mates = [self.mates, self.found, self.exact, self.false_claims].map(count);
        let mates = mates.map(|count| format!("{count:>6}")).join("  ");
        let Tally { positions, solved, nodes, .. } = self;
        let time = self.time.as_secs_f64();
        format!(
            "{name:width$}  {positions:>9}  {solved:>6}  {share:>5.1} %  {mates}  {nodes:>13}  {time:>6.1} s"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::san;
    use crate::engine::{Score, StopReason};

    #[test]
    fn a_claim_is_true_if_it_is_not_too_good() {
        use ScoreKind::{Centipawns, Mate};
        for (score, known, expected) in [
            (Centipawns(900), 3, Claim::Nothing),
            (Mate(3), 3, Claim::Exact),
            (Mate(5), 3, Claim::Longer(5)),
            (Mate(2), 3, Claim::False(2)),
            (Mate(-3), 3, Claim::False(-3)),
            (Mate(-9), 3, Claim::False(-9)),
            (Mate(0), 3, Claim::False(0)),
            (Mate(-3), -3, Claim::Exact),
            (Mate(-5), -3, Claim::Longer(-5)),
            (Mate(-2), -3, Claim::False(-2)),
            (Mate(3), -3, Claim::False(3)),
            (Mate(0), 0, Claim::Exact),
            (Mate(1), 0, Claim::False(1)),
            (Mate(-1), 0, Claim::False(-1)),
        ] {
            assert_eq!(Claim::of(score, known), expected, "{score:?} where dm is {known}");
        }
    }

    fn answer(epd: &Epd, best: &str, score: Score) -> SearchOutcome {
        SearchOutcome {
            best: san::parse(&epd.position, best).ok(),
            ponder: None,
            score,
            depth: 1,
            nodes: 10,
            elapsed: Duration::from_millis(500),
            pv: Vec::new(),
            reason: StopReason::Limit,
        }
    }

    /// White mates in one by Ra8; Ra7 is another move.
    const MATE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - -";

    #[test]
    fn a_position_is_solved_by_all_that_it_asks_for() {
        let (mate_in_1, mate_in_2) = (Score::mate_in(1), Score::mate_in(3));
        for (task, best, score, solved) in [
            ("bm Ra8;", "Ra8", Score::cp(0), true),
            ("bm Ra8;", "Ra7", mate_in_1, false),
            ("bm Ra8 Ra7;", "Ra7", Score::cp(0), true),
            ("am Ra7;", "Ra7", Score::cp(0), false),
            ("am Ra7;", "Ra8", Score::cp(0), true),
            ("dm 1;", "Ra8", mate_in_1, true),
            ("dm 1;", "Ra8", mate_in_2, false),
            ("dm 1;", "Ra8", Score::cp(900), false),
            ("dm 1; bm Ra8;", "Ra7", mate_in_1, false),
            ("dm 2;", "Ra8", mate_in_1, false),
        ] {
            let epd = Epd::parse(&format!("{MATE} {task}")).unwrap();
            let verdict = Verdict::of(&epd, &answer(&epd, best, score));
            assert_eq!(verdict.solved, solved, "{task} {best} {score}");
        }
    }

    #[test]
    fn a_suite_is_counted() {
        let mut tally = Tally::default();
        for (task, score) in [
            ("dm 1;", Score::mate_in(1)),
            ("dm 1;", Score::mate_in(3)),
            ("dm 2;", Score::mate_in(1)),
            ("bm Ra8;", Score::cp(0)),
        ] {
            let epd = Epd::parse(&format!("{MATE} {task}")).unwrap();
            let answer = answer(&epd, "Ra8", score);
            tally.add(&epd, &answer, Verdict::of(&epd, &answer));
        }
        let row = "x          4       2   50.0 %       3       2       1       1             40     2.0 s";
        assert_eq!(tally.row("x", 1), row);
        assert_eq!(Tally::head(5).len(), tally.row("x", 5).len());
        let plain = Tally { positions: 3, solved: 3, ..Tally::default() };
        let row =
            "plain          3       3  100.0 %       -       -       -       -              0     0.0 s";
        assert_eq!(plain.row("plain", 5), row);
        assert_eq!(plain.and(&tally).solved, 5);
    }
}
