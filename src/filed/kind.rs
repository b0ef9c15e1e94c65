use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use hmac_sha256::Hash as Sha256;

use crate::config::Config;
use crate::text::{hex, percent_decoded, percent_encoded};

/// A kind of thing that is stored beside a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filed<'a> {
    /// What a target returned: a file for each case in this folder, which `[run] transcripts` names.
    Transcript(&'a str),
    /// The page of a case that did not pass: a file beside the transcript.
    Screenshot(&'a str),
    /// Answers that a case must pass or must fail: a folder for each case.
    Samples,
    /// How the cases did: a file for each target, with an entry for each case.
    Baseline,
}

impl<'a> Filed<'a> {
    /// All kinds.
    pub(crate) fn all(config: &'a Config) -> [Filed<'a>; 4] {
        let transcripts = &*config.run.transcripts;
        [Filed::Transcript(transcripts), Filed::Screenshot(transcripts), Filed::Samples, Filed::Baseline]
    }

    /// What one of them is called.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Filed::Transcript(_) => "transcript",
            Filed::Screenshot(_) => "screenshot",
            Filed::Samples => "folder of samples",
            Filed::Baseline => "baseline",
        }
    }

    /// What a file among them is.
    pub(crate) fn place(self) -> &'static str {
        match self {
            Filed::Transcript(_) | Filed::Screenshot(_) => "among the transcripts of a suite",
            Filed::Samples => "among the samples of a suite",
            Filed::Baseline => "a baseline",
        }
    }

    /// The folder with those of all suites in the folder of `suite`.
    pub(crate) fn shelf(self, suite: &Path) -> PathBuf {
        suite.parent().unwrap_or(Path::new("")).join(match self {
            Filed::Transcript(folder) | Filed::Screenshot(folder) => folder,
            Filed::Samples => "samples",
            Filed::Baseline => "baselines",
        })
    }

    /// The folder with those of `suite`. That of baselines has those of other suites, too.
    pub(crate) fn folder(self, suite: &Path) -> PathBuf {
        match self {
            Filed::Baseline => self.shelf(suite),
            _ => self.shelf(suite).join(suite_name(suite)),
        }
    }

    /// The place of that of a case of `suite`; of a baseline, that of a target.
    pub(crate) fn path(self, suite: &Path, name: &str) -> PathBuf {
        let file = file_name(name);
        self.folder(suite).join(match self {
            Filed::Transcript(_) => file,
            Filed::Screenshot(_) => key(name) + ".png",
            Filed::Samples => key(name),
            Filed::Baseline => format!("{}.{file}", suite_name(suite).to_string_lossy()),
        })
    }

    /// The suite, without `.json`, whose thing a file at `path` would be. The name of a baseline ends with its target.
    pub(crate) fn owner(self, path: &Path) -> Option<PathBuf> {
        let (folder, place) = match self {
            Filed::Transcript(folder) | Filed::Screenshot(folder) => (folder, path.parent()?),
            Filed::Samples => ("samples", path.parent()?.parent()?),
            Filed::Baseline => ("baselines", path),
        };
        let beside = place.parent().filter(|shelf| shelf.ends_with(folder))?;
        let beside = beside.ancestors().nth(Path::new(folder).components().count())?;
        let name = place.file_name()?.to_str()?;
        let name = if self == Filed::Baseline { name.strip_suffix(".json")?.rsplit_once('.')?.0 } else { name };
        Some(beside.join(name))
    }

    /// The [`key`] of the case whose thing has this name in its [`folder`](Self::folder).
    pub(crate) fn key_of(self, name: &str) -> Option<&str> {
        match self {
            Filed::Transcript(_) => name.strip_suffix(".json"),
            Filed::Screenshot(_) => name.strip_suffix(".png"),
            Filed::Samples => Some(name),
            Filed::Baseline => None,
        }
    }
}

/// The name under which the things of a case are stored.
pub(crate) fn key(id: &str) -> String {
    let mut name = file_name(id);
    name.truncate(name.len() - ".json".len());
    name
}

/// The id of the case whose things have this name; `None` if the name is cut, or is not one of a case.
pub(crate) fn id_of(name: &str) -> Option<String> {
    percent_decoded(name).filter(|id| key(id) == name)
}

/// The name under which the things of a suite are stored.
pub(crate) fn suite_name(suite: &Path) -> &OsStr {
    let is_json = suite.extension() == Some(OsStr::new("json"));
    let name = if is_json { suite.file_stem() } else { suite.file_name() };
    name.unwrap_or_default()
}

/// The longest file name on all common systems, in bytes.
const LONGEST_NAME: usize = 255;
const EXTENSION: &str = ".json";

/// The file name of the transcript of the case with that id: the percent-encoded id and `.json`. `[A-Za-z0-9_-]` and inner
/// dots are not encoded. The name has no path separators and at most 255 bytes: a longer one is cut, and ends with `%~` and
/// a hash of the whole id.
pub(crate) fn file_name(id: &str) -> String {
    let mut name = percent_encoded(id).replace('~', "%7E");
    if name.ends_with('.') {
        name.replace_range(name.len() - 1.., "%2E");
    }
    if name.starts_with('.') {
        name.replace_range(..1, "%2E");
    }
    if name.len() + EXTENSION.len() > LONGEST_NAME {
        let hash = hex(&Sha256::hash(id.as_bytes())[..16]);
        // An encoded id never contains `%~`, so no other id has this name. All characters are ASCII.
        name.truncate(LONGEST_NAME - EXTENSION.len() - "%~".len() - hash.len());
        name.push_str("%~");
        name.push_str(&hash);
    }
    name + EXTENSION
}
