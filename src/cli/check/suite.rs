use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analysis::{AllowedUse, Document, Workspace};
use crate::challenge::sample_findings;
use crate::cli::input::{Contents, Input, ReadError, WriteError, write_back};
use crate::diagnostic::{Edit, Finding, safe_edits};
use crate::filed::{Filed, strays};
use crate::lints::not_utf8;
use crate::suite::{Field, PlacedCase};
use crate::text::Text;
use crate::workspace::{LoadedConfig, absolute, samples_of};

use super::Checked;

/// Why a suite could not be checked.
#[derive(Debug, thiserror::Error)]
pub(super) enum CheckError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Which suites are fixed.
pub(super) struct Fixing<'a> {
    /// Whether fixes are applied at all.
    pub(super) is_on: bool,
    /// The files and folders on the command line.
    pub(super) paths: &'a [PathBuf],
}

impl Fixing<'_> {
    fn write(&self, path: &Path, text: &Text) -> Result<(), CheckError> {
        Ok(write_back(path, self.paths, text.as_str())?)
    }
}

/// A suite that was checked.
pub(super) struct CheckedSuite {
    /// The findings; with fixes, those that are left.
    pub(super) checked: Checked,
    /// What the entries of `[[allow]]` did, if the configuration is a file that has some.
    pub(super) allowed: Option<AllowedUse>,
    /// The id and the category of each case.
    pub(super) cases: Vec<(String, String)>,
    /// The bytes to print: the fixed text of standard input, even if nothing was fixed.
    pub(super) printed: Vec<u8>,
    /// Why the fixed file could not be written.
    pub(super) fault: Option<CheckError>,
}

/// The findings about the samples of a suite.
fn of_samples(document: &Document, path: &Path, loaded: &LoadedConfig) -> Vec<Finding> {
    let has_samples = Filed::Samples.shelf(path).is_dir();
    let of_case = |placed: &PlacedCase| -> Vec<Finding> {
        let samples = samples_of(&loaded.root, path, &placed.case);
        let found = sample_findings(&placed.case, &samples, &loaded.config);
        found.into_iter().map(|finding| finding.shifted_by(placed.start)).collect()
    };
    let cases = document.suite().cases.iter().filter(|_| has_samples);
    cases.flat_map(of_case).collect()
}

/// Checks a suite. With fixes, writes the fixed file.
///
/// # Errors
/// If the suite cannot be read.
pub(super) fn check(
    input: &Input,
    loaded: &LoadedConfig,
    lints: &Arc<Workspace>,
    fixing: &Fixing<'_>,
) -> Result<CheckedSuite, CheckError> {
    let apply_fixes = fixing.is_on;
    let name = input.name();
    let text = match input.read()? {
        Contents::Text(text) => text,
        Contents::NotUtf8 { bytes, offset } => {
            let text = Text::new(&String::from_utf8_lossy(&bytes));
            let checked = Checked { name, text, findings: vec![not_utf8(offset)], fixed: false };
            let printed = if apply_fixes && matches!(input, Input::Stdin(_)) { bytes } else { Vec::new() };
            return Ok(CheckedSuite { checked, allowed: None, cases: Vec::new(), printed, fault: None });
        }
    };
    let mut document = Document::new(text, input.path().map(Path::to_owned));
    // An error in the configuration could be in the setting that disables a fix.
    let may_fix = apply_fixes && loaded.errors.is_empty();
    let before = may_fix.then(|| document.clone());
    let mut fixed = may_fix && fix(&mut document, lints);
    let has_entries = loaded.config_path.is_some() && !lints.allowed.is_empty();
    let allowed = has_entries.then(|| document.allowed_use(lints));
    let (mut printed, mut fault) = (Vec::new(), None);
    match input {
        Input::File(path) if fixed => fault = fixing.write(path, document.text()).err(),
        Input::Stdin(_) if apply_fixes => printed = document.text().as_str().into(),
        Input::File(_) | Input::Stdin(_) => {}
    }
    if let (Some(before), true) = (before, fault.is_some()) {
        (document, fixed) = (before, false);
    }
    let cases = document.suite().cases.iter().map(|placed| {
        let case = &placed.case;
        let text = |value: &Option<Field<String>>, default: &str| {
            value.as_ref().map_or(default, |value| &value.value).to_owned()
        };
        (text(&case.id, ""), text(&case.category, "general"))
    });
    let cases = cases.collect();
    let text = document.text().clone();
    let mut findings = document.findings(lints);
    if let Some(path) = input.path() {
        findings.extend(of_samples(&document, path, loaded));
        if document.is_well_formed() {
            let found = strays(&absolute(path), document.suite(), &loaded.config, &loaded.root);
            findings.extend(found.iter().map(|stray| stray.finding(document.suite())));
        }
        findings.sort_by_key(|finding| finding.span);
    }
    let checked = Checked { name, text, findings, fixed };
    Ok(CheckedSuite { checked, allowed, cases, printed, fault })
}

/// How often fixes are applied to one text. Fixes that touch each other wait for the next pass, so a long row of them
/// needs several passes.
const ROUNDS: usize = 64;

/// Applies all safe fixes to a document, and those that become possible, until there are none. Returns whether the text
/// has changed.
pub(super) fn fix(document: &mut Document, workspace: &Arc<Workspace>) -> bool {
    let mut fixed = false;
    let mut seen = HashSet::from([fingerprint(document.text())]);
    for _ in 0..ROUNDS {
        let findings = document.findings(workspace);
        let edits = safe_edits(&findings);
        let text = Text::from(Edit::apply_all(document.text().as_str(), edits.iter().copied()));
        // Fixes that undo each other would otherwise never end.
        if edits.is_empty() || !seen.insert(fingerprint(&text)) {
            break;
        }
        fixed = true;
        document.set_text(text);
    }
    fixed
}

fn fingerprint(text: &Text) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.as_str().hash(&mut hasher);
    hasher.finish()
}
