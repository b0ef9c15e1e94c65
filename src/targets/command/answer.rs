//! What a program may answer: one JSON object, and nothing else.

use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::{fmt, io};

use serde_json::{Map, Value};

use crate::diagnostic::{nearest, quoted};
use crate::syntax::{self, Kind, Node, SyntaxErrorKind};
use crate::targets::plain::StandardError;
use crate::targets::{Stop, plain};
use crate::text::{Encoding, Position, Text};
use crate::transcript::{Event, Excess, Usage, usage, within_limits};

/// What a program answered.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ProgramAnswer {
    pub(super) response: String,
    pub(super) telemetry: Vec<Event>,
    pub(super) usage: Option<Usage>,
    /// The other keys.
    pub(super) extra: Map<String, Value>,
}

/// Why standard output holds no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum AnswerError {
    #[error("it printed nothing to standard output")]
    Empty,
    #[error("standard output is not UTF-8: the byte at offset {0} begins no character")]
    NotUtf8(usize),
    #[error("something follows the JSON object on standard output, at line {}, column {}", at.line + 1, at.column + 1)]
    TextAfterEnd { at: Position },
    #[error("standard output is not JSON")]
    NotJson,
    #[error("standard output is not JSON: {what} (line {}, column {})", at.line + 1, at.column + 1)]
    Broken { what: String, at: Position },
    #[error("expected an object on standard output, found {0}")]
    NotAnObject(&'static str),
    #[error("the answer has no `response`")]
    NoResponse,
    #[error("`{key}` of the answer must be {expected}, found {found}")]
    WrongType { key: String, expected: &'static str, found: &'static str },
    #[error("the answer {0}")]
    Excess(#[from] Excess),
    #[error("`usage` of the answer: {0}")]
    Usage(String),
    /// Another key is kept, but what is meant by this one would be lost.
    #[error("the answer has an unknown key {}; did you mean `{meant}`?", quoted(key))]
    MisspeltKey { key: String, meant: &'static str },
}

const RESPONSE: &str = "response";
const TELEMETRY: &str = "telemetry";
const KEYS_OF_ANSWER: [&str; 3] = [RESPONSE, TELEMETRY, "usage"];

impl ProgramAnswer {
    /// Reads standard output. Halves of surrogate pairs become U+FFFD; any other fault is an error.
    pub(super) fn parse(stdout: &[u8]) -> Result<ProgramAnswer, AnswerError> {
        let source = std::str::from_utf8(stdout).map_err(|error| AnswerError::NotUtf8(error.valid_up_to()))?;
        // A byte order mark at the start does not count.
        let source = source.strip_prefix('\u{feff}').unwrap_or(source);
        if source.trim_ascii().is_empty() {
            return Err(AnswerError::Empty);
        }
        let parsed = syntax::parse(source);
        if let Some(fault) = parsed.errors.iter().find(|error| !error.kind.is_of_value()) {
            let at = Text::new(source).position(fault.span.start, Encoding::Utf32);
            return Err(match &fault.kind {
                SyntaxErrorKind::TextAfterEnd => AnswerError::TextAfterEnd { at },
                kind if source.trim_ascii_start().starts_with('{') => {
                    AnswerError::Broken { what: kind.to_string(), at }
                }
                _ => AnswerError::NotJson,
            });
        }
        let root = parsed.tree.root(source).ok_or(AnswerError::Empty)?;
        if root.kind() != Kind::Object {
            return Err(AnswerError::NotAnObject(root.kind().described()));
        }
        within_limits(root).map_err(|(_, excess)| excess)?;
        let lacking: Vec<&'static str> = KEYS_OF_ANSWER.into_iter().filter(|key| root.get(key).is_none()).collect();
        let mut extra = Map::new();
        for (key, value) in root.members().filter_map(|member| Some((member.key.as_str()?, member.value?))) {
            if KEYS_OF_ANSWER.contains(&&*key) {
                continue;
            }
            if let Some(meant) = nearest(&key, lacking.iter().copied()) {
                return Err(AnswerError::MisspeltKey { key: key.into_owned(), meant });
            }
            extra.insert(key.into_owned(), value.to_value());
        }
        let response = root.get(RESPONSE).ok_or(AnswerError::NoResponse)?;
        let response = response.as_str().ok_or_else(|| wrong_type(RESPONSE.to_owned(), "a string", response))?;
        let usage = usage(root).map_err(|fault| AnswerError::Usage(fault.message))?;
        Ok(ProgramAnswer { response: response.into_owned(), telemetry: telemetry(root)?, usage, extra })
    }
}

fn telemetry(root: Node<'_>) -> Result<Vec<Event>, AnswerError> {
    // As in transcripts, `null` counts as absent.
    let Some(list) = root.get(TELEMETRY).filter(|list| list.kind() != Kind::Null) else { return Ok(Vec::new()) };
    if list.kind() != Kind::Array {
        return Err(wrong_type(TELEMETRY.to_owned(), "a list of events", list));
    }
    let event = |(index, event): (usize, Node<'_>)| match event.kind() {
        // A string is a log line that is not JSON.
        Kind::Object | Kind::String => Ok(Event::from_node(event)),
        _ => Err(wrong_type(format!("{TELEMETRY}[{index}]"), "an object", event)),
    };
    list.elements().enumerate().map(event).collect()
}

fn wrong_type(key: String, expected: &'static str, found: Node<'_>) -> AnswerError {
    AnswerError::WrongType { key, expected, found: found.kind().described() }
}

/// Why a program gave no answer. The first line stands alone; hints and lines of standard error follow. Nothing in it
/// needs to be escaped for a terminal, and no value of `pass_env` is in it.
#[derive(Debug)]
pub(crate) struct ProgramError {
    /// The target's name.
    pub(super) target: String,
    /// The program's name as the configuration has it, harmless to show.
    pub(super) program: String,
    /// What went wrong.
    pub(super) fault: Fault,
    /// The variables of `pass_env` that are not set.
    pub(super) unset: Vec<String>,
    /// The variables that standard error names and that are set, but not passed to the program.
    pub(super) withheld: Vec<String>,
    /// The end of standard error; `None` if the program did not run.
    pub(super) stderr: Option<StandardError>,
}

/// What went wrong with a program.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("is not on PATH; install it, or correct `command` in eval-ls.toml")]
    NotInPath,
    #[error("there is no file `{}`; correct `command` in eval-ls.toml", plain::path(.0))]
    NoFile(PathBuf),
    #[error("`{}` names an interpreter in its first line that does not exist", plain::path(.0))]
    NoInterpreter(PathBuf),
    #[error("the folder that it runs in, `{}`, does not exist", plain::path(.0))]
    NoFolder(PathBuf),
    #[error("the folder that it runs in, `{}`, is a link out of the folder of eval-ls.toml; correct `cwd`", plain::path(.0))]
    Outside(PathBuf),
    #[error("it is not executable; run `chmod +x` on it, or name its interpreter in `command`")]
    NotExecutable,
    #[error("it is a folder; name a program in `command`")]
    Folder,
    #[cfg(unix)]
    #[error(
        "it is not a program of this system; begin its first line with `#!` and its interpreter, or name that in `command`"
    )]
    NoFormat,
    #[error("it is not a program of Windows; name its interpreter in `command`")]
    NotOfWindows,
    #[error("it could not be started: {0}")]
    NotStarted(io::Error),
    /// The error that the program printed describes it.
    #[error("it failed")]
    Failed(ExitStatus),
    #[error("it printed more than 10 MiB to standard output")]
    TooMuch,
    #[error("{stop}{}", if *.answered { "; it printed its answer, but did not exit" } else { "" })]
    Stopped { stop: Stop, answered: bool },
    #[error("its exit status is unknown: {0}")]
    Lost(io::Error),
    #[error("{error}{}", begins_with(.beginning))]
    NoAnswer { error: AnswerError, beginning: Option<String> },
}

