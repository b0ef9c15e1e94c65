//! Changes that make a check notice the prompt, or pass the rewrites of its answer. Each is tried before it is proposed: with it the check fails on the prompt
//! alone, and passes on the case's own transcript and its rewrites if it passes there now.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::checks::{CheckOutcome, Expectation, Judged, check, must_match};
use crate::config::{ChallengeConfig, Config, Reading, Scoring};
use crate::diagnostic::{Edit, Finding, Fix, Severity, quoted};
use crate::pattern::Budget;
use crate::pattern::syntax::{PartKind, PatternTree, TokenKind};
use crate::suite::Case;
use crate::syntax::encode;
use crate::text::{Span, counted};
use crate::transcript::Transcript;

use super::catalog::Challenge;
use super::judge::{Attempt, CaseChallenges, CheckChallenges, Passes, Rewritten, is_meant, passes};

/// The name of the finding about a case that passes an answer that ought to fail.
pub(crate) const PASSED_CHALLENGE: &str = "passed-challenge";
/// The name of the finding about a check that the prompts alone meet.
pub(crate) const MET_BY_PROMPT: &str = "met-by-prompt";
/// The name of the finding about a check that notices no challenge.
pub(crate) const IDLE_CHECK: &str = "idle-check";

/// The name of the finding about a check that fails on a rewrite of an answer that it passes.
pub(crate) const BRITTLE_CHECK: &str = "brittle-check";

/// The findings about a case, their spans counted from its start: one for all challenges of a level that it passes, one
/// for each check that the prompts alone meet, that notices no challenge, or that fails on a rewrite.
///
/// A check that cannot fail on any answer, like `outcome: response_only`, gives no finding.
pub(crate) fn findings(case: &Case, judged: &CaseChallenges, config: &ChallengeConfig) -> Vec<Finding> {
    let mut findings = Vec::from_iter(breach(case, judged, config));
    for check in judged.checks.iter().filter(|check| check.can_fail) {
        if !check.brittle.is_empty() {
            let names: Vec<&str> = check.brittle.iter().map(|rewrite| rewrite.name()).collect();
            let message = format!(
                "{} passes the answer, and fails {} of {} that mean the same: {}",
                quoted(&check.id),
                names.len(),
                counted(check.rewrites.len(), "rewrite"),
                names.join(", ")
            );
            let mut finding = Finding::new(BRITTLE_CHECK, Severity::Hint, check.span, message);
            let settings = check.remedies.iter().filter(|remedy| remedy.change == PLAIN_READING);
            finding.help.extend(settings.map(|remedy| remedy.title.clone()));
            findings.push(finding);
        }
        let (name, message) = if check.met_by_prompt {
            (
                MET_BY_PROMPT,
                format!("the prompt alone meets {}, so the check passes without an answer", quoted(&check.id)),
            )
        } else if check.is_idle() {
            (IDLE_CHECK, format!("{} notices none of {} challenges", quoted(&check.id), judged.attempts.len()))
        } else {
            continue;
        };
        let mut finding = Finding::new(name, Severity::Hint, check.span, message);
        for Remedy { title, change } in &check.remedies {
            match change {
                Change::Scoring { .. } if *change == PLAIN_READING => {}
                Change::Scoring { .. } => finding.help.push(title.clone()),
                Change::Case(edits) => finding.fixes.push(Fix::choice(title, edits.clone())),
            }
        }
        findings.push(finding);
    }
    findings
}

fn breach(case: &Case, judged: &CaseChallenges, config: &ChallengeConfig) -> Option<Finding> {
    let id = case.id.as_ref();
    let span = id.map_or(Span::new(0, case.len.min(1)), |id| id.span);
    let id = id.map_or("", |id| &id.value);
    let counts = |attempt: &&Attempt| attempt.is_breach() && config.exception(id, attempt.challenge.kind()).is_none();
    let passed: Vec<&Attempt> = judged.attempts.iter().filter(counts).collect();
    let first = passed.first()?;
    let reason = first.reason.unwrap_or_default();
    let names: Vec<String> = passed.iter().map(|attempt| attempt.challenge.to_string()).collect();
    let message = match &names[..] {
        [first, _, ..] => format!(
            "{} passes {} challenges ({}); {}: {reason}",
            quoted(id),
            names.len(),
            quoted(&names.join(", ")),
            quoted(first),
        ),
        _ => format!("{} passes the challenge {}: {reason}", quoted(id), quoted(&names.concat())),
    };
    Some(Finding::new(PASSED_CHALLENGE, Severity::Error, span, message))
}

/// A change that makes a check notice a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remedy {
    /// The command, as plain text: "anchor the pattern: …".
    pub(crate) title: String,
    /// The change.
    pub(crate) change: Change,
}

/// A change of the suite or of its configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// A key of `[scoring]` in `eval-ls.toml`, and its value, in TOML as in JSON.
    Scoring { key: &'static str, value: &'static str },
    /// Edits of the case, in bytes from its start.
    Case(Vec<Edit>),
}

/// Only the reply counts as evidence.
const REPLY_ONLY: Change = Change::Scoring { key: "prompt_counts", value: "false" };
/// Answers are read as a person reads them.
const PLAIN_READING: Change = Change::Scoring { key: "reading", value: "\"plain\"" };

/// The answers that proposals are tried with.
pub(super) struct Trial<'a> {
    case: &'a Case,
    config: &'a Config,
    echo: &'a Transcript,
    rewritten: &'a Rewritten,
    judged_echo: OnceCell<Judged<'a>>,
    judged_own: OnceCell<Judged<'a>>,
}

