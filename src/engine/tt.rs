//! The transposition table: what is known of positions, shared by all threads without locks.
//!
//! An entry is two words, the data and the key xored with the data. A reader that meets the halves of two writes
//! (a torn entry) computes a key that is not its own, and takes the entry for another position's. No
//! ordering between words is needed. A move from the table is only a hint: the search checks that it is legal.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::thread;

#[cfg(target_os = "linux")]
use rustix::mm::{Advice, madvise};

use super::room;
use super::score::{MATE, NONE, Value, is_mate};
use crate::chess::{Move, Variant};
#[cfg(target_os = "linux")]
use crate::ignore::Ignore as _;

/// The table.
pub(crate) struct Table {
    clusters: Box<[Cluster]>,
    /// Counts searches, so that entries of old ones are replaced first.
    age: AtomicU8,
    /// The bits of a key that count: a test may want many positions to be mistaken for others.
    #[cfg(test)]
    pub(crate) mask: u64,
}

/// The entries that share an index: one cache line.
#[repr(align(64))]
#[derive(Default)]
struct Cluster([Slot; 4]);

#[derive(Default)]
struct Slot {
    /// The key xor the data.
    check: AtomicU64,
    data: AtomicU64,
}

/// To be xored with the keys of a variant's positions: the same board is worth something else by other rules.
pub(crate) const fn salt(variant: Variant) -> u64 {
    (variant as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// To be xored with the key of a position as well: near the draw by the fifty-move rule the same board is worth less.
/// `halfmove_clock` counts towards it; that many half moves share a key, and the first ones one.
pub(crate) const fn clock_salt(halfmove_clock: u16) -> u64 {
    let step = halfmove_clock.saturating_sub(FREE_CLOCK) / CLOCK_STEP;
    (step as u64).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Half moves without any influence, and those that count as one from there on.
const FREE_CLOCK: u16 = 40;
const CLOCK_STEP: u16 = 10;

/// How a stored value relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Only the static evaluation is known.
    None,
    Upper,
    Lower,
    Exact,
}

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) mv: Option<Move>,
    /// As of the position, not of the root: see [`value_from`] and [`value_to`].
    pub(crate) value: Value,
    /// The static evaluation, or `NONE` in check.
    pub(crate) eval: Value,
    pub(crate) depth: i32,
    pub(crate) kind: Kind,
    /// The position is or was on a principal variation.
    pub(crate) pv: bool,
}

impl Entry {
    /// An entry that knows nothing but the static evaluation.
    pub(crate) fn only_eval(eval: Value) -> Entry {
        Entry { mv: None, value: NONE, eval, depth: -1, kind: Kind::None, pv: false }
    }
}

const CLUSTERS_PER_MIB: usize = (1 << 20) / size_of::<Cluster>();

/// Ages count modulo this: they have five bits.
const AGES: u8 = 32;

/// Stored depths are shifted by this, so that quiescence (depth 0 and below) fits.
const DEPTH_SHIFT: i32 = 8;

impl Table {
    /// A table of `mib` MiB, at least one; a smaller one, if the system has not so much to spare. The memory is touched
    /// here, so that no search pays for it.
    pub(crate) fn new(mib: usize) -> Table {
        let spare = room::spare_mib().map_or(usize::MAX, |spare| spare / 4 * 3);
        let mut mib = mib.min(spare).max(1);
        let mut clusters = Vec::new();
        while clusters.try_reserve_exact(mib * CLUSTERS_PER_MIB).is_err() && mib > 1 {
            mib /= 2;
        }
        prefer_huge_pages(clusters.spare_capacity_mut());
        clusters.resize_with(mib * CLUSTERS_PER_MIB, Cluster::default);
        Table {
            clusters: clusters.into_boxed_slice(),
            age: AtomicU8::new(0),
            #[cfg(test)]
            mask: u64::MAX,
        }
    }

    /// Its size in MiB.
    pub(crate) fn mib(&self) -> usize {
        self.clusters.len() / CLUSTERS_PER_MIB
    }

    /// Forgets everything, with the help of so many threads.
    pub(crate) fn clear(&self, threads: usize) {
        let empty = |clusters: &[Cluster]| {
            for slot in clusters.iter().flat_map(|cluster| &cluster.0) {
                slot.check.store(0, Relaxed);
                slot.data.store(0, Relaxed);
            }
        };
        thread::scope(|scope| {
            let mut parts = self.clusters.chunks(self.clusters.len().div_ceil(threads.max(1)));
            let own = parts.next();
            for part in parts {
                scope.spawn(move || empty(part));
            }
            own.map(empty);
        });
        self.age.store(0, Relaxed);
    }

