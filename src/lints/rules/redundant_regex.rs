use crate::diagnostic::{Edit, Fix, Severity};
use crate::lints::declare::declare_lint;
use crate::lints::facts::patterns::{CasePattern, PatternField};
use crate::lints::{CaseContext, Check, Report};
use crate::pattern::syntax::{Flags, Greed, Group, Token, TokenKind, tokens};
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
    for pattern in cx.patterns.iter().filter(|pattern| ignores_case_by_default(pattern.field)) {
        let facts = &pattern.facts;
        for flag in &facts.case_flags {
            let fix = Fix::new("remove the flag", vec![Edit::delete(pattern.raw(flag.removal))]);
            let finding = report.add(pattern.raw(flag.span), "matching already ignores case");
            finding.unnecessary().fix(fix).severity = Severity::Hint;
        }
        // What a number's pattern matches is read.
        let is_searched = matches!(pattern.field, PatternField::MustMatch | PatternField::MustNotMatch);
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

/// The `.*` at the start and at the end of `source`, as bytes of it. None if it is only at the end of one of several
/// alternatives, or if nothing else is in the pattern.
pub(crate) fn open_ends(source: &str) -> Vec<Span> {
    if !source.contains(".*") {
        return Vec::new();
    }
    let tokens: Vec<Token> = tokens(source).collect();
    let mut depth = 0_usize;
    for token in &tokens {
        match token.kind {
            TokenKind::Open(_) => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Alternation if depth == 0 => return Vec::new(),
            // What these do can depend on where a match starts.
            TokenKind::Keep | TokenKind::Verb | TokenKind::Call | TokenKind::Quote => return Vec::new(),
            _ => {}
        }
    }
    let is_any = |dot: &Token, star: &Token| {
        let is_all = matches!(star.kind, TokenKind::Repeat { min: 0, max: None, greed } if greed != Greed::Possessive);
        dot.kind == TokenKind::Dot && is_all
    };
    let pair = |dot: &Token, star: &Token| dot.span.join(star.span);
    let mut found = Vec::new();
    let flags = tokens.iter().take_while(|token| matches!(token.kind, TokenKind::Flags(_))).count();
    let mut inner = &tokens[flags..];
    while let [dot, star, rest @ ..] = inner
        && is_any(dot, star)
        && !rest.is_empty()
    {
        found.push(pair(dot, star));
        inner = rest;
    }
    let before_end = found.len();
    while let [rest @ .., dot, star] = inner
        && is_any(dot, star)
        && !rest.is_empty()
    {
        found.insert(before_end, pair(dot, star));
        inner = rest;
    }
    let has_more = inner.iter().any(|token| !matches!(token.kind, TokenKind::Dot | TokenKind::Repeat { .. }));
    if has_more && found.len() <= MOST { found } else { Vec::new() }
}

/// The backslashes in `source`, as bytes of it, in front of characters that mean themselves in every place. `\<` and `\>` are left
/// out: elsewhere they are the ends of a word, and an author may mean that.
pub(crate) fn needless_escapes(source: &str) -> Vec<Span> {
    if !source.as_bytes().windows(2).any(|pair| pair[0] == b'\\' && PLAIN.contains(char::from(pair[1]))) {
        return Vec::new();
    }
    let is_needless = |token: &Token| {
        let text = &source[token.span.range()];
        text.strip_prefix('\\').is_some_and(|c| c.len() == 1 && (PLAIN.contains(c) || c == "-"))
    };
    let escapes = tokens(source).filter(is_needless).map(|token| Span::new(token.span.start, token.span.start + 1));
    let found: Vec<_> = escapes.take(MOST + 1).collect();
    if found.len() > MOST { Vec::new() } else { found }
}

/// Characters that never mean anything but themselves.
const PLAIN: &str = "\"'/:;,!@%&=~`_";

/// The limit of reported parts in one pattern: a pattern with more was not written by hand.
const MOST: usize = 16;

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
    use crate::pattern::{Budget, Case, compile_cached};

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
            &REDUNDANT_REGEX,
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
            check_fix(&REDUNDANT_REGEX, &suite(before), &suite(after));
        }
    }

    #[test]
    fn open_ends_are_found_where_a_search_makes_them_needless() {
        let table: &[(&str, &[&str])] = &[
            (".*booked.*", &[".*", ".*"]),
            (".*?booked.*?", &[".*?", ".*?"]),
            ("(?i).*booked", &[".*"]),
            (".*.*booked", &[".*", ".*"]),
            ("^.*booked.*$", &[]),
            ("a.*b", &[]),
            (".+booked", &[]),
            (".*+booked", &[]),
            (".*a|b.*", &[]),
            (".*(a|b)", &[".*"]),
            ("(.*)booked", &[]),
            (".*", &[]),
            (".*.*", &[]),
            (r"\.*booked", &[]),
            ("[.*]", &[]),
            (r".*\Kbooked", &[]),
        ];
        for (source, expected) in table {
            let found: Vec<_> = open_ends(source).iter().map(|span| &source[span.range()]).collect();
            assert_eq!(found, *expected, "`{source}`");
        }
    }

    #[test]
    fn needless_backslashes_are_found() {
        let table: &[(&str, usize)] = &[
            (r"Total\: 3", 1),
            (r"a\-b\/c", 1 + 1),
            (r"[a\-z]", 0),
            (r"\.\*\(\)\[\]\{\}\^\$\|\?\+\\", 0),
            (r"\d\s\b\<a\>", 0),
            (r"\Qa\:b\E", 0),
            (r"\\:", 0),
        ];
        for (source, expected) in table {
            assert_eq!(needless_escapes(source).len(), *expected, "`{source}`");
        }
    }

    #[test]
    fn the_fix_removes_what_changes_nothing() {
        let suite = |pattern: &str| {
            format!(r#"{{"cases": [{{"id": "A", "expected": {{"must_match_regex": ["{pattern}"]}}}}]}}"#)
        };
        check_fix(&REDUNDANT_REGEX, &suite(".*booked.*"), &suite("booked"));
        check_fix(&REDUNDANT_REGEX, &suite(r"Total\\: \\'x\\'"), &suite("Total: 'x'"));
    }

    proptest::proptest! {
        #[test]
        fn nothing_changes_without_them(source in r"(\.\*\??){0,2}[ab.(|)*\\:-]{1,6}(\.\*){0,2}", line in "[ab:.-]{0,8}") {
            let without = |parts: &[Span]| {
                let mut text = source.clone();
                parts.iter().rev().for_each(|part| text.replace_range(part.range(), ""));
                text
            };
            let finds = |source: &str| compile_cached(source, Case::Ignored).ok().and_then(|pattern| Some(pattern.find(&line, 0, &Budget::default()).ok()?.is_some()));
            if let Some(is_found) = finds(&source) {
                proptest::prop_assert_eq!(finds(&without(&open_ends(&source))), Some(is_found), "{}", source);
                proptest::prop_assert_eq!(finds(&without(&needless_escapes(&source))), Some(is_found), "{}", source);
            }
        }
    }
}
