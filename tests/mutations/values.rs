//! Mistakes in values: a wrong type, an unknown value, or a contradiction.

use eval_ls::testing::{Kind, Member, Node, Span};

use crate::mutations::edits::*;
use crate::mutations::keys::{lost, swapped};
use crate::mutations::source::Source;
use crate::mutations::study::{Area, Operator, operator};

const LISTS: [&str; 9] = [
    "tool_calls_any",
    "tool_calls_none",
    "must_say_any",
    "must_not_say",
    "must_match_regex",
    "required_sources",
    "telemetry",
    "hard_fail",
    "must_allow_override_actions",
];
pub(super) const TOOLS: [&str; 2] = ["tool_calls_any", "tool_calls_none"];
const BOOLEANS: [&str; 2] = ["must_label_assumptions", "claim_evidence_alignment"];
const NUMBERS: [&str; 3] = ["threshold", "required_levers", "evidence_freshness_max_age_minutes"];

pub(crate) fn operators() -> Vec<Operator> {
    [types(), closed_lists(), cases(), phrases_and_tools()].concat()
}

fn types() -> Vec<Operator> {
    let kind = |name, mistakes| operator(Area::Type, name, mistakes);
    vec![
        kind("string for a list of one", |s| on(s, &LISTS, |n| only(n).map(|one| one.text().to_owned()))),
        kind("string for a list", |s| on(s, &LISTS, |n| n.elements().next().map(|one| one.text().to_owned()))).lossy(),
        kind("list for a string", |s| {
            on(s, &["id", "prompt", "outcome", "name", "version"], |n| Some(format!("[{}]", n.text())))
        }),
        kind("\"true\" for true", |s| on(s, &BOOLEANS, |n| Some(quoted(n.text())))),
        kind("\"yes\" for true", |s| on(s, &BOOLEANS, |_| Some("\"yes\"".into()))),
        kind("1 for true", |s| on(s, &BOOLEANS, |_| Some("1".into()))),
        kind("string for a number", |s| on(s, &NUMBERS, |n| Some(quoted(n.text())))),
        kind("string for a weight", |s| {
            replaced(s.members_of("weights").into_iter().filter_map(|m| m.value).collect(), |n| quoted(n.text()))
        }),
        kind("number in a list of strings", |s| entries(s, &LISTS, |_| Some("7".into()))).lossy(),
        kind("object in a list of strings", |s| entries(s, &LISTS, |n| Some(format!("{{ \"text\": {} }}", n.text()))))
            .open(),
        kind("list in a list of strings", |s| entries(s, &LISTS, |n| Some(format!("[{}]", n.text())))),
        kind("null for a value", |s| {
            on(s, &["setup_prompts", "category", "must_say_any", "preconditions"], |_| Some("null".into()))
        })
        .lossy(),
        kind("null in a list", |s| behind(s.entries(&LISTS), |_| ", null".into())),
        kind("list for an object", |s| {
            on(s, &["expected", "scoring", "soft_score"], |n| Some(format!("[{}]", n.text())))
        }),
        kind("weights as pairs", |s| on(s, &["weights"], |_| Some("[[\"formatting\", 1]]".into()))).open(),
        kind("string for a case", |s| replaced(s.cases(), |_| "\"a case\"".into())).open(),
        kind("cases as an object", |s| on(s, &["cases"], |_| Some("{ \"A\": { \"prompt\": \"p\" } }".into()))).open(),
        kind("suite without its braces", |s| {
            vec![replace(Span::new(0, s.text.len()), s.root().get("cases").unwrap().text())]
        })
        .lossy(),
        kind("number for an id", |s| on(s, &["id"], |_| Some("7".into()))).lossy(),
        kind("half of a lever", |s| on(s, &["required_levers"], |_| Some("2.5".into()))).lossy(),
        kind("age in hours", |s| on(s, &["evidence_freshness_max_age_minutes"], |_| Some("\"3h\"".into()))),
        kind("number for a version", |s| on(s, &["version"], |n| Some(inner(n)[..3].to_owned()))).lossy(),
        kind("string for context_any", |s| {
            on(s, &["context_any"], |n| n.elements().next().map(|one| one.text().to_owned()))
        })
        .lossy(),
    ]
}

