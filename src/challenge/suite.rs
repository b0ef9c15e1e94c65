use std::sync::Arc;

use rayon::prelude::*;

use crate::config::{Config, Level};
use crate::suite::PlacedCase;
use crate::transcript::Transcript;

use super::answers::Surroundings;
use super::catalog::OwnAnswer;
use super::control::Control;
use super::judge::{CaseChallenges, challenge};

/// A case of a suite and its transcript, if it has one.
#[derive(Clone, Debug)]
pub(crate) struct Challenged {
    /// The case and its place in the suite.
    pub(crate) placed: PlacedCase,
    /// Its transcript.
    pub(crate) transcript: Option<Arc<Transcript>>,
    /// The answers of the control, if there is one.
    pub(crate) control: Option<ControlAnswers>,
}

/// The answers that a case is compared with.
#[derive(Clone, Debug)]
pub(crate) struct ControlAnswers {
    /// The answers of the case; `None`: its transcript.
    pub(crate) here: Option<Vec<Transcript>>,
    /// Those of the control.
    pub(crate) control: Vec<Transcript>,
}

/// How many transcripts of other cases a case is judged with at most: those of the cases that follow it, around the end
/// of the suite. With more, the work would grow with the square of the suite.
pub(crate) const MOST_OTHER_ANSWERS: usize = 24;

/// How much memory the transcripts of other cases take at most that a case is judged with, in bytes. A large one is left out.
pub(crate) const MOST_OTHER_BYTES: u64 = 4 << 20;

/// Judges every challenge of every case, on all cores. The results are in the order of `cases`. `selected` are the indexes
/// of the cases to judge; the others only lend their transcripts.
pub(crate) fn challenge_suite(
    cases: &[Challenged],
    selected: &[usize],
    own: &[OwnAnswer],
    config: &Config,
) -> Vec<CaseChallenges> {
    let with_transcript = with_transcript(cases);
    let judged = |&index: &usize| {
        let around = around(cases, &with_transcript, index, own, config);
        challenge(&cases[index].placed.case, &around, config)
    };
    selected.par_iter().map(judged).collect()
}

/// What the case at `index` is challenged with.
pub(crate) fn surroundings<'a>(
    cases: &'a [Challenged],
    index: usize,
    own: &'a [OwnAnswer],
    config: &'a Config,
) -> Surroundings<'a> {
    around(cases, &with_transcript(cases), index, own, config)
}

fn with_transcript(cases: &[Challenged]) -> Vec<usize> {
    (0..cases.len()).filter(|index| cases[*index].transcript.is_some()).collect()
}

fn around<'a>(
    cases: &'a [Challenged],
    with_transcript: &[usize],
    index: usize,
    own: &'a [OwnAnswer],
    config: &'a Config,
) -> Surroundings<'a> {
    let memory = |index: usize| cases[index].transcript.as_deref().map_or(0, Transcript::memory);
    let others = others(with_transcript, index, |index| prompt(&cases[index]), memory);
    let others = others.into_iter().filter_map(|other| cases[other].transcript.as_deref()).collect();
    let transcript = cases[index].transcript.as_deref();
    let control = cases[index].control.as_ref().map(|answers| Control {
        here: answers.here.as_ref().map_or_else(|| transcript.into_iter().collect(), |here| here.iter().collect()),
        control: answers.control.iter().collect(),
    });
    Surroundings { transcript, others, own, off: names_off(config), control }
}

fn prompt(case: &Challenged) -> Option<&str> {
    case.placed.case.prompt.as_ref().map(|prompt| prompt.value.as_str())
}

/// The names of the challenges that the configuration turns off.
pub(crate) fn names_off(config: &Config) -> Vec<&str> {
    let levels = config.challenge.levels.iter();
    levels.filter(|(_, level)| **level == Level::Off).map(|(name, _)| name.as_str()).collect()
}

/// The indexes of the other cases whose transcripts the case at `index` is judged with: of `with_transcript`, which is
/// sorted, those with another prompt whose `memory` is together within [`MOST_OTHER_BYTES`].
pub(crate) fn others<'p>(
    with_transcript: &[usize],
    index: usize,
    prompt: impl Fn(usize) -> Option<&'p str>,
    memory: impl Fn(usize) -> u64,
) -> Vec<usize> {
    let mut left = MOST_OTHER_BYTES;
    let mut fits = |other: usize| left.checked_sub(memory(other)).inspect(|rest| left = *rest).is_some();
    let behind = with_transcript.partition_point(|other| *other <= index);
    let around = with_transcript[behind..].iter().chain(&with_transcript[..behind]).copied();
    let others = around.filter(|other| *other != index && prompt(*other) != prompt(index)).take(MOST_OTHER_ANSWERS);
    others.filter(|other| fits(*other)).collect()
}
