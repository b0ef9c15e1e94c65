//! `propose`: checks for a case, from one of its answers.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::challenge::{Beside, Proposal, propose as proposed, propose_all, surroundings};
use crate::cli::args::{Format, ProposeArgs};
use crate::cli::challenge::{answers_of, with_transcripts};
use crate::cli::input::{Input, WithErrors, Workspaces, find, or_here, read_suite, write_back};
use crate::cli::{Console, ExitStatus, OrRefuse as _, Refusal, did_you_mean};
use crate::config::Config;
use crate::diagnostic::{Edit, quoted};
use crate::import::Imported;
use crate::report::differences;
use crate::runner::SuiteInput;
use crate::suite::{DetectedVersion, PlacedCase};
use crate::text::{Text, counted, visible_text};
use crate::transcript::{Store, Transcript, Wanted};
use crate::workspace::{LoadedConfig, answer_of_text, samples_of};

/// Proposes checks, and writes them if that is asked.
pub(super) fn propose(args: &ProposeArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let Found { suite, index, loaded } = found(args, console)?;
    let placed = &suite.suite.cases[index];
    let answer = answer(args, &suite, placed, &loaded, console)?;
    let cases = with_transcripts(&suite.suite, &suite.path, &loaded.config, console);
    let around = surroundings(&cases, index);
    let samples = samples_of(&loaded.root, &suite.path, &placed.case);
    let declared = suite.suite.version.as_ref().map(|version| version.value.as_str());
    let DetectedVersion { version, .. } = DetectedVersion::detect(declared, Some(&suite.path));
    let source = suite.text.slice(placed.span());
    let beside = Beside { around, samples: &samples, version };
    let proposal =
        proposed(source, &answer, &beside, &loaded.config).map_err(|fault| Refusal::new(ExitStatus::Failed, fault))?;
    let edits: Vec<Edit> = proposal
        .edits
        .iter()
        .map(|edit| Edit::replace(edit.span.shifted_by(placed.start), edit.text.clone()))
        .collect();
    let text = Edit::apply_all(suite.text.as_str(), &edits);
    let is_written = args.write && !edits.is_empty();
    if is_written {
        write_back(&suite.path, or_here(&args.paths), &text).or_unusable()?;
    }
    match args.format {
        Format::Json => console.out.write_json(&as_json(&args.case, &suite.path, &proposal, is_written)),
        _ => print(args, &suite, &text, &proposal, is_written, console),
    }
    Ok(if proposal.open.is_empty() { ExitStatus::Passed } else { ExitStatus::Failed })
}

struct Found {
    suite: SuiteInput,
    /// The index of the case.
    index: usize,
    loaded: LoadedConfig,
}

/// The one suite with the case.
fn found(args: &ProposeArgs, console: &mut Console) -> Result<Found, Refusal> {
    let mut workspaces = Workspaces::new();
    let inputs = find(or_here(&args.paths), None, &mut workspaces);
    let status = inputs.complain(console);
    if inputs.inputs.is_empty() {
        return Err(Refusal::told(status.max(ExitStatus::NothingSelected)));
    }
    let (mut all, mut known) = (Vec::new(), Vec::new());
    for input in inputs.inputs {
        let (loaded, lints) = workspaces.obeyed(&input, None)?;
        let Ok(read) = read_suite(&input, &lints, WithErrors::Used, console) else { continue };
        let ids = read.suite.suite.cases.iter().map(|placed| placed.case.id.as_ref().map_or("", |id| &id.value));
        known.extend(ids.clone().map(str::to_owned));
        if let Some(index) = ids.clone().position(|id| id == args.case) {
            all.push(Found { suite: read.suite, index, loaded });
        }
    }
    match all.len() {
        1 => Ok(all.remove(0)),
        0 => {
            let hint = did_you_mean(&args.case, known.iter().map(String::as_str));
            let hint = if hint.is_empty() { "; `eval-ls list` lists the cases".to_owned() } else { hint };
            let fault = format!("no suite has the case {}{hint}", quoted(&args.case));
            Err(Refusal::new(ExitStatus::NothingSelected, fault))
        }
        count => {
            let case = quoted(&args.case);
            let fault = format!("{count} suites have the case {case}; name one: {}", all[0].suite.path.display());
            Err(Refusal::new(ExitStatus::Misused, fault))
        }
    }
}

fn answer(
    args: &ProposeArgs,
    suite: &SuiteInput,
    placed: &PlacedCase,
    loaded: &LoadedConfig,
    console: &mut Console,
) -> Result<Transcript, Refusal> {
    let viewed = |answer: Transcript| answer.viewed(&Wanted::by(&loaded.config)).or_unusable();
    if let Some(run) = &args.run {
        let mut answers = answers_of(run, &suite.path, loaded, console)?;
        let first = answers.remove(&args.case).and_then(|answers| answers.into_iter().next());
        let none = || format!("the run {} has no answer to the case {}", quoted(run), quoted(&args.case));
        return first.ok_or_else(none).or_nothing_selected();
    }
    let Some(file) = &args.answer else {
        let stored = Store::new(&suite.path, &loaded.config).read(&args.case).or_unusable()?;
        let none = "the case has no transcript; name a run with `--run`, or a file with the answer with `--answer`";
        return stored.ok_or(none).or_nothing_selected();
    };
    let input = if file == Path::new("-") { Input::Stdin(None) } else { Input::File(file.clone()) };
    let text = input.text().or_unusable()?.as_str().to_owned();
    let answer = answer_of_text(file, text, &placed.case).map_err(|fault| format!("`{}`: {fault}", file.display()));
    viewed(answer.or_unusable()?)
}

