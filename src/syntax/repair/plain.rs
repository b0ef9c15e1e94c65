//! The repair that an error suggests by itself.

use crate::syntax::string::encode;
use crate::syntax::{SyntaxError, SyntaxErrorKind};
use crate::text::{Span, is_invisible};

use super::scene::Candidate;

/// The error as the parser reports it, with its own repair if it has one.
pub(super) fn candidate(text: &str, errors: &[SyntaxError], error: &SyntaxError) -> Candidate {
    use SyntaxErrorKind::*;
    let span = error.span;
    let at_fault = text.get(span.range()).unwrap_or_default();
    let of = |title: &str| Candidate::of(&error.kind, span, title);
    let mut candidate = match &error.kind {
        MissingComma(_) => of("insert the missing comma").insert(span.start, ","),
        TrailingComma(_) => of("remove the trailing comma").replace(span, ""),
        ExtraComma => of("remove the comma").replace(span, ""),
        Comment => of("remove the comment").replace(span, ""),
        ControlCharacter(_) => {
            let literal = encode(at_fault);
            of("write it as an escape").replace(span, &literal[1..literal.len() - 1])
        }
        InvalidEscape if at_fault.len() == 2 => {
            let mut end = span.end;
            let same = errors.iter().skip_while(|other| other.span != span).take_while(|other| {
                let between = text.get(end..other.span.start).unwrap_or_default();
                end = other.span.end;
                other.kind == InvalidEscape && other.span.len() == 2 && !between.contains(['"', '\n'])
            });
            let candidate = of("double the backslash");
            same.fold(candidate, |candidate, other| candidate.insert(other.span.start, "\\"))
        }
        InvalidLiteral(Some(meant)) if *meant != "null" => of(&format!("replace with `{meant}`")).replace(span, *meant),
        UnexpectedCharacter(c) if c.is_whitespace() => of("replace with a space").replace(span, " "),
        UnexpectedCharacter(c) if is_invisible(*c) => of("remove the invisible character").replace(span, ""),
        NeverOpened => of("insert `{`").insert(span.start, "{"),
        UnexpectedCloser(_) => of("remove the bracket").replace(span, ""),
        // The rest of a document that ended too early is something that its author wants to keep.
        TextAfterEnd if !at_fault.contains('"') || at_fault.starts_with(['{', '[']) => of("remove the text")
            .replace(Span::new(text[..span.start].trim_end().len(), span.start), "")
            .replace(span, ""),
        _ => of(""),
    };
    candidate.opened = error.opened;
    candidate.is_safe = is_safe(&error.kind) && !is_between_touching_tokens(text, error);
    candidate.is_harmless = is_harmless(&error.kind);
    candidate
}

/// Whether the repair of such an error changes commas alone, or how a character is written.
pub(super) fn is_safe(kind: &SyntaxErrorKind) -> bool {
    use SyntaxErrorKind::*;
    matches!(kind, MissingComma(_) | TrailingComma(_) | ExtraComma | ControlCharacter(_))
}

/// Whether such an error leaves no doubt about the text around it, commas included.
fn is_harmless(kind: &SyntaxErrorKind) -> bool {
    use SyntaxErrorKind::{ExtraComma, MissingComma, TrailingComma};
    kind.is_local() && !matches!(kind, MissingComma(_) | TrailingComma(_) | ExtraComma)
}

/// A missing comma between two tokens that touch each other is in doubt unless both are strings: `{2}[a]` may be text.
fn is_between_touching_tokens(text: &str, error: &SyntaxError) -> bool {
    let at = error.span.start;
    let next = text[at..].chars().next();
    matches!(error.kind, SyntaxErrorKind::MissingComma(_))
        && !next.is_some_and(char::is_whitespace)
        && !(text[..at].ends_with('"') && next == Some('"'))
}
