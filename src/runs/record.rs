//! The record of a run, and the hashes that show whether a case was edited.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Write};

use hmac_sha256::Hash as Sha256;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use time::OffsetDateTime;

use crate::config::{Config, Reading};
use crate::events::{Policy, RunSummary};
use crate::suite::{Case, List};
use crate::text::hex;
use crate::verdict::Versions;

use super::kept::LinesRecord;
use super::write::Redact;

/// The name of the format of `run.json`.
pub(crate) const FORMAT: &str = "eval-ls/run@2";

/// `run.json`: what ran, with which versions of everything. Readers ignore keys that they do not know.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunRecord {
    /// [`FORMAT`].
    pub(crate) format: String,
    /// The name of the run's folder: the start in UTC and a short id.
    pub(crate) id: String,
    /// Whether answers were judged or recorded.
    #[serde(default)]
    pub(crate) mode: RunMode,
    /// The start: a date and time of RFC 3339, in UTC.
    pub(crate) started_at: String,
    /// The end, likewise; `None` while the run continues, and if it was interrupted.
    #[serde(default)]
    pub(crate) ended_at: Option<String>,
    /// The duration in milliseconds: that of all its parts, if it was resumed; `None` before its first end.
    #[serde(default)]
    pub(crate) duration_ms: Option<u64>,
    /// The times at which the run was resumed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) resumed_at: Vec<String>,
    /// Whether the run was cancelled before all cases had started.
    #[serde(default)]
    pub(crate) cancelled: bool,
    /// Which results make the run fail.
    #[serde(flatten)]
    pub(crate) policy: Policy,
    /// What answered.
    pub(crate) target: TargetRecord,
    /// The suites with the selected cases.
    #[serde(default)]
    pub(crate) suites: Vec<SuiteRecord>,
    /// The configuration.
    #[serde(default)]
    pub(crate) config: ConfigRecord,
    /// The state of the git repository; `None` if there is none.
    #[serde(default)]
    pub(crate) git: Option<GitRecord>,
    /// The versions of the programs that judged.
    #[serde(default)]
    pub(crate) versions: Versions,
    /// The operating system of the host, for example `linux`.
    #[serde(default)]
    pub(crate) os: String,
    /// The options of the command line by flag, which apply again when the run is resumed.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(crate) options: Map<String, Value>,
    /// How often a case may be asked: 1 and `retry_errors`.
    #[serde(default = "one")]
    pub(crate) attempts: usize,
    /// The number of cases that have no result; `None` before the end.
    #[serde(default)]
    pub(crate) not_run: Option<usize>,
    /// The number of cases by status; `None` before the end.
    #[serde(default)]
    pub(crate) summary: Option<RunSummary>,
    /// The names of its result files, which are beside the folder of the runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) results: Vec<String>,
    /// The lines of the cases; `None` before the end, and in runs of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) lines: Option<LinesRecord>,
}

/// What happened to the answers of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RunMode {
    /// The answers were judged.
    #[default]
    Run,
    /// The answers became transcripts: `eval-ls record`.
    Record,
}

/// What answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TargetRecord {
    /// The name.
    pub(crate) name: String,
    /// `replay`, `run`, `command` or `browser`.
    #[serde(default)]
    pub(crate) kind: String,
    /// The address of the app, without user and password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) address: Option<String>,
    /// The program and its arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) argv: Option<Vec<String>>,
    /// The hash of its table in the configuration.
    #[serde(default)]
    pub(crate) hash: String,
    /// The hash of the files of the program at the start; `None` if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) files: Option<String>,
    /// Whether the files of the program changed during the run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) mixed: bool,
}

impl TargetRecord {
    /// What follows the name of a program that has changed within a run.
    pub(crate) const MIXED: &str = ", in several versions";

    /// The kind of a target whose answers are those of another run.
    pub(crate) const RUN: &str = "run";

    /// Whether it was asked, not replayed from transcripts or from another run.
    pub(crate) fn is_live(&self) -> bool {
        !["replay", TargetRecord::RUN].contains(&self.kind.as_str())
    }

    /// Whether its program has other files than that of `other`, as far as that is known.
    pub(crate) fn has_other_files(&self, other: &TargetRecord) -> bool {
        self.files.is_some() && other.files.is_some() && self.files != other.files
    }

    /// The program that was asked, with its arguments, or the address of the app.
    pub(crate) fn program(&self) -> Option<String> {
        let program = self.argv.as_ref().map(|argv| argv.join(" ")).or_else(|| self.address.clone())?;
        Some(if self.mixed { program + TargetRecord::MIXED } else { program })
    }
}

/// A suite of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SuiteRecord {
    /// The path relative to the folder of `eval-ls.toml`, with `/`; absolute if the suite is not below that folder.
    pub(crate) path: String,
    /// The path as it was given.
    #[serde(default)]
    pub(crate) given: String,
    /// The hash of the text.
    #[serde(default)]
    pub(crate) hash: String,
    /// Whether only a part of its cases was selected.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) part: bool,
    /// The selected cases, in the order of the suite.
    #[serde(default)]
    pub(crate) cases: Vec<CaseRecord>,
}

