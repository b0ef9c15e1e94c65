use crate::diagnostic::{Edit, Fix};
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
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": [".*free slots.*", "Total\\: 3"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Remove it.
    ///
    /// ```json
    /// { "must_match_regex": ["free slots", "Total: 3"] }
    /// ```
    pub(crate) REDUNDANT_REGEX = "redundant-regex", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for pattern in cx.patterns.iter().filter(|pattern| ignores_case_by_default(pattern.used)) {
        let facts = &pattern.facts;
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
# the fix removes what changes nothing
{"must_match_regex": [".*booked.*"]}
→ {"must_match_regex": ["booked"]}

{"must_match_regex": ["Total\\: \\'x\\'"]}
→ {"must_match_regex": ["Total: 'x'"]}
"#,
        );
    }
}
