//! Standard chess: the defaults.

use super::Play;
use crate::chess::Standard;

impl Play for Standard {}
