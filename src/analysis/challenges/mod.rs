//! Challenges of the text as it is now: each case judged with answers that it ought to fail.
//!
//! `challenge::challenge` is the one function that challenges. The results are kept with the case for as long as its text,
//! the answers and the configuration stay the same, so that a keystroke challenges one case.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::challenge::{
    Beside, CaseChallenges, Challenge, ChallengeSummary, Change, CheckChallenges, Proposal, Remedy, Sample,
    Surroundings, challenge, others, propose,
};
use crate::config::{ChallengeConfig, Config};
use crate::diagnostic::Edit;
use crate::suite::Case;
use crate::text::{Span, counted};
use crate::transcript::Transcript;
use crate::wording::{Line, Markup, cut, plain};

use super::verdicts::Answer;
use super::{Answers, Document};

/// What a case is challenged with, beside its text.
#[derive(Clone, Debug)]
pub(super) struct Challengers {
    own: Option<Arc<Answer>>,
    others: Vec<Arc<Answer>>,
    config: Arc<Config>,
}

/// The challenges of a document's cases. Each case is judged when it is asked for.
#[derive(Debug)]
pub(crate) struct Challenges<'d> {
    document: &'d Document,
    answers: &'d Answers,
    /// The indexes of the cases with a transcript.
    with_transcript: Vec<usize>,
}

impl Document {
    /// The challenges of the cases, with these answers.
    pub(crate) fn challenges<'d>(&'d self, answers: &'d Answers) -> Challenges<'d> {
        let mut challenges = Challenges { document: self, answers, with_transcript: Vec::new() };
        if answers.iter().next().is_some() {
            let cases = 0..self.suite().cases.len();
            challenges.with_transcript = cases.filter(|index| challenges.answer(*index).is_some()).collect();
        }
        challenges
    }
}

impl<'d> Challenges<'d> {
    /// The challenges of the case with that index; `None` if there is no such case, or if a syntax error breaks it.
    pub(crate) fn of(&self, index: usize) -> Option<Arc<CaseChallenges>> {
        let placed = self.document.suite().cases.get(index)?;
        let results = self.document.results().get(index)?;
        (!results.is_broken).then(|| results.challenges(&placed.case, self.challengers(index)))
    }

    /// The counts over all cases. Judges all of them.
    pub(crate) fn summary(&self) -> ChallengeSummary {
        let mut summary = ChallengeSummary::default();
        for index in 0..self.document.suite().cases.len() {
            if let Some(judged) = self.of(index) {
                let samples = self.document.samples_of_case(index, self.answers).unwrap_or_default();
                summary.add(self.id(index), &judged, &samples, &self.answers.config().challenge);
            }
        }
        summary
    }

    /// The checks to add to a case by its answer; `None` without an answer, or if the case cannot be read or fails the answer.
    pub(crate) fn proposal(&self, index: usize, samples: &[Sample]) -> Option<Proposal> {
        let placed = self.document.suite().cases.get(index)?;
        let challengers = self.challengers(index);
        let answer = challengers.own.as_ref().and_then(transcript)?;
        let around = Surroundings { transcript: None, ..challengers.around() };
        let beside = Beside { around, samples, version: self.document.version().version };
        propose(self.document.text().slice(placed.span()), answer, &beside, &challengers.config).ok()
    }

    fn id(&self, index: usize) -> &'d str {
        self.document.suite().cases[index].case.id.as_ref().map_or("", |id| &id.value)
    }

    fn challengers(&self, index: usize) -> Challengers {
        let cases = &self.document.suite().cases;
        let prompt = |index: usize| cases[index].case.prompt.as_ref().map(|prompt| prompt.value.as_str());
        let transcript = |index: usize| self.answer(index)?.transcript.as_ref().ok();
        let memory = |index: usize| transcript(index).map_or(0, |transcript| transcript.memory());
        let others = others(&self.with_transcript, index, prompt, memory);
        Challengers {
            own: self.answer(index).cloned(),
            others: others.into_iter().filter_map(|other| self.answer(other).cloned()).collect(),
            config: Arc::clone(self.answers.config()),
        }
    }

    /// The answer of a case, if it is a transcript.
    fn answer(&self, index: usize) -> Option<&'d Arc<Answer>> {
        let id = self.document.suite().cases[index].case.id.as_ref()?;
        self.answers.of(&id.value).filter(|answer| answer.transcript.is_ok())
    }
}

