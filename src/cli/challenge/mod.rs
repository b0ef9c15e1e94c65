//! `challenge`: judges answers that ought to fail, and reports the cases that pass them. With `--against`, it compares with the answers
//! of a kept run.

mod suite;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::challenge::{ChallengeSummary, CheckControl};
use crate::cli::OrRefuse as _;
use crate::cli::selection::runs_of;
use crate::diagnostic::{Finding, Severity, quoted};
use crate::report::challenge::{ChallengedSuite, json, junit, table};
use crate::report::findings::{self, Checked};
use crate::text::{Text, counted};
use crate::transcript::{Transcript, Wanted};
use crate::workspace::{LoadedConfig, absolute};

use super::args::{ChallengeArgs, Format};
use super::input::{Workspaces, find};
use super::repository::Repository;
use super::selection::Selection;
use super::{Console, ExitStatus, Refusal, check};

pub(super) use suite::with_transcripts;

/// Challenges what `args` name and prints what the cases pass.
pub(super) fn challenge(args: &ChallengeArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let mut selection = Selection::new(&args.select, None).or_misused()?;
    let mut workspaces = Workspaces::new();
    let here = [PathBuf::from(".")];
    let paths = if args.paths.is_empty() { &here[..] } else { &args.paths };
    let found = find(paths, None, &mut workspaces);
    let mut status = found.complain(console);
    let (mut suites, mut all, mut not_challenged) = (Vec::new(), Vec::new(), 0);
    for input in &found.inputs {
        match suite::challenge(args, &mut selection, input, &mut workspaces, console) {
            Ok(Some((suite, checked))) => {
                suites.push(suite);
                all.push(checked);
            }
            Ok(None) => {}
            Err(refusal) => {
                not_challenged += 1;
                status = status.max(refusal.tell(console));
            }
        }
    }
    if status == ExitStatus::Misused {
        return Ok(status);
    }
    let nothing_selected = selection.complain(console);
    if nothing_selected != ExitStatus::Passed {
        return Ok(status.max(nothing_selected));
    }
    if selection.is_done(console) {
        return Ok(status);
    }
    if suites.iter().all(|suite: &ChallengedSuite| suite.cases.is_empty()) {
        if status == ExitStatus::Passed {
            console.complain("no case is selected; `eval-ls list` lists the cases");
        }
        return Ok(status.max(ExitStatus::NothingSelected));
    }
    if matches!(args.format, Format::Sarif | Format::Github) {
        Repository::current().rename(&mut all);
    }
    print(args, &suites, &all, status, console);
    if not_challenged > 0 {
        console.tell(format_args!("{} not challenged", counted(not_challenged, "suite")));
    }
    let failed = all.iter().flat_map(|checked| &checked.findings).any(|it| it.severity == Severity::Error);
    Ok(if failed { status.max(ExitStatus::Failed) } else { status })
}

fn print(args: &ChallengeArgs, suites: &[ChallengedSuite], all: &[Checked], status: ExitStatus, console: &mut Console) {
    match args.format {
        Format::Concise => findings::concise(all).for_each(|line| console.out.write_text(&line)),
        Format::Json => console.out.write_json(&json(suites)),
        Format::Sarif => console.out.write_json(&findings::sarif(all, status == ExitStatus::Passed)),
        Format::Github => findings::github(all).for_each(|line| console.out.write_exact(line.as_bytes())),
        Format::Junit => console.out.write_text(&junit(suites)),
        _ => {
            for (suite, checked) in suites.iter().zip(all) {
                if args.table {
                    console.out.write_line(&format!("{}\n\n{}", printable(&suite.name), table(suite)));
                }
                check::print(std::slice::from_ref(checked), &mut console.out);
            }
        }
    }
    let mut summary = ChallengeSummary::default();
    for suite in suites {
        suite.cases.iter().for_each(|case| summary.add(case.id(), &case.judged, &suite.config));
    }
    console.tell(summary.sentence());
    let cases = || suites.iter().flat_map(|suite| &suite.cases);
    let with = |is: fn(&CheckControl) -> bool| {
        cases().filter(|case| case.judged.checks.iter().any(|check| check.control.as_ref().is_some_and(is))).count()
    };
    if with(|_| true) > 0 {
        let compared = with(|control| control.here.attempts > 0 && control.control.attempts > 0);
        let all = counted(cases().count(), "case");
        let control = args.against.as_deref().map_or("the control".to_owned(), |run| format!("`{}`", printable(run)));
        console.tell(format_args!("Compared with {control}: {compared} of {all}."));
    }
}

fn printable(name: &str) -> String {
    super::draw::printable(name).into_owned()
}

/// A suite and its findings, as `check` prints them.
fn checked(name: String, text: Text, findings: Vec<Finding>) -> Checked {
    Checked { name, text, findings, fixed: false }
}

/// The answers of a run to the cases of the suite at `path`, by case: one for each attempt. Prints a line if the run has no answers.
///
/// # Errors
/// If there is no such run, or an answer cannot be read.
pub(super) fn answers_of(
    name: &str,
    path: &Path,
    loaded: &LoadedConfig,
    console: &mut Console,
) -> Result<HashMap<String, Vec<Transcript>>, Refusal> {
    let run = runs_of(None, loaded).find_kept(name).or_nothing_selected()?;
    let path = absolute(path);
    let wanted = Wanted::by(&loaded.config);
    let mut answers: HashMap<String, Vec<Transcript>> = HashMap::new();
    for answer in run.answers_to(&loaded.root, &path).or_unusable()? {
        let (case, answer) = answer.or_unusable()?;
        answers.entry(case).or_default().push(answer.viewed(&wanted).or_unusable()?);
    }
    if answers.is_empty() {
        let suite = quoted(&path.display().to_string());
        console.tell(format_args!("the run {} has no answer to the cases of {suite}; they are not compared", run.id()));
    }
    Ok(answers)
}
