use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Edit, Fix, nearest, quoted};
use crate::lints::facts::weighing::{Given, has_key_like};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::{ExpectedField, List, Spanned, Value};
use crate::syntax::encode;

declare_lint! {
    /// A key in `expected` has no effect.
    ///
    /// Some keys only configure another key. `source_patterns` defines how a source of `required_sources` is
    /// recognised, `assumption_markers_any` the markers for `must_label_assumptions`, and `lever_regex` the pattern
    /// that `required_levers` counts. Without the other key they are ignored, and the intended check is not made. The
    /// names of sources are compared exactly, so `GitHub` defines no patterns for `github`.
    ///
    /// An entry of `must_ground_numbers` with a `regex` passes if the pattern matches; its `value` and its
    /// `context_any` are ignored. A case that seems to require `12` passes with any number that the pattern matches.
    ///
    /// Weights count only if there is a threshold. Without one, any failed check fails the case, whatever its weight is.
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
    /// ```json
    /// { "must_ground_numbers": [{ "label": "bikes in stock", "regex": "[0-9]+", "value": "12", "context_any": ["bikes"] }] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Enable the check, or remove the key. Of a number, keep `regex` or `value`.
    ///
    /// ```json
    /// {
    ///   "required_sources": ["calendar", "stock"],
    ///   "source_patterns": { "calendar": ["slot"], "stock": ["in stock", "sold out"] },
    ///   "must_label_assumptions": true,
    ///   "assumption_markers_any": ["assuming", "as far as I can see"]
    /// }
    /// ```
    pub(crate) UNUSED_MEMBER = "unused-member", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    sources(cx, report);
    beside_regex(cx, report);
    let weights = Given::of(cx).filter(|given| !given.weights.is_empty());
    if let Some(given) = weights.filter(|_| cx.case.expected.threshold().is_none() && !has_key_like(cx, "threshold")) {
        report.add(given.key, "weights have no effect without a threshold").unnecessary();
    }
    let expected = &cx.case.expected;
    for (field, value) in expected.fields() {
        let Some(other) = field.configures.and_then(ExpectedField::named) else { continue };
        // `sources` has more to say about this key.
        let is_empty = matches!(value, Value::List(list) if list.entries().next().is_none());
        if matches!(value, Value::SourcePatterns(_)) || is_empty || other.asks(expected) {
            continue;
        }
        let remedy = match other.of(expected) {
            Some(_) => "is `true`",
            // If it has the wrong type, another lint reports it.
            None if is_there(cx, other.key) => continue,
            None => "is given",
        };
        report.add(value.key(), format!("`{}` is ignored unless `{}` {remedy}", field.key, other.key)).unnecessary();
    }
}

/// Reports the names under `source_patterns` that are not entries of `required_sources`.
fn sources(cx: &CaseContext<'_>, report: &mut Report) {
    let expected = &cx.case.expected;
    if expected.source_patterns.is_none() || expected.required_sources.is_none() && is_there(cx, "required_sources") {
        return;
    }
    let required: Vec<_> = expected.required_sources.iter().flat_map(List::entries).collect();
    let by_name: HashSet<_> = required.iter().map(|source| source.value.as_str()).collect();
    let by_folded_name: HashMap<_, _> = required.iter().map(|source| (source.value.to_lowercase(), source)).collect();
    let patterns = || expected.source_patterns.iter().flat_map(|patterns| &patterns.value);
    let given: HashSet<&str> = patterns().map(|given| given.source.value.as_str()).collect();
    let names = required.iter().map(|source| source.value.as_str());
    let free: Vec<&str> = names.filter(|source| !given.contains(source)).collect();
    for given in patterns() {
        if report.is_full() {
            return;
        }
        let name = given.source.value.as_str();
        if by_name.contains(name) || given.patterns.entries().next().is_none() {
            continue;
        }
        let shown = quoted(name);
        let rename = |source: &Spanned<String>| {
            let to = format!("rename to {}", quoted(&source.value));
            Fix::new(to, vec![Edit::replace(given.source.span, encode(&source.value))])
        };
        match by_folded_name.get(&name.to_lowercase()) {
            Some(source) => {
                let message = format!("{shown} is not required, but {} is: case matters here", quoted(&source.value));
                report.add(given.source.span, message).also(source.span, "required here").fix(rename(source))
            }
            None => {
                let message = format!("{shown} is not in `required_sources`, so it is ignored");
                let near = nearest(name, free.iter().copied())
                    .and_then(|near| required.iter().find(|source| source.value == near));
                let finding = report.add(given.source.span, message);
                match near {
                    Some(source) => {
                        let to = format!("require {shown}, not {}", quoted(&source.value));
                        let edit = Edit::replace(source.span, encode(name));
                        finding.also(source.span, "a similar name is required here").fix(rename(source));
                        finding.fix(Fix::choice(to, vec![edit]))
                    }
                    None => finding,
                }
            }
        }
        .unnecessary();
    }
}

