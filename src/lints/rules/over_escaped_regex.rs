use crate::diagnostic::{Edit, Fix};
use crate::lints::declare::declare_lint;
use crate::lints::{CaseContext, Check, Report};
use crate::pattern::syntax::{Group, Token, TokenKind, class_tokens, tokens};
use crate::pattern::{Case, compile_cached};
use crate::text::Span;

declare_lint! {
    /// A pattern has backslashes escaped once too often.
    ///
    /// JSON takes one level of backslashes away: `\\s` in the file is `\s` in the pattern, and that is white space. `\\\\s`
    /// in the file is `\\s` in the pattern: a backslash and the letter `s`, which hardly any response holds.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["Total:\\\\s*\\\\d+ bikes"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write one level less.
    ///
    /// ```json
    /// { "must_match_regex": ["Total:\\s*\\d+ bikes"] }
    /// ```
    pub OVER_ESCAPED_REGEX = "over-escaped-regex", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for pattern in &cx.patterns {
        let Some(over) = &pattern.facts.over_escaped else { continue };
        let letter = &pattern.value[over.first.end - 1..over.first.end];
        let message = format!("`\\\\{letter}` is a backslash and the letter `{letter}`, not {}", meant(letter));
        let finding = report.add(pattern.raw(over.first), message);
        if !over.excess.is_empty() {
            let edits = over.excess.iter().map(|backslash| Edit::delete(pattern.raw(*backslash))).collect();
            finding.fix(Fix::new("escape one level less in this pattern", edits));
        }
    }
}

fn meant(letter: &str) -> &'static str {
    match letter {
        "s" => "white space",
        "S" => "anything but white space",
        "d" => "a digit",
        "D" => "anything but a digit",
        "w" => "a letter, digit or `_`",
        "W" => "anything but a letter, digit or `_`",
        "b" => "the edge of a word",
        _ => "a place that is no edge of a word",
    }
}

/// Where a pattern is escaped once too often; bytes of the pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OverEscaped {
    /// The first backslash that is escaped, and the letter behind it that would be an escape without.
    pub(crate) first: Span,
    /// The backslashes to take away all over the pattern; none where it would not compile without.
    pub(crate) excess: Vec<Span>,
}

/// How many backslashes a fix takes away at most.
const MOST: usize = 64;

/// Where `source` is most likely escaped once too often. A backslash and a letter may well be meant, in `C:\\data` or
/// `\\sum` for instance; so the letter must be one that no name goes on behind.
pub(crate) fn over_escaped(source: &str, case: Case) -> Option<OverEscaped> {
    if !source.contains(r"\\") {
        return None;
    }
    let words = Words::new(source);
    let all = 0..words.list.len();
    all.clone().find(|index| words.is_over_escaped(*index))?;
    let is_excess = |index: &usize| {
        words.is_over_escaped(*index) || words.opens_a_word(*index) || words.escapes_punctuation(*index)
    };
    let first = all.clone().find(|index| words.is_over_escaped(*index) || words.opens_a_word(*index))?;
    let first = words.list[first].span.join(words.list[first + 1].span);
    let starts = all.filter(is_excess).map(|index| words.list[index].span.start).take(MOST + 1);
    let mut excess: Vec<_> = starts.map(|start| Span::new(start, start + 1)).collect();
    if excess.len() > MOST || compile_cached(&without(source, &excess), case).is_err() {
        excess.clear();
    }
    Some(OverEscaped { first, excess })
}

fn without(source: &str, spans: &[Span]) -> String {
    let mut kept = String::with_capacity(source.len());
    let mut at = 0;
    for span in spans {
        kept.push_str(&source[at..span.start]);
        at = span.end;
    }
    kept + &source[at..]
}

/// The words of a pattern, those within its classes in place of them.
struct Words<'s> {
    source: &'s str,
    list: Vec<Token>,
    has_drive: bool,
}

impl<'s> Words<'s> {
    fn new(source: &'s str) -> Self {
        let mut list = Vec::new();
        for token in tokens(source) {
            match token.kind {
                TokenKind::Class { .. } => list.extend(class_tokens(source, token.span)),
                _ => list.push(token),
            }
        }
        let mut words = Self { source, list, has_drive: false };
        words.has_drive = (0..words.list.len()).any(|index| words.is_drive(index));
        words
    }

    fn kind(&self, index: usize) -> Option<TokenKind> {
        self.list.get(index).map(|token| token.kind)
    }

    /// Whether the word is a backslash that is escaped, and no other one stands before it.
    fn is_backslash(&self, index: usize) -> bool {
        let is = |index: usize| self.list.get(index).is_some_and(|token| &self.source[token.span.range()] == r"\\");
        is(index) && !index.checked_sub(1).is_some_and(is)
    }

    /// The letter behind an escaped backslash, if it would be an escape without.
    fn letter(&self, index: usize) -> Option<char> {
        match self.kind(index + 1)? {
            TokenKind::Literal(c) if self.is_backslash(index) && "sdwbSDWB".contains(c) => Some(c),
            _ => None,
        }
    }

    fn is_over_escaped(&self, index: usize) -> bool {
        self.letter(index).is_some()
            && match self.kind(index + 2) {
                Some(TokenKind::Repeat { .. }) => true,
                Some(TokenKind::Literal(c)) => !c.is_alphanumeric() && c != '_' && !self.has_drive,
                _ => !self.has_drive,
            }
    }

