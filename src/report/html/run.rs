//! The page of a run, which is made from its folder.

use data_encoding::BASE64;
use serde::Serialize;

use crate::compare::{Comparison, Side};
use crate::config::Config;
use crate::report::asked;
use crate::report::markdown::differences;
use crate::runs::{AnswerRecord, CaseLine, KeptRun, RunError, RunId, RunMode, RunState, Runs, SuiteRecord};
use crate::suite::Group;
use crate::text::{LineColumn, counted, seconds};
use crate::transcript::{Transcript, Wanted};
use crate::verdict::{AnswerSummary, CheckResult, Repeat, Status, Term};
use crate::wording::{main_reason, reasons, whose_then};

use super::html;

/// The number of earlier runs that are read.
const RUNS: usize = 50;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PageError {
    /// The run has no verdicts.
    #[error("the run {0} was made by `eval-ls record`, so it has no verdicts")]
    Recorded(RunId),
    /// A run cannot be read.
    #[error(transparent)]
    Unreadable(#[from] RunError),
}

/// The page of a run in the folder `runs`, as one HTML document. It is compared with the run `earlier`, else with that of its
/// target before it.
///
/// # Errors
/// If the run has no verdicts, or a run cannot be read.
pub(crate) fn page_of(
    runs: &Runs,
    run: &KeptRun,
    earlier: Option<KeptRun>,
    config: &Config,
) -> Result<String, PageError> {
    if run.record().mode == RunMode::Record {
        return Err(PageError::Recorded(run.id().clone()));
    }
    let lines = run.lines()?;
    let then = earlier.clone().or_else(|| runs.before(run)).map(|then| then.lines().map(|lines| (then, lines)));
    let then = match then.transpose() {
        // Another process removes it meanwhile.
        Err(error) if earlier.is_none() && error.is_gone() => None,
        then => then?,
    };
    let comparison = then
        .map(|(then, of_then)| (Comparison::new(&Side::of(&then, &of_then), &Side::of(run, &lines)), name_of(&then)));
    let before = runs.list().into_iter().skip_while(|other| other.id() != run.id()).skip(1);
    let before = before.filter(|run| run.record().mode == RunMode::Run && run.state() != RunState::Running).take(RUNS);
    // A run that is removed meanwhile has no lines any more.
    let before = before.map(|run| run.lines().map(|lines| (run, lines)));
    let before: Vec<_> = before.filter_map(Result::ok).collect();
    let note = partial(run);
    let wanted = Wanted::by(config);
    let source = PageSource { run, lines, before, note, comparison, wanted };
    Ok(html(&Page::new(&source)))
}

/// What a page of a run that did not ask whole suites says.
fn partial(run: &KeptRun) -> String {
    let parts = run.record().suites.iter().filter(|suite| suite.part && !suite.cases.is_empty()).count();
    match parts {
        0 => String::new(),
        _ if run.record().suites.len() == 1 => "This run asked only a part of the suite.".to_owned(),
        parts => format!("This run asked only a part of {}.", counted(parts, "suite")),
    }
}

/// The most bytes of pictures in a page. The paths of the others are shown. A page is attached to messages.
const MOST_PICTURES: usize = 1 << 20;

/// The most bytes of the answers of attempts in a page. The others are named. A page is attached to messages.
const MOST_ATTEMPTS: usize = 4 << 20;

/// What a page is made of.
struct PageSource<'a> {
    run: &'a KeptRun,
    /// How its cases ended.
    lines: Vec<CaseLine>,
    /// The runs before it, the last one first.
    before: Vec<(KeptRun, Vec<CaseLine>)>,
    /// What has to be known before the verdict is read; empty if the page is about whole suites.
    note: String,
    /// The comparison with an earlier run, if there is one, and what that is called.
    comparison: Option<(Comparison, String)>,
    wanted: Wanted,
}

impl PageSource<'_> {
    /// The answer with this record, in the form that was judged. A page without an answer still has the verdict.
    fn answer(&self, run: &KeptRun, line: &CaseLine, answer: Option<&AnswerRecord>) -> Option<Transcript> {
        run.recorded_answer(&line.case, answer?).ok()?.viewed(&self.wanted).ok()
    }

    /// The last answer to a case that passed before the run, and what its run is called.
    fn passed(&self, suite: &str, case: &str) -> Option<(String, Transcript)> {
        let target = &self.run.record().target.name;
        let of_target = self.before.iter().filter(|(then, _)| then.record().target.name == *target);
        let mut lines = of_target.flat_map(|(then, lines)| lines.iter().map(move |line| (then, line)));
        let (then, line) = lines.find(|(then, line)| {
            let is_of = |known: &SuiteRecord| known.path == suite;
            line.status == Status::Pass && line.case == case && then.record().suites.get(line.suite).is_some_and(is_of)
        })?;
        Some((name_of(then), self.answer(then, line, line.answer.as_ref())?))
    }
}

