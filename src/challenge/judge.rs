use crate::challenge::answers::{Surroundings, answers, without_pages};
use crate::challenge::catalog::{Challenge, Demands};
use crate::challenge::findings::{Remedy, Trial, add_plain_reading};
use crate::challenge::rewrites::Rewrite;
use crate::checks::{CheckOutcome, Condition, Expectation, expectations, prompt_counts};
use crate::config::{Config, Scoring};
use crate::pattern::{self, compile_cached};
use crate::suite::Case;
use crate::text::Span;
use crate::transcript::Transcript;
use crate::verdict::{self, Status};

/// How a case stands up to its challenges.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CaseChallenges {
    /// Every challenge that could be made, in the order of the table.
    pub(crate) attempts: Vec<Attempt>,
    /// Every check of the case, in the order of its expectations.
    pub(crate) checks: Vec<CheckChallenges>,
    /// The rewrites of the transcript, in the order of the table, each with the reason if it was left out. Empty without a transcript.
    pub(crate) rewrites: Vec<(Rewrite, Option<&'static str>)>,
    /// Whether the case also fails its transcript. Then a failed challenge proves nothing.
    pub(crate) fails_own: bool,
}

/// One challenge and its verdict.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Attempt {
    /// The challenge.
    pub(crate) challenge: Challenge,
    /// Why the case ought to fail it; `None` if that cannot be decided.
    pub(crate) reason: Option<&'static str>,
    /// The case's status with this answer.
    pub(crate) status: Status,
    /// How many checks passed.
    pub(crate) passed_checks: usize,
    /// The soft score.
    pub(crate) soft_score: f64,
}

/// One check and the challenges that it notices.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CheckChallenges {
    /// The check's id.
    pub(crate) id: String,
    /// The text that asks for it, in bytes from the start of the case.
    pub(crate) span: Span,
    /// The challenges on which it fails.
    pub(crate) noticed: Vec<Challenge>,
    /// Whether it also fails the transcript, or its pattern does not compile. Then a failed challenge proves nothing.
    pub(crate) always_fails: bool,
    /// Whether it passes on the prompts alone ([`Challenge::Echo`]) although it needs something to be there.
    pub(crate) met_by_prompt: bool,
    /// Whether some answer can fail it at all; `outcome: response_only` never fails.
    pub(crate) can_fail: bool,
    /// The rewrites on which it ought to pass, because it passes the transcript. Empty if it does not.
    pub(crate) rewrites: Vec<Rewrite>,
    /// The part of `rewrites` on which the check does not pass.
    pub(crate) brittle: Vec<Rewrite>,
    /// What makes it fail on the prompts alone, if they meet it, or pass on the rewrites.
    pub(crate) remedies: Vec<Remedy>,
}

impl Attempt {
    /// Whether the case passes an answer that it ought to fail.
    pub(crate) fn is_breach(&self) -> bool {
        self.reason.is_some() && self.passes()
    }

    /// Whether the case passes the answer.
    pub(crate) fn passes(&self) -> bool {
        matches!(self.status, Status::Pass | Status::Partial)
    }
}

impl CheckChallenges {
    /// Whether it notices none of the challenges.
    pub(crate) fn is_idle(&self) -> bool {
        self.noticed.is_empty()
    }
}

/// The configuration in which the prompt's words count as they do in the answer of the case. Nobody answered a challenge; without an answer, the
/// targets decide.
fn of_answers(config: &Config, transcript: Option<&Transcript>) -> Config {
    let counts = match transcript {
        Some(own) => prompt_counts(own, config),
        None => config.scoring.prompt_counts.unwrap_or(!config.has_only_pages()),
    };
    Config { scoring: Scoring { prompt_counts: Some(counts), ..config.scoring }, ..config.clone() }
}

