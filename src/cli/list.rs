//! `list`: the cases of suites. `show`: one case of a run, or the run.

use std::io::Write as _;
use std::path::Path;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::analysis::Document;
use crate::cli::args::ListArgs;
use crate::cli::input::{Workspaces, find, or_here};
use crate::diagnostic::quoted;
use crate::files::{self, Access, FileError};
use crate::processes::open_with_system;
use crate::report::html::{PageError, page_of};
use crate::report::{ShownCase, show as shown};
use crate::runner::SuiteInput;
use crate::runs::{CaseHashes, CaseLine, KeptRun, RunId, RunState, Runs};
use crate::suite::{Field, PlacedCase};
use crate::text::{LineColumn, LineRange, Text};
use crate::transcript::{Transcript, Wanted};
use crate::verdict::{CaseResult, Status};
use crate::workspace::{LoadedConfig, absolute};

use super::args::{Format, ReportArgs, ShowArgs};
use super::input::{Input, near};
use super::output::refuse_outputs;
use super::selection::{opened, suite_file};
use super::{Console, ExitStatus, OrRefuse as _, Refusal, did_you_mean};

/// A case in the output: the place of its id (of the case if it has no id), and the range of the whole case. Lines and columns count
/// from 1, columns in code points.
#[derive(Serialize)]
struct Listed {
    file: String,
    line: usize,
    column: usize,
    id: String,
    category: String,
    prompt: String,
    range: LineRange,
}

/// Prints the cases of the suites in `args` as a JSON array.
pub(super) fn list(args: &ListArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let found = find(or_here(&args.paths), None, &mut Workspaces::new());
    let mut status = found.complain(console);
    let mut cases = Vec::new();
    for input in &found.inputs {
        let text = match input.text() {
            Ok(text) => text,
            Err(fault) => {
                console.complain(fault);
                status = ExitStatus::Unusable;
                continue;
            }
        };
        let document = Document::new(text, input.path().map(Path::to_owned));
        cases.extend(document.suite().cases.iter().map(|case| Listed::new(input.name(), document.text(), case)));
        if !document.is_well_formed() {
            let name = input.name();
            console.complain(format_args!(
                "`{name}` is not valid JSON, so cases may be missing; run `eval-ls check` to see where"
            ));
            status = ExitStatus::Unusable;
        }
    }
    console.out.write_json(&cases);
    if cases.is_empty() && status == ExitStatus::Passed {
        return Err(Refusal::new(ExitStatus::NothingSelected, "the suites have no case"));
    }
    Ok(status)
}

impl Listed {
    fn new(file: String, text: &Text, placed: &PlacedCase) -> Listed {
        let case = &placed.case;
        let start = case.id.as_ref().map_or(placed.start, |id| placed.absolute(id.span).start);
        let LineColumn { line, column } = text.line_column(start);
        let value = |field: &Option<Field<String>>| field.as_ref().map(|field| field.value.clone());
        Listed {
            file,
            line,
            column,
            id: value(&case.id).unwrap_or_default(),
            category: value(&case.category).unwrap_or_else(|| "general".to_owned()),
            prompt: value(&case.prompt).unwrap_or_default(),
            range: text.line_range(placed.span()),
        }
    }
}

/// Shows a case.
pub(super) fn show(args: &ShowArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let Found { run, lines, earlier, loaded } = found(args)?;
    let wanted = Wanted::by(&loaded.config);
    for (number, line) in lines.iter().enumerate() {
        match args.format {
            Format::Json => console.out.write_json(&json(&run, line)),
            _ => {
                let edits = edits_since(&run, line, &loaded);
                let text = shown(&ShownCase { edits, ..case(&run, line, &earlier, &wanted) });
                let text = if number > 0 { format!("\n{text}") } else { text };
                let has_color = console.out.has_color();
                console.out.write_text(&if has_color { text } else { anstream::adapter::strip_str(&text).to_string() });
            }
        }
    }
    Ok(ExitStatus::Passed)
}