fn closed_lists() -> Vec<Operator> {
    let value = |name, mistakes| operator(Area::Value, name, mistakes);
    vec![
        value("letters swapped in an outcome", |s| {
            on(s, &["outcome"], |n| swapped(inner(n)).map(|text| quoted(&text)))
        }),
        value("letter lost in an outcome", |s| on(s, &["outcome"], |n| lost(inner(n)).map(|text| quoted(&text)))),
        value("another word for an outcome", |s| {
            on(s, &["outcome"], |n| {
                Some(quoted(match inner(n) {
                    "tool_success" => "succeeded",
                    "tool_started" => "tool_called",
                    "graceful_error" => "error",
                    "needs_input" => "clarification",
                    _ => "text_only",
                }))
            })
        }),
        value("outcome with spaces", |s| on(s, &["outcome"], |n| Some(n.text().replace('_', " ")))),
        value("outcome in capitals", |s| on(s, &["outcome"], |n| Some(n.text().to_uppercase()))),
        value("empty outcome", |s| on(s, &["outcome"], |_| Some("\"\"".into()))),
        value("letters swapped in a group", |s| {
            entries(s, &["hard_fail"], |n| swapped(inner(n)).map(|text| quoted(&text)))
        }),
        value("another word for a group", |s| replaced(s.entries(&["hard_fail"]), other_group)),
        value("another word for a group with a weight", |s| {
            replaced(s.members_of("weights").into_iter().map(|m| m.key).collect(), other_group)
        }),
        value("unknown version", |s| on(s, &["version"], |_| Some("\"1.0\"".into()))).lossy(),
        value("version with a v", |s| on(s, &["version"], |n| Some(format!("\"v{}\"", inner(n))))).lossy(),
        value("version at odds with the file's name", |s| {
            on(s, &["version"], |n| Some(if inner(n).starts_with("0.3") { "\"0.2.0\"" } else { "\"0.3.0\"" }.into()))
        })
        .lossy(),
        value("key of a later version", |s| later(s, "\"required_levers\": 1, ")),
        value("group of a later version", later_group),
    ]
}

fn other_group(name: Node<'_>) -> String {
    quoted(match inner(name) {
        "tool_hygiene" => "tools",
        "synthesis_coverage" => "coverage",
        "numeric_grounding" => "numbers",
        "uncertainty" => "assumptions",
        "formatting" => "format",
        _ => "morning_brief",
    })
}

fn cases() -> Vec<Operator> {
    let semantic = |name, mistakes| operator(Area::Semantic, name, mistakes);
    vec![
        semantic("duplicate id", |s| {
            let ids = s.values(&["id"]);
            ids.iter().skip(1).map(|n| replace(n.span(), ids[0].text())).collect()
        })
        .lossy(),
        semantic("duplicate key", |s| repeated(s.members_of("expected"))),
        semantic("duplicate key in a case", |s| {
            repeated(s.members_of("cases").into_iter().filter(|m| m.key.as_str().unwrap() != "expected"))
        }),
        semantic("duplicate weight", |s| repeated(s.members_of("weights"))),
        semantic("required key of a case lost", |s| {
            let is_required = |m: &Member<'_>| ["id", "prompt", "expected"].contains(&&*m.key.as_str().unwrap());
            removed(s.members_of("cases").into_iter().filter(is_required))
        })
        .open(),
        semantic("nothing expected", |s| on(s, &["expected"], |_| Some("{}".into()))).open(),
        semantic("nothing but empty lists expected", |s| {
            on(s, &["expected"], |_| Some("{ \"must_say_any\": [], \"must_not_say\": [] }".into()))
        })
        .open(),
    ]
}

