//! `accept`: takes answers of a kept run as transcripts, or with `--sample` as samples of their cases. It starts nothing.

use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use crate::cli::args::{AcceptArgs, SampleKind};
use crate::cli::input::{Input, config_of, near, refuse_faulty};
use crate::cli::selection::{runs_of, suite_file};
use crate::cli::{Console, ExitStatus, OrRefuse as _, Refusal, did_you_mean};
use crate::config::CaseGlob;
use crate::diagnostic::quoted;
use crate::files::{self, Access, FileError};
use crate::report::differences;
use crate::runner::{SuiteInput, judge_kept};
use crate::runs::{CaseLine, KeptRun, LATEST};
use crate::suite::PlacedCase;
use crate::text::{counted, visible_text};
use crate::transcript::{Store, Transcript, Wanted};
use crate::verdict::Status;
use crate::workspace::{LoadedConfig, absolute, folder_of_samples, is_linked_out, sample_text};

/// A kept run, and the suites and the configuration as they are now.
struct Opened {
    run: KeptRun,
    lines: Vec<CaseLine>,
    loaded: LoadedConfig,
    /// The suites of the record; `None` for one that cannot be read.
    suites: Vec<Option<SuiteInput>>,
    status: ExitStatus,
}

/// Opens the run that is named; without a name, the last one that asked a target, and not the stored answers, if there is one. Prints what is
/// missing.
///
/// # Errors
/// If the configuration or the run cannot be read.
fn open(args: &AcceptArgs, console: &mut Console) -> Result<Opened, Refusal> {
    let place = args.place.workspace.as_deref().unwrap_or(Path::new("."));
    let loaded = config_of(args.config.as_deref(), place)?;
    refuse_faulty(&loaded)?;
    let runs = runs_of(args.place.results.as_deref(), &loaded);
    let asked = || runs.list().into_iter().find(|run| run.record().target.is_live());
    let run = match args.run.as_deref() {
        Some(name) => runs.find_kept(name),
        None => asked().map_or_else(|| runs.find_kept(LATEST), Ok),
    };
    let run = run.or_nothing_selected()?;
    let lines = run.lines().or_unusable()?;
    let mut status = ExitStatus::Passed;
    let mut suites = Vec::new();
    for suite in &run.record().suites {
        let file = suite_file(&run, suite, &loaded.root, args.config.is_some());
        match file.and_then(|path| read_suite(&path)) {
            Ok(suite) => suites.push(Some(suite)),
            Err(fault) => {
                console.complain(fault);
                status = ExitStatus::Unusable;
                suites.push(None);
            }
        }
    }
    Ok(Opened { run, lines, loaded, suites, status })
}

fn read_suite(path: &Path) -> Result<SuiteInput, String> {
    let shown = PathBuf::from(near(&absolute(path)));
    Input::File(shown.clone()).text().map(|text| SuiteInput::parse(shown, text))
}

impl Opened {
    /// The case of a line as it is now: the one at its place if it has its id, else the first one with its id.
    fn case_now(&self, line: &CaseLine) -> Option<(&SuiteInput, &PlacedCase)> {
        let suite = self.suites.get(line.suite)?.as_ref()?;
        let has_id = |case: &&PlacedCase| case.case.id.as_ref().map_or("", |id| &id.value) == line.case;
        let cases = &suite.suite.cases;
        let case = cases.get(line.index).filter(has_id).or_else(|| cases.iter().find(has_id));
        Some((suite, case?))
    }
}

/// An answer that can become the transcript of its case.
struct Candidate {
    case: String,
    store: Store,
    answer: Transcript,
    earlier: Option<Transcript>,
    /// The verdict on the transcript, if there is one, and that on the answer.
    verdicts: (Option<Status>, Status),
}

/// What a person decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Accept,
    /// The current answer, and all that follow.
    All,
    Skip,
    Quit,
}

