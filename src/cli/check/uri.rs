use std::fmt::Write as _;
use std::path::Path;

/// The file called `name` as a URI reference: a `file:` URI where the name starts at the file system's root, else a
/// relative one.
pub(super) fn uri(name: &str) -> String {
    let mut uri = String::new();
    if Path::new(name).is_absolute() {
        uri.push_str(if name.starts_with('/') { "file://" } else { "file:///" });
    }
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            b'\\' if cfg!(windows) => uri.push('/'),
            _ => write!(uri, "%{byte:02X}").expect("a String takes whatever is written to it"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn encodes_all_that_means_something_in_a_uri() {
        for (name, expected) in [
            ("evals/a-b_c.v0.1~.json", "evals/a-b_c.v0.1~.json"),
            ("a b%#?é.json", "a%20b%25%23%3F%C3%A9.json"),
            ("http:x\n.json", "http%3Ax%0A.json"),
            ("../x.json", "../x.json"),
            ("<stdin>", "%3Cstdin%3E"),
        ] {
            assert_eq!(uri(name), expected);
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_the_file_system_s_root() {
        assert_eq!(uri("/a/b.json"), "file:///a/b.json");
    }
}
