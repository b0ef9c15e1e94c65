//! The repair that an error suggests by itself.

use crate::syntax::string::encode;
use crate::syntax::{SyntaxError, SyntaxErrorKind};
use crate::text::{Span, is_invisible};

use super::Mistake;

/// The error as the parser reports it, with its own repair if it has one. `errors` are all errors of the text.
pub(super) fn mistake(text: &str, errors: &[SyntaxError], error: &SyntaxError) -> Mistake {
    use SyntaxErrorKind::*;
    let span = error.span;
    let at_fault = text.get(span.range()).unwrap_or_default();
    let untitled = Mistake { opened: error.opened, ..Mistake::new(span, error.kind.to_string()) };
    let of = |title: &str| untitled.clone().titled(title);
    let mut mistake = match &error.kind {
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
            same.fold(of("double the backslash"), |mistake, other| mistake.insert(other.span.start, "\\"))
        }
        InvalidLiteral(Some(meant)) if *meant != "null" => of(&format!("replace with `{meant}`")).replace(span, *meant),
        UnexpectedCharacter(c) if c.is_whitespace() => of("replace with a space").replace(span, " "),
        UnexpectedCharacter(c) if is_invisible(*c) => of("remove the invisible character").replace(span, ""),
        NeverOpened => of("insert `{`").insert(span.start, "{"),
        UnexpectedCloser(_) => of("remove the bracket").replace(span, ""),
        TextBeforeStart => of("remove the text").replace(span, ""),
        // The rest of a document that ended too early is something that its author wants to keep.
        TextAfterEnd if !at_fault.contains('"') || at_fault.starts_with(['{', '[']) => of("remove the text")
            .replace(Span::new(text[..span.start].trim_end().len(), span.start), "")
            .replace(span, ""),
        _ => untitled,
    };
    let is_comma = matches!(error.kind, MissingComma(_) | TrailingComma(_) | ExtraComma);
    let is_safe = (is_comma || matches!(error.kind, ControlCharacter(_))) && !is_between_touching_tokens(text, error);
    mistake.repairs.iter_mut().for_each(|repair| repair.is_safe = is_safe);
    mistake.is_harmless = error.kind.is_local() && !is_comma;
    mistake
}

/// A missing comma between two tokens that touch each other is in doubt unless both are strings: `{2}[a]` may be text.
fn is_between_touching_tokens(text: &str, error: &SyntaxError) -> bool {
    let at = error.span.start;
    let next = text[at..].chars().next();
    matches!(error.kind, SyntaxErrorKind::MissingComma(_))
        && !next.is_some_and(char::is_whitespace)
        && !(text[..at].ends_with('"') && next == Some('"'))
}
