use crate::diagnostic::{Edit, Fix};
use crate::lints::{Check, Report, declare_lint};
use crate::schema::{Violation, ViolationKind};
use crate::syntax::{Kind, Node, encode};

declare_lint! {
    /// A value has the wrong type or is out of range.
    ///
    /// The runner reads each field as one type. A value of another type is an error, or the runner ignores it and does
    /// not make the check.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_say_any": "booked" }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write a value of the type in the message.
    ///
    /// ```json
    /// { "must_say_any": ["booked"] }
    /// ```
    pub(crate) WRONG_TYPE = "wrong-type", Error, Check::Shape(check);
}

fn check(violation: &Violation, root: Node<'_>, report: &mut Report) {
    match &violation.kind {
        ViolationKind::WrongType { expected, found } => {
            let finding = report.add(violation.span, format!("expected {expected}, found {found}"));
            if let Some(fix) = value_at(root, violation).and_then(|value| fix(value, expected)) {
                finding.fix(fix);
            }
        }
        ViolationKind::OutOfBounds(bounds) => {
            report.add(violation.span, format!("expected {bounds}"));
        }
        _ => {}
    }
}

/// The value of a violation: the value of the key, or the container that the bracket opens.
fn value_at<'a>(root: Node<'a>, violation: &Violation) -> Option<Node<'a>> {
    let opens = |node: &Node<'_>| matches!(node.kind(), Kind::Object | Kind::Array);
    let is_bracket = |node: &Node<'_>| opens(node) && node.span().start == violation.span.start;
    let by_bracket = || root.at_offset(violation.span.start).filter(is_bracket);
    let found = root.find(violation.span).or_else(|| by_bracket().filter(|_| violation.span.len() == 1))?;
    let member = found.parent().and_then(Node::as_member).filter(|member| member.key == found);
    member.map_or(Some(found), |member| member.value)
}

/// Returns a fix if only one reading of the value is likely.
fn fix(value: Node<'_>, expected: &str) -> Option<Fix> {
    let is_expected = |name: &str| expected.split(" or ").any(|one| one == name);
    let replace = |text: String| {
        Some(Fix::new(format!("replace with {}", shown(&text)), vec![Edit::replace(value.span(), text)]))
    };
    if value.kind() == Kind::Null {
        return remove(value);
    }
    if expected.contains("`true`") {
        return boolean(value).and_then(|text| replace(text.to_owned()));
    }
    match value.kind() {
        Kind::String if is_expected("a list") => wrap(value, "[", "]", "put it in a list"),
        Kind::String if expected.contains("number") => {
            replace(number(&value.as_str()?, is_expected("a whole number"))?)
        }
        Kind::Number if expected == "a whole number" => replace(format!("{}", value.as_f64()?.round())),
        Kind::Number | Kind::True | Kind::False if is_expected("a string") => replace(encode(value.text())),
        Kind::Array if value.parent().is_none() && is_expected("an object") => {
            wrap(value, "{ \"cases\": ", " }", "put the cases under `cases`")
        }
        Kind::Array => unwrap(value, expected),
        _ => None,
    }
}

fn wrap(value: Node<'_>, before: &str, after: &str, title: &str) -> Option<Fix> {
    let span = value.span();
    Some(Fix::new(title, vec![Edit::insert(span.start, before), Edit::insert(span.end, after)]))
}

/// Returns the elements of a list if they have the expected type: its only element, or all of them if the list is in a
/// list.
fn unwrap(list: Node<'_>, expected: &str) -> Option<Fix> {
    let kind = match expected {
        "an object" => Kind::Object,
        _ if expected.contains("a string") => Kind::String,
        _ => return None,
    };
    let in_list = list.parent().is_some_and(|parent| parent.kind() == Kind::Array);
    let count = list.elements().count();
    let fits = list.elements().all(|element| element.kind() == kind) && (count == 1 || (in_list && count > 0));
    let (first, last) = (list.elements().next()?, list.elements().last()?);
    let inner = list.text().get(first.span().start - list.span().start..last.span().end - list.span().start)?;
    fits.then(|| Fix::new("remove the brackets around it", vec![Edit::replace(list.span(), inner)]))
}

fn remove(value: Node<'_>) -> Option<Fix> {
    let member = value.parent().filter(|parent| parent.kind() == Kind::Member);
    let title = if member.is_some() { "remove the key" } else { "remove the entry" };
    Some(Fix::new(title, vec![Edit::delete(member.unwrap_or(value).removal())]))
}

