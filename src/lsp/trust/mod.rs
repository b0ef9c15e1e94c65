//! Approval of targets. A target that runs a program or opens an address runs only after a person has allowed it. A change
//! of the target's table, or of the folders for its answers, asks again.
//!
//! Approvals are stored in the user's state directory, by the real path of the workspace and the hash of what is approved.

mod approvals;

use std::path::{Path, PathBuf};

use crate::config::{Approvable, Load, PreconditionCheck, ResponseFrom, TargetKind};
use crate::lsp::client::settings::log;
use crate::lsp::convert::to_lsp::without_links;
use crate::lsp::push::ClientHandle;
use crate::lsp::runs::Plan;
use crate::text::{counted, visible_text};

use approvals::{Approval, Approvals};

/// The titles of the two answers.
const ALLOW: &str = "Allow and run";
const REFUSE: &str = "Do not run";

/// Why a target may not run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrustFault {
    #[error("target `{0}` was not allowed to run")]
    Refused(String),
    /// As [`TrustFault::Refused`], but the client showed the question itself, so the person knows.
    #[error("target `{0}` was not allowed to run")]
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
                lines.push(format!("in the subfolder {}", quoted(cwd)));
            }
            if !command.env.is_empty() {
                let set: Vec<_> = command
                    .env
                    .iter()
                    .map(|(name, value)| format!("{}={}", visible_text(name), quoted(value)))
                    .collect();
                lines.push(format!("with {}", set.join(" ")));
            }
            if !command.pass_env.is_empty() {
                let passed: Vec<_> = command.pass_env.iter().map(visible_text).collect();
                lines.push(format!("and passes it {} from your environment", passed.join(", ")));
            }
        }
        TargetKind::Browser(browser) => {
            let opened = browser.space_url.as_ref().unwrap_or(&browser.url);
            lines.push(format!("It opens {} in a browser, through the program agent-browser", quoted(opened)));
            if browser.response == ResponseFrom::Aria {
                lines.push("It also starts node with your npm package playwright-core".to_owned());
            }
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
        let (jobs, attempts) = (counted(load.jobs, "case"), counted(load.attempts, "time"));
        lines.push(format!("It runs up to {jobs} at once, and asks each up to {attempts}"));
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
    lines.push(format!("in the folder {}", visible_text(folder.display().to_string())));
    lines.push(format!("It writes to the folders {} and {}", quoted(results), quoted(transcripts)));
    lines.push("The answer is remembered until the target's table or these folders change".to_owned());
    if table.starts_programs() {
        lines.push("You are not asked again if the files of these programs change".to_owned());
    }
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
response = "aria"
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
        assert_eq!(message.lines().nth(2), Some("It runs up to 8 cases at once, and asks each up to 2 times"));
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
}
