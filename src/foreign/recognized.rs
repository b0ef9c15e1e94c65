use crate::diagnostic::{nearest, quoted};
use crate::suite::{FIELDS, memory_of};
use crate::syntax::{Kind, Member, Node, parse};

use super::log::{Log, START};
use super::program::{Foreign, IMPORT};

/// What the content of a JSON file shows about the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Recognized {
    /// The file is a suite, or nothing shows that it will not become one.
    Suite,
    /// The `format` shows that this program wrote it, and as what: `eval-ls/transcript@2`.
    Written(String),
    /// The file is JSON of another program. What it seems to be: `a list of prompts; …`.
    Other(String),
    /// The file is not JSON, and nothing shows that it is meant to be a suite.
    NotJson,
}

/// The keys of a suite, except that of its cases.
const KEYS: &[&str] = &["name", "version", "description", "captured_at", "integration_baseline"];

/// The keys of a case.
const CASE_KEYS: &[&str] = &["id", "prompt", "expected", "setup_prompts", "category", "preconditions"];

/// What a broken text has that is meant to be a suite.
const WORDS: [&str; 3] = ["\"cases\"", "\"prompt\"", "\"expected\""];

/// The most memory for the tree of a text, in bytes: what a server takes for a suite that is not open.
const MOST_MEMORY: u64 = 256 << 20;

/// The most keys that a description of another file names: one line of a terminal.
const NAMED: usize = 4;

impl Recognized {
    /// Recognizes a file by its whole text, which may be broken. Bytes that are not UTF-8 may be replaced.
    ///
    /// JSON is a suite if some case has a key of the format under `expected`, or if it has `cases` and a `version` of the format. Text
    /// that is not JSON is a suite if it names `cases`, `prompt` or `expected` in double quotes. A text that so far has no key but those
    /// of a suite may become one.
    pub(crate) fn of(text: &str) -> Recognized {
        // A log may be so large that a parse takes seconds.
        if text.len() > START
            && let Some(log) = Recognized::of_log(text)
        {
            return log;
        }
        // What reads it next reports that it is too large.
        if memory_of(text) > MOST_MEMORY {
            return Recognized::Suite;
        }
        let parse = parse(text);
        Recognized::of_root(text, parse.tree.root(text), parse.errors.is_empty())
    }

    /// Recognizes a file whose text is already parsed. `is_json` is whether the text has no syntax error.
    pub(crate) fn of_root(text: &str, root: Option<Node<'_>>, is_json: bool) -> Recognized {
        let format = root.and_then(|root| root.get("format")).and_then(Node::as_str);
        if let Some(format) = format.filter(|format| is_json && format.starts_with("eval-ls/")) {
            return Recognized::Written(format.into_owned());
        }
        // UTF-16 has a NUL after each of these letters.
        let names_key = || WORDS.iter().any(|word| text.replace('\0', "").contains(word));
        match root {
            _ if text.trim().is_empty() => Recognized::Suite,
            Some(root) if is_suite(root) || is_draft(root) => Recognized::Suite,
            _ if !is_json && names_key() => Recognized::of_log(text).unwrap_or(Recognized::Suite),
            Some(root) if is_json => Recognized::Other(Foreign::described(root).unwrap_or_else(|| described(root))),
            _ => Recognized::NotJson,
        }
    }

    /// Recognizes a log by the start of its text.
    fn of_log(text: &str) -> Option<Recognized> {
        Log::of_start(text).map(|log| Recognized::Other(Foreign::Log(log).with_remedy(IMPORT)))
    }
}

/// Whether some case of a file has a key of the format under `expected`.
pub(crate) fn has_checks(text: &str) -> bool {
    parse(text).tree.root(text).is_some_and(is_checking)
}

fn is_suite(root: Node<'_>) -> bool {
    let version = root.get("version").and_then(Node::as_str);
    let is_of_format = version.is_some_and(|version| ["0.1", "0.2", "0.3"].iter().any(|it| version.starts_with(it)));
    (root.member("cases").is_some() && is_of_format) || is_checking(root)
}

/// Whether some element of a list of the file has a key of the format under `expected`.
fn is_checking(root: Node<'_>) -> bool {
    let mut lists = root.members().filter_map(|member| member.value).chain([root]);
    lists.any(|list| list.elements().any(has_expectation))
}

/// Whether it is a case with a key of the format under `expected`.
fn has_expectation(case: Node<'_>) -> bool {
    let Some(expected) = case.get("expected") else { return false };
    expected.members().any(|member| {
        let key = member.key.as_str().unwrap_or_default();
        FIELDS.iter().any(|field| field.key == key)
    })
}

/// Whether somebody writes a suite: it has a check, a case with two keys of cases or no other key, or nothing that a suite does not have.
pub(crate) fn is_written(root: Node<'_>) -> bool {
    let is_known = |member: &Member<'_>| member.key.as_str().is_none_or(|key| CASE_KEYS.contains(&&*key));
    let is_case = |case: Node<'_>| {
        let known = case.members().filter(is_known).count();
        case.kind() == Kind::Object && (known >= 2 || known == case.members().count())
    };
    let mut cases = root.get("cases").into_iter().flat_map(Node::elements);
    // The first two read few cases of a suite, the last one reads all.
    is_checking(root) || cases.any(is_case) || is_draft(root)
}

