//! The findings in files, one file for each format. `check` and `challenge` share them; `cli` draws findings for a terminal.

mod concise;
mod github;
mod json;
mod sarif;

use std::borrow::Cow;
use std::path::Path;

use crate::diagnostic::Finding;
use crate::text::{Text, percent_encoded_path};

pub(crate) use concise::concise;
pub(crate) use github::github;
pub(crate) use json::json;
pub(crate) use sarif::sarif;

/// A file and its findings.
#[derive(Debug)]
pub(crate) struct Checked {
    /// The file, as reports name it.
    pub(crate) name: String,
    /// Its text.
    pub(crate) text: Text,
    /// Its findings; their spans are places in the text.
    pub(crate) findings: Vec<Finding>,
    /// Whether fixes were applied.
    pub(crate) fixed: bool,
}

/// All findings, each with its file.
fn each(all: &[Checked]) -> impl Iterator<Item = (&Checked, &Finding)> {
    all.iter().flat_map(|checked| checked.findings.iter().map(move |finding| (checked, finding)))
}

/// Returns the file called `name` as a URI reference: a `file:` URI if the name is absolute, else a relative reference.
fn uri(name: &str) -> String {
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