/// Takes answers of a kept run as transcripts.
pub(super) fn accept(args: &AcceptArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let mut reviews = !args.yes && io::stdin().is_terminal() && io::stderr().is_terminal();
    if args.cases.is_empty() && !args.yes && !reviews {
        return Err(Refusal::new(ExitStatus::Misused, "name the cases, or accept all answers with `--yes`"));
    }
    let globs = args.cases.iter().map(|glob| glob.parse::<CaseGlob>()).collect::<Result<Vec<_>, _>>().or_misused()?;
    let opened = open(args, console)?;
    let mut status = opened.status.max(missing(&opened, &globs, console));
    let meant = CaseGlob::meant(&globs, opened.lines.iter().map(|line| line.case.as_str()));
    let is_named = |line: &&CaseLine| globs.is_empty() || meant.contains(line.case.as_str());
    if let Some(kind) = args.sample {
        return Ok(status.max(keep_samples(&opened, opened.lines.iter().filter(is_named), kind, console)));
    }
    let (mut accepted, mut same, mut without) = (0, 0, 0);
    for line in opened.lines.iter().filter(is_named) {
        let candidate = match candidate(&opened, line) {
            Ok(Some(candidate)) => candidate,
            Ok(None) => {
                same += 1;
                continue;
            }
            // Without names, cases without an answer are not meant.
            Err(_) if globs.is_empty() => {
                without += 1;
                continue;
            }
            Err(fault) => {
                console.complain(format_args!("{}: {fault}", quoted(&line.case)));
                status = status.max(ExitStatus::NothingSelected);
                continue;
            }
        };
        if !(reviews || args.failing) && candidate.verdicts.0.is_some_and(|before| before.stays(candidate.verdicts.1)) {
            let line = format!("kept     {}  {}; `--failing` takes it", candidate.case, candidate.shown());
            console.out.write_line(&visible_text(line));
            status = status.max(ExitStatus::Failed);
            continue;
        }
        let choice = if reviews { review(&candidate, &mut io::stdin().lock(), console) } else { Choice::Accept };
        reviews &= choice != Choice::All;
        match choice {
            Choice::Quit => break,
            Choice::Skip => continue,
            Choice::Accept | Choice::All => match candidate.store.write(&candidate.answer) {
                Ok(path) => {
                    accepted += 1;
                    let line = format!("accepted {}  {}  {}", candidate.case, candidate.shown(), path.display());
                    console.out.write_line(&visible_text(line));
                }
                Err(fault) => {
                    console.complain(fault);
                    status = status.max(ExitStatus::Unusable);
                }
            },
        }
    }
    let same = if same > 0 { format!("; {same} already accepted") } else { String::new() };
    let without_answer =
        if without > 0 { format!("; {} without an answer", counted(without, "case")) } else { String::new() };
    let accepted = counted(accepted, "answer");
    console.tell(format_args!("{accepted} accepted from the run {}{same}{without_answer}", opened.run.id()));
    if without > 0 && without == opened.lines.len() {
        status = status.max(ExitStatus::NothingSelected);
    }
    Ok(status)
}

/// Complains about names that no case of the run has.
fn missing(opened: &Opened, globs: &[CaseGlob], console: &mut Console) -> ExitStatus {
    let mut status = ExitStatus::Passed;
    for glob in globs.iter().filter(|glob| !opened.lines.iter().any(|line| glob.matches(&line.case))) {
        let known = opened.lines.iter().map(|line| line.case.as_str());
        let hint = did_you_mean(glob.as_str(), known.filter(|_| !glob.is_pattern()));
        console.complain(format_args!("the run {} has no case {}{hint}", opened.run.id(), quoted(glob.as_str())));
        status = ExitStatus::NothingSelected;
    }
    status
}

/// The answer of a case, if it is not the transcript already.
fn candidate(opened: &Opened, line: &CaseLine) -> Result<Option<Candidate>, String> {
    let (suite, case) = opened.case_now(line).ok_or("the suite does not have the case any more")?;
    let answer = opened.run.answer(line).map_err(|fault| fault.to_string())?;
    let answer = answer.ok_or_else(|| {
        let reason = line.result.reason.as_deref().unwrap_or_default();
        format!("the run has no answer: {}", reason.lines().next().unwrap_or_default())
    })?;
    let config = &opened.loaded.config;
    // The answer may be that of a run that came with the files of somebody else.
    // The folder of a run with secrets is private.
    let is_private = Access::of(opened.run.folder()) == Access::Private;
    let store = Store::new(&suite.path, config).within(&opened.loaded.root, u64::MAX).private(is_private);
    // A transcript that cannot be read is replaced.
    let earlier = store.read(&line.case).ok().flatten();
    if earlier.as_ref().is_some_and(|earlier| is_same(earlier, &answer)) {
        return Ok(None);
    }
    let verdict = |transcript: &Transcript| {
        let viewed = transcript.clone().viewed(&Wanted::by(config)).map_err(|fault| fault.to_string());
        judge_kept(&suite.text, case, viewed, config).status
    };
    let verdicts = (earlier.as_ref().map(verdict), verdict(&answer));
    Ok(Some(Candidate { case: line.case.clone(), store, answer, earlier, verdicts }))
}

impl Candidate {
    /// The target, and both verdicts: `agent  PASS → FAIL`.
    fn shown(&self) -> String {
        let (before, after) = self.verdicts;
        let before = before.map_or("none".to_owned(), |status| status.to_string());
        format!("{}  {before} → {after}", self.answer.target.as_deref().unwrap_or("no target"))
    }
}

/// Whether two answers differ in nothing but times.
fn is_same(one: &Transcript, other: &Transcript) -> bool {
    one.response == other.response
        && one.telemetry == other.telemetry
        && one.prompt == other.prompt
        && one.setup_prompts == other.setup_prompts
        && one.target == other.target
}

