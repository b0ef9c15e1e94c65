use crate::syntax::{Kind, Member, Node, parse};

/// What the content of a JSON file shows about the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Recognized {
    /// It is a suite, or nothing shows that it will not become one.
    Suite,
    /// Its `format` shows that this program wrote it, and as what: `eval-ls/transcript@2`.
    Written(String),
    /// It is another program's file.
    Other,
}

/// How much of a file is looked at, in bytes. Elements behind that show nothing that the first ones do not show.
const HEAD: usize = 64 * 1024;

/// The keys of a suite, beside `cases`.
const KEYS: &[&str] = &["name", "version", "description", "captured_at", "integration_baseline"];

/// Those that other programs do not have.
const OWN_KEYS: &[&str] = &["captured_at", "integration_baseline"];

/// The keys of a case by which it is recognized.
const CASE_KEYS: [&str; 3] = ["id", "prompt", "expected"];

impl Recognized {
    /// Recognizes a file by its first 64 KiB. The JSON may be broken.
    ///
    /// A suite has `cases` with a key of a case, or a list under another name whose elements have an object `expected`, or
    /// `captured_at` or `integration_baseline`, or only keys of a suite, whose `version` is not one of a package such as 1.0.0. An empty
    /// file may become one.
    pub(crate) fn of(text: &str) -> Recognized {
        let head = &text[..text.floor_char_boundary(HEAD.min(text.len()))];
        if head.trim().is_empty() {
            return Recognized::Suite;
        }
        let parse = parse(head);
        let Some(root) = parse.tree.root(head) else { return Recognized::Other };
        if root.kind() != Kind::Object {
            let is_empty_list = root.kind() == Kind::Array && root.elements().next().is_none();
            return if is_empty_list { Recognized::Suite } else { Recognized::Other };
        }
        if let Some(format) = root.get("format").and_then(Node::as_str).filter(|format| format.starts_with("eval-ls/"))
        {
            return Recognized::Written(format.into_owned());
        }
        let is_suite = match root.member("cases") {
            Some(cases) => cases.value.is_none_or(may_be_cases),
            None => {
                let is_among =
                    |keys: &[&str], member: Member<'_>| member.key.as_str().is_some_and(|key| keys.contains(&&*key));
                let version = root.get("version").and_then(Node::as_str);
                let is_package = version.is_some_and(|version| version.starts_with(|c| matches!(c, '1'..='9')));
                root.members().any(|member| is_among(OWN_KEYS, member) || member.value.is_some_and(has_expectations))
                    || !is_package && root.members().all(|member| member.value.is_none() || is_among(KEYS, member))
            }
        };
        if is_suite { Recognized::Suite } else { Recognized::Other }
    }
}

/// Whether this value of `cases` may be a suite's: it is wrong in another way, empty, or something in it may be a case.
fn may_be_cases(value: Node<'_>) -> bool {
    value.kind() != Kind::Array || value.elements().next().is_none() || value.elements().any(may_be_case)
}

fn may_be_case(value: Node<'_>) -> bool {
    let has_key = CASE_KEYS.iter().any(|key| value.member(key).is_some());
    has_key || value.kind() != Kind::Object || value.members().all(|member| member.value.is_none())
}

fn has_expectations(value: Node<'_>) -> bool {
    let expects = |case: Node<'_>| case.get("expected").is_some_and(|expected| expected.kind() == Kind::Object);
    value.kind() == Kind::Array && value.elements().any(expects)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_are_recognized_also_while_they_are_written() {
        for text in [
            "",
            " \n",
            "{",
            "{}",
            "[",
            r#"{ "na"#,
            r#"{ "cases": [ { "" } ] }"#,
            r#"{ "cases": [] }"#,
            r#"{ "cases": "x", "prompts": [] }"#,
            r#"{ "cases": [ { "id": "A" } ] }"#,
            r#"{ "cases": [ {}, { "prompt": "p" } ], "tests": [] }"#,
            r#"{ "name": "n", "version": "0.2.0", "description": "d" }"#,
            r#"{ "name": "n", "version": "" }"#,
            r#"{ "title": "t", "captured_at": "2026-01-01" }"#,
            r#"{ "tests": [ { "id": "A", "expected": { "ui": ["x"] } } ] }"#,
            r#"{ "cases": [ { "id": "A", "prompt": "p" "#,
        ] {
            assert_eq!(Recognized::of(text), Recognized::Suite, "{text}");
        }
    }

    #[test]
    fn files_of_other_programs_are_not_suites() {
        for text in [
            "[ 1 ]",
            "3",
            r#"[ { "input": "x", "ideal": "y" } ]"#,
            r#"{ "prompts": ["x"], "providers": ["p"], "tests": [ { "vars": { "a": 1 }, "assert": [] } ] }"#,
            r#"{ "eval": "x", "items": [] }"#,
            r#"{ "tests": [ { "prompt": "p", "expected": "an answer" } ] }"#,
            r#"{ "name": "n", "version": "0.1.0", "scripts": {}, "dependencies": {} }"#,
            r#"{ "name": "n", "version": "1.0.0" }"#,
            r#"{ "cases": [ { "input": "x", "output": "y" } ] }"#,
        ] {
            assert_eq!(Recognized::of(text), Recognized::Other, "{text}");
        }
    }

    #[test]
    fn files_of_this_program_say_what_they_are() {
        let written = |format: &str| Recognized::Written(format.to_owned());
        let text = r#"{ "format": "eval-ls/transcript@2", "cases": [ { "id": "A" } ] }"#;
        assert_eq!(Recognized::of(text), written("eval-ls/transcript@2"));
        assert_eq!(Recognized::of(r#"{ "format": "v1", "cases": [] }"#), Recognized::Suite);
    }

    /// A cut inside of a character or an element is not a mistake.
    #[test]
    fn the_head_of_a_large_file_is_enough() {
        let prompt = "ä".repeat(HEAD);
        let suite = format!(r#"{{ "cases": [ {{ "prompt": "x{prompt}" }} ] }}"#);
        assert_eq!(Recognized::of(&suite), Recognized::Suite);
        let other = format!(r#"{{ "items": [ "{prompt}" ], "cases": [ {{ "id": "A" }} ] }}"#);
        assert_eq!(Recognized::of(&other), Recognized::Other);
    }
}
