//! The answer of a search that several threads worked on: each votes for the move it found. Pure.

use crate::engine::params::vote_base;
use crate::engine::score::Value;
use crate::engine::search::Finished;

/// Chooses among what the lead and its helpers found. A vote counts the more the deeper its iteration and the better
/// its value; of those for the winning move the deepest gives line and score, the lead's own among equals. A mate
/// found by anybody is a mate, and a shorter one is better.
pub(super) fn elect(lead: &Finished, helpers: &[Finished]) -> Finished {
    let voters: Vec<&Finished> =
        std::iter::once(lead).chain(helpers).filter(|it| it.depth > 0 && !it.line.is_empty()).collect();
    let worst = voters.iter().map(|it| it.score.centipawns()).min().unwrap_or_default();
    let weight = |it: &Finished| i64::from(it.score.centipawns() - worst + vote_base()) * i64::from(it.depth);
    let votes = |it: &Finished| -> i64 {
        voters.iter().filter(|other| other.line[0] == it.line[0]).map(|other| weight(other)).sum()
    };
    // Only a mate is better than any number of votes.
    let mate = |it: &Finished| -> Value { if it.score.is_mate() { it.score.centipawns().max(0) } else { 0 } };
    let mut best = None;
    for voter in voters.iter().copied() {
        let rank = (mate(voter), votes(voter), voter.depth);
        if best.is_none_or(|(highest, _)| rank > highest) {
            best = Some((rank, voter));
        }
    }
    best.map_or_else(|| lead.clone(), |(_, elected)| elected.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::engine::score::Score;

    fn found(mv: usize, depth: u32, score: Score) -> Finished {
        Finished { depth, score, line: vec![Position::initial().legal_moves()[mv]] }
    }

    /// What lead and helpers found, and whose answer counts.
    #[test]
    fn votes_are_weighed() {
        let cp = Score::cp;
        for (voters, expected) in [
            (vec![(0, 10, cp(20))], 0),
            (vec![(0, 10, cp(20)), (0, 11, cp(25))], 1),
            (vec![(0, 10, cp(20)), (0, 10, cp(25))], 0),
            // One deeper thread against the lead, then two against it.
            (vec![(0, 10, cp(20)), (1, 11, cp(20))], 1),
            (vec![(0, 12, cp(20)), (1, 11, cp(20))], 0),
            (vec![(0, 12, cp(20)), (1, 11, cp(20)), (1, 10, cp(20))], 1),
            // A better value outweighs an iteration.
            (vec![(0, 12, cp(0)), (1, 11, cp(40))], 1),
            // Nobody has finished an iteration, or only a helper.
            (vec![(0, 0, cp(0)), (1, 0, cp(0))], 0),
            (vec![(0, 0, cp(0)), (1, 5, cp(-90))], 1),
            (vec![(0, 20, cp(500)), (1, 9, Score::mate_in(4))], 1),
            (vec![(0, 20, Score::mate_in(5)), (1, 9, Score::mate_in(4)), (0, 22, Score::mate_in(5))], 1),
            (vec![(0, 20, Score::mated_in(2)), (1, 9, Score::mated_in(4))], 0),
            (vec![(0, 20, Score::mated_in(4)), (1, 19, cp(-900))], 1),
        ] {
            let voters: Vec<Finished> =
                voters.into_iter().map(|(mv, depth, score)| found(mv, depth, score)).collect();
            let elected = elect(&voters[0], &voters[1..]);
            let wanted = &voters[expected];
            assert_eq!((elected.depth, elected.score), (wanted.depth, wanted.score), "{voters:?}");
            assert_eq!(elected.line, wanted.line, "{voters:?}");
        }
    }
}
