//! A pattern of PCRE2 as a pattern of the crate `regex_automata` with the same meaning.

use std::fmt::Write;

use regex_syntax::hir::{Hir, HirKind};

use crate::pattern::syntax::{Flags, Greed, Group, Token, TokenKind, class_tokens, tokens};

/// Translates `source`. Returns `None` if a part of it has no counterpart with the same meaning.
pub(super) fn translate(source: &str) -> Option<String> {
    let mut translated = String::new();
    for token in tokens(source) {
        add(&mut translated, source, token)?;
    }
    Some(translated)
}

fn add(translated: &mut String, source: &str, token: Token) -> Option<()> {
    let text = &source[token.span.range()];
    match token.kind {
        TokenKind::Literal(c) | TokenKind::Escape(c) => character(translated, c),
        TokenKind::Set => translated.push_str(set(text)?),
        TokenKind::Dot => translated.push('.'),
        TokenKind::Class { .. } => class(translated, source, token)?,
        TokenKind::Anchor if matches!(text, "^" | "$" | r"\b" | r"\B" | r"\A" | r"\z") => translated.push_str(text),
        // A line has no line break before its end.
        TokenKind::Anchor if text == r"\Z" => translated.push_str(r"\z"),
        TokenKind::Open(Group::Capturing | Group::Named | Group::NonCapturing | Group::BranchReset) => {
            translated.push_str("(?:");
        }
        TokenKind::Open(Group::Flagged(flags)) => translated.extend(["(?", flag(text, flags)?, ":"]),
        TokenKind::Flags(flags) => translated.extend(["(?", flag(text, flags)?, ")"]),
        TokenKind::Close => translated.push(')'),
        TokenKind::Alternation => translated.push('|'),
        TokenKind::Repeat { min, max, greed } => repeat(translated, min, max, greed)?,
        TokenKind::Greed(Greed::Lazy) => translated.push('?'),
        TokenKind::Comment | TokenKind::Space | TokenKind::Quote | TokenKind::Callout => {}
        _ => return None,
    }
    Some(())
}

fn character(translated: &mut String, c: char) {
    if c.is_alphanumeric() {
        translated.push(c);
    } else {
        write!(translated, r"\x{{{:x}}}", u32::from(c)).expect("a string takes any text");
    }
}

/// The flag that is left of others, as in `(?is-m)`. In a line without a line break, `s` and `m` change nothing; `x`, `n` and `J` are about
/// how a pattern is read.
fn flag(text: &str, flags: Flags) -> Option<&'static str> {
    let letters = text.trim_matches(['(', '?', ':', ')']);
    let are_known = letters.chars().all(|c| "imsnxJ-^".contains(c)) && !letters.contains("xx");
    are_known.then_some(match flags.ignore_case {
        Some(true) => "i",
        Some(false) => "-i",
        // Which it is without.
        None => "-U",
    })
}

/// The word characters as PCRE2 defines them with Unicode properties.
pub(super) const WORD: &str = r"[\p{L}\p{N}\p{Mn}\p{Pc}]";

/// The categories of Unicode that case does not change.
const CATEGORIES: &str = "L Lm Lo Mc Me N Nd Nl No P Pc Pd Pe Po Ps S Sc Z";

/// A set of characters as PCRE2 defines it with Unicode properties.
fn set(text: &str) -> Option<&str> {
    Some(match text {
        r"\d" | "[:digit:]" => r"\p{Nd}",
        r"\D" => r"\P{Nd}",
        r"\s" | "[:space:]" => r"[\s\x{180e}]",
        r"\S" => r"[^\s\x{180e}]",
        r"\w" | "[:word:]" => WORD,
        r"\W" => r"[^\p{L}\p{N}\p{Mn}\p{Pc}]",
        r"\N" => ".",
        r"\h" | "[:blank:]" => r"[\t\p{Zs}\x{180e}]",
        r"\H" => r"[^\t\p{Zs}\x{180e}]",
        r"\v" => r"[\n-\r\x{85}\x{2028}\x{2029}]",
        r"\V" => r"[^\n-\r\x{85}\x{2028}\x{2029}]",
        "[:alpha:]" => r"\p{L}",
        "[:alnum:]" => r"[\p{L}\p{N}]",
        "[:punct:]" => r"[\p{P}$+<=>\^`|\~]",
        _ => {
            let name = text.strip_prefix(r"\p").or(text.strip_prefix(r"\P"))?.trim_matches(['{', '}']);
            CATEGORIES.split(' ').any(|category| category == name).then_some(text)?
        }
    })
}

fn class(translated: &mut String, source: &str, token: Token) -> Option<()> {
    let mut brackets = 0;
    for part in class_tokens(source, token.span) {
        let text = &source[part.span.range()];
        match part.kind {
            TokenKind::Bracket => {
                brackets += 1;
                translated.push_str(text);
            }
            TokenKind::Range => translated.push('-'),
            TokenKind::Literal(c) | TokenKind::Escape(c) => character(translated, c),
            TokenKind::Set => translated.push_str(set(text).filter(|_| text != r"\N")?),
            TokenKind::Quote => {}
            _ => return None,
        }
    }
    (brackets >= 2).then_some(())
}

fn repeat(translated: &mut String, min: u32, max: Option<u32>, greed: Greed) -> Option<()> {
    let max = max.map(|max| max.to_string()).unwrap_or_default();
    let suffix = match greed {
        Greed::Greedy => "",
        Greed::Lazy => "?",
        Greed::Possessive => return None,
    };
    write!(translated, "{{{min},{max}}}{suffix}").expect("a string takes any text");
    Some(())
}

/// Whether the pattern can match an empty text.
pub(super) fn can_be_empty(hir: &Hir) -> bool {
    hir.properties().minimum_len().is_none_or(|len| len == 0)
}

/// Whether a part that can match an empty text is repeated: engines differ in how such a repeat ends.
pub(super) fn repeats_what_can_be_empty(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Repetition(repetition) => {
            let repeats = repetition.max.is_none_or(|max| max > 1);
            (repeats && can_be_empty(&repetition.sub)) || repeats_what_can_be_empty(&repetition.sub)
        }
        HirKind::Capture(capture) => repeats_what_can_be_empty(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(repeats_what_can_be_empty),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => false,
    }
}
