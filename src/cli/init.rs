//! `init`: a first configuration and a first suite. `init KIND`: a table of `[targets]` in `eval-ls.toml`, and a program to start from.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::analysis::lint_names;
use crate::config::{CONFIG_FILE, Config, TEMPLATE, TargetConfig, toml_string, web_address, with_setting};
use crate::diagnostic::{Edit, quoted};
use crate::files::{self, FileError};
use crate::transcript::Store;
use crate::workspace::{LoadedConfig, Scope, absolute};

use super::args::{InitArgs, NewTarget, TargetArgs};
use super::input::{Workspaces, find, near};
use super::{Console, ExitStatus, OrRefuse as _, Refusal};

/// Where the first suite is written, as seen from the workspace's root.
const FIRST_SUITE: &str = "evals/first.evals.json";

const SUITE: &str = include_str!("first-suite.json");

/// The transcripts of the first suite, by the ids of its cases: one passes and one fails, so that a run shows both.
const TRANSCRIPTS: [(&str, &str); 2] =
    [("BOOK1", include_str!("first-transcript-booking.json")), ("HOURS1", include_str!("first-transcript-hours.json"))];

/// What coding agents read, by its path.
const FOR_AGENTS: [(&str, &str); 3] = [
    ("AGENTS.md", include_str!("coding-agents/AGENTS.md")),
    (".github/lsp.json", include_str!("coding-agents/lsp.json")),
    ("opencode.json", include_str!("coding-agents/opencode.json")),
];

/// The most bytes that are read of such a file, to find out whether it names this program: far more than agents read.
const MOST_FOR_AGENTS: u64 = 1 << 20;

const NEXT: &str = "
Next:
  eval-ls check               find mistakes in the suites
  eval-ls run                 judge the stored answers
  eval-ls explain LINT        explain a finding
  eval-ls init python         add your own assistant; also: node, browser, http
";

/// Writes the files that the current folder lacks, and adds the target that is asked for. Reports what was written.
pub(super) fn init(args: &InitArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let here = Path::new(".");
    let mut status = ExitStatus::Passed;
    match Scope::of_folder(&absolute(here)).config_path().filter(|path| path.exists()) {
        Some(path) => console.out.write_line(&format!("kept   {}", super::input::near(&path))),
        None => {
            let help = "it is not a file, or is a link to a file that does not exist; remove it";
            status = status.max(create(Path::new(CONFIG_FILE), TEMPLATE, help, console));
        }
    }
    let found = find(&[here.to_owned()], None, &mut Workspaces::new().without_results());
    match found.inputs.first() {
        Some(suite) => console.out.write_line(&format!("kept   {}", suite.name())),
        None => status = status.max(first_suite(console)),
    }
    if args.agents {
        status = status.max(for_agents(console));
    }
    match args.kind {
        _ if status != ExitStatus::Passed => Ok(status),
        Some(kind) => new_target(kind, &args.target, console),
        None => {
            console.out.write_text(NEXT);
            Ok(status)
        }
    }
}

/// Writes the first suite and its transcripts.
fn first_suite(console: &mut Console) -> ExitStatus {
    let suite = Path::new(FIRST_SUITE);
    let help = format!("`[files]` in {CONFIG_FILE} leaves it out");
    let mut status = create(suite, SUITE, &help, console);
    let store = Store::new(suite, &Config::default());
    for (case, transcript) in TRANSCRIPTS {
        let path = store.path(case);
        if status == ExitStatus::Passed && !path.exists() {
            status = status.max(create(&path, transcript, &help, console));
        }
    }
    status
}

/// Writes the files for coding agents. A file that is there already stays as it is, and what it lacks is printed.
fn for_agents(console: &mut Console) -> ExitStatus {
    let mut status = ExitStatus::Passed;
    let mut lacking = Vec::new();
    for (name, text) in FOR_AGENTS {
        let path = Path::new(name);
        if !path.exists() {
            let help = "it is a link to a file that does not exist; remove it";
            status = status.max(create(path, text, help, console));
            continue;
        }
        console.out.write_line(&format!("kept   {name}"));
        let present = files::read(path, MOST_FOR_AGENTS).unwrap_or_default();
        if !String::from_utf8_lossy(&present).contains("eval-ls") {
            lacking.push((name, text));
        }
    }
    for (name, text) in lacking {
        console.out.write_text(&format!("\nAdd this to {name}:\n\n{text}"));
    }
    status
}

/// Writes a new file, but not through a link, which may lead anywhere. `help` explains why the file may exist already.
fn create(path: &Path, text: &str, help: &str, console: &mut Console) -> ExitStatus {
    if let Some(link) = path.ancestors().skip(1).find(|folder| folder.is_symlink()) {
        console.complain(format_args!("cannot write {}: {} is a link; remove it", path.display(), link.display()));
        return ExitStatus::Unusable;
    }
    let fault = match files::create(path, text.as_bytes()) {
        Ok(()) => {
            console.out.write_line(&format!("wrote  {}", path.display()));
            return ExitStatus::Passed;
        }
        Err(fault @ FileError::Exists { .. }) => format!("{fault}; {help}"),
        Err(fault) => fault.to_string(),
    };
    console.complain(fault);
    ExitStatus::Unusable
}