impl Challengers {
    /// Whether both lead to the same results.
    pub(super) fn is_same(&self, other: &Challengers) -> bool {
        let same_own = match (&self.own, &other.own) {
            (Some(one), Some(other)) => Answer::is_same(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        same_own
            && Arc::ptr_eq(&self.config, &other.config)
            && self.others.len() == other.others.len()
            && self.others.iter().zip(&other.others).all(|(one, other)| Answer::is_same(one, other))
    }

    pub(super) fn judge(&self, case: &Case) -> CaseChallenges {
        challenge(case, &self.around(), &self.config)
    }

    fn around(&self) -> Surroundings<'_> {
        let others = self.others.iter().filter_map(transcript).collect();
        Surroundings { transcript: self.own.as_ref().and_then(transcript), others }
    }
}

fn transcript(answer: &Arc<Answer>) -> Option<&Transcript> {
    answer.transcript.as_ref().ok()
}

/// The longest label, in code points. A label is beside code.
const LONGEST: usize = 60;

/// The note after a case's id: the challenges that it passes although it ought to fail them; `None` if it passes none.
pub(crate) fn case_label(id: &str, judged: &CaseChallenges, config: &ChallengeConfig) -> Option<String> {
    let mut passed = judged.breaches(id, config);
    let first = passed.next()?;
    let label = match passed.count() {
        0 => format!("passes the challenge {}", plain(&first.challenge.to_string())),
        more => format!("passes {} challenges", more + 1),
    };
    Some(cut(&label, LONGEST))
}

/// The note after a check that is worth little; `None` if it notices a challenge and passes every rewrite, or can never
/// fail.
pub(crate) fn check_label(check: &CheckChallenges) -> Option<&'static str> {
    match () {
        () if !check.can_fail => None,
        () if check.met_by_prompt => Some("passes on the prompt alone"),
        () if check.is_idle() => Some("passes on all wrong answers"),
        () if !check.brittle.is_empty() => Some("fails if the answer is written differently"),
        () => None,
    }
}

/// How many challenges a line lists. The table below has all.
const LISTED: usize = 12;

/// The page of a suite's challenges, as Markdown: a line for each case, and the checks that are worth nothing with what would fix them.
pub(crate) fn suite_page(document: &Document, answers: &Answers, name: &str) -> String {
    let challenges = document.challenges(answers);
    let config = &answers.config().challenge;
    let judged: Vec<_> = (0..document.suite().cases.len()).map(|index| challenges.of(index)).collect();
    let known = || judged.iter().enumerate().filter_map(|(index, judged)| Some((index, judged.as_deref()?)));
    let mut page = Markup::default();
    page.paragraph(Line::new("# Challenges of ").text(name));
    page.paragraph(Line::new(challenges.summary().sentence()));
    for (index, judged) in known() {
        let id = challenges.id(index);
        page.item(0, Line::default().text(id).say(": ").then(outcome(id, judged, config)));
    }
    for (index, judged) in known() {
        let id = challenges.id(index);
        let worthless: Vec<_> = judged.checks.iter().filter(|check| check_label(check).is_some()).collect();
        if judged.breaches(id, config).next().is_none() && worthless.is_empty() {
            continue;
        }
        page.paragraph(Line::new("## ").text(id));
        breach_items(id, judged, config, &mut page);
        for check in worthless {
            let label = check_label(check).unwrap_or_default();
            page.item(0, Line::default().code(&check.id).say(format!(": {label}")));
            check.remedies.iter().for_each(|remedy| page.item(1, Line::default().message(&remedy.title)));
        }
    }
    page.to_markdown() + "\n"
}

/// The page of a case's challenges; `None` if it cannot be challenged.
pub(crate) fn challenged_case(document: &Document, answers: &Answers, index: usize) -> Option<Markup> {
    let challenges = document.challenges(answers);
    let mut page = Markup::default();
    case_lines(challenges.id(index), challenges.of(index)?.as_ref(), &answers.config().challenge, &mut page);
    Some(page)
}

/// The page of a check's challenges; `None` if its case cannot be challenged.
pub(crate) fn challenged_check(document: &Document, answers: &Answers, index: usize, check: usize) -> Option<Markup> {
    let judged = document.challenges(answers).of(index)?;
    let mut page = Markup::default();
    check_lines(&judged, judged.checks.get(check)?, &mut page);
    Some(page)
}

/// Adds the row of a case: the challenges that it fails, and those that it passes.
pub(crate) fn case_lines(id: &str, judged: &CaseChallenges, config: &ChallengeConfig, page: &mut Markup) {
    page.paragraph(Line::default().strong("Challenges").say(": ").then(outcome(id, judged, config)).say("."));
    breach_items(id, judged, config, page);
}