    /// Whether this is the first `\\b` of `\\bbike\\b`.
    fn opens_a_word(&self, index: usize) -> bool {
        let before = index.checked_sub(1).and_then(|before| self.kind(before));
        self.letter(index) == Some('b')
            && matches!(
                before,
                None | Some(
                    TokenKind::Open(Group::Capturing | Group::NonCapturing)
                        | TokenKind::Alternation
                        | TokenKind::Literal(' ')
                )
            )
            && !self.has_drive
    }

    /// Whether a character that means something else without a backslash has an escaped one before it.
    fn escapes_punctuation(&self, index: usize) -> bool {
        let next = self.list.get(index + 1).map(|token| &self.source[token.span.range()]);
        self.is_backslash(index) && next.is_some_and(|next| next.starts_with(|c: char| ".()[]{}+*?|^$/-".contains(c)))
    }

    /// Whether this is the colon of `C:\\`.
    fn is_drive(&self, index: usize) -> bool {
        let is_letter = |kind| matches!(kind, Some(TokenKind::Literal(c)) if c.is_ascii_alphabetic());
        self.kind(index) == Some(TokenKind::Literal(':'))
            && self.is_backslash(index + 1)
            && index.checked_sub(1).is_some_and(|before| is_letter(self.kind(before)))
            && !index.checked_sub(2).is_some_and(|before| is_letter(self.kind(before)) || self.is_backslash(before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::testing::{check, check_fix};

    #[test]
    fn only_where_no_name_goes_on() {
        let table: &[(&str, Option<&str>)] = &[
            (r"Total:\\s*\\d+ bikes", Some(r"Total:\s*\d+ bikes")),
            (r"\\d{2}", Some(r"\d{2}")),
            (r"bike\\b", Some(r"bike\b")),
            (r"\\bbike\\b", Some(r"\bbike\b")),
            (r"(\\bbike|\\bframe)\\b", Some(r"(\bbike|\bframe)\b")),
            (r"\\S+@\\w+\\.de", Some(r"\S+@\w+\.de")),
            (r"[\\s\\S]*", Some(r"[\s\S]*")),
            (r"[^\\W]", Some(r"[^\W]")),
            (r"\\D\s\\B", Some(r"\D\s\B")),
            (r"\\d:\\d", Some(r"\d:\d")),
            (r"(\\d|\\w)", Some(r"(\d|\w)")),
            (r"\\(\\d\\)", Some(r"\(\d\)")),
            // What may well be meant.
            (r"\s*\d+", None),
            (r"C:\\data", None),
            (r"C:\\data\\b", None),
            (r"C:\\d$", None),
            (r"\\\\server\\share", None),
            (r"\\\\s*", None),
            (r"App\\Services", None),
            (r"\\sum|\\begin\{bike\}", None),
            (r"\\bike", None),
            (r"\\n|\\t|\\.", None),
            (r"\\", None),
            (r"\\ d", None),
            (r"[\\/]", None),
            (r"a\\|b", None),
            (r"\Q\\s\E", None),
        ];
        for (source, expected) in table {
            let mended = over_escaped(source, Case::Ignored).map(|over| without(source, &over.excess));
            assert_eq!(mended.as_deref(), *expected, "`{source}`");
        }
    }

    #[test]
    fn points_at_the_backslashes_and_the_letter() {
        check(
            &OVER_ESCAPED_REGEX,
            r#"
{ "cases": [ { "id": "A", "expected": {
  "must_match_regex": ["\u00e9\\\\s*", "\\s\\\\b", "\\\\("], "required_levers": 1, "lever_regex": "^\u005c\u005cd"
                              ^^^^^ `\\s` is a backslash and the letter `s`, not white space
                                           ^^^^^ `\\b` is a backslash and the letter `b`, not the edge of a word
                                                                                                    ^^^^^^^^^^^^^ `\\d` is a backslash and the letter `d`, not a digit
} } ] }
"#,
        );
    }

    #[test]
    fn takes_one_level_away() {
        let suite = |pattern: &str| {
            format!(r#"{{"cases": [{{"id": "A", "expected": {{"must_match_regex": ["{pattern}"]}}}}]}}"#)
        };
        for (before, after) in [
            (r"Total:\\\\s*\\\\d+", r"Total:\\s*\\d+"),
            (r"\\\\(\\\\d+\\\\.\\\\d\\\\)", r"\\(\\d+\\.\\d\\)"),
            (r"\\d\\\\d", r"\\d\\d"),
            (r"[\\\\w.]+", r"[\\w.]+"),
            (r"^\u005c\u005cd", r"^\u005cd"),
        ] {
            check_fix(&OVER_ESCAPED_REGEX, &suite(before), &suite(after));
        }
    }

    #[test]
    fn offers_nothing_that_does_not_compile() {
        let is_mended = |source| !over_escaped(source, Case::Ignored).unwrap().excess.is_empty();
        assert!(is_mended(r"[\\w-]"));
        assert!(!is_mended(r"[\\w-z]"));
        assert!(!is_mended(&r"\\d".repeat(MOST + 1)));
    }
}
