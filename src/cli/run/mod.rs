//! `run`: runs suites, shows what happens, and writes the results; which target is asked, and whose configuration is obeyed.

mod batch;
mod present;
mod repeat;
mod reports;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use batch::{Batch, Batches};
use present::Presenter;

use crate::cli::Console;
use crate::cli::args::RunArgs;
use crate::cli::input::near;
use crate::config::{BrowserTarget, Config, HumanDuration, TargetConfig, TargetKind, web_address};
use crate::diagnostic::quoted;
use crate::events::{Event, Grade};
use crate::files;
use crate::files::Access;
use crate::git::{self, Head};
use crate::processes::{end_programs_with_this_process, gone, hide_from_programs, leave_nothing_running};
use crate::report::{Written, write_results};
use crate::runner::{self, Outcome, Run};
use crate::runs::{GitRecord, OpenRun, RunMode, TargetRecord};
use crate::targets::{BrowserOptions, Cancel};
use crate::workspace::{LoadedConfig, absolute};

use super::args::Format;
use super::output::refuse_outputs;
use super::{ExitStatus, OrRefuse as _, Refusal};

/// Runs the suites that `args` name, and prints the outcome.
pub(super) fn run(args: &RunArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    if args.self_test {
        return Ok(super::texts::self_test(console));
    }
    let paths: Vec<PathBuf> = args.eval_file.iter().chain(&args.paths).cloned().collect();
    let paths = if paths.is_empty() { vec![PathBuf::from(".")] } else { paths };
    refuse_reports(args)?;
    let continued;
    let (args, batches) = match (&args.resume, &args.answers_of) {
        (Some(name), _) => {
            let run = batch::again(args, name, &paths, console)?;
            continued = run.resumed(args)?;
            (&continued, run.batch(&continued, console)?)
        }
        (None, Some(name)) => (args, batch::again(args, name, &paths, console)?.batch(args, console)?),
        (None, None) => (args, batch::prepare(args, &paths, console)?),
    };
    if batches.status == ExitStatus::Misused {
        return Ok(ExitStatus::Misused);
    }
    let runtime = runtime().map_err(|fault| format!("cannot start: {fault}")).or_unusable()?;
    hide_from_programs();
    end_programs_with_this_process();
    let cancel = Cancel::new();
    if let Some(process) = args.ends_with {
        let cancel = cancel.clone();
        runtime.spawn(async move {
            gone(process).await;
            leave_nothing_running();
            cancel.cancel();
        });
    }
    let (secrets, live) = (batches.have_secrets(), batches.live_targets());
    let Batches { batches, not_run, mut status } = batches;
    // It opens the reports. To open a pipe waits for its reader, and until then a signal just ends this process.
    let mut presenter = Presenter::new(args, Access::private_if(secrets), live, console);
    drop(runtime.spawn(listen_for_interrupts(cancel.clone())));
    not_run.into_iter().for_each(|suite| presenter.take(&Event::SuiteNotRun(suite)));
    for batch in batches {
        if !cancel.is_cancelled() {
            status = status.max(run_batch(args, batch, &runtime, &cancel, &mut presenter));
        }
    }
    if cancel.is_cancelled() {
        status = ExitStatus::Interrupted;
    }
    let written = presenter.close(status);
    // On Windows, threads read the pipes of programs. A program that escaped its job could hold a pipe open, and ends only with this
    // process.
    runtime.shutdown_background();
    // The process ends, and freeing each part of each result takes time.
    std::mem::forget(presenter);
    Ok(status.max(written))
}

/// Refuses a page that cannot be made, and reports over files that are read.
fn refuse_reports(args: &RunArgs) -> Result<(), Refusal> {
    let inputs = args.paths.iter().chain(&args.eval_file).chain(&args.config).chain(&args.stdin_filename);
    refuse_outputs(args.report.iter().filter_map(|it| it.path.as_deref()), inputs.map(|path| &**path), false)?;
    if args.no_results && args.report.iter().any(|report| report.format == Format::Html) {
        let fault = "`--report html` is made from the kept run, and `--no-results` keeps none; remove one of them";
        return Err(Refusal::new(ExitStatus::Misused, fault));
    }
    Ok(())
}

/// The threads of a run at its start: two workers, the thread that keeps the run, one that reads a file.
const THREADS: usize = 4;

