use std::borrow::Cow;
use std::path::Path;

use crate::text::percent_encoded_path;

/// Returns the file called `name` as a URI reference: a `file:` URI if the name is absolute, else a relative reference.
pub(super) fn uri(name: &str) -> String {
    let mut uri = String::new();
    if Path::new(name).is_absolute() {
        uri.push_str(if name.starts_with('/') { "file://" } else { "file:///" });
    }
    let path = if cfg!(windows) { Cow::from(name.replace('\\', "/")) } else { Cow::from(name) };
    uri + &percent_encoded_path(path.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn reserved_characters_are_encoded() {
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
    fn absolute_paths_have_a_scheme() {
        assert_eq!(uri("/a/b.json"), "file:///a/b.json");
    }
}
