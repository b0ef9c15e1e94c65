//! Approval of targets. A target that runs a program or opens an address runs only after a person has allowed it. A change
//! of the target's table, or of the folders for its answers, asks again.
//!
//! Approvals are stored in the user's state directory, by the real path of the workspace and the hash of what is approved.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::config::{Approvable, Load, PreconditionCheck, TargetKind};
use crate::files::{self, FileError};
use crate::lsp::client::settings::log;
use crate::lsp::convert::to_lsp::without_links;
use crate::lsp::convert::uris;
use crate::lsp::push::ClientHandle;
use crate::lsp::runs::Plan;
use crate::lsp::session::choices::state_folder;
use crate::text::{counted, visible_text};

/// The titles of the two answers.
const ALLOW: &str = "Allow and run";
const REFUSE: &str = "Do not run";

/// Why a target may not run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrustFault {
    #[error("target `{0}` was not allowed to run, so it ran no case")]
    Refused(String),
    /// As [`TrustFault::Refused`], but the client showed the question itself, so the person knows.
    #[error("target `{0}` was not allowed to run, so it ran no case")]
    Declined(String),
    #[error("the client could not ask for approval of target `{target}`: {reason}")]
    NotAsked { target: String, reason: String },
    #[error("the command of target `{0}` is too long to show for approval; move it into a script")]
    TooLong(String),
    #[error("could not find the folder {}: {source}", path.display())]
    NoFolder { path: PathBuf, source: std::io::Error },
}

/// Returns when every target of the plan is allowed, in the real folder that is written into the plan. Asks about targets
/// without an approval.
///
/// # Errors
/// If one of them is not allowed.
pub(crate) async fn allow(plan: &mut Plan, client: &ClientHandle) -> Result<(), TrustFault> {
    for suite in plan.suites.iter_mut().filter(|suite| suite.is_live()) {
        let target = LiveTarget::new(suite.folder(), &suite.target, suite.approvable())?;
        target.allow(client).await?;
        suite.allowed = Some(target.folder);
    }
    Ok(())
}

/// A target that runs a program or opens an address, in a folder.
pub(crate) struct LiveTarget {
    /// The real path.
    folder: PathBuf,
    /// The path as the configuration has it, for people.
    shown_folder: PathBuf,
    name: String,
    approvable: Approvable,
}

impl LiveTarget {
    /// The target in `eval-ls.toml` of the folder.
    ///
    /// # Errors
    /// If the folder does not exist.
    pub(crate) fn new(folder: &Path, name: &str, approvable: Approvable) -> Result<Self, TrustFault> {
        let real = folder.canonicalize().map_err(|source| TrustFault::NoFolder { path: folder.to_owned(), source })?;
        Ok(Self { folder: real, shown_folder: folder.to_owned(), name: name.to_owned(), approvable })
    }

    /// Returns when the target is allowed. Asks if it has no approval.
    ///
    /// # Errors
    /// If it is not allowed.
    pub(crate) async fn allow(&self, client: &ClientHandle) -> Result<(), TrustFault> {
        let approval = Approval::new(&self.folder, &self.name, &self.approvable);
        if Approvals::of_user().has(&approval) {
            return Ok(());
        }
        self.ask(client).await?;
        // Another program may hold the lock, and requests are answered meanwhile.
        let added = tokio::task::spawn_blocking(move || Approvals::of_user().add(&approval)).await;
        if let Ok(Err(fault)) = added {
            log(&format!("could not save the approval, so the next run asks again: {fault}"));
        }
        Ok(())
    }

    async fn ask(&self, client: &ClientHandle) -> Result<(), TrustFault> {
        let message = message(&self.name, &self.approvable, &self.shown_folder);
        let message = message.ok_or_else(|| TrustFault::TooLong(self.name.clone()))?;
        let target = self.name.clone();
        match client.ask(message, &[ALLOW], REFUSE).await {
            Ok(Some(chosen)) if chosen == ALLOW => Ok(()),
            Ok(_) if client.shared().read(|state| state.settings().asks) => Err(TrustFault::Declined(target)),
            Ok(_) => Err(TrustFault::Refused(target)),
            Err(error) => Err(TrustFault::NotAsked { target, reason: error.to_string() }),
        }
    }
}

