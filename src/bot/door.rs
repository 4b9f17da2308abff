//! Whether the server lets us in: a refusal is final at the start, and later only when it is repeated. Pure.

/// How often the server may refuse to let us in, one time after another, before it is believed. The stream waits a
/// minute in between.
const MAX_DENIALS: u32 = 3;

/// What the server has said about us so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Door {
    /// The server has let us in at least once.
    welcome: bool,
    /// Refusals to let us in, one after another.
    denials: u32,
}

impl Door {
    /// The server speaks to us. That it has opened a stream says less: the first line may be a refusal.
    pub(crate) fn welcome(&mut self) {
        *self = Door { welcome: true, denials: 0 };
    }

    /// The server does not let us in: whether that is final.
    pub(crate) fn denied(&mut self) -> bool {
        self.denials += 1;
        !self.welcome || self.denials >= MAX_DENIALS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_final_at_the_start_and_later_when_repeated() {
        assert!(Door::default().denied());
        let mut door = Door::default();
        door.welcome();
        assert_eq!([door.denied(), door.denied(), door.denied()], [false, false, true]);
        door.welcome();
        assert!(!door.denied());
    }
}