    /// A new search begins.
    pub(crate) fn new_search(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    /// How full the table is with entries of the current age, in thousandths.
    pub(crate) fn hashfull(&self) -> u32 {
        let age = self.age();
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let used = sample.iter().flat_map(|cluster| &cluster.0).filter(|slot| {
            let data = slot.data.load(Relaxed);
            data != 0 && age_of(data) == age
        });
        (used.count() * 1000 / (sample.len() * 4)) as u32
    }

    /// What is known of the position with `key`.
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        #[cfg(test)]
        let key = key & self.mask;
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (data != 0 && slot.check.load(Relaxed) ^ data == key).then(|| unpack(data))
        })
    }

    /// Has the memory of a position with `key` brought near, for a [`Table::probe`] that is to come. Asked for before
    /// the move is made it saves 5 % of the time (4 million nodes, 512 MiB, medians of seven pairs: 2.66 and 2.80 s);
    /// asked for after it, nothing.
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code, reason = "no safe function does this")]
    pub(crate) fn prefetch(&self, key: u64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads and writes nothing, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.cluster(key)).cast()) }
    }

    /// Elsewhere nothing is gained without it but time.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn prefetch(&self, _key: u64) {}

    /// Stores what was found, in place of the entry least worth keeping.
    pub(crate) fn store(&self, key: u64, mut entry: Entry) {
        #[cfg(test)]
        let key = key & self.mask;
        let age = self.age();
        let cluster = self.cluster(key);
        let mut worst = (&cluster.0[0], i32::MAX);
        for slot in &cluster.0 {
            let data = slot.data.load(Relaxed);
            if data == 0 || slot.check.load(Relaxed) ^ data == key {
                if data != 0 && !replaces(&mut entry, &unpack(data), age_of(data) == age) {
                    return;
                }
                worst.0 = slot;
                break;
            }
            let years = age.wrapping_sub(age_of(data)) % AGES;
            let worth = unpack_depth(data) - 4 * i32::from(years);
            if worth < worst.1 {
                worst = (slot, worth);
            }
        }
        let data = pack(&entry, age);
        worst.0.check.store(key ^ data, Relaxed);
        worst.0.data.store(data, Relaxed);
    }

    fn age(&self) -> u8 {
        self.age.load(Relaxed) % AGES
    }

    fn cluster(&self, key: u64) -> &Cluster {
        // The high half of the product spreads the keys over any number of clusters.
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }
}

/// Asks for pages of 2 MiB, so that a look into the table costs one miss of the cache and not a second one for where
/// its page is. It saves 13 % of the time (4 million nodes, 512 MiB, medians of seven pairs: 2.77 and 3.20 s).
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "no safe function does this")]
fn prefer_huge_pages(memory: &mut [MaybeUninit<Cluster>]) {
    const HUGE: usize = 2 << 20;
    let range = memory.as_mut_ptr_range();
    let skipped = range.start.addr().next_multiple_of(HUGE) - range.start.addr();
    let Some(length) = size_of_val(memory).checked_sub(skipped) else { return };
    let start = range.start.wrapping_byte_add(skipped).cast();
    // SAFETY: the advice changes nothing about what the memory holds, and the pages lie within this slice, which
    // nobody else uses.
    unsafe { madvise(start, length / HUGE * HUGE, Advice::LinuxHugepage) }
        .ignore("a system without huge pages is only slower");
}

#[cfg(not(target_os = "linux"))]
fn prefer_huge_pages(_memory: &mut [MaybeUninit<Cluster>]) {}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table of {} clusters", self.clusters.len())
    }
}

/// Whether `new` may replace `old` of the same position; a new entry without a move inherits the old one.
fn replaces(new: &mut Entry, old: &Entry, same_age: bool) -> bool {
    if new.mv.is_none() {
        new.mv = old.mv;
    }
    new.kind == Kind::Exact || !same_age || new.depth + 4 + 2 * i32::from(new.pv) > old.depth
}

/// A value found `ply` plies from the root, as it is stored: mates are counted from the position.
pub(crate) fn value_to(value: Value, ply: usize) -> Value {
    match value {
        NONE => NONE,
        _ if !is_mate(value) => value,
        1.. => value + ply as Value,
        _ => value - ply as Value,
    }
}

/// A stored value, as it is `ply` plies from the root.
///
/// A mate further away than the fifty-move rule allows, counted with `halfmove_clock`, is not a proof of mate here.
pub(crate) fn value_from(value: Value, ply: usize, halfmove_clock: u16) -> Value {
    if value == NONE || !is_mate(value) {
        return value;
    }
    let distance = MATE - value.abs();
    if distance > 100 - Value::from(halfmove_clock) {
        return value.signum() * super::score::EVAL_LIMIT;
    }
    value - value.signum() * ply as Value
}

