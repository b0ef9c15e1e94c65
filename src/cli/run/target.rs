//! Which target is asked and whose configuration a run obeys, and what the shell runner's flags change about a browser target.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::cli::Console;
use crate::cli::args::RunArgs;
use crate::cli::input::near;
use crate::config::{BrowserTarget, Config, HumanDuration, TargetConfig, TargetKind, web_address};
use crate::diagnostic::quoted;
use crate::files;
use crate::runs::RunMode;
use crate::targets::{BrowserOptions, CommandTarget};
use crate::workspace::{LoadedConfig, absolute};

/// A target as the flags have it.
#[derive(Debug)]
pub(super) struct Chosen {
    /// Its name.
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

/// The configuration in which the program of the target `name` waits for a debugger at `port`. `root` is the folder of
/// `eval-ls.toml`.
///
/// # Errors
/// If there is no such debugger: the message is for people.
pub(super) fn debugged(config: &Config, name: &str, port: u16, root: &Path) -> Result<Config, String> {
    let waiting = config.debugged(name, port);
    let waiting =
        waiting.ok_or_else(|| format!("the target {} starts no program that can be debugged", quoted(name)))?;
    let Some(command) = config.targets.get(name).and_then(TargetConfig::command) else { return Ok(waiting) };
    match command.debugger_check() {
        Some(check) if !CommandTarget::new(name, &check, root).succeeds() => Err(missing(name, &check.command)),
        _ => Ok(waiting),
    }
}

/// `check` is the command that has found no debugger.
fn missing(name: &str, check: &[String]) -> String {
    let python = check.iter().take_while(|word| *word != "-c").cloned().collect::<Vec<_>>().join(" ");
    let (name, install) = (quoted(name), quoted(&format!("{python} -m pip install debugpy")));
    format!(
        "the Python of the target {name} has no package `debugpy`, which the debugger needs; for example, install it with {install}"
    )
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
