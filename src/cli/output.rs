//! What a command writes: files that options name, of which none replaces what this program reads; and paths in annotations,
//! counted from the root of the repository.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::io::{self, BufWriter, ErrorKind, Stderr, Stdout, Write};
use std::path::{Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use serde::Serialize;

use crate::analysis::lint_names;
use crate::cli::{ExitStatus, Refusal};
use crate::diagnostic::quoted;
use crate::files::{self, below};
use crate::git;
use crate::report::CommandGuard;
use crate::report::findings::Checked;
use crate::text::{visible, visible_text};
use crate::workspace::{ConfigCache, absolute, read_as};

/// The output of a command: `out` for results, `err` for messages to people.
pub(crate) struct Console {
    /// Standard output.
    pub(crate) out: Output<Stdout>,
    /// Standard error.
    pub(crate) err: Output<Stderr>,
}

/// A stream whose reader may go away. After that, output is dropped without an error, so the command continues and its
/// exit status is right.
pub(crate) struct Output<W: Write> {
    stream: BufWriter<W>,
    fault: Option<io::Error>,
    color: bool,
    guard: CommandGuard,
}

impl Console {
    /// Creates the streams of this process. Colour is for terminals only; `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE` and
    /// `TERM=dumb` take effect.
    pub(crate) fn of_process() -> Self {
        let (out, err) = (io::stdout(), io::stderr());
        let colors = [AutoStream::choice(&out), AutoStream::choice(&err)].map(|choice| choice != ColorChoice::Never);
        Self { out: Output::new(out, colors[0]), err: Output::new(err, colors[1]) }
    }

    /// Prints a line for people, after everything that was written to `out`.
    pub(crate) fn tell(&mut self, line: impl fmt::Display) {
        self.out.send();
        let line: String = visible_text(line.to_string());
        self.err.write_line(&line);
        self.err.send();
    }

    /// Writes a line to standard error whose text is harmless and may have styles.
    pub(crate) fn tell_styled(&mut self, line: &str) {
        self.out.send();
        self.err.write_line(line);
        self.err.send();
    }

    /// Prints an error for people: a lower-case fragment.
    pub(crate) fn complain(&mut self, fault: impl fmt::Display) {
        self.tell(format_args!("error: {fault}"));
    }

    /// Flushes the output. Returns `status`, or another status if the output could not be written although it has a
    /// reader.
    pub(crate) fn finish(mut self, status: ExitStatus) -> ExitStatus {
        let Some(fault) = self.out.end() else { return status };
        self.complain(format_args!("cannot write to standard output: {fault}"));
        status.max(ExitStatus::Unusable)
    }
}

impl<W: Write> Output<W> {
    /// Writes to `stream`. `color` is whether to write in colour.
    pub(crate) fn new(stream: W, color: bool) -> Self {
        Self { stream: BufWriter::new(stream), fault: None, color, guard: CommandGuard::default() }
    }

    /// Returns whether to write in colour.
    pub(crate) fn has_color(&self) -> bool {
        self.color
    }

    /// Writes the text as it is, apart from starts of workflow commands.
    pub(crate) fn write_text(&mut self, text: &str) {
        self.write_bytes(text.as_bytes());
    }

    fn write_bytes(&mut self, bytes: &[u8]) {
        let written =
            if self.fault.is_none() { self.guard.disarm(bytes, |part| self.stream.write_all(part)) } else { Ok(()) };
        self.note(written);
    }

    /// Writes whole lines exactly as they are: workflow commands of this program, or a text that another program reads.
    pub(crate) fn write_exact(&mut self, lines: &[u8]) {
        let written = if self.fault.is_none() { self.stream.write_all(lines) } else { Ok(()) };
        self.note(written);
    }

    /// Writes the text and a line break.
    pub(crate) fn write_line(&mut self, text: &str) {
        self.write_text(text);
        self.write_text("\n");
    }

    /// Writes `document` as JSON for people, and a line break.
    pub(crate) fn write_json(&mut self, document: &impl Serialize) {
        let text = serde_json::to_string_pretty(document).expect("plain data serializes");
        self.write_line(&readable(&text));
    }

    /// Flushes the output. Returns the fault if it could not be written although it has a reader.
    pub(crate) fn end(&mut self) -> Option<io::Error> {
        self.send();
        self.fault.take().filter(|fault| fault.kind() != ErrorKind::BrokenPipe)
    }

    fn send(&mut self) {
        let sent = if self.fault.is_none() { self.stream.flush() } else { Ok(()) };
        self.note(sent);
    }

    fn note(&mut self, result: io::Result<()>) {
        if let Err(fault) = result {
            self.fault.get_or_insert(fault);
        }
    }
}

/// Never fails: output that cannot be written is dropped.
impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_bytes(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send();
        Ok(())
    }
}

/// Formats rows of plain text. Every column except the last is as wide as its longest entry plus two spaces.
pub(super) fn columns<const N: usize>(rows: impl IntoIterator<Item = [String; N]>) -> String {
    let rows: Vec<[String; N]> = rows.into_iter().collect();
    let widths: [usize; N] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    let mut table = String::new();
    for row in rows {
        let line: String = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}  ")).collect();
        table.push_str(line.trim_end());
        table.push('\n');
    }
    table
}

