//! `check`: reports errors in suites, and applies safe fixes. It also reports entries of `eval-ls.toml` that name no case, and
//! those of `[[allow]]` that allow nothing.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::analysis::{AllowedUse, Document};
use crate::challenge::sample_findings;
use crate::cli::args::{CheckArgs, Deny, Format};
use crate::cli::draw::{Painter, printable};
use crate::cli::input::{Contents, Input, SharedFolders, Workspaces, find, near, no_suites, or_here, write_back};
use crate::cli::output::{Output, Repository};
use crate::cli::{Console, ExitStatus};
use crate::config::{Allow, CaseGlob, Config, ConfigError};
use crate::diagnostic::{Edit, Finding, Severity, quoted, safe_edits};
use crate::filed::{Filed, strays};
use crate::lints::{Workspace, lint, not_utf8};
use crate::report::findings::{self, Checked};
use crate::suite::{Field, PlacedCase};
use crate::text::{Span, Text, counted};
use crate::workspace::{Loaded, LoadedConfig, absolute, samples_of};

/// Checks the files in `args` and prints the findings.
pub(super) fn check(args: &CheckArgs, console: &mut Console) -> ExitStatus {
    if let Err(fault) = args.validate() {
        console.complain(fault);
        return ExitStatus::Misused;
    }
    let mut workspaces = Workspaces::new().without_results().forcing_exclude(args.force_exclude);
    let paths = or_here(&args.paths);
    let found = find(paths, args.stdin_filename.as_deref(), &mut workspaces);
    let mut status = if args.paths.is_empty() && found.is_empty() {
        // A user without arguments may not have a suite yet.
        console.tell(no_suites(Path::new(".")));
        ExitStatus::Passed
    } else {
        found.complain(console)
    };
    let (mut all, of_configurations) = check_configurations(&workspaces, console);
    status = status.max(of_configurations);
    let mut entries = Entries::new();

    let mut folders = SharedFolders::default();
    let (mut suites, mut counts) = (Vec::new(), (0, 0));
    for input in &found.inputs {
        let loaded = workspaces.of_input(input);
        let Ok(config) = &*loaded else { continue };
        let lints = workspaces.lints_of(input, config);
        suites.push((input, loaded, lints));
    }
    let check = |(input, loaded, lints): &(&Input, Loaded, Arc<Workspace>)| {
        let loaded = loaded.as_ref().as_ref().ok()?;
        Some(check_suite(input, loaded, lints, (args.fix, paths)))
    };
    let outcomes: Vec<_> = suites.par_iter().map(check).collect();
    for ((input, loaded, _), outcome) in suites.iter().zip(outcomes) {
        let (Ok(loaded), Some(outcome)) = (&**loaded, outcome) else { continue };
        let (checked, fault) = match outcome {
            Ok(CheckedSuite { mut checked, allowed: uses, cases, printed, fault }) => {
                let messages = folders.add(input, loaded).into_iter();
                checked.findings.extend(messages.map(|message| warning(Span::empty(0), message)));
                counts = (counts.0 + 1, counts.1 + cases.len());
                if let Some(config) = loaded.config_path.as_deref() {
                    entries.entry(config.to_owned()).or_default().add(uses, cases);
                }
                console.out.write_exact(&printed);
                (Some(checked), fault)
            }
            Err(fault) => (None, Some(fault)),
        };
        all.extend(checked);
        if let Some(fault) = fault {
            console.complain(fault);
            status = status.max(ExitStatus::Unusable);
        }
    }
    all.splice(0..0, unused(&entries, &workspaces, paths));
    if args.deny == Some(Deny::Warnings) {
        let findings = all.iter_mut().flat_map(|checked| &mut checked.findings);
        for finding in findings.filter(|finding| finding.severity == Severity::Warning) {
            finding.severity = Severity::Error;
        }
    }

    let tally = tally(&all, counts, args.fix);
    let has_errors = all.iter().flat_map(|checked| &checked.findings).any(|it| it.severity == Severity::Error);
    match args.format {
        Format::Json => console.out.write_json(&findings::json(&all)),
        format if write_for_programs(format, &mut all, console) => {}
        _ if args.prints_fixed_text() => print(&all, &mut console.err),
        _ if args.statistics => console.out.write_text(&table(&all)),
        _ => print(&all, &mut console.out),
    }
    if args.format == Format::Text
        && let Some(lint) = all.iter().flat_map(|checked| &checked.findings).find_map(|finding| lint(finding.lint))
    {
        console.tell(format_args!("to read more: `eval-ls explain {}`", lint.name));
    }
    if counts.0 > 0 || !all.is_empty() {
        console.tell(&tally);
    } else if let Some(Ok(config)) = workspaces.files().first().map(|file| &**file)
        && status == ExitStatus::Passed
        && found.inputs.is_empty()
    {
        console.tell(format_args!("{}, no findings", config.config_path.as_deref().map(near).unwrap_or_default()));
    }
    if has_errors { status.max(ExitStatus::Failed) } else { status }
}

