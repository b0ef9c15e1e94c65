//! What a program writes, within limits.

use tokio::io::{AsyncRead, AsyncReadExt};

/// How many bytes are read at a time. As much as a pipe on Linux holds.
const CHUNK: usize = 64 * 1024;

/// All that a program writes to standard output, up to a limit.
#[derive(Debug)]
pub(super) struct Whole {
    limit: usize,
    bytes: Vec<u8>,
}

/// The end of what a program writes to standard error.
#[derive(Debug)]
pub(super) struct Tail {
    limit: usize,
    bytes: Vec<u8>,
    is_cut: bool,
}

/// More was written than may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMuch;

impl Whole {
    pub(super) fn up_to(limit: usize) -> Self {
        Self { limit, bytes: Vec::new() }
    }

    /// Reads to the end. What was read stays where this is dropped before.
    pub(super) async fn fill(&mut self, from: Option<impl AsyncRead + Unpin>) -> Result<(), TooMuch> {
        let Some(mut from) = from else { return Ok(()) };
        loop {
            self.bytes.reserve(CHUNK);
            match from.read_buf(&mut self.bytes).await {
                // A pipe that cannot be read has nothing more to say.
                Ok(0) | Err(_) => return Ok(()),
                Ok(_) if self.bytes.len() > self.limit => return Err(TooMuch),
                Ok(_) => {}
            }
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl Tail {
    pub(super) fn of(limit: usize) -> Self {
        Self { limit, bytes: Vec::new(), is_cut: false }
    }

    /// Reads to the end, so that the writer never waits, and keeps the last bytes.
    pub(super) async fn fill(&mut self, from: Option<impl AsyncRead + Unpin>) {
        let Some(mut from) = from else { return };
        loop {
            self.bytes.reserve(CHUNK);
            match from.read_buf(&mut self.bytes).await {
                Ok(0) | Err(_) => return self.cut(),
                // Seldom enough that moving the rest to the front costs nothing.
                Ok(_) if self.bytes.len() > 2 * self.limit + CHUNK => self.cut(),
                Ok(_) => {}
            }
        }
    }

    /// The last bytes as text. Where something before them was cut off, it begins with a whole line if it has one: half a
    /// line may begin within a secret, and would then not be known for one.
    pub(super) fn into_text(mut self) -> String {
        self.cut();
        let start = match memchr::memchr(b'\n', &self.bytes) {
            Some(line_break) if self.is_cut => line_break + 1,
            _ => 0,
        };
        String::from_utf8_lossy(&self.bytes[start..]).into_owned()
    }

    fn cut(&mut self) {
        let excess = self.bytes.len().saturating_sub(self.limit);
        if excess > 0 {
            self.bytes.drain(..excess);
            self.is_cut = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_whole_is_read_up_to_the_limit() {
        for (limit, outcome) in [(200_000, Ok(())), (199_999, Err(TooMuch)), (10, Err(TooMuch))] {
            let text = vec![b'x'; 200_000];
            let mut whole = Whole::up_to(limit);
            assert_eq!(whole.fill(Some(text.as_slice())).await, outcome, "{limit}");
        }
        let mut whole = Whole::up_to(3);
        assert_eq!(whole.fill(Some(&b"abc"[..])).await, Ok(()));
        assert_eq!(whole.into_bytes(), b"abc");
    }

    #[tokio::test]
    async fn a_tail_is_the_end() {
        for (written, kept) in [
            ("", ""),
            ("abc", "abc"),
            ("a\nb", "a\nb"),
            ("aé", "aé"),
            ("abcd", "bcd"),
            ("ab\nc", "c"),
            ("🚀yz", "\u{fffd}yz"),
        ] {
            let mut tail = Tail::of(3);
            tail.fill(Some(written.as_bytes())).await;
            assert_eq!(tail.into_text(), kept, "{written}");
        }
        let long: String = (0..100_000).map(|n| format!("{n}\n")).collect();
        let mut tail = Tail::of(13);
        tail.fill(Some(long.as_bytes())).await;
        assert_eq!(tail.into_text(), "99998\n99999\n");
    }
}