/// The maximum length of a question, in code points. Editors cut longer ones (VS Code at 1,000), and a person would allow
/// text that is not shown.
pub(crate) const MAX_LENGTH: usize = 900;

/// How much of a target's name is shown, in code points. The question has to fit into a dialog.
const MAX_NAME_LENGTH: usize = 40;

/// The question whether a target may run: everything that it would start, open or write, literally, with invisible characters
/// made visible. `None` if it is longer than [`MAX_LENGTH`].
pub(crate) fn message(name: &str, approvable: &Approvable, folder: &Path) -> Option<String> {
    let Approvable { table, results, transcripts, load } = approvable;
    let cut = if name.chars().nth(MAX_NAME_LENGTH).is_some() { "…" } else { "" };
    let name: String = name.chars().take(MAX_NAME_LENGTH).collect();
    let mut lines = vec![format!("Run evals with the target {}{cut}?", quoted(&name))];
    match &table.kind {
        TargetKind::Replay => {}
        TargetKind::Command(command) => {
            lines.push(format!("It starts this program for each case: {}", words(&command.command)));
            if let Some(cwd) = &command.cwd {
                lines.push(format!("It starts it in the subfolder {}", quoted(cwd)));
            }
            if !command.env.is_empty() {
                let set: Vec<_> = command
                    .env
                    .iter()
                    .map(|(name, value)| format!("{}={}", visible_text(name), quoted(value)))
                    .collect();
                lines.push(format!("It sets {}", set.join(" ")));
            }
            if !command.pass_env.is_empty() {
                let passed: Vec<_> = command.pass_env.iter().map(visible_text).collect();
                lines.push(format!("It passes {} from your environment", passed.join(", ")));
            }
        }
        TargetKind::Browser(browser) => {
            let opened = browser.space_url.as_ref().unwrap_or(&browser.url);
            lines.push(format!("It opens {} in a browser, through the program agent-browser", quoted(opened)));
            if browser.space_url.is_some() {
                lines.push(format!("The app is at {}", quoted(&browser.url)));
            }
            let steps =
                [("First", &browser.before), ("Between prompts", &browser.between), ("At the end", &browser.after)];
            for (when, steps) in steps {
                steps.iter().for_each(|step| lines.push(format!("{when} it takes the step: {}", words(step))));
            }
            if !browser.allow.is_empty() {
                let allowed: Vec<_> = browser.allow.iter().map(|address| quoted(address)).collect();
                lines.push(format!("It may also go to {}", allowed.join(", ")));
            }
        }
    }
    if *load != Load::LEAST {
        let jobs = counted(load.jobs, "case");
        let again =
            if load.attempts > 1 { format!(", and asks each up to {} times", load.attempts) } else { String::new() };
        lines.push(format!("It runs up to {jobs} at once{again}."));
    }
    for check in table.preconditions.values() {
        match check {
            PreconditionCheck::Command(command) => {
                lines.push(format!("To check a precondition it starts: {}", words(command)));
            }
            PreconditionCheck::Steps(steps) => {
                steps
                    .iter()
                    .for_each(|step| lines.push(format!("To check a precondition it takes the step: {}", words(step))));
            }
        }
    }
    if let Some(log) = table.telemetry_log() {
        lines.push(format!("It reads the log {}", quoted(log)));
    }
    lines.push(format!("The folder is {}", visible_text(folder.display().to_string())));
    lines.push(format!("It writes to the folders {} and {}.", quoted(results), quoted(transcripts)));
    let not = if table.starts_programs() { ", not if the files of these programs change" } else { "" };
    lines.push(format!("You are asked again if the target's table or these folders change{not}."));
    let message = without_links(&lines.join("\n"));
    message.chars().nth(MAX_LENGTH).is_none().then_some(message)
}

fn words(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word, in quotes if it is ambiguous without them.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,?&#~".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("\"{}\"", visible_text(word.replace('\\', "\\\\").replace('"', "\\\"")))
}

/// The largest file that is read, in bytes.
const MOST: u64 = 16 << 20;

/// The name of the file's format.
const FORMAT: &str = "eval-ls/approvals@1";