/// `ERROR_BAD_EXE_FORMAT` of Windows: the file is a script, for instance.
const BAD_EXE_FORMAT: i32 = 193;

impl Fault {
    /// Why a program could not be started, with the missing file, if it is known.
    pub(super) fn start(program: &Path, folder: &Path, error: io::Error) -> Self {
        if !folder.is_dir() {
            return Fault::NoFolder(folder.to_owned());
        }
        match error.kind() {
            io::ErrorKind::NotFound if !is_path(program) => Fault::NotInPath,
            io::ErrorKind::NotFound if program.exists() => Fault::NoInterpreter(program.to_owned()),
            io::ErrorKind::NotFound => Fault::NoFile(program.to_owned()),
            io::ErrorKind::PermissionDenied if program.is_dir() => Fault::Folder,
            io::ErrorKind::PermissionDenied => Fault::NotExecutable,
            #[cfg(unix)]
            _ if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => Fault::NoFormat,
            _ if cfg!(windows) && error.raw_os_error() == Some(BAD_EXE_FORMAT) => Fault::NotOfWindows,
            _ => Fault::NotStarted(error),
        }
    }
}

/// Whether a program is named by its path, and not looked for in PATH.
pub(super) fn is_path(program: &Path) -> bool {
    program.components().count() > 1 || program.is_absolute() || program.as_os_str().to_string_lossy().contains('/')
}

