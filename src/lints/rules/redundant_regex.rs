use crate::diagnostic::{Edit, Fix, Severity};
use crate::lints::facts::patterns::CasePattern;
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::PatternUse;
use crate::text::Span;

declare_lint! {
    /// A part of a pattern changes nothing.
    ///
    /// A pattern is searched anywhere in a line, so `.*` at its start or end is not needed. It suggests that the whole line must match;
    /// `^` and `$` say that. A backslash in front of a character that has no other meaning is not needed either.
    ///
    /// All patterns except `lever_regex` and `evidence_freshness_regex` ignore case unless they contain `(?-i)`. So `(?i)` changes nothing
    /// in them. It also suggests that patterns without it match case. This finding is a hint. The lint ignores the marker patterns of
    /// `claim_evidence_alignment`, because their defaults have the flag.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": [".*free slots.*", "Total\\: 3"] }
    /// ```
    ///
    /// ```json
    /// { "must_match_regex": ["(?i)booked for (thursday|friday)"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Remove it.
    ///
    /// ```json
    /// { "must_match_regex": ["free slots", "Total: 3", "booked for (thursday|friday)"] }
    /// ```
    pub(crate) REDUNDANT_REGEX = "redundant-regex", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for pattern in cx.patterns.iter().filter(|pattern| ignores_case_by_default(pattern.used)) {
        let facts = &pattern.facts;
        for flag in &facts.case_flags {
            let fix = Fix::new("remove the flag", vec![Edit::delete(pattern.raw(flag.removal))]);
            let finding = report.add(pattern.raw(flag.span), "matching already ignores case");
            finding.unnecessary().fix(fix).severity = Severity::Hint;
        }
        // What a number's pattern matches is read.
        let is_searched = matches!(pattern.used, PatternUse::Wanted | PatternUse::Forbidden);
        let ends = facts.open_ends.iter().filter(|_| is_searched && facts.always.is_none());
        redundant(
            pattern,
            ends.copied(),
            "a match may start and end anywhere in a line, so this changes nothing",
            report,
        );
        let message = "this character needs no backslash";
        redundant(pattern, facts.needless_escapes.iter().copied(), message, report);
    }
}

/// Reports parts of a pattern at the first of them. The fix removes all.
fn redundant(pattern: &CasePattern<'_>, parts: impl Iterator<Item = Span>, message: &str, report: &mut Report) {
    let parts: Vec<_> = parts.map(|part| pattern.raw(part)).collect();
    let Some((first, others)) = parts.split_first() else { return };
    let finding = report.add(*first, message).unnecessary();
    others.iter().for_each(|other| _ = finding.also(*other, "this, too"));
    finding.fix(Fix::new("remove what changes nothing", parts.into_iter().map(Edit::delete).collect()));
}

/// Returns whether case is ignored for such patterns and readers do not expect the flag. The default markers have the
/// flag, and so do patterns that were copied from them.
fn ignores_case_by_default(used: PatternUse) -> bool {
    matches!(used, PatternUse::Wanted | PatternUse::Forbidden | PatternUse::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::tests::fixture::check_each;

    #[test]
    fn findings_and_fixes_are_as_marked() {
        check_each(
            &REDUNDANT_REGEX,
            r#"
# only fields that ignore case are checked
{ "cases": [ { "id": "A", "expected": {
  "must_match_regex": ["(?i)booked", "\u0028?im)^booked"], "must_not_match_regex": ["(?i:sold) out"],
                        ^^^^ matching already ignores case
                                             ^ matching already ignores case
                                                                                       ^ matching already ignores case
  "must_ground_numbers": [{ "regex": "(?i)[0-9]+ bikes" }],
                                      ^^^^ matching already ignores case
  "required_levers": 1, "lever_regex": "(?im)^(?:[-*]|[0-9]+\\.)\\s+.+",
  "evidence_freshness_max_age_minutes": 1, "evidence_freshness_regex": "(?i)[0-9]{1,4}\\s*(?:m|min|minute|minutes)",
  "claim_evidence_alignment": true, "claim_marker_regex": "(?i)(today.?s mission|mission|recommendation)",
  "evidence_marker_regex": "(?i)(evidence|source|observed|metric)",
  "alignment_marker_regex": "(?i)(because)"
} } ] }

# the fix removes only the flag
{"must_match_regex": ["(?i)booked"]}
→ {"must_match_regex": ["booked"]}

{"must_match_regex": ["(?im)^booked"]}
→ {"must_match_regex": ["(?m)^booked"]}

{"must_match_regex": ["(?i:booked)"]}
→ {"must_match_regex": ["(?:booked)"]}

{"must_match_regex": ["(\u003fi)booked"]}
→ {"must_match_regex": ["booked"]}

{"must_match_regex": ["(?\u0069m)booked"]}
→ {"must_match_regex": ["(?m)booked"]}

# the fix removes what changes nothing
{"must_match_regex": [".*booked.*"]}
→ {"must_match_regex": ["booked"]}

{"must_match_regex": ["Total\\: \\'x\\'"]}
→ {"must_match_regex": ["Total: 'x'"]}
"#,
        );
    }
}
