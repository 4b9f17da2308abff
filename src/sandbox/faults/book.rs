//! The rules of a run and their counters: which fault happens when. Pure: time comes from the caller, chance from the
//! seed.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use super::fault::{Fault, Level};
use super::report::{FaultReport, Outage, RuleReport};
use super::route::Route;
use super::rule::{Rule, Scenario, When};
use crate::sandbox::world::Random;

/// So many outages are remembered; a run that is judged by them ends long before.
const MAX_OUTAGES: usize = 100_000;

/// Something that may match a rule.
#[derive(Clone, Debug)]
pub(in crate::sandbox) struct Occasion {
    /// The kind of request, or the stream; `Any` if it is none of the others.
    pub(in crate::sandbox) route: Route,
    /// The id of the account.
    pub(in crate::sandbox) account: Option<String>,
    /// The game or challenge.
    pub(in crate::sandbox) game: Option<String>,
    /// How many plies of the game were played.
    pub(in crate::sandbox) ply: Option<usize>,
    /// The `type` of a line.
    pub(in crate::sandbox) line: Option<String>,
}

impl Occasion {
    /// Something that belongs to nobody.
    pub(in crate::sandbox) fn nobodys() -> Occasion {
        Occasion { route: Route::Any, account: None, game: None, ply: None, line: None }
    }
}

/// A fault that happens.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::sandbox) struct Fired {
    /// The rule.
    pub(in crate::sandbox) id: u64,
    /// What happens.
    pub(in crate::sandbox) fault: Fault,
    /// A random number, for what the fault leaves to chance.
    pub(in crate::sandbox) random: u64,
}

#[derive(Debug)]
struct Entry {
    rule: Rule,
    since: Duration,
    matched: u64,
    fired: u64,
    random: Random,
}

/// All rules. They are asked in the order of their ids; of those that could act on one thing only the first does, and
/// the others wait for their next match.
#[derive(Debug)]
pub(super) struct Book {
    seed: u64,
    last_id: u64,
    entries: BTreeMap<u64, Entry>,
    fired: BTreeMap<String, u64>,
    outages: VecDeque<Outage>,
    held: BTreeMap<Party, Duration>,
}

/// Whose outage, and in which game.
type Party = (Option<String>, Option<String>);

impl Book {
    /// The rules of a scenario, which count from the beginning of time.
    pub(super) fn new(scenario: Scenario) -> Book {
        let mut book = Book {
            seed: scenario.seed,
            last_id: 0,
            entries: BTreeMap::new(),
            fired: BTreeMap::new(),
            outages: VecDeque::new(),
            held: BTreeMap::new(),
        };
        for rule in scenario.rules {
            book.add(rule, Duration::ZERO);
        }
        book
    }

    /// Adds a rule whose time counts from `now`.
    pub(super) fn add(&mut self, mut rule: Rule, now: Duration) -> u64 {
        self.last_id += 1;
        rule.when.account = rule.when.account.map(|name| name.to_lowercase());
        // Each rule has its own chance, so that one more rule changes nothing for the others.
        let mut seeds = Random::new(self.seed ^ self.last_id.wrapping_mul(0xD1B5_4A32_D192_ED03));
        let random = Random::new(seeds.next());
        self.entries.insert(self.last_id, Entry { rule, since: now, matched: 0, fired: 0, random });
        self.last_id
    }

    /// Forgets a rule; what it did stays counted by kind.
    pub(super) fn remove(&mut self, id: u64) -> bool {
        self.entries.remove(&id).is_some()
    }

    /// Forgets all rules.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Whether any rule can still fire, or somebody still lacks a line.
    pub(super) fn is_active(&self) -> bool {
        !self.held.is_empty() || self.entries.values().any(|entry| !entry.is_spent())
    }

    /// The fault that happens on this occasion, if one does, among those that `may` happen here.
    pub(super) fn fire(
        &mut self,
        occasion: &Occasion,
        now: Duration,
        may: impl Fn(&Rule) -> bool,
    ) -> Option<Fired> {
        let mut first = None;
        for (id, entry) in &mut self.entries {
            let chosen = !entry.is_spent()
                && may(&entry.rule)
                && entry.rule.when.holds(occasion, now.saturating_sub(entry.since));
            if !chosen || !entry.matches() || first.is_some() {
                continue;
            }
            entry.fired += 1;
            first = Some(Fired { id: *id, fault: entry.rule.fault.clone(), random: entry.random.next() });
        }
        if let Some(fired) = &first {
            *self.fired.entry(fired.fault.kind().to_owned()).or_default() += 1;
        }
        first
    }

