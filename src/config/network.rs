//! What positions are judged by, as users name it.

use std::fs;

use crate::engine::Evaluation;

/// What there is to choose from.
pub(crate) const CHOICES: &str = "embedded, hand-made or the path of a network";

/// The evaluation of this name: the network that the program carries, the hand-made one, or the network of a file. The error
/// says why there is none.
pub(crate) fn evaluation(name: &str) -> Result<Evaluation, String> {
    match name {
        "embedded" => Ok(Evaluation::embedded()),
        "hand-made" => Ok(Evaluation::hand_made()),
        file => {
            let bytes = fs::read(file).map_err(|e| format!("cannot read it: {e}; expected {CHOICES}"))?;
            Evaluation::read(&bytes).map_err(|e| e.to_string())
        }
    }
}
