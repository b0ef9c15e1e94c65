//! `challenge`: judges answers that ought to fail, and reports the cases that pass them.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::challenge::{
    ChallengeSummary, Challenged, MOST_OTHER_ANSWERS, MOST_OTHER_BYTES, challenge_suite, findings, sample_findings,
};
use crate::cli::args::{ChallengeArgs, Format};
use crate::cli::input::{Input, WithErrors, Workspaces, config_of, find, or_here, read_suite, refuse_faulty};
use crate::cli::selection::{SelectableSuite, Selection, runs_of};
use crate::cli::{Console, ExitStatus, OrRefuse as _, Refusal, check};
use crate::config::Config;
use crate::diagnostic::{Severity, quoted};
use crate::report::challenge::{ChallengedCase, ChallengedSuite, json};
use crate::report::findings::Checked;
use crate::runner::SuiteInput;
use crate::suite::Suite;
use crate::text::counted;
use crate::transcript::{Store, Transcript, Wanted};
use crate::workspace::{LoadedConfig, absolute, samples_of};

/// Challenges what `args` name and prints what the cases pass.
pub(super) fn challenge(args: &ChallengeArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let mut selection = Selection::new(&args.select, None).or_misused()?;
    let mut workspaces = Workspaces::new();
    let found = find(or_here(&args.paths), None, &mut workspaces);
    let mut status = found.complain(console);
    let (mut suites, mut all, mut not_challenged) = (Vec::new(), Vec::new(), 0);
    for input in &found.inputs {
        match challenge_one(args, &mut selection, input, &mut workspaces, console) {
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
    print(args, &suites, &mut all, console);
    if not_challenged > 0 {
        console.tell(format_args!("{} not challenged", counted(not_challenged, "suite")));
    }
    let failed = all.iter().flat_map(|checked| &checked.findings).any(|it| it.severity == Severity::Error);
    Ok(if failed { status.max(ExitStatus::Failed) } else { status })
}

fn print(args: &ChallengeArgs, suites: &[ChallengedSuite], all: &mut [Checked], console: &mut Console) {
    match args.format {
        Format::Json => console.out.write_json(&json(suites)),
        format if check::write_for_programs(format, all, console) => {}
        _ => check::print(all, &mut console.out),
    }
    let mut summary = ChallengeSummary::default();
    for suite in suites {
        let cases = suite.cases.iter();
        cases.for_each(|case| summary.add(case.id(), &case.judged, &case.samples, &suite.config));
    }
    console.tell(summary.sentence());
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

/// Challenges the selected cases of one suite. `None` if none of them is selected.
///
/// # Errors
/// If the suite cannot be challenged, or its configuration has errors.
fn challenge_one(
    args: &ChallengeArgs,
    selection: &mut Selection<'_>,
    input: &Input,
    workspaces: &mut Workspaces,
    console: &mut Console,
) -> Result<Option<(ChallengedSuite, Checked)>, Refusal> {
    let path = input.path().unwrap_or(Path::new("-"));
    let given = args.config.as_deref().map(|path| config_of(Some(path), path)).transpose()?;
    let (loaded, lints) = workspaces.obeyed(input, given.as_ref())?;
    refuse_faulty(&loaded)?;
    let config = &*loaded.config;
    let read = read_suite(input, &lints, WithErrors::NotChallenged, console);
    let SuiteInput { text, suite, .. } = read.map_err(|_| Refusal::told(ExitStatus::Unusable))?.suite;
    let cases = with_transcripts(&suite, path, config, console);
    let selectable = SelectableSuite { path, suite: &suite };
    let selected = selection.pick(selectable, &loaded).or_nothing_selected()?;
    if selected.is_empty() {
        return Ok(None);
    }
    let transcripts = cases.iter().filter(|case| case.transcript.is_some()).count();
    if transcripts > MOST_OTHER_ANSWERS + 1 {
        console.tell(format_args!(
            "`{}`: each case is judged with {MOST_OTHER_ANSWERS} of the {} other transcripts",
            input.name(),
            transcripts - 1
        ));
    }
    let memory = cases.iter().filter_map(|case| case.transcript.as_ref()).map(|transcript| transcript.memory());
    if memory.sum::<u64>() > MOST_OTHER_BYTES {
        console.tell(format_args!(
            "`{}`: each case is judged with other transcripts of at most {} MiB together; larger ones are left out",
            input.name(),
            MOST_OTHER_BYTES >> 20
        ));
    }
    let judged = challenge_suite(&cases, &selected, config);
    let mut all_findings = Vec::new();
    let challenged = selected.iter().zip(judged).map(|(index, judged)| {
        let Challenged { placed, .. } = &cases[*index];
        let findings = findings(&placed.case, &judged, &config.challenge);
        let samples = sample_findings(&placed.case, &samples_of(&loaded.root, path, &placed.case), config);
        let found = findings.into_iter().chain(samples.iter().cloned());
        all_findings.extend(found.map(|finding| finding.shifted_by(placed.start)));
        ChallengedCase { placed: placed.clone(), judged, samples }
    });
    let cases = challenged.collect();
    let suite = ChallengedSuite { name: input.name(), text: text.clone(), config: config.challenge.clone(), cases };
    Ok(Some((suite, Checked { name: input.name(), text, findings: all_findings, fixed: false })))
}

/// Returns the cases with their transcripts. An unreadable transcript is reported and omitted.
pub(crate) fn with_transcripts(suite: &Suite, path: &Path, config: &Config, console: &mut Console) -> Vec<Challenged> {
    let store = Store::new(path, config);
    let mut read = |id: &str| -> Option<Arc<Transcript>> {
        match store.read(id) {
            Ok(transcript) => transcript.map(Arc::new),
            Err(fault) => {
                console.tell(format_args!("warning: {fault}; the transcript is ignored"));
                None
            }
        }
    };
    let cases = suite.cases.iter().map(|placed| Challenged {
        placed: placed.clone(),
        transcript: placed.case.id.as_ref().and_then(|id| read(&id.value)),
    });
    cases.collect()
}
