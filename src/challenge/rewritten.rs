//! How a case judges the rewrites of its transcript.

use std::borrow::Cow;
use std::sync::Arc;

use crate::checks::CheckOutcome;
use crate::config::Config;
use crate::suite::{Case, Expectation, ExpectationKind as Kind};
use crate::transcript::Transcript;
use crate::verdict;

use super::answers::without_pages;
use super::rewrites::Rewrite;

/// A transcript and its rewrites.
#[derive(Debug)]
pub(super) struct Rewritten {
    /// `None` if the case has no transcript.
    own: Option<Transcript>,
    /// The rewritten answers, and why the others were left out.
    answers: Vec<(Rewrite, Result<Transcript, &'static str>)>,
}

/// Which checks pass a rewrite.
pub(super) struct Passes<'r> {
    pub(super) rewrite: &'r Rewrite,
    /// One for each check.
    pub(super) checks: Vec<bool>,
}

impl Rewritten {
    /// The rewrites of a transcript: the built-in ones, and those of the workspace's own.
    pub(super) fn of(transcript: Option<&Transcript>, config: &Config) -> Rewritten {
        let Some(transcript) = transcript else { return Rewritten { own: None, answers: Vec::new() } };
        let own = without_pages(transcript);
        let is_snapshot = is_snapshot(&own.response);
        let answer = |rewrite: &Rewrite| {
            let response = rewrite.of(&own.response, is_snapshot)?;
            Ok(Transcript { response, ..without_pages(transcript) })
        };
        let listed = config.challenge.rewrites.iter().map(|own| Rewrite::Own(Arc::clone(own)));
        let rewrites = Rewrite::ALL.into_iter().chain(listed);
        let tried = |rewrite: Rewrite| {
            let answer = answer(&rewrite);
            (rewrite, answer)
        };
        Rewritten { answers: rewrites.map(tried).collect(), own: Some(own) }
    }

    /// Every rewrite, with the reason if it was left out.
    pub(super) fn tried(&self) -> Vec<(Rewrite, Option<&'static str>)> {
        self.answers.iter().map(|(rewrite, answer)| (rewrite.clone(), answer.as_ref().err().copied())).collect()
    }

    /// The transcript itself, without its pages.
    pub(super) fn own(&self) -> Option<&Transcript> {
        self.own.as_ref()
    }

    /// The rewritten answers.
    pub(super) fn answers(&self) -> impl Iterator<Item = (&Rewrite, &Transcript)> {
        self.answers.iter().filter_map(|(rewrite, answer)| Some((rewrite, answer.as_ref().ok()?)))
    }

    /// Which checks pass each rewrite.
    pub(super) fn passes(&self, case: &Case, asked: &[Expectation<'_>], config: &Config) -> Vec<Passes<'_>> {
        let answers = self.answers();
        answers.map(|(rewrite, answer)| Passes { rewrite, checks: passes(case, asked, answer, config) }).collect()
    }
}

/// Which checks pass an answer.
pub(super) fn passes(case: &Case, asked: &[Expectation<'_>], answer: &Transcript, config: &Config) -> Vec<bool> {
    let verdict = verdict::judge_outcomes(case, asked, answer, config);
    verdict.checks.iter().map(|check| check.outcome == CheckOutcome::Passed).collect()
}

/// Whether a check ought to pass this rewrite of an answer that it passes. It looks at the answer, and not for the form that the
/// rewrite changes.
pub(super) fn is_meant(rewrite: &Rewrite, asked: &Expectation<'_>) -> bool {
    let changes_marks = rewrite.is_of_lines() || is_of_marks(rewrite);
    let pattern: Cow<'_, str> = match &asked.kind {
        Kind::MustMatchRegex { pattern } | Kind::MustNotMatchRegex { pattern } => (*pattern).into(),
        Kind::RequiredLevers { pattern, .. } | Kind::EvidenceFreshness { pattern, .. } => (*pattern).into(),
        Kind::Number { item } => item.regex.as_ref().map_or("", |regex| regex.value.as_str()).into(),
        Kind::ClaimEvidenceAlignment { claim, evidence, alignment } => [*claim, *evidence, *alignment].concat().into(),
        // The definition of a hint is about the page.
        Kind::Ui { .. } => return false,
        Kind::MustNotSay { phrase } => return !(changes_marks && has_marks(phrase)),
        Kind::MustSayAny { phrases } => return !(changes_marks && phrases.iter().any(|phrase| has_marks(phrase))),
        kind => return kind.is_about_response(),
    };
    !(changes_marks && is_about_form(&pattern))
}

/// Whether a phrase has a mark of Markdown.
fn has_marks(phrase: &str) -> bool {
    phrase.contains(['*', '`', '|', '#']) || phrase.trim_start().starts_with("- ")
}

/// Whether a rewrite adds marks of Markdown.
fn is_of_marks(rewrite: &Rewrite) -> bool {
    matches!(rewrite, Rewrite::BoldNumbers | Rewrite::BoldLabels)
}

/// Whether a pattern is about marks of Markdown: the mark of a list, a table, a heading, emphasis or code.
fn is_about_form(pattern: &str) -> bool {
    ["[-*", "[*-", "^-", "^[-", r"\*", r"\|", r"\-\s", "^#", "#+", "`", r"\d+\.\s", r"[0-9]+\."]
        .into_iter()
        .any(|mark| pattern.contains(mark))
}

/// Whether an answer is the snapshot of a page: a list whose entries begin with the roles of its nodes.
pub(super) fn is_snapshot(answer: &str) -> bool {
    const ROLES: [&str; 24] = [
        "text",
        "paragraph",
        "link",
        "button",
        "heading",
        "list",
        "listitem",
        "textbox",
        "main",
        "article",
        "generic",
        "img",
        "row",
        "document",
        "banner",
        "navigation",
        "complementary",
        "region",
        "form",
        "table",
        "dialog",
        "log",
        "status",
        "group",
    ];
    let mut lines = answer.lines().map(str::trim_start).filter(|line| !line.is_empty()).peekable();
    let role = |line: &str| {
        let line = line.strip_prefix("- ").unwrap_or_default();
        let end = line.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(line.len());
        ROLES.contains(&&line[..end]) && line[end..].starts_with([':', ' '])
            || (end > 0 && end == line.len() && ROLES.contains(&line))
    };
    lines.peek().is_some_and(|line| role(line)) && lines.all(|line| line.starts_with("- ") || line.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_no_snapshot() {
        assert!(is_snapshot("- heading \"Signals\" [level=2]\n- list:\n  - listitem: 12\n    - /url: /x"));
        assert!(is_snapshot("- paragraph: There are 12 commits."));
        assert!(!is_snapshot("- Book the slot on Thursday\n- Call Ada"));
        assert!(!is_snapshot("- text\nand more"));
        assert!(!is_snapshot(""));
    }

    #[test]
    fn a_pattern_about_marks_is_about_form() {
        for pattern in [r"(?im)^(?:[-*]|[0-9]+\.)\s+.+", r"\*\*Total\*\*", r"^- listitem", r"^## Signals", r"\| 12 \|"]
        {
            assert!(is_about_form(pattern), "{pattern}");
        }
        assert!(["**", "| 12", "- one", "```"].iter().all(|phrase| has_marks(phrase)));
        assert!(!has_marks("12 bikes - free"));
        for pattern in [r"^\W*Signals", r"[0-9]+ open", "(?i)evidence|source", r"\b12\b"] {
            assert!(!is_about_form(pattern), "{pattern}");
        }
    }
}