/// The runtime, if the system allows the threads that a run needs. The library panics, or waits forever, without them.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    let (sender, wait) = std::sync::mpsc::channel::<()>();
    let wait = Arc::new(std::sync::Mutex::new(wait));
    let start = |_| {
        let wait = Arc::clone(&wait);
        // All wait for the end of the sender, so that all exist at once.
        let hold = move || drop(wait.lock().map(|wait| wait.recv()));
        std::thread::Builder::new().spawn(hold)
    };
    let started: Result<Vec<_>, _> = (0..THREADS).map(start).collect();
    drop(sender);
    for thread in started.map_err(|fault| std::io::Error::other(format!("cannot start a thread: {fault}")))? {
        let _ = thread.join();
    }
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()
}

fn run_batch(
    args: &RunArgs,
    batch: Batch,
    runtime: &tokio::runtime::Runtime,
    cancel: &Cancel,
    presenter: &mut Presenter<'_>,
) -> ExitStatus {
    let Batch { plan, target, config, mut options } = batch;
    if let Some(kept) = &mut options.kept {
        kept.record.git = git::head(&kept.root).map(|Head { commit, branch }| GitRecord { commit, branch });
    }
    let (runs, root) = options.kept.as_ref().map(|kept| (kept.runs.clone(), kept.root.clone())).unzip();
    let events = |event: &Event| presenter.take(event);
    let run = runner::run(plan, target, Arc::clone(&config), options, cancel, events);
    let mut outcome = match runtime.block_on(run) {
        Ok(outcome) => outcome,
        Err(fault) => {
            presenter.complain(&format!("{fault}; `--no-results` runs without keeping anything"));
            return ExitStatus::Unusable;
        }
    };
    note_versions(&mut outcome, root.as_deref(), &config, presenter);
    let (status, written) = write(outcome, args, presenter);
    if let Some(written) = written {
        presenter.made(written, Arc::clone(&config));
    }
    if let Some(runs) = runs
        && let Err(fault) = runs.collect_garbage(&config.run.keep, SystemTime::now())
    {
        presenter.complain(&fault.to_string());
    }
    status
}

/// Notes in the record and in the reports of a run if the files of its program have changed since it started.
fn note_versions(outcome: &mut Outcome, root: Option<&Path>, config: &Config, presenter: &mut Presenter<'_>) {
    let (Some(kept), Some(root)) = (&mut outcome.kept, root) else { return };
    let started = kept.record().target.clone();
    let files = repeat::programs(config, root).remove(&started.name);
    let now = TargetRecord { files, ..TargetRecord::default() };
    if started.mixed || !started.has_other_files(&now) {
        return;
    }
    let name = quoted(&started.name);
    presenter
        .say(&format!("warning: the program of {name} changed during the run: its answers are of several versions"));
    if let Err(fault) = kept.note_program(&now) {
        presenter.complain(&fault.to_string());
    }
    outcome.run.set_mixed();
}

/// Writes the results of a run, and shows where they are. Returns the exit status of the run, and the run if it is kept.
fn write(mut outcome: Outcome, args: &RunArgs, presenter: &mut Presenter<'_>) -> (ExitStatus, Option<OpenRun>) {
    let mut status = status_of(&outcome.run, args);
    if let Some(session) = &args.options.session {
        outcome.origin.session = Some(session.clone());
    }
    presenter.keep(&outcome);
    match write_results(&outcome) {
        Ok(written) => {
            if let Some(kept) = &mut outcome.kept {
                kept.add_results(written.iter().flat_map(Written::names));
            }
            presenter.written(&written);
        }
        Err(fault) => {
            presenter.complain(&fault.to_string());
            status = status.max(ExitStatus::Unusable);
        }
    }
    if let Some(kept) = &outcome.kept {
        let fewer = kept.is_broken().then(|| (kept.len(), outcome.run.results().count()));
        status = if fewer.is_some() { status.max(ExitStatus::Unusable) } else { status };
        presenter.kept(kept.folder(), fewer);
    }
    match outcome.finish() {
        Ok(written) => (status, written),
        Err(fault) => {
            presenter.complain(&fault.to_string());
            (status.max(ExitStatus::Unusable), None)
        }
    }
}

fn status_of(run: &Run, args: &RunArgs) -> ExitStatus {
    let statuses = run.results().map(|case| match run.policy().grade(case) {
        Grade::NotJudged => ExitStatus::NotJudged,
        _ if args.options.mode == RunMode::Record => ExitStatus::Passed,
        Grade::Failed => ExitStatus::Failed,
        Grade::Passed => ExitStatus::Passed,
    });
    statuses.max().unwrap_or(ExitStatus::Passed)
}