/// Adds checks to the cases of an import, by their answers, except those whose ids are in `kept`. A conversation in whose answer no check is
/// found makes no case.
pub(super) fn add_checks(imported: &mut Imported, kept: &HashSet<String>, config: &Config) {
    let Some(Value::Array(cases)) = imported.suite.get_mut("cases").map(Value::take) else { return };
    let mut answers: HashMap<String, Arc<Transcript>> =
        imported.transcripts.drain(..).map(|answer| (answer.case.clone(), Arc::new(answer))).collect();
    let id = |case: &Value| case["id"].as_str().unwrap_or_default().to_owned();
    let sources: Vec<(String, Option<Arc<Transcript>>)> =
        cases.iter().map(|case| (format!("{case:#}"), answers.get(&id(case)).cloned())).collect();
    let proposals = propose_all(&sources, config);
    let mut with_checks = Vec::new();
    for ((mut case, (source, _)), proposal) in cases.into_iter().zip(&sources).zip(proposals) {
        let id = id(&case);
        match proposal {
            _ if kept.contains(&id) => {}
            Ok(proposal) => {
                case = serde_json::from_str(&Edit::apply_all(source, &proposal.edits)).unwrap_or(case);
                if !Imported::has_checks(&case) {
                    imported.leave_out("its answer has nothing that a check can look for".to_owned(), &id);
                }
            }
            Err(fault) => imported.leave_out(format!("checks are not proposed: {fault}"), &id),
        }
        if Imported::has_checks(&case) || imported.conversations.is_none() {
            with_checks.push(case);
            imported.transcripts.extend(answers.remove(&id).map(|answer| Transcript::clone(&answer)));
        }
    }
    imported.cases = with_checks.len();
    imported.checked = with_checks.iter().filter(|case| Imported::has_checks(case)).count();
    imported.suite["cases"] = Value::Array(with_checks);
}

fn print(
    args: &ProposeArgs,
    suite: &SuiteInput,
    text: &str,
    proposal: &Proposal,
    is_written: bool,
    console: &mut Console,
) {
    let mut line = |text: String| console.out.write_line(&visible_text(text));
    for (sign, text) in differences(suite.text.as_str(), Text::new(text).as_str()) {
        line(format!("{sign} {text}").trim_end().to_owned());
    }
    if !proposal.checks.is_empty() {
        line(String::new());
    }
    for check in &proposal.checks {
        let rewrites = match check.rewrites {
            0 => String::new(),
            count => format!(" · passes {} of the answer", counted(count, "rewrite")),
        };
        let (key, entry, notices) = (check.key, &check.entry, check.notices.len());
        line(format!("{key}: {entry}\n").trim_end().to_owned());
        line(format!("  fails on {notices} of {}{rewrites}", counted(proposal.wrong_answers, "wrong answer")));
    }
    let case = quoted(&args.case);
    console.tell(match (proposal.checks.len(), &proposal.open[..]) {
        (0, []) => format!(
            "{case} fails all {} tried already; there is nothing to add",
            counted(proposal.wrong_answers, "wrong answer")
        ),
        (0, open) => {
            let open = open.join(", ");
            format!("found no check in this answer with which {case} fails {open}; give it an answer that says more")
        }
        (count, []) => format!(
            "with {}, {case} fails all {} tried",
            counted(count, "new check"),
            counted(proposal.wrong_answers, "wrong answer")
        ),
        (count, open) => format!("with {}, {case} still passes {}", counted(count, "new check"), open.join(", ")),
    });
    if !proposal.checks.is_empty() {
        console.tell(match is_written {
            true => format!("written to `{}`; read the checks before you trust them", suite.path.display()),
            false if args.run.is_some() || args.answer.is_some() || !args.paths.is_empty() => {
                "add `--write` to write them".to_owned()
            }
            false => format!(
                "`eval-ls propose {} --write` writes {}",
                args.case,
                if proposal.checks.len() == 1 { "it" } else { "them" }
            ),
        });
    }
}

fn as_json(case: &str, suite: &Path, proposal: &Proposal, is_written: bool) -> Value {
    let checks = proposal.checks.iter().map(|check| {
        json!({
            "key": check.key,
            "value": serde_json::from_str::<Value>(&check.entry).unwrap_or_default(),
            "fails_on": check.notices,
            "passes_rewrites": check.rewrites,
        })
    });
    json!({
        "case": case,
        "suite": suite.display().to_string(),
        "checks": checks.collect::<Vec<_>>(),
        "wrong_answers": proposal.wrong_answers,
        "still_passes": proposal.open,
        "written": is_written,
    })
}
