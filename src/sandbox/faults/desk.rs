//! What becomes of the lines of one stream, given the faults that meet them. Pure: it says which steps to take and takes
//! none.

use std::time::Duration;

use bytes::{Bytes, BytesMut};

use super::fault::Fault;

/// One thing to do with a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::sandbox) enum Step {
    /// Send these bytes.
    Send(Bytes),
    /// Let what was sent leave before anything else is.
    Leave,
    /// Wait; nothing comes meanwhile.
    Pause(Duration),
    /// Wait; blank lines go on.
    Wait(Duration),
    /// Wait, and of what comes meanwhile keep only so many lines, what is still to be sent of this one among them.
    Stall {
        /// How many lines.
        capacity: usize,
        /// How long.
        time: Duration,
    },
    /// End the stream as if all were said.
    End,
    /// Break the connection.
    Break,
}

/// The faults of a stream that outlast a line.
#[derive(Debug, Default)]
pub(in crate::sandbox) struct Desk {
    /// A line that comes after the next one.
    late: Option<Bytes>,
    gathering: Option<Gathering>,
    budget: Option<Budget>,
}

#[derive(Debug)]
struct Gathering {
    bytes: BytesMut,
    missing: usize,
}

#[derive(Clone, Copy, Debug)]
enum Budget {
    Bytes(usize),
    Lines(usize),
}

impl Desk {
    /// Whether lines pass as they are.
    pub(in crate::sandbox) fn is_clear(&self) -> bool {
        self.late.is_none() && self.gathering.is_none() && self.budget.is_none()
    }

    /// Whether a line waits here.
    pub(in crate::sandbox) fn holds_line(&self) -> bool {
        self.late.is_some() || self.gathering.is_some()
    }

    /// What becomes of a line that meets these faults, one of its own level and one of the stream's.
    pub(in crate::sandbox) fn line(
        &mut self,
        line: Bytes,
        of_line: Option<&Fault>,
        of_stream: Option<&Fault>,
    ) -> Vec<Step> {
        let blank = is_blank(&line);
        let mut steps = Vec::new();
        let mut lines = self.alter(line, of_line, &mut steps);
        // The line that was put back follows the first that comes after it; it is not its own successor.
        if !matches!(of_line, Some(Fault::Reorder)) {
            lines.extend(self.late.take());
        }
        match of_stream {
            Some(Fault::End) => return vec![Step::End],
            Some(Fault::CutBytes { bytes }) => self.budget = Some(Budget::Bytes(*bytes)),
            Some(Fault::CutLines { lines }) => self.budget = Some(Budget::Lines(*lines)),
            Some(Fault::Merge { lines }) if self.gathering.is_none() => {
                self.gathering = Some(Gathering { bytes: BytesMut::new(), missing: *lines });
            }
            _ => {}
        }
        for line in lines {
            self.send(line, of_stream, &mut steps);
        }
        if blank {
            self.send_gathered(&mut steps);
        }
        self.spend(steps)
    }

    /// What is still to be sent when the stream ends.
    pub(in crate::sandbox) fn finish(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        if let Some(late) = self.late.take() {
            self.send(late, None, &mut steps);
        }
        self.send_gathered(&mut steps);
        self.spend(steps)
    }

    /// The lines that come in the place of one.
    fn alter(&mut self, line: Bytes, fault: Option<&Fault>, steps: &mut Vec<Step>) -> Vec<Bytes> {
        match fault {
            Some(Fault::Duplicate { copies }) => vec![line; copies.saturating_add(1)],
            Some(Fault::Late { ms }) => {
                steps.push(Step::Wait(Duration::from_millis(*ms)));
                vec![line]
            }
            Some(Fault::Backlog { capacity, ms }) => {
                steps.push(Step::Stall { capacity: *capacity, time: Duration::from_millis(*ms) });
                vec![line]
            }
            Some(Fault::Reorder) => self.late.replace(line).into_iter().collect(),
            Some(Fault::Drop) => Vec::new(),
            Some(Fault::Insert { text }) => vec![as_line(text), line],
            Some(Fault::Field { path, value }) => {
                let json = serde_json::from_slice(&line).ok();
                let edited = json.and_then(|json| super::edit::edited(&json, path, value.as_ref()));
                vec![edited.map_or(line, |json| Bytes::from(format!("{json}\n")))]
            }
            _ => vec![line],
        }
    }