/// Cancels the run on Ctrl-C or another signal that asks the program to end. A second one exits at once.
async fn listen_for_interrupts(cancel: Cancel) {
    let mut asked = Asked::new();
    asked.next().await;
    cancel.cancel();
    asked.next().await;
    std::process::exit(130);
}

#[cfg(unix)]
struct Asked {
    signals: Vec<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Asked {
    fn new() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        // Where a signal cannot be listened to, it ends the program as it always did.
        Self { signals: kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect() }
    }

    async fn next(&mut self) {
        let waiting = self.signals.iter_mut().map(|signal| Box::pin(signal.recv()));
        futures_util::future::select_all(waiting).await;
    }
}

#[cfg(windows)]
struct Asked {
    interrupt: Option<tokio::signal::windows::CtrlC>,
    interrupt_by_break: Option<tokio::signal::windows::CtrlBreak>,
    close: Option<tokio::signal::windows::CtrlClose>,
}

#[cfg(windows)]
impl Asked {
    fn new() -> Self {
        use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close};
        // Where a signal cannot be listened to, it ends the program as it always did.
        Self { interrupt: ctrl_c().ok(), interrupt_by_break: ctrl_break().ok(), close: ctrl_close().ok() }
    }

    /// Completes on Ctrl-C, on Ctrl-Break, and when the console is closed: then Windows ends the program 5 s later.
    async fn next(&mut self) {
        let Self { interrupt, interrupt_by_break, close } = self;
        tokio::select! {
            Some(Some(())) = async { Some(interrupt.as_mut()?.recv().await) } => {}
            Some(Some(())) = async { Some(interrupt_by_break.as_mut()?.recv().await) } => {}
            Some(Some(())) = async { Some(close.as_mut()?.recv().await) } => {}
            else => std::future::pending().await,
        }
    }
}

/// A target as the flags have it.
#[derive(Debug)]
pub(super) struct Chosen {
    /// The name.
    pub(super) name: String,
    /// The configuration with what the flags change about it.
    pub(super) config: Arc<Config>,
    /// What the flags say beside.
    pub(super) options: BrowserOptions,
    /// How long a case may take at least, so that its answer may take as long as the flags say.
    pub(super) timeout: Option<Duration>,
}

/// How long a case may take beside waiting for its answer. Opening the page and the steps take some seconds each.
const BESIDE: Duration = Duration::from_secs(30);

/// The target that is asked: `target`, or, where flags ask for a browser and none is named, the only one of
/// that kind, or a new one at `--app-url`.
///
/// # Errors
/// If a flag is for a browser target and the target is not one, or an address or a time is invalid; the message is for people.
pub(super) fn choose(args: &RunArgs, target: Option<&str>, config: Arc<Config>) -> Result<Chosen, String> {
    let name = match target {
        Some(name) => name.to_owned(),
        None if args.options.mode == RunMode::Record => live(&config)?,
        None => config.run.target.clone(),
    };
    let options = BrowserOptions { session: args.options.session.clone(), answer_within: answer_within(args)? };
    let mut chosen = Chosen { name, config, options, timeout: None };
    if args.app_url.is_none() && args.space_url.is_none() && args.options.wait_ms.is_none() {
        if is_browser(&chosen.config, &chosen.name) {
            check_session(args)?;
        }
        return Ok(chosen);
    }
    check_session(args)?;
    let (app, space) = (address("--app-url", &args.app_url)?, address("--space-url", &args.space_url)?);
    chosen.name = browser(args, target, &chosen.config, &chosen.name)?;
    let targets = &mut Arc::make_mut(&mut chosen.config).targets;
    let table = targets.entry(chosen.name.clone());
    let new = || BrowserTarget::new(app.clone().unwrap_or_default());
    let table = table.or_insert_with(|| TargetKind::Browser(Box::new(new())).into());
    if let TargetKind::Browser(browser) = &mut table.kind {
        browser.url = app.unwrap_or_else(|| browser.url.clone());
        browser.space_url = space.or_else(|| browser.space_url.take());
        chosen.timeout = chosen.options.answer_within.map(|limit| limit.get() + browser.settle.get() + BESIDE);
    }
    Ok(chosen)
}