/// Refuses outputs that are a suite, unless they replace suites, a configuration, something that is stored beside a suite, a part of a kept
/// run, or one of `inputs`, and two that are one file. Devices and pipes are not replaced.
pub(super) fn refuse_outputs<'a>(
    outputs: impl IntoIterator<Item = &'a Path>,
    inputs: impl IntoIterator<Item = &'a Path>,
    replaces_suites: bool,
) -> Result<(), Refusal> {
    let inputs: Vec<PathBuf> = inputs.into_iter().map(real).collect();
    let mut configurations = ConfigCache::new(lint_names());
    let mut known = HashSet::new();
    for output in outputs.into_iter().filter(|output| !files::is_stream(output)) {
        let (named, real) = (absolute(output), real(output));
        let what_is_there =
            [&named, &real].into_iter().find_map(|path| read_as(path, &mut configurations, replaces_suites));
        let what = match what_is_there {
            _ if inputs.contains(&real) => "read by this command",
            Some(what) => what,
            None if !known.insert(real) => "named for two outputs",
            None => continue,
        };
        let fault = format!("the output {} is {what}; name another file", quoted(&output.display().to_string()));
        return Err(Refusal::new(ExitStatus::Misused, fault));
    }
    Ok(())
}

/// The file behind links, which need not exist.
fn real(path: &Path) -> PathBuf {
    let path = absolute(path);
    let behind = || files::real(&path.parent()?.join(path.read_link().ok()?));
    files::real(&path).or_else(behind).unwrap_or(path)
}

/// The JSON text with all invisible characters, control characters and starts of workflow commands escaped. Outside of strings,
/// JSON has none but line breaks.
pub(super) fn readable(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| matches!(c, ' '..='~' | '\n') || c.is_alphanumeric() || visible(c) == c;
    if !text.contains("##[") && text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut readable = String::with_capacity(text.len());
    for c in text.chars() {
        // Outside of strings, JSON has no `#`.
        if is_plain(c) && !(c == '[' && readable.ends_with("##")) {
            readable.push(c);
        } else {
            readable.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    Cow::Owned(readable)
}

/// The repository that a command runs in.
pub(super) struct Repository {
    root: Option<PathBuf>,
}

impl Repository {
    /// The repository at `GITHUB_WORKSPACE`, else that of git around the current folder.
    pub(super) fn current() -> Repository {
        let given = std::env::var_os("GITHUB_WORKSPACE").filter(|path| !path.is_empty()).map(PathBuf::from);
        Repository { root: given.or_else(|| git::root(&absolute(Path::new(".")))) }
    }

    /// The path from the root, with `/`; as it is if it is not below the root.
    pub(super) fn path_of(&self, path: &str) -> String {
        let absolute = absolute(Path::new(path));
        let below = self.root.as_ref().and_then(|root| {
            // One of the two may go through a link.
            let behind_links = || below(&absolute.canonicalize().ok()?, &root.canonicalize().ok()?);
            below(&absolute, root).or_else(behind_links)
        });
        below.unwrap_or_else(|| path.to_owned())
    }

    /// Names the files by their paths from the root. Standard input keeps its name.
    pub(super) fn rename(&self, files: &mut [Checked]) {
        for file in files.iter_mut().filter(|file| file.name != STDIN) {
            file.name = self.path_of(&file.name);
        }
    }
}

/// The name of standard input without a file name.
pub(super) const STDIN: &str = "<stdin>";

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A writer that accepts that many bytes, and then fails.
    struct Leaky(usize);

    impl Write for Leaky {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            if taken == 0 { Err(ErrorKind::BrokenPipe.into()) } else { Ok(taken) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn output_continues_without_a_reader() {
        let mut output = Output::new(Leaky(10_000), false);
        for _ in 0..10_000 {
            writeln!(output, "a line of some length").unwrap();
        }
        output.flush().unwrap();
        assert_eq!(output.fault.map(|fault| fault.kind()), Some(ErrorKind::BrokenPipe));
        assert_eq!(output.stream.get_ref().0, 0);
    }

    #[test]
    fn a_string_does_not_start_a_workflow_command() {
        let value = json!({ "##[add-mask]x": ["###[", "#[", "##", "[]"] });
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let text = readable(&text);
            assert!(!text.contains("##["), "{text}");
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        }
    }

    #[test]
    fn invisible_characters_are_escaped_and_keep_their_meaning() {
        let value = json!({ "a\u{9b}\u{7f}": "\u{202e}é日\u{e0041} \n\u{1}" });
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let readable = readable(&text);
            assert!(readable.contains(r"a\u009b\u007f") && readable.contains(r"\u202eé日\udb40\udc41"), "{readable}");
            assert!(readable.chars().all(|c| c == '\n' || visible(c) == c), "{readable}");
            assert_eq!(serde_json::from_str::<Value>(&readable).unwrap(), value);
        }
        assert!(matches!(readable("{\"é\": \"日本\"}\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn paths_count_from_the_root() {
        let folder = tempfile::tempdir().unwrap();
        let suite = folder.path().join("apps/chat/a.evals.json");
        std::fs::create_dir_all(suite.parent().unwrap()).unwrap();
        std::fs::write(&suite, "{}").unwrap();
        let path = |path: &Path, root: Option<&Path>| {
            let repository = Repository { root: root.map(Path::to_owned) };
            repository.path_of(path.to_str().unwrap())
        };
        assert_eq!(path(&suite, Some(folder.path())), "apps/chat/a.evals.json");
        assert_eq!(path(Path::new("a.json"), Some(folder.path())), "a.json");
        assert_eq!(path(Path::new("a.json"), None), "a.json");
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink(folder.path().join("apps"), &link).unwrap();
            assert_eq!(path(&link.join("chat/a.evals.json"), Some(&folder.path().join("apps"))), "chat/a.evals.json");
        }
    }
}