/// Bits: move 0-15, value 16-31, evaluation 32-47, depth 48-55, kind 56-57, pv 58, age 59-63.
fn pack(entry: &Entry, age: u8) -> u64 {
    let depth = (entry.depth + DEPTH_SHIFT).clamp(1, 255) as u64;
    u64::from(entry.mv.map_or(0, Move::raw))
        | u64::from(entry.value as i16 as u16) << 16
        | u64::from(entry.eval as i16 as u16) << 32
        | depth << 48
        | (entry.kind as u64) << 56
        | u64::from(entry.pv) << 58
        | u64::from(age) << 59
}

fn unpack(data: u64) -> Entry {
    let kind = match data >> 56 & 3 {
        0 => Kind::None,
        1 => Kind::Upper,
        2 => Kind::Lower,
        _ => Kind::Exact,
    };
    Entry {
        mv: Move::from_raw(data as u16),
        value: Value::from((data >> 16) as i16),
        eval: Value::from((data >> 32) as i16),
        depth: unpack_depth(data),
        kind,
        pv: data >> 58 & 1 == 1,
    }
}

fn unpack_depth(data: u64) -> i32 {
    (data >> 48 & 255) as i32 - DEPTH_SHIFT
}

fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

const _: () = assert!(NONE <= i16::MAX as Value, "values must fit into sixteen bits");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use std::sync::atomic::AtomicBool;

    fn entry(value: Value, depth: i32) -> Entry {
        let mv = Position::initial().legal_moves().first().copied();
        Entry { mv, value, eval: -value / 2, depth, kind: Kind::Exact, pv: false }
    }

    #[test]
    fn what_is_stored_is_found() {
        for mib in [0, 1, 3, 7] {
            let table = Table::new(mib);
            for (key, value, depth) in [(1, 5, 3), (u64::MAX, -31_999, 0), (1 << 63, NONE, 200), (77, 0, -1)]
            {
                table.store(key, entry(value, depth));
                assert_eq!(table.probe(key), Some(entry(value, depth)), "{mib} MiB, key {key:x}");
            }
            table.clear(2);
            assert_eq!(table.probe(1), None);
        }
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let table = Table::new(1);
        let key = 0x1234_5678_9abc_def0;
        table.store(key, entry(100, 5));
        let slot = &table.cluster(key).0[0];
        slot.data.store(pack(&entry(101, 5), 0), Relaxed);
        assert_eq!(table.probe(key), None);
    }

    #[test]
    fn threads_never_see_a_mixture() {
        let table = Table::new(1);
        // Keys of one cluster; the value of each entry is a function of its key, so a mixture would show.
        let keys: Vec<u64> = (1..=8u64).collect();
        let go_on = AtomicBool::new(true);
        std::thread::scope(|scope| {
            for offset in 0..2 {
                let (table, keys, go_on) = (&table, &keys, &go_on);
                scope.spawn(move || {
                    for round in 0..20_000usize {
                        let key = keys[(round + offset * 3) % keys.len()];
                        table.store(key, entry(key as Value * 10, (round % 20) as i32));
                    }
                    go_on.store(false, Relaxed);
                });
            }
            while go_on.load(Relaxed) {
                for &key in &keys {
                    if let Some(found) = table.probe(key) {
                        assert_eq!(found.value, key as Value * 10);
                    }
                }
            }
        });
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let table = Table::new(1);
        for key in 1..=4 {
            table.store(key, entry(0, 10 + key as i32));
        }
        table.store(5, entry(0, 1));
        assert!(table.probe(1).is_none(), "the shallowest is replaced");
        assert!(table.probe(5).is_some() && table.probe(4).is_some());
        for _ in 0..8 {
            table.new_search();
        }
        table.store(4, entry(0, 14));
        table.store(6, entry(0, 1));
        table.store(7, entry(0, 1));
        table.store(8, entry(0, 1));
        assert!(table.probe(4).is_some(), "what was refreshed stays");
        assert!(table.probe(2).is_none() && table.probe(3).is_none(), "what is old goes");
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_old_move() {
        let table = Table::new(1);
        table.store(9, entry(10, 5));
        table.store(9, Entry { mv: None, ..entry(20, 6) });
        assert_eq!(table.probe(9), Some(entry(20, 6)).map(|e| Entry { eval: -10, ..e }));
    }

    #[test]
    fn mates_are_counted_from_the_position() {
        let at_root = MATE - 10;
        let stored = value_to(at_root, 4);
        assert_eq!(stored, MATE - 6);
        assert_eq!(value_from(stored, 2, 0), MATE - 8);
        assert_eq!(value_from(-stored, 2, 0), -(MATE - 8));
        assert!(!is_mate(value_from(stored, 2, 97)), "too late for the fifty-move rule");
        assert_eq!(value_from(123, 50, 0), 123);
    }
}