/// What is shown.
struct Found {
    run: KeptRun,
    /// The lines of the case in it.
    lines: Vec<CaseLine>,
    /// The runs of the same target before it.
    earlier: Vec<KeptRun>,
    loaded: LoadedConfig,
}

fn found(args: &ShowArgs) -> Result<Found, Refusal> {
    let (loaded, runs) = opened(&args.place)?;
    let (run, lines) = match &args.run {
        Some(name) => {
            let run = runs.find_kept(name).or_nothing_selected()?;
            let lines = lines_of(&run, &args.case)?;
            (run, lines)
        }
        None => last_with(&runs, &args.case)?,
    };
    if lines.is_empty() {
        let fault = match (&args.run, last_with(&runs, &args.case)?) {
            (Some(_), (last, lines)) if !lines.is_empty() => {
                format!(
                    "the case {} did not end in the run {}; it ended last in {}",
                    quoted(&args.case),
                    run.id(),
                    last.id()
                )
            }
            _ => no_case(&run, &args.case),
        };
        return Err(Refusal::new(ExitStatus::NothingSelected, fault));
    }
    let target = &run.record().target.name;
    let earlier = runs.list().into_iter().skip_while(|other| other.id() != run.id()).skip(1);
    let earlier = earlier.filter(|other| other.record().target.name == *target);
    let earlier = earlier.filter(|other| other.state() != RunState::Running).collect();
    Ok(Found { run, lines, earlier, loaded })
}

/// The last run in which the case ended, with its lines; else the last run.
fn last_with(runs: &Runs, case: &str) -> Result<(KeptRun, Vec<CaseLine>), Refusal> {
    let mut first = None;
    for run in runs.list() {
        let has_case = run.record().suites.iter().any(|suite| suite.cases.iter().any(|known| known.id == case));
        let lines = if has_case { lines_of(&run, case)? } else { Vec::new() };
        if !lines.is_empty() {
            return Ok((run, lines));
        }
        first.get_or_insert(run);
    }
    let none = || runs.find_kept("latest").or_nothing_selected();
    Ok((first.map_or_else(none, Ok)?, Vec::new()))
}

fn lines_of(run: &KeptRun, case: &str) -> Result<Vec<CaseLine>, Refusal> {
    let lines = run.lines().or_unusable()?;
    Ok(lines.into_iter().filter(|line| line.case == case).collect())
}

fn no_case(run: &KeptRun, case: &str) -> String {
    let ids = run.record().suites.iter().flat_map(|suite| &suite.cases).map(|known| known.id.as_str());
    let hint = did_you_mean(case, ids);
    let hint = if hint.is_empty() { "; `eval-ls list` lists the cases".to_owned() } else { hint };
    format!("no case {} ended in a kept run{hint}", quoted(case))
}

fn case<'a>(run: &'a KeptRun, line: &'a CaseLine, earlier: &[KeptRun], wanted: &Wanted) -> ShownCase<'a> {
    let viewed = |answer: Transcript| answer.viewed(wanted).ok();
    let answer = match run.answer(line) {
        Ok(Some(answer)) => answer.viewed(wanted).map(Some).map_err(|fault| fault.to_string()),
        Ok(None) => Ok(None),
        Err(fault) => Err(fault.to_string()),
    };
    let attempt = |record: &Option<_>| {
        record.as_ref().and_then(|record| run.recorded_answer(&line.case, record).ok()).and_then(viewed)
    };
    let attempts: Vec<Option<Transcript>> = line.attempts.iter().map(attempt).collect();
    // An attempt of the same run is nearer than another run.
    let of_run = || {
        let repeats = line.result.repeats.iter().flat_map(|repeats| &repeats.attempts).zip(&attempts).enumerate();
        let mut passed = repeats.filter(|(_, (repeat, _))| repeat.status == Status::Pass);
        passed.find_map(|(number, (_, answer))| Some((format!("attempt {}", number + 1), answer.clone()?)))
    };
    let path = |run: &KeptRun, line: &CaseLine| run.record().suites.get(line.suite).map(|suite| suite.path.clone());
    let is_same = |then: &KeptRun, other: &CaseLine| other.case == line.case && path(then, other) == path(run, line);
    let before = |then: &KeptRun| {
        let lines = then.lines().ok()?;
        let other = lines.iter().find(|other| other.status == Status::Pass && is_same(then, other))?;
        Some((then.id().to_string(), then.answer(other).ok()??.viewed(wanted).ok()?))
    };
    let passed = if line.status == Status::Pass { None } else { of_run().or_else(|| earlier.iter().find_map(before)) };
    ShownCase { run, line, answer, attempts, passed, edits: Vec::new() }
}

