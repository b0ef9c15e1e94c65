//! `import`: makes suites of the eval files of other programs, and checks and challenges them at once.

use std::cell::Cell;
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::config::Pattern;
use crate::diagnostic::quoted;
use crate::files::{self, Reader};
use crate::import::{
    Columns, FILE, Imported, KEYS, Merged, Redactor, Source, base_text, import as import_text, is_base, keep_checks,
    merge, suite_text, utf16, was_redacted,
};
use crate::text::{Text, counted, visible_start, visible_text};
use crate::transcript::{Store, Transcript};
use crate::wording::shell_word;
use crate::workspace::tools::Observer;
use crate::workspace::{LoadedConfig, Scope, absolute, matching, native};

use super::args::{ChallengeArgs, CheckArgs, Format, ImportArgs};
use super::input::{Contents, Input, Workspaces, near, refuse_faulty, syntax_of};
use super::output::refuse_outputs;
use super::propose::add_checks;
use super::{Console, ExitStatus, OrRefuse as _, Refusal};

/// The ends of names that show the kind of a file, and are not a part of its name.
const ENDINGS: [&str; 4] = [".evalset", ".test", ".evals", ".results"];

/// The most ids after a reason: one line of a terminal. The list beside the suite has all.
const MOST_IDS: usize = 3;

/// The most characters of an id on it. Three of them and a reason fit on two lines.
const LONGEST_ID: usize = 60;

/// The most characters of a difference: a line of a terminal.
const LONGEST_DIFFERENCE: usize = 120;

/// Imports the files that `args` name.
pub(super) fn import(args: &ImportArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    let files: Vec<PathBuf> = args.files.iter().map(|file| native(file)).collect();
    let groups: Vec<(PathBuf, &[PathBuf])> = match &args.output {
        Some(output) => vec![(output.clone(), &files[..])],
        None => files.iter().map(|file| (suite_of(file), std::slice::from_ref(file))).collect(),
    };
    let suites: Vec<PathBuf> = groups.iter().map(|(suite, _)| absolute(suite)).collect();
    if let Some((_, suite)) = suites.iter().enumerate().find(|(place, suite)| suites[..*place].contains(suite)) {
        let fault = format!("`{}` would be the suite of two files; `--output` makes one suite of all", near(suite));
        return Err(Refusal::new(ExitStatus::Misused, fault));
    }
    let columns = args.columns.iter().fold(Columns::default(), |columns, it| columns.with(&it.name, it.role));
    let mut status = ExitStatus::Passed;
    let mut suites = Vec::new();
    for (suite, files) in groups {
        match one(args, &suite, files, &columns, console) {
            Ok(is_whole) => {
                suites.push(suite);
                status = status.max(if is_whole { ExitStatus::Passed } else { ExitStatus::Failed });
            }
            Err(refusal) => status = status.max(refusal.tell(console)),
        }
    }
    if !suites.is_empty() {
        status = status.max(prove(suites, console));
    }
    Ok(status)
}

