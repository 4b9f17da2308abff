//! Bot and sandbox in one process on a virtual clock, with random faults: what must hold in every run. `rookery
//! simulate` runs thousands of these; here are a few, and each seed that once failed.

use std::num::NonZero;

use rookery::simulation::{Campaign, run, run_campaign};

/// Seeds that broke a promise once; each says which.
const FORMERLY_BROKEN: &[(u64, &str)] = &[
    (642, "a game that was refused to be called off once was waited for without end"),
    (745, "a game that was not shown for a moment was given up"),
    (1666, "a game that was not shown for a moment was given up"),
    (2699, "the opponent's first move was lost, and the game waited for"),
    (2801, "the place of a game that was not shown for a moment was given away"),
    (7426, "the line with the opponent's move was lost, and nothing came after it"),
    (8460, "an old list and a refusal together ended a game"),
    (4006, "a game whose first line was damaged was left"),
];

#[test]
fn games_with_faults_break_no_promise() {
    let campaign = Campaign { first_seed: 1, games: 150, threads: NonZero::new(2).unwrap() };
    let report = run_campaign(campaign).unwrap();
    assert_eq!(report.failures, 0, "{report}");
    assert!(report.games >= 150, "{report}");
}

#[test]
fn seeds_that_failed_once_do_not_fail_again() {
    for (seed, why) in FORMERLY_BROKEN {
        let report = run(*seed).unwrap();
        assert!(report.breaches.is_empty(), "seed {seed}, {why}: {:?}", report.breaches);
    }
}

#[test]
fn a_seed_gives_the_same_run_again() {
    let [one, again, other] = [7, 7, 8].map(|seed| run(seed).unwrap());
    assert_eq!((one.trace, one.games, one.plies), (again.trace, again.games, again.plies));
    assert_ne!(one.trace, other.trace);
}