/// A selected case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CaseRecord {
    /// The index among the suite's cases, from 0.
    pub(crate) index: usize,
    /// The id; empty if it has none.
    pub(crate) id: String,
    /// The hashes of what decides its verdict, apart from the answer.
    #[serde(flatten)]
    pub(crate) hashes: CaseHashes,
}

/// The configuration of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ConfigRecord {
    /// The path of the file relative to its workspace's root; `None` if there is no file.
    #[serde(default)]
    pub(crate) path: Option<String>,
    /// The hash of all values that decide verdicts.
    #[serde(default)]
    pub(crate) hash: String,
    /// The hash of the UI hints and sources.
    #[serde(default)]
    pub(crate) hints: String,
}

/// The state of the git repository at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GitRecord {
    /// The commit; `None` before the first one.
    #[serde(default)]
    pub(crate) commit: Option<String>,
    /// The branch; `None` if `HEAD` is detached.
    #[serde(default)]
    pub(crate) branch: Option<String>,
}

impl RunRecord {
    /// The number of selected cases.
    pub(crate) fn total(&self) -> usize {
        self.suites.iter().map(|suite| suite.cases.len()).sum()
    }

    /// The hashes of the case with that index of the suite with that index, as they were at the run.
    pub(crate) fn hashes(&self, suite: usize, index: usize) -> Option<&CaseHashes> {
        let cases = &self.suites.get(suite)?.cases;
        let place = cases.binary_search_by_key(&index, |case| case.index).ok()?;
        Some(&cases[place].hashes)
    }

    /// Writes it as a file: indented JSON with a line break at its end.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub(super) fn write(&self, redact: Option<&Redact>, out: &mut impl Write) -> io::Result<()> {
        match redact {
            None => serde_json::to_writer_pretty(&mut *out, self)?,
            Some(redact) => {
                let mut value = serde_json::to_value(self)?;
                redact(&mut value);
                serde_json::to_writer_pretty(&mut *out, &value)?;
            }
        }
        out.write_all(b"\n")
    }
}

/// The hash of a text in records: the first half of its SHA-256, in hexadecimal.
pub(crate) fn hash_of(text: &str) -> String {
    hex(&Sha256::hash(text.as_bytes())[..16])
}

fn one() -> usize {
    1
}

/// The name of a run's folder: the start in UTC and a short id, for example `20260102T030405Z-0a1b2c`. It can only be made
/// from a name of this form, so it is one part of a path and leads nowhere else.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub(crate) struct RunId(String);

/// The form of an id: `d` is a digit, `x` a hexadecimal digit in lower case, and any other character is itself.
const FORM: &str = "ddddddddTddddddZ-xxxxxx";

impl RunId {
    /// The id with this text, if it has the form of an id.
    pub(crate) fn new(text: &str) -> Option<RunId> {
        let fits = |(byte, form): (u8, u8)| match form {
            b'd' => byte.is_ascii_digit(),
            b'x' => byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'),
            form => byte == form,
        };
        let is_id = text.len() == FORM.len() && text.bytes().zip(FORM.bytes()).all(fits);
        is_id.then(|| RunId(text.to_owned()))
    }

    /// The id with the name of this file or folder, if it has the form of an id.
    pub(crate) fn of_name(name: &OsStr) -> Option<RunId> {
        RunId::new(name.to_str()?)
    }

    /// An id that no run has had: the time, and a hash of `seed` and of `last`, the id that was taken.
    pub(super) fn at(time: OffsetDateTime, seed: &str, last: Option<&RunId>) -> RunId {
        let short = Sha256::hash(
            format!("{seed} {} {}", last.map_or("", RunId::as_str), time.unix_timestamp_nanos()).as_bytes(),
        );
        RunId(format!(
            "{:04}{:02}{:02}T{:02}{:02}{:02}Z-{}",
            // The form has room for four digits, and a clock may be set to any year.
            time.year().clamp(0, 9999),
            u8::from(time.month()),
            time.day(),
            time.hour(),
            time.minute(),
            time.second(),
            hex(&short[..3])
        ))
    }

    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The start of the run, to the second.
    pub(super) fn second(&self) -> &str {
        self.0.split_once('-').map_or(&self.0, |(second, _)| second)
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq<str> for RunId {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

/// The hashes of what decides the verdict on a case, apart from the answer. Two cases with equal hashes judge an answer
/// alike.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CaseHashes {
    /// The text of the case, without the whitespace between its tokens.
    #[serde(default)]
    pub(crate) hash: String,
    /// The prompt, setup prompts and preconditions.
    #[serde(default)]
    pub(crate) prompts: String,
    /// The definitions of the configuration that the case uses: UI hints, sources, and whether the prompt counts.
    #[serde(default)]
    pub(crate) hints: String,
}

impl CaseHashes {
    /// The hashes of a case with this text.
    pub(crate) fn of(case: &Case, text: &str, config: &Config) -> CaseHashes {
        CaseHashes { hash: hash_of(&compact(text)), prompts: prompts(case), hints: hints(case, config) }
    }

    /// What differs from an earlier version, as words for people: `prompts`, `expectations`, `hints`.
    pub(crate) fn edits_since(&self, earlier: &CaseHashes) -> Vec<&'static str> {
        let mut edits = Vec::new();
        if self.prompts != earlier.prompts {
            edits.push("prompts");
        } else if self.hash != earlier.hash {
            edits.push("expectations");
        }
        if self.hints != earlier.hints {
            edits.push("hints");
        }
        edits
    }
}

/// The JSON text without the whitespace between its tokens.
fn compact(text: &str) -> String {
    let mut compact = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (between, string) = rest.split_at(memchr::memchr(b'"', rest.as_bytes()).unwrap_or(rest.len()));
        compact.extend(between.split([' ', '\t', '\n', '\r']));
        let (string, after) = string.split_at(string_len(string));
        compact.push_str(string);
        rest = after;
    }
    compact
}