fn boolean(value: Node<'_>) -> Option<&'static str> {
    let text = value.as_str().map_or_else(|| value.text().to_owned(), |text| text.trim().to_lowercase());
    match text.as_str() {
        "true" | "yes" | "on" | "1" | "y" => Some("true"),
        "false" | "no" | "off" | "0" | "n" => Some("false"),
        _ => None,
    }
}

/// Returns the number in a string: plain, in percent, or an age in hours, minutes or days, converted to minutes.
fn number(text: &str, is_whole: bool) -> Option<String> {
    let text = text.trim();
    let split = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '-'))).unwrap_or(text.len());
    let (digits, unit) = text.split_at(split);
    let value: f64 = digits.replace(',', ".").parse().ok()?;
    let value = match unit.trim().to_lowercase().as_str() {
        "" | "m" | "min" | "mins" | "minute" | "minutes" => value,
        "h" | "hr" | "hour" | "hours" => value * 60.0,
        "d" | "day" | "days" => value * 60.0 * 24.0,
        "%" => (value * 1e6).round() / 1e8,
        _ => return None,
    };
    (!is_whole || value.fract() == 0.0).then(|| format!("{value}"))
}

fn shown(text: &str) -> String {
    crate::diagnostic::quoted(text)
}

#[cfg(test)]
mod tests {
    use super::WRONG_TYPE;
    use crate::diagnostic::Severity;
    use crate::lints::MOST_FINDINGS;
    use crate::lints::tests::fixture::{Setup, check, check_fix, findings};

    #[test]
    fn obvious_values_have_a_fix() {
        let case = |key: &str, value: &str| {
            format!(r#"{{"cases": [{{"id": "A", "prompt": "p", "expected": {{"{key}": {value}}}}}]}}"#)
        };
        for (key, before, after) in [
            ("must_say_any", r#""x""#, r#"["x"]"#),
            ("must_say_any", r#"["x", 7]"#, r#"["x", "7"]"#),
            ("must_say_any", r#"["x", null]"#, r#"["x"]"#),
            ("must_say_any", r#"["x", ["y", "z"]]"#, r#"["x", "y", "z"]"#),
            ("outcome", r#"["tool_success"]"#, r#""tool_success""#),
            ("must_label_assumptions", r#""yes""#, "true"),
            ("must_label_assumptions", "0", "false"),
            ("required_levers", r#""3""#, "3"),
            ("evidence_freshness_max_age_minutes", r#""3h""#, "180"),
        ] {
            check_fix(&WRONG_TYPE, &case(key, before), &case(key, after));
        }
        check_fix(&WRONG_TYPE, r#"{"version": 0.2, "cases": []}"#, r#"{"version": "0.2", "cases": []}"#);
        check_fix(&WRONG_TYPE, r#"[]"#, r#"{ "cases": [] }"#);
    }

    #[test]
    fn the_message_names_both_types() {
        check(
            &WRONG_TYPE,
            r#"
{ "name": 1, "cases": [ 7, { "id": 2, "prompt": {}, "expected": { "must_say_any": ["a", null], "must_label_assumptions": "yes" } } ] }
          ^ expected a string, found a number
                        ^ expected an object, found a number
                                   ^ expected a string, found a number
                                      ^^^^^^^^ expected a string, found an object
                                                                                        ^^^^ expected a string, found null
                                                                                                                         ^^^^^ expected `true` or `false`, found a string
"#,
        );
        check(&WRONG_TYPE, "\n[]\n^ expected an object, found a list\n");
    }

    #[test]
    fn broken_text_has_no_finding() {
        check(&WRONG_TYPE, r#"{ "name": , "cases": [ { "id": 01, "prompt": tru, "expected": } ] }"#);
    }

    #[test]
    fn many_equal_faults_of_a_case_end_in_one_finding_about_the_rest() {
        let entries = vec!["0"; MOST_FINDINGS + 500].join(",");
        let suite =
            format!(r#"{{"cases": [{{"id": "A", "prompt": "p", "expected": {{"must_say_any": [{entries}]}}}}]}}"#);
        let found = findings(&Setup::default(), &WRONG_TYPE, &suite);
        assert_eq!(found.len(), MOST_FINDINGS + 1);
        let rest: Vec<_> = found.iter().filter(|finding| finding.message.contains("is not listed")).collect();
        assert_eq!((rest.len(), rest[0].severity), (1, Severity::Error));
    }
}
