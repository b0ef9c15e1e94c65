use std::collections::HashSet;

use strsim::osa_distance;

use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::{BUILT_IN_SOURCES, List, built_in_source};
use crate::syntax::encode;
use crate::text::fold;

declare_lint! {
    /// A required source looks misspelt.
    ///
    /// No phrases are defined for it, so the response must say its exact name. The name differs in one letter from a source with
    /// phrases, or from one that the suites require more often.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "required_sources": ["gihtub", "slack "] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Use the name of the source. A new source gets phrases under `source_patterns`, or under `[sources]` in `eval-ls.toml`.
    ///
    /// ```json
    /// { "required_sources": ["github", "slack"] }
    /// ```
    pub(crate) MISSPELT_SOURCE = "misspelt-source", Warning, Check::Case(check);
}

/// How often suites must require the other source. Fewer can be the slip.
const OFTEN: usize = 3;

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let given = given_sources(cx);
    for source in cx.case.expected.required_sources.iter().flat_map(List::entries) {
        if report.is_full() {
            return;
        }
        let Some(meant) = misspelt(cx, &given, &source.value) else { continue };
        let message = format!(
            "no phrases are defined for the source {}; did you mean {}?",
            quoted(&source.value),
            quoted(&meant)
        );
        let fix =
            Fix::new(format!("replace with {}", quoted(&meant)), vec![Edit::replace(source.span, encode(&meant))]);
        report.add(source.span, message).fix(fix);
    }
}

/// The names in `source_patterns`.
pub(super) fn given_sources<'a>(cx: &CaseContext<'a>) -> HashSet<&'a str> {
    let given = cx.case.expected.source_patterns.iter().flat_map(|patterns| &patterns.value);
    given.map(|given| given.source.value.as_str()).collect()
}

/// The source that was meant, if `source` is a misspelling. `given` are the [`given_sources`].
pub(super) fn misspelt(cx: &CaseContext<'_>, given: &HashSet<&str>, source: &str) -> Option<String> {
    let is_defined =
        |name: &str| given.contains(name) || cx.workspace.sources.contains_key(name) || built_in_source(name).is_some();
    let named = |name: &str| cx.workspace.named_sources.get(name).copied().unwrap_or_default();
    if source.trim().is_empty() || is_defined(source) || named(source) > 1 {
        return None;
    }
    let often = cx.workspace.named_sources.iter().filter(|(_, times)| **times >= OFTEN).map(|(name, _)| name.as_str());
    let built_in = BUILT_IN_SOURCES.iter().map(|(name, _)| *name);
    // A name in `source_patterns` alone proves little: `unused-member` compares those.
    let defined = cx.workspace.sources.keys().map(String::as_str).chain(built_in);
    let wanted = fold(source.trim());
    let is_near = |other: &&str| {
        let other = fold(other);
        let length = wanted.chars().count().min(other.chars().count());
        // A plural is the same source; among short names many are near.
        wanted == other || (length >= 4 && osa_distance(&wanted, &other) <= if length >= 8 { 2 } else { 1 })
    };
    let mut near: Vec<&str> = defined.chain(often).filter(|other| *other != source).filter(is_near).collect();
    near.sort_by_key(|other| osa_distance(&wanted, &fold(other)));
    near.first().map(|meant| (*meant).to_owned())
}

#[cfg(test)]
mod tests {
    use super::MISSPELT_SOURCE;
    use crate::lints::Workspace;
    use crate::lints::tests::fixture::{Setup, check_fix_in, check_lines, flagged_in};

    #[test]
    fn near_a_source_with_phrases() {
        check_lines(
            &MISSPELT_SOURCE,
            r#"
            { "required_sources": [«"gihtub"», «"git hub"», «"jlack"», «"posthgo"», «"black"»] }
            { "required_sources": ["GitHub", "gitlab", "stock", "crm", " "] }
            { "required_sources": ["slak"], "source_patterns": { "slak": ["slack:"] } }
            { "required_sources": [«"vercel "»] }
            → { "required_sources": ["vercel"] }
            "#,
        );
    }

    #[test]
    fn near_a_source_of_the_workspace_and_of_the_suites() {
        let suite = r#"{ "cases": [ { "expected": { "required_sources": ["calender"] } } ] }"#;
        let fixed = suite.replace("calender", "calendar");
        let configured =
            Workspace { sources: [("calendar".to_owned(), vec!["slots".to_owned()])].into(), ..Workspace::default() };
        let named =
            |times| Workspace { named_sources: [("calendar".to_owned(), times)].into(), ..Workspace::default() };
        for workspace in [configured, named(3)] {
            check_fix_in(&Setup { workspace, ..Setup::default() }, &MISSPELT_SOURCE, suite, &fixed);
        }
        let setup = Setup { workspace: named(2), ..Setup::default() };
        assert_eq!(flagged_in(&setup, &MISSPELT_SOURCE, suite), [] as [&str; 0]);
    }
}