impl ProgramError {
    /// Whether somebody wished it to stop.
    pub(crate) fn is_cancelled(&self) -> bool {
        matches!(self.fault, Fault::Stopped { stop: Stop::Cancelled, .. })
    }
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_cancelled() {
            return self.fault.fmt(f);
        }
        match (&self.fault, &self.stderr) {
            // The printed error comes first.
            (Fault::Failed(status), Some(stderr)) => f.write_str(&stderr.failure(&self.program, *status))?,
            (fault @ Fault::Stopped { .. }, _) => fault.fmt(f)?,
            (Fault::NotInPath, _) if self.program.contains(char::is_whitespace) => {
                let words: Vec<String> = self.program.split_whitespace().map(|word| format!("{word:?}")).collect();
                let (program, words) = (quoted(&self.program), words.join(", "));
                write!(f, "{program} is not on PATH; `command` is a list of words: [{words}]")?;
            }
            (fault @ Fault::NotInPath, _) => write!(f, "`{}` {fault}", self.program)?,
            (fault, _) => write!(f, "`{}`: {fault}", self.program)?,
        }
        let failed = matches!(self.fault, Fault::Failed(_));
        let stderr = self.stderr.as_ref().filter(|stderr| !(failed && stderr.is_error_only()));
        if stderr.is_some_and(StandardError::is_empty) && !failed {
            f.write_str("; standard error is empty")?;
        }
        // Advice comes after the evidence, in separate lines.
        if matches!(self.fault, Fault::NoAnswer { .. }) {
            f.write_str("\nprint one object such as {\"response\": \"…\"}, and write logs to standard error")?;
        }
        if matches!(self.fault, Fault::Stopped { stop: Stop::TimedOut(_), .. }) {
            f.write_str("\nif it needs more time, raise `timeout` in eval-ls.toml, or `--timeout`")?;
        }
        let says_more = stderr.is_some_and(|lines| !lines.is_empty());
        let printed = stderr.map(|lines| lines.to_string().to_lowercase()).unwrap_or_default();
        // An error about something else is not explained by a variable that is not set.
        let is_about_keys = !says_more || KEYS.iter().any(|word| printed.contains(word));
        for name in self.unset.iter().filter(|name| is_about_keys || printed.contains(&name.to_lowercase())) {
            let name = quoted(name);
            write!(f, "\n{name}, which `pass_env` names, is not set; set it in the environment of eval-ls")?;
        }
        for name in &self.withheld {
            let (name, table) = (quoted(name), quoted(&format!("[targets.{}]", self.target)));
            write!(f, "\n{name} is set, but not passed to the program; add it to `pass_env` in {table}")?;
        }
        match stderr {
            Some(lines) if !lines.is_empty() => write!(f, "\n{lines}"),
            _ => Ok(()),
        }
    }
}