    fn send(&mut self, line: Bytes, of_stream: Option<&Fault>, steps: &mut Vec<Step>) {
        if let Some(gathering) = &mut self.gathering {
            gathering.bytes.extend_from_slice(&line);
            gathering.missing = gathering.missing.saturating_sub(1);
            if gathering.missing == 0 {
                self.send_gathered(steps);
            }
            return;
        }
        let (size, between) = match of_stream {
            Some(Fault::Drip { bytes, every_ms }) => (*bytes, Step::Pause(Duration::from_millis(*every_ms))),
            Some(Fault::Split { bytes }) => (*bytes, Step::Leave),
            _ => (line.len(), Step::Leave),
        };
        let mut rest = line;
        while !rest.is_empty() {
            let piece = rest.split_to(size.clamp(1, rest.len()));
            steps.push(Step::Send(piece));
            if !rest.is_empty() {
                steps.push(between.clone());
            }
        }
    }

    fn send_gathered(&mut self, steps: &mut Vec<Step>) {
        if let Some(gathering) = self.gathering.take().filter(|gathering| !gathering.bytes.is_empty()) {
            // A packet of its own, so that nothing else comes with it.
            steps.extend([Step::Leave, Step::Send(gathering.bytes.freeze()), Step::Leave]);
        }
    }

    /// Cuts the steps where the stream shall break.
    fn spend(&mut self, steps: Vec<Step>) -> Vec<Step> {
        let Some(mut budget) = self.budget else { return steps };
        let mut kept = Vec::new();
        for step in steps {
            let Step::Send(bytes) = step else {
                kept.push(step);
                continue;
            };
            let fits = budget.fits(&bytes);
            kept.push(Step::Send(bytes.slice(..fits)));
            if fits < bytes.len() {
                break;
            }
        }
        self.budget = Some(budget);
        if budget.is_spent() {
            kept.extend([Step::Leave, Step::Break]);
        }
        kept.retain(|step| !matches!(step, Step::Send(bytes) if bytes.is_empty()));
        kept
    }
}

impl Budget {
    /// How much of these bytes may come; that much is spent.
    fn fits(&mut self, bytes: &[u8]) -> usize {
        match self {
            Budget::Bytes(left) => {
                let fits = bytes.len().min(*left);
                *left -= fits;
                fits
            }
            Budget::Lines(left) => {
                let mut fits = 0;
                while *left > 0 && fits < bytes.len() {
                    let end = bytes[fits..].iter().position(|byte| *byte == b'\n');
                    fits = end.map_or(bytes.len(), |end| fits + end + 1);
                    *left -= usize::from(end.is_some());
                }
                fits
            }
        }
    }

    fn is_spent(self) -> bool {
        matches!(self, Budget::Bytes(0) | Budget::Lines(0))
    }
}

/// Whether a line says nothing.
pub(in crate::sandbox) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

