use crate::checks::Response;
use crate::diagnostic::{Cause, Severity, quoted};
use crate::lints::facts::claims::{Claim, claims};
use crate::lints::{CaseContext, Check, PromptWords, Report, declare_lint};
use crate::pattern::Budget;
use crate::suite::List;

declare_lint! {
    /// The prompt's own words pass a check.
    ///
    /// An answer that repeats the prompt or a setup prompt then passes the check. That may be right, for example if a case asks what the assistant
    /// remembers, so the level is a hint. One finding lists such checks of all cases.
    ///
    /// With `prompt_counts = true` under `[scoring]`, the page of a web app passes such a check without an answer, because it
    /// shows the prompt. Then the level is a warning. By default, the prompt's text on a page is not evidence, and with `prompt_counts = false` it is not
    /// evidence in any answer. Then nothing is reported.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "id": "BOOK1", "prompt": "Book a slot on Thursday.", "expected": { "must_say_any": ["thursday"] } }
    /// ```
    ///
    /// ## Fix
    ///
    /// Ask for words that only an answer has, and leave `prompt_counts = true` out of `eval-ls.toml`.
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
    if cx.workspace.prompt_words == PromptWords::Ignored || prompt.value.trim().is_empty() {
        return;
    }
    let setup = cx.case.setup_prompts.iter().flat_map(List::entries).map(|entry| entry.value.as_str());
    let said = setup.chain([prompt.value.as_str()]).collect::<Vec<_>>().join("\n");
    let said = Response::of_text(&said, cx.workspace.reading);
    let budget = Budget::default();
    let claims = claims(cx);
    let wanted: Vec<&Claim<'_>> = claims.iter().filter(|claim| !claim.is_forbidden).collect();
    let met: Vec<&Claim<'_>> = wanted.iter().copied().filter(|claim| claim.holds_in(&said, &budget)).collect();
    let Some((first, rest)) = met.split_first() else { return };
    let checks = match rest.len() {
        0 => "this check".to_owned(),
        others => format!("this check and {others} more of this case"),
    };
    let (message, cause) = match cx.workspace.prompt_words {
        PromptWords::Shown => (
            format!(
                "the prompt's own words pass {checks}; set `prompt_counts = false` in `eval-ls.toml`, or ask for more"
            ),
            Cause::PromptCounts,
        ),
        PromptWords::Repeated | PromptWords::Ignored => (
            format!("an answer that repeats the prompt passes {checks}; ask for words that only an answer has"),
            Cause::PromptRepeated,
        ),
    };
    let finding = report.add(first.span, message);
    finding.because(cause).also(prompt.span, "the prompt");
    for other in rest.iter().take(MOST) {
        finding.also(other.span, format!("{} is in the prompt too", quoted(&other.shown)));
    }
    if cx.workspace.prompt_words == PromptWords::Repeated {
        finding.severity = Severity::Hint;
    }
}

#[cfg(test)]
mod tests {
    use super::SAID_BY_PROMPT;
    use crate::diagnostic::Severity;
    use crate::lints::tests::fixture::{Setup, findings, flagged_in};
    use crate::lints::{PromptWords, Workspace};

    fn suite(expected: &str) -> String {
        format!(
            r#"{{ "cases": [ {{ "id": "A", "setup_prompts": ["Open the GitHub board."], "prompt": "List 12 bikes:\nRisk: high", "expected": {expected} }} ] }}"#
        )
    }

    #[test]
    fn finds_each_kind_of_check_that_the_prompt_meets() {
        let lines = r#"
            { "must_say_any": «["x", "BIKES"]» }
            { "required_sources": [«"github"»] }
            { "must_ground_numbers": [«"12"»] }
            { "must_ground_numbers": [«{ "regex": "[0-9]+" }»] }
            { "must_match_regex": [«"^risk: (high|low)$"»] }
            { "must_allow_override_actions": [«"list"»] }
            { "must_label_assumptions": «true», "assumption_markers_any": ["risk"] }
            { "must_say_any": ["cars"] }
            { "must_not_say": ["bikes"], "must_not_match_regex": ["bikes"] }
            { "must_ground_numbers": [{ "value": "12", "context_any": ["cars"] }] }
            { "must_match_regex": ["bikes.*Risk", "("] }
            { "tool_calls_any": ["List"] }
        "#;
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let suite = suite(&line.replace(['«', '»'], ""));
            let marked = line.split('«').skip(1).filter_map(|rest| rest.split('»').next());
            let found = flagged_in(&Setup::default(), &SAID_BY_PROMPT, &suite);
            assert_eq!(found, marked.collect::<Vec<_>>(), "{line}");
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
        let remembered = r#"{ "cases": [ { "id": "A", "setup_prompts": ["I am Ann Miller."], "prompt": "Who am I?", "expected": { "must_say_any": ["Ann Miller"] } } ] }"#;
        let found = findings(&Setup::default(), &SAID_BY_PROMPT, remembered);
        assert_eq!((found.len(), found[0].severity, &found[0].fixes), (1, Severity::Hint, &Vec::new()));
        assert!(found[0].message.starts_with("an answer that repeats the prompt passes"), "{}", found[0].message);
        assert_eq!(severities(PromptWords::Shown), [Severity::Warning]);
        assert_eq!(severities(PromptWords::Repeated), [Severity::Hint]);
        assert_eq!(severities(PromptWords::Ignored), []);
    }
}