/// Imports files into a suite. Returns whether each case of the files is in it, and some case has a check or the files are logs.
fn one(
    args: &ImportArgs,
    suite: &Path,
    files: &[PathBuf],
    columns: &Columns,
    console: &mut Console,
) -> Result<bool, Refusal> {
    refuse_outputs([suite], files.iter().map(PathBuf::as_path), true)?;
    let mut texts = Vec::new();
    for file in files {
        let input = Input::File(file.clone());
        texts.push(match input.read().or_unusable()? {
            Contents::Text(text) => text,
            Contents::NotUtf8 { bytes, offset } => {
                let fault = || format!("`{}`: invalid UTF-8 at byte {offset}", input.name());
                Text::from(utf16(&bytes).ok_or_else(fault).or_unusable()?)
            }
        });
    }
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let readers: Vec<_> = files.iter().map(|file| named_files(file.parent().unwrap_or(file))).collect();
    let source = |at: usize| {
        let text = texts[at].as_str();
        Source { name: &names[at], text, syntax: syntax_of(&files[at], text), files: &readers[at] }
    };
    let sources: Vec<Source<'_>> = (0..files.len()).map(source).collect();
    let loaded = Workspaces::new().of_place(suite).or_misused()?;
    if args.redact {
        refuse_faulty(&loaded)?;
    }
    let tools = Observer::new(Scope::of_file(&absolute(suite))).tools(&loaded.config);
    let tools = tools.shown.into_keys().chain(tools.named.into_keys()).chain(loaded.config.known_tools.iter().cloned());
    let mut redactor = Redactor::new(&loaded.config.redacted, args.redact);
    let limit = args.limit.map(NonZeroUsize::get);
    let imported = import_text(&name_of(suite), &sources, columns, &tools.collect(), limit, &mut redactor);
    let mut imported = imported.map_err(|fault| format!("cannot import {fault}")).or_unusable()?;
    drop(sources);
    texts.clear();
    let base = Reader::within(&loaded.root, MOST_SUITE).read(&beside(suite, "json"), MOST_SUITE).unwrap_or_default();
    let base = String::from_utf8_lossy(&base);
    if was_redacted(&base) && !args.redact {
        let fault = format!("personal data was replaced in `{}`; add `--redact`", near(suite));
        return Err(Refusal::new(ExitStatus::Misused, fault));
    }
    let may_keep = (args.propose || imported.conversations.is_some()) && !(args.redact && redactor.finds(&base));
    let kept = if may_keep { keep_checks(&mut imported, &base) } else { HashSet::new() };
    if args.propose {
        add_checks(&mut imported, &kept, &loaded.config);
        if imported.cases == 0 {
            let fault =
                format!("cannot import `{}`: no answer has anything that a check can look for", names.join(", "));
            return Err(Refusal::new(ExitStatus::Unusable, fault));
        }
    }
    summarize(&names.join(", "), &imported, console);
    match redactor.summary() {
        Some(found) if args.redact => console.out.write_line(&format!("redacted: {found}")),
        Some(found) => console.tell(format_args!("warning: the cases have {found}; `--redact` replaces them")),
        None => {}
    }
    write(suite, &loaded, &names, &imported, args.redact, console)?;
    tell(args, &names, &imported, console);
    let left = if args.redact { unredacted(suite, &loaded, &redactor) } else { Vec::new() };
    if !left.is_empty() {
        let (files, them) = (counted(left.len(), "file"), if left.len() == 1 { "it" } else { "them" });
        console.tell(format_args!(
            "warning: personal data stays in {files}, which an import does not replace; edit or delete {them}, and import \
             again: {}",
            shown(&left)
        ));
    }
    let has_cases = imported.checked > 0 || imported.conversations.is_some();
    Ok(imported.lost.is_empty() && has_cases && left.is_empty())
}

/// The suite and its stored answers, as far as they have personal data after an import: what an earlier one or a person has written stays.
fn unredacted(suite: &Path, loaded: &LoadedConfig, redactor: &Redactor) -> Vec<String> {
    let store = Store::new(suite, &loaded.config).within(&loaded.root, u64::MAX);
    let text = Reader::within(&loaded.root, MOST_SUITE).read(suite, MOST_SUITE).unwrap_or_default();
    let value: Value = serde_json::from_slice(&text).unwrap_or_default();
    let ids = value["cases"].as_array().into_iter().flatten().filter_map(|case| case["id"].as_str());
    let answers = ids.map(|id| store.path(id)).filter(|path| store.text(path).is_ok_and(|text| redactor.finds(&text)));
    let own = Some(suite.to_owned()).filter(|_| redactor.finds(&String::from_utf8_lossy(&text)));
    own.into_iter().chain(answers).map(|path: PathBuf| near(&path)).collect()
}

/// The largest file that a configuration names, and all of them together, in bytes: as a suite that a server reads.
const MOST_BYTES: u64 = 16 << 20;

