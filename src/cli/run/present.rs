//! Shows a run in the terminal: lines while it goes on, the failed cases, and the command to type next.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::args::{Format, RunArgs};
use crate::cli::input::near;
use crate::cli::output::readable;
use crate::cli::{Console, ExitStatus};
use crate::config::Config;
use crate::events::{CaseFinished, Event, Grade};
use crate::files::Access;
use crate::report::{Written, asked_by, case_line, closing, concise, failures, short_case_line};
use crate::runner::{Outcome, Run};
use crate::runs::{LATEST, OpenRun, RunMode};
use crate::targets::UNREADABLE;
use crate::text::{counted, visible_start, visible_text};
use crate::verdict::Status;
use crate::wording::{SHOWN_ID, command_for_case, shell_word, whose};

use super::reports::{Documents, Reports};

/// How many cases that passed are listed one by one.
const LISTED: usize = 50;

/// Shows a run: lines while it goes on, and the formats that were asked for.
pub(super) struct Presenter<'a> {
    args: &'a RunArgs,
    console: &'a mut Console,
    run: Run,
    documents: Documents,
    reports: Reports,
    bar: ProgressBar,
    /// Whether a live target is asked. The results of a replay are there at once.
    is_live: bool,
    live: BTreeSet<String>,
    /// Where results and runs are, which is said after the verdicts.
    kept: Vec<String>,
}

impl<'a> Presenter<'a> {
    /// `live` are the live targets of the configurations.
    pub(super) fn new(args: &'a RunArgs, access: Access, live: BTreeSet<String>, console: &'a mut Console) -> Self {
        // Hidden by itself if standard error is not a terminal.
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let reports = Reports::new(&args.report, access);
        let (run, documents) = (Run::default(), Documents::default());
        Self { args, console, run, documents, reports, bar, is_live: false, live, kept: Vec::new() }
    }

    /// Takes the next event.
    pub(super) fn take(&mut self, event: &Event) {
        self.run.take(event);
        if let Err(fault) = self.reports.take(event) {
            self.complain(&fault);
        }
        if self.args.format == Format::Jsonl
            && let Ok(line) = serde_json::to_string(event)
        {
            self.console.out.write_line(&readable(&line));
            // A stream that nobody reads any more is not an error.
            let _ = std::io::Write::flush(&mut self.console.out);
        }
        match event {
            Event::RunStarted(run) => {
                self.bar.inc_length(run.total as u64);
                self.is_live = run.live;
                if run.live && self.args.format == Format::Text {
                    self.console.out.write_line(&visible_text(whose(asked_by(run), [], SystemTime::now())));
                }
            }
            Event::CaseStarted(case) => self.bar.set_message(visible_text(&case.case.case)),
            Event::CaseProgress(case) => {
                self.bar.set_message(visible_text(format!("{}: {}", case.case.case, case.message)));
            }
            Event::CaseFinished(case) => {
                self.bar.inc(1);
                let is_red = self.run.policy().grade(&case.result) != Grade::Passed;
                if self.is_live && is_red && self.args.options.mode == RunMode::Run {
                    // A reader of the terminal sees the rest at the end.
                    let line = short_case_line(case);
                    let styled = self.console.err.has_color();
                    let line = if styled { line } else { anstream::adapter::strip_str(&line).to_string() };
                    let bar = self.bar.clone();
                    bar.suspend(|| self.console.tell_styled(&line));
                }
            }
            Event::InterruptedRun(run) => self.say(&format!(
                "an earlier run of `{}` was interrupted after {} cases; `eval-ls run --resume={}` runs the others",
                run.suite, run.finished, run.run
            )),
            Event::Warning(warning) => self.say(&format!("warning: {}", warning.message)),
            Event::RunFinished(_) | Event::SuiteNotRun(_) => {}
        }
    }

    /// Keeps what the formats need that show a run's result document.
    pub(super) fn keep(&mut self, outcome: &Outcome) {
        if self.args.format == Format::Json || self.reports.have(Format::Json) {
            self.documents.add(outcome);
        }
    }

    /// Shows where results were written.
    pub(super) fn written(&mut self, written: &[Written]) {
        self.kept.extend(written.iter().map(|files| format!("results: {} and .md", near(&files.json))));
    }

    /// Shows where the run is kept. `fewer` is the number of kept cases and of all that ended, if not all are kept.
    pub(super) fn kept(&mut self, folder: &Path, fewer: Option<(usize, usize)>) {
        let folder = near(folder);
        match fewer {
            None => self.kept.push(format!("run: {folder}")),
            Some((kept, ended)) => self.complain(&format!("{folder} has {kept} of the {ended} cases that ended")),
        }
    }

    /// Takes a run that is kept and has ended, for reports that are made from it.
    pub(super) fn made(&mut self, run: OpenRun, config: Arc<Config>) {
        self.reports.keep(run, config);
    }

