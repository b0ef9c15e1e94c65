//! Mistakes that leave a check which passes, or fails, whatever the answer is.

use eval_ls::testing::Node;

use crate::mutations::edits::*;
use crate::mutations::keys::swapped;
use crate::mutations::source::Source;
use crate::mutations::study::{Area, Operator, operator};
use crate::mutations::values::{TOOLS, entries as on};

const PATTERNS: [&str; 2] = ["must_match_regex", "must_not_match_regex"];
const BUILT_IN: [&str; 4] = ["github", "slack", "posthog", "vercel"];

pub(crate) fn operators() -> Vec<Operator> {
    [names(), entries(), patterns(), cases(), judging()].concat()
}

fn names() -> Vec<Operator> {
    let semantic = |name, mistakes| operator(Area::Semantic, name, mistakes);
    vec![
        semantic("tool. before a tool", |s| on(s, &TOOLS, |n| Some(quoted(&format!("tool.{}", inner(n)))))),
        semantic("() behind a tool", |s| on(s, &TOOLS, |n| Some(quoted(&format!("{}()", inner(n)))))),
        semantic("space behind a tool", |s| on(s, &["tool_calls_any"], |n| Some(format!("\"{} \"", inner(n))))),
        semantic("misspelt UI hint", |s| on(s, &["ui"], |n| swapped(inner(n)).map(|text| quoted(&text)))),
        semantic("telemetry with : before start", |s| {
            on(s, &["telemetry"], |n| n.text().contains(" start").then(|| n.text().replace(" start", ":start")))
        }),
    ]
}

fn entries() -> Vec<Operator> {
    let semantic = |name, mistakes| operator(Area::Semantic, name, mistakes);
    vec![
        semantic("blank phrase", |s| {
            behind(s.entries(&["must_say_any", "must_not_say", "tool_calls_any"]), |_| ", \" \"".into())
        }),
        semantic("words for a number", |s| value(s, "value", "\"a dozen\"")).open(),
        semantic("override action forbidden", |s| {
            let actions = s.entries(&["must_allow_override_actions"]).into_iter();
            actions.filter_map(|n| forbidden(n, n.text())).collect()
        })
        .open(),
        semantic("source forbidden", |s| {
            let sources = s.values(&["source_patterns"]).into_iter().flat_map(Node::members);
            let lists = sources.filter_map(|member| member.value);
            let text = |n: Node<'_>| n.elements().map(|phrase| phrase.text().to_owned()).collect::<Vec<_>>().join(", ");
            lists.filter_map(|n| forbidden(n, &text(n))).collect()
        })
        .open(),
    ]
}

fn patterns() -> Vec<Operator> {
    let regex = |name, mistakes| operator(Area::Regex, name, mistakes);
    vec![
        regex("single backslash before b", |s| {
            on(s, &PATTERNS, |n| n.text().contains(r"\\b").then(|| n.text().replace(r"\\b", r"\b")))
        }),
        regex("slashes and flags around a pattern", |s| {
            on(s, &PATTERNS, |n| (!n.text().contains('/')).then(|| format!("\"/{}/i\"", inner(n))))
        }),
        regex("text behind $", |s| on(s, &PATTERNS, |n| Some(format!("\"{}$ abc\"", inner(n).trim_end_matches('$')))))
            .open(),
        regex("amount with $", |s| on(s, &PATTERNS, |_| Some("\"Total: $12\"".into()))).open(),
        regex("text before ^", |s| on(s, &PATTERNS, |n| Some(format!("\"abc {}\"", caret(inner(n)))))).open(),
        regex("(?!)", |s| on(s, &PATTERNS, |n| Some(format!("\"{}(?!)\"", inner(n))))).open(),
        regex("empty lever_regex", |s| value(s, "lever_regex", "\"\"")).open(),
        regex("age without digits", |s| value(s, "evidence_freshness_regex", "\"minutes ago\"")).open(),
    ]
}

fn cases() -> Vec<Operator> {
    let semantic = |name, mistakes| operator(Area::Semantic, name, mistakes);
    vec![
        semantic("empty prompt", |s| value(s, "prompt", "\"\"")).open(),
        semantic("no case", |s| value(s, "cases", "[]")).open(),
        semantic("id in another case of letters", |s| {
            let ids = s.values(&["id"]);
            ids.iter().skip(1).map(|n| replace(n.span(), ids[0].text().to_lowercase())).collect()
        })
        .open(),
        semantic("phrase of the prompt", |s| {
            let lists = s.values(&["must_say_any"]).into_iter();
            lists
                .filter_map(|list| {
                    let prompt = list.parent()?.parent()?.parent()?.parent()?.get("prompt")?.as_str()?.into_owned();
                    let word = prompt
                        .split(' ')
                        .find(|word| word.len() > 3 && word.bytes().all(|b| b.is_ascii_alphabetic()))?;
                    Some(replace(list.span(), format!("[\"{word}\"]")))
                })
                .collect()
        })
        .open(),
    ]
}

fn judging() -> Vec<Operator> {
    let scoring = |name, mistakes| operator(Area::Scoring, name, mistakes);
    vec![
        scoring("threshold that each score reaches", |s| value(s, "threshold", "0.01")).open(),
        scoring("built-in phrases of a source", |s| {
            let members = s.members(&["source_patterns"]).into_iter().filter(|m| {
                m.value.is_some_and(|sources| sources.members().all(|source| BUILT_IN.contains(&inner(source.key))))
            });
            removed(members)
        })
        .lossy(),
        scoring("everyday word for a source", |s| {
            let sources = s.values(&["source_patterns"]).into_iter().flat_map(Node::members);
            sources.filter_map(|m| Some(insert(m.value?.elements().last()?.span().end, ", \"report\""))).collect()
        })
        .open(),
    ]
}

fn value(s: &Source, key: &str, with: &str) -> Vec<Mistake> {
    s.values(&[key]).into_iter().map(|node| replace(node.span(), with)).collect()
}

/// The pattern with `^` at its start, behind flags.
fn caret(pattern: &str) -> String {
    match pattern.strip_prefix("(?m)") {
        Some(rest) => format!("(?m)^{}", rest.trim_start_matches('^')),
        None => format!("^{}", pattern.trim_start_matches('^')),
    }
}

/// Forbids these phrases in the case of a node.
fn forbidden(node: Node<'_>, phrases: &str) -> Option<Mistake> {
    let expected = expected_of(node)?;
    Some(match expected.get("must_not_say") {
        Some(list) => insert(list.elements().last()?.span().end, format!(", {phrases}")),
        None => insert(expected.span().start + 1, format!("\"must_not_say\": [{phrases}], ")),
    })
}
