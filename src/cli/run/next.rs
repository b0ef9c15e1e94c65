//! The line to type after a run that failed.

use std::borrow::Cow;

use crate::cli::ExitStatus;
use crate::cli::args::{RunArgs, RunMode};
use crate::events::CaseFinished;
use crate::report::Collected;
use crate::verdict::Status;

/// The most ids in a line.
const MOST: usize = 8;

/// The line, or `None` if there is nothing to do next. `status` is how the run ended.
pub(super) fn line(args: &RunArgs, run: &Collected, status: ExitStatus) -> Option<String> {
    let finished = run.finished()?;
    let is_kept = run.started()?.run.is_some();
    let is_live = run.started()?.live;
    if args.watch.is_some() || args.stdin_filename.is_some() {
        return None;
    }
    if args.mode == RunMode::Record && !finished.cancelled {
        return after_record(args, &earlier_ones_stay(run));
    }
    if finished.cancelled {
        return is_kept.then(|| format!("next: {}", command(args, "run --resume")));
    }
    let without_answer: Vec<&CaseFinished> = run.cases().into_iter().filter(|case| lacks_transcript(case)).collect();
    if !is_live && !without_answer.is_empty() && without_answer.len() == run.not_passed().len() {
        let verb = if without_answer.len() == 1 { "case has" } else { "cases have" };
        let record = command(args, &format!("record {}", cases(&without_answer)));
        return Some(format!("{} {verb} no transcript; next: {record}", without_answer.len()));
    }
    if matches!(status, ExitStatus::Failed | ExitStatus::NotJudged) {
        let selected = if is_kept { "--failed".to_owned() } else { cases(&run.not_passed()) };
        return Some(format!("next: {}", command(args, &format!("run {selected}"))));
    }
    None
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
    let mut words = vec!["eval-ls".to_owned(), "accept".to_owned()];
    if let Some(results) = &args.results {
        words.push(option("--results", &results.display().to_string()));
    }
    if let Some(config) = &args.config {
        words.push(option("--config", &config.display().to_string()));
    }
    if let Some(ids) = plain_ids(stay) {
        words.extend(ids.iter().any(|id| id.starts_with('-')).then(|| "--".to_owned()));
        words.extend(ids.into_iter().map(|id| quoted(id).into_owned()));
    }
    Some(format!("{stays}; to see the difference and decide, next: {}", words.join(" ")))
}

/// A replayed case ended in `ERROR` before anything was judged.
fn lacks_transcript(case: &CaseFinished) -> bool {
    case.status == Status::Error && case.result.check_details.is_empty()
}

fn cases(cases: &[&CaseFinished]) -> String {
    plain_ids(cases).map_or_else(String::new, |ids| option("--cases", &ids.join(",")))
}

/// The ids of a few cases, if each means only itself as a pattern in a list.
fn plain_ids<'a>(cases: &[&'a CaseFinished]) -> Option<Vec<&'a str>> {
    let ids: Vec<&str> = cases.iter().map(|case| case.case.case.as_str()).collect();
    let is_plain = |id: &&str| !id.is_empty() && !id.contains([',', '*', '?', '[', '{']);
    (ids.len() <= MOST && ids.iter().all(is_plain)).then_some(ids)
}

/// The command with the paths and the target that this run was given.
fn command(args: &RunArgs, rest: &str) -> String {
    let mut words = vec!["eval-ls".to_owned(), rest.trim().to_owned()];
    // A replay has no target to record from.
    if let Some(target) = args.target.as_ref().filter(|_| !rest.contains("--resume")) {
        words.push(option("--target", target));
    }
    if let Some(results) = &args.results {
        words.push(option("--results", &results.display().to_string()));
    }
    let paths: Vec<_> = args.eval_file.iter().chain(&args.paths).map(|path| path.display().to_string()).collect();
    if paths.iter().any(|path| path.starts_with('-')) {
        words.push("--".to_owned());
    }
    words.extend(paths.iter().map(|path| quoted(path).into_owned()));
    words.join(" ")
}

/// An option with its value, which is not an option itself.
fn option(name: &str, value: &str) -> String {
    let between = if value.starts_with('-') { '=' } else { ' ' };
    format!("{name}{between}{}", quoted(value))
}

/// A word as a shell reads it.
fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ',' | '/' | ':' | '@' | '+');
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    // Words with a NUL cannot be given to a program.
    shlex::try_quote(word).unwrap_or(Cow::Borrowed("''"))
}
