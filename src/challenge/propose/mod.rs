//! Checks proposed from an answer: a few with which a case passes the answer and its rewrites, and fails every answer that it
//! ought to fail.
//!
//! `candidates` reads what may be checked out of the answer and its telemetry. The candidates are tried together,
//! with the same function that judges challenges: each that counts passes the answer, its rewrites and the good samples, and is not met by the
//! prompt. Some of them that notice all that any of them notices, and the first facts, are written into the text of the case. Nothing is random, and no model is asked.

mod candidates;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use rayon::prelude::*;

use crate::checks::{CheckOutcome, expectations};
use crate::config::Config;
use crate::diagnostic::{Edit, quoted};
use crate::suite::{Case, ExpectedField, Holds, PlacedCase, Version};
use crate::syntax::{Kind, Node, encode, parse, separator_before};
use crate::transcript::Transcript;
use crate::verdict::{Status, judge};

use self::candidates::{FACT, candidates, of_phrase, of_tools, steps};
use super::answers::{Surroundings, without_pages};
use super::catalog::Challenge;
use super::judge::{Attempt, CaseChallenges, challenge};
use super::suite::{Challenged, Sample, around, with_transcript};
use candidates::select;

/// Why no check can be proposed for a case.
const FAULTY: &str = "the case has an error; `eval-ls check` shows it";

/// How many other answers candidates are tried with at first. With more, a suite of thousands takes twice as long.
const FEW_OTHERS: usize = 6;

/// A check that an answer suggests.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    /// The key under `expected`.
    key: &'static str,
    /// The value, or the entry of the list, as JSON.
    entry: String,
    /// The id of the check.
    id: String,
    /// The words of the answer that it looks for.
    words: String,
    /// The lower, the more the check depends on what the answer means. Of two that notice the same, the cheaper one is taken.
    cost: usize,
}

/// What a case may check, by one of its answers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Proposal {
    /// The new checks, in the order in which they were found.
    pub(crate) checks: Vec<ProposedCheck>,
    /// The edits that add them, in bytes from the start of the case.
    pub(crate) edits: Vec<Edit>,
    /// How many answers the case ought to fail then, bad samples included.
    pub(crate) wrong_answers: usize,
    /// The wrong answers that the case still passes.
    pub(crate) open: Vec<String>,
}

/// A new check, and its proof.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ProposedCheck {
    /// The key under `expected`.
    pub(crate) key: &'static str,
    /// The value, or the entry of the list, as JSON.
    pub(crate) entry: String,
    /// The wrong answers that it fails.
    pub(crate) notices: Vec<String>,
    /// The number of rewrites of the answer, all of which it passes.
    pub(crate) rewrites: usize,
}

/// What a proposal is tried with, beside the case and its answer.
pub(crate) struct Beside<'a> {
    /// The transcripts of other cases. Their `transcript` is not read.
    pub(crate) around: Surroundings<'a>,
    /// The samples of the case.
    pub(crate) samples: &'a [Sample],
    /// The version of the suite: no key of a later one is proposed.
    pub(crate) version: Version,
}

/// The checks to add to a case by `answer`, which is what the case is to pass. `source` is the text of the case.
///
/// # Errors
/// If the case cannot be read, fails the answer already, or has other prompts than it: a sentence without a full stop.
pub(crate) fn propose(
    source: &str,
    answer: &Transcript,
    beside: &Beside<'_>,
    config: &Config,
) -> Result<Proposal, String> {
    let own = Surroundings { transcript: Some(answer), ..beside.around.clone() };
    let trial = Trial { source, answer, around: own, beside, config };
    let found = trial.with(&[]).ok_or(FAULTY)?;
    trial.refuse_failing(&found)?;
    let has_tools = |case: &Case| {
        let expected = &case.expected;
        expected.outcome.is_some() || expected.tool_calls_any.is_some() || expected.telemetry.is_some()
    };
    let mut chosen = if has_tools(&found) { Vec::new() } else { of_tools(answer) };
    chosen.retain(|candidate| trial.is_of_version(candidate));
    let base = trial.with(&chosen).ok_or("the tools of the answer cannot be written into the case")?;
    if trial.refuse_failing(&base).is_err() || trial.loses_a_good_sample(&found, &base) {
        chosen.clear();
    }
    let base = trial.with(&chosen).ok_or(FAULTY)?;
    // Most checks that fail a few other answers fail all of them.
    let mut few = trial.around.clone();
    few.others.truncate(FEW_OTHERS);
    let of_few = Trial { around: few, ..trial.clone() }.chosen(&chosen, &base);
    let proposal = trial.proposal(&of_few)?;
    if proposal.open.is_empty() || trial.around.others.len() <= FEW_OTHERS {
        return Ok(proposal);
    }
    trial.proposal(&trial.chosen(&chosen, &base))
}

