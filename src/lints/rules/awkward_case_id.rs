use crate::diagnostic::quoted;
use crate::lints::declare::declare_lint;
use crate::lints::{CaseContext, Check, Report};
use crate::syntax::raw_span;
use crate::text::Span;

declare_lint! {
    /// A case id is hard to select or to distinguish.
    ///
    /// `--cases` splits its argument at commas, so it cannot select an id with a comma or an empty id. White space at
    /// the ends of an id is invisible, but two ids that differ only in it are different.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "id": "booking,Thursday", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } }
    /// ```
    ///
    /// ## Fix
    ///
    /// Choose an id without them. If the case has a transcript, rename it or record it again.
    ///
    /// ```json
    /// { "id": "booking-thursday", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } }
    /// ```
    pub(crate) AWKWARD_CASE_ID = "awkward-case-id", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(id) = &cx.case.id else { return };
    let Some(literal) = cx.node_at(id.span).filter(|node| !node.is_broken()) else { return };
    let value = id.value.as_str();
    let place = |start, end| raw_span(literal.text(), Span::new(start, end)).shifted_by(id.span.start);

    if value.is_empty() {
        report.add(id.span, "the case id is empty: `--cases` cannot select this case");
        return;
    }
    if value.trim().is_empty() {
        report.add(id.span, "the case id is only white space");
        return;
    }
    let start = value.len() - value.trim_start().len();
    if start > 0 {
        report.add(place(0, start), format!("white space at the start of the case id {}", quoted(value)));
    }
    let end = value.trim_end().len();
    if end < value.len() {
        report.add(place(end, value.len()), format!("white space at the end of the case id {}", quoted(value)));
    }
    if let Some(comma) = value.find(',') {
        let message =
            format!("a comma in the case id {}: `--cases` splits ids at commas and cannot select it", quoted(value));
        report.add(place(comma, comma + 1), message);
    }
}

#[cfg(test)]
mod tests {
    use super::AWKWARD_CASE_ID;
    use crate::lints::testing::check;

    #[test]
    fn awkward_parts_of_ids_are_reported() {
        check(
            &AWKWARD_CASE_ID,
            r#"
{ "cases": [ { "id": "" }, { "id": "  " }, { "id": " A, B,C\t" } ] }
                     ^^ the case id is empty
                                   ^^^^ the case id is only white space
                                                    ^ white space at the start of the case id ` A, B,C\t`
                                                      ^ a comma in the case id
                                                           ^^ white space at the end of the case id
"#,
        );
        check(
            &AWKWARD_CASE_ID,
            r#"
{ "cases": [ { "id": "\u00e9\u002cb" }, { "id": "\u00a0\u2003A" } ] }
                            ^^^^^^ a comma in the case id
                                                 ^^^^^^^^^^^^ white space at the start
"#,
        );
    }

    #[test]
    fn other_ids_have_no_finding() {
        check(
            &AWKWARD_CASE_ID,
            r#"{ "cases": [ { "id": "A" }, { "id": "a b" }, { "id": "größe/1;2" }, { "id": 1 }, {}, { "id": "#,
        );
        check(&AWKWARD_CASE_ID, r#"{ "cases": [ { "id": ""#);
        check(&AWKWARD_CASE_ID, "{ \"cases\": [ { \"id\": \"A, \n } ] }");
    }
}
