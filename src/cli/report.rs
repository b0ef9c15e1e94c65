//! `report`: a kept run as one HTML page.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::files::{self, Access, FileError};
use crate::processes::open_with_system;
use crate::report::html::{PageError, page_of};
use crate::runs::KeptRun;
use crate::workspace::absolute;

use super::args::ReportArgs;
use super::input::{Workspaces, near};
use super::output::refuse_outputs;
use super::selection::runs_of;
use super::{Console, ExitStatus, OrRefuse as _, Refusal, runs};

/// Writes the page of a run.
pub(super) fn report(args: &ReportArgs, console: &mut Console) -> Result<ExitStatus, Refusal> {
    refuse_outputs(args.html.as_deref().filter(|path| *path != Path::new("-")), [], false)?;
    let Page { text, access, default } = page(args)?;
    let path = args.html.clone().unwrap_or(default);
    if path == Path::new("-") {
        console.out.write_text(&text);
        return Ok(ExitStatus::Passed);
    }
    write(&path, access, text.as_bytes()).or_unusable()?;
    console.tell(format_args!("report: {}", near(&path)));
    if args.open {
        let opened = open_with_system(&absolute(&path));
        opened.map_err(|fault| format!("cannot open the page: {fault}")).or_unusable()?;
    }
    Ok(ExitStatus::Passed)
}

/// A page, the access to the run that it is made from, and where it is written unless a file is named.
struct Page {
    text: String,
    access: Access,
    default: PathBuf,
}

/// Writes the file of a page; a device or a pipe is not replaced.
fn write(path: &Path, access: Access, page: &[u8]) -> Result<(), FileError> {
    if !files::is_stream(path) {
        return files::replace_with(path, access, |file| file.write_all(page));
    }
    let written = files::stream(path, access)?.write_all(page);
    written.map_err(|source| FileError::Write { path: path.to_owned(), source })
}

fn page(args: &ReportArgs) -> Result<Page, Refusal> {
    let place = args.workspace.as_deref().unwrap_or(Path::new("."));
    let loaded = Workspaces::new().of_place(place).or_misused()?;
    let folder = runs_of(args.results.as_deref(), &loaded);
    let find = |name: &String| folder.find_kept(name).or_nothing_selected();
    let mut given = args.runs.iter().map(find).collect::<Result<Vec<KeptRun>, Refusal>>()?;
    let run = match given.pop() {
        Some(run) => run,
        None => find(&"latest".to_owned())?,
    };
    let access = Access::of(run.folder());
    let page = page_of(&folder, &run, given, &loaded.config);
    let default = folder.report();
    page.map(|text| Page { text, access, default }).map_err(|fault| Refusal::new(status_of(&fault), fault))
}

fn status_of(fault: &PageError) -> ExitStatus {
    match fault {
        PageError::Recorded(_) => ExitStatus::Misused,
        PageError::History(fault) => runs::status_of(fault),
        PageError::Unreadable(_) => ExitStatus::Unusable,
    }
}