    /// A fault that was to happen could not: it does not count, and its rule may try again.
    pub(super) fn undo(&mut self, fired: &Fired) {
        if let Some(entry) = self.entries.get_mut(&fired.id) {
            entry.fired = entry.fired.saturating_sub(1);
        }
        let kind = fired.fault.kind();
        if let Some(count) = self.fired.get_mut(kind) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.fired.remove(kind);
            }
        }
    }

    /// Somebody was cut off. What goes on where the last outage ended is a part of it.
    pub(super) fn cut_off(&mut self, outage: Outage) {
        if let Some(last) = self.outages.back_mut()
            && (&last.account, &last.game) == (&outage.account, &outage.game)
            && (last.from..=last.to).contains(&outage.from)
        {
            last.to = last.to.max(outage.to);
            return;
        }
        if self.outages.len() == MAX_OUTAGES {
            self.outages.pop_front();
        }
        self.outages.push_back(outage);
    }

    /// A line is kept from somebody, nobody knows for how long.
    pub(super) fn hold(&mut self, account: Option<&str>, game: Option<&str>, now: Duration) {
        self.held.entry((account.map(str::to_owned), game.map(str::to_owned))).or_insert(now);
    }

    /// Somebody knows all again.
    pub(super) fn release(&mut self, account: Option<&str>, game: Option<&str>, now: Duration) {
        let party = (account.map(str::to_owned), game.map(str::to_owned));
        if let Some(from) = self.held.remove(&party) {
            self.cut_off(Outage { account: party.0, game: party.1, from, to: now });
        }
    }

    /// All counters, and the outages up to `now`.
    pub(super) fn report(&self, now: Duration) -> FaultReport {
        let rules = self.entries.iter().map(|(id, entry)| RuleReport {
            id: *id,
            name: entry.rule.name.clone(),
            kind: entry.rule.fault.kind().to_owned(),
            matched: entry.matched,
            fired: entry.fired,
            planned: entry.rule.planned,
        });
        let open = self.held.iter().map(|((account, game), from)| Outage {
            account: account.clone(),
            game: game.clone(),
            from: *from,
            to: now,
        });
        FaultReport {
            fired: self.fired.clone(),
            rules: rules.collect(),
            outages: self.outages.iter().cloned().chain(open).collect(),
        }
    }
}

impl Entry {
    fn is_spent(&self) -> bool {
        self.rule.times.is_some_and(|times| self.fired >= times)
    }

    /// Counts a match, and says whether it is one of those that fire.
    fn matches(&mut self) -> bool {
        self.matched += 1;
        let When { from, every, chance, .. } = self.rule.when;
        let from = from.max(1);
        let its_turn = self.matched >= from
            && every.is_none_or(|every| (self.matched - from).is_multiple_of(every.max(1)));
        its_turn && chance.is_none_or(|chance| unit(self.random.next()) < chance)
    }
}

impl When {
    /// Whether all conditions but the counted ones hold, `age` after the rule came to be.
    fn holds(&self, occasion: &Occasion, age: Duration) -> bool {
        let is = |wanted: &Option<String>, found: &Option<String>| wanted.is_none() || wanted == found;
        let age = u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
        self.route.is_none_or(|route| route == Route::Any || route == occasion.route)
            && is(&self.account, &occasion.account)
            && is(&self.game, &occasion.game)
            && is(&self.line, &occasion.line)
            && self.after_ms.is_none_or(|after| age >= after)
            && self.until_ms.is_none_or(|until| age < until)
            && self.ply.is_none_or(|ply| occasion.ply.is_some_and(|played| played >= ply))
    }

    /// Whether it asks for nothing that only a request has.
    fn is_without_request(&self) -> bool {
        self.route.is_none() && self.account.is_none() && self.game.is_none() && self.ply.is_none()
    }
}