fn phrases_and_tools() -> Vec<Operator> {
    let semantic = |name, mistakes| operator(Area::Semantic, name, mistakes);
    vec![
        semantic("empty phrase", |s| behind(s.entries(&["must_say_any", "must_not_say"]), |_| ", \"\"".into())),
        semantic("tool required and forbidden", |s| forbidden(s, "tool_calls_any", "tool_calls_none")).open(),
        semantic("phrase required and forbidden", |s| forbidden(s, "must_say_any", "must_not_say")).open(),
        semantic("pattern required and forbidden", |s| forbidden(s, "must_match_regex", "must_not_match_regex")).open(),
        semantic("telemetry of a forbidden tool", |s| {
            let of_tool = |n: Node<'_>| {
                let expected = expected_of(n).filter(|expected| expected.get("telemetry").is_none())?;
                let telemetry = format!("\"telemetry\": [\"tool.{} result success:true\"], ", inner(n));
                Some(insert(expected.span().start + 1, telemetry))
            };
            s.entries(&["tool_calls_none"]).into_iter().filter_map(of_tool).collect()
        })
        .open(),
        semantic("misspelt tool", |s| entries(s, &TOOLS, |n| swapped(inner(n)).map(|text| quoted(&text)))),
        semantic("misspelt tool in telemetry", |s| {
            entries(s, &["telemetry"], |n| {
                let (tool, rest) = inner(n).strip_prefix("tool.")?.split_once(' ')?;
                Some(quoted(&format!("tool.{} {rest}", swapped(tool)?)))
            })
        }),
        semantic("telemetry with a colon", |s| {
            entries(s, &["telemetry"], |n| {
                n.text().contains("success:").then(|| n.text().replace("success:true", "success: true"))
            })
        }),
        semantic("telemetry with another word", |s| {
            entries(s, &["telemetry"], |n| n.text().contains(" start").then(|| n.text().replace(" start", " started")))
        }),
        semantic("undefined UI hint", |s| {
            let objects = s.values(&["expected"]).into_iter();
            objects.map(|n| insert(n.span().start + 1, "\"ui\": [\"Opens the panel\"], ")).collect()
        })
        .open(),
        semantic("markers without their check", |s| {
            removed(
                s.members(&["must_label_assumptions"]).into_iter().filter(|m| is_beside(m, "assumption_markers_any")),
            )
        })
        .open(),
        semantic("lever_regex without its check", |s| {
            removed(s.members(&["required_levers"]).into_iter().filter(|m| is_beside(m, "lever_regex")))
        })
        .open(),
        semantic("source patterns of another source", |s| {
            let sources = s.members_of("source_patterns").into_iter();
            sources.filter_map(|m| Some(replace(m.key.span(), quoted(&swapped(inner(m.key))?)))).collect()
        })
        .open(),
        semantic("number without value", |s| removed(s.members(&["value", "regex"]))).open(),
        semantic("number with an empty value", |s| on(s, &["value", "regex"], |_| Some("\"\"".into()))).open(),
    ]
}

fn is_beside(member: &Member<'_>, key: &str) -> bool {
    member.node.parent().unwrap().get(key).is_some()
}

fn on(s: &Source, keys: &[&str], make: impl Fn(Node<'_>) -> Option<String>) -> Vec<Mistake> {
    s.values(keys).into_iter().filter_map(|node| Some(replace(node.span(), make(node)?))).collect()
}

pub(super) fn entries(s: &Source, keys: &[&str], make: impl Fn(Node<'_>) -> Option<String>) -> Vec<Mistake> {
    s.entries(keys).into_iter().filter_map(|node| Some(replace(node.span(), make(node)?))).collect()
}

fn only<'a>(list: Node<'a>) -> Option<Node<'a>> {
    let mut elements = list.elements();
    elements.next().filter(|_| elements.next().is_none())
}

fn later(s: &Source, member: &str) -> Vec<Mistake> {
    let is_old = !s.root().get("version").unwrap().text().contains("0.3");
    s.values(&["expected"]).into_iter().filter(|_| is_old).map(|n| insert(n.span().start + 1, member)).collect()
}

fn later_group(s: &Source) -> Vec<Mistake> {
    let is_old = !s.root().get("version").unwrap().text().contains("0.3");
    let lists = s.values(&["hard_fail"]).into_iter().filter(|_| is_old);
    lists.map(|n| insert(n.elements().last().unwrap().span().end, ", \"morning_brief_contract\"")).collect()
}

/// Adds every entry of a required list to the list of forbidden entries.
fn forbidden(s: &Source, required: &str, forbidden: &str) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    for expected in s.values(&["expected"]) {
        let (Some(any), Some(none)) = (expected.get(required), expected.get(forbidden)) else { continue };
        let first = any.elements().next().unwrap();
        let last = none.elements().last().unwrap();
        let entries = any.elements().map(|entry| entry.text()).collect::<Vec<_>>().join(", ");
        let added = if any.kind() == Kind::Array { entries } else { first.text().to_owned() };
        mistakes.push(insert(last.span().end, format!(", {added}")));
    }
    mistakes
}