/// Returns the findings in the configuration files, and the exit status for them.
fn check_configurations(workspaces: &Workspaces, console: &mut Console) -> (Vec<Checked>, ExitStatus) {
    let mut faulty = Vec::new();
    let mut status = ExitStatus::Passed;
    for loaded in workspaces.files() {
        match &**loaded {
            Ok(loaded) => {
                let findings = loaded.findings();
                if findings.is_empty() {
                    continue;
                }
                faulty.push(Checked {
                    name: loaded.config_path.as_deref().map(near).unwrap_or_default(),
                    text: Text::new(&loaded.text),
                    findings,
                    fixed: false,
                });
                if loaded.errors.is_empty() {
                    continue;
                }
            }
            Err(fault) => console.complain(fault),
        }
        status = ExitStatus::Misused;
    }
    (faulty, status)
}

/// Prints findings in a format that other programs read. Returns whether it is one.
pub(super) fn write_for_programs(format: Format, all: &mut [Checked], console: &mut Console) -> bool {
    match format {
        Format::Concise => findings::concise(all).for_each(|line| console.out.write_text(&line)),
        Format::Github => {
            Repository::current().rename(all);
            findings::github(all).for_each(|line| console.out.write_exact(line.as_bytes()));
        }
        _ => return false,
    }
    true
}

/// How many findings of one file are drawn. If there are more, people read the first ones, or use JSON.
const SHOWN: usize = 1_000;

/// Prints findings for people.
pub(crate) fn print(all: &[Checked], output: &mut Output<impl Write>) {
    let painter = Painter::new(output.has_color());
    for checked in all {
        for finding in checked.findings.iter().take(SHOWN) {
            output.write_line(&painter.paint(&checked.name, &checked.text, finding));
        }
        if let Some(more) = checked.findings.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            let (more, name) = (counted(more, "more finding"), printable(&checked.name));
            output.write_line(&format!("and {more} in {name}; `--format json` has them all\n"));
        }
    }
}

/// What the suites that were checked have of what the entries of each configuration name.
type Entries = HashMap<PathBuf, OfConfig>;

#[derive(Default)]
struct OfConfig {
    allowed: AllowedUse,
    ids: BTreeSet<String>,
    categories: BTreeSet<String>,
}

/// A finding for each entry that allows nothing or names no case. An entry about no suite that was checked is only reported if
/// `paths` include the whole workspace.
fn unused(entries: &Entries, workspaces: &Workspaces, paths: &[PathBuf]) -> Vec<Checked> {
    let mut unused = Vec::new();
    let none = OfConfig::default();
    for loaded in workspaces.files() {
        let Ok(loaded) = &**loaded else { continue };
        let Some(path) = loaded.config_path.as_deref().filter(|_| loaded.errors.is_empty()) else { continue };
        let is_whole = paths.iter().any(|path| loaded.root.starts_with(absolute(path)));
        let of_config = entries.get(path).unwrap_or(&none);
        let uses = &of_config.allowed;
        let allowed = loaded.config.allowed.iter().enumerate();
        let idle = allowed.filter(|(index, _)| !uses.used.contains(index) && (is_whole || uses.about.contains(index)));
        let mut findings: Vec<_> =
            idle.map(|(index, entry)| allows_nothing(entry, uses.about.contains(&index))).collect();
        if is_whole && !of_config.ids.is_empty() {
            findings.extend(of_config.without_a_case(&loaded.config));
        }
        if !findings.is_empty() {
            findings.sort_by_key(|finding| finding.span.start);
            unused.push(Checked { name: near(path), text: Text::new(&loaded.text), findings, fixed: false });
        }
    }
    unused
}

impl OfConfig {
    /// Adds what one suite has: what the entries of `[[allow]]` did in it, and the id and category of each case.
    fn add(&mut self, uses: Option<AllowedUse>, cases: Vec<(String, String)>) {
        if let Some(uses) = uses {
            self.allowed.about.extend(uses.about);
            self.allowed.used.extend(uses.used);
        }
        for (id, category) in cases {
            self.ids.insert(id);
            self.categories.insert(category);
        }
    }

    /// A finding for each entry that no case matches.
    fn without_a_case<'a>(&'a self, config: &'a Config) -> impl Iterator<Item = Finding> + 'a {
        let has = |glob: &CaseGlob, names: &BTreeSet<String>| names.iter().any(|name| glob.matches(name));
        let policies = config.policies.iter().filter_map(move |policy| {
            let cases = policy.cases.as_ref().filter(|glob| !has(glob, &self.ids)).map(|glob| ("cases", glob));
            let missing = || policy.category.as_ref().filter(|glob| !has(glob, &self.categories));
            let (key, glob) = cases.or_else(|| missing().map(|glob| ("category", glob)))?;
            Some(names_none("[[policy]]", key, glob, policy.span))
        });
        let exceptions = config.challenge.exceptions.iter().filter(move |entry| !has(&entry.cases, &self.ids));
        let exceptions =
            exceptions.map(|entry| names_none("[[challenge.exceptions]]", "cases", &entry.cases, entry.span));
        policies.chain(exceptions)
    }
}

