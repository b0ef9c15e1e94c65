use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::pattern::syntax::{Token, TokenKind, class_tokens, tokens};
use crate::pattern::{Case, compile_cached};
use crate::text::Span;

declare_lint! {
    /// A part of a pattern means something else than it seems to.
    ///
    /// `[A-z]` also matches ``[\]^_` `` and the backslash, which are between `Z` and `a`. `|` in a class is only the character: `[yes|no]`
    /// matches one of the letters. `\b` in a class is a backspace. An alternative without text, as in `(a|b|)`, matches everywhere.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["^[A-z]+ booked", "[yes|no] is fine"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write what is meant: alternatives in round brackets, letters as `[A-Za-z]`, each alternative with a text.
    ///
    /// ```json
    /// { "must_match_regex": ["^[A-Za-z]+ booked", "(yes|no) is fine"] }
    /// ```
    pub(crate) SUSPICIOUS_REGEX = "suspicious-regex", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for pattern in cx.patterns.iter().filter(|pattern| pattern.facts.error.is_none()) {
        for suspicion in suspicions(pattern.value) {
            let Suspicion { span, message, replacement } = suspicion;
            let finding = report.add(pattern.raw(span), message);
            let Some((place, text, title)) = replacement else { continue };
            let mut fixed = pattern.value.to_owned();
            fixed.replace_range(place.range(), &text);
            if compile_cached(&fixed, Case::Ignored).is_ok() {
                let literal = crate::syntax::encode(&text);
                let edit = Edit::replace(pattern.raw(place), &literal[1..literal.len() - 1]);
                finding.fix(Fix::new(title, vec![edit]));
            }
        }
    }
}

/// A part of a pattern, what is wrong, and what to write instead: where, what, and the title of the fix.
struct Suspicion {
    span: Span,
    message: String,
    replacement: Option<(Span, String, String)>,
}

fn suspicions(source: &str) -> Vec<Suspicion> {
    // Most patterns have no class and no empty alternative.
    if !source.contains('[') && !source.contains("||") && !source.contains("|)") {
        return Vec::new();
    }
    let words: Vec<Token> = tokens(source).collect();
    let mut found = Vec::new();
    for word in words.iter().filter(|word| matches!(word.kind, TokenKind::Class { .. })) {
        in_class(source, word.span, &mut found);
    }
    for pair in words.windows(2) {
        let (first, next) = (&pair[0], &pair[1]);
        // An optional group has a `?`, and `(|a)` is seldom meant either.
        if first.kind == TokenKind::Alternation && matches!(next.kind, TokenKind::Alternation | TokenKind::Close) {
            found.push(Suspicion {
                span: first.span,
                message: "an alternative without text matches everywhere".to_owned(),
                replacement: Some((first.span, String::new(), "remove the alternative".to_owned())),
            });
        }
    }
    found
}

fn in_class(source: &str, class: Span, found: &mut Vec<Suspicion>) {
    let words = class_tokens(source, class);
    for range in words.windows(3).filter(|range| range[1].kind == TokenKind::Range) {
        let (TokenKind::Literal(from), TokenKind::Literal(to)) = (range[0].kind, range[2].kind) else { continue };
        if from.is_ascii_uppercase() && to.is_ascii_lowercase() {
            let span = range[0].span.join(range[2].span);
            let text = format!("{from}-Za-{to}");
            found.push(Suspicion {
                span,
                message: format!("{} also has the characters between `Z` and `a`", quoted(&source[span.range()])),
                replacement: Some((span, text.clone(), format!("write {}", quoted(&text)))),
            });
        }
    }
    let is_letter =
        |at: usize| words.get(at).is_some_and(|word| matches!(word.kind, TokenKind::Literal(c) if c.is_alphanumeric()));
    let bar = (1..words.len())
        .find(|at| words[*at].kind == TokenKind::Literal('|') && is_letter(at - 1) && is_letter(at + 1));
    if let Some(bar) = bar {
        let inner = &source[class.start + 1..class.end - 1];
        let is_plain = inner.chars().all(|c| c.is_alphanumeric() || c == '|' || c == ' ');
        let replacement = is_plain.then(|| (class, format!("({inner})"), "write a group".to_owned()));
        let message = "`|` in a class is only this character; alternatives need a group".to_owned();
        found.push(Suspicion { span: words[bar].span, message, replacement });
    }
    for word in &words {
        if source.get(word.span.range()) == Some("\\b") {
            let message = "`\\b` in a class is a backspace, not the end of a word".to_owned();
            found.push(Suspicion { span: word.span, message, replacement: None });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SUSPICIOUS_REGEX;
    use crate::lints::tests::fixture::check_each;

    #[test]
    fn findings_and_fixes_are_as_marked() {
        check_each(
            &SUSPICIOUS_REGEX,
            r#"
# parts that mean something else are reported
{ "cases": [ { "expected": {
  "must_match_regex": ["^[A-z]+", "[yes|no]", "[\\b ]x", "(a|b|) c", "(a||b)"]
                          ^^^ `A-z` also has the characters between `Z` and `a`
                                       ^ `|` in a class is only this character
                                                ^^^ `\b` in a class is a backspace
                                                              ^ an alternative without text matches everywhere
                                                                        ^ an alternative without text
} } ] }

# what is meant is not
{ "must_match_regex": ["[A-Za-z]", "[|;]", "[a |]", "\\bx\\b", "(a|b)", "(a|b)?", "[\\[-z]", "[a"] }

# fixes write what was meant
{ "must_match_regex": ["[A-z]+ x"] }
→ { "must_match_regex": ["[A-Za-z]+ x"] }

{ "must_match_regex": ["[yes|no] x"] }
→ { "must_match_regex": ["(yes|no) x"] }

{ "must_match_regex": ["(a|b|) x"] }
→ { "must_match_regex": ["(a|b) x"] }
"#,
        );
    }
}
