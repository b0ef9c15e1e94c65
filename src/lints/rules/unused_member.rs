use std::collections::{HashMap, HashSet};

use crate::diagnostic::quoted;
use crate::lints::declare::declare_lint;
use crate::lints::{CaseContext, Check, Report};
use crate::suite::{Field, List};
use crate::text::Span;

declare_lint! {
    /// A member of `expected` serves a check that the case does not ask for.
    ///
    /// Some members only say how another one is to be checked: `source_patterns` how a source of `required_sources` is
    /// recognised, `assumption_markers_any` what `must_label_assumptions` looks for, `lever_regex` what
    /// `required_levers` counts. Without that other one they are never looked at, and the check that their author had in
    /// mind is not made. The names of sources are compared letter by letter, so `GitHub` gives no patterns for `github`.
    ///
    /// ## Example
    ///
    /// ```json
    /// {
    ///   "required_sources": ["calendar"],
    ///   "source_patterns": { "calendar": ["slot"], "stock": ["in stock", "sold out"] },
    ///   "assumption_markers_any": ["assuming", "as far as I can see"]
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Ask for the check, or drop the member.
    ///
    /// ```json
    /// {
    ///   "required_sources": ["calendar", "stock"],
    ///   "source_patterns": { "calendar": ["slot"], "stock": ["in stock", "sold out"] },
    ///   "must_label_assumptions": true,
    ///   "assumption_markers_any": ["assuming", "as far as I can see"]
    /// }
    /// ```
    pub UNUSED_MEMBER = "unused-member", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    sources(cx, report);
    let expected = &cx.case.expected;
    let markers = expected.assumption_markers_any.as_ref().filter(|markers| markers.entries().next().is_some());
    let members = [("assumption_markers_any", markers.map(|field| field.key))];
    unless(cx, report, "must_label_assumptions", flag(&expected.must_label_assumptions), &members);
    let members = [("lever_regex", key(&expected.lever_regex))];
    unless(cx, report, "required_levers", limit(&expected.required_levers), &members);
    let members = [
        ("claim_marker_regex", key(&expected.claim_marker_regex)),
        ("evidence_marker_regex", key(&expected.evidence_marker_regex)),
        ("alignment_marker_regex", key(&expected.alignment_marker_regex)),
    ];
    unless(cx, report, "claim_evidence_alignment", flag(&expected.claim_evidence_alignment), &members);
    let members = [("evidence_freshness_regex", key(&expected.evidence_freshness_regex))];
    let max_age = limit(&expected.evidence_freshness_max_age_minutes);
    unless(cx, report, "evidence_freshness_max_age_minutes", max_age, &members);
}

/// Reports the members that are given, by name and key, unless the one that they serve asks for its check.
fn unless(
    cx: &CaseContext<'_>,
    report: &mut Report,
    served: &str,
    asks: Option<bool>,
    members: &[(&str, Option<Span>)],
) {
    let remedy = match asks {
        Some(true) => return,
        Some(false) => "is `true`",
        // One that is given with the wrong type is another lint's business.
        None if is_there(cx, served) => return,
        None => "is given",
    };
    for (name, key) in members {
        if let Some(key) = *key {
            report.add(key, format!("`{name}` is never looked at unless `{served}` {remedy}")).unnecessary();
        }
    }
}

/// Reports the names under `source_patterns` that are no entries of `required_sources`.
fn sources(cx: &CaseContext<'_>, report: &mut Report) {
    let expected = &cx.case.expected;
    if expected.required_sources.is_none() && is_there(cx, "required_sources") {
        return;
    }
    let required: Vec<_> = expected.required_sources.iter().flat_map(List::entries).collect();
    let by_name: HashSet<_> = required.iter().map(|source| source.value.as_str()).collect();
    let by_folded_name: HashMap<_, _> = required.iter().map(|source| (source.value.to_lowercase(), source)).collect();
    for given in expected.source_patterns.iter().flat_map(|patterns| &patterns.value) {
        let name = given.source.value.as_str();
        if by_name.contains(name) || given.patterns.entries().next().is_none() {
            continue;
        }
        let shown = quoted(name);
        match by_folded_name.get(&name.to_lowercase()) {
            Some(source) => {
                let message = format!("{shown} is not required, but {} is: case matters here", quoted(&source.value));
                report.add(given.source.span, message).also(source.span, "required here")
            }
            None => {
                report.add(given.source.span, format!("{shown} is not in `required_sources`: nothing looks for it"))
            }
        }
        .unnecessary();
    }
}

