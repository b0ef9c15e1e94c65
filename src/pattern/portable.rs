use super::Case;
use super::error::variable_look_behind;
use super::ffi::Code;
use super::syntax::{Group, PatternTree, TokenKind};
use crate::text::Span;

/// A part of a pattern that other versions of PCRE2, or other runners, read differently or reject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unportable {
    /// Its bytes in the pattern.
    pub(crate) span: Span,
    /// What others do with it: a clause without a subject, in the present tense.
    pub(crate) why: &'static str,
    /// The text that means the same everywhere, if there is one.
    pub(crate) same: Option<String>,
}

/// Returns the parts of `source` that mean something else elsewhere, in the order of the text. The pattern compiles, and `tree` is
/// its tree. The versions are from the change log of PCRE2.
pub(crate) fn unportable(source: &str, case: Case, tree: &PatternTree) -> Vec<Unportable> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut looks_behind = false;
    for token in &tree.tokens {
        let text = &source[token.span.range()];
        let mut add = |why, same| found.push(Unportable { span: token.span, why, same });
        match token.kind {
            TokenKind::Close if depth == 0 => {
                add("closes the group that the runner puts around a pattern, and alone the pattern is invalid", None);
            }
            TokenKind::Close => depth -= 1,
            TokenKind::Repeat { .. } if text.starts_with("{,") || text.contains([' ', '\t']) => {
                add("is literal text before PCRE2 10.43", Some(plain_counts(text)));
            }
            TokenKind::Class { .. } if text.starts_with("(?[") => add("is invalid before PCRE2 10.45", None),
            TokenKind::Escape(_) | TokenKind::Reference if text.contains('{') && text.contains([' ', '\t']) => {
                add("is invalid before PCRE2 10.43", Some(text.replace([' ', '\t'], "")));
            }
            TokenKind::Flags(_) | TokenKind::Open(Group::Flagged(_))
                if text.contains(['a', 'r', 'D', 'S', 'W', 'P', 'T']) =>
            {
                add("is invalid before PCRE2 10.43", None);
            }
            TokenKind::Open(Group::Special) if text.starts_with("(*scs") || text.starts_with("(*scan_substring") => {
                add("is invalid before PCRE2 10.45", None);
            }
            _ => {}
        }
        if let TokenKind::Open(group) = token.kind {
            depth += 1;
            looks_behind |= matches!(group, Group::LookBehind { .. });
        }
    }
    if looks_behind
        && let Some(refusal) = Code::refusal_of_variable_look_behind(source, case.options())
        && let Some(span) = variable_look_behind(source, &refusal)
    {
        found.push(Unportable { span, why: "has no fixed length, which is invalid before PCRE2 10.43", same: None });
        found.sort_by_key(|part| part.span);
    }
    found
}

/// The counts of a repeat as all versions read them: `{0,3}` for `{,3}`.
fn plain_counts(text: &str) -> String {
    text.replace([' ', '\t'], "").replacen("{,", "{0,", 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Pattern;

    #[test]
    fn parts_that_depend_on_the_version_are_found() {
        let table: &[(&str, &[&str])] = &[
            ("a)(b", &[")"]),
            ("a)|(b", &[")"]),
            ("(a)(b)", &[]),
            (r"\)[)]\Q)\E", &[]),
            ("^a{,3}$", &["{,3}"]),
            ("a{ 1, 3 }?b{2}", &["{ 1, 3 }?"]),
            ("a{1,3}b{2,}c{x}{,}", &[]),
            (r"\x{ 41 }\x{41}\ {2}", &[r"\x{ 41 }"]),
            ("(?<=a{1,3})b", &["(?<="]),
            ("(?<!ab|c{1,2})d", &["(?<!"]),
            ("(?<=abc|d)e(?<!f)", &[]),
            ("(?aD)a(?r:b)", &["(?aD)", "(?r:"]),
            ("(?i)a(?-s:b)(?<name>c)", &[]),
        ];
        for (source, expected) in table {
            assert!(Pattern::compile(source, Case::Ignored).is_ok(), "`{source}`");
            let found = unportable(source, Case::Ignored, &PatternTree::new(source));
            let texts: Vec<_> = found.iter().map(|part| &source[part.span.range()]).collect();
            assert_eq!(texts, *expected, "`{source}`");
        }
    }

    #[test]
    fn the_other_spelling_means_the_same() {
        for (source, same) in [("{,3}", "{0,3}"), ("{ 1, 3 }?", "{1,3}?"), ("{\t2\t}", "{2}")] {
            let source = format!("a{source}");
            assert_eq!(unportable(&source, Case::Ignored, &PatternTree::new(&source))[0].same.as_deref(), Some(same));
        }
    }
}