/// The checks to add to each case of a suite of the latest version by its answer, on all cores. A case is its text.
///
/// # Errors
/// Those of [`propose`], for each case.
pub(crate) fn propose_all(
    cases: &[(String, Option<Arc<Transcript>>)],
    config: &Config,
) -> Vec<Result<Proposal, String>> {
    let challenged = |(source, transcript): &(String, Option<Arc<Transcript>>)| {
        let case = parse(source).tree.root(source).map(Case::lower).unwrap_or_default();
        Challenged { placed: PlacedCase { start: 0, case: case.into() }, transcript: transcript.clone() }
    };
    let all: Vec<Challenged> = cases.iter().map(challenged).collect();
    let with_transcript = with_transcript(&all);
    let proposed = |(index, (source, transcript)): (usize, &(String, Option<Arc<Transcript>>))| {
        let answer = transcript.as_ref().ok_or("the case has no answer")?;
        let around = around(&all, &with_transcript, index);
        propose(source, answer, &Beside { around, samples: &[], version: Version::V0_3 }, config)
    };
    cases.par_iter().enumerate().map(proposed).collect()
}

/// What the challenges and samples say about a case.
struct Judgement {
    /// The wrong answers, by name, that the case ought to fail. If it asks for nothing, all of them.
    demanded: BTreeSet<String>,
    /// The demanded wrong answers that the case passes.
    open: Vec<String>,
    checks: Vec<JudgedCheck>,
}

struct JudgedCheck {
    id: String,
    notices: Vec<String>,
    rewrites: usize,
    /// Whether it passes the answer and its rewrites, and fails on the prompt alone.
    is_sound: bool,
}

#[derive(Clone)]
struct Trial<'a> {
    source: &'a str,
    answer: &'a Transcript,
    around: Surroundings<'a>,
    beside: &'a Beside<'a>,
    config: &'a Config,
}

