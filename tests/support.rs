//! A temporary folder, and what the program prints and does in it.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The expectation that most cases have.
pub(crate) const YES: &str = r#"{ "must_say_any": ["yes"] }"#;

/// A target that answers from a list: the n-th answer to a case is the n-th word of the file with its name.
/// The word `crash` ends the program. If there is a file `stop-at`, the request with that number and those after it are not
/// answered, and a file `waits` appears.
const WORDS_AGENT: &str = r#"
import json, os, sys, time
def size(name):
    return os.path.getsize(name) if os.path.exists(name) else 0
for line in sys.stdin:
    case = json.loads(line)["case"]
    if os.path.exists("stop-at") and size("asked") >= int(open("stop-at").read()):
        open("waits", "w").close()
        time.sleep(600)
    words = open(case + ".txt").read().split()
    number = size(case + ".asked")
    for name in [case + ".asked", "asked"]:
        open(name, "a").write("x")
    word = words[number % len(words)]
    if word == "crash":
        sys.exit(1)
    print(json.dumps({"response": word}), flush=True)
"#;

/// See the module's page.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    /// Creates a folder with these files: names with `/` between folders, and contents.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        files.iter().for_each(|(name, text)| drop(folder.write(name, text)));
        folder
    }

    /// Creates a workspace with cases `C0`, `C1`, … that ask for `yes`, and a target `agent` that runs this Python program.
    pub(crate) fn of_program(cases: usize, program: &str, more: &str) -> Self {
        let folder = Self::new();
        folder.suite(&vec![(YES, None); cases]);
        folder.agent(program, more);
        folder
    }

    /// Creates such a workspace, whose target answers each case with its words in turn.
    pub(crate) fn asking(words: &[&str], more: &str) -> Self {
        let folder = Self::of_program(words.len(), WORDS_AGENT, more);
        folder.answers(words);
        folder
    }

    /// Creates a workspace whose cases `C0`, `C1`, … ask for `yes`, and have these stored answers.
    pub(crate) fn stored(answers: &[&str]) -> Self {
        let folder = Self::new();
        folder.suite(&answers.iter().map(|answer| (YES, Some(*answer))).collect::<Vec<_>>());
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// The URI of a file. Only for paths without characters that a URI escapes.
    pub(crate) fn uri(&self, name: &str) -> String {
        format!("file://{}", self.join(name).display())
    }

    /// Writes a file and creates its folders.
    pub(crate) fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.join(name);
        fs::create_dir_all(path.parent().unwrap()).and_then(|()| fs::write(&path, bytes)).unwrap();
        path
    }

    /// Writes a program that can be started.
    #[cfg(unix)]
    pub(crate) fn program(&self, name: &str, text: &str) -> PathBuf {
        let path = self.write(name, text);
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        path
    }

    /// Makes a link, and the folders around it.
    #[cfg(unix)]
    pub(crate) fn link(&self, name: &str, to: impl AsRef<Path>) {
        let path = self.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, path).unwrap();
    }

    #[cfg(unix)]
    pub(crate) fn pipe(&self, name: &str) {
        assert!(Command::new("mkfifo").arg(self.join(name)).status().unwrap().success());
    }

    pub(crate) fn read(&self, name: impl AsRef<Path>) -> String {
        fs::read_to_string(self.join(name)).unwrap()
    }

    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.join(name)).unwrap();
    }

    /// Replaces each `from` in a file, which has at least one.
    pub(crate) fn edit(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{from} is not in {text}");
        self.write(name, text.replace(from, to));
    }

    /// Every file below the folder by its path in it. No link to a folder is followed.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut folders = vec![self.path().to_owned()];
        let mut files = BTreeMap::new();
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_file() {
                    files.insert(path.strip_prefix(self.path()).unwrap().to_owned(), fs::read(&path).unwrap());
                } else if path.is_dir() && !path.is_symlink() {
                    folders.push(path);
                }
            }
        }
        files
    }

    /// Writes a suite of cases `C0`, `C1`, … with these values of `expected`. A case without a response has no transcript.
    pub(crate) fn suite(&self, cases: &[(&str, Option<&str>)]) {
        let case = |(index, (expected, _)): (usize, &(&str, Option<&str>))| {
            format!(r#"{{ "id": "C{index}", "prompt": "p{index}", "expected": {expected} }}"#)
        };
        let list: Vec<_> = cases.iter().enumerate().map(case).collect();
        self.write("s.evals.json", format!(r#"{{ "cases": [ {} ] }}"#, list.join(",\n")));
        for (index, (_, response)) in cases.iter().enumerate() {
            response.iter().for_each(|response| self.store(&format!("C{index}"), response));
        }
    }

    pub(crate) fn store(&self, case: &str, response: &str) {
        let transcript = json!({ "format": "eval-ls/transcript@1", "case": case, "response": response });
        self.write(format!("transcripts/s.evals/{case}.json"), transcript.to_string());
    }

    /// Configures a target `agent` that runs this Python program.
    pub(crate) fn agent(&self, program: &str, more: &str) {
        self.write("agent.py", program);
        let config =
            "[run]\ntarget = \"agent\"\n\n[targets.agent]\nkind = \"command\"\ncommand = [\"python3\", \"agent.py\"]\n";
        self.write("eval-ls.toml", format!("{config}{more}\n"));
    }

    /// Lets the cases give these answers in turn from now on.
    pub(crate) fn answers(&self, words: &[&str]) {
        for (index, words) in words.iter().enumerate() {
            self.write(format!("C{index}.txt"), words);
            let _ = fs::remove_file(self.join(format!("C{index}.asked")));
        }
    }

    pub(crate) fn asked(&self, case: &str) -> usize {
        fs::read(self.join(format!("{case}.asked"))).map_or(0, |asked| asked.len())
    }

    pub(crate) fn last_run(&self) -> String {
        fs::read_link(self.join("results/runs/latest")).unwrap().to_str().unwrap().to_owned()
    }

    /// The kept runs, the last one first, as `runs --format json` lists them.
    pub(crate) fn runs(&self) -> Vec<Value> {
        self.run(&["runs", "--format", "json"]).ends(0).json().as_array().unwrap().clone()
    }

    /// The lines of the last run.
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.lines_in("results")
    }

    /// The lines of the last run with these results.
    pub(crate) fn lines_in(&self, results: &str) -> Vec<Value> {
        let text = self.read(format!("{results}/runs/latest/cases.jsonl"));
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The program, without the settings and the jobs of the user who runs the tests.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eval-ls"));
        command.args(arguments).current_dir(self.path()).stdin(Stdio::null());
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI", "COLUMNS", "GITHUB_STEP_SUMMARY"] {
            command.env_remove(name);
        }
        for system in ["GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE", "CIRCLECI", "JENKINS_URL", "TF_BUILD"] {
            command.env_remove(system);
        }
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.command(arguments).into()
    }

    /// Runs the program with that standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A program that does not read its input may have ended by now.
        let _ = child.stdin.take().unwrap().write_all(input);
        Ran { arguments: format!("{arguments:?}"), ..child.wait_with_output().unwrap().into() }
    }
}

