//! One case for people, and one line for each thing that is wrong, for agents, `:make` and `grep`.

use anstyle::Style;

use crate::config::Stale;
use crate::events::{CaseFinished, Grade, Policy, SuiteNotRun};
use crate::runner::Run;
use crate::runs::{CaseLine, KeptRun};
use crate::text::{LineColumn, visible, visible_start, visible_text};
use crate::transcript::Transcript;
use crate::verdict::{CaseResult, Status};
use crate::wording::{
    BOLD, Markup, OTHER_PROMPTS, SHOWN_ID, add_check, further_reason, newer_reason, reasons, shell_word, style,
    whose_then,
};

use super::asked;
use super::markdown::annotations_of;
use super::markdown::differences;

const DIM: Style = Style::new().dimmed();

/// The longest event in a line, in code points. Three lines of a terminal.
const EVENT: usize = 240;

/// A case of a kept run, as `eval-ls show` prints it.
pub(crate) struct ShownCase<'a> {
    /// The run.
    pub(crate) run: &'a KeptRun,
    /// How the case ended.
    pub(crate) line: &'a CaseLine,
    /// The answer, or why it cannot be shown.
    pub(crate) answer: Result<Option<Transcript>, String>,
    /// The answer of each attempt, if the case ran several times.
    pub(crate) attempts: Vec<Option<Transcript>>,
    /// The last answer that passed before, and the id of its run.
    pub(crate) passed: Option<(String, Transcript)>,
    /// What has changed in the case since the run.
    pub(crate) edits: Vec<&'static str>,
}

/// All that is known of a case in a run: its verdict, prompt, answer, events and checks, and how the answer differs from the last one
/// that passed. The text contains styles; the printer removes them if needed.
pub(crate) fn show(shown: &ShownCase<'_>) -> String {
    let ShownCase { run, line, answer, attempts, passed, edits } = shown;
    let (record, result): (_, &CaseResult) = (run.record(), &line.result);
    let mut page = Page::default();
    let style = style(line.status);
    page.line(&format!(
        "{style}{:<7}{style:#} {BOLD}{}{BOLD:#}  {DIM}{}{DIM:#}",
        line.status,
        visible_text(&line.case),
        visible_text(reasons(result))
    ));
    let suite = record.suites.get(line.suite).map_or("", |suite| &suite.path);
    let whose = whose_then(asked(record), [result]);
    let start = line.range.start;
    page.quiet(&format!("{suite}:{}:{} · run {} · {whose}", start.line, start.column, run.id()));
    match &edits[..] {
        [] => {}
        edits if edits.contains(&"prompts") => {
            page.quiet(&format!(
                "the prompts have changed since; ask again: eval-ls run --cases={}",
                shell_word(&line.case)
            ));
        }
        edits => page.quiet(&format!(
            "the {} have changed since; judge the answer again: eval-ls run --answers-of {}",
            edits.join(" and "),
            run.id()
        )),
    }
    further_reason(result.reason.as_deref().unwrap_or_default()).lines().for_each(|reason| page.quiet(reason));
    let sent = answer.as_ref().ok().and_then(Option::as_ref);
    for setup in sent.and_then(|sent| sent.setup_prompts.as_ref()).into_iter().flatten() {
        page.section("Setup prompt", setup);
    }
    page.section("Prompt", sent.and_then(|sent| sent.prompt.as_ref()).unwrap_or(&result.prompt));
    match answer {
        Ok(Some(_)) if !attempts.is_empty() => {
            let repeats = result.repeats.iter().flat_map(|repeats| &repeats.attempts);
            for (number, (repeat, answer)) in repeats.zip(attempts).enumerate() {
                let said = answer.as_ref().map(|answer| answer.response.as_str());
                let said = said.or(repeat.reason.as_deref()).unwrap_or("no answer");
                page.section(&format!("Attempt {} · {}", number + 1, repeat.status), said);
            }
        }
        Ok(Some(answer)) => {
            page.section("Answer", if answer.response.trim().is_empty() { "(empty)" } else { &answer.response })
        }
        Ok(None) => page.section("Answer", "none"),
        Err(fault) => page.section("Answer", fault),
    }
    let events: Vec<String> = sent
        .map(|sent| sent.telemetry.iter().map(|event| visible_start(&event.text(), EVENT)).collect())
        .unwrap_or_default();
    if !events.is_empty() {
        page.section("Telemetry", &events.join("\n"));
    }
    if !result.check_details.is_empty() {
        page.head("Checks");
    }
    let mut checks = Markup::default();
    result.check_details.iter().for_each(|check| add_check(&mut checks, check, None));
    page.0.push_str(&checks.to_terminal(2));
    if let (Some((run, before)), Some(now)) = (passed, sent) {
        let changes = differences(&before.response, &now.response);
        let changes: Vec<String> =
            changes.into_iter().map(|(sign, said)| format!("{sign} {said}").trim_end().to_owned()).collect();
        let changes = if changes.is_empty() { "no line differs".to_owned() } else { changes.join("\n") };
        page.section(&format!("Changes since the last answer that passed ({run})"), &changes);
    }
    page.0
}

