use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A folder in which the program runs.
pub(crate) struct Folder(TempDir);

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    /// Creates an empty folder.
    pub(crate) fn new() -> Self {
        Folder(TempDir::new().unwrap())
    }

    /// Creates a folder with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        files.iter().for_each(|(path, text)| folder.write(path, text));
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn join(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.join(path)).unwrap()
    }

    /// The program, without the settings of the user who runs the tests.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eval-ls"));
        command.args(args).current_dir(self.path());
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI", "COLUMNS"] {
            command.env_remove(name);
        }
        command
    }

    /// Runs the program with empty standard input.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, b"")
    }

    /// Runs the program with that standard input.
    pub(crate) fn run_with(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut command = self.command(args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A program that does not read its input may have ended by now.
        let _ = child.stdin.take().unwrap().write_all(input);
        child.wait_with_output().unwrap().into()
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Ran {
            status: output.status.code().expect("the program ends by itself"),
            out: String::from_utf8(output.stdout).expect("it writes UTF-8"),
            err: String::from_utf8(output.stderr).expect("it writes UTF-8"),
        }
    }
}

/// A suite without findings.
pub(crate) const CLEAN: &str = r#"{
  "version": "0.1.0",
  "cases": [
    { "id": "BOOK1", "category": "booking", "prompt": "Book a slot.", "expected": { "outcome": "tool_success", "tool_calls_any": ["book"] } }
  ]
}
"#;

/// A suite with an error that has a safe fix, an error with another place, and a warning.
pub(crate) const FAULTY: &str = r#"{
  "version": "0.2.0",
  "cases": [
    { "id": "BOOK1", "prompt": "Book – 😀.", "expected": { "must_say_any": ["tandem",] } },
    { "id": "BOOK1", "prompt": "Cancel.", "expected": { "must_say_anny": ["gone"], "must_say_any": ["gone"] } }
  ]
}
"#;