/// How many wrong answers a case fails, and those that it passes or may pass.
fn outcome(id: &str, judged: &CaseChallenges, config: &ChallengeConfig) -> Line {
    let breaches: Vec<&Challenge> = judged.breaches(id, config).map(|attempt| &attempt.challenge).collect();
    let passed = judged.attempts.iter().filter(|attempt| attempt.passes()).map(|attempt| &attempt.challenge);
    let allowed: Vec<&Challenge> = passed.filter(|passed| !breaches.contains(passed)).collect();
    let failed = judged.attempts.len() - breaches.len() - allowed.len();
    let line = Line::new(format!("fails {failed} of {}", counted(judged.attempts.len(), "wrong answer")));
    let line = if judged.fails_own { line.say(", and its own answer, too") } else { line };
    let line = if breaches.is_empty() { line } else { named(line.say("; passes "), breaches.into_iter()) };
    if allowed.is_empty() { line } else { named(line.say("; may pass "), allowed.into_iter()) }
}

/// Adds the row of a check: the challenges that it notices, and what would make it notice more.
pub(crate) fn check_lines(judged: &CaseChallenges, check: &CheckChallenges, page: &mut Markup) {
    let line = Line::default().strong("Challenges").say(": ");
    let missed = judged.attempts.iter().map(|attempt| &attempt.challenge).filter(|it| !check.noticed.contains(it));
    page.paragraph(match () {
        () if !check.can_fail => line.say("no answer fails this check."),
        () if check.always_fails => line.say("always fails, on the case's own answer, too."),
        () if check.is_idle() => line.say(format!("passes on all {} wrong answers.", judged.attempts.len())),
        () if check.noticed.len() == judged.attempts.len() => {
            line.say(format!("notices all {} wrong answers.", judged.attempts.len()))
        }
        () => named(named(line.say("notices "), check.noticed.iter()).say("; passes on "), missed).say("."),
    });
    if !check.rewrites.is_empty() {
        let passed = check.rewrites.len() - check.brittle.len();
        let line = Line::default().strong("Rewrites").say(format!(": passes {passed} of {}", check.rewrites.len()));
        let names = check.brittle.iter().map(|rewrite| rewrite.name());
        let line = if check.brittle.is_empty() { line } else { line.say("; fails on ").list(names, "and", LISTED) };
        page.paragraph(line.say("."));
    }
    if check.met_by_prompt {
        page.paragraph(Line::new("The prompt alone meets this check."));
    }
    if !check.remedies.is_empty() {
        page.paragraph(Line::new("Fixes:"));
        check.remedies.iter().for_each(|remedy| page.item(0, Line::default().message(&remedy.title)));
    }
}

fn breach_items(id: &str, judged: &CaseChallenges, config: &ChallengeConfig, page: &mut Markup) {
    for attempt in judged.breaches(id, config).take(LISTED) {
        let reason = attempt.reason.unwrap_or_default();
        page.item(0, Line::new("passes ").code(&attempt.challenge.to_string()).say(": ").message(reason));
    }
    let more = judged.breaches(id, config).count().saturating_sub(LISTED);
    if more > 0 {
        page.item(0, Line::new(format!("{more} more")));
    }
}

fn named<'a>(line: Line, challenges: impl Iterator<Item = &'a Challenge>) -> Line {
    let names: Vec<String> = challenges.map(ToString::to_string).collect();
    line.list(names.iter().map(String::as_str), "and", LISTED)
}

/// A proposal for a check at the selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RemedyHere {
    /// The check's id.
    pub(crate) check: String,
    /// The command, as plain text.
    pub(crate) title: String,
    /// The edits are places in the document.
    pub(crate) change: Change,
}

/// What makes the checks that a selection touches notice the prompt alone. A change of the configuration occurs once.
pub(crate) fn remedies(document: &Document, answers: &Answers, at: Span) -> Vec<RemedyHere> {
    let Some((index, placed)) = document.suite().case_at(at.start) else { return Vec::new() };
    let Some(judged) = document.challenges(answers).of(index) else { return Vec::new() };
    let is_here = |span: Span| {
        let span = placed.absolute(span);
        span.start <= at.end && at.start <= span.end
    };
    let mut here: Vec<RemedyHere> = Vec::new();
    for check in judged.checks.iter().filter(|check| is_here(check.span)) {
        for Remedy { title, change } in &check.remedies {
            let change = match change {
                Change::Scoring { .. } => change.clone(),
                Change::Case(edits) => {
                    let absolute = |edit: &Edit| Edit::replace(placed.absolute(edit.span), edit.text.clone());
                    Change::Case(edits.iter().map(absolute).collect())
                }
            };
            let is_setting = matches!(change, Change::Scoring { .. });
            if !(is_setting && here.iter().any(|known| known.change == change)) {
                here.push(RemedyHere { check: check.id.clone(), title: title.clone(), change });
            }
        }
    }
    here
}
