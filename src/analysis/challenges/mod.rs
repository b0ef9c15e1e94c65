//! Challenges of the text as it is now: each case judged with answers that it ought to fail.
//!
//! `challenge::challenge` is the one function that challenges. The results are kept with the case for as long as its text,
//! the answers and the configuration stay the same, so that a keystroke challenges one case.

mod pages;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::challenge::{
    Beside, CaseChallenges, ChallengeSummary, CheckChallenges, Control, OwnAnswer, Proposal, Sample, Surroundings,
    challenge, names_off, others, propose,
};
use crate::config::{ChallengeConfig, Config};
use crate::suite::Case;
use crate::transcript::Transcript;
use crate::wording::{cut, plain};

use super::verdicts::Answer;
use super::{Answers, Document};

pub(crate) use pages::{RemedyChange, challenged_case, challenged_check, remedies, suite_page};
pub(crate) use pages::{case_lines, check_lines};

/// What a case is challenged with, beside its text.
#[derive(Clone, Debug)]
pub(super) struct Challengers {
    own: Option<Arc<Answer>>,
    others: Vec<Arc<Answer>>,
    listed: Arc<[OwnAnswer]>,
    control: Option<Arc<[Transcript]>>,
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
        let results = self.document.results_of(index)?;
        (!results.is_broken).then(|| results.challenges(&placed.case, self.challengers(index)))
    }

    /// The counts over all cases. Judges all of them.
    pub(crate) fn summary(&self) -> ChallengeSummary {
        let mut summary = ChallengeSummary::default();
        for index in 0..self.document.suite().cases.len() {
            if let Some(judged) = self.of(index) {
                summary.add(self.id(index), &judged, &self.answers.config().challenge);
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
            listed: Arc::clone(self.answers.own()),
            control: self.answers.control().get(self.id(index)).cloned(),
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
        let same = |one: &Arc<Answer>, other: &Arc<Answer>| Arc::ptr_eq(one, other);
        let same_own = match (&self.own, &other.own) {
            (Some(one), Some(other)) => same(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        same_own
            && Arc::ptr_eq(&self.config, &other.config)
            && Arc::ptr_eq(&self.listed, &other.listed)
            && self.control.as_ref().map(Arc::as_ptr) == other.control.as_ref().map(Arc::as_ptr)
            && self.others.len() == other.others.len()
            && self.others.iter().zip(&other.others).all(|(one, other)| same(one, other))
    }

    pub(super) fn judge(&self, case: &Case) -> CaseChallenges {
        challenge(case, &self.around(), &self.config)
    }

    fn around(&self) -> Surroundings<'_> {
        let own = self.own.as_ref().and_then(transcript);
        let control = self
            .control
            .as_deref()
            .map(|control| Control { here: own.into_iter().collect(), control: control.iter().collect() });
        Surroundings {
            transcript: own,
            control,
            others: self.others.iter().filter_map(transcript).collect(),
            own: &self.listed,
            off: names_off(&self.config),
        }
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

/// The note after a check that is worth little; `None` if it notices a challenge, passes every rewrite and differs from the control, or can never
/// fail.
pub(crate) fn check_label(check: &CheckChallenges) -> Option<&'static str> {
    match () {
        () if !check.can_fail => None,
        () if check.met_by_prompt => Some("passes on the prompt alone"),
        () if check.is_idle() => Some("passes on all wrong answers"),
        () if !check.brittle.is_empty() => Some("fails if the answer is written differently"),
        () if check.is_same_as_control() => Some("passes the control as often"),
        () => None,
    }
}