/// Reports the `value` and `context_any` of a number with a `regex`.
fn beside_regex(cx: &CaseContext<'_>, report: &mut Report) {
    for item in cx.case.expected.numbers().filter(|item| item.is_object) {
        let Some(regex) = &item.regex else { continue };
        let value = item.value.as_ref().filter(|value| !value.value.is_empty()).map(|value| ("value", value.key()));
        let context = item.context_any.as_ref().filter(|context| context.entries().next().is_some());
        for (name, key) in value.into_iter().chain(context.map(|context| ("context_any", context.key()))) {
            let message = format!("`{name}` is ignored because this entry has a `regex`");
            report.add(key, message).also(regex.key(), "only the pattern is checked").unnecessary();
        }
    }
}

/// Returns whether `expected` has that key with any value.
fn is_there(cx: &CaseContext<'_>, key: &str) -> bool {
    cx.node.get("expected").is_some_and(|expected| expected.member(key).is_some())
}

#[cfg(test)]
mod tests {
    use super::UNUSED_MEMBER;
    use crate::lints::tests::fixture::{Setup, check_each, findings};

    #[test]
    fn findings_are_as_marked() {
        check_each(
            &UNUSED_MEMBER,
            r#"
# members without their check are reported
{ "cases": [ { "id": "A", "expected": {
  "assumption_markers_any": ["assuming"], "lever_regex": "- .+", "claim_marker_regex": "fit",
  ^^^^^^^^^^^^^^^^^^^^^^^^ `assumption_markers_any` is ignored unless `must_label_assumptions` is given
                                          ^^^^^^^^^^^^^ `lever_regex` is ignored unless `required_levers` is given
                                                                 ^^^^^^^^^^^^^^^^^^^^ `claim_marker_regex` is ignored unless `claim_evidence_alignment` is given
  "evidence_marker_regex": "a", "alignment_marker_regex": "a", "evidence_freshness_regex": "[0-9]+"
  ^^^^^^^^^^^^^^^^^^^^^^^ `evidence_marker_regex` is ignored
                                ^^^^^^^^^^^^^^^^^^^^^^^^ `alignment_marker_regex` is ignored
                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^ `evidence_freshness_regex` is ignored unless `evidence_freshness_max_age_minutes` is given
} }, { "id": "B", "expected": {
  "must_label_assumptions": false, "assumption_markers_any": ["a"],
                                   ^^^^^^^^^^^^^^^^^^^^^^^^ `assumption_markers_any` is ignored unless `must_label_assumptions` is `true`
  "claim_evidence_alignment": false, "claim_marker_regex": "a"
                                     ^^^^^^^^^^^^^^^^^^^^ `claim_marker_regex` is ignored unless `claim_evidence_alignment` is `true`
} } ] }

# patterns of other sources are reported
{ "cases": [
  { "id": "A", "expected": { "source_patterns": { "stock": ["sold out"], "calendar": [] } } },
                                                  ^^^^^^^ `stock` is not in `required_sources`, so it is ignored
  { "id": "B", "expected": { "required_sources": ["stock", ""], "source_patterns": { "Stock": ["a"], "stock": ["a"], "": ["a"] } } }
                                                                                     ^^^^^^^ `Stock` is not required, but `stock` is: case matters here
                                                                                                                     ^^ `""` is not in `required_sources`
] }

# weights without a threshold are reported
{ "cases": [
  { "expected": { "scoring": { "soft_score": { "weights": { "formatting": 1 } } } } },
                                               ^^^^^^^^^ weights have no effect without a threshold
  { "expected": { "scoring": { "soft_score": { "weights": { "formatting": 1 }, "threshold": "0.8" } } } },
  { "expected": { "scoring": { "soft_score": { "weights": { "formatting": 1 }, "treshold": 0.8 } } } },
  { "expected": { "scoring": { "threshold": 0.8, "soft_score": { "weights": { "formatting": 1 } } } } },
  { "expected": { "scoring": { "soft_score": { "weights": {} } } } }
] }

# value and context beside a pattern are reported
{ "cases": [ { "id": "A", "expected": { "must_ground_numbers": [
  { "value": 12, "regex": "1[0-9]", "context_any": ["bikes"] },
    ^^^^^^^ `value` is ignored because this entry has a `regex`
                                    ^^^^^^^^^^^^^ `context_any` is ignored because this entry has a `regex`
  { "label": "stock", "regex": "1[0-9]" }, { "value": "12", "context_any": ["bikes"] }, { "context_any": ["bikes"] },
  { "regex": null, "value": "12" }, "regex", 12,
  { "regex": "1[0-9]", "value": "", "context_any": [""] }
] } } ] }

# used and disabled members have no finding
{ "cases": [ { "id": "A", "expected": {
  "required_sources": ["stock"], "source_patterns": { "stock": ["sold out"] },
  "must_label_assumptions": true, "assumption_markers_any": ["assuming"],
  "required_levers": 0, "lever_regex": "- .+",
  "claim_evidence_alignment": true, "claim_marker_regex": "a", "evidence_marker_regex": "a", "alignment_marker_regex": "a",
  "evidence_freshness_max_age_minutes": 30, "evidence_freshness_regex": "[0-9]+"
} }, { "id": "B", "expected": { "assumption_markers_any": [], "source_patterns": {} } } ] }

# a member of the wrong type is not absent
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
        assert!(findings(&Setup::default(), &UNUSED_MEMBER, suite)[0].is_unnecessary);
    }
}
