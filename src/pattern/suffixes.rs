use super::syntax::{Group, Token, TokenKind, tokens};

/// Whether the pattern `source` does not match, because a suffix of each alternative does not. `has_match` looks for a suffix, the
/// shortest first, and returns `None` if that is too expensive.
pub(super) fn refute(source: &str, mut has_match: impl FnMut(&str) -> Option<bool>) -> bool {
    let Some(alternatives) = suffixes(source) else { return false };
    let mut is_refuted = |suffixes: &Vec<String>| {
        suffixes.iter().map(|suffix| has_match(suffix)).find(|matches| *matches != Some(true)) == Some(Some(false))
    };
    alternatives.iter().all(&mut is_refuted)
}

/// For each top-level alternative of the pattern `source`, patterns that match a line whenever the alternative does: what is
/// left of it without its first items. The shortest is the first; each matches whenever a later one matches. `None` if
/// a part of the pattern can have effects elsewhere.
///
/// On a line on which a pattern backtracks too much, these may cost little: `[^"]*(\\w)\\1x` tries each text that ends with
/// each pair of letters, `(\\w)\\1x` only the pairs.
pub(in crate::pattern) fn suffixes(source: &str) -> Option<Vec<Vec<String>>> {
    let words: Vec<_> = tokens(source).collect();
    if !words.iter().all(|word| is_local(word.kind)) {
        return None;
    }
    let mut alternatives = vec![Vec::new()];
    let (mut flags, mut groups, mut depth) = (String::new(), 0, 0_usize);
    for (at, word) in words.iter().enumerate() {
        let is_start = at == 0 || ends_a_costly_item(words[at - 1].kind);
        if depth == 0 && is_start && starts_an_item(word.kind) {
            let end = end_of_alternative(&words[at..]).unwrap_or(source.len());
            if refers_only_to_groups_after(groups, source, &words[at..]) {
                let text = format!("{flags}{}(?:{})", "()".repeat(groups), &source[word.span.start..end]);
                alternatives.last_mut()?.push(text);
            }
        }
        match word.kind {
            TokenKind::Open(group) => {
                depth += 1;
                groups += usize::from(matches!(group, Group::Capturing | Group::Named));
            }
            TokenKind::Close => depth = depth.checked_sub(1)?,
            TokenKind::Flags(_) if depth == 0 => flags += &source[word.span.range()],
            TokenKind::Alternation if depth == 0 => alternatives.push(Vec::new()),
            _ => {}
        }
    }
    if let [only] = &mut alternatives[..] {
        // The pattern itself.
        only.retain(|suffix| suffix.len() != "(?:)".len() + source.len());
    }
    alternatives.iter_mut().for_each(|suffixes| suffixes.reverse());
    Some(alternatives)
}

/// Whether it has no effect on the meaning of other parts, except for the number of a group.
fn is_local(kind: TokenKind) -> bool {
    use TokenKind::{Call, Comment, Flags, Greed, Keep, Malformed, Open, Quote, Space, Verb};
    match kind {
        Open(Group::BranchReset | Group::Conditional | Group::Special) => false,
        Open(Group::Flagged(flags)) | Flags(flags) => flags.only_case,
        Keep | Call | Verb | Malformed | Quote | Space | Comment | Greed(_) => false,
        _ => true,
    }
}

fn ends_a_costly_item(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Repeat { .. } | TokenKind::Close | TokenKind::Alternation)
}

fn starts_an_item(kind: TokenKind) -> bool {
    !matches!(kind, TokenKind::Repeat { .. } | TokenKind::Close | TokenKind::Alternation | TokenKind::Flags(_))
}

/// The end of the alternative that starts with `words`, if it is not the last.
fn end_of_alternative(words: &[Token]) -> Option<usize> {
    let mut depth = 0_usize;
    let end = words.iter().find(|word| {
        match word.kind {
            TokenKind::Open(_) => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && word.kind == TokenKind::Alternation
    });
    end.map(|end| end.span.start)
}

/// Whether `words` refer to no group among the first `groups` of the pattern. A name of a group before `words` does not
/// compile in them.
fn refers_only_to_groups_after(groups: usize, source: &str, words: &[Token]) -> bool {
    words.iter().filter(|word| word.kind == TokenKind::Reference).all(|word| {
        let text = &source[word.span.range()];
        let number = text.strip_prefix('\\').and_then(|number| number.parse::<usize>().ok());
        number.map_or_else(|| !text.starts_with(r"\g"), |number| number > groups)
    })
}

#[cfg(test)]
mod tests {
    use super::suffixes;

    #[test]
    fn each_suffix_is_a_pattern() {
        for (source, expected) in [
            (r"[^x]*(\w)\1e", Some(vec![vec![r"(?:(\w)\1e)"]])),
            ("a+b|c*d", Some(vec![vec!["(?:b)", "(?:a+b)"], vec!["(?:d)", "(?:c*d)"]])),
            ("a+(?i)b+c", Some(vec![vec!["(?i)(?:c)"]])),
            ("(a|b)c", Some(vec![vec!["()(?:c)"]])),
            (r"(a)+\g{-1}b", Some(vec![vec![]])),
            (r"a+\Kb", None),
            ("a)b", None),
        ] {
            let found = suffixes(source);
            let expected = expected.map(|all| {
                all.into_iter().map(|all| all.into_iter().map(str::to_owned).collect::<Vec<_>>()).collect::<Vec<_>>()
            });
            assert_eq!(found, expected, "`{source}`");
        }
    }
}
