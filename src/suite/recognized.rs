use crate::diagnostic::{nearest, quoted};
use crate::syntax::{Kind, Member, Node, parse};

use super::FIELDS;

/// What the content of a JSON file shows about the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Recognized {
    /// It is a suite, or nothing shows that it will not become one.
    Suite,
    /// Its `format` shows that this program wrote it, and as what: `eval-ls/transcript@2`.
    Written(String),
    /// It is another program's file. What it seems to be: a list of 3 objects with `query` and `should_trigger`.
    Other(String),
}

/// How much of a file is looked at, in bytes. Elements behind that show nothing that the first ones do not show.
const HEAD: usize = 64 * 1024;

/// The keys of a suite.
const KEYS: &[&str] = &["cases", "name", "version", "description", "captured_at", "integration_baseline"];

/// Those that other programs do not have.
const OWN_KEYS: &[&str] = &["captured_at", "integration_baseline"];

/// The keys of a case.
const CASE_KEYS: &[&str] = &["id", "prompt", "expected", "setup_prompts", "category", "preconditions"];

/// Keys of `expected` that other programs have, too.
const COMMON_EXPECTATIONS: &[&str] = &["outcome", "telemetry", "ui", "scoring"];

/// The most keys that a description of another file names: one line of a terminal.
const NAMED: usize = 4;

impl Recognized {
    /// Recognizes a file by its first 64 KiB. The JSON may be broken.
    ///
    /// A suite has `cases`, or a list under another name, most of whose elements have `id`, `prompt` and an object `expected`, or an
    /// expectation that other programs do not have; or `captured_at` or `integration_baseline`; or no key and no case with a key that a suite
    /// does not have, and a `version` that is not one of a package such as 1.0.0. An empty file may become one.
    pub(crate) fn of(text: &str) -> Recognized {
        let head = &text[..text.floor_char_boundary(HEAD.min(text.len()))];
        if head.trim().is_empty() {
            return Recognized::Suite;
        }
        let parse = parse(head);
        let Some(root) = parse.tree.root(head) else { return Recognized::Other("text that is not JSON".to_owned()) };
        if let Some(format) = root.get("format").and_then(Node::as_str).filter(|format| format.starts_with("eval-ls/"))
        {
            return Recognized::Written(format.into_owned());
        }
        if is_suite(root) { Recognized::Suite } else { Recognized::Other(described(root)) }
    }
}

fn is_suite(root: Node<'_>) -> bool {
    if root.kind() == Kind::Array {
        return root.elements().next().is_none() || has_cases(root);
    }
    let version = root.get("version").and_then(Node::as_str);
    let is_package = version.is_some_and(|version| version.starts_with(|c| matches!(c, '1'..='9')));
    let is_of = |keys: &[&str], member: &Member<'_>| member.key.as_str().is_some_and(|key| keys.contains(&&*key));
    let is_draft = || {
        let cases = root.member("cases").and_then(|cases| cases.value).filter(|cases| cases.kind() == Kind::Array);
        let has_only_cases = cases.is_none_or(|cases| cases.elements().all(may_become_case));
        // A key without a value is being written, and a misspelt one is meant.
        let is_misspelt = |member: &Member<'_>| {
            let key = member.key.as_str().unwrap_or_default();
            cases.is_some() && nearest(&key, KEYS.iter().copied()).is_some()
        };
        let may_be = |member: Member<'_>| member.value.is_none() || is_of(KEYS, &member) || is_misspelt(&member);
        root.members().all(may_be) && has_only_cases
    };
    root.kind() == Kind::Object
        && (root.members().any(|member| is_of(OWN_KEYS, &member) || member.value.is_some_and(has_cases))
            || (!is_package && is_draft()))
}

/// Whether it is a list, and most of its elements are cases.
fn has_cases(list: Node<'_>) -> bool {
    let cases = list.elements().filter(|element| is_case(*element)).count();
    list.kind() == Kind::Array && cases * 2 > list.elements().count()
}

fn is_case(value: Node<'_>) -> bool {
    let Some(expected) = value.get("expected").filter(|expected| expected.kind() == Kind::Object) else { return false };
    let has_both = value.member("id").is_some() && value.member("prompt").is_some();
    let own = FIELDS.iter().map(|field| field.key).filter(|key| !COMMON_EXPECTATIONS.contains(key));
    has_both || own.into_iter().any(|key| expected.member(key).is_some())
}

/// Whether nothing in it shows that it will not become a case. A misspelt key does not.
fn may_become_case(value: Node<'_>) -> bool {
    let is_known = |key: &str| CASE_KEYS.contains(&key) || nearest(key, CASE_KEYS.iter().copied()).is_some();
    let may_be = |member: Member<'_>| member.value.is_none() || member.key.as_str().is_none_or(|key| is_known(&key));
    is_case(value) || value.kind() != Kind::Object || value.members().all(may_be)
}

