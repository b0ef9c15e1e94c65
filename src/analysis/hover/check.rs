//! Hover for an entry of a list: when its check passes. For a source: the phrases that mention it, and where they are defined. Hover for
//! the verdict on the last answer, and for the row of a case or check in the table of challenges.

use std::collections::HashSet;

use crate::analysis::challenges::{case_lines, check_lines};
use crate::analysis::verdicts::{JudgedCase, JudgedCheck, case_page};
use crate::checks::{CheckOutcome, Evidence, EvidencePlace};
use crate::suite::{Group, built_in_source};
use crate::text::LineColumn;
use crate::wording::{Line, Markup, cut};

use super::HoverContext;

impl HoverContext<'_> {
    /// Explains an entry of a list in `expected`.
    pub(super) fn entry(&self, field: &str, text: &str, page: &mut Markup) {
        let is_string = self.cursor.node.as_str().is_some();
        if is_string && text.is_empty() && field != "must_ground_numbers" {
            return page.paragraph(Line::new("An empty string is ignored."));
        }
        let [check] = self.checks_here()[..] else { return self.field(page) };
        let check = &self.checks[check];
        let condition = check.rule.explain(self.config);
        page.paragraph(condition.map_or_else(|| Line::default().code(text), |it| Line::default().message(&it)));
        page.paragraph(Line::new("Check ").code(&check.id).say("."));
        if let Some(group) = check.group {
            self.counted_in(group, 1, page);
        }
    }
}

/// The maximum number of listed phrases. More would push the rest of the hover out of sight.
const SHOWN_PHRASES: usize = 16;

impl HoverContext<'_> {
    /// Explains a source.
    pub(super) fn source(&self, name: &str, page: &mut Markup) {
        if name.is_empty() {
            return page.paragraph(Line::new("An empty string is ignored."));
        }
        page.paragraph(self.phrases(name));
        let Some((case, _)) = self.case() else { return };
        let required = case.case.expected.required_sources.iter().flat_map(|list| list.entries());
        match required.filter(|source| source.value == name).count() {
            0 => page.paragraph(Line::new("`required_sources` does not list it, so it is not checked.")),
            count => self.counted_in(Group::SynthesisCoverage, count, page),
        }
    }

    /// Explains a phrase of `source_patterns`.
    pub(super) fn source_phrase(&self, source: &str, phrase: &str, page: &mut Markup) {
        if phrase.is_empty() {
            return page.paragraph(Line::new("An empty string is ignored."));
        }
        let line = Line::new("A response that contains ").code(phrase).say(", ignoring case, mentions the source ");
        page.paragraph(line.code(source).say(". It is a phrase, not a pattern."));
        page.paragraph(self.phrases(source));
    }

    /// The phrases that mention a source, and where they are defined.
    fn phrases(&self, name: &str) -> Line {
        let given = self.case().and_then(|(case, _)| {
            case.case.expected.source_patterns.as_ref()?.value.iter().rev().find(|given| given.source.value == name)
        });
        let described = |phrases: Vec<&str>, from: &str| match phrases.as_slice() {
            [] => {
                let line = Line::new("The source ").code(name);
                line.say(format!(" has an empty list of phrases ({from}), so the check fails."))
            }
            phrases => Line::new("A response mentions the source ")
                .code(name)
                .say(" if it contains ")
                .list(phrases.iter().copied(), "or", SHOWN_PHRASES)
                .say(format!(" ({from}).")),
        };
        if let Some(given) = given {
            let phrases = given.patterns.entries().map(|entry| entry.value.as_str()).collect();
            return described(phrases, "from `source_patterns`");
        }
        if let Some(source) = self.config.sources.get(name) {
            let phrases = source.patterns.iter().map(String::as_str).filter(|phrase| !phrase.is_empty()).collect();
            return described(phrases, "from `[sources]` in `eval-ls.toml`");
        }
        match built_in_source(name) {
            Some(phrases) => described(phrases.to_vec(), "built in"),
            None => described(vec![name], "its name, because it has no phrases"),
        }
    }
}

/// The most lines of an answer in a hover. More would push the rest of the hover out of sight.
const ANSWER_LINES: usize = 12;
/// The longest line of an answer in a hover, in code points. Three lines of a hover.
const ANSWER_LINE: usize = 240;