/// The data of a page.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Page {
    /// Whether the run counts as passed.
    passed: bool,
    /// What is shown above the verdict. With a note, the verdict is not shown as a success.
    note: String,
    verdict: String,
    sentence: String,
    run: String,
    /// What regressed first, then what did not pass.
    cases: Vec<PageCase>,
}

#[derive(Clone, Debug, Serialize)]
struct PageCase {
    suite: String,
    case: String,
    category: String,
    status: Status,
    flaky: bool,
    change: Option<&'static str>,
    edits: Vec<&'static str>,
    headline: String,
    /// What its answers took.
    took: Option<String>,
    reason: Option<String>,
    prompt: String,
    setup_prompts: Vec<String>,
    checks: Vec<CheckResult>,
    terms: Vec<PageTerm>,
    soft_score: Option<f64>,
    threshold: Option<f64>,
    response: Option<String>,
    /// The attempts, if the case ran several times.
    attempts: Vec<PageAttempt>,
    telemetry: Vec<String>,
    /// Lines with their signs: `+`, `-` or a space.
    diff: Vec<(char, String)>,
    diff_since: String,
    /// An address with the picture in it.
    picture: Option<String>,
    /// The path of a picture that is not in the page.
    picture_path: Option<String>,
}

/// One of several attempts.
#[derive(Clone, Debug, Serialize)]
struct PageAttempt {
    status: Status,
    /// The answer; without one, the reason.
    said: String,
}

/// The attempts of a case that ran several times. `size` is the number of bytes of all attempts so far.
fn attempts(source: &PageSource<'_>, run: &KeptRun, line: &CaseLine, size: &mut usize) -> Vec<PageAttempt> {
    let attempts = line.result.repeats.iter().flat_map(|repeats| &repeats.attempts);
    let attempt = |(attempt, answer): (&Repeat, &Option<AnswerRecord>)| {
        let answer = source.answer(run, line, answer.as_ref());
        let said = answer.map(|answer| answer.response).or_else(|| attempt.reason.clone()).unwrap_or_default();
        *size = size.saturating_add(said.len());
        let has_room = *size <= MOST_ATTEMPTS;
        let said = if has_room { said } else { "the page is full; `eval-ls show` has this answer".to_owned() };
        PageAttempt { status: attempt.status, said }
    };
    attempts.zip(&line.attempts).map(attempt).collect()
}

/// A weight of a soft score, and whether its group has checks.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PageTerm {
    #[serde(flatten)]
    term: Term,
    has_checks: bool,
}

/// The terms of a score. `has_checks` is whether a group has checks.
pub(super) fn page_terms(terms: &[Term], has_checks: impl Fn(Group) -> bool) -> Vec<PageTerm> {
    let group = |name: &str| Group::ALL.into_iter().find(|group| group.name() == name);
    let page = |term: &Term| PageTerm { term: term.clone(), has_checks: group(&term.group).is_some_and(&has_checks) };
    terms.iter().map(page).collect()
}

impl Page {
    /// The page of a run.
    fn new(source: &PageSource<'_>) -> Page {
        let record = source.run.record();
        let (mut pictures, mut said) = (0, 0);
        let mut cases: Vec<(usize, PageCase)> = Vec::new();
        for line in &source.lines {
            let Some(suite) = record.suites.get(line.suite) else { continue };
            let mut case = PageCase::new(source, source.run, &suite.path, line, &mut said);
            case.add_picture(source.run, line, &mut pictures);
            let changes = source.comparison.iter().flat_map(|(comparison, _)| comparison.cases.iter().enumerate());
            let mut changed = changes.filter(|(_, change)| change.suite == suite.path && change.case == line.case);
            let changed = changed.next();
            if let Some((_, change)) = changed {
                case.change = change.in_words();
                case.edits.clone_from(&change.edits);
            }
            cases.push((changed.map_or(usize::MAX, |(at, _)| at), case));
        }
        let regressed = |case: &PageCase| case.change == Some("regressed");
        cases.sort_by_key(|(at, case)| (!regressed(case), case.status.place(), *at));
        let count = |status: Status| cases.iter().filter(|(_, case)| case.status == status).count();
        let worse = cases.iter().filter(|(_, case)| regressed(case)).count();
        let missing = record.total() - cases.len().min(record.total());
        let mut verdict = format!("{} of {} passed", count(Status::Pass), counted(record.total(), "case"));
        let others = [(Status::Fail, "failed"), (Status::Partial, "partial"), (Status::Error, "error")];
        for (count, word) in
            others.map(|(status, word)| (count(status), word)).into_iter().chain([(missing, "not run")])
        {
            if count > 0 {
                verdict.push_str(&format!(", {count} {word}"));
            }
        }
        if worse > 0 {
            verdict.push_str(&format!(" ({worse} regressed)"));
        }
        let results = || source.lines.iter().map(|line| &*line.result);
        let stale = results().filter(|result| result.stale).count();
        if stale > 0 {
            verdict.push_str(&format!(", {stale} stale"));
        }
        let decisions = record.policy.decisions(results()).into_iter().map(|decision| decision + ".");
        let note = Some(source.note.clone()).filter(|note| !note.is_empty()).into_iter().chain(decisions);
        Page {
            passed: missing == 0 && record.policy.count(results()) == (0, 0),
            note: note.collect::<Vec<_>>().join(" "),
            verdict,
            sentence: source.comparison.as_ref().map_or_else(String::new, |(comparison, with)| {
                format!("Compared with {with}: {}.", comparison.sentence)
            }),
            run: described(source.run, &source.lines),
            cases: cases.into_iter().map(|(_, case)| case).collect(),
        }
    }
}