/// Adds the target to the `eval-ls.toml` that applies in the current folder, which `init` has written if there was none.
pub(super) fn new_target(kind: NewTarget, args: &TargetArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let here = absolute(Path::new("."));
    let path = Scope::of_folder(&here).config_path().unwrap_or_else(|| here.join(CONFIG_FILE));
    add(kind, args, &path)?.iter().for_each(|line| console.out.write_line(line));
    Ok(ExitStatus::Passed)
}

/// Writes the files; returns what to print.
fn add(kind: NewTarget, args: &TargetArgs, path: &Path) -> Result<Vec<String>, Refusal> {
    let misused = |fault: String| Refusal::new(ExitStatus::Misused, fault);
    let unusable = |fault: &dyn std::fmt::Display| Refusal::new(ExitStatus::Unusable, fault);
    if args.url.is_some() && matches!(kind, NewTarget::Python | NewTarget::Node) {
        return Err(misused("`--url` is the address of a `browser` or `http` target; remove it".to_owned()));
    }
    let is_address = |url: &String| web_address(url).is_some();
    if kind == NewTarget::Http && args.url.as_ref().is_some_and(|url| !is_address(url)) {
        return Err(misused("`--url`: expected an address with `http://` or `https://`".to_owned()));
    }
    if path.is_symlink() {
        return Err(unusable(&format_args!("{} is a link; add the target to the file that it leads to", near(path))));
    }
    let loaded = LoadedConfig::read(path, &lint_names()).or_unusable()?;
    if let Some(first) = loaded.errors.first() {
        return Err(misused(format!("{} has an error; correct it first: {}", near(path), first.message)));
    }
    let (text, config) = (loaded.text, loaded.config);
    let no_default = || misused(format!("{}: `[run]` cannot have a `target`; remove `--default`", near(path)));
    if args.default
        && let Some(name) = present(kind, args, &config)
    {
        let edits = with_setting(&text, "run", "target", &toml_string(&name)).ok_or_else(no_default)?;
        files::rewrite(path, Edit::apply_all(&text, &edits).as_bytes()).or_unusable()?;
        let kept = format!("kept   [targets.{name}] in {}:{}", near(path), line_of(&text, &name));
        return Ok(vec![kept, set_as_default(path), "\nNext:\n  eval-ls run".to_owned()]);
    }
    let name = chosen_name(kind, args, &config).or_misused()?;
    let program = program(kind, args, &name, path);
    let at = text.trim_end().len();
    let mut added = format!("{}\n\n{}", &text[..at], table(kind, args, &name));
    // The address may be wrong, or `targets` may be an inline table.
    if let Some(first) = Config::parse(&added, &lint_names()).1.first() {
        return Err(misused(format!("the target cannot be added to {}: {}", near(path), first.message)));
    }
    if args.default {
        let edits = with_setting(&added, "run", "target", &toml_string(&name)).ok_or_else(no_default)?;
        added = Edit::apply_all(&added, &edits);
    }

    let mut lines = Vec::new();
    if let Some((program, template)) = &program {
        let another = "choose another name for the target with `--name`";
        let folder = program.parent().expect("the program is in a folder");
        // Whatever is in the folder would be the first that the program sees.
        if folder.exists() {
            return Err(unusable(&format_args!("{}: the folder already exists; {another}", near(folder))));
        }
        files::create(program, template.as_bytes()).map_err(|fault| match fault {
            FileError::Exists { .. } => unusable(&format_args!("{fault}; {another}")),
            fault => unusable(&fault),
        })?;
        lines.push(format!("wrote  {}", near(program)));
    }
    files::rewrite(path, added.as_bytes()).or_unusable()?;
    lines.push(format!("added  [targets.{name}] to {}:{}", near(path), line_of(&added, &name)));
    lines.extend(args.default.then(|| set_as_default(path)));
    let run = if args.default { "  eval-ls run".to_owned() } else { format!("  eval-ls run --target {name}") };
    lines.push(format!("\nNext:\n{}", next(kind, &name, &run)));
    Ok(lines)
}

/// The target that `init` has added before, or whose name is given: with `--default`, it is the one that is meant.
fn present(kind: NewTarget, args: &TargetArgs, config: &Config) -> Option<String> {
    let is_meant = |name: &String| {
        let table = config.targets.get(name);
        let command = table.and_then(TargetConfig::command);
        match args.name.as_ref().filter(|given| *given == name) {
            Some(_) => table.is_some_and(TargetConfig::is_live),
            None if kind == NewTarget::Browser => table.is_some_and(|table| table.browser().is_some()),
            None => command.is_some_and(|command| {
                command.command.last() == extension(kind).map(|it| format!("{name}.{it}")).as_ref()
            }),
        }
    };
    match &args.name {
        Some(name) => Some(name.clone()).filter(is_meant),
        None => names(kind).take(config.targets.len() + 1).find(is_meant),
    }
}