    /// Reports that something went wrong.
    pub(super) fn complain(&mut self, fault: &str) {
        self.say(&format!("error: {fault}"));
    }

    /// Shows what is shown of a run as a whole, and writes the reports. Returns the exit status of the writing.
    pub(super) fn close(&mut self, status: ExitStatus) -> ExitStatus {
        self.bar.finish_and_clear();
        let mut faults = Vec::new();
        let text = match self.args.format {
            Format::Text if self.args.options.mode == RunMode::Record => recorded(&self.run),
            Format::Text => self.text(),
            Format::Concise => concise(&self.run),
            Format::Jsonl => String::new(),
            format => {
                faults.extend(self.reports.print(format, &self.run, &self.documents, &mut self.console.out).err());
                String::new()
            }
        };
        self.console.out.write_text(&text);
        std::mem::take(&mut self.kept).iter().for_each(|line| self.console.tell(line));
        let is_stored = self.run.cases().iter().all(|case| case.not_stored.is_none());
        let mut written = match is_stored {
            false => ExitStatus::Unusable,
            // The next run would pass with an answer that the target does not give any more.
            true if self.args.options.mode == RunMode::Record && !earlier_ones_stay(&self.run).is_empty() => {
                ExitStatus::Failed
            }
            true => ExitStatus::Passed,
        };
        if self.args.format == Format::Github || self.reports.have(Format::Github) {
            faults.extend(super::reports::summarize_step(&self.run).err());
        }
        faults.extend(self.reports.close(&self.run, &self.documents, &mut self.console.out));
        for fault in faults {
            self.complain(&fault);
            written = ExitStatus::Unusable;
        }
        if self.args.format == Format::Text
            && let Some(line) = decided(&self.run, status)
        {
            self.console.tell(line);
        }
        if let Some(line) = next_line(self.args, &self.run, status, &self.live) {
            self.console.tell(line);
        }
        written
    }

    fn text(&self) -> String {
        let stored = self.run.started().filter(|run| !run.live);
        let mut text = stored.map_or_else(String::new, |run| {
            visible_text(whose(
                asked_by(run),
                self.run.cases().into_iter().map(|case| &*case.result),
                SystemTime::now(),
            )) + "\n"
        });
        // What is wrong comes last, where it stays in sight.
        let passed: Vec<_> = self.run.cases().into_iter().filter(|case| case.status == Status::Pass).collect();
        if passed.len() <= LISTED {
            text.extend(passed.iter().map(|case| self.case_line(case) + "\n"));
        }
        text += &failures(&self.run);
        text += &closing(&self.run);
        if self.console.out.has_color() { text } else { anstream::adapter::strip_str(&text).to_string() }
    }

    /// The line of a case, with its suite if the run has several.
    fn case_line(&self, case: &CaseFinished) -> String {
        let has_several = self.run.started().is_some_and(|run| run.suites.len() > 1);
        let suite = if has_several { format!("  {}", visible_text(&case.case.suite)) } else { String::new() };
        case_line(case) + &suite
    }

    /// Shows a line for people.
    pub(super) fn say(&mut self, line: &str) {
        let bar = self.bar.clone();
        bar.suspend(|| self.console.tell(line));
    }
}

/// What decided the exit status, where the counts of the run leave that open.
fn decided(run: &Run, status: ExitStatus) -> Option<String> {
    let why = run.policy().decisions(run.results());
    let number = match status {
        ExitStatus::Passed => 0,
        ExitStatus::Failed => 1,
        _ => return None,
    };
    (!why.is_empty()).then(|| format!("exit status {number}: {}", why.join("; ")))
}

/// A line for each case, and how many were recorded.
fn recorded(run: &Run) -> String {
    let mut text = String::new();
    let mut stored = 0;
    for case in run.cases() {
        let id = visible_start(&case.case.case, SHOWN_ID);
        match (&case.transcript, case.not_stored.as_ref().or(case.result.reason.as_ref())) {
            (Some(path), _) => {
                stored += 1;
                text += &format!("recorded {id}  {}\n", visible_text(path));
            }
            (None, Some(reason)) => {
                text += &format!("ERROR    {id}  {}\n", visible_text(reason.lines().next().unwrap_or_default()))
            }
            (None, None) => text += &format!("kept     {id}  the new answer does not pass, so the earlier one stays\n"),
        }
    }
    text.extend(run.took().map(|took| took + "\n"));
    let (ended, total) = (run.cases().len(), run.started().map_or(0, |started| started.total));
    let left = if ended < total { format!(", {} not asked", total - ended) } else { String::new() };
    text + &format!("{stored} of {} recorded{left}\n", counted(total, "case"))
}

/// The most ids in a line. One line of a terminal.
const MOST: usize = 8;

