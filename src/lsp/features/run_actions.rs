//! Running as code actions, at a case.

use ls_types::{CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionTriggerKind, Command};
use serde_json::json;

use super::code_actions::is_wanted;
use super::verdicts::Running;
use crate::analysis::Status;
use crate::lsp::convert::from_lsp;
use crate::lsp::protocol::commands::{Argument, RUN_CASE, RUN_FAILED, RUN_SUITE, STOP};
use crate::lsp::session::snapshot::Snapshot;

/// The kind of all of them. The protocol has none for what changes no text.
pub(in crate::lsp) const RUN: CodeActionKind = CodeActionKind::new("eval-ls.run");

/// What may be run, or stopped, where that is asked; nothing outside of cases.
pub(in crate::lsp) fn run_actions(
    suite: &Snapshot,
    running: &Running,
    params: &CodeActionParams,
) -> Vec<CodeActionOrCommand> {
    // Nobody wants a light bulb at every step.
    let is_automatic = params.context.trigger_kind == Some(CodeActionTriggerKind::AUTOMATIC);
    if is_automatic || !is_wanted(&RUN, &params.context) {
        return Vec::new();
    }
    let range = from_lsp::span(suite.document.text(), params.range, suite.support.encoding);
    let Ok(range) = range else { return Vec::new() };
    let cases = &suite.document.suite().cases;
    let Some(case) = suite.document.suite().case_at(range.start).map(|(index, _)| &cases[index].case) else {
        return Vec::new();
    };
    let Some(id) = case.id.as_ref().map(|id| id.value.clone()) else { return Vec::new() };
    let of_suite = Argument { uri: Some(suite.uri.clone()), ..Argument::default() };
    let of_case = Argument { case: Some(id.clone()), ..of_suite.clone() };
    let record = Argument { record: Some(true), ..of_case.clone() };
    let has_failed = |status| matches!(status, Status::Fail | Status::Error);
    let mut offered = Vec::new();
    if running.cases.contains_key(&id) {
        offered.push(("Stop this case", STOP, of_case.clone()));
    } else {
        offered.push(("Run this case", RUN_CASE, of_case));
        offered.push(("Run this case and accept its answer", RUN_CASE, record));
    }
    offered.push(("Run this suite", RUN_SUITE, of_suite.clone()));
    if suite.document.verdicts(&suite.answers).flatten().any(|verdict| has_failed(verdict.status())) {
        offered.push(("Run the failed cases", RUN_FAILED, of_suite.clone()));
    }
    if !running.cases.is_empty() {
        offered.push(("Stop all cases of this suite", STOP, of_suite));
    }
    offered.into_iter().map(|(title, command, argument)| action(title, command, &argument)).collect()
}

fn action(title: &str, command: &str, argument: &Argument) -> CodeActionOrCommand {
    let (title, command) = (title.to_owned(), command.to_owned());
    let arguments = Some(vec![json!(argument)]);
    let command = Some(Command { title: title.clone(), command, arguments });
    CodeActionOrCommand::CodeAction(CodeAction { title, kind: Some(RUN), command, ..CodeAction::default() })
}