/// The most files of a pattern.
const MOST_FILES: usize = 1_000;

/// The most patterns that search all folders below.
const MOST_SEARCHES: usize = 20;

/// Reads the files that match a pattern below a folder. No link is followed out of it.
fn named_files(folder: &Path) -> impl Fn(&str) -> Result<Vec<(String, String)>, String> {
    let folder = absolute(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let (left, searches) = (Cell::new(MOST_BYTES), Cell::new(0));
    move |pattern| {
        searches.set(searches.get() + usize::from(pattern.contains("**")));
        if searches.get() > MOST_SEARCHES {
            return Err(format!("a configuration may have {MOST_SEARCHES} patterns with `**`"));
        }
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        let pattern = Pattern::new(pattern).map_err(|_| "it is not below the folder of this file".to_owned())?;
        let reader = Reader::within(&folder, left.get());
        let mut read = Vec::new();
        for (name, path) in matching(&folder, &pattern) {
            let bytes = reader.read(&path, left.get()).map_err(|error| error.to_string())?;
            left.set(left.get() - bytes.len() as u64);
            read.push((name, String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?));
            if read.len() > MOST_FILES {
                return Err(format!("it matches more than {MOST_FILES} files"));
            }
        }
        if read.is_empty() { Err("there is no such file below the folder of this file".to_owned()) } else { Ok(read) }
    }
}

/// The name of a suite, by that of its file.
fn name_of(suite: &Path) -> String {
    let name = suite.file_name().unwrap_or_default().to_string_lossy();
    name.strip_suffix(".evals.json").or_else(|| name.strip_suffix(".json")).unwrap_or(&name).to_owned()
}

/// Prints what the files are, and how many cases have checks.
fn summarize(file: &str, imported: &Imported, console: &mut Console) {
    let lost = if imported.lost.is_empty() { String::new() } else { format!(", {} not imported", imported.lost.len()) };
    let answers = match imported.transcripts.len() {
        0 => String::new(),
        count => format!(", {}", counted(count, "answer")),
    };
    let (cases, checked) = (imported.cases, imported.checked);
    let made = match imported.conversations {
        Some(count) => format!("{} of {}", counted(cases, "case"), counted(count, "conversation")),
        None => format!("{}{lost}{answers}", counted(cases, "case")),
    };
    console.out.write_line(&format!("{file}: {}, {made}", imported.source));
    let unsaid = match imported.unsaid {
        0 => String::new(),
        count => format!("; {count} of the others lost theirs"),
    };
    console.out.write_line(&format!("cases with checks: {checked} of {cases}{unsaid}"));
}

/// Writes the suite, its transcripts, the list of what is not in it, and the cases as the next import reads them. A suite that no import
/// has written stays, and so do edited cases and answers. An import that was interrupted is completed by the next one.
fn write(
    suite: &Path,
    loaded: &LoadedConfig,
    files: &[String],
    imported: &Imported,
    is_redacted: bool,
    console: &mut Console,
) -> Result<(), Refusal> {
    let store = Store::new(suite, &loaded.config).within(&loaded.root, u64::MAX);
    let (list, base) = (beside(suite, "md"), beside(suite, "json"));
    if let Some(transcript) = imported.transcripts.iter().find(|it| !store.admits(&store.path(&it.case))) {
        let fault =
            format!("`{}` is outside of the workspace, so nothing is written", near(&store.path(&transcript.case)));
        return Err(Refusal::new(ExitStatus::Unusable, fault));
    }
    let reader = Reader::within(&loaded.root, MOST_SUITE);
    let read = |path: &Path| reader.read(path, MOST_SUITE).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let is_there = |path: &Path| path.exists() || path.is_symlink();
    let (mut text, mut merged) = (suite_text(&imported.suite), None);
    if is_there(suite) && read(suite).as_ref() != Some(&text) {
        let refuse = |why: String| {
            let fault =
                format!("`{}` exists, and {why}, so nothing is written; `--output` names another suite", near(suite));
            Refusal::new(ExitStatus::Unusable, fault)
        };
        let (Some(now), Some(base)) = (read(suite), read(&base)) else {
            return Err(refuse("no import has written it".to_owned()));
        };
        let into = merge(&now, &base, &text).map_err(|fault| refuse(fault.to_string()))?;
        text.clone_from(&into.text);
        merged = Some(into);
    }
    let texts = [(suite, text), (&list, list_of(files, imported)), (&base, base_text(&imported.suite, is_redacted))];
    // A file of the same name that no import has written.
    let is_own = read(&base).is_some_and(|base| is_base(&base));
    let is_other = |path: &Path, text: &String| match read(path) {
        Some(now) => !is_own && path != suite && now != *text,
        None => is_there(path),
    };
    if let Some((path, _)) = texts.iter().find(|(path, text)| is_other(path, text)) {
        let fault = format!("`{}` exists and is not from an import, so nothing is written; rename it", near(path));
        return Err(Refusal::new(ExitStatus::Unusable, fault));
    }
    merged.iter().for_each(|merged| tell_merge(merged, console));
    for (path, text) in &texts {
        let is_same = read(path).as_ref() == Some(text);
        if !is_same {
            if is_there(path) { files::replace(path, text.as_bytes()) } else { files::create(path, text.as_bytes()) }
                .or_unusable()?;
        }
        console.out.write_line(&format!("{} {}", if is_same { "kept  " } else { "wrote " }, near(path)));
    }
    let unstored = imported.transcripts.iter().filter(|transcript| !store.holds(transcript));
    let (other, new): (Vec<&Transcript>, _) = unstored.partition(|transcript| is_there(&store.path(&transcript.case)));
    store.write_all(&new).or_unusable()?;
    let (written, other): (usize, Vec<String>) = (new.len(), other.iter().map(|it| it.case.clone()).collect());
    if !imported.transcripts.is_empty() {
        let word = if written == 0 { "kept  " } else { "wrote " };
        console.out.write_line(&format!("{word} {}", near(store.folder())));
    }
    if !other.is_empty() {
        console.out.write_line(&format!(
            "kept   stored answers that differ from the file's (remove one to take the file's): {}",
            shown(&other)
        ));
    }
    Ok(())
}

/// The largest suite that a second import reads, in bytes.
const MOST_SUITE: u64 = 256 << 20;

/// Prints what a second import does with the cases of the suite.
fn tell_merge(merged: &Merged, console: &mut Console) {
    let lines = [
        ("new in the file", &merged.added),
        ("changed in the file", &merged.changed),
        ("no longer in the file, but stay in the suite", &merged.gone),
        ("removed from the suite, and stay removed", &merged.removed),
    ];
    for (what, ids) in lines.into_iter().filter(|(_, ids)| !ids.is_empty()) {
        console.out.write_line(&format!("{what}: {}", shown(ids)));
    }
    for (id, differences) in &merged.kept {
        console.out.write_line(&format!("{}: edited in the suite, and stays as it is", visible_start(id, LONGEST_ID)));
        for difference in differences {
            console.out.write_line(&format!("  {}", visible_start(difference, LONGEST_DIFFERENCE)));
        }
    }
}

/// Prints what the suite does not say.
fn tell(args: &ImportArgs, files: &[String], imported: &Imported, console: &mut Console) {
    if !imported.left_out.is_empty() {
        console.out.write_line("\nNot in the suite:");
    }
    for (reason, cases) in &imported.left_out {
        console.out.write_line(&format!("  {}: {}", visible_text(reason), of_cases(cases, imported)));
    }
    if !imported.renamed.is_empty() {
        let ids: Vec<String> = imported.renamed.iter().map(|(id, _)| id.clone()).collect();
        console.out.write_line(&format!("\nIds that differ from the file: {}", shown(&ids)));
    }
    if !imported.columns.is_empty() {
        let key = |role| KEYS.iter().find(|(_, known)| *known == role).map_or("", |(key, _)| *key);
        let given = args.columns.iter().map(|column| format!("{}={}", key(column.role), column.name));
        let pairs: Vec<String> = given.chain(imported.columns.iter().cloned()).collect();
        let output = args.output.iter().flat_map(|suite| ["--output".to_owned(), suite.display().to_string()]);
        let words = files.iter().cloned().chain(output).chain(["--columns".to_owned(), pairs.join(",")]);
        let words: Vec<String> = words.map(|word| visible_text(shell_word(&word).as_ref())).collect();
        console
            .out
            .write_line(&format!("\nIf these keys are what their names say:\n  eval-ls import {}", words.join(" ")));
    }
}

/// The cases to which a reason applies, on one line.
fn of_cases(cases: &[String], imported: &Imported) -> String {
    let total = imported.cases + imported.lost.len();
    if cases.len() == total && total > 1 && cases[0] != FILE && imported.conversations.is_none() {
        return "all cases".to_owned();
    }
    shown(cases)
}

/// The first ids, and how many more there are.
fn shown(ids: &[String]) -> String {
    let named: Vec<String> = ids.iter().take(MOST_IDS).map(|id| visible_start(id, LONGEST_ID)).collect();
    let more = ids.len() - named.len();
    if more == 0 { named.join(", ") } else { format!("{} and {more} more", named.join(", ")) }
}

/// The list of what the suite does not say, as Markdown.
fn list_of(files: &[String], imported: &Imported) -> String {
    let files = files.iter().map(|file| quoted(file).to_string()).collect::<Vec<_>>().join(", ");
    let mut text = format!("# Not in the suite\n\nIt was imported from {files}.\n");
    let renamed = imported.renamed.iter().map(|(id, own)| format!("{id} is {own} in the file")).collect();
    let renamed = Some(("ids that differ".to_owned(), renamed)).filter(|_| !imported.renamed.is_empty());
    let reasons: Vec<&(String, Vec<String>)> = imported.left_out.iter().chain(&renamed).collect();
    if reasons.is_empty() {
        text.push_str("\nThe suite has everything.\n");
    }
    // A block of code, because a preview of Markdown would render the keys and ids of the file: links, pictures, HTML.
    if !reasons.is_empty() {
        text.push_str("\n```text\n");
        for (reason, cases) in reasons {
            text.push_str(&format!("- {}\n", visible_text(reason)));
            cases.iter().for_each(|id| text.push_str(&format!("  - {}\n", visible_text(id))));
        }
        text.push_str("```\n");
    }
    text
}

/// Checks and challenges the suites: what they are worth is the reason to import them. Returns the status of the check.
fn prove(suites: Vec<PathBuf>, console: &mut Console) -> ExitStatus {
    console.out.write_line("\nCheck:");
    let check = CheckArgs {
        paths: suites.clone(),
        // One line for each lint: a finding may be the same in all cases.
        statistics: true,
        ..CheckArgs::default()
    };
    let status = super::check::check(&check, console);
    console.out.write_line("\nChallenge:");
    let challenge = ChallengeArgs { paths: suites, format: Format::Concise, ..ChallengeArgs::default() };
    if let Err(refusal) = super::challenge::challenge(&challenge, console) {
        refusal.tell(console);
    }
    status
}

/// What an import writes beside a suite: `md`, what is not in it; `json`, its cases as the next import reads them.
fn beside(suite: &Path, end: &str) -> PathBuf {
    suite.with_file_name(format!("{}.import.{end}", name_of(suite)))
}

/// The suite beside a file.
fn suite_of(file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let stem = ENDINGS.iter().find_map(|end| stem.strip_suffix(end)).filter(|stem| !stem.is_empty()).unwrap_or(&stem);
    file.with_file_name(format!("{stem}.evals.json"))
}
