//! Bytes to lines, whatever the chunks. It knows nothing of JSON, streams or time.

/// What a stream of bytes holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// A line without its end. It is not blank and need not be UTF-8.
    Line(Vec<u8>),
    /// A line of nothing or of white space: the other side is alive.
    Blank,
    /// A line is longer than the limit, and is dropped. This is told as soon as it is so, since its end may never come.
    TooLong,
}

/// Cuts bytes at `\n`, and takes one `\r` before it away. What follows the last `\n` is kept for the next bytes;
/// when the stream ends it goes with the framer, since half a line says nothing reliable.
#[derive(Clone, Debug)]
pub(crate) struct Framer {
    limit: usize,
    partial: Vec<u8>,
    /// Inside a line that is longer than the limit.
    dropping: bool,
}

/// Longer than any sensible line: a game of 600 plies takes 3 KB, and a server may add fields that are larger.
pub(crate) const LINE_LIMIT: usize = 4 * 1024 * 1024;

impl Framer {
    /// A framer that drops lines of more than `limit` bytes.
    pub(crate) fn new(limit: usize) -> Framer {
        Framer { limit, partial: Vec::new(), dropping: false }
    }

    /// Takes the next bytes, returns the lines that they complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<Frame> {
        let mut frames = Vec::new();
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            frames.extend(self.extend(&rest[..end]));
            frames.extend(self.finish());
            rest = &rest[end + 1..];
        }
        frames.extend(self.extend(rest));
        frames
    }

    /// What has come of a line that is not complete.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.partial
    }

    fn extend(&mut self, bytes: &[u8]) -> Option<Frame> {
        if self.dropping {
            return None;
        }
        // One more than the limit is kept, because the last byte may be a `\r` that does not count.
        if self.partial.len() + bytes.len() > self.limit.saturating_add(1) {
            self.dropping = true;
            self.partial = Vec::new();
            return Some(Frame::TooLong);
        }
        self.partial.extend_from_slice(bytes);
        None
    }

    /// The line that ends here, unless it has been told that it is too long.
    fn finish(&mut self) -> Option<Frame> {
        let mut line = std::mem::take(&mut self.partial);
        if std::mem::take(&mut self.dropping) {
            return None;
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Some(if line.len() > self.limit {
            Frame::TooLong
        } else if line.trim_ascii().is_empty() {
            Frame::Blank
        } else {
            Frame::Line(line)
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(text: &str) -> Frame {
        Frame::Line(text.as_bytes().to_vec())
    }

    fn frames(chunks: &[&[u8]]) -> Vec<Frame> {
        let mut framer = Framer::new(16);
        chunks.iter().flat_map(|chunk| framer.push(chunk)).collect()
    }

    #[test]
    fn several_lines_in_one_chunk() {
        assert_eq!(
            frames(&[b"{\"a\":1}\n\n{\"b\":2}\n"]),
            [line("{\"a\":1}"), Frame::Blank, line("{\"b\":2}")]
        );
    }

    #[test]
    fn a_character_cut_in_two() {
        let bytes = "né\n".as_bytes();
        assert_eq!(frames(&[&bytes[..2], &bytes[2..]]), [line("né")]);
    }

    #[test]
    fn carriage_returns_are_tolerated() {
        assert_eq!(frames(&[b"a\r\n\r\nb\r", b"\n"]), [line("a"), Frame::Blank, line("b")]);
        assert_eq!(frames(&[b"a\rb\n"]), [line("a\rb")], "only at the end of a line");
    }

    #[test]
    fn a_line_without_its_end_is_never_a_line() {
        assert_eq!(frames(&[b"a\n{\"half\":"]), [line("a")]);
    }

    #[test]
    fn a_long_line_is_dropped_and_the_next_is_read() {
        let exact = "x".repeat(16);
        assert_eq!(frames(&[exact.as_bytes(), b"\n"]), [line(&exact)]);
        assert_eq!(frames(&[exact.as_bytes(), b"\r\n"]), [line(&exact)]);
        assert_eq!(frames(&[exact.as_bytes(), b"y\nafter\n"]), [Frame::TooLong, line("after")]);
        let endless = [b'x'; 100];
        assert_eq!(frames(&[&endless, &endless, b"\nafter\n"]), [Frame::TooLong, line("after")]);
    }

    #[test]
    fn a15_a_line_without_end_is_told_once_and_does_not_fill_the_memory() {
        let mut framer = Framer::new(16);
        assert_eq!(framer.push(&[b'x'; 10]), []);
        assert_eq!(framer.push(&[b'x'; 10]), [Frame::TooLong], "before it ends");
        for _ in 0..1000 {
            assert_eq!(framer.push(&[b'x'; 10]), []);
            assert!(framer.partial.capacity() <= 64);
        }
    }

    #[test]
    fn a11_white_space_is_a_sign_of_life() {
        assert_eq!(
            frames(&[b"\n\r\n \n\t \r\n{}\n"]),
            [Frame::Blank, Frame::Blank, Frame::Blank, Frame::Blank, line("{}")]
        );
    }

    proptest! {
        #[test]
        fn any_chunking_gives_the_same_lines(
            bytes in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), any::<u8>()], 0..200),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
        ) {
            let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let mut whole = Framer::new(16);
            let mut parts = Framer::new(16);
            let split: Vec<_> = cuts.windows(2).flat_map(|cut| parts.push(&bytes[cut[0]..cut[1]])).collect();
            prop_assert_eq!(whole.push(&bytes), split);
        }

        #[test]
        fn each_line_end_gives_one_frame(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let ends = bytes.iter().filter(|&&byte| byte == b'\n').count();
            prop_assert_eq!(Framer::new(200).push(&bytes).len(), ends);
        }
    }
}
