//! Evidence: what was seen, decided and done, in append-only files, so that a game can be replayed.
//!
//! Writing never holds up a game: entries go through a bounded queue to a thread of their own, and what does not
//! fit is counted and shown as a gap. What the entries mean is left to those who write them.

mod entry;
mod recorder;

mod spool;
mod writer;

mod scrub;

pub use entry::{Entry, EntryError, FORMAT, Kind, OLDEST_FORMAT, Reader};
pub use recorder::{Log, Recorder};
pub use scrub::Scrubber;
pub use writer::Hide;
