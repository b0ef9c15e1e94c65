use crate::diagnostic::{Edit, Fix};
use crate::lints::declare::declare_lint;
use crate::lints::facts::patterns::PatternField;
use crate::lints::{CaseContext, Check, Report};
use crate::pattern::syntax::{Flags, Group, Token, TokenKind, tokens};
use crate::text::Span;

declare_lint! {
    /// A pattern sets `(?i)` although case is ignored anyway.
    ///
    /// All patterns except `lever_regex` and `evidence_freshness_regex` ignore case unless they contain `(?-i)`. So
    /// `(?i)` changes nothing in them. It also suggests that patterns without it match case. The lint ignores the
    /// marker patterns of `claim_evidence_alignment`, because their defaults have the flag.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["(?i)booked for (thursday|friday)"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Remove the flag.
    ///
    /// ```json
    /// { "must_match_regex": ["booked for (thursday|friday)"] }
    /// ```
    pub(crate) REDUNDANT_CASE_FLAG = "redundant-case-flag", Hint, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for pattern in cx.patterns.iter().filter(|pattern| ignores_case_by_default(pattern.field)) {
        for flag in &pattern.facts.case_flags {
            let fix = Fix::new("remove the flag", vec![Edit::delete(pattern.raw(flag.removal))]);
            report.add(pattern.raw(flag.span), "matching already ignores case").unnecessary().fix(fix);
        }
    }
}

/// Returns whether case is ignored for such patterns and readers do not expect the flag. The default markers have the
/// flag, and so do patterns that were copied from them.
fn ignores_case_by_default(field: PatternField) -> bool {
    matches!(field, PatternField::MustMatch | PatternField::MustNotMatch | PatternField::Number)
}

/// A flag that changes nothing if case is ignored; bytes of the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CaseFlag {
    /// The flag, with its brackets if it is the only flag in them.
    pub(crate) span: Span,
    /// The text to remove.
    pub(crate) removal: Span,
}

/// Returns the flags of `source` that change nothing if case is ignored from the start. The result is empty if the
/// pattern also makes case matter somewhere, because the two flags explain each other.
pub(crate) fn case_flags(source: &str) -> Vec<CaseFlag> {
    if !source.contains("(?") {
        return Vec::new();
    }
    let tokens: Vec<_> = tokens(source).collect();
    /// The limit of reported flags in one pattern.
    const MOST: usize = 16;
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let flags = match token.kind {
            TokenKind::Flags(flags) | TokenKind::Open(Group::Flagged(flags)) => flags,
            _ => continue,
        };
        match flags.ignore_case {
            Some(false) => return Vec::new(),
            Some(true) if found.len() < MOST => found.extend(flag(source, &tokens[..index], *token, flags)),
            _ => {}
        }
    }
    found
}

fn flag(source: &str, before: &[Token], token: Token, flags: Flags) -> Option<CaseFlag> {
    let text = &source[token.span.range()];
    let letters =
        text.strip_prefix("(?").filter(|letters| letters.matches('i').count() == 1 && !letters.contains('^'))?;
    let at = token.span.start + "(?".len() + letters.find('i')?;
    let letter = Span::new(at, at + 1);
    if token.kind != TokenKind::Flags(flags) || !flags.only_case {
        return Some(CaseFlag { span: letter, removal: letter });
    }
    // Without the brackets, the text on both sides of them could become one word.
    let is_first = before
        .last()
        .is_none_or(|last| matches!(last.kind, TokenKind::Open(_) | TokenKind::Alternation | TokenKind::Flags(_)));
    is_first.then_some(CaseFlag { span: token.span, removal: token.span })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::testing::{check, check_fix};

    #[test]
    fn only_flags_without_effect_are_reported() {
        let table: &[(&str, &[&str])] = &[
            ("(?i)booked", &["(?i)"]),
            ("(?im)^booked", &["i"]),
            ("(?mi)^booked", &["i"]),
            ("(?i-s)booked", &["i"]),
            ("(?i:booked)|(?is:x)", &["i", "i"]),
            ("((?i)booked|(?i)x)", &["(?i)", "(?i)"]),
            ("booked", &[]),
            ("(?m)^booked", &[]),
            ("(?-i)Booked", &[]),
            ("(?i)booked (?-i:Thursday)", &[]),
            ("(?-i:Thursday) (?i)", &[]),
            ("(?i)a(?^)B", &[]),
            ("(?^i)a", &[]),
            ("(?i-i)a", &[]),
            ("(?ii)a", &[]),
            (r"(a)\1(?i)1", &[]),
            (r"\(?i\)", &[]),
            (r"\Q(?i)\E", &[]),
            ("[(?i)]", &[]),
            ("(?#(?i)", &[]),
        ];
        for (source, expected) in table {
            let found: Vec<_> = case_flags(source).iter().map(|flag| &source[flag.span.range()]).collect();
            assert_eq!(found, *expected, "`{source}`");
        }
    }

    #[test]
    fn only_fields_that_ignore_case_are_checked() {
        check(
            &REDUNDANT_CASE_FLAG,
            r#"
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
"#,
        );
    }

    #[test]
    fn the_fix_removes_only_the_flag() {
        let suite = |pattern: &str| {
            format!(r#"{{"cases": [{{"id": "A", "expected": {{"must_match_regex": ["{pattern}"]}}}}]}}"#)
        };
        for (before, after) in [
            ("(?i)booked", "booked"),
            ("(?im)^booked", "(?m)^booked"),
            ("(?i:booked)", "(?:booked)"),
            (r"(\u003fi)booked", "booked"),
            (r"(?\u0069m)booked", "(?m)booked"),
        ] {
            check_fix(&REDUNDANT_CASE_FLAG, &suite(before), &suite(after));
        }
    }
}