/// The line, or `None` if there is nothing to do next. `status` is how the run ended, and `live` are the live targets of the
/// configurations.
pub(super) fn next_line(args: &RunArgs, run: &Run, status: ExitStatus, live: &BTreeSet<String>) -> Option<String> {
    let finished = run.finished()?;
    let is_kept = run.started()?.run.is_some();
    let is_live = run.started()?.live;
    let is_stdin = args.eval_file.iter().chain(&args.paths).any(|path| path.as_os_str() == "-");
    if args.stdin_filename.is_some() || is_stdin {
        return None;
    }
    if args.options.mode == RunMode::Record && !finished.cancelled {
        return after_record(args, &earlier_ones_stay(run));
    }
    if args.answers_of.is_some() && !finished.cancelled {
        let of = &run.started()?.target;
        return is_kept
            .then(|| format!("next: see what changed: {}", command(args, &format!("compare {of} latest"), None)));
    }
    if finished.cancelled {
        return is_kept.then(|| format!("next: {}", command(args, "run --resume", None)));
    }
    // Such a run has the target of the earlier run, which need not be that of the configuration.
    let of_earlier = is_live && (args.resume.is_some() || args.select.failed.is_some());
    let target = args.target.as_deref().or_else(|| Some(&*run.started()?.target).filter(|_| of_earlier));
    if finished.not_run > 0 {
        // A target that gives only errors is asked all of it again, after it is repaired.
        if is_kept && finished.summary.error < finished.summary.total {
            return Some(format!("next: {}", command(args, "run --resume", None)));
        }
        return Some(format!("next: {}", command(args, &format!("run {}", selection(args)), target)));
    }
    if !matches!(status, ExitStatus::Failed | ExitStatus::NotJudged) {
        let newer = run.cases().into_iter().filter_map(|case| case.result.newer.as_ref()?.target.as_ref());
        let newer: BTreeSet<&String> = newer.filter(|target| live.contains(*target)).collect();
        return match newer.into_iter().collect::<Vec<_>>()[..] {
            [target] if is_kept => {
                Some(format!("next: ask {target} again: {}", command(args, "run --failed", Some(target))))
            }
            _ => None,
        };
    }
    let policy = run.policy();
    let all = run.cases();
    let red: Vec<&CaseFinished> =
        all.iter().copied().filter(|case| policy.grade(&case.result) != Grade::Passed).collect();
    let only = |cases: &[&CaseFinished]| {
        let is_all = cases.len() == all.len() && args.select.is_empty();
        if is_all { String::new() } else { option_cases(cases) }
    };
    if !is_live && !red.is_empty() {
        let target = args.target.as_deref().filter(|target| live.contains(*target));
        let record = |cases: &[&CaseFinished]| command(args, &format!("record {}", only(cases)), target);
        // A transcript that cannot be read is not missing: a new answer would overwrite it.
        let broken: Vec<&CaseFinished> = red.iter().copied().filter(|case| has_broken_transcript(case)).collect();
        if let [first, ..] = broken[..] {
            let words = if broken.len() == 1 { "this transcript" } else { "these transcripts" };
            let id = &first.case.case;
            let of = if broken.len() == 1 { id.clone() } else { format!("{id} and others") };
            let of: String = visible_text(of);
            return Some(format!("next: repair {words} ({of}), or replace: {}", record(&broken)));
        }
        if red.iter().all(|case| lacks_transcript(case)) {
            let verb = if red.len() == 1 { "case has" } else { "cases have" };
            if live.is_empty() {
                return Some(format!(
                    "{} {verb} no stored answer; next: add your assistant: eval-ls init python",
                    red.len()
                ));
            }
            return Some(format!("{} {verb} no stored answer; next: {}", red.len(), record(&red)));
        }
        if red.iter().all(|case| case.result.stale) {
            return Some(format!("next: {}", record(&red)));
        }
    }
    // Those without an answer are not to be edited.
    let (lacking, red): (Vec<_>, Vec<_>) = red.into_iter().partition(|case| !is_live && lacks_transcript(case));
    let selected = if is_kept && lacking.is_empty() { "--failed".to_owned() } else { option_cases(&red) };
    let again = |target: Option<&str>| command(args, &format!("run {selected}"), target);
    if is_live {
        return Some(format!("next: {}", again(target)));
    }
    let asked: BTreeSet<&String> = red.iter().filter_map(|case| case.result.answered_by.as_ref()).collect();
    let asked: Vec<&String> = live.iter().filter(|target| asked.is_empty() || asked.contains(target)).collect();
    Some(match &asked[..] {
        [target] => format!("next: edit the case, or ask {target} again: {}", again(Some(target))),
        _ => format!("next: edit the case, and judge the same answer: {}", again(None)),
    })
}