/// A text of lines.
#[derive(Default)]
struct Page(String);

impl Page {
    fn line(&mut self, line: &str) {
        self.0.push_str(line.trim_end());
        self.0.push('\n');
    }

    fn quiet(&mut self, text: &str) {
        self.line(&format!("  {DIM}{}{DIM:#}", visible_text(text)));
    }

    fn head(&mut self, name: &str) {
        self.line("");
        self.line(&format!("{BOLD}{}{BOLD:#}", visible_text(name)));
    }

    /// A part with text of any number of lines.
    fn section(&mut self, name: &str, text: &str) {
        self.head(name);
        text.lines().for_each(|line| self.line(&format!("  {}", visible_text(line))));
    }
}

/// The name of the line about a suite that cannot be read.
const NOT_RUN: &str = "not-run";
/// The name of the line about an answer to another prompt.
const STALE: &str = "stale";
/// The name of the line about an answer that is not the last one of its target.
const OLDER_ANSWER: &str = "older-answer";

/// What is wrong at a place.
pub(super) struct ConciseLine<'a> {
    pub(super) path: &'a str,
    pub(super) at: LineColumn,
    /// `error`, `warning` or `hint`.
    pub(super) level: &'a str,
    /// The lint, or the status of a case.
    pub(super) name: &'a str,
    pub(super) message: &'a str,
}

impl ConciseLine<'_> {
    /// One line, whatever its texts have: `path:line:column: level[name] message`.
    pub(super) fn text(&self) -> String {
        let ConciseLine { path, at, level, name, message } = self;
        let message = message.replace("\r\n", "\n").replace('\n', "; ");
        let line = format!("{path}:{}:{}: {level}[{name}] {message}", at.line, at.column);
        line.chars().map(visible).chain(['\n']).collect()
    }
}

/// A run: a line for each error in a suite that is not run, one for each check that did not pass, or for its case if the case has no
/// verdict, and one for each answer that is stale or not the last one of its target.
pub(crate) fn concise(run: &Run) -> String {
    let policy = run.policy();
    let not_run = run.not_run().iter().flat_map(|SuiteNotRun { suite, reason, errors }| {
        let whole = (LineColumn { line: 1, column: 1 }, NOT_RUN, reason);
        let whole = Some(whole).filter(|_| errors.is_empty());
        let errors = errors.iter().map(|error| (error.range.start, &*error.lint, &error.message));
        let line = move |(at, name, message): (LineColumn, &str, &String)| {
            ConciseLine { path: suite, at, level: "error", name, message }.text()
        };
        whole.into_iter().chain(errors).map(line)
    });
    let marks = run.cases().into_iter().flat_map(|case| {
        marks(case, policy).map(move |Mark { fails, name, message }| {
            let level = if fails { "error" } else { "warning" };
            let message = format!("{}: {message}", visible_start(&case.case.case, SHOWN_ID));
            let (path, at) = (&case.case.suite, case.case.range.start);
            ConciseLine { path, at, level, name, message: &message }.text()
        })
    });
    let is_only_stale = |case: &&CaseFinished| case.status == Status::Pass && case.result.stale;
    let open = run.open().filter(|case| !is_only_stale(case)).flat_map(|case| {
        let level = if policy.grade(&case.result) == Grade::Passed { "warning" } else { "error" };
        let (path, name) = (&case.case.suite, case.status.to_string());
        let line = move |(at, _, message): (LineColumn, LineColumn, String)| {
            let message = format!("{}: {message}", visible_start(&case.case.case, SHOWN_ID));
            ConciseLine { path, at, level, name: &name, message: &message }.text()
        };
        annotations_of(case).into_iter().map(line)
    });
    not_run.chain(open).chain(marks).collect()
}

/// That an answer may not be the last word of its target.
pub(super) struct Mark {
    /// Whether it makes the run fail.
    pub(super) fails: bool,
    pub(super) name: &'static str,
    pub(super) message: String,
}

/// The marks of the answer of a case.
pub(super) fn marks(case: &CaseFinished, policy: Policy) -> impl Iterator<Item = Mark> + use<> {
    let counts = case.result.stale && (policy.strict || policy.stale != Stale::Ignore);
    let stale = counts.then(|| Mark {
        fails: policy.stale_fails(),
        name: STALE,
        message: format!("{OTHER_PROMPTS}; record it again"),
    });
    let older = newer_reason(&case.result);
    let older = older.map(|message| Mark { fails: false, name: OLDER_ANSWER, message });
    stale.into_iter().chain(older)
}