/// What a run is called where people read of it: its target and its start.
fn name_of(run: &KeptRun) -> String {
    let record = run.record();
    let (date, time) = (record.started_at.get(..10).unwrap_or_default(), record.started_at.get(11..16));
    format!("{}, {date} {} UTC", record.target.name, time.unwrap_or_default())
}

/// The checks in the order of the suite, where their places in it are known.
fn in_suite_order(checks: &[CheckResult]) -> Vec<CheckResult> {
    let mut checks = checks.to_vec();
    checks.sort_by_key(|check| check.suite.map(|LineColumn { line, column }| (line, column)));
    checks
}

/// The run as a line: its suites, whose answers it judged, its start, branch and commit, duration, id.
fn described(run: &KeptRun, lines: &[CaseLine]) -> String {
    let record = run.record();
    let name =
        |suite: &SuiteRecord| suite.path.rsplit('/').next().unwrap_or_default().trim_end_matches(".json").to_owned();
    let suites: Vec<String> = record.suites.iter().filter(|suite| !suite.cases.is_empty()).map(name).collect();
    let mut words = vec![match suites.len() {
        0..=3 => suites.join(", "),
        count => counted(count, "suite"),
    }];
    // The page is read later, so it says when the target was asked, not how long ago.
    words.push(whose_then(asked(record), lines.iter().map(|line| &*line.result)));
    if let Some(git) = &record.git {
        words.extend(git.branch.clone());
        words.extend(git.commit.as_deref().map(|commit| commit.get(..8).unwrap_or(commit).to_owned()));
    }
    words.extend(record.duration_ms.map(seconds));
    words.extend(record.summary.as_ref().and_then(|summary| summary.answers.as_ref()).map(AnswerSummary::line));
    words.push(record.id.clone());
    words.join(" · ")
}

impl PageCase {
    fn new(source: &PageSource<'_>, run: &KeptRun, suite: &str, line: &CaseLine, said: &mut usize) -> PageCase {
        let (result, answer) = (&line.result, source.answer(run, line, line.answer.as_ref()));
        let soft = &result.metrics.scoring.soft_score;
        let before = (line.status != Status::Pass).then(|| source.passed(suite, &line.case)).flatten();
        let (diff_since, diff) = match (&before, &answer) {
            (Some((run, before)), Some(now)) => (run.clone(), differences(&before.response, &now.response)),
            _ => (String::new(), Vec::new()),
        };
        PageCase {
            suite: suite.to_owned(),
            case: line.case.clone(),
            category: result.category.clone(),
            status: line.status,
            flaky: result.repeats.as_ref().is_some_and(|repeats| repeats.flaky),
            change: None,
            edits: Vec::new(),
            headline: result.reason.as_deref().map_or_else(|| reasons(result), main_reason),
            took: AnswerSummary::of(result.took()).map(|answers| answers.line()),
            // The headline has all of a reason of one line.
            reason: result.reason.clone().filter(|reason| reason.trim().contains('\n')),
            prompt: result.prompt.clone(),
            setup_prompts: line.answer.as_ref().and_then(|answer| answer.setup_prompts.clone()).unwrap_or_default(),
            checks: in_suite_order(&result.check_details),
            terms: page_terms(soft.shown_terms(), |group| {
                result.check_details.iter().any(|check| check.group == Some(group))
            }),
            soft_score: soft.shown(),
            threshold: soft.threshold,
            telemetry: answer
                .iter()
                .flat_map(|answer| &answer.telemetry)
                .map(|event| event.text().into_owned())
                .collect(),
            response: answer.map(|answer| answer.response),
            attempts: attempts(source, run, line, said),
            diff,
            diff_since,
            picture: None,
            picture_path: None,
        }
    }

    fn add_picture(&mut self, run: &KeptRun, line: &CaseLine, size: &mut usize) {
        // Base64 has four characters for three bytes.
        let room = MOST_PICTURES.saturating_sub(*size) / 4 * 3;
        match run.picture(line, room as u64) {
            Some(Ok(picture)) => {
                let encoded = BASE64.encode(&picture);
                *size += encoded.len();
                self.picture = Some(format!("data:image/png;base64,{encoded}"));
            }
            Some(Err(_)) => {
                self.picture_path = line.picture.as_ref().map(|path| run.folder().join(path).display().to_string());
            }
            None => {}
        }
    }
}