fn names_none(table: &str, key: &str, glob: &CaseGlob, span: Span) -> Finding {
    let message = format!(
        "no case of this workspace has the {} {}, which this entry of `{table}` names; correct or remove it",
        if key == "cases" { "id" } else { key },
        quoted(glob.as_str())
    );
    warning(span, message)
}

fn warning(span: Span, message: String) -> Finding {
    Finding::new(ConfigError::LINT, Severity::Warning, span, message)
}

fn allows_nothing(entry: &Allow, is_about_a_case: bool) -> Finding {
    let lint = quoted(&entry.lint);
    let message = match is_about_a_case {
        true => format!("this entry allows nothing: {lint} finds nothing there; remove the entry"),
        false => "no case of this workspace matches this entry; correct or remove it".to_owned(),
    };
    warning(entry.span, message)
}

/// A suite that was checked.
struct CheckedSuite {
    /// The findings; with fixes, those that are left.
    checked: Checked,
    /// What the entries of `[[allow]]` did, if the configuration is a file that has some.
    allowed: Option<AllowedUse>,
    /// The id and the category of each case.
    cases: Vec<(String, String)>,
    /// The bytes to print: the fixed text of standard input, even if nothing was fixed.
    printed: Vec<u8>,
    /// Why the fixed file could not be written.
    fault: Option<String>,
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

/// Checks a suite. With fixes, writes the fixed file. `paths` are the files and folders on the command line.
///
/// # Errors
/// If the suite cannot be read.
fn check_suite(
    input: &Input,
    loaded: &LoadedConfig,
    lints: &Arc<Workspace>,
    (apply_fixes, paths): (bool, &[PathBuf]),
) -> Result<CheckedSuite, String> {
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
        Input::File(path) if fixed => {
            fault = write_back(path, paths, document.text().as_str()).err();
        }
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
fn fix(document: &mut Document, workspace: &Arc<Workspace>) -> bool {
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

/// How many findings there are, and what `--fix` does with them. `suites` and `cases` are those that were read.
fn tally(all: &[Checked], (suites, cases): (usize, usize), is_fixing: bool) -> String {
    let findings = || all.iter().flat_map(|checked| &checked.findings);
    let fixed = match all.iter().filter(|checked| checked.fixed).count() {
        0 => String::new(),
        fixed => format!("{} fixed; ", counted(fixed, "file")),
    };
    let suites = format!("{} in {}", counted(cases, "case"), counted(suites, "suite"));
    let files = all.iter().filter(|checked| !checked.findings.is_empty()).count();
    if files == 0 {
        return format!("{fixed}{suites}, no findings");
    }
    let levels = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Hint, "hint")];
    let count = |severity| findings().filter(|finding| finding.severity == severity).count();
    let levels = levels.map(|(severity, noun)| (count(severity), noun)).into_iter().filter(|(count, _)| *count > 0);
    let levels = levels.map(|(count, noun)| counted(count, noun)).collect::<Vec<_>>().join(", ");
    let fixable = findings().filter(|finding| finding.fixes.iter().any(|fix| fix.safe)).count();
    let change_meaning = |finding: &&Finding| !finding.fixes.is_empty() && finding.fixes.iter().all(|fix| !fix.safe);
    let fixes = match (fixable, findings().filter(change_meaning).count()) {
        (0, 1) if is_fixing => "; 1 has a fix that changes the meaning, see its help".to_owned(),
        (0, several @ 2..) if is_fixing => format!("; {several} have a fix that changes the meaning, see its help"),
        (0, _) => String::new(),
        (fixable, _) => format!("; `--fix` fixes {fixable} of them"),
    };
    format!("{fixed}{levels} in {}{fixes}; {suites} checked", counted(files, "file"))
}

/// A line for each lint: how often it was found, its name, and how many of the findings `--fix` fixes. The most frequent one is
/// first.
fn table(all: &[Checked]) -> String {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for finding in all.iter().flat_map(|checked| &checked.findings) {
        let (found, fixable) = counts.entry(finding.lint).or_default();
        *found += 1;
        *fixable += usize::from(finding.fixes.iter().any(|fix| fix.safe));
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|(_, (found, _))| Reverse(*found));
    let width = rows.first().map_or(0, |(_, (found, _))| found.to_string().len());
    let line = |(lint, (found, fixable)): &(&str, (usize, usize))| match fixable {
        0 => format!("{found:width$}  {lint}\n"),
        fixable => format!("{found:width$}  {lint} ({fixable} fixable)\n"),
    };
    rows.iter().map(line).collect()
}