impl Trial<'_> {
    /// The case with these checks added; `None` if its text has an error.
    fn with(&self, added: &[Candidate]) -> Option<Case> {
        let text = Edit::apply_all(self.source, &insertions(self.source, added)?);
        let parse = parse(&text);
        let root = parse.tree.root(&text).filter(|_| parse.errors.is_empty())?;
        Some(Case::lower(root))
    }

    fn is_of_version(&self, candidate: &Candidate) -> bool {
        ExpectedField::named(candidate.key).is_some_and(|field| field.since <= self.beside.version)
    }

    fn refuse_failing(&self, case: &Case) -> Result<(), String> {
        let verdict = judge(case, self.answer, self.config);
        if verdict.stale {
            return Err("the answer was given to other prompts than those of the case".to_owned());
        }
        let fails = |outcome| matches!(outcome, CheckOutcome::Failed | CheckOutcome::NotJudged);
        match verdict.check_details.iter().find(|check| fails(check.outcome)) {
            Some(check) => {
                Err(format!("a check of the case fails on this answer: {}: {}", quoted(&check.id), check.message))
            }
            None => Ok(()),
        }
    }

    fn judged(&self, case: &Case) -> Judgement {
        let CaseChallenges { attempts, checks, .. } = challenge(case, &self.around, self.config);
        let asked = expectations(case);
        let own = judge(case, self.answer, self.config);
        let bad: Vec<(String, Vec<CheckOutcome>, bool)> = self
            .samples(false)
            .map(|(name, answer)| {
                let verdict = judge(case, &answer, self.config);
                let passes = matches!(verdict.status, Status::Pass | Status::Partial);
                (name.to_owned(), verdict.check_details.iter().map(|check| check.outcome).collect(), passes)
            })
            .collect();
        let asks_nothing = attempts.iter().all(|attempt| attempt.reason.is_none());
        let id = case.id.as_ref().map_or("", |id| id.value.as_str());
        let is_excused = |attempt: &Attempt| self.config.challenge.exception(id, attempt.challenge.kind()).is_some();
        // Other numbers are wrong only where a number is asked for.
        let asks = |it: &Attempt| it.reason.is_some() || (asks_nothing && it.challenge != Challenge::Stale);
        let decided = || attempts.iter().filter(|it| asks(it) && !is_excused(it));
        let open = decided().filter(|attempt| attempt.passes()).map(|attempt| attempt.challenge.to_string());
        let checks = checks.into_iter().enumerate().map(|(index, check)| {
            let of_samples = bad.iter().filter(|(_, outcomes, _)| outcomes.get(index) == Some(&CheckOutcome::Failed));
            JudgedCheck {
                id: asked[index].id.clone(),
                rewrites: check.rewrites.len(),
                is_sound: own.check_details[index].outcome == CheckOutcome::Passed
                    && check.brittle.is_empty()
                    && !check.met_by_prompt,
                notices: check
                    .noticed
                    .iter()
                    .map(ToString::to_string)
                    .chain(of_samples.map(|(name, ..)| name.clone()))
                    .collect(),
            }
        });
        Judgement {
            open: open.chain(bad.iter().filter(|(.., passes)| *passes).map(|(name, ..)| name.clone())).collect(),
            demanded: decided()
                .map(|attempt| attempt.challenge.to_string())
                .chain(bad.iter().map(|(name, ..)| name.clone()))
                .collect(),
            checks: checks.collect(),
        }
    }

    /// The good samples that can be read, and the bad ones. A bad one that is only a text has the telemetry of the answer, so that it is
    /// noticed by what it says.
    fn samples(&self, good: bool) -> impl Iterator<Item = (&str, Cow<'_, Transcript>)> {
        let wanted = self.beside.samples.iter().filter(move |sample| sample.is_good == good);
        wanted.filter_map(move |sample| {
            let answer = sample.answer.as_ref().ok()?;
            let is_text = !good && answer.telemetry.is_empty();
            let with_telemetry = || Transcript { telemetry: self.answer.telemetry.clone(), ..answer.clone() };
            Some((sample.name.as_str(), if is_text { Cow::Owned(with_telemetry()) } else { Cow::Borrowed(answer) }))
        })
    }

    /// Whether a good sample passes one case and fails another.
    fn loses_a_good_sample(&self, one: &Case, other: &Case) -> bool {
        let passes = |case: &Case, answer: &Transcript| {
            matches!(judge(case, answer, self.config).status, Status::Pass | Status::Partial)
        };
        self.samples(true).any(|(_, answer)| passes(one, &answer) && !passes(other, &answer))
    }

    /// The checks to add to `base`, which has those of `chosen`: these, and a few candidates that notice all that any of them notices.
    fn chosen(&self, chosen: &[Candidate], base: &Case) -> Vec<Candidate> {
        let before = self.judged(base);
        let mut known: BTreeSet<String> =
            before.checks.iter().flat_map(|check| check.notices.iter().cloned()).collect();
        let mut demanded = before.demanded;
        let mut wanted = candidates(base, self.answer, &self.beside.around, self.config);
        wanted.retain(|candidate| self.is_of_version(candidate));
        let (phrases, others): (Vec<_>, Vec<_>) = wanted.into_iter().partition(|it| it.key == "must_say_any");
        let (mut tried, mut demands) = self.sound(chosen, &others, base);
        // Other numbers are wrong where a number can be asked for.
        if !tried.iter().any(|(candidate, _)| candidate.key == "must_ground_numbers") {
            demands.remove(&Challenge::Stale.to_string());
        }
        if !tried.is_empty() {
            demanded.extend(demands);
        }
        known.retain(|name| demanded.contains(name));
        let missing: Vec<&String> = demanded.difference(&known).collect();
        // A phrase notices what its pattern does, or a little less. Only the one that is taken is tried.
        let notices = |phrase: &Candidate| {
            tried.iter().find(|(it, _)| it.id == of_phrase(phrase)).map(|(_, notices)| notices.clone())
        };
        let phrases: Vec<_> = phrases.into_iter().filter_map(|phrase| Some((notices(&phrase)?, phrase))).collect();
        let patterns = tried.len();
        tried.extend(phrases.into_iter().map(|(notices, phrase)| (phrase, notices)));
        let selected = loop {
            let selected = select(&missing, &tried);
            let Some(phrase) = selected.iter().find(|it| it.key == "must_say_any") else { break selected };
            let of_phrase = self.sound(chosen, std::slice::from_ref(phrase), base).0.pop();
            let place = tried.iter().position(|(it, _)| it == phrase).unwrap_or(patterns);
            match of_phrase {
                Some((_, notices)) if notices == tried[place].1 => break selected,
                Some((_, notices)) => tried[place].1 = notices,
                None => drop(tried.remove(place)),
            }
        };
        let mut chosen = [chosen, &selected].concat();
        // One right step is not a right procedure, and one right fact is not a right answer.
        for step in steps(&self.answer.response) {
            let is_of_step =
                |it: &&Candidate| it.key != "must_ground_numbers" && !it.words.is_empty() && step.contains(&it.words);
            if !chosen.iter().any(|it| is_of_step(&it)) {
                chosen.extend(
                    tried.iter().map(|(it, _)| it).filter(|it| it.key == "must_match_regex").find(is_of_step).cloned(),
                );
            }
        }
        for (fact, _) in tried.iter().filter(|(it, _)| it.cost == FACT) {
            if !self.notices_change(&chosen, fact) {
                let is_number = |it: &&Candidate| it.key == "must_ground_numbers" && it.words == fact.words;
                chosen.push(tried.iter().map(|(it, _)| it).find(is_number).unwrap_or(fact).clone());
            }
        }
        chosen
    }

    /// Whether the case with these checks fails the answer without a fact.
    fn notices_change(&self, chosen: &[Candidate], fact: &Candidate) -> bool {
        let response = self.answer.response.replace(&fact.words, "…");
        let changed = Transcript { response, ..without_pages(self.answer) };
        self.with(chosen).is_some_and(|case| judge(&case, &changed, self.config).status == Status::Fail)
    }

    /// The candidates that may be taken, each with what it notices: it is not yet in `base`, passes all that it must, and fails on some wrong
    /// answer; and the wrong answers that a case with all candidates ought to fail. They are tried together, because a check does not depend on
    /// the others.
    fn sound(
        &self,
        chosen: &[Candidate],
        candidates: &[Candidate],
        base: &Case,
    ) -> (Vec<(Candidate, Vec<String>)>, BTreeSet<String>) {
        let added: Vec<Candidate> = chosen.iter().chain(candidates).cloned().collect();
        let Some(case) = self.with(&added) else { return (Vec::new(), BTreeSet::new()) };
        let known: BTreeSet<String> = expectations(base).into_iter().map(|asked| asked.id).collect();
        let good: Vec<_> = self.samples(true).map(|(_, answer)| judge(&case, &answer, self.config)).collect();
        let passes = |id: &str| {
            let mut checks = good.iter().flat_map(|verdict| &verdict.check_details);
            checks.all(|it| it.id != id || it.outcome == CheckOutcome::Passed)
        };
        let judged = self.judged(&case);
        let holds = |check: &&JudgedCheck| check.is_sound && !check.notices.is_empty() && passes(&check.id);
        let of = |candidate: &Candidate| {
            let check = judged.checks.iter().find(|check| check.id == candidate.id && !known.contains(&check.id));
            check.filter(holds).map(|check| (candidate.clone(), check.notices.clone()))
        };
        (candidates.iter().filter_map(of).collect(), judged.demanded.clone())
    }

    fn proposal(&self, chosen: &[Candidate]) -> Result<Proposal, String> {
        let (edits, case) = match (insertions(self.source, chosen), self.with(chosen)) {
            (Some(edits), Some(case)) => (edits, case),
            _ => return Err(FAULTY.to_owned()),
        };
        self.refuse_failing(&case)?;
        let known: BTreeSet<String> = self.with(&[]).iter().flat_map(expectations).map(|asked| asked.id).collect();
        let judged = self.judged(&case);
        let new: Vec<&JudgedCheck> = judged.checks.iter().filter(|check| !known.contains(&check.id)).collect();
        let checks = chosen.iter().map(|candidate| {
            let of = new.iter().find(|check| check.id == candidate.id);
            let notices = of.map(|check| &check.notices).into_iter().flatten();
            ProposedCheck {
                key: candidate.key,
                entry: candidate.entry.clone(),
                notices: notices.filter(|name| judged.demanded.contains(*name)).cloned().collect(),
                rewrites: of.map_or(0, |check| check.rewrites),
            }
        });
        Ok(Proposal { checks: checks.collect(), edits, wrong_answers: judged.demanded.len(), open: judged.open })
    }
}

