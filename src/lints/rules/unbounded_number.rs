use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::pattern::syntax::{PartKind, PatternTree, TokenKind};
use crate::pattern::whole_number;
use crate::suite::{NumericItem, PatternUse};
use crate::syntax::encode;
use crate::text::Span;

declare_lint! {
    /// A number is also found within a longer number.
    ///
    /// `[0-9]{1,3}` without a boundary matches the first digits of 99999, and the value `12` is found in 112. So the check
    /// passes with a number that is not meant.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["Score: [0-9]{1,3}"], "must_ground_numbers": [{ "label": "bikes", "value": 12 }] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Set a boundary, `\\b`, beside the digits. Instead of a value, write a pattern that does not match within another number. The fix
    /// writes one that knows decimals, thousands, signs and exponents: `12` is not found in `12.5`, `3,012`, `-12` or `12e3`.
    ///
    /// ```json
    /// { "must_match_regex": ["Score: [0-9]{1,3}\\b"], "must_ground_numbers": [{ "label": "bikes", "regex": "(?<!\\d|\\d[.,])12(?!\\d|[.,]\\d)" }] }
    /// ```
    pub(crate) UNBOUNDED_NUMBER = "unbounded-number", Hint, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let is_meant = |used: PatternUse| matches!(used, PatternUse::Wanted | PatternUse::Number);
    for pattern in cx.patterns.iter().filter(|pattern| is_meant(pattern.used)) {
        let Some(open) = open_number(pattern.value).filter(|_| pattern.facts.error.is_none()) else { continue };
        let text = &pattern.value[open.digits.range()];
        let message = format!("without a boundary, {} also matches within a longer number", quoted(text));
        let edits = open.boundaries.iter().map(|at| Edit::insert(pattern.raw(Span::empty(*at)).start, "\\\\b"));
        let fix = Fix::new("add a boundary `\\b`", edits.collect());
        report.add(pattern.raw(open.digits), message).fix(fix);
    }
    let numbers = cx.case.expected.must_ground_numbers.iter().flat_map(|numbers| &numbers.value);
    numbers.for_each(|item| value(item, report));
}

/// Digits of a limited count beside which more digits are possible.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OpenNumber {
    /// The first such digits, in bytes of the pattern.
    digits: Span,
    /// Where boundaries are missing.
    boundaries: Vec<usize>,
}

/// The first digits of a limited count at the end or the start of an alternative of the pattern, without a boundary.
fn open_number(source: &str) -> Option<OpenNumber> {
    let tree = PatternTree::new(source);
    let is_limited = |part: usize| match tree.parts[part].kind {
        PartKind::Repeat { of, min, max: Some(max) } => min > 0 && max > 1 && is_digit(source, &tree, of),
        _ => false,
    };
    let mut open: Option<OpenNumber> = None;
    for branch in tree.branches() {
        let (first, last) = (branch.parts.first(), branch.parts.last());
        for (part, at) in [(first, false), (last, true)] {
            let Some(span) = part.filter(|part| is_limited(**part)).map(|part| tree.parts[*part].span) else {
                continue;
            };
            let open = open.get_or_insert_with(|| OpenNumber { digits: span, boundaries: Vec::new() });
            // The span of a repeat ends before a `?` or `+` that defines how it repeats.
            let greed = usize::from(source[span.end..].starts_with(['?', '+']));
            open.boundaries.push(if at { span.end + greed } else { span.start });
        }
    }
    open
}

fn is_digit(source: &str, tree: &PatternTree, part: usize) -> bool {
    let part = &tree.parts[part];
    matches!(part.kind, PartKind::Word(TokenKind::Set | TokenKind::Class { negated: false }))
        && matches!(&source[part.span.range()], "[0-9]" | r"\d" | r"[\d]" | "[[:digit:]]" | "[1-9]")
}

fn value(item: &NumericItem, report: &mut Report) {
    let Some(value) = item.value.as_ref().filter(|_| item.regex.is_none()) else { return };
    let (first, last) = (value.value.chars().next(), value.value.chars().next_back());
    let is_digit = |end: Option<char>| end.is_some_and(|c| c.is_ascii_digit());
    if !is_digit(first) && !is_digit(last) {
        return;
    }
    let longer = if is_digit(first) { format!("1{}", value.value) } else { format!("{}0", value.value) };
    let finding = report.add(value.span, format!("{} is also found in {}", quoted(&value.value), quoted(&longer)));
    // A pattern leaves `context_any` unread.
    if item.context_any.is_some() {
        return;
    }
    let pattern = encode(&whole_number(&value.value));
    let title = "look for it as a whole number, with a pattern";
    finding.fix(match item.is_object {
        true => Fix::new(title, vec![Edit::replace(value.member(), format!("\"regex\": {pattern}"))]),
        false => {
            let item = format!("{{ \"label\": {}, \"regex\": {pattern} }}", encode(&value.value));
            Fix::new(title, vec![Edit::replace(value.span, item)])
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::tests::fixture::{check_fix_of, check_lines, check_marked};

    #[test]
    fn values_are_found_in_longer_numbers_and_bounded() {
        check_lines(
            &UNBOUNDED_NUMBER,
            r#"
            { "must_ground_numbers": [«12», «"€40"», "n/a", { "value": «"7"» }, { "regex": "7", "value": "7" }] }
            { "must_match_regex": ["S: «[0-9]{1,3}»"] }
            → { "must_match_regex": ["S: [0-9]{1,3}\\b"] }
            { "must_match_regex": ["«[0-9]{2}»"] }
            → { "must_match_regex": ["\\b[0-9]{2}\\b"] }
            "#,
        );
        let whole = |number: &str| encode(&whole_number(number));
        for (before, after) in [
            (r#"{ "label": "n", "value": 1.5 }"#, format!(r#"{{ "label": "n", "regex": {} }}"#, whole("1.5"))),
            (r#""12%""#, format!(r#"{{ "label": "12%", "regex": {} }}"#, whole("12%"))),
        ] {
            let numbers = |item: &str| format!(r#"{{ "must_ground_numbers": [{item}] }}"#);
            check_fix_of(&UNBOUNDED_NUMBER, &numbers(before), &numbers(&after));
        }
    }

    #[test]
    fn limited_digits_at_an_end() {
        let patterns = r"
            Score: «[0-9]{1,3}»  #«\d{2,6}»  «[0-9]{4}» bikes  a|b «[0-9]{1,2}?»  Score: [0-9]{1,3}\b
            Score: [0-9]{1,3}%  Score: [0-9]+  Score: [0-9]  ^[0-9]{4}$  [A-Z]{3}
        ";
        check_marked(patterns, |source| open_number(source).map(|open| open.digits).into_iter().collect());
    }
}