impl<'a> Trial<'a> {
    /// `echo` shows the prompts and nothing else; `rewritten` has the case's transcript.
    pub(super) fn new(case: &'a Case, config: &'a Config, echo: &'a Transcript, rewritten: &'a Rewritten) -> Self {
        let (judged_echo, judged_own) = (OnceCell::new(), OnceCell::new());
        Trial { case, config, echo, rewritten, judged_echo, judged_own }
    }

    /// What makes this check fail on the prompt alone, the least change first.
    pub(super) fn remedies(&self, asked: &Expectation<'_>) -> Vec<Remedy> {
        let mut remedies = Vec::new();
        let passes_in_reply = |answer| self.passes(asked, &Judged::in_reply_only(answer, self.case, self.config));
        // The right answer may be what the prompt says.
        let is_as_good =
            |own| passes_in_reply(own) || !self.judged_own().is_some_and(|judged| self.passes(asked, judged));
        if self.config.scoring.prompt_counts != Some(false)
            && !passes_in_reply(self.echo)
            && self.rewritten.own().is_none_or(is_as_good)
        {
            let title = "match it in the reply only: set `prompt_counts = false` under [scoring] in eval-ls.toml";
            remedies.push(Remedy { title: title.to_owned(), change: REPLY_ONLY });
        }
        if asked.key == "must_match_regex" {
            remedies.extend(asked.rule.patterns().into_iter().filter_map(|pattern| self.anchored(asked, pattern)));
        }
        remedies
    }

    fn anchored(&self, asked: &Expectation<'_>, pattern: &str) -> Option<Remedy> {
        if !is_label(pattern) {
            return None;
        }
        let anchored = format!(r"^\W*{pattern}");
        let Expectation { key, group, span, .. } = *asked;
        let other = Expectation { id: asked.id.clone(), key, group, span, rule: Box::new(must_match(&anchored)) };
        self.holds(asked, &other).then(|| Remedy {
            title: format!("anchor the pattern: {}", quoted(&anchored)),
            change: Change::Case(vec![Edit::replace(asked.span, encode(&anchored))]),
        })
    }

    /// Whether `other` fails on the prompt alone, and passes on the transcript and its rewrites where `asked` passes. It is stricter than
    /// `asked`, or an addition, so no challenge is noticed less.
    fn holds(&self, asked: &Expectation<'_>, other: &Expectation<'_>) -> bool {
        let echo = self.judged_echo.get_or_init(|| Judged::for_outcomes(self.echo, self.case, self.config));
        let notices = self.outcome(other, echo) == CheckOutcome::Failed;
        let is_as_good = |judged: &Judged<'_>| !self.passes(asked, judged) || self.passes(other, judged);
        let rewrites = || self.rewritten.answers().filter(|(rewrite, _)| is_meant(rewrite, asked));
        notices
            && self.judged_own().is_none_or(&is_as_good)
            && rewrites().all(|(_, answer)| is_as_good(&Judged::for_outcomes(answer, self.case, self.config)))
    }

    fn passes(&self, asked: &Expectation<'_>, judged: &Judged<'_>) -> bool {
        self.outcome(asked, judged) == CheckOutcome::Passed
    }

    fn outcome(&self, asked: &Expectation<'_>, judged: &Judged<'_>) -> CheckOutcome {
        check(asked, judged, self.config, &Budget::default()).outcome
    }

    fn judged_own(&self) -> Option<&Judged<'a>> {
        let own = self.rewritten.own()?;
        Some(self.judged_own.get_or_init(|| Judged::for_outcomes(own, self.case, self.config)))
    }
}

/// Adds `reading = "plain"` to the remedies of each brittle check that passes the transcript and all its rewrites in a plain reading, and fails every challenge that
/// it fails now.
pub(super) fn add_plain_reading(
    case: &Case,
    asked: &[Expectation<'_>],
    config: &Config,
    answers: &[(Challenge, Cow<'_, Transcript>)],
    rewritten: &Rewritten,
    checks: &mut [CheckChallenges],
) {
    let Some(own) = rewritten.own().filter(|_| config.scoring.reading == Reading::Written) else { return };
    let plain = Config { scoring: Scoring { reading: Reading::Plain, ..config.scoring }, ..config.clone() };
    let own = passes(case, asked, own, &plain);
    let rewrites = rewritten.passes(case, asked, &plain);
    let challenges: Vec<(&Challenge, Vec<bool>)> =
        answers.iter().map(|(challenge, answer)| (challenge, passes(case, asked, answer, &plain))).collect();
    for (index, check) in checks.iter_mut().enumerate().filter(|(_, check)| !check.brittle.is_empty()) {
        let survives = |it: &Passes<'_>| it.checks[index] || !check.rewrites.contains(it.rewrite);
        let notices =
            |(challenge, passed): &(&Challenge, Vec<bool>)| !(passed[index] && check.noticed.contains(challenge));
        if own[index] && rewrites.iter().all(survives) && challenges.iter().all(notices) {
            let title = "read the answer as a person does: set `reading = \"plain\"` under [scoring] in eval-ls.toml";
            check.remedies.push(Remedy { title: title.to_owned(), change: PLAIN_READING });
        }
    }
}

/// Whether the pattern begins with a literal word, so that it is the label of a line: a letter first, and no alternative
/// beside it.
fn is_label(pattern: &str) -> bool {
    let tree = PatternTree::new(pattern);
    let [only] = tree.branches() else { return false };
    let first = only.parts.first().map(|first| &tree.parts[*first].kind);
    matches!(first, Some(PartKind::Word(TokenKind::Literal(c))) if c.is_alphabetic())
}