/// The edits that add checks to a case, in bytes of its text and in its order; `None` if the text has an error, or a value of the
/// wrong type where a check goes. New keys come last, in the order of the checks.
fn insertions(source: &str, checks: &[Candidate]) -> Option<Vec<Edit>> {
    let parse = parse(source);
    let case = parse.tree.root(source).filter(|root| parse.errors.is_empty() && root.kind() == Kind::Object)?;
    let expected = case.get("expected");
    let mut keys: Vec<&str> = Vec::new();
    for check in checks {
        if !keys.contains(&check.key) {
            keys.push(check.key);
        }
    }
    let mut edits = Vec::new();
    let mut members = Vec::new();
    for key in keys {
        let entries = checks.iter().filter(|check| check.key == key).map(|check| check.entry.as_str());
        let entries = entries.collect::<Vec<_>>().join(", ");
        let list = expected.and_then(|expected| expected.get(key));
        // Any other value is a mistake of the author, which must not be overwritten.
        if list.is_some_and(|list| !matches!(list.kind(), Kind::Array | Kind::Null)) {
            return None;
        }
        match list.and_then(|list| Some((list, list.elements().last()?))) {
            Some((_, last)) => edits.push(Edit::insert(last.span().end, format!(", {entries}"))),
            None if is_list(key) => members.push((key, format!("[{entries}]"), list)),
            None => members.push((key, entries, list)),
        }
    }
    // A key with an empty list keeps its place.
    edits.extend(members.iter().filter_map(|(_, value, old)| Some(Edit::replace((*old)?.span(), value.clone()))));
    let new: Vec<String> = members
        .iter()
        .filter(|(.., old)| old.is_none())
        .map(|(key, value, _)| format!("{}: {value}", encode(key)))
        .collect();
    if !new.is_empty() {
        edits.push(match expected {
            Some(expected) if expected.kind() == Kind::Object => added(source, expected, &new),
            Some(expected) if expected.kind() == Kind::Null => {
                Edit::replace(expected.span(), object(source, case, &new))
            }
            Some(_) => return None,
            None => added(source, case, &[format!("\"expected\": {}", object(source, case, &new))]),
        });
    }
    edits.sort_by_key(|edit| edit.span);
    Some(edits)
}

fn is_list(key: &str) -> bool {
    ExpectedField::named(key).is_some_and(|field| matches!(field.holds, Holds::List(..) | Holds::Numbers))
}

/// Members added to an object, each separated from the one before as the last member is.
fn added(source: &str, object: Node<'_>, members: &[String]) -> Edit {
    match object.members().last().and_then(|last| Some((last.key, last.value?))) {
        Some((key, value)) => {
            let separator = separator_before(source, key.span().start);
            let text: String = members.iter().map(|member| format!(",{separator}{member}")).collect();
            Edit::insert(value.span().end, text)
        }
        None => Edit::replace(object.span(), format!("{{ {} }}", members.join(", "))),
    }
}

/// A new object in a case: a line for each member if the case has lines.
fn object(source: &str, case: Node<'_>, members: &[String]) -> String {
    let first = case.members().last().map_or(" ", |member| separator_before(source, member.key.span().start));
    if !first.contains('\n') {
        return format!("{{ {} }}", members.join(", "));
    }
    let members: Vec<String> = members.iter().map(|member| format!("{first}  {member}")).collect();
    format!("{{{}{first}}}", members.join(","))
}