/// Shows an answer beside the transcript, and asks what to do with it.
fn review(candidate: &Candidate, input: &mut impl BufRead, console: &mut Console) -> Choice {
    console.tell(format_args!("{}  {}", candidate.case, candidate.shown()));
    let earlier = candidate.earlier.as_ref().map_or("", |earlier| earlier.response.as_str());
    for line in diff(earlier, &candidate.answer.response) {
        console.tell(line);
    }
    if candidate.earlier.as_ref().is_some_and(|earlier| earlier.telemetry != candidate.answer.telemetry) {
        console.tell("the telemetry differs, too");
    }
    loop {
        console.tell("y accept, n skip, A accept all, q quit:");
        let mut line = String::new();
        match input.read_line(&mut line) {
            Ok(0) | Err(_) => return Choice::Quit,
            Ok(_) => {}
        }
        match line.trim() {
            "y" | "yes" | "a" | "accept" => return Choice::Accept,
            "A" | "all" => return Choice::All,
            "n" | "no" | "s" | "skip" => return Choice::Skip,
            "q" | "quit" => return Choice::Quit,
            other => console.tell(format_args!("{} is none of these", quoted(other))),
        }
    }
}

/// The changed lines and the lines around them, each with its sign.
fn diff(earlier: &str, answer: &str) -> Vec<String> {
    differences(earlier, answer).into_iter().map(|(sign, line)| format!("{sign} {line}")).collect()
}

/// Stores the answers of these cases as samples, named after the run. Prints each file.
fn keep_samples<'l>(
    opened: &Opened,
    lines: impl Iterator<Item = &'l CaseLine>,
    kind: SampleKind,
    console: &mut Console,
) -> ExitStatus {
    let mut status = ExitStatus::Passed;
    for line in lines {
        match sample(opened, line, kind) {
            Ok(path) => console.out.write_line(&visible_text(path)),
            Err((fault, worst)) => {
                console.complain(format_args!("{}: {fault}", quoted(&line.case)));
                status = status.max(worst);
            }
        }
    }
    status
}

fn sample(opened: &Opened, line: &CaseLine, kind: SampleKind) -> Result<String, (String, ExitStatus)> {
    let none = |fault: String| (fault, ExitStatus::NothingSelected);
    let unusable = |fault: String| (fault, ExitStatus::Unusable);
    let (suite, case) =
        opened.case_now(line).ok_or_else(|| none("the suite does not have the case any more".to_owned()))?;
    let answer = opened.run.answer(line).map_err(|fault| unusable(fault.to_string()))?;
    let answer = answer.ok_or_else(|| none("the run has no answer".to_owned()))?;
    let folder = folder_of_samples(&suite.path, &case.case).ok_or_else(|| none("the case has no id".to_owned()))?;
    let beside = suite.path.parent().unwrap_or(&suite.path);
    if is_linked_out(&folder, beside, &opened.loaded.root) {
        return Err(unusable(format!("a link leads from `{}` out of the workspace; remove it", folder.display())));
    }
    let (start, word) = kind.words();
    let path = folder.join(format!("{start}-{}.json", opened.run.id()));
    // The folder of a run with secrets is private.
    let access = Access::of(opened.run.folder());
    let text = sample_text(answer);
    let written = files::create_folder(&folder)
        .and_then(|()| files::create_with(&path, access, |file| std::io::Write::write_all(file, text.as_bytes())));
    match written {
        Ok(()) => Ok(format!("stored a {word} sample of {}  {}", line.case, path.display())),
        Err(FileError::Exists { .. }) => Ok(format!("stored already  {}", path.display())),
        Err(fault) => Err(unusable(fault.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;

    use super::*;

    #[test]
    fn a_diff_shows_what_changes_and_what_is_around() {
        let text = |middle: &str| format!("1\n2\n3\n4\n5\n{middle}\n7\n8\n9\n10\n");
        let expected = ["  3", "  4", "  5", "- 6", "+ six", "  7", "  8", "  9"];
        assert_eq!(diff(&text("6"), &text("six")), expected);
        assert_eq!(diff("", "a\r\nb"), ["+ a", "+ b"]);
        assert_eq!(diff("a", "a"), [""; 0]);
    }

    #[test]
    fn a_review_asks_until_it_is_answered() {
        let answer = Transcript { response: "new\u{1b}[31m".to_owned(), ..Transcript::default() };
        let candidate = Candidate {
            case: "A".to_owned(),
            store: Store::new(std::path::Path::new("s.json"), &Config::default()),
            answer,
            earlier: None,
            verdicts: (None, Status::Pass),
        };
        for (typed, choice) in
            [("a\n", Choice::Accept), ("what?\n\nskip\n", Choice::Skip), ("q\n", Choice::Quit), ("", Choice::Quit)]
        {
            let mut console = Console::of_process();
            assert_eq!(review(&candidate, &mut typed.as_bytes(), &mut console), choice, "{typed:?}");
        }
    }
}