/// What errors about a missing key say.
const KEYS: [&str; 7] = ["key", "auth", "token", "credential", "401", "403", "environ"];

impl std::error::Error for ProgramError {}

fn begins_with(beginning: &Option<String>) -> String {
    beginning.as_ref().map_or_else(String::new, |text| format!("; it begins with {text}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answers() {
        for (stdout, response, telemetry) in [
            (r#"{"response": "hi"}"#, "hi", json!([])),
            ("\r\n\t {\"response\": \"\"} \n\n", "", json!([])),
            ("\u{feff}{\"response\": \"a\", \"telemetry\": null}\n", "a", json!([])),
            (r#"{"telemetry": [], "response": "a\nb"}"#, "a\nb", json!([])),
            (r#"{"response": "", "telemetry": [{"event": "start"}, "raw"]}"#, "", json!([{"event": "start"}, "raw"])),
            (r#"{"response": "a\ud83d b\udc00\ud83d\ude80"}"#, "a\u{fffd} b\u{fffd}🚀", json!([])),
        ] {
            let telemetry = telemetry.as_array().unwrap().iter().cloned().map(Event::from_value).collect();
            assert_eq!(
                ProgramAnswer::parse(stdout.as_bytes()),
                Ok(ProgramAnswer { response: response.to_owned(), telemetry, usage: None, extra: Map::new() })
            );
        }
    }

    #[test]
    fn usage_is_read_and_other_keys_are_kept() {
        let answer = |keys: &str| ProgramAnswer::parse(format!(r#"{{"response": "a", {keys}}}"#).as_bytes());
        let usage = |keys: &str| answer(keys).unwrap().usage.map(|usage| json!(usage));
        assert_eq!(usage(r#""usage": null"#), None);
        assert_eq!(usage(r#""usage": {}"#), Some(json!({})));
        assert_eq!(
            usage(r#""usage": {"input_tokens": 12, "output_tokens": null, "cost": 1e-4, "cached": true}"#),
            Some(json!({"input_tokens": 12, "cost": 0.0001}))
        );
        let extra = answer(r#""model": "m", "response_id": [1], "usage": {}"#).unwrap().extra;
        assert_eq!(json!(extra), json!({"model": "m", "response_id": [1]}));
        for keys in [
            r#""usage": []"#,
            r#""usage": {"cost": "1"}"#,
            r#""usage": {"cost": -1}"#,
            r#""usage": {"cost": 1e400}"#,
            r#""usage": {"cost": 1e300}"#,
            r#""usage": {"input_tokens": 1.5}"#,
            r#""usage": {"output_tokens": 1e30}"#,
        ] {
            let error = answer(keys).unwrap_err().to_string();
            assert!(error.starts_with("`usage` of the answer: expected "), "{error}");
        }
    }

    #[test]
    fn anything_else_is_an_error() {
        assert!(ProgramAnswer::parse(b"\xff{}").is_err_and(|error| {
            error.to_string() == "standard output is not UTF-8: the byte at offset 0 begins no character"
        }));
        let errors = [
            " \n",
            r#"{"response": "a"} {"response": "b"}"#,
            "{\"response\": \"a\"}\ndone",
            "Starting",
            "{\"response\": \"a\",}",
            "[]",
            "{}",
            r#"{"response": null}"#,
            r#"{"response": "", "telemetry": {}}"#,
            r#"{"response": "", "telemetry": [{}, 1]}"#,
            r#"{"response": "", "telemtry": []}"#,
            r#"{"response": "y", "response": "x"}"#,
            "{\"response\": \"\", \"tele\u{202e}metry\": 1}",
        ]
        .map(|stdout| format!("{stdout:?}\n    {}\n", ProgramAnswer::parse(stdout.as_bytes()).unwrap_err()));
        insta::assert_snapshot!(errors.concat());
    }
}
