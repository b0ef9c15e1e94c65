use std::fmt;
use std::path::Path;

/// A version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Version {
    /// 0.1
    V0_1,
    /// 0.2
    V0_2,
    /// 0.3
    V0_3,
}

/// The version of a suite, and the version in its file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DetectedVersion {
    /// The version that applies.
    pub(crate) version: Version,
    /// The version in the file name.
    pub(crate) from_file_name: Option<Version>,
}

impl Version {
    /// All versions, oldest first.
    pub(crate) const ALL: [Version; 3] = [Version::V0_1, Version::V0_2, Version::V0_3];

    /// The newest version, which applies if neither the suite nor its file name has one.
    pub(crate) const LATEST: Version = Version::V0_3;

    /// `0.2`
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Version::V0_1 => "0.1",
            Version::V0_2 => "0.2",
            Version::V0_3 => "0.3",
        }
    }

    /// Parses `0.2`, or `0.2.0` with any patch number.
    pub(crate) fn parse(text: &str) -> Option<Version> {
        Version::ALL.into_iter().find(|version| {
            let rest = text.strip_prefix(version.as_str());
            let is_patch = |patch: &str| !patch.is_empty() && patch.bytes().all(|b| b.is_ascii_digit());
            rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('.').is_some_and(is_patch))
        })
    }

    /// The version in a file name: `.v0.2.` in `brief.v0.2.json`.
    pub(crate) fn from_file_name(path: &Path) -> Option<Version> {
        let name = path.file_name()?.to_string_lossy();
        Version::ALL.into_iter().find(|version| name.contains(&format!(".v{version}.")))
    }
}

/// The file name of `path` with `version` in place of the old version; `None` if the name has no version.
pub(crate) fn file_name_with(path: &Path, version: Version) -> Option<String> {
    let old = Version::from_file_name(path)?;
    let name = path.file_name()?.to_str()?;
    Some(name.replacen(&format!(".v{old}."), &format!(".v{version}."), 1))
}

impl DetectedVersion {
    /// The version of a suite whose `version` is `declared` and whose file is `path`: the declared version, or else the one
    /// in the file name, or else the latest.
    pub(crate) fn detect(declared: Option<&str>, path: Option<&Path>) -> DetectedVersion {
        let from_file_name = path.and_then(Version::from_file_name);
        let version = declared.and_then(Version::parse).or(from_file_name).unwrap_or(Version::LATEST);
        DetectedVersion { version, from_file_name }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
