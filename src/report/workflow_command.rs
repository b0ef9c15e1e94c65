//! Workflow commands of GitHub Actions.

use crate::text::visible;

/// The message of a workflow command. It cannot end the command.
pub(crate) fn message(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            // GitHub obeys `##[` anywhere in a line.
            '[' if escaped.ends_with("##") => escaped.push_str(" ["),
            '%' => escaped.push_str("%25"),
            '\r' => escaped.push_str("%0D"),
            '\n' => escaped.push_str("%0A"),
            _ => escaped.push(visible(c)),
        }
    }
    escaped
}

/// The value of a property of a workflow command. It can end neither the property nor the command.
pub(crate) fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

/// A line that is not a workflow command if it is printed to the log of a workflow.
pub(crate) fn disarmed(line: &str) -> String {
    if line.trim_start().starts_with("::") { line.replacen("::", ": :", 1) } else { line.to_owned() }
}

/// Keeps text in an output from being read as a workflow command. GitHub obeys `::` at the start of a line, also after white
/// space, and `##[` anywhere in a line.
#[derive(Debug)]
pub(crate) struct CommandGuard {
    place: Place,
    /// The number of `#` just before.
    hashes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// At the start of a line, or after white space there.
    Start,
    /// After a colon there.
    Colon,
    /// After other text.
    Within,
}

impl Default for CommandGuard {
    fn default() -> CommandGuard {
        CommandGuard { place: Place::Start, hashes: 0 }
    }
}

impl CommandGuard {
    /// Passes the bytes to `write`, with a space in each start of a command.
    ///
    /// # Errors
    /// The first error of `write`.
    pub(crate) fn disarm<E>(&mut self, bytes: &[u8], mut write: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let (mut written, mut at) = (0, 0);
        while let Some(&byte) = bytes.get(at) {
            if self.place == Place::Within && self.hashes == 0 && byte != b'\n' && byte != b'#' {
                at += memchr::memchr2(b'\n', b'#', &bytes[at..]).unwrap_or(bytes.len() - at);
                continue;
            }
            if (byte == b'[' && self.hashes >= 2) || (byte == b':' && self.place == Place::Colon) {
                write(&bytes[written..at])?;
                write(b" ")?;
                written = at;
            }
            self.hashes = if byte == b'#' { self.hashes + 1 } else { 0 };
            self.place = match (byte, self.place) {
                (b'\n', _) => Place::Start,
                (b':', Place::Start) => Place::Colon,
                (_, Place::Start) if may_be_blank(byte) => Place::Start,
                _ => Place::Within,
            };
            at += 1;
        }
        write(&bytes[written..])
    }
}

/// Whether a byte is white space, or one of the bytes of white space beyond ASCII.
fn may_be_blank(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0xc2 | 0xe1 | 0xe2 | 0xe3 | 0x80
            ..=0x8a | 0x9a | 0x9f | 0xa0 | 0xa8 | 0xa9 | 0xaf
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn guarded(parts: &[&str]) -> String {
        let (mut guard, mut out) = (CommandGuard::default(), Vec::new());
        for part in parts {
            let written: Result<(), ()> = guard.disarm(part.as_bytes(), |bytes| {
                out.extend_from_slice(bytes);
                Ok(())
            });
            written.unwrap();
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn no_line_of_an_output_is_a_workflow_command() {
        for (text, expected) in [
            ("  ::add-mask::x", "  : :add-mask::x"),
            ("a\n\t ::stop::\n", "a\n\t : :stop::\n"),
            ("\u{a0}::x::", "\u{a0}: :x::"),
            ("\u{3000}\u{2003}::x::", "\u{3000}\u{2003}: :x::"),
            ("::error file=a::b ##[c]", ": :error file=a::b ## [c]"),
            ("a\n::x\r\n:::y\n:z", "a\n: :x\r\n: ::y\n:z"),
            ("a ##[add-mask]x", "a ## [add-mask]x"),
            ("###[x] # #[y] ##", "### [x] # #[y] ##"),
            ("a  ::b :c :: d", "a  ::b :c :: d"),
        ] {
            assert_eq!(guarded(&[text]), expected);
        }
    }

    proptest! {
        #[test]
        fn an_output_in_parts_is_guarded_like_a_whole_one(text in "[ :#\\[\na\u{a0}]{0,30}", cut in 0..30_usize) {
            let cut = text.char_indices().map(|(at, _)| at).nth(cut).unwrap_or(text.len());
            let whole = guarded(&[&text]);
            prop_assert_eq!(&guarded(&[&text[..cut], &text[cut..]]), &whole);
            prop_assert!(!whole.contains("##["), "{}", whole);
            let is_command = |line: &str| line.trim_start().starts_with("::");
            prop_assert!(!whole.split('\n').any(is_command), "{}", whole);
        }
    }
}
