use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::challenge::{CaseChallenges, Sample, sample_findings};
use crate::config::Config;
use crate::diagnostic::Finding;
use crate::lints::case_findings;
use crate::schema::{Violation, case_violations};
use crate::suite::{Case, Version};
use crate::syntax::{Node, SyntaxError, parse};
use crate::text::Text;

use super::challenges::Challengers;
use super::verdicts::{Answer, JudgedCase};
use super::{Document, Workspace};

type SamplesAndConfig = (Arc<[Sample]>, Arc<Config>);

/// The results of one case. All spans count from its first byte, so that they stay right when the case moves.
#[derive(Debug, Default)]
pub(super) struct CaseResults {
    /// The syntax errors within the case.
    pub(super) errors: Vec<SyntaxError>,
    /// A hash of the case's text and errors, to find the case again after the whole document was parsed again.
    pub(super) fingerprint: u64,
    /// Whether a syntax error breaks the case.
    pub(super) is_broken: bool,
    /// Whether the case alone would have other errors: its brackets or quotes reach beyond it.
    pub(super) reaches_out: bool,
    violations: Memo<Version, Arc<Vec<Violation>>>,
    findings: Mutex<Option<Linted>>,
    verdict: Memo<(Arc<Answer>, Arc<Config>), Arc<JudgedCase>>,
    challenges: Memo<Challengers, Arc<CaseChallenges>>,
    samples: Memo<SamplesAndConfig, Arc<Vec<Finding>>>,
    /// The last verdict on an earlier text of the case.
    earlier_verdict: Option<Arc<JudgedCase>>,
    /// How long the last judging of the case took, also of an earlier text, in microseconds.
    judging_micros: AtomicU64,
}

impl CaseResults {
    pub(super) fn new(text: &str, errors: Vec<SyntaxError>, is_broken: bool) -> CaseResults {
        let is_in_doubt = errors.iter().any(|error| !error.kind.is_local());
        let reaches_out = is_in_doubt && (!text.ends_with('}') || parse(text).errors != errors);
        CaseResults {
            fingerprint: fingerprint(text, &errors),
            is_broken,
            reaches_out,
            errors,
            ..CaseResults::default()
        }
    }

    /// The same, for a case whose previous text was that of `earlier`.
    pub(super) fn after(self, earlier: &CaseResults) -> CaseResults {
        let judged = (!earlier.is_broken).then(|| earlier.verdict.last()).flatten();
        let judging_micros = AtomicU64::new(earlier.judging_micros.load(Ordering::Relaxed));
        CaseResults { earlier_verdict: judged.or_else(|| earlier.earlier_verdict.clone()), judging_micros, ..self }
    }

    /// How long the last judging of the case took, also of an earlier text. Zero if it was never judged.
    pub(super) fn last_judging(&self) -> Duration {
        Duration::from_micros(self.judging_micros.load(Ordering::Relaxed))
    }

    /// Whether a syntax error is in the case, or breaks it.
    pub(super) fn is_faulty(&self) -> bool {
        self.is_broken || !self.errors.is_empty()
    }

    /// Where the case violates the schema of its version.
    pub(super) fn violations(&self, node: Node<'_>, version: Version) -> Arc<Vec<Violation>> {
        let same = |known: &Version, wanted: &Version| known == wanted;
        self.violations.get(version, same, |version| Arc::new(case_violations(node.relative(), (*version).into())))
    }

    /// Whether the case may be read wrongly, because its brackets or quotes do not match.
    pub(super) fn is_in_doubt(&self) -> bool {
        self.errors.iter().any(|error| !error.kind.is_local())
    }

    /// The findings of the lints in the case, if they are known without linting. Never waits.
    pub(super) fn known_findings(&self, version: Version, workspace: &Arc<Workspace>) -> Option<Arc<Vec<Finding>>> {
        let mut last = self.findings.try_lock().ok()?;
        let linted = last.as_mut().filter(|linted| linted.is_with(version, workspace))?;
        // The next comparison is one of addresses.
        linted.workspace = Arc::clone(workspace);
        Some(Arc::clone(&linted.findings))
    }

    /// The findings of the lints in the case.
    pub(super) fn findings(
        &self,
        case: &Case,
        node: Node<'_>,
        version: Version,
        workspace: &Arc<Workspace>,
    ) -> Arc<Vec<Finding>> {
        let mut last = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(linted) = last.as_ref().filter(|linted| linted.is_with(version, workspace)) {
            return Arc::clone(&linted.findings);
        }
        let violations = self.violations(node, version);
        let findings = Arc::new(case_findings(case, node, &self.errors, &violations, workspace));
        *last = Some(Linted { workspace: Arc::clone(workspace), version, findings: Arc::clone(&findings) });
        findings
    }
}