/// The cases of a recording whose earlier answers stay, because the new ones do not pass.
pub(super) fn earlier_ones_stay(run: &Run) -> Vec<&CaseFinished> {
    let stays =
        |case: &&CaseFinished| case.transcript.is_none() && case.not_stored.is_none() && case.result.reason.is_none();
    run.cases().into_iter().filter(stays).collect()
}

/// The line after a recording in which earlier answers stay: which, why, and how to look at the new ones and take them.
fn after_record(args: &RunArgs, stay: &[&CaseFinished]) -> Option<String> {
    let stays = match stay {
        [] => return None,
        [_] => "the new answer of 1 case does not pass, so the earlier one stays".to_owned(),
        several => format!("the new answers of {} cases do not pass, so the earlier ones stay", several.len()),
    };
    if let [one] = stay {
        let id = &one.case.case;
        if args.results.is_none() && args.config.is_none() && !id.is_empty() && plain_ids(stay).is_some() {
            let (look, take) = (command_for_case("show", id), command_for_case("accept --failing", id));
            return Some(format!(
                "{id}: the new answer does not pass, so the earlier one stays; look: {look}; take it: {take}"
            ));
        }
    }
    let mut words = ["eval-ls", "accept", "--failing"].map(str::to_owned).to_vec();
    if let Some(results) = &args.results {
        words.push(option("--results", &results.display().to_string()));
    }
    if let Some(config) = &args.config {
        words.push(option("--config", &config.display().to_string()));
    }
    if let Some(ids) = plain_ids(stay) {
        words.extend(ids.iter().any(|id| id.starts_with('-')).then(|| "--".to_owned()));
        words.extend(ids.into_iter().map(|id| shell_word(id).into_owned()));
    }
    let look =
        stay.first().map_or_else(String::new, |case| format!("; look: {}", command_for_case("show", &case.case.case)));
    Some(format!("{stays}{look}; take them: {}", words.join(" ")))
}

/// A replayed case has a transcript that cannot be read.
fn has_broken_transcript(case: &CaseFinished) -> bool {
    lacks_transcript(case) && case.result.reason.as_deref().is_some_and(|reason| reason.starts_with(UNREADABLE))
}

/// A replayed case ended in `ERROR` before anything was judged.
fn lacks_transcript(case: &CaseFinished) -> bool {
    case.status == Status::Error && case.result.check_details.is_empty()
}

/// The options that selected the cases of this run.
fn selection(args: &RunArgs) -> String {
    let list = |name: &str, list: &Option<Vec<String>>| list.as_ref().map(|list| option(name, &list.join(",")));
    let value = |name: &str, value: &Option<String>| {
        value.as_ref().map(|value| match value.as_str() {
            "" | LATEST => name.to_owned(),
            value => format!("{name}={}", shell_word(value)),
        })
    };
    let select = &args.select;
    let words =
        [list("--cases", &select.cases), list("--category", &select.category), value("--failed", &select.failed)];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn option_cases(cases: &[&CaseFinished]) -> String {
    plain_ids(cases).map_or_else(String::new, |ids| option("--cases", &ids.join(",")))
}

/// The ids of a few cases, if each means only itself as a pattern in a list.
fn plain_ids<'a>(cases: &[&'a CaseFinished]) -> Option<Vec<&'a str>> {
    let ids: Vec<&str> = cases.iter().map(|case| case.case.case.as_str()).collect();
    let is_plain = |id: &&str| !id.is_empty() && !id.contains([',', '*', '?', '[', '{']);
    (ids.len() <= MOST && ids.iter().all(is_plain)).then_some(ids)
}

/// The command with the paths that this run was given, for this target.
fn command(args: &RunArgs, rest: &str, target: Option<&str>) -> String {
    let mut words = vec!["eval-ls".to_owned(), rest.trim().to_owned()];
    if let Some(target) = target {
        words.push(option("--target", target));
    }
    if rest.starts_with("run") && !rest.contains("--resume") {
        words.extend(args.options.repeat.map(|repeat| format!("--repeat {repeat}")));
        words.extend(args.options.strict.then(|| "--strict".to_owned()));
        words.extend(args.options.timeout.map(|timeout| format!("--timeout {timeout}")));
    }
    if let Some(results) = &args.results {
        words.push(option("--results", &results.display().to_string()));
    }
    let paths: Vec<_> = args.eval_file.iter().chain(&args.paths).map(|path| path.display().to_string()).collect();
    if paths.iter().any(|path| path.starts_with('-')) {
        words.push("--".to_owned());
    }
    words.extend(paths.iter().map(|path| shell_word(path).into_owned()));
    words.join(" ")
}

/// An option with its value, which is not an option itself.
fn option(name: &str, value: &str) -> String {
    let between = if value.starts_with('-') { '=' } else { ' ' };
    format!("{name}{between}{}", shell_word(value))
}