impl Rule {
    /// Whether it acts on connections before they are made. With a condition on requests it waits for one instead.
    pub(in crate::sandbox) fn is_for_listener(&self) -> bool {
        self.fault.level() == Level::Listener && self.when.is_without_request()
    }
}

/// A random number from 0 to 1, without 1.
fn unit(random: u64) -> f64 {
    // 53 bits are what a float holds exactly.
    (random >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(rules: impl IntoIterator<Item = (When, Option<u64>)>) -> Book {
        let rule = |(when, times)| Rule { times, ..Rule::when(when, Fault::End) };
        Book::new(Scenario { seed: 1, rules: rules.into_iter().map(rule).collect() })
    }

    fn at(route: Route, ply: usize) -> Occasion {
        Occasion {
            route,
            account: Some("ada".to_owned()),
            game: Some("Qz7Lm2Xa".to_owned()),
            ply: Some(ply),
            line: Some("gameState".to_owned()),
        }
    }

    /// The plies at which it fires, one move a second.
    fn plies(book: &mut Book, last: usize) -> Vec<usize> {
        let fires = |ply: &usize| {
            let now = Duration::from_secs(*ply as u64);
            book.fire(&at(Route::Move, *ply), now, |_| true).is_some()
        };
        (1..=last).filter(fires).collect()
    }

    #[test]
    fn a_rule_fires_when_it_says() {
        let move_ = || When::on(Route::Move);
        let name = |text: &str| Some(text.to_owned());
        let never: &[usize] = &[];
        for (when, times, expected) in [
            (move_(), Some(1), [1].as_slice()),
            (move_(), Some(3), &[1, 2, 3]),
            (move_(), None, &[1, 2, 3, 4, 5, 6, 7, 8, 9]),
            (move_(), Some(0), never),
            (When::default(), Some(1), &[1]),
            (When::on(Route::Any), Some(1), &[1]),
            (When::on(Route::Chat), Some(1), never),
            (When { from: 3, ..move_() }, Some(1), &[3]),
            (When { from: 3, ..move_() }, Some(2), &[3, 4]),
            (When { from: 2, every: Some(3), ..move_() }, None, &[2, 5, 8]),
            (When { from: 2, every: Some(3), ..move_() }, Some(2), &[2, 5]),
            (When { after_ms: Some(4000), ..move_() }, Some(2), &[4, 5]),
            (When { after_ms: Some(4000), until_ms: Some(6000), ..move_() }, None, &[4, 5]),
            (When { after_ms: Some(4000), from: 2, ..move_() }, Some(1), &[5]),
            (When { ply: Some(6), ..move_() }, Some(1), &[6]),
            (When { account: name("Ada"), ..move_() }, Some(1), &[1]),
            (When { account: name("bob"), ..move_() }, Some(1), never),
            (When { game: name("Qz7Lm2Xa"), ..move_() }, Some(1), &[1]),
            (When { game: name("Qz7Lm2Xb"), ..move_() }, Some(1), never),
            (When { line: name("gameState"), ..move_() }, Some(1), &[1]),
            (When { line: name("gameFull"), ..move_() }, Some(1), never),
            (When { chance: Some(0.0), ..move_() }, None, never),
            (When { chance: Some(1.0), ..move_() }, Some(2), &[1, 2]),
        ] {
            let fired = plies(&mut book([(when.clone(), times)]), 9);
            assert_eq!(fired, expected, "{when:?}, at most {times:?} times");
        }
    }

    #[test]
    fn chance_repeats_itself_with_the_seed_and_keeps_its_odds() {
        let run = |seed: u64, before: usize| {
            let when = When { chance: Some(0.25), ..When::default() };
            let never = Rule { times: None, ..Rule::when(When::on(Route::Chat), Fault::Drop) };
            let mut book = Book::new(Scenario { seed, rules: vec![never; before] });
            book.add(Rule { times: None, ..Rule::when(when, Fault::End) }, Duration::ZERO);
            plies(&mut book, 4000)
        };
        assert_eq!(run(7, 0), run(7, 0));
        assert_ne!(run(7, 0), run(8, 0));
        // 4,000 draws at 1/4: 1,000 with a standard deviation of 27.
        assert!((900..1100).contains(&run(7, 0).len()), "{}", run(7, 0).len());
    }

    #[test]
    fn of_two_rules_for_one_request_the_second_waits() {
        let twice = || When::on(Route::Move);
        let mut book = book([(twice(), Some(2)), (twice(), Some(1))]);
        let ids: Vec<u64> = (0..4)
            .filter_map(|ply| book.fire(&at(Route::Move, ply), Duration::ZERO, |_| true))
            .map(|fired| fired.id)
            .collect();
        assert_eq!(ids, [1, 1, 2]);
        let matched: Vec<u64> = book.report(Duration::ZERO).rules.iter().map(|rule| rule.matched).collect();
        assert_eq!(matched, [2, 3], "the second counted the requests that the first spoilt");
    }

    #[test]
    fn the_time_of_a_rule_begins_when_it_is_added() {
        let mut book = book([]);
        let when = When { after_ms: Some(1000), ..When::default() };
        let id = book.add(Rule::when(when, Fault::Twin), Duration::from_secs(10));
        let at_second = |book: &mut Book, second| {
            book.fire(&at(Route::Move, 1), Duration::from_secs(second), |_| true).map(|fired| fired.id)
        };
        assert_eq!(at_second(&mut book, 10), None);
        assert_eq!(at_second(&mut book, 11), Some(id));
    }

    #[test]
    fn planned_rules_that_never_fired_are_named() {
        let mut book = book([(When::on(Route::Move), Some(1)), (When::on(Route::Chat), Some(1))]);
        let unplanned = Rule { planned: false, ..Rule::when(When::on(Route::Draw), Fault::Drop) };
        book.add(unplanned, Duration::ZERO);
        assert!(book.fire(&at(Route::Move, 1), Duration::ZERO, |_| true).is_some());
        let report = book.report(Duration::ZERO);
        assert_eq!(report.unfired().iter().map(|rule| rule.id).collect::<Vec<_>>(), [2]);
        assert_eq!(report.fired, BTreeMap::from([("end".to_owned(), 1)]));
        let text = report.to_string();
        assert!(
            text.contains("   2  end                    0        0  end  (planned, never fired)\n"),
            "{text}"
        );
        assert!(text.ends_with("1 faults of 1 kinds\n"), "{text}");
    }

    #[test]
    fn what_could_not_happen_does_not_count() {
        let mut book = book([(When::default(), Some(1))]);
        let fired = book.fire(&at(Route::Move, 1), Duration::ZERO, |_| true).unwrap();
        assert!(!book.is_active());
        book.undo(&fired);
        assert!(book.is_active());
        assert_eq!(book.report(Duration::ZERO).fired, BTreeMap::new());
        assert!(book.fire(&at(Route::Move, 2), Duration::ZERO, |_| true).is_some());
    }

    #[test]
    fn removed_rules_stay_counted_by_kind() {
        let mut book = book([(When::default(), None)]);
        book.fire(&at(Route::Move, 1), Duration::ZERO, |_| true);
        assert!(book.remove(1) && !book.remove(1));
        let report = book.report(Duration::ZERO);
        assert_eq!((report.rules.len(), report.fired["end"]), (0, 1));
        assert_eq!(book.add(Rule::new(Fault::End), Duration::ZERO), 2, "ids are not used again");
    }

    #[test]
    fn an_outage_lasts_until_the_reader_knows_all() {
        let second = Duration::from_secs;
        let mut book = book([]);
        book.hold(Some("ada"), Some("g1"), second(1));
        book.hold(Some("ada"), Some("g1"), second(2));
        book.hold(Some("ada"), Some("g2"), second(3));
        book.hold(Some("bob"), Some("g1"), second(4));
        book.release(Some("ada"), Some("g1"), second(5));
        book.release(Some("ada"), Some("g1"), second(6));
        let outage = |account: &str, game: &str, from, to| Outage {
            account: Some(account.to_owned()),
            game: Some(game.to_owned()),
            from: second(from),
            to: second(to),
        };
        let expected = [outage("ada", "g1", 1, 5), outage("ada", "g2", 3, 9), outage("bob", "g1", 4, 9)];
        assert_eq!(book.report(second(9)).outages, expected);
        book.cut_off(outage("ada", "g1", 5, 8));
        book.cut_off(outage("ada", "g1", 6, 7));
        assert_eq!(book.report(second(9)).outages[0], outage("ada", "g1", 1, 8), "they are one");
    }
}