/// What a run of the program printed, and how it ended.
pub(crate) struct Ran {
    arguments: String,
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Ran {
            arguments: String::new(),
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl From<Command> for Ran {
    fn from(mut command: Command) -> Self {
        (&mut command).into()
    }
}

impl From<&mut Command> for Ran {
    fn from(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        Ran { arguments: format!("{:?}", command.get_args().collect::<Vec<_>>()), ..output.into() }
    }
}

impl fmt::Debug for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ended with the exit status {}:\n{}{}", self.arguments, self.status, self.out, self.err)
    }
}

impl Ran {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|fault| panic!("{fault}: {self:?}"))
    }

    /// The output, each line of which is JSON.
    #[track_caller]
    pub(crate) fn events(&self) -> Vec<Value> {
        let event = |line| serde_json::from_str(line).unwrap_or_else(|fault| panic!("{fault}: {self:?}"));
        self.out.lines().map(event).collect()
    }

    pub(crate) fn last_line(&self) -> &str {
        self.err.lines().last().unwrap_or_default()
    }

    #[track_caller]
    pub(crate) fn ends(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    /// Checks the exit status, and that the output has these texts.
    #[track_caller]
    pub(crate) fn prints<T: AsRef<str>>(self, status: i32, texts: impl IntoIterator<Item = T>) -> Self {
        for text in texts {
            assert!(self.out.contains(text.as_ref()), "the output has no {:?}: {self:?}", text.as_ref());
        }
        self.ends(status)
    }

    /// Checks the exit status, and that standard error has these texts.
    #[track_caller]
    pub(crate) fn complains<T: AsRef<str>>(self, status: i32, texts: impl IntoIterator<Item = T>) -> Self {
        for text in texts {
            assert!(self.err.contains(text.as_ref()), "standard error has no {:?}: {self:?}", text.as_ref());
        }
        self.ends(status)
    }
}

pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    /// The numbers of a test that runs for as long as `EVAL_LS_FUZZ_SECONDS` says, and begins elsewhere each time; without it,
    /// the same numbers at each run. Returns when the test ends, too.
    pub(crate) fn of_environment() -> (Self, Option<Instant>) {
        let seconds = std::env::var("EVAL_LS_FUZZ_SECONDS").ok().map(|text| text.parse().expect("a number of seconds"));
        let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        (Numbers(if end.is_some() { now.as_nanos() as u64 } else { 1 }), end)
    }
}
