//! A FEN of any variant is read or refused, and what is read is the same position when written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rookery_fuzz::chess::{AnyPosition, History};
use rookery_fuzz::variant_and_fen;

fuzz_target!(|text: &str| {
    let Some((variant, fen)) = variant_and_fen(text) else { return };
    if let Ok(position) = variant.start(Some(fen)) {
        assert_eq!(variant.start(Some(&position.to_fen())).as_ref(), Ok(&position));
        assert_eq!(variant.start(Some(&position.to_shredder_fen())).as_ref(), Ok(&position));
    }
    let read = |fen: &str| AnyPosition::from_unreachable_fen(variant, fen);
    if let Ok(position) = read(fen) {
        assert_eq!(read(&position.to_fen()).as_ref(), Ok(&position));
        for mv in position.legal_moves() {
            let after = position.after(mv);
            assert_eq!(read(&after.to_fen()), Ok(after));
        }
        let _end = History::new(position).end();
    }
});