/// The length in bytes of the string that `text` starts with, quotes included; of all the text if the string has no end.
fn string_len(text: &str) -> usize {
    let mut at = 1;
    while let Some(found) = text.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest.as_bytes())) {
        at += found;
        if text.as_bytes()[at] == b'"' {
            return at + 1;
        }
        // The escaped character may be of several bytes, none of which is a quote or a backslash.
        at += 2;
        while !text.is_char_boundary(at) && at < text.len() {
            at += 1;
        }
    }
    text.len()
}

fn prompts(case: &Case) -> String {
    let list = |list: &Option<List>| -> Vec<String> {
        list.iter().flat_map(List::entries).map(|entry| entry.value.clone()).collect()
    };
    let prompt = case.prompt.as_ref().map_or("", |prompt| &prompt.value);
    hash_of(&format!("{prompt:?} {:?} {:?}", list(&case.setup_prompts), list(&case.preconditions)))
}

/// The definitions that the case uses, each as the values that decide.
fn hints(case: &Case, config: &Config) -> String {
    let mut used = config.scoring.prompt_counts.map_or_else(|| "program".to_owned(), |counts| counts.to_string());
    if config.scoring.reading == Reading::Plain {
        used.push_str(" plain");
    }
    for hint in case.expected.ui.iter().flat_map(List::entries) {
        let meaning = config
            .ui_hints
            .get(&hint.value)
            .map(|hint| (&hint.all, &hint.any, hint.at_least, &hint.all_of, &hint.matches, &hint.none));
        used.push_str(&format!(" {:?}={meaning:?}", hint.value));
    }
    for source in case.expected.required_sources.iter().flat_map(List::entries) {
        let meaning = config.sources.iter().find(|(name, _)| name.eq_ignore_ascii_case(&source.value));
        used.push_str(&format!(" {:?}={:?}", source.value, meaning.map(|(_, source)| &source.patterns)));
    }
    hash_of(&used)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_names_of_runs_are_ids() {
        for name in ["20260102T030405Z-0a1b2c", "00000000T000000Z-ffffff"] {
            assert_eq!(RunId::of_name(OsStr::new(name)).map(|id| id.to_string()).as_deref(), Some(name));
        }
        let names = " . .. src ../../src 20260102T030405Z-0a1b2c/.. 20260102T030405Z-0A1B2C 20260102T030405Z-0a1b2 \
                     20260102T030405Z-0a1b2cd .gone-20260102T030405Z-0a1b2c";
        for name in names.split(' ').chain(["20260102T030405Z-0a1b2\n", "2026010\u{663}T030405Z-0a1b2"]) {
            assert_eq!(RunId::new(name), None, "{name}");
        }
    }

    #[test]
    fn new_ids_have_the_form_of_an_id() {
        let at = |seconds| OffsetDateTime::from_unix_timestamp(seconds).unwrap();
        let now = at(1_767_323_045);
        let first = RunId::at(now, "seed", None);
        assert_eq!((first.second(), RunId::new(first.as_str()).as_ref()), ("20260102T030405Z", Some(&first)));
        assert_ne!(RunId::at(now, "seed", Some(&first)), first);
        let early = RunId::at(at(-62_293_352_155), "seed", None);
        assert_eq!(early.second(), "00000102T030405Z");
    }

    /// What [`compact`] does, one code point after the other.
    fn compact_by_code_points(text: &str) -> String {
        let (mut in_string, mut is_escaped) = (false, false);
        let stays = |c: &char| {
            if in_string {
                in_string = is_escaped || *c != '"';
                is_escaped = *c == '\\' && !is_escaped;
                return true;
            }
            in_string = *c == '"';
            !matches!(c, ' ' | '\t' | '\n' | '\r')
        };
        text.chars().filter(stays).collect()
    }

    #[test]
    fn white_space_in_strings_stays() {
        assert_eq!(compact("{\n  \"a b\": [1,\t\"\\\" c\", \"\\\\\" ]\r\n}"), "{\"a b\":[1,\"\\\" c\",\"\\\\\"]}");
    }

    proptest! {
        #[test]
        fn any_text_is_compacted(text in r#"[ \n"\\éa:{😀]{0,24}"#) {
            prop_assert_eq!(compact(&text), compact_by_code_points(&text));
        }
    }
}
