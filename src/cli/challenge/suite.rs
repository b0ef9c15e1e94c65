use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::analysis::{lint_names, workspace_of};
use crate::challenge::{Challenged, ControlAnswers, MOST_OTHER_ANSWERS, MOST_OTHER_BYTES, challenge_suite, findings};
use crate::cli::args::ChallengeArgs;
use crate::cli::input::{Input, WithErrors, Workspaces, read_suite};
use crate::cli::selection::{SelectableSuite, Selection};
use crate::cli::{Console, ExitStatus, OrRefuse as _, Refusal};
use crate::config::Config;
use crate::report::challenge::{ChallengedCase, ChallengedSuite};
use crate::report::findings::Checked;
use crate::runner::SuiteInput;
use crate::suite::Suite;
use crate::transcript::{Store, Transcript};
use crate::workspace::{LoadedConfig, own_answers};

use super::{answers_of, checked};

/// Challenges the selected cases of one suite. `None` if none of them is selected.
///
/// # Errors
/// If the suite cannot be challenged, or its configuration has errors.
pub(super) fn challenge(
    args: &ChallengeArgs,
    selection: &mut Selection<'_>,
    input: &Input,
    workspaces: &mut Workspaces,
    console: &mut Console,
) -> Result<Option<(ChallengedSuite, Checked)>, Refusal> {
    let path = input.path().unwrap_or(Path::new("-"));
    let given = args.config.as_deref().map(|path| LoadedConfig::read(path, &lint_names())).transpose();
    let given = given.or_misused()?;
    let loaded = workspaces.of_input(input);
    let loaded = match (&given, &*loaded) {
        (Some(given), _) => given,
        (None, Ok(loaded)) => loaded,
        (None, Err(fault)) => return Err(Refusal::new(ExitStatus::Misused, fault)),
    };
    refuse_faulty(loaded)?;
    let config = &*loaded.config;

    let lints = match &given {
        Some(given) => Arc::new(workspace_of(&given.config)),
        None => workspaces.lints_of(input, loaded),
    };
    let read = read_suite(input, &lints, WithErrors::NotChallenged, console);
    let SuiteInput { text, suite, .. } = read.map_err(|_| Refusal::told(ExitStatus::Unusable))?.suite;
    let own = own_answers(&loaded.root, &config.challenge.answers, u64::MAX).or_misused()?;
    let mut cases = with_transcripts(&suite, path, config, console);
    let selectable = SelectableSuite { path, suite: &suite };
    let selected = selection.pick(selectable, loaded).or_nothing_selected()?;
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
    add_control(&mut cases, args, path, loaded, console)?;
    let judged = challenge_suite(&cases, &selected, &own, config);
    let mut all_findings = Vec::new();
    let challenged = selected.iter().zip(judged).map(|(index, judged)| {
        let Challenged { placed, .. } = &cases[*index];
        let findings = findings(&placed.case, &judged, &config.challenge);
        all_findings.extend(findings.into_iter().map(|finding| finding.shifted_by(placed.start)));
        ChallengedCase { placed: placed.clone(), judged }
    });
    let cases = challenged.collect();
    let suite = ChallengedSuite { name: input.name(), text: text.clone(), config: config.challenge.clone(), cases };
    Ok(Some((suite, checked(input.name(), text, all_findings))))
}

/// Adds the answers of the run that `--against` names, or that `[challenge]` names as the control.
///
/// # Errors
/// If a run that the command names is not there, or an answer cannot be read.
fn add_control(
    cases: &mut [Challenged],
    args: &ChallengeArgs,
    path: &Path,
    loaded: &LoadedConfig,
    console: &mut Console,
) -> Result<(), Refusal> {
    let configured = loaded.config.challenge.control.as_ref();
    let Some(run) = args.against.as_ref().or(configured) else {
        let help = "`--of` needs a control: name a run with `--against`, or with `control` under [challenge]";
        return args.of.as_ref().map_or(Ok(()), |_| Err(Refusal::new(ExitStatus::Misused, help)));
    };
    let mut against = match answers_of(run, path, loaded, console) {
        Ok(answers) => answers,
        Err(refusal) if args.against.is_none() && args.of.is_none() => {
            console.tell(format_args!("warning: no control is used: {}", refusal.reason()));
            return Ok(());
        }
        Err(refusal) => return Err(refusal),
    };
    let mut of = args.of.as_ref().map(|run| answers_of(run, path, loaded, console)).transpose()?;
    let take = |answers: &mut HashMap<String, Vec<Transcript>>, id: &str| answers.remove(id).unwrap_or_default();
    for case in cases {
        let id = case.placed.case.id.as_ref().map_or("", |id| id.value.as_str());
        let here = of.as_mut().map(|of| take(of, id));
        case.control = Some(ControlAnswers { here, control: take(&mut against, id) });
    }
    Ok(())
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
        control: None,
    });
    cases.collect()
}

fn refuse_faulty(loaded: &LoadedConfig) -> Result<(), Refusal> {
    if loaded.errors.is_empty() {
        return Ok(());
    }
    let name = loaded.config_path.as_deref().unwrap_or(Path::new("eval-ls.toml")).display().to_string();
    Err(Refusal::new(ExitStatus::Misused, format_args!("`{name}` has errors; `eval-ls check` shows them")))
}
