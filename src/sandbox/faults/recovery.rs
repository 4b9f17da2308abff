//! How soon after a fault a player made the move that was owed. Pure.

use std::time::Duration;

use super::Outage;

/// For each turn of a player that a fault disturbed and that a move ended: the time from the end of the last fault to
/// the move, its thought included. `turns` says when each ply's turn began, counted like the outages from the start of
/// the sandbox; the player has every second one, the first or not.
pub fn recoveries(turns: &[Duration], has_white: bool, cuts: &[&Outage]) -> Vec<Duration> {
    let own = usize::from(!has_white);
    let turn = |pair: &[Duration]| {
        let (began, moved) = (pair[0], pair[1]);
        let last = cuts.iter().map(|cut| cut.to).filter(|end| (began..moved).contains(end)).max();
        last.map(|end| moved.saturating_sub(end))
    };
    turns.windows(2).skip(own).step_by(2).filter_map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recovery_is_the_time_from_the_last_fault_to_the_move() {
        let seconds = |list: &[u64]| list.iter().map(|s| Duration::from_secs(*s)).collect::<Vec<_>>();
        let outage = |from, to| Outage {
            account: None,
            game: None,
            from: Duration::from_secs(from),
            to: Duration::from_secs(to),
        };
        let cuts = [outage(2, 3), outage(3, 5), outage(12, 14), outage(40, 45)];
        let cuts: Vec<&Outage> = cuts.iter().collect();
        let turns = seconds(&[0, 10, 15, 20, 50]);
        assert_eq!(recoveries(&turns, true, &cuts), seconds(&[5]), "the two faults of ply 0 count once");
        assert_eq!(recoveries(&turns, false, &cuts), seconds(&[1, 5]));
        assert_eq!(recoveries(&turns[..1], true, &cuts), [], "a turn without a move");
    }
}
