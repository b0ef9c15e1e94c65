use crate::diagnostic::{Edit, Fix};
use crate::lints::{Check, Report, SuiteContext, declare_lint};
use crate::suite::Version;
use crate::syntax::encode;

declare_lint! {
    /// The suite's version differs from the version in its file name.
    ///
    /// `version` takes effect. People and scripts that rely on the file name will misread the version.
    ///
    /// ## Example
    ///
    /// ```json file=workshop.v0.3.json
    /// { "version": "0.2.0", "cases": [
    ///   { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } }
    /// ] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Change `version`, or rename the file.
    ///
    /// ```json file=workshop.v0.3.json
    /// { "version": "0.3.0", "cases": [
    ///   { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } }
    /// ] }
    /// ```
    pub(crate) VERSION_MISMATCH = "version-mismatch", Warning, Check::Suite(check);
}

fn check(cx: &SuiteContext<'_>, report: &mut Report) {
    let Some(field) = &cx.suite.version else { return };
    let (Some(declared), Some(named)) = (Version::parse(&field.value), cx.version.from_file_name) else { return };
    if declared != named {
        let patch = if field.value.matches('.').count() > 1 { ".0" } else { "" };
        let version = format!("{named}{patch}");
        let fix = Fix::choice(
            format!("replace with `{version}`, as in the file name"),
            vec![Edit::replace(field.span, encode(&version))],
        );
        report.add(field.span, format!("the version is {declared} here, but {named} in the file name")).fix(fix);
    }
}

#[cfg(test)]
mod tests {
    use super::VERSION_MISMATCH;
    use crate::lints::tests::fixture::{Setup, check_in};

    fn check(file: &str, fixture: &str) {
        check_in(&Setup { file: Some(file), ..Setup::default() }, &VERSION_MISMATCH, fixture);
    }

    #[test]
    fn patches_are_not_compared() {
        check(
            "evals/brief.v0.2.json",
            r#"
{ "version": "0.3.1", "cases": [] }
             ^^^^^^^ the version is 0.3 here, but 0.2 in the file name
"#,
        );
        check("evals/brief.v0.2.json", r#"{ "version": "0.2.7", "cases": [] }"#);
        check("evals/brief.v0.2.json", r#"{ "version": "0.2", "cases": [] }"#);
    }

    #[test]
    fn a_single_version_has_no_finding() {
        for (file, suite) in [
            ("brief.v0.2.json", r#"{ "cases": [] }"#),
            ("brief.v0.2.json", r#"{ "version": "0.9", "cases": [] }"#),
            ("brief.v0.2.json", r#"{ "version": 0.3, "cases": [] }"#),
            ("brief.json", r#"{ "version": "0.3", "cases": [] }"#),
            ("brief.v1.4.json", r#"{ "version": "0.3", "cases": [] }"#),
            ("v0.2/brief.json", r#"{ "version": "0.3", "cases": [] }"#),
        ] {
            check(file, suite);
        }
    }
}