fn set_as_default(path: &Path) -> String {
    format!("set    it as the target of `eval-ls run` in {}", near(path))
}

/// The line of the table of a target; 1 if it is written in another way.
fn line_of(text: &str, name: &str) -> usize {
    text.rfind(&format!("[targets.{name}]")).map_or(1, |table| text[..table].matches('\n').count() + 1)
}

/// The names of targets of a kind, in the order in which they are given.
fn names(kind: NewTarget) -> impl Iterator<Item = String> {
    let (first, kind) = match kind {
        NewTarget::Python => ("agent", "python"),
        NewTarget::Node => ("agent", "node"),
        NewTarget::Browser => ("app", "app"),
        NewTarget::Http => ("model", "model"),
    };
    [first, kind].map(str::to_owned).into_iter().chain((2..).map(move |number| format!("{kind}-{number}")))
}

/// The name that was asked for, or the first that is free.
fn chosen_name(kind: NewTarget, args: &TargetArgs, config: &Config) -> Result<String, String> {
    let taken = |name: &str| config.targets.contains_key(name);
    match &args.name {
        Some(name) if taken(name) => {
            Err(format!("the target {} exists already; choose another name with `--name`", quoted(name)))
        }
        Some(name) => Ok(name.clone()),
        None => Ok(names(kind).find(|name| !taken(name)).expect("numbers do not end")),
    }
}

/// The next steps.
fn next(kind: NewTarget, name: &str, run: &str) -> String {
    let Some(extension) = extension(kind) else { return run.to_owned() };
    if kind == NewTarget::Http {
        return format!(
            "  edit {name}/{name}.py: set `URL`, `MODEL` and `SYSTEM` at its beginning\n{run}\n\
             If the endpoint needs a key, name its variable in `pass_env` in {CONFIG_FILE}."
        );
    }
    format!(
        "  edit {name}/{name}.{extension}: in `answer`, replace the text with a call to your assistant\n{run}\n\
         If `eval-ls init` wrote your cases, they are examples; replace them with yours."
    )
}

/// The extension of the program that a target starts.
fn extension(kind: NewTarget) -> Option<&'static str> {
    match kind {
        NewTarget::Python | NewTarget::Http => Some("py"),
        NewTarget::Node => Some("mjs"),
        NewTarget::Browser => None,
    }
}

/// The path and the text of the program that the target starts. It is alone in its folder: an assistant that looks around where
/// it runs finds neither the suites nor earlier answers.
fn program(kind: NewTarget, args: &TargetArgs, name: &str, config: &Path) -> Option<(PathBuf, String)> {
    let extension = extension(kind)?;
    let template = match kind {
        NewTarget::Node => include_str!("agents/agent.mjs"),
        NewTarget::Http => include_str!("agents/http.py"),
        NewTarget::Python | NewTarget::Browser => include_str!("agents/agent.py"),
    };
    let template = match args.url.as_deref().and_then(web_address) {
        // A JSON string is also one of Python and of JavaScript.
        Some(url) => template.replacen(&Value::from(ENDPOINT).to_string(), &Value::from(url.as_str()).to_string(), 1),
        None => template.to_owned(),
    };
    Some((config.with_file_name(name).join(format!("{name}.{extension}")), template))
}

/// The address of the endpoint in the program that asks one.
const ENDPOINT: &str = "http://localhost:11434/v1/chat/completions";

/// The line about variables in the table of a program.
const PASS_ENV: &str = "#pass_env = [\"OPENAI_API_KEY\"]  # variables of your environment that the program sees\n";

/// The table in `eval-ls.toml`.
fn table(kind: NewTarget, args: &TargetArgs, name: &str) -> String {
    let cwd = format!("cwd = \"{name}\"  # the folder that the program runs in\n");
    let keys = match kind {
        NewTarget::Python | NewTarget::Http => {
            let python = if cfg!(windows) { "python" } else { "python3" };
            format!("kind = \"command\"\ncommand = [\"{python}\", \"{name}.py\"]\n{cwd}{PASS_ENV}")
        }
        NewTarget::Node => format!("kind = \"command\"\ncommand = [\"node\", \"{name}.mjs\"]\n{cwd}{PASS_ENV}"),
        NewTarget::Browser => {
            let url = toml_string(args.url.as_deref().unwrap_or("http://localhost:3000"));
            let input = "#chat_input = { role = \"textbox\", name = \"Ask anything\" }  # if the page has several";
            let response =
                "#response = \"snapshot\"  # the whole page with its roles, for suites that were written for it";
            format!("kind = \"browser\"\nurl = {url}\n{input}\n{response}\n")
        }
    };
    format!("[targets.{name}]\n{keys}")
}