/// Judges every challenge of a case. `config` defines UI hints, sources and whether the prompt's own words count.
pub(crate) fn challenge(case: &Case, around: &Surroundings<'_>, config: &Config) -> CaseChallenges {
    let config = &of_answers(config, around.transcript);
    let demands = Demands::of(case);
    let expectations = expectations(case);
    let mut checks: Vec<CheckChallenges> = expectations
        .iter()
        .map(|asked| CheckChallenges {
            id: asked.id.clone(),
            span: asked.span,
            noticed: Vec::new(),
            always_fails: !compiles(asked),
            met_by_prompt: false,
            can_fail: asked.rule.can_fail(),
            rewrites: Vec::new(),
            brittle: Vec::new(),
            remedies: Vec::new(),
        })
        .collect();
    let mut attempts = Vec::new();
    let mut silent = vec![false; checks.len()];
    let answers = answers(case, around);
    for (challenge, answer) in &answers {
        let verdict = verdict::judge_outcomes(case, &expectations, answer, config);
        for (index, (check, result)) in checks.iter_mut().zip(&verdict.check_details).enumerate() {
            match (challenge, result.outcome) {
                (_, CheckOutcome::Failed) => check.noticed.push(challenge.clone()),
                (Challenge::Silence, CheckOutcome::Passed) => silent[index] = true,
                (Challenge::Echo, CheckOutcome::Passed) => check.met_by_prompt = !silent[index],
                _ => {}
            }
        }
        let passed = verdict.check_details.iter().filter(|check| check.outcome == CheckOutcome::Passed);
        attempts.push(Attempt {
            reason: demands.reason(challenge),
            challenge: challenge.clone(),
            status: verdict.status,
            passed_checks: passed.count(),
            soft_score: verdict.metrics.scoring.soft_score.value.unwrap_or(1.0),
        });
    }
    let rewritten = Rewritten::of(around.transcript);
    let own = rewritten.own().map(|own| verdict::judge_outcomes(case, &expectations, own, config));
    let of_rewrites = rewritten.passes(case, &expectations, config);
    for (index, (check, asked)) in checks.iter_mut().zip(&expectations).enumerate() {
        let own = own.as_ref().map(|own| own.check_details[index].outcome);
        check.always_fails |= own == Some(CheckOutcome::Failed);
        if own != Some(CheckOutcome::Passed) {
            continue;
        }
        let meant = || of_rewrites.iter().filter(|it| is_meant(it.rewrite, asked));
        check.rewrites = meant().map(|it| *it.rewrite).collect();
        check.brittle = meant().filter(|it: &&Passes<'_>| !it.checks[index]).map(|it| *it.rewrite).collect();
    }
    let echo = answers.iter().find(|(challenge, _)| *challenge == Challenge::Echo);
    if let Some((_, echo)) = echo.filter(|_| checks.iter().any(|check| check.met_by_prompt)) {
        let trial = Trial::new(case, config, echo, &rewritten);
        for (check, asked) in checks.iter_mut().zip(&expectations).filter(|(check, _)| check.met_by_prompt) {
            check.remedies = trial.remedies(asked);
        }
    }
    if checks.iter().any(|check| !check.brittle.is_empty()) {
        add_plain_reading(case, &expectations, config, &answers, &rewritten, &mut checks);
    }
    let fails_own = own.is_some_and(|own| own.status == Status::Fail);
    CaseChallenges { attempts, checks, rewrites: rewritten.tried(), fails_own }
}

fn compiles(asked: &Expectation<'_>) -> bool {
    asked.rule.patterns().iter().all(|pattern| compile_cached(pattern, pattern::Case::Ignored).is_ok())
}

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
    /// The rewrites of a transcript.
    pub(super) fn of(transcript: Option<&Transcript>) -> Rewritten {
        let Some(transcript) = transcript else { return Rewritten { own: None, answers: Vec::new() } };
        let own = without_pages(transcript);
        let is_snapshot = is_snapshot(&own.response);
        let answer = |rewrite: Rewrite| {
            let response = rewrite.of(&own.response, is_snapshot)?;
            Ok(Transcript { response, ..without_pages(transcript) })
        };
        Rewritten { answers: Rewrite::ALL.map(|rewrite| (rewrite, answer(rewrite))).into(), own: Some(own) }
    }

    /// Every rewrite, with the reason if it was left out.
    pub(super) fn tried(&self) -> Vec<(Rewrite, Option<&'static str>)> {
        self.answers.iter().map(|(rewrite, answer)| (*rewrite, answer.as_ref().err().copied())).collect()
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
    verdict.check_details.iter().map(|check| check.outcome == CheckOutcome::Passed).collect()
}

/// Whether a check ought to pass this rewrite of an answer that it passes. It looks at the answer, and not for the form that the
/// rewrite changes.
pub(super) fn is_meant(rewrite: &Rewrite, asked: &Expectation<'_>) -> bool {
    let changes_marks = rewrite.is_of_lines() || is_of_marks(rewrite);
    let has_form =
        |claim: Condition<'_>| matches!(claim, Condition::Says(phrases) if phrases.iter().any(|it| has_marks(it)));
    let is_about_form = || {
        let claim = asked.rule.claim(&|_| None);
        claim.is_some_and(|claim| has_form(claim.condition)) || asked.rule.patterns().iter().any(|it| is_about_form(it))
    };
    // The definition of a hint is about the page.
    asked.key != "ui" && asked.is_about_response() && !(changes_marks && is_about_form())
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
    const ROLES: &str = "text paragraph link button heading list listitem textbox main article generic img row document banner \
        navigation complementary region form table dialog log status group";
    let mut lines = answer.lines().map(str::trim_start).filter(|line| !line.is_empty()).peekable();
    let role = |line: &str| {
        let line = line.strip_prefix("- ").unwrap_or_default();
        let end = line.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(line.len());
        let ends = end == line.len() || line[end..].starts_with([':', ' ']);
        end > 0 && ends && ROLES.split(' ').any(|role| role == &line[..end])
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
