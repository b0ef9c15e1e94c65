use crate::checks::Response;
use crate::diagnostic::{Cause, Severity, quoted};
use crate::lints::declare::declare_lint;
use crate::lints::facts::claims::{Claim, claims};
use crate::lints::{CaseContext, Check, PromptWords, Report};
use crate::pattern::Budget;
use crate::suite::List;

declare_lint! {
    /// The prompt's own words pass a check.
    ///
    /// A web app shows the prompt on the page, and the response of a browser target is the page. A check that the prompt meets
    /// then passes without an answer. One finding lists such checks of all cases.
    ///
    /// The level is a hint if all live targets of the workspace return the answer alone. With `prompt_counts = false` under
    /// `[scoring]` the prompt's text is not evidence, and nothing is reported.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "id": "BOOK1", "prompt": "Book a slot on Thursday.", "expected": { "must_say_any": ["thursday"] } }
    /// ```
    ///
    /// ## Fix
    ///
    /// Set `prompt_counts = false` under `[scoring]` in `eval-ls.toml`, or ask for words that only an answer has.
    ///
    /// ```json
    /// { "id": "BOOK1", "prompt": "Book a slot on Thursday.", "expected": { "must_say_any": ["Booked: Thursday"] } }
    /// ```
    pub(crate) SAID_BY_PROMPT = "said-by-prompt", Warning, Check::Case(check);
}

/// The finding names so many other checks at most. One line of a terminal.
const MOST: usize = 12;

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(prompt) = &cx.case.prompt else { return };
    if cx.workspace.prompt_words() == PromptWords::Ignored || prompt.value.trim().is_empty() {
        return;
    }
    let setup = cx.case.setup_prompts.iter().flat_map(List::entries).map(|entry| entry.value.as_str());
    let said = setup.chain([prompt.value.as_str()]).collect::<Vec<_>>().join("\n");
    let said = Response::of_text(&said, cx.workspace.reading());
    let budget = Budget::default();
    let claims = claims(cx);
    let wanted: Vec<&Claim<'_>> = claims.iter().filter(|claim| !claim.is_forbidden).collect();
    let met: Vec<&Claim<'_>> = wanted.iter().copied().filter(|claim| claim.holds_in(&said, &budget)).collect();
    let Some((first, rest)) = met.split_first() else { return };
    let message = match rest.len() {
        0 => "the prompt's own words pass this check".to_owned(),
        others => format!("the prompt's own words pass this check and {others} more of this case"),
    };
    let finding =
        report.add(first.span, format!("{message}; set `prompt_counts = false` in `eval-ls.toml`, or ask for more"));
    finding.because(Cause::PromptCounts).also(prompt.span, "the prompt");
    for other in rest.iter().take(MOST) {
        finding.also(other.span, format!("{} is in the prompt too", quoted(&other.shown)));
    }
    if cx.workspace.prompt_words() == PromptWords::NotShown {
        finding.severity = Severity::Hint;
    }
}

#[cfg(test)]
mod tests {
    use super::SAID_BY_PROMPT;
    use crate::diagnostic::Severity;
    use crate::lints::testing::{Setup, findings, flagged_in};
    use crate::lints::{PromptWords, Workspace};

    fn suite(expected: &str) -> String {
        format!(
            r#"{{ "cases": [ {{ "id": "A", "setup_prompts": ["Open the GitHub board."], "prompt": "List 12 bikes:\nRisk: high", "expected": {expected} }} ] }}"#
        )
    }

    #[test]
    fn finds_each_kind_of_check_that_the_prompt_meets() {
        for (expected, found) in [
            (r#"{ "must_say_any": ["x", "BIKES"] }"#, r#"["x", "BIKES"]"#),
            (r#"{ "required_sources": ["github"] }"#, r#""github""#),
            (r#"{ "must_ground_numbers": ["12"] }"#, r#""12""#),
            (r#"{ "must_ground_numbers": [{ "regex": "[0-9]+" }] }"#, r#"{ "regex": "[0-9]+" }"#),
            (r#"{ "must_match_regex": ["^risk: (high|low)$"] }"#, r#""^risk: (high|low)$""#),
            (r#"{ "must_allow_override_actions": ["list"] }"#, r#""list""#),
            (r#"{ "must_label_assumptions": true, "assumption_markers_any": ["risk"] }"#, "true"),
        ] {
            assert_eq!(flagged_in(&Setup::default(), &SAID_BY_PROMPT, &suite(expected)), [found], "{expected}");
        }
        for expected in [
            r#"{ "must_say_any": ["cars"] }"#,
            r#"{ "must_not_say": ["bikes"], "must_not_match_regex": ["bikes"] }"#,
            r#"{ "must_ground_numbers": [{ "value": "12", "context_any": ["cars"] }] }"#,
            r#"{ "must_match_regex": ["bikes.*Risk", "("] }"#,
            r#"{ "tool_calls_any": ["List"] }"#,
        ] {
            let found = flagged_in(&Setup::default(), &SAID_BY_PROMPT, &suite(expected));
            assert_eq!(found, [] as [&str; 0], "{expected}");
        }
    }

    #[test]
    fn one_finding_names_them_all() {
        let suite = suite(
            r#"{ "must_say_any": ["bikes"], "must_match_regex": ["Risk", "new"], "required_sources": ["github"] }"#,
        );
        let found = findings(&Setup::default(), &SAID_BY_PROMPT, &suite);
        assert_eq!(found.len(), 1);
        assert!(found[0].message.contains("and 2 more"), "{}", found[0].message);
        assert_eq!(found[0].related.len(), 3);
    }

    #[test]
    fn the_level_depends_on_the_targets() {
        let severities = |prompt_words| -> Vec<_> {
            let setup = Setup { workspace: Workspace { prompt_words, ..Workspace::default() }, ..Setup::default() };
            let found = findings(&setup, &SAID_BY_PROMPT, &suite(r#"{ "must_say_any": ["bikes"] }"#));
            found.iter().map(|finding| finding.severity).collect()
        };
        assert_eq!(severities(PromptWords::Shown), [Severity::Warning]);
        assert_eq!(severities(PromptWords::NotShown), [Severity::Hint]);
        assert_eq!(severities(PromptWords::Ignored), []);
    }
}
