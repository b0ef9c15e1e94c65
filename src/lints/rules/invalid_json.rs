use crate::diagnostic::{Edit, Fix};
use crate::lints::{Check, Report, declare_lint};
use crate::syntax::Mistake;
use crate::text::Span;

declare_lint! {
    /// The file is not JSON (RFC 8259).
    ///
    /// A suite with a syntax error cannot be run. Each mistake is reported once, at the place where the text went wrong,
    /// with the edit that undoes it. A case whose brackets or quotes do not match has no other findings: they could
    /// follow from the mistake.
    ///
    /// A fix is *safe* if it only adds or removes a comma, or writes a control
    /// character as an escape, and if nothing else around it is in doubt: every other syntax error in the same case (or
    /// around the cases) is of this kind too, and the tokens on both sides are whole. A safe fix never changes the text
    /// of a string.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_say_any": ["booked",], 'outcome': "response_only" }
    /// ```
    ///
    /// ## Fix
    ///
    /// Add the missing comma, bracket or quote, or remove the extra one.
    ///
    /// ```json
    /// { "must_say_any": ["booked"], "outcome": "response_only" }
    /// ```
    pub(crate) INVALID_JSON = "invalid-json", Error, Check::Syntax(check);
}

fn check(mistake: &Mistake, report: &mut Report) {
    let finding = report.add(mistake.span, mistake.message.as_str());
    if let Some(opened) = mistake.opened {
        finding.also(opened, "opened here");
    }
    for repair in &mistake.repairs {
        let edits = repair.edits.iter().map(|(span, with)| Edit::replace(*span, with.as_str())).collect();
        finding.fix(Fix { safe: repair.is_safe, likely: mistake.repairs.len() == 1, ..Fix::new(&repair.title, edits) });
    }
}

/// The finding of `invalid-json` for a file that is not UTF-8. `offset` is the first invalid byte, counted from 0.
pub(crate) fn not_utf8(offset: usize) -> crate::diagnostic::Finding {
    let message = format!("not UTF-8: byte {offset} is not part of a character; save the file as UTF-8");
    crate::diagnostic::Finding::new(INVALID_JSON.name, INVALID_JSON.level, Span::empty(offset), message)
}

#[cfg(test)]
mod tests {
    use super::INVALID_JSON;
    use crate::lints::tests::fixture::{check, check_fix};

    #[test]
    fn messages_name_the_expected_token() {
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
    fn fixes_are_offered() {
        check_fix(&INVALID_JSON, r#"{"cases": [1, ]}"#, r#"{"cases": [1 ]}"#);
        check_fix(&INVALID_JSON, r#"{"name": "a" "cases": []}"#, r#"{"name": "a", "cases": []}"#);
        check_fix(&INVALID_JSON, r#"{"name": 'a "b"', "cases": []}"#, r#"{"name": "a \"b\"", "cases": []}"#);
        check_fix(&INVALID_JSON, r#"{name: "a", "cases": []}"#, r#"{"name": "a", "cases": []}"#);
        check_fix(&INVALID_JSON, "{\"name\": \"a\tb\", \"cases\": []}", r#"{"name": "a\tb", "cases": []}"#);
        check_fix(&INVALID_JSON, r#"{"cases": [], "note": True}"#, r#"{"cases": [], "note": true}"#);
        check_fix(&INVALID_JSON, r#"{"name": "\s"}"#, r#"{"name": "\\s"}"#);
    }
}
