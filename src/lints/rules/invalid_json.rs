use crate::diagnostic::{Edit, Fix};
use crate::lints::declare::declare_lint;
use crate::lints::{Check, Report};
use crate::syntax::{SyntaxError, SyntaxErrorKind, encode};
use crate::text::Span;

declare_lint! {
    /// The file is not JSON (RFC 8259).
    ///
    /// A suite with a syntax error cannot be run. Each error is said once, where it is; what can still be read of the
    /// file is checked all the same.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_say_any": ["booked",], 'outcome': "response_only" }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write the comma, bracket or quote that is expected, or take away what is too much. Missing and trailing commas
    /// can be mended safely.
    ///
    /// ```json
    /// { "must_say_any": ["booked"], "outcome": "response_only" }
    /// ```
    pub INVALID_JSON = "invalid-json", Error, Check::Syntax(check);
}

fn check(error: &SyntaxError, source: &str, report: &mut Report) {
    let finding = report.add(error.span, error.kind.to_string());
    if let Some(opened) = error.opened {
        finding.also(opened, "opened here");
    }
    if let Some(fix) = fix(error, source) {
        finding.fix(fix);
    }
}

fn fix(error: &SyntaxError, source: &str) -> Option<Fix> {
    use SyntaxErrorKind::*;
    let span = error.span;
    let text = &source[span.range()];
    Some(match &error.kind {
        MissingComma(_) => Fix::safe("insert the missing comma", vec![Edit::insert(span.start, ",")]),
        TrailingComma(_) => Fix::safe("remove the trailing comma", vec![Edit::delete(span)]),
        ExtraComma => Fix::safe("remove the comma", vec![Edit::delete(span)]),
        ByteOrderMark => Fix::safe("remove the byte order mark", vec![Edit::delete(span)]),
        Comment => Fix::new("remove the comment", vec![Edit::delete(span)]),
        UnclosedString => Fix::new("close the string", vec![Edit::insert(span.end, "\"")]),
        SingleQuotes => Fix::new("use double quotes", vec![Edit::replace(span, encode(text.trim_matches('\'')))]),
        UnquotedKey => Fix::new("quote the key", vec![Edit::replace(span, encode(text))]),
        InvalidLiteral(Some(meant)) => Fix::new(format!("replace with `{meant}`"), vec![Edit::replace(span, *meant)]),
        InvalidLiteral(None) => Fix::new("quote the text", vec![Edit::replace(span, encode(text))]),
        ControlCharacter(c) => {
            let literal = encode(&c.to_string());
            Fix::safe("write it as an escape", vec![Edit::replace(span, &literal[1..literal.len() - 1])])
        }
        InvalidEscape if text.len() == 2 => Fix::new("double the backslash", vec![Edit::insert(span.start, "\\")]),
        Unclosed(container) => {
            let closer = container.closer().to_string();
            Fix::new(format!("insert `{closer}`"), vec![Edit::insert(span.start, closer)])
        }
        UnexpectedCloser(_) => Fix::new("remove the bracket", vec![Edit::delete(span)]),
        UnexpectedCharacter(c) if c.is_whitespace() => Fix::new("replace with a space", vec![Edit::replace(span, " ")]),
        _ => return None,
    })
}

/// What `invalid-json` says of a file that is not UTF-8: where the first byte is that no character has, counted from 0.
pub fn not_utf8(offset: usize) -> crate::diagnostic::Finding {
    let message = format!("not UTF-8: byte {offset} is in no character; save the file as UTF-8");
    crate::diagnostic::Finding::new(INVALID_JSON.name, INVALID_JSON.level, Span::empty(offset), message)
}

#[cfg(test)]
mod tests {
    use super::INVALID_JSON;
    use crate::lints::testing::{check, check_fix};

    #[test]
    fn says_what_was_expected() {
        check(
            &INVALID_JSON,
            r#"
{ "cases": [ { "id": "A" "prompt": , "expected": {} } { "id": "B" }, ] }
                        | expected `,` or `}` after this value
                                  | expected a value
                                                     | expected `,` or `]` after this value
                                                                   ^ trailing comma before `]`
"#,
        );
    }

    #[test]
    fn mends() {
        check_fix(&INVALID_JSON, r#"{"cases": [1, ]}"#, r#"{"cases": [1 ]}"#);
        check_fix(&INVALID_JSON, r#"{"name": "a" "cases": []}"#, r#"{"name": "a", "cases": []}"#);
        check_fix(&INVALID_JSON, r#"{"name": 'a "b"', "cases": []}"#, r#"{"name": "a \"b\"", "cases": []}"#);
        check_fix(&INVALID_JSON, r#"{name: "a", "cases": []}"#, r#"{"name": "a", "cases": []}"#);
        check_fix(&INVALID_JSON, "{\"name\": \"a\tb\", \"cases\": []}", r#"{"name": "a\tb", "cases": []}"#);
        check_fix(&INVALID_JSON, r#"{"name": True}"#, r#"{"name": true}"#);
        check_fix(&INVALID_JSON, r#"{"name": "\s"}"#, r#"{"name": "\\s"}"#);
    }
}
