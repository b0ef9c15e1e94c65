use crate::diagnostic::{Edit, Fix, alternatives, quoted};
use crate::lints::{Check, Report, SuiteContext, declare_lint};
use crate::suite::Version;
use crate::syntax::encode;

declare_lint! {
    /// The suite's version does not exist.
    ///
    /// The version determines which keys a case may have. Supported versions are 0.1.x, 0.2.x and 0.3.x. A suite with
    /// another version is read as if it had no version, which may not be what its author intended. A newer eval-ls may know
    /// a later version.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "version": "1.0", "cases": [
    ///   { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } }
    /// ] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Use a supported version, or remove the key.
    ///
    /// ```json
    /// { "version": "0.3.0", "cases": [
    ///   { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } }
    /// ] }
    /// ```
    pub(crate) UNKNOWN_VERSION = "unknown-version", Error, Check::Suite(check);
}

fn check(cx: &SuiteContext<'_>, report: &mut Report) {
    let Some(field) = cx.suite.version.as_ref().filter(|field| Version::parse(&field.value).is_none()) else { return };
    if cx.root.find(field.span).is_some_and(|node| node.is_broken()) {
        return;
    }
    let known = alternatives(Version::ALL.map(Version::as_str));
    let newer = if is_later(&field.value) { "; a newer eval-ls may know it" } else { "" };
    let finding = report.add(field.span, format!("unknown version {}; expected {known}{newer}", quoted(&field.value)));
    let replace = |version: &str| vec![Edit::replace(field.span, encode(version))];
    let named = cx.version.from_file_name;
    if let Some(version) = named {
        finding.fix(Fix::new(format!("replace with `{version}`, as in the file name"), replace(version.as_str())));
    }
    let meant = meant(&field.value);
    let others = Version::ALL.into_iter().filter(|version| *version != meant);
    for version in std::iter::once(meant).chain(others).filter(|version| Some(*version) != named) {
        finding.fix(Fix::choice(format!("replace with `{version}`"), replace(version.as_str())));
    }
}

/// The version that is meant by `v0.3`, `0.3.0-rc1`, `0,3`, `.3` or `3`; the latest if it is none that is known.
fn meant(text: &str) -> Version {
    let is_digit = |c: char| c.is_ascii_digit();
    let number = text.trim_start_matches(|c| !is_digit(c)).replace([',', '_', '-'], ".");
    let number = if number.contains('.') { number } else { format!("0.{number}") };
    let is_meant =
        |version: &Version| number.strip_prefix(version.as_str()).is_some_and(|rest| !rest.starts_with(is_digit));
    Version::ALL.into_iter().find(is_meant).unwrap_or(Version::LATEST)
}

/// Whether this is a version after the latest that is known here.
fn is_later(version: &str) -> bool {
    let numbers = |text: &str| text.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>();
    numbers(version).is_some_and(|these| numbers(Version::LATEST.as_str()).is_some_and(|latest| these > latest))
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_VERSION;
    use crate::lints::tests::fixture::{check, fix_titles};

    #[test]
    fn unknown_versions_are_reported() {
        for (version, marker) in [
            (r#""0.4""#, r#"^^^^^ unknown version `0.4`; expected `0.1`, `0.2` or `0.3`; a newer eval-ls may know it"#),
            (r#""""#, r#"^^ unknown version `""`; expected"#),
            (r#""v0.2""#, r#"^^^^^^ unknown version `v0.2`; expected"#),
            (r#""0.20""#, r#"^^^^^^ unknown version `0.20`; expected"#),
            (r#""0.2.x""#, r#"^^^^^^^ unknown version `0.2.x`; expected"#),
        ] {
            check(&UNKNOWN_VERSION, &format!("{{ \"cases\": [], \"version\": {version} }}\n{:26}{marker}", ""));
        }
    }

    #[test]
    fn the_version_that_is_meant_is_proposed_first() {
        for (meant, versions) in [
            ("0.1", &["0.1-beta", ">=0.1"][..]),
            ("0.2", &["V0.2.1", "v.2", "2", "0_2", "version 0.2", "0.2.x"]),
            ("0.3", &["v0.3", "0.3.0-rc1", " 0.3", "0,3", ".3"]),
            // The latest.
            ("0.3", &["0.20", "0.10", "0.4", "1.0", "2024-01-01", "latest", ""]),
        ] {
            for version in versions {
                let titles = fix_titles(&UNKNOWN_VERSION, &format!(r#"{{ "cases": [], "version": "{version}" }}"#));
                assert_eq!(titles.len(), 3, "{version}");
                assert_eq!(titles[0], format!("replace with `{meant}`"), "{version}");
            }
        }
    }

    #[test]
    fn patches_and_wrong_types_have_no_finding() {
        for version in [r#""0.1""#, r#""0.2.0""#, r#""0.3.12""#, "0.2", "null", r#""0."#] {
            check(&UNKNOWN_VERSION, &format!("{{ \"cases\": [], \"version\": {version}"));
        }
        check(&UNKNOWN_VERSION, r#"{ "cases": [] }"#);
    }
}