/// Whether nothing in it shows that it will not become a suite.
fn is_draft(root: Node<'_>) -> bool {
    let may_be = |member: Member<'_>| {
        let cases = member.value.filter(|_| member.key.as_str().is_some_and(|key| key == "cases"));
        cases.map_or_else(|| is_meant(member, KEYS), |cases| cases.elements().all(is_draft_of_case))
    };
    match root.kind() {
        Kind::Object => root.members().all(may_be),
        Kind::Array => root.elements().next().is_none(),
        _ => false,
    }
}

fn is_draft_of_case(case: Node<'_>) -> bool {
    let is_expectation = |member: Member<'_>| {
        let expected = member.value.filter(|_| member.key.as_str().is_some_and(|key| key == "expected"));
        let fields: Vec<&'static str> = FIELDS.iter().map(|field| field.key).collect();
        expected.is_none_or(|value| {
            matches!(value.kind(), Kind::Object | Kind::Invalid) && value.members().all(|key| is_meant(key, &fields))
        })
    };
    case.members().all(|member| is_meant(member, CASE_KEYS) && is_expectation(member))
}

/// Whether the key is one of these. A key without a value is being written, and a misspelt one is meant.
fn is_meant(member: Member<'_>, keys: &[&'static str]) -> bool {
    let is_near = |key: &str| keys.contains(&key) || nearest(key, keys.iter().copied()).is_some();
    member.value.is_none() || member.key.as_str().is_some_and(|key| is_near(&key))
}

/// What a file of an unknown program has: its first keys, and those of the elements of its first list.
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
            r#"{ "version": "0.3.0", "" }"#,
            r#"{ "name": "n", "version": "0.2.0", "description": "d" }"#,
            r#"{ "name": "n", "cases": [] }"#,
            r#"{ "cases": [] }"#,
            r#"{ "cases": [1, { "id": "A", "promt": "p", "expected": {} }, {}] }"#,
            r#"{ "name": "n", "cases": "x" }"#,
            r#"{ "cases": [ { "" } ] }"#,
            r#"{ "cases": [ { "id": "A", "prompt": "p" "#,
            r#"{ "cases": [ {}, { "id": "B", "expected": { "outcome": "response_only" } } ], "mine": 1 }"#,
            r#"[ { "id": "A", "prompt": "p", "expected": { "must_say_any": ["x"] }, "note": "n" } ]"#,
            r#"{ "tests": [ { "id": "A", "expected": { "must_say_any": ["x"] } } ] }"#,
            r#"x { "cases": [] }"#,
            "<<<<<<< HEAD\n{ \"cases\": [] }\n=======\n",
            "{\0\"\0c\0a\0s\0e\0s\0\"\0:\0",
        ] {
            assert_eq!(Recognized::of(text), Recognized::Suite, "{text}");
        }
    }

    #[test]
    fn files_of_other_programs_are_not_suites() {
        let seen = [
            "[ 1 ]",
            "3",
            r#"[ { "input": "x", "ideal": "y" } ]"#,
            r#"{ "cases": [ { "id": "A", "prompt": "p", "expected": { "verdict": "yes" } } ] }"#,
            r#"{ "tests": [ { "prompt": "p", "expected": "Paris" } ] }"#,
            r#"[ { "query": "q", "should_trigger": true } ]"#,
            r#"{ "prompts": ["x"], "providers": ["p"], "tests": [ { "vars": { "a": 1 }, "assert": [] } ] }"#,
            r#"{ "eval": "x", "items": [] }"#,
            r#"{ "cases": [], "suite": "x" }"#,
            r#"{ "name": "n", "version": "0.1.0", "scripts": {}, "dependencies": {} }"#,
            r#"{ "cases": [ { "left": "x", "right": "y" } ] }"#,
        ]
        .map(|text| match Recognized::of(text) {
            Recognized::Other(seems) => format!("{text}\n    {seems}\n"),
            other => panic!("{text}: {other:?}"),
        });
        insta::assert_snapshot!(seen.concat());
    }

    #[test]
    fn texts_that_are_not_json_may_be_anything() {
        for text in
            ["{'single': 'quotes'}", "version https://git-lfs.github.com/spec/v1\nsize 12\n", "\0\0", "<html>", "a: 1"]
        {
            assert_eq!(Recognized::of(text), Recognized::NotJson, "{text}");
        }
    }

    #[test]
    fn files_of_this_program_say_what_they_are() {
        let text = r#"{ "format": "eval-ls/transcript@2", "cases": [ { "id": "A" } ] }"#;
        assert_eq!(Recognized::of(text), Recognized::Written("eval-ls/transcript@2".to_owned()));
        assert!(matches!(Recognized::of(r#"{ "format": "v1", "cases": [] }"#), Recognized::Other(_)));
    }
}
