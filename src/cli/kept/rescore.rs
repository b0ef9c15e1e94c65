use serde::Serialize;

use crate::cli::args::{Format, RescoreArgs};
use crate::cli::{Console, ExitStatus, Refusal};
use crate::config::Stale;
use crate::events::{Grade, Policy, RunSummary};
use crate::pattern::pcre2_version;
use crate::runner::judge_kept;
use crate::runs::{CaseHashes, CaseLine};
use crate::text::{counted, visible};
use crate::transcript::Wanted;
use crate::verdict::{CaseResult, Status};

use super::{Opened, open};

/// A case with the verdict of the run and the verdict now.
#[derive(Debug, Serialize)]
struct Rescored {
    suite: String,
    case: String,
    before: Status,
    /// `None` if the suite does not have the case any more.
    after: Option<Status>,
    /// Whether the verdict, a check or the score differs.
    changed: bool,
    /// What was edited since the run: `prompts`, `expectations`, `hints`, `configuration`, `versions`.
    edits: Vec<&'static str>,
    now_fails: Vec<String>,
    now_passes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<CaseResult>,
}

/// Judges the answers of a kept run with the suites as they are now.
pub(in crate::cli) fn rescore(args: &RescoreArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let opened = open(Some(&args.run), &args.place, console)?;
    let run = &opened.loaded.config.run;
    let policy = Policy { strict: args.strict, stale: run.stale, flaky: run.flaky };
    let cases: Vec<Rescored> = opened.lines.iter().map(|line| rescore_case(&opened, line)).collect();
    if cases.is_empty() {
        let fault = format!("no case has ended in the run {}", opened.run.id());
        return Err(Refusal::new(opened.status.max(ExitStatus::NothingSelected), fault));
    }
    match args.format {
        Format::Json => console.out.write_json(&cases),
        _ => console.out.write_text(&text(&opened, &cases)),
    }
    let grades = cases.iter().filter_map(|case| case.result.as_ref()).map(|result| match policy.grade(result) {
        Grade::Passed => ExitStatus::Passed,
        Grade::NotJudged => ExitStatus::NotJudged,
        Grade::Failed => ExitStatus::Failed,
    });
    Ok(grades.max().unwrap_or(ExitStatus::Passed).max(opened.status))
}

fn rescore_case(opened: &Opened, line: &CaseLine) -> Rescored {
    let suite = opened.run.record().suites.get(line.suite).map_or_else(String::new, |suite| suite.path.clone());
    let before = &*line.result;
    let Some((input, case)) = opened.case_now(line) else {
        return Rescored {
            suite,
            case: line.case.clone(),
            before: line.status,
            after: None,
            changed: true,
            edits: vec!["expectations"],
            now_fails: Vec::new(),
            now_passes: Vec::new(),
            result: None,
        };
    };
    let config = &opened.loaded.config;
    let answer = opened.run.answer(line).map_err(|fault| fault.to_string());
    let answer = answer.and_then(|answer| match answer {
        None => Err(before.reason.clone().unwrap_or_else(|| "the run has no answer of the case".to_owned())),
        Some(answer) => answer.viewed(&Wanted::by(config)).map_err(|fault| fault.to_string()),
    });
    let judged = judge_kept(&input.text, case, answer, config);
    // What belongs to the run and not to the verdict stays.
    let result = CaseResult {
        attempts: before.attempts.clone(),
        repeats: before.repeats.clone(),
        screenshot: before.screenshot.clone(),
        duration_ms: before.duration_ms,
        ..judged
    };
    let only_in = |here: &CaseResult, there: &CaseResult| -> Vec<String> {
        here.checks.failed.iter().filter(|id| !there.checks.failed.contains(id)).cloned().collect()
    };
    let mut edits = edits(opened, line, input.text.as_str(), case);
    let changed = before.status != result.status
        || before.checks != result.checks
        || before.metrics.scoring.soft_score.shown() != result.metrics.scoring.soft_score.shown();
    if changed && edits.is_empty() {
        edits.push(if opened.run.record().versions.pcre2 == pcre2_version() { "configuration" } else { "versions" });
    }
    Rescored {
        suite,
        case: line.case.clone(),
        before: line.status,
        after: Some(result.status),
        changed,
        edits,
        now_fails: only_in(&result, before),
        // A check that does not exist any more did not pass.
        now_passes: only_in(before, &result).into_iter().filter(|id| result.checks.passed.contains(id)).collect(),
        result: Some(result),
    }
}

fn edits(opened: &Opened, line: &CaseLine, text: &str, case: &crate::suite::PlacedCase) -> Vec<&'static str> {
    let Some(then) = opened.run.hashes(line.suite, line.index) else { return Vec::new() };
    let span = case.span();
    let text = text.get(span.start..span.end).unwrap_or_default();
    CaseHashes::of(&case.case, text, &opened.loaded.config).edits_since(then)
}

/// The verdicts that changed, and how many cases have each status now.
fn text(opened: &Opened, cases: &[Rescored]) -> String {
    let mut text = String::new();
    let mut line = |line: String| {
        text.extend(line.chars().map(visible));
        text.push('\n');
    };
    let changed: Vec<_> = cases.iter().filter(|case| case.changed).collect();
    for case in &changed {
        let after = case.after.map_or("gone", Status::name);
        let edits = if case.edits.is_empty() { String::new() } else { format!("  edited: {}", case.edits.join(", ")) };
        line(format!("{} → {after}  {}  {}{edits}", case.before, case.case, case.suite));
        case.now_fails.iter().for_each(|id| line(format!("  ✗ {id}")));
        case.now_passes.iter().for_each(|id| line(format!("  ✓ {id}")));
    }
    if !changed.is_empty() {
        line(String::new());
    }
    let results = cases.iter().filter_map(|case| case.result.as_ref());
    let summary = RunSummary::of(results.clone());
    let stale = results.filter(|case| case.stale && opened.loaded.config.run.stale != Stale::Ignore).count();
    let stale = if stale > 0 { format!(", {stale} stale") } else { String::new() };
    line(format!(
        "{} of {} changed since the run {}; now {}{stale}",
        changed.len(),
        counted(cases.len(), "verdict"),
        opened.run.id(),
        summary.line(),
    ));
    text
}