/// A target that a person has allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Approval {
    /// The real path of the workspace's folder, as a URI.
    workspace: String,
    /// The hash of the target's table and of the folders for its answers.
    table: String,
    /// The target's name, for people who read the file. It is not compared.
    target: String,
    /// How many cases may run at the same time.
    #[serde(default = "one")]
    jobs: usize,
    /// How often a case may be asked.
    #[serde(default = "one")]
    attempts: usize,
}

/// Earlier versions did not write how much was approved.
fn one() -> usize {
    1
}

/// The approvals of this user. Each query reads the file again, because other editors also write it.
pub(crate) struct Approvals {
    file: Option<PathBuf>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Contents {
    format: String,
    approvals: Vec<Approval>,
}

impl Approval {
    /// An approval of this target in the workspace whose real path is `folder`.
    pub(crate) fn new(folder: &Path, target: &str, approved: &Approvable) -> Self {
        let workspace = uris::from_path(folder).map(|uri| uri.as_str().to_owned()).unwrap_or_default();
        let Load { jobs, attempts } = approved.load;
        Self { workspace, table: approved.fingerprint(), target: target.to_owned(), jobs, attempts }
    }

    fn is_same(&self, other: &Approval) -> bool {
        (&self.workspace, &self.table) == (&other.workspace, &other.table)
    }

    fn load(&self) -> Load {
        Load { jobs: self.jobs, attempts: self.attempts }
    }
}

impl Approvals {
    /// The approvals of this user; none if the system has no state directory.
    pub(crate) fn of_user() -> Self {
        Self { file: state_folder().map(|folder| folder.join("approvals.json")) }
    }

    /// Whether the approval was given.
    pub(crate) fn has(&self, approval: &Approval) -> bool {
        self.read().iter().any(|known| known.is_same(approval) && approval.load().is_within(known.load()))
    }

    /// Stores an approval.
    ///
    /// # Errors
    /// If the file cannot be written. It is then unchanged.
    pub(crate) fn add(&self, approval: &Approval) -> Result<(), FileError> {
        let Some(file) = &self.file else { return Ok(()) };
        // Several editors may add one at the same time. The lock ends with this function.
        let _lock = files::lock(&file.with_extension("lock"))?;
        let mut approvals = self.read();
        approvals.retain(|known| !known.is_same(approval));
        approvals.push(approval.clone());
        let contents = Contents { format: FORMAT.to_owned(), approvals };
        let mut text = serde_json::to_vec_pretty(&contents).expect("strings serialize");
        text.push(b'\n');
        files::replace_private(file, &text)
    }

    fn read(&self) -> Vec<Approval> {
        let Some(text) = self.file.as_ref().and_then(|file| files::read(file, MOST).ok()) else { return Vec::new() };
        match serde_json::from_slice::<Contents>(&text) {
            Ok(contents) if contents.format == FORMAT && is_private(self.file.as_deref()) => contents.approvals,
            _ => {
                log("ignored the approvals file: it is invalid, or other users can write it; targets ask again");
                Vec::new()
            }
        }
    }
}

/// Whether only this user can write the file. Approvals by others do not count.
#[cfg(unix)]
fn is_private(file: Option<&Path>) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = file.and_then(|file| fs::metadata(file).ok());
    metadata.is_some_and(|file| file.mode() & 0o022 == 0 && file.uid() == rustix::process::geteuid().as_raw())
}