/// What has changed in the case since the run: `prompts`, `expectations`, `hints`. Nothing if its suite cannot be read any more.
fn edits_since(run: &KeptRun, line: &CaseLine, loaded: &LoadedConfig) -> Vec<&'static str> {
    let now = || {
        let path = suite_file(run, run.record().suites.get(line.suite)?, &loaded.root, false).ok()?;
        let text = Input::File(path.clone()).text().ok()?;
        let suite = SuiteInput::parse(path, text);
        let mut cases = suite.suite.cases.iter();
        let case = cases.find(|case| case.case.id.as_ref().is_some_and(|id| id.value == line.case))?;
        Some(CaseHashes::of(&case.case, suite.text.slice(case.span()), &loaded.config))
    };
    let then = run.record().hashes(line.suite, line.index);
    then.and_then(|then| Some(now()?.edits_since(then))).unwrap_or_default()
}

/// The case as one JSON document: its result, and its answer in the form of a transcript.
fn json<'a>(run: &'a KeptRun, line: &'a CaseLine) -> impl Serialize + 'a {
    #[derive(Serialize)]
    struct Shown<'a> {
        run: &'a RunId,
        suite: Option<&'a str>,
        case: &'a str,
        result: &'a CaseResult,
        answer: Option<Box<RawValue>>,
    }
    let answer = run.answer(line).ok().flatten();
    // The numbers of the telemetry stay as they were written.
    let answer = answer.and_then(|answer| RawValue::from_string(answer.to_json_line()).ok());
    let suite = run.record().suites.get(line.suite).map(|suite| suite.path.as_str());
    Shown { run: run.id(), suite, case: &line.case, result: &line.result, answer }
}

/// Writes the page of a run.
pub(super) fn report(args: &ReportArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    refuse_outputs(args.html.as_deref().filter(|path| *path != Path::new("-")), [], false)?;
    let (loaded, folder) = opened(&args.place)?;
    let find = |name: &str| folder.find_kept(name).or_nothing_selected();
    let mut given = args.runs.iter().map(|name| find(name)).collect::<Result<Vec<KeptRun>, Refusal>>()?;
    let run = given.pop().map_or_else(|| find("latest"), Ok)?;
    let page = page_of(&folder, &run, given.pop(), &loaded.config);
    let text = page.map_err(|fault| Refusal::new(status_of(&fault), fault))?;
    let path = args.html.clone().unwrap_or_else(|| folder.report());
    if path == Path::new("-") {
        console.out.write_text(&text);
        return Ok(ExitStatus::Passed);
    }
    write(&path, Access::of(run.folder()), text.as_bytes()).or_unusable()?;
    console.tell(format_args!("report: {}", near(&path)));
    if args.open {
        let opened = open_with_system(&absolute(&path));
        opened.map_err(|fault| format!("cannot open the page: {fault}")).or_unusable()?;
    }
    Ok(ExitStatus::Passed)
}

/// Writes the file of a page; a device or a pipe is not replaced.
fn write(path: &Path, access: Access, page: &[u8]) -> Result<(), FileError> {
    if !files::is_stream(path) {
        return files::replace_with(path, access, |file| file.write_all(page));
    }
    let written = files::stream(path, access)?.write_all(page);
    written.map_err(|source| FileError::Write { path: path.to_owned(), source })
}

fn status_of(fault: &PageError) -> ExitStatus {
    match fault {
        PageError::Recorded(_) => ExitStatus::Misused,
        PageError::Unreadable(_) => ExitStatus::Unusable,
    }
}