/// The target to record from where none is named: the one that the configuration runs with, or the only one that answers.
fn live(config: &Config) -> Result<String, String> {
    let is_live = |name: &&String| config.targets.get(*name).is_none_or(TargetConfig::is_live);
    let live: Vec<&String> = config.targets.keys().filter(is_live).collect();
    match &live[..] {
        _ if is_live(&&config.run.target) => Ok(config.run.target.clone()),
        [one] => Ok((*one).clone()),
        [] => Err("no live target is configured; `eval-ls init python` adds one".to_owned()),
        several => {
            let names: Vec<_> = several.iter().map(|name| quoted(name)).collect();
            Err(format!("several live targets are configured; name one with `--target`: {}", names.join(", ")))
        }
    }
}

fn browser(args: &RunArgs, target: Option<&str>, config: &Config, name: &str) -> Result<String, String> {
    if is_browser(config, name) {
        return Ok(name.to_owned());
    }
    let wrong = |why: &str| format!("`--app-url`, `--space-url` and `--wait-ms` are for a browser target, and {why}");
    if target.is_some() {
        return Err(wrong(&format!("{} is not one", quoted(name))));
    }
    let browsers: Vec<&String> = config.targets.keys().filter(|name| is_browser(config, name)).collect();
    match (&browsers[..], &args.app_url) {
        ([one], _) => Ok((*one).clone()),
        ([], Some(_)) => Ok(new_name(config)),
        ([], None) => Err(wrong("eval-ls.toml has none; set the app's address with `--app-url`")),
        _ => Err(wrong("eval-ls.toml has several; name one with `--target`")),
    }
}

fn is_browser(config: &Config, name: &str) -> bool {
    config.targets.get(name).and_then(TargetConfig::browser).is_some()
}

/// A name that no target has.
fn new_name(config: &Config) -> String {
    let mut name = "app".to_owned();
    while config.targets.contains_key(&name) {
        name.push('_');
    }
    name
}

fn address(flag: &str, given: &Option<String>) -> Result<Option<String>, String> {
    let Some(given) = given else { return Ok(None) };
    match web_address(given) {
        Some(url) => Ok(Some(url.into())),
        None => Err(format!("expected an address with `http://` or `https://` for `{flag}`, found {}", quoted(given))),
    }
}

/// What a browser's session may be called: a file is named after it.
fn check_session(args: &RunArgs) -> Result<(), String> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    match &args.options.session {
        Some(session) if session.is_empty() || !session.chars().all(is_name) || session.len() > 40 => Err(format!(
            "expected letters, digits, `-` and `_`, at most 40 of them, for `--session`, found {}",
            quoted(session)
        )),
        _ => Ok(()),
    }
}

fn answer_within(args: &RunArgs) -> Result<Option<HumanDuration>, String> {
    let limit = args.options.wait_ms.map(|millis| HumanDuration::try_from(Duration::from_millis(millis)));
    limit.transpose().map_err(|fault| format!("`--wait-ms` {fault}"))
}

/// Checks that the target `name` may start, and that nothing of it was changed after a person approved it. `config` is the
/// configuration with the changes of the command line, which are not a part of the approval.
///
/// # Errors
/// If the target may not start: the message is for people.
pub(super) fn check_approved(args: &RunArgs, loaded: &LoadedConfig, config: &Config, name: &str) -> Result<(), String> {
    if config.targets.get(name).is_some_and(TargetConfig::is_live) {
        may_start_programs(args, loaded)?;
    }
    let Some(table) = loaded.config.targets.get(name) else { return Ok(()) };
    if !args.approved.is_empty() && !args.approved.contains(&loaded.config.approvable(table).run_fingerprint()) {
        return Err(format!("the target {} was changed after it was approved: run it again", quoted(name)));
    }
    Ok(())
}

/// Shows the configuration if it was found above the current folder, where nobody looks for it.
pub(super) fn announce(args: &RunArgs, loaded: &LoadedConfig, console: &mut Console) {
    let Some(path) = loaded.config_path.as_deref().filter(|_| args.config.is_none()) else { return };
    if !path.starts_with(absolute(Path::new("."))) {
        console.tell(format_args!("the configuration is `{}`", near(path)));
    }
}

