//! `import`: makes suites of the eval files of other programs, and checks and challenges them at once.

use std::path::{Path, PathBuf};

use crate::diagnostic::quoted;
use crate::files::{self, FileError, Reader};
use crate::import::{Columns, FILE, Imported, import as import_text, suite_text, utf16};
use crate::text::{Text, counted, visible_start, visible_text};
use crate::transcript::Store;
use crate::workspace::{absolute, native};

use super::args::{ChallengeArgs, CheckArgs, Format, ImportArgs, SelectionArgs};
use super::input::{Contents, Input, Workspaces, near, syntax_of};
use super::output::refuse_outputs;
use super::{Console, ExitStatus, OrRefuse as _, Refusal};

/// The ends of names that show the kind of a file, and are not a part of its name.
const ENDINGS: [&str; 4] = [".evalset", ".test", ".evals", ".results"];

/// The most ids after a reason: one line of a terminal. The list beside the suite has all.
const MOST_IDS: usize = 3;

/// The most characters of an id on it. Three of them and a reason fit on two lines.
const LONGEST_ID: usize = 60;

/// Imports the files that `args` name.
pub(super) fn import(args: &ImportArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    if args.output.is_some() && args.files.len() > 1 {
        return Err(Refusal::new(ExitStatus::Misused, "`--output` is one suite, and there are several files"));
    }
    let suites: Vec<PathBuf> = args.files.iter().map(|file| absolute(&beside(&native(file)))).collect();
    if let Some((place, suite)) = suites.iter().enumerate().find(|(place, suite)| suites[..*place].contains(suite)) {
        let fault = format!(
            "`{}` would be the suite of two files; import `{}` alone, with `--output`",
            near(suite),
            args.files[place].display()
        );
        return Err(Refusal::new(ExitStatus::Misused, fault));
    }
    let columns = args.columns.iter().fold(Columns::default(), |columns, it| columns.with(&it.name, it.role));
    let mut status = ExitStatus::Passed;
    let mut suites = Vec::new();
    for file in &args.files {
        match one(args, &native(file), &columns, console) {
            Ok((suite, is_whole)) => {
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

/// Imports a file. Returns the suite, and whether each case of the file is in it.
fn one(args: &ImportArgs, file: &Path, columns: &Columns, console: &mut Console) -> Result<(PathBuf, bool), Refusal> {
    let input = Input::File(file.to_owned());
    let text = match input.read().or_unusable()? {
        Contents::Text(text) => text,
        Contents::NotUtf8 { bytes, offset } => {
            let fault = || format!("`{}`: invalid UTF-8 at byte {offset}", input.name());
            Text::from(utf16(&bytes).ok_or_else(fault).or_unusable()?)
        }
    };
    let suite = args.output.clone().unwrap_or_else(|| beside(file));
    refuse_outputs([&*suite], [file], true)?;
    let imported = import_text(&name_of(&suite), text.as_str(), syntax_of(file, text.as_str()), columns);
    let imported = imported.map_err(|fault| format!("cannot import `{}`: {fault}", input.name())).or_unusable()?;
    write(args, &suite, &input.name(), &imported, console)?;
    tell(&imported, console);
    Ok((suite, imported.lost.is_empty()))
}

/// The name of a suite, by that of its file.
fn name_of(suite: &Path) -> String {
    let name = suite.file_name().unwrap_or_default().to_string_lossy();
    name.strip_suffix(".evals.json").or_else(|| name.strip_suffix(".json")).unwrap_or(&name).to_owned()
}

/// Writes the suite, its transcripts and the list of what is not in it. Nothing is written if one of them exists and differs. An import
/// that was interrupted is completed by the next one.
fn write(
    args: &ImportArgs,
    suite: &Path,
    file: &str,
    imported: &Imported,
    console: &mut Console,
) -> Result<(), Refusal> {
    let loaded = Workspaces::new().of_place(suite).or_misused()?;
    let store = Store::new(suite, &loaded.config).within(&loaded.root, u64::MAX);
    let list = suite.with_file_name(format!("{}.import.md", name_of(suite)));
    let mut texts = vec![(suite.to_owned(), suite_text(&imported.suite))];
    // A list of an earlier import would not be true any more.
    if !imported.left_out.is_empty() || files::exists(&list) {
        texts.push((list, list_of(file, imported)));
    }
    let transcripts = imported.transcripts.iter().map(|it| (store.path(&it.case), it.to_json()));
    let all: Vec<(PathBuf, String)> = texts.iter().cloned().chain(transcripts).collect();
    if let Some(transcript) = imported.transcripts.iter().find(|it| !store.admits(&store.path(&it.case))) {
        let fault =
            format!("`{}` is outside of the workspace, so nothing is written", near(&store.path(&transcript.case)));
        return Err(Refusal::new(ExitStatus::Unusable, fault));
    }
    let is_new = |path: &Path| !files::exists(path) && !path.is_symlink();
    let is_same =
        |path: &Path, text: &str| Reader::default().read(path, u64::MAX).is_ok_and(|bytes| bytes == text.as_bytes());
    if let Some((path, _)) = all.iter().find(|(path, text)| !args.force && !is_new(path) && !is_same(path, text)) {
        let fault = format!(
            "`{}` exists and differs, so nothing is written; `--force` replaces it, and `--output` names another suite",
            near(path)
        );
        return Err(Refusal::new(ExitStatus::Unusable, fault));
    }
    console.out.write_line(&format!(
        "{file} is {}: {}{}{}",
        imported.source,
        counted(imported.cases, "case"),
        match imported.lost.len() {
            0 => String::new(),
            count => format!(", {count} not imported"),
        },
        match imported.transcripts.len() {
            0 => String::new(),
            count => format!(", {}", counted(count, "answer")),
        }
    ));
    for (path, text) in &texts {
        let word = if is_same(path, text) {
            "kept  "
        } else {
            put(path, text, args.force).or_unusable()?;
            "wrote "
        };
        console.out.write_line(&format!("{word} {}", near(path)));
    }
    let mut written = 0;
    for transcript in imported.transcripts.iter().filter(|transcript| !store.holds(transcript)) {
        store.write(transcript).or_unusable()?;
        written += 1;
    }
    if !imported.transcripts.is_empty() {
        let word = if written == 0 { "kept  " } else { "wrote " };
        console.out.write_line(&format!("{word} {}", near(store.folder())));
    }
    Ok(())
}

fn put(path: &Path, text: &str, is_forced: bool) -> Result<(), FileError> {
    if is_forced { files::replace(path, text.as_bytes()) } else { files::create(path, text.as_bytes()) }
}

/// Prints what the suite does not say.
fn tell(imported: &Imported, console: &mut Console) {
    if imported.left_out.is_empty() {
        return;
    }
    console.out.write_line("\nNot in the suite:");
    for (reason, cases) in &imported.left_out {
        console.out.write_line(&format!("  {}: {}", visible_text(reason), of_cases(cases, imported)));
    }
}

/// The cases to which a reason applies, on one line.
fn of_cases(cases: &[String], imported: &Imported) -> String {
    let total = imported.cases + imported.lost.len();
    if cases.len() == total && total > 1 && cases[0] != FILE {
        return "all cases".to_owned();
    }
    let short = |id: &String| visible_start(id, LONGEST_ID);
    let named: Vec<String> = cases.iter().take(MOST_IDS).map(short).collect();
    let more = cases.len() - named.len();
    if more == 0 { named.join(", ") } else { format!("{} and {more} more", named.join(", ")) }
}

/// The list of what the suite does not say, as Markdown.
fn list_of(file: &str, imported: &Imported) -> String {
    let mut text = format!("# Not in the suite\n\nIt was imported from {}.\n", quoted(file));
    if imported.left_out.is_empty() {
        text.push_str("\nThe suite has everything.\n");
    }
    // A block of code, because a preview of Markdown would render the keys and ids of the file: links, pictures, HTML.
    if !imported.left_out.is_empty() {
        text.push_str("\n```text\n");
        for (reason, cases) in &imported.left_out {
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
        format: Format::Concise,
        jobs: None,
        fix: false,
        statistics: false,
        deny: None,
        force_exclude: false,
        stdin_filename: None,
    };
    let status = super::check::check(&check, console);
    console.out.write_line("\nChallenge:");
    let challenge = ChallengeArgs {
        paths: suites,
        select: SelectionArgs { cases: None, category: None, failed: None },
        format: Format::Concise,
        table: false,
        against: None,
        of: None,
        config: None,
    };
    if let Err(refusal) = super::challenge::challenge(&challenge, console) {
        refusal.tell(console);
    }
    status
}

/// The suite beside a file.
fn beside(file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let stem = ENDINGS.iter().find_map(|end| stem.strip_suffix(end)).filter(|stem| !stem.is_empty()).unwrap_or(&stem);
    file.with_file_name(format!("{stem}.evals.json"))
}