#[cfg(not(unix))]
fn is_private(_: Option<&Path>) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn shown(table: &str) -> String {
        let (config, errors) = Config::parse(&format!("[targets.a]\n{table}"), &[]);
        assert_eq!(errors, [], "{table}");
        message("a", &config.approvable(&config.targets["a"]), Path::new("/suites")).expect("it is short")
    }

    #[test]
    fn names_all_that_would_be_started_or_opened() {
        let tables = [
            r#"kind = "command"
command = ["node", "my agent.mjs", "", "a\"b\\", "x\u001b[2J\u202ey\n"]
cwd = "my app"
env = { MODE = "eval; rm", A = "b" }
pass_env = ["OPENAI_API_KEY"]"#,
            r#"kind = "command"
command = ["sh", "-c", "[run](command:evil) [run](https://x;evil)"]"#,
            r#"kind = "browser"
url = "http://localhost:3000"
space_url = "http://localhost:3000/space?a=1"
before = [["click", "Sign in"]]
between = [["?", "click", "ok"]]
after = [["click", "Sign out"]]
allow = ["https://login.example"]
telemetry_log = "../app/telemetry.jsonl"
[[preconditions]]
text = "b"
command = ["./b.sh", "a b"]
[[preconditions]]
text = "a"
steps = [["wait", "--text", "Open"]]"#,
            // No program whose files could change.
            "kind = \"browser\"\nurl = \"http://localhost:3000\"",
        ];
        insta::assert_snapshot!(tables.map(|table| format!("{table}\n\n{}", shown(table))).join("\n\n=====\n\n"));
    }

    #[test]
    fn names_how_much_would_run() {
        let text = "[run]\njobs = 8\nretry_errors = 1\n[targets.a]\nkind = \"command\"\ncommand = [\"x\"]";
        let (config, errors) = Config::parse(text, &[]);
        assert_eq!(errors, []);
        let message = message("a", &config.approvable(&config.targets["a"]), Path::new("/suites")).unwrap();
        assert_eq!(message.lines().nth(2), Some("It runs up to 8 cases at once, and asks each up to 2 times."));
    }

    #[test]
    fn nothing_is_asked_that_an_editor_would_cut() {
        for (word, name, is_asked) in
            [("x", "a", true), (&*"x".repeat(MAX_LENGTH), "a", false), ("x", &"n".repeat(2_000), true)]
        {
            let (config, errors) =
                Config::parse(&format!("[targets.a]\nkind = \"command\"\ncommand = [\"{word}\"]"), &[]);
            assert_eq!(errors, []);
            let message = message(name, &config.approvable(&config.targets["a"]), Path::new("/suites"));
            assert_eq!(message.is_some(), is_asked, "{message:?}");
        }
    }

    fn table(text: &str) -> Approvable {
        let (config, errors) = Config::parse(&format!("[targets.a]\n{text}"), &[]);
        assert_eq!(errors, [], "{text}");
        config.approvable(&config.targets["a"])
    }

    const COMMAND: &str = "kind = \"command\"\ncommand = [\"agent\", \"x\"]\nenv = { A = \"1\" }\npass_env = [\"B\"]\ntimeout = \"5s\"\ncwd = \"d\"";
    const BROWSER: &str = "kind = \"browser\"\nurl = \"http://localhost:1\"\nspace_url = \"http://localhost:1/s\"
        chat_input = { role = \"textbox\", name = \"Ask\" }\nbusy = [\"Thinking\"]\nsettle = \"2s\"
        telemetry_log = \"a.log\"\nbefore = [[\"click\", \"x\"]]\nresponse = \"text\"\nresponse_selector = \"main\"
        screenshots = \"failed\"\nallow = [\"http://localhost:2\"]\ntimeout = \"5s\"";

    #[test]
    fn a_change_of_any_field_asks_again() {
        let folder = tempfile::tempdir().unwrap();
        let approvals = Approvals { file: Some(folder.path().join("eval-ls/approvals.json")) };
        let approval = |table: &Approvable| Approval::new(Path::new("/work"), "a", table);
        let of_command = r#"
            "agent" → "other"  "x"] → "y"]  "x"] → "x", ""]  A = "1" → A = "2"  A = "1" → B = "1"  ["B"] → ["C"]
            ["B"] → []  "d" → "e"  5s → 6s
        "#;
        let of_browser = r#"
            http://localhost:1" → http://localhost:9"  /s → /t  role = "textbox" → role = "searchbox"  "Ask" → "Say"
            Thinking → Working  2s → 3s  a.log → b.log  "click" → "fill"  "text" → "snapshot"  main → body
            failed → never  localhost:2 → localhost:3  5s → 6s
        "#;
        for (base, changes) in [(COMMAND, of_command), (BROWSER, of_browser)] {
            approvals.add(&approval(&table(base))).unwrap();
            assert!(approvals.has(&approval(&table(base))));
            for change in changes.split("  ").map(str::trim).filter(|change| !change.is_empty()) {
                let (from, to) = change.split_once(" → ").expect(change);
                assert!(base.contains(from), "{from}");
                let changed = table(&base.replacen(from, to, 1));
                assert!(!approvals.has(&approval(&changed)), "{change}");
            }
        }
        let elsewhere = table(&COMMAND.replace("\ncwd = \"d\"", ""));
        assert!(!approvals.has(&approval(&elsewhere)));
        // Every field is among those that were changed.
        for (base, fields) in [(COMMAND, 6), (BROWSER, 13)] {
            let all = serde_json::to_value(table(base)).unwrap();
            assert_eq!(all["table"].as_object().unwrap().len(), fields, "{base}");
            assert_eq!(all.as_object().unwrap().len(), 3);
        }
        for folders in [
            Approvable { results: "out".to_owned(), ..table(COMMAND) },
            Approvable { transcripts: "out".to_owned(), ..table(COMMAND) },
        ] {
            assert!(!approvals.has(&approval(&folders)));
        }
        // Another folder, another workspace; another name, the same target.
        assert!(!approvals.has(&Approval::new(Path::new("/work2"), "a", &table(COMMAND))));
        assert!(approvals.has(&Approval::new(Path::new("/work"), "b", &table(COMMAND))));
    }

    #[test]
    fn more_cases_at_once_or_more_attempts_ask_again() {
        let folder = tempfile::tempdir().unwrap();
        let approvals = Approvals { file: Some(folder.path().join("eval-ls/approvals.json")) };
        let approval = |lines: &str| {
            let (config, errors) = Config::parse(&format!("{lines}\n[targets.a]\n{COMMAND}"), &[]);
            assert_eq!(errors, [], "{lines}");
            Approval::new(Path::new("/work"), "a", &config.approvable(&config.targets["a"]))
        };
        let policy = "[[policy]]\ncases = \"*\"\nrepeat = 3";
        approvals.add(&approval(&format!("[run]\njobs = 4\nretry_errors = 1\n{policy}"))).unwrap();
        for (lines, is_approved) in [
            ("", true),
            ("[run]\njobs = 4", true),
            ("[run]\njobs = 5", false),
            ("[run]\nretry_errors = 5", true),
            ("[run]\nretry_errors = 6", false),
            ("[[policy]]\ncases = \"x\"\nrepeat = 7", false),
        ] {
            assert_eq!(approvals.has(&approval(lines)), is_approved, "{lines}");
        }
        let text = fs::read_to_string(approvals.file.as_ref().unwrap()).unwrap();
        let mut earlier: serde_json::Value = serde_json::from_str(&text).unwrap();
        let entry = earlier["approvals"][0].as_object_mut().unwrap();
        assert!(entry.remove("jobs").is_some() && entry.remove("attempts").is_some(), "{text}");
        files::replace_private(approvals.file.as_ref().unwrap(), earlier.to_string().as_bytes()).unwrap();
        assert!(approvals.has(&approval("")) && !approvals.has(&approval("[run]\njobs = 2")));
    }

    #[test]
    fn approvals_of_several_editors_are_all_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("eval-ls/approvals.json");
        let approval = |name: String| Approval::new(Path::new("/work").join(&name).as_path(), &name, &table(COMMAND));
        let editors = (0..8).map(|editor| {
            let (approvals, approval) = (Approvals { file: Some(file.clone()) }, approval(format!("{editor}")));
            std::thread::spawn(move || approvals.add(&approval).unwrap())
        });
        editors.collect::<Vec<_>>().into_iter().for_each(|editor| editor.join().unwrap());
        let approvals = Approvals { file: Some(file) };
        assert!((0..8).all(|editor| approvals.has(&approval(format!("{editor}")))));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_can_write_is_ignored() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("eval-ls/approvals.json");
        let approvals = Approvals { file: Some(file.clone()) };
        let approval = Approval::new(Path::new("/work"), "a", &table(COMMAND));
        approvals.add(&approval).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
        for others_can_write in [0o620, 0o602, 0o666] {
            fs::set_permissions(&file, fs::Permissions::from_mode(others_can_write)).unwrap();
            assert!(!approvals.has(&approval), "{others_can_write:o}");
        }
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(approvals.has(&approval));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        assert!(approvals.has(&approval));
        for broken in ["", "[]", "{\"format\":\"eval-ls/approvals@2\",\"approvals\":[]}"] {
            fs::write(&file, broken).unwrap();
            assert!(!approvals.has(&approval), "{broken}");
        }
        approvals.add(&approval).unwrap();
        assert!(approvals.has(&approval));
    }
}
