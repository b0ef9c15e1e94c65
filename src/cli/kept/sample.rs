//! `accept --sample`: answers of a kept run as samples of their cases.

use crate::cli::args::SampleKind;
use crate::cli::{Console, ExitStatus};
use crate::diagnostic::quoted;
use crate::files::{self, Access, FileError};
use crate::runs::CaseLine;
use crate::text::visible_text;
use crate::workspace::{folder_of_samples, is_linked_out, sample_text};

use super::Opened;

/// Stores the answers of these cases as samples, named after the run. Prints each file.
pub(super) fn keep<'l>(
    opened: &Opened,
    lines: impl Iterator<Item = &'l CaseLine>,
    kind: SampleKind,
    console: &mut Console,
) -> ExitStatus {
    let mut status = ExitStatus::Passed;
    for line in lines {
        match sample(opened, line, kind) {
            Ok(path) => console.out.write_line(&visible_text(path)),
            Err((fault, worst)) => {
                console.complain(format_args!("{}: {fault}", quoted(&line.case)));
                status = status.max(worst);
            }
        }
    }
    status
}

fn sample(opened: &Opened, line: &CaseLine, kind: SampleKind) -> Result<String, (String, ExitStatus)> {
    let none = |fault: String| (fault, ExitStatus::NothingSelected);
    let unusable = |fault: String| (fault, ExitStatus::Unusable);
    let (suite, case) =
        opened.case_now(line).ok_or_else(|| none("the suite does not have the case any more".to_owned()))?;
    let answer = opened.run.answer(line).map_err(|fault| unusable(fault.to_string()))?;
    let answer = answer.ok_or_else(|| none("the run has no answer".to_owned()))?;
    let folder = folder_of_samples(&suite.path, &case.case).ok_or_else(|| none("the case has no id".to_owned()))?;
    let beside = suite.path.parent().unwrap_or(&suite.path);
    if is_linked_out(&folder, beside, &opened.loaded.root) {
        return Err(unusable(format!("a link leads from `{}` out of the workspace; remove it", folder.display())));
    }
    let path = folder.join(format!("{}-{}.json", kind.word(), opened.run.id()));
    // The folder of a run with secrets is private.
    let access = Access::of(opened.run.folder());
    let text = sample_text(answer);
    let written = files::create_folder(&folder)
        .and_then(|()| files::create_with(&path, access, |file| std::io::Write::write_all(file, text.as_bytes())));
    match written {
        Ok(()) => Ok(format!("stored a {} sample of {}  {}", kind.adjective(), line.case, path.display())),
        Err(FileError::Exists { .. }) => Ok(format!("stored already  {}", path.display())),
        Err(fault) => Err(unusable(fault.to_string())),
    }
}
