use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::facts::patterns::Cause;
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::PatternUse;
use crate::syntax::encode;
use crate::text::Span;

declare_lint! {
    /// A pattern never matches.
    ///
    /// There are four frequent causes. The pattern has an unescaped `$` or `^` in its middle. It needs a line break, but each line of
    /// the response is matched separately; write a pattern for each line. It has a single backslash: JSON reads `"\b"` as a backspace, which is seldom in an answer. It has the slashes of JavaScript, as in `/booked/i`, which are
    /// matched literally and are seldom in an answer, too. Such a check fails; under `must_not_match_regex` it passes.
    ///
    /// For `lever_regex` and `evidence_freshness_regex`, empty matches do not count, and an age must have a digit.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["Total: $12", "\bbooked\b", "/reserved/i"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Escape the character; in JSON, a backslash is written twice.
    ///
    /// ```json
    /// { "must_match_regex": ["Total: \\$12", "\\bbooked\\b", "reserved"] }
    /// ```
    pub(crate) REGEX_NEVER_MATCHES = "regex-never-matches", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for pattern in cx.patterns.iter().filter(|pattern| pattern.is_read && pattern.facts.error.is_none()) {
        let so = if pattern.used == PatternUse::Forbidden { "pass" } else { "fail" };
        let whole = |what: &str| format!("{what}: the check can only {so}");
        if let Some(inner) = &pattern.facts.slashes {
            let inner = &pattern.value[inner.range()];
            report
                .add(pattern.span, "slashes and flags are matched literally; remove them unless a path is meant")
                .fix(Fix::new("remove the slashes", vec![Edit::replace(pattern.span, encode(inner))]));
        } else if let Some(never) = &pattern.facts.never {
            let what = if never.is_whole { "the pattern never matches" } else { "this alternative never matches" };
            let so = if never.is_whole { format!(": the check can only {so}") } else { String::new() };
            match &never.cause {
                Cause::AfterEnd(end) => {
                    let text = &pattern.value[end.range()];
                    let finding = report
                        .add(pattern.raw(*end), format!("{what}: `{text}` is the end of a line, and more follows{so}"));
                    if text == "$" {
                        finding.fix(Fix::new("escape `$`", vec![Edit::insert(pattern.raw(*end).start, "\\\\")]));
                    }
                }
                Cause::BeforeStart(start) => {
                    let text = &pattern.value[start.range()];
                    let finding = report.add(
                        pattern.raw(*start),
                        format!("{what}: `{text}` is the start of a line, and text precedes it{so}"),
                    );
                    if text == "^" {
                        finding.fix(Fix::new("escape `^`", vec![Edit::insert(pattern.raw(*start).start, "\\\\")]));
                    }
                }
                Cause::LineBreak(span) => {
                    let text = quoted(&pattern.value[span.range()]);
                    report.add(pattern.raw(*span), format!("each line is matched separately, so {text} never matches"));
                }
                Cause::Impossible(span) => {
                    report.add(pattern.raw(*span), format!("{what}: nothing passes this{so}"));
                }
            }
        } else if !pattern.facts.controls.is_empty() {
            control(cx, pattern.facts.controls.iter().map(|span| pattern.raw(*span)).collect(), report);
        } else if pattern.used.collects_matches() && pattern.value.is_empty() {
            report.add(pattern.span, whole("an empty pattern has only empty matches, which do not count"));
        } else if pattern.used == PatternUse::Age && pattern.facts.lacks_digits {
            report.add(pattern.span, whole("no match has a digit, so no age is found"));
        }
    }
}

/// Reports a control character that a single backslash has made.
fn control(cx: &CaseContext<'_>, all: Vec<Span>, report: &mut Report) {
    let raw = |span: &Span| cx.node.text().get(span.range()).unwrap_or_default();
    let name = if raw(&all[0]) == "\\f" { "form feed" } else { "backspace" };
    let message = format!("in JSON, a single backslash makes this a {name}, which answers do not have as a rule");
    let finding = report.add(all[0], message);
    let escapes = all.iter().all(|span| matches!(raw(span), "\\b" | "\\f"));
    if escapes {
        let edits = all.iter().map(|span| Edit::insert(span.start, "\\")).collect();
        finding.fix(Fix::new("write the backslash twice", edits));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::tests::fixture::{check, check_fix_of};

    #[test]
    fn points_at_the_cause() {
        check(
            &REGEX_NEVER_MATCHES,
            r#"
{ "cases": [ { "expected": {
  "must_match_regex": ["Total: $12", "a^b", "booked|x$y", "\bfoo\b", "(?!)", "/foo/i", "ok$"],
                               ^ the pattern never matches: `$` is the end of a line, and more follows: the check can only fail
                                       ^ the pattern never matches: `^` is the start of a line, and text precedes it
                                                     ^ this alternative never matches: `$` is the end of a line, and more follows
                                                           ^^ in JSON, a single backslash makes this a backspace, which answers do not have as a rule
                                                                      ^^^^ the pattern never matches: nothing passes this
                                                                             ^^^^^^^^ slashes and flags are matched literally; remove them unless a path is meant
  "must_not_match_regex": ["x$y"], "required_levers": 1, "lever_regex": "",
                             ^ the pattern never matches: `$` is the end of a line, and more follows: the check can only pass
                                                                        ^^ an empty pattern has only empty matches
  "evidence_freshness_max_age_minutes": 5, "evidence_freshness_regex": "minutes ago", "claim_marker_regex": "x$y"
                                                                       ^^^^^^^^^^^^^ no match has a digit
} } ] }
"#,
        );
    }

    #[test]
    fn the_finding_covers_the_line_break_in_the_json() {
        check(
            &REGEX_NEVER_MATCHES,
            r#"
{ "cases": [ { "id": "A", "expected": {
  "must_match_regex": ["Booking:\\nThursday", "\u00e9:\n- ", "[^\\n]+"],
                                ^^^ each line is matched separately, so `\n` never matches
                                                      ^^ each line is matched separately, so `\n` never
  "must_not_match_regex": ["\\n$", "(\\n", "\\R$"], "required_levers": 1, "lever_regex": "^-.*\u005cn"
                            ^^^ each line is matched separately, so `\n` never
                                                                                              ^^^^^^^ each line is matched separately
} } ] }
"#,
        );
    }

    #[test]
    fn fixes() {
        for (before, after) in [
            (r#""Total: $12""#, r#""Total: \\$12""#),
            (r#""a^b""#, r#""a\\^b""#),
            (r#""\bfoo\b""#, r#""\\bfoo\\b""#),
            (r#""/foo/i""#, r#""foo""#),
        ] {
            let case = |pattern: &str| format!(r#"{{ "must_match_regex": [{pattern}] }}"#);
            check_fix_of(&REGEX_NEVER_MATCHES, &case(before), &case(after));
        }
    }
}
