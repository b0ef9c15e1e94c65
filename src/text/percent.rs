use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};

/// The characters that a part of a path cannot have in a URI: all but the unreserved ones of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The same for a whole path.
const PATH: &AsciiSet = &RESERVED.remove(b'/');

/// Returns `text` as a part of a URI's path: everything but letters, digits, `-`, `.`, `_` and `~` of ASCII is
/// percent-encoded, also `/`.
pub(crate) fn percent_encoded(text: &str) -> String {
    percent_encode(text.as_bytes(), RESERVED).to_string()
}

/// The text whose encoding this is; `None` if it is not UTF-8.
pub(crate) fn percent_decoded(text: &str) -> Option<String> {
    Some(percent_decode_str(text).decode_utf8().ok()?.into_owned())
}

/// Returns a path whose parts are separated by `/` as the path of a URI.
pub(crate) fn percent_encoded_path(path: &[u8]) -> String {
    percent_encode(path, PATH).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreserved_characters_stay() {
        assert_eq!(percent_encoded("a-B_c.9~"), "a-B_c.9~");
        assert_eq!(percent_encoded("a/b%?é\n"), "a%2Fb%25%3F%C3%A9%0A");
        assert_eq!(percent_encoded_path(b"a/b c"), "a/b%20c");
    }
}