/// Whether `expected` has that key, whatever its value.
fn is_there(cx: &CaseContext<'_>, key: &str) -> bool {
    cx.node.get("expected").is_some_and(|expected| expected.member(key).is_some())
}

fn flag(field: &Option<Field<bool>>) -> Option<bool> {
    field.as_ref().map(|field| field.value)
}

fn limit(field: &Option<Field<f64>>) -> Option<bool> {
    field.as_ref().map(|_| true)
}

fn key(field: &Option<Field<String>>) -> Option<Span> {
    field.as_ref().map(|field| field.key)
}

#[cfg(test)]
mod tests {
    use super::UNUSED_MEMBER;
    use crate::diagnostic::Tag;
    use crate::lints::testing::{Setup, check, findings};

    #[test]
    fn finds_members_that_serve_nothing() {
        check(
            &UNUSED_MEMBER,
            r#"
{ "cases": [ { "id": "A", "expected": {
  "assumption_markers_any": ["assuming"], "lever_regex": "- .+", "claim_marker_regex": "fit",
  ^^^^^^^^^^^^^^^^^^^^^^^^ `assumption_markers_any` is never looked at unless `must_label_assumptions` is given
                                          ^^^^^^^^^^^^^ `lever_regex` is never looked at unless `required_levers` is given
                                                                 ^^^^^^^^^^^^^^^^^^^^ `claim_marker_regex` is never looked at unless `claim_evidence_alignment` is given
  "evidence_marker_regex": "a", "alignment_marker_regex": "a", "evidence_freshness_regex": "[0-9]+"
  ^^^^^^^^^^^^^^^^^^^^^^^ `evidence_marker_regex` is never looked at
                                ^^^^^^^^^^^^^^^^^^^^^^^^ `alignment_marker_regex` is never looked at
                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^ `evidence_freshness_regex` is never looked at unless `evidence_freshness_max_age_minutes` is given
} }, { "id": "B", "expected": {
  "must_label_assumptions": false, "assumption_markers_any": ["a"],
                                   ^^^^^^^^^^^^^^^^^^^^^^^^ `assumption_markers_any` is never looked at unless `must_label_assumptions` is `true`
  "claim_evidence_alignment": false, "claim_marker_regex": "a"
                                     ^^^^^^^^^^^^^^^^^^^^ `claim_marker_regex` is never looked at unless `claim_evidence_alignment` is `true`
} } ] }
"#,
        );
    }

    #[test]
    fn finds_patterns_of_sources_that_are_not_required() {
        check(
            &UNUSED_MEMBER,
            r#"
{ "cases": [
  { "id": "A", "expected": { "source_patterns": { "stock": ["sold out"], "calendar": [] } } },
                                                  ^^^^^^^ `stock` is not in `required_sources`: nothing looks for it
  { "id": "B", "expected": { "required_sources": ["stock", ""], "source_patterns": { "Stock": ["a"], "stock": ["a"], "": ["a"] } } }
                                                                                     ^^^^^^^ `Stock` is not required, but `stock` is: case matters here
                                                                                                                     ^^ `""` is not in `required_sources`
] }
"#,
        );
    }

    #[test]
    fn leaves_what_is_used_or_asks_for_nothing() {
        check(
            &UNUSED_MEMBER,
            r#"
{ "cases": [ { "id": "A", "expected": {
  "required_sources": ["stock"], "source_patterns": { "stock": ["sold out"] },
  "must_label_assumptions": true, "assumption_markers_any": ["assuming"],
  "required_levers": 0, "lever_regex": "- .+",
  "claim_evidence_alignment": true, "claim_marker_regex": "a", "evidence_marker_regex": "a", "alignment_marker_regex": "a",
  "evidence_freshness_max_age_minutes": 30, "evidence_freshness_regex": "[0-9]+"
} }, { "id": "B", "expected": { "assumption_markers_any": [], "source_patterns": {} } } ] }
"#,
        );
    }

    #[test]
    fn what_is_mistyped_is_not_absent() {
        check(
            &UNUSED_MEMBER,
            r#"
{ "cases": [ { "id": "A", "expected": {
  "required_sources": "stock", "source_patterns": { "stock": ["sold out"] },
  "must_label_assumptions": "yes", "assumption_markers_any": ["assuming"], "required_levers": , "lever_regex": "- .+"
} } ] }
"#,
        );
    }

    #[test]
    fn fades_it() {
        let suite = r#"{"cases": [{"id": "A", "expected": {"lever_regex": "- .+"}}]}"#;
        assert_eq!(findings(&Setup::default(), &UNUSED_MEMBER, suite)[0].tags, [Tag::Unnecessary]);
    }
}
