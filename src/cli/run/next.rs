//! The line to type after a run that failed.

use std::collections::BTreeSet;

use crate::cli::ExitStatus;
use crate::cli::args::{RunArgs, RunMode};
use crate::events::{CaseFinished, Grade};
use crate::report::Collected;
use crate::runs::LATEST;
use crate::targets::UNREADABLE;
use crate::text::visible_text;
use crate::verdict::Status;
use crate::wording::{command_for_case, shell_word};

/// The most ids in a line. One line of a terminal.
const MOST: usize = 8;

/// The line, or `None` if there is nothing to do next. `status` is how the run ended, and `live` are the live targets of the
/// configurations.
pub(super) fn line(args: &RunArgs, run: &Collected, status: ExitStatus, live: &BTreeSet<String>) -> Option<String> {
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
    if finished.not_run > 0 {
        return Some(format!("next: {}", command(args, &format!("run {}", selection(args)), args.target.as_deref())));
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
        return Some(format!("next: {}", again(args.target.as_deref())));
    }
    let asked: BTreeSet<&String> = red.iter().filter_map(|case| case.result.answered_by.as_ref()).collect();
    let asked: Vec<&String> = live.iter().filter(|target| asked.is_empty() || asked.contains(target)).collect();
    Some(match &asked[..] {
        [target] => format!("next: edit the case, or ask {target} again: {}", again(Some(target))),
        _ => format!("next: edit the case, and judge the same answer: {}", again(None)),
    })
}

/// The cases of a recording whose earlier answers stay, because the new ones do not pass.
pub(super) fn earlier_ones_stay(run: &Collected) -> Vec<&CaseFinished> {
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
        words.extend(args.options.baseline.then(|| "--baseline".to_owned()));
        words.extend(args.options.strict.then(|| "--strict".to_owned()));
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