impl HoverContext<'_> {
    /// Adds the verdict on the whole case, with the arithmetic of the score.
    pub(super) fn verdict(&self, page: &mut Markup) {
        if let Some(verdict) = self.verdict.as_deref() {
            let id = self.cursor.case.and_then(|case| case.case.id.as_ref());
            let is_stored = id.is_some_and(|id| self.answers.is_stored(&id.value));
            page.append(case_page(verdict, is_stored, self.now));
        }
    }

    /// The results of the checks that the text under the cursor makes.
    fn results_here<'v>(&self, verdict: &'v JudgedCase) -> Vec<JudgedCheck<'v>> {
        let here = self.checks_here();
        let wanted: HashSet<_> = here.iter().map(|index| (self.checks[*index].span, &self.checks[*index].id)).collect();
        let is_here =
            |check: &JudgedCheck<'_>| check.span.is_some_and(|span| wanted.contains(&(span, &check.result.id)));
        verdict.checks().filter(is_here).collect()
    }

    /// Whether the text under the cursor is a check that fails.
    pub(super) fn fails_here(&self) -> bool {
        let results = self.verdict.as_deref().map(|verdict| self.results_here(verdict)).unwrap_or_default();
        matches!(results.as_slice(), [only] if only.result.outcome == CheckOutcome::Failed)
    }

    /// Adds the results of the checks that the text under the cursor makes.
    pub(super) fn verdict_here(&self, page: &mut Markup) {
        let Some(verdict) = self.verdict.as_deref() else { return };
        let here = self.checks_here();
        let results = self.results_here(verdict);
        let line = Line::default().strong("Last answer").say(staleness(verdict)).say(": ");
        match results.as_slice() {
            [] => {}
            [only] => {
                page.paragraph(line.then(result(only)).say("."));
                let is_about_response = here.iter().any(|index| self.checks[*index].is_about_response());
                if only.result.outcome == CheckOutcome::Failed && is_about_response {
                    answer(verdict, only, page);
                }
            }
            several => {
                let passed = several.iter().filter(|check| check.result.outcome == CheckOutcome::Passed).count();
                page.paragraph(line.say(format!("{passed} of {} passed.", several.len())));
            }
        }
    }
}

/// The result of a check and its evidence.
fn result(check: &JudgedCheck<'_>) -> Line {
    let outcome = match check.result.outcome {
        CheckOutcome::Passed => "passed, ",
        CheckOutcome::Failed => "failed, ",
        CheckOutcome::Unknown => "undecided, ",
        CheckOutcome::NotJudged => "could not be judged, ",
    };
    let line = Line::new(outcome).message(&check.result.message);
    let line = check.result.evidence.iter().take(1).fold(line, |line, evidence| line.say(": ").code(&evidence.text));
    check.result.nearest.iter().take(1).fold(line, |line, nearest| line.say("; nearest is ").then(place(nearest)))
}

/// Adds the answer: all of it if it is short, else the lines around the evidence or what is nearest.
fn answer(verdict: &JudgedCase, check: &JudgedCheck<'_>, page: &mut Markup) {
    let Ok(transcript) = &verdict.answer.transcript else { return };
    let lines: Vec<&str> = transcript.response.lines().collect();
    let shown = check.result.evidence.first().or(check.result.nearest.first());
    let line = match shown.map(|evidence| evidence.place) {
        Some(EvidencePlace::Response(LineColumn { line, .. })) => line - 1,
        Some(EvidencePlace::Telemetry { .. } | EvidencePlace::Page { .. }) | None => 0,
    };
    let first = line.saturating_sub(ANSWER_LINES / 2).min(lines.len().saturating_sub(ANSWER_LINES));
    let last = lines.len().min(first + ANSWER_LINES);
    let title = match (lines.len(), last - first) {
        (0, _) => return page.paragraph(Line::new("The answer is empty.")),
        (all, shown) if all == shown => "Answer:".to_owned(),
        (all, _) => format!("Answer, lines {} to {last} of {all}:", first + 1),
    };
    page.paragraph(Line::new(title));
    page.code_block(&lines[first..last].iter().map(|line| cut(line, ANSWER_LINE)).collect::<Vec<_>>().join("\n"));
}

/// ``line 12: `GitHub: 12` ``
fn place(evidence: &Evidence) -> Line {
    let place = match evidence.place {
        EvidencePlace::Response(LineColumn { line, .. }) => format!("line {line}: "),
        EvidencePlace::Page { page: LineColumn { line, .. } } => format!("page, line {line}: "),
        EvidencePlace::Telemetry { event } => format!("event {event}: "),
    };
    Line::new(place).code(&evidence.text)
}

fn staleness(verdict: &JudgedCase) -> &'static str {
    if verdict.is_stale() { " (stale)" } else { "" }
}

impl HoverContext<'_> {
    /// Adds the row of the case.
    pub(super) fn challenges_of_case(&self, page: &mut Markup) {
        let Some((judged, case)) = self.challenges.as_deref().zip(self.cursor.case) else { return };
        let id = case.case.id.as_ref().map_or("", |id| &id.value);
        case_lines(id, judged, &self.config.challenge, page);
    }

    /// Adds the row of the check that the text under the cursor makes, if it makes one.
    pub(super) fn challenges_here(&self, page: &mut Markup) {
        let Some(judged) = self.challenges.as_deref() else { return };
        if let [only] = self.checks_here()[..]
            && let Some(check) = judged.checks.get(only)
        {
            check_lines(judged, check, page);
        }
    }
}
