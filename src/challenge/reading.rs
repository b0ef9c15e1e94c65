//! `reading = "plain"` as the remedy of a brittle check. It is proposed only if it is proved.

use std::borrow::Cow;

use crate::config::{Config, Reading, Scoring};
use crate::suite::{Case, Expectation};
use crate::transcript::Transcript;

use super::catalog::Challenge;
use super::judge::CheckChallenges;
use super::remedies::{Change, Remedy};
use super::rewritten::{Passes, Rewritten, passes};

/// Adds the remedy to each brittle check that passes the transcript and all its rewrites in a plain reading, and fails every challenge that
/// it fails now.
pub(super) fn remedies(
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
        let survives = |it: &Passes| it.checks[index] || !check.rewrites.contains(&it.rewrite);
        let notices =
            |(challenge, passed): &(&Challenge, Vec<bool>)| !(passed[index] && check.noticed.contains(challenge));
        if own[index] && rewrites.iter().all(survives) && challenges.iter().all(notices) {
            let title = "read the answer as a person does: set `reading = \"plain\"` under [scoring] in eval-ls.toml";
            check.remedies.push(Remedy { title: title.to_owned(), change: Change::PlainReading });
        }
    }
}