fn as_line(text: &str) -> Bytes {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    Bytes::from(format!("{text}{end}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The steps as text: what is sent, `|` between packets, `~` for a wait, `$` for the end and `!` for a break.
    fn text(steps: &[Step]) -> String {
        let word = |step: &Step| match step {
            Step::Send(bytes) => String::from_utf8(bytes.to_vec()).unwrap().replace('\n', "/"),
            Step::Leave => "|".to_owned(),
            Step::Pause(time) => format!("({}ms)", time.as_millis()),
            Step::Wait(time) => format!("~{}ms~", time.as_millis()),
            Step::Stall { capacity, time } => format!("[{capacity} for {}ms]", time.as_millis()),
            Step::End => "$".to_owned(),
            Step::Break => "!".to_owned(),
        };
        steps.iter().map(word).collect()
    }

    /// What becomes of these lines if the second meets the fault.
    fn run(lines: &[&'static str], fault: &Fault) -> String {
        let mut desk = Desk::default();
        let mut all = Vec::new();
        for (n, line) in lines.iter().enumerate() {
            let met = (n == 1).then_some(fault);
            let on_line = matches!(fault.level(), super::super::Level::Line);
            let (of_line, of_stream) = if on_line { (met, None) } else { (None, met) };
            all.extend(desk.line(Bytes::from_static(line.as_bytes()), of_line, of_stream));
        }
        all.extend(desk.finish());
        // Nobody asks for more after the end.
        let end = all.iter().position(|step| matches!(step, Step::End | Step::Break));
        text(&all[..end.map_or(all.len(), |end| end + 1)])
    }

    #[test]
    fn each_fault_does_its_own_harm() {
        let lines = ["a\n", "bcd\n", "e\n", "\n", "f\n"];
        for (fault, expected) in [
            (Fault::Duplicate { copies: 2 }, "a/bcd/bcd/bcd/e//f/"),
            (Fault::Late { ms: 9 }, "a/~9ms~bcd/e//f/"),
            (Fault::Reorder, "a/e/bcd//f/"),
            (Fault::Drop, "a/e//f/"),
            (Fault::Insert { text: "\n<x>".to_owned() }, "a//<x>/bcd/e//f/"),
            (Fault::Backlog { capacity: 3, ms: 9 }, "a/[3 for 9ms]bcd/e//f/"),
            (Fault::End, "a/$"),
            (Fault::Drip { bytes: 3, every_ms: 5 }, "a/bcd(5ms)/e//f/"),
            (Fault::Split { bytes: 1 }, "a/b|c|d|/e//f/"),
            (Fault::Split { bytes: 100 }, "a/bcd/e//f/"),
            (Fault::Merge { lines: 2 }, "a/|bcd/e/|/f/"),
            (Fault::Merge { lines: 9 }, "a/|bcd/e//|f/"),
            (Fault::CutBytes { bytes: 0 }, "a/|!"),
            (Fault::CutBytes { bytes: 2 }, "a/bc|!"),
            (Fault::CutBytes { bytes: 5 }, "a/bcd/e|!"),
            (Fault::CutLines { lines: 0 }, "a/|!"),
            (Fault::CutLines { lines: 2 }, "a/bcd/e/|!"),
        ] {
            assert_eq!(run(&lines, &fault), expected, "{fault:?}");
        }
    }

    #[test]
    fn a_line_that_has_no_successor_comes_at_the_end() {
        assert_eq!(run(&["a\n", "b\n"], &Fault::Reorder), "a/b/");
        assert_eq!(run(&["a\n", "b\n"], &Fault::Merge { lines: 3 }), "a/|b/|");
        assert_eq!(run(&["a\n", "b\n", "\n"], &Fault::Reorder), "a//b/", "a blank line is a successor too");
    }

    #[test]
    fn a_field_is_set_or_removed() {
        let line = "{\"state\":{\"moves\":\"e2e4\",\"wtime\":5}}\n";
        let set = Fault::Field { path: "state.wtime".to_owned(), value: Some(json!(-1)) };
        assert_eq!(run(&["\n", line], &set), "/{\"state\":{\"moves\":\"e2e4\",\"wtime\":-1}}/");
        let remove = Fault::Field { path: "state.moves".to_owned(), value: None };
        assert_eq!(run(&["\n", line], &remove), "/{\"state\":{\"wtime\":5}}/");
    }

    #[test]
    fn faults_of_line_and_stream_meet() {
        let mut desk = Desk::default();
        let (twice, cut) = (Fault::Duplicate { copies: 1 }, Fault::CutBytes { bytes: 3 });
        let steps = desk.line(Bytes::from_static(b"ab\n"), Some(&twice), Some(&cut));
        assert_eq!(text(&steps), "ab/|!");
    }
}
