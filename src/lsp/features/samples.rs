//! Code actions on the id of a case that store its answer as a sample.

use ls_types::{CodeAction, CodeActionKind};

use crate::diagnostic::Edit;
use crate::lsp::convert::uris;
use crate::lsp::convert::workspace_edit::Changes;
use crate::lsp::session::snapshot::Snapshot;
use crate::text::{Span, Text};
use crate::workspace::{folder_of_samples, is_linked_out, root_of_file, sample_text};

/// The actions for a good and for a bad sample, if `at` touches the id of a case with an answer to its prompts. None for an answer of
/// a target that receives secrets, because the editor's file is not private.
pub(super) fn sample_actions(snapshot: &Snapshot, at: Span) -> Vec<CodeAction> {
    let good = action(snapshot, at, "pass", "Store the answer as a good sample, which the case must pass");
    let bad = action(snapshot, at, "fail", "Store the answer as a bad sample, which the case must fail");
    good.into_iter().chain(bad).collect()
}

fn action(snapshot: &Snapshot, at: Span, word: &str, title: &str) -> Option<CodeAction> {
    let (index, placed) = snapshot.document.suite().case_at(at.start).filter(|_| snapshot.support.creates_files)?;
    let id = placed.case.id.as_ref()?;
    let span = placed.absolute(id.span);
    let verdict = snapshot.document.verdict(index, &snapshot.answers).filter(|verdict| !verdict.is_stale())?;
    let transcript = verdict.answer.transcript.as_ref().ok()?;
    let may_be_secret = transcript.target.as_ref().is_some_and(|it| snapshot.answers.config().passes_variables(it));
    if may_be_secret || at.start < span.start || span.end < at.end {
        return None;
    }
    let path = snapshot.document.path()?;
    let folder = folder_of_samples(path, &placed.case)?;
    if is_linked_out(&folder, path.parent()?, &root_of_file(path)) {
        return None;
    }
    let free = |number: &u32| !folder.join(format!("{word}-{number}.json")).exists();
    let name = format!("{word}-{}.json", (1..).find(free)?);
    let uri = uris::from_path(&folder.join(name))?;
    let mut changes = Changes::new(&snapshot.support);
    changes.create(uri.clone());
    changes.edit(uri, None, &Text::new(""), &[Edit::insert(0, sample_text(transcript.clone()))]);
    let kind = Some(CodeActionKind::REFACTOR);
    Some(CodeAction { title: title.to_owned(), kind, edit: Some(changes.finish()), ..CodeAction::default() })
}