/// The findings of the lints in a case, and what they depend on beside the case.
#[derive(Debug)]
struct Linted {
    workspace: Arc<Workspace>,
    version: Version,
    findings: Arc<Vec<Finding>>,
}

impl Linted {
    fn is_with(&self, version: Version, workspace: &Arc<Workspace>) -> bool {
        self.version == version && (Arc::ptr_eq(&self.workspace, workspace) || self.workspace == *workspace)
    }
}

impl CaseResults {
    /// The verdict on the case, whose text is `text`. While a syntax error breaks the case, its last verdict stays.
    pub(super) fn verdict(
        &self,
        case: &Case,
        text: &str,
        answer: &Arc<Answer>,
        config: &Arc<Config>,
    ) -> Option<Arc<JudgedCase>> {
        if self.is_broken && self.earlier_verdict.is_none() {
            return None;
        }
        let question = (Arc::clone(answer), Arc::clone(config));
        let judge = |_: &_| match &self.earlier_verdict {
            Some(earlier) if self.is_broken => earlier.carried_to(case, text),
            _ => {
                let start = Instant::now();
                let judged = JudgedCase::of(case, text, Arc::clone(answer), config);
                self.judging_micros.store(start.elapsed().as_micros() as u64, Ordering::Relaxed);
                judged
            }
        };
        Some(self.verdict.get(question, is_same_judging, |question| Arc::new(judge(question))))
    }

    /// How the case stands up to its challenges.
    pub(super) fn challenges(&self, case: &Case, with: Challengers) -> Arc<CaseChallenges> {
        self.challenges.get(with, Challengers::is_same, |with| Arc::new(with.judge(case)))
    }

    /// The findings about the samples of the case.
    pub(super) fn samples(&self, case: &Case, samples: &Arc<[Sample]>, config: &Arc<Config>) -> Arc<Vec<Finding>> {
        let question = (Arc::clone(samples), Arc::clone(config));
        let same = |known: &SamplesAndConfig, wanted: &SamplesAndConfig| {
            Arc::ptr_eq(&known.0, &wanted.0) && Arc::ptr_eq(&known.1, &wanted.1)
        };
        self.samples.get(question, same, |(samples, config)| Arc::new(sample_findings(case, samples, config)))
    }

    /// The verdict, if it is known without judging.
    pub(super) fn known_verdict(&self, answer: &Arc<Answer>, config: &Arc<Config>) -> Option<Arc<JudgedCase>> {
        self.verdict.known(&(Arc::clone(answer), Arc::clone(config)), is_same_judging)
    }
}

fn is_same_judging(known: &(Arc<Answer>, Arc<Config>), wanted: &(Arc<Answer>, Arc<Config>)) -> bool {
    Arc::ptr_eq(&known.0, &wanted.0) && Arc::ptr_eq(&known.1, &wanted.1)
}

pub(super) fn fingerprint(text: &str, errors: &[SyntaxError]) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    for error in errors {
        error.span.hash(&mut hasher);
    }
    hasher.finish()
}

/// Stores the last result together with the input it came from. A new input replaces both.
#[derive(Debug)]
pub(super) struct Memo<I, O> {
    last: Mutex<Option<(I, O)>>,
}

impl<I, O: Clone> Memo<I, O> {
    /// The result for `input`: the stored one if its input is the `same`, otherwise a new one from `compute`.
    pub(super) fn get(&self, input: I, same: impl FnOnce(&I, &I) -> bool, compute: impl FnOnce(&I) -> O) -> O {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, result)) = &*last
            && same(known, &input)
        {
            return result.clone();
        }
        let result = compute(&input);
        *last = Some((input, result.clone()));
        result
    }

    /// The stored result for `input`. `None` if there is none, or if another thread is computing one: this never waits.
    pub(super) fn known(&self, input: &I, same: impl FnOnce(&I, &I) -> bool) -> Option<O> {
        let last = self.last.try_lock().ok()?;
        last.as_ref().filter(|(known, _)| same(known, input)).map(|(_, result)| result.clone())
    }

    /// The stored result, whatever its input. `None` if another thread is computing one: this never waits.
    pub(super) fn last(&self) -> Option<O> {
        self.last.try_lock().ok()?.as_ref().map(|(_, result)| result.clone())
    }
}

impl<I, O> Default for Memo<I, O> {
    fn default() -> Self {
        Self { last: Mutex::new(None) }
    }
}

/// A suite that uses everything that is initialized on first use.
const SUITE: &str =
    r#"{ "version": "0.3", "cases": [ { "expected": { "outcom": 1, "must_match_regex": ["a+b"] } } ] }"#;

/// Initializes what the first document would otherwise wait for: mostly schemas, which take some milliseconds. Call it in
/// a separate thread at start-up.
pub(crate) fn warm_up() {
    Document::new(Text::new(SUITE), None).findings(&Arc::new(Workspace::default()));
}