/// What a file of another program has: its first keys, and those of the elements of its first list.
fn described(root: Node<'_>) -> String {
    let list = if root.kind() == Kind::Array {
        Some(root)
    } else {
        root.members().filter_map(|member| member.value).find(|value| value.kind() == Kind::Array)
    };
    let element = list.and_then(|list| list.elements().find(|element| element.kind() == Kind::Object));
    let of_elements = element.map(|element| format!("a list of objects with {}", keys(element)));
    match root.kind() {
        Kind::Object if of_elements.is_none() || root.members().count() > 1 => {
            let elements = of_elements.map_or_else(String::new, |list| format!(", and {list}"));
            format!("an object with {}{elements}", keys(root))
        }
        Kind::Object | Kind::Array => of_elements.unwrap_or_else(|| "a list without an object".to_owned()),
        _ => "neither an object nor a list".to_owned(),
    }
}

fn keys(object: Node<'_>) -> String {
    let keys: Vec<String> =
        object.members().filter_map(|member| member.key.as_str().map(|key| quoted(&key))).take(NAMED).collect();
    match keys.split_last() {
        None => "no key".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
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
            r#"{ "cases": "x" }"#,
            r#"{ "verison": "0.2.0", "cases": [1, "A"] }"#,
            r#"{ "cases": [ { "id": "A" } ] }"#,
            r#"{ "cases": [ {}, { "prompt": "p" } ] }"#,
            r#"{ "cases": [ { "id": "A", "promt": "p", "expectted": {} } ] }"#,
            r#"[ { "id": "A", "prompt": "p", "expected": {}, "note": "n" } ]"#,
            r#"{ "cases": [ { "id": "A", "prompt": "p", "expected": {}, "owner": "me" }, { "id": "B", "owner": "me" } ,
                { "id": "C", "prompt": "p", "expected": {} } ], "team": "x" }"#,
            r#"{ "name": "n", "version": "0.2.0", "description": "d" }"#,
            r#"{ "name": "n", "version": "" }"#,
            r#"{ "title": "t", "captured_at": "2026-01-01" }"#,
            r#"{ "tests": [ { "id": "A", "expected": { "must_say_any": ["x"] } } ] }"#,
            r#"{ "cases": [ { "id": "A", "prompt": "p" "#,
        ] {
            assert_eq!(Recognized::of(text), Recognized::Suite, "{text}");
        }
    }

    #[test]
    fn files_of_other_programs_are_not_suites() {
        for (text, seems) in [
            ("[ 1 ]", "a list without an object"),
            ("3", "neither an object nor a list"),
            (r#"[ { "input": "x", "ideal": "y" } ]"#, "a list of objects with `input` and `ideal`"),
            (r#"[ { "query": "q", "should_trigger": true } ]"#, "a list of objects with `query` and `should_trigger`"),
            (
                r#"{ "prompts": ["x"], "providers": ["p"], "tests": [ { "vars": { "a": 1 }, "assert": [] } ] }"#,
                "an object with `prompts`, `providers` and `tests`",
            ),
            (r#"{ "eval": "x", "items": [] }"#, "an object with `eval` and `items`"),
            (
                r#"{ "tests": [ { "prompt": "p", "expected": "an answer" } ] }"#,
                "a list of objects with `prompt` and `expected`",
            ),
            (
                r#"{ "name": "n", "version": "0.1.0", "scripts": {}, "dependencies": {} }"#,
                "an object with `name`, `version`, `scripts` and `dependencies`",
            ),
            (r#"{ "name": "n", "version": "1.0.0" }"#, "an object with `name` and `version`"),
            (r#"{ "cases": [ { "input": "x", "output": "y" } ] }"#, "a list of objects with `input` and `output`"),
            (
                r#"{ "version": 1, "name": "smoke", "cases": [ { "id": "help", "command": "node", "assert": {} } ] }"#,
                "an object with `version`, `name` and `cases`, and a list of objects with `id`, `command` and `assert`",
            ),
            (
                r#"{ "cases": [ { "name": "trip", "prompt": "Use it.", "gates": [] } ] }"#,
                "a list of objects with `name`, `prompt` and `gates`",
            ),
            (
                r#"{ "cases": [ { "id": "q1", "question": "When?", "expect_sources": ["a.md"] } ] }"#,
                "a list of objects with `id`, `question` and `expect_sources`",
            ),
            (r#"{ "cases": [], "suite": "x" }"#, "an object with `cases` and `suite`"),
        ] {
            assert_eq!(Recognized::of(text), Recognized::Other(seems.to_owned()), "{text}");
        }
    }

    #[test]
    fn files_of_this_program_say_what_they_are() {
        let written = |format: &str| Recognized::Written(format.to_owned());
        let text = r#"{ "format": "eval-ls/transcript@2", "cases": [ { "id": "A" } ] }"#;
        assert_eq!(Recognized::of(text), written("eval-ls/transcript@2"));
        assert!(matches!(Recognized::of(r#"{ "format": "v1", "cases": [] }"#), Recognized::Other(_)));
    }

    /// A cut inside of a character or an element is not a mistake.
    #[test]
    fn the_head_of_a_large_file_is_enough() {
        let prompt = "ä".repeat(HEAD);
        let suite = format!(r#"{{ "cases": [ {{ "prompt": "x{prompt}" }} ] }}"#);
        assert_eq!(Recognized::of(&suite), Recognized::Suite);
        let other = format!(r#"{{ "items": [ "{prompt}" ], "cases": [ {{ "id": "A" }} ] }}"#);
        assert!(matches!(Recognized::of(&other), Recognized::Other(_)));
    }
}