/// Checks that the configuration may start programs: nobody else can have written it, or the user has named or approved it.
///
/// # Errors
/// If somebody else can have written it: the reason, and what to do.
pub(super) fn may_start_programs(args: &RunArgs, loaded: &LoadedConfig) -> Result<(), String> {
    let is_chosen = args.config.is_some() || !args.approved.is_empty();
    let Some(path) = loaded.config_path.as_deref().filter(|_| !is_chosen) else { return Ok(()) };
    match files::foreign(path) {
        None => Ok(()),
        Some(foreign) => Err(format!(
            "the configuration `{0}` {foreign}, so no target of it is started; read it, and name it with `--config={0}`",
            near(path)
        )),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::cli::args::run::RunOptions;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        run: RunArgs,
    }

    const ONE: &str = "[targets.web]\nkind = \"browser\"\nurl = \"http://localhost:3000/\"\nsettle = \"1s\"\n\
                       [targets.agent]\nkind = \"command\"\ncommand = [\"agent\"]\n";
    const TWO: &str = "[targets.web]\nkind = \"browser\"\nurl = \"http://localhost\"\n\
                       [targets.other]\nkind = \"browser\"\nurl = \"http://localhost\"\n";

    fn chosen(flags: &[&str], config: &str) -> Result<Chosen, String> {
        let (config, errors) = Config::parse(config, &[]);
        assert_eq!(errors, []);
        let args = Command::parse_from(["run", "suite.json"].iter().chain(flags));
        choose(&args.run, args.run.target.as_deref(), Arc::new(config))
    }

    #[test]
    fn flags_find_their_target() {
        for (flags, config, name, url, space) in [
            (&["--app-url", "http://localhost:8080"][..], ONE, "web", "http://localhost:8080/", None),
            (
                &["--space-url", "http://localhost:3000/a"],
                ONE,
                "web",
                "http://localhost:3000/",
                Some("http://localhost:3000/a"),
            ),
            (&["--target", "web", "--wait-ms", "500"], ONE, "web", "http://localhost:3000/", None),
            (&["--app-url", "https://app.example"], "", "app", "https://app.example/", None),
        ] {
            let chosen = chosen(flags, config).expect("it is found");
            assert_eq!(chosen.name, name);
            let TargetKind::Browser(browser) = &chosen.config.targets[name].kind else {
                panic!("{name} is not a browser target")
            };
            assert_eq!((browser.url.as_str(), browser.space_url.as_deref()), (url, space));
        }
        let waiting = chosen(&["--wait-ms", "90000", "--session", "mine"], ONE).expect("it is found");
        assert_eq!(waiting.timeout, Some(Duration::from_secs(90 + 1 + 30)));
        assert_eq!(waiting.options.session.as_deref(), Some("mine"));
        assert_eq!(chosen(&[], ONE).expect("it is found").name, "replay");
    }

    #[test]
    fn what_is_recorded_is_what_answers() {
        let record = |config: &str| {
            let (config, errors) = Config::parse(config, &[]);
            assert_eq!(errors, []);
            let args = RunArgs {
                options: RunOptions { mode: RunMode::Record, ..RunOptions::default() },
                ..RunArgs::default()
            };
            choose(&args, None, Arc::new(config)).map(|chosen| chosen.name)
        };
        let agent = "[targets.agent]\nkind = \"command\"\ncommand = [\"agent\"]\n";
        assert_eq!(record(agent), Ok("agent".to_owned()));
        assert_eq!(record(&format!("[run]\ntarget = \"agent\"\n{ONE}")), Ok("agent".to_owned()));
        let several = "several live targets are configured; name one with `--target`: `agent`, `web`";
        assert_eq!(record(ONE), Err(several.to_owned()));
        let none = "no live target is configured; `eval-ls init python` adds one";
        assert_eq!(record(""), Err(none.to_owned()));
    }

    #[test]
    fn flags_that_do_not_fit_are_refused() {
        let refusals = [
            (&["--app-url", "localhost"][..], ONE),
            (&["--space-url", "file:///etc"], ONE),
            (&["--wait-ms", "0"], ONE),
            (&["--session", "a b", "--target", "web"], ONE),
            (&["--target", "agent", "--wait-ms", "1"], ONE),
            (&["--wait-ms", "1"], ""),
            (&["--wait-ms", "1"], TWO),
        ]
        .map(|(flags, config)| format!("{}\n    {}\n", flags.join(" "), chosen(flags, config).unwrap_err()));
        insta::assert_snapshot!(refusals.join("\n"));
    }
}
