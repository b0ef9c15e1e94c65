//! Code actions. For a range: fixes (`quickfix`), changes that a person may choose (`refactor`), runs of a case, and moves of what is stored for
//! a case or a suite that does not exist to the one where it could belong. For a log, its import. For a whole file: `source.fixAll.eval-ls` and
//! `source.sortCases.eval-ls`, whose edits a client may request when a person chooses the action (`codeAction/resolve`).

use std::collections::BTreeSet;
use std::path::Path;

use ls_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionTriggerKind,
    Diagnostic, NumberOrString, Uri, WorkspaceEdit,
};
use serde::{Deserialize, Serialize};

use crate::analysis::actions::{Action, ActionKind, accept_said, actions, propose_checks};
use crate::analysis::{Log, START, Status, lint};
use crate::diagnostic::{Finding, Fix, fitting_edits, quoted, safe_edits};
use crate::filed::{Home, Stray};
use crate::files::Reader;
use crate::lsp::convert::to_lsp::{self, Changes, Origin};
use crate::lsp::protocol::{
    Argument, EXPLAIN_LINT, IMPORT as IMPORT_LOG, OPEN_RESULT, RUN_CASE, RUN_FAILED, RUN_SUITE, STOP,
};
use crate::lsp::session::configurations::ConfigFile;
use crate::lsp::session::open_document::Snapshot;
use crate::text::Span;

use super::challenges::remedies;
use super::configurations::{Effect, configurings};
use super::diagnostics;
use super::rename::{follow_case, with_move};
use super::test_explorer::Running;

/// Returns the code actions for a range; `config_file` is the configuration's file if it can be edited.
pub(crate) fn code_actions(
    snapshot: &Snapshot,
    config_file: Option<&ConfigFile>,
    params: &CodeActionParams,
) -> Vec<CodeActionOrCommand> {
    let Some(range) = snapshot.span(params.range) else { return Vec::new() };
    let context = &params.context;
    let mut actions = Vec::new();
    if is_wanted(&CodeActionKind::QUICKFIX, context) {
        let touched = snapshot.document.findings_in(range, &snapshot.workspace);
        let (fixes, hiding) = quick_fixes(snapshot, &touched, config_file, context);
        actions.extend(fixes);
        let remedies = new_beside(&actions, remedies(snapshot, config_file, range));
        actions.extend(remedies);
        actions.extend(fixes_of_kind(snapshot, &touched));
        actions.extend(acceptances(snapshot, context, range));
        actions.extend(moves_of_strays(snapshot, config_file, context, range));
        actions.extend(explanations(snapshot, &touched, context));
        actions.extend(hiding);
    }
    if is_wanted(&FIX_ALL, context) && snapshot.document.has_safe_fix(&snapshot.workspace) {
        actions.push(of_file(snapshot, "Apply all safe fixes", FIX_ALL, Change::FixAll));
    }
    // A light bulb at every position would disturb people.
    if context.trigger_kind != Some(CodeActionTriggerKind::AUTOMATIC) {
        let offered = refactorings(snapshot, range).into_iter();
        let wanted = offered.filter(|action| action.kind.as_ref().is_some_and(|kind| is_wanted(kind, context)));
        let wanted = new_beside(&actions, wanted.collect());
        actions.extend(wanted);
        if is_wanted(&CodeActionKind::REFACTOR, context) {
            actions.extend(proposal(snapshot, range));
        }
    }
    actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()
}

/// The offered actions whose titles no other action has.
fn new_beside(actions: &[CodeAction], mut offered: Vec<CodeAction>) -> Vec<CodeAction> {
    offered.retain(|action| actions.iter().all(|other| other.title != action.title));
    offered
}

/// The changes of failed checks to what the answer says.
fn acceptances(snapshot: &Snapshot, context: &CodeActionContext, at: Span) -> Vec<CodeAction> {
    let offered = accept_said(&snapshot.document, &snapshot.answers, at).into_iter();
    let action = |action: Action| {
        let touched = |known: &&Diagnostic| {
            let span = snapshot.span(known.range);
            let edited =
                |span: Span| action.edits.iter().any(|edit| span.start <= edit.span.end && edit.span.start <= span.end);
            known.source.as_deref() == Some(diagnostics::VERDICT_SOURCE) && span.is_some_and(edited)
        };
        CodeAction {
            diagnostics: Some(context.diagnostics.iter().filter(touched).cloned().collect()),
            edit: Some(snapshot.edit(&action.edits)),
            ..quick_fix(&action.title, false)
        }
    };
    offered.map(action).collect()
}

/// Returns the fixes of these findings, and the edits of the configuration that hide them. Edits that turn a lint off are the last.
fn quick_fixes(
    snapshot: &Snapshot,
    findings: &[Finding],
    config_file: Option<&ConfigFile>,
    context: &CodeActionContext,
) -> (Vec<CodeAction>, Vec<CodeAction>) {
    let mut fixing = Vec::new();
    let mut hiding: Vec<(Effect, CodeAction)> = Vec::new();
    for finding in findings {
        let fixes = finding.fixes.iter().enumerate();
        fixing.extend(fixes.map(|(rank, fix)| of_fix(snapshot, finding, fix, rank == 0 && fix.likely, context)));
        for (action, effect) in config_file.into_iter().flat_map(|file| configurings(snapshot, finding, file)) {
            let mut offered = fixing.iter_mut().chain(hiding.iter_mut().map(|(_, action)| action));
            let known = offered.find(|known| known.title == action.title);
            let diagnostics = of_client(&snapshot.origin(), finding, context);
            match known {
                Some(known) => known.diagnostics.get_or_insert_default().extend(diagnostics),
                None => {
                    let action = CodeAction { diagnostics: Some(diagnostics), ..action };
                    match effect {
                        Effect::Fixes => fixing.push(action),
                        Effect::Allows | Effect::TurnsOff => hiding.push((effect, action)),
                    }
                }
            }
        }
    }
    hiding.sort_by_key(|(effect, _)| *effect);
    (fixing, hiding.into_iter().map(|(_, action)| action).collect())
}

/// Returns an action for each lint of the findings that shows the lint's page.
fn explanations(snapshot: &Snapshot, findings: &[Finding], context: &CodeActionContext) -> Vec<CodeAction> {
    let mut actions: Vec<CodeAction> = Vec::new();
    for finding in findings.iter().filter(|finding| lint(finding.lint).is_some()) {
        let title = format!("Explain `{}`", finding.lint);
        let diagnostics = of_client(&snapshot.origin(), finding, context);
        if let Some(known) = actions.iter_mut().find(|known| known.title == title) {
            known.diagnostics.get_or_insert_default().extend(diagnostics);
            continue;
        }
        let argument = Argument { lint: Some(finding.lint.to_owned()), ..Argument::default() };
        let command = Some(argument.command(&title, EXPLAIN_LINT));
        actions.push(CodeAction { diagnostics: Some(diagnostics), command, ..quick_fix(&title, false) });
    }
    actions
}

/// Returns whether the client requested that kind, a more general one, or every kind.
pub(crate) fn is_wanted(kind: &CodeActionKind, context: &CodeActionContext) -> bool {
    let includes = |wanted: &CodeActionKind| {
        let rest = kind.as_str().strip_prefix(wanted.as_str());
        wanted.as_str().is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    match &context.only {
        Some(only) => only.iter().any(includes),
        None => true,
    }
}

fn of_fix(
    snapshot: &Snapshot,
    finding: &Finding,
    fix: &Fix,
    is_preferred: bool,
    context: &CodeActionContext,
) -> CodeAction {
    let edit = snapshot.edit(&fix.edits);
    let diagnostics = Some(of_client(&snapshot.origin(), finding, context));
    CodeAction { diagnostics, edit: Some(edit), ..quick_fix(&fix.title, is_preferred) }
}

/// A fix without its edit.
pub(crate) fn quick_fix(title: &str, is_preferred: bool) -> CodeAction {
    CodeAction {
        title: to_lsp::capitalised(title),
        kind: Some(CodeActionKind::QUICKFIX),
        is_preferred: Some(is_preferred),
        ..CodeAction::default()
    }
}

/// Returns the client's diagnostics for the finding.
pub(crate) fn of_client(origin: &Origin<'_>, finding: &Finding, context: &CodeActionContext) -> Vec<Diagnostic> {
    let range = origin.range(finding.span);
    let code = NumberOrString::String(finding.lint.to_owned());
    let same = |known: &&Diagnostic| known.range == range && known.code.as_ref() == Some(&code);
    context.diagnostics.iter().filter(same).cloned().collect()
}

/// What may be done where `at` is.
pub(crate) fn refactorings(snapshot: &Snapshot, at: Span) -> Vec<CodeAction> {
    let actions = actions(&snapshot.document, at, &snapshot.workspace);
    actions.into_iter().map(|action| code_action(snapshot, &action)).collect()
}

/// Checks from the answer of the case. They cost a judgement for each candidate, so this is only for a person who asks.
pub(crate) fn proposal(snapshot: &Snapshot, at: Span) -> Option<CodeAction> {
    let proposed = propose_checks(&snapshot.document, &snapshot.answers, at)?;
    Some(code_action(snapshot, &proposed))
}

fn code_action(snapshot: &Snapshot, action: &Action) -> CodeAction {
    CodeAction {
        title: to_lsp::capitalised(&action.title),
        kind: Some(match action.kind {
            ActionKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
            ActionKind::Add => CodeActionKind::REFACTOR,
        }),
        edit: Some(snapshot.edit(&action.edits)),
        ..CodeAction::default()
    }
}

/// The kind of the actions that run or stop cases. The protocol has none for what changes no text.
pub(crate) const RUN: CodeActionKind = CodeActionKind::new("eval-ls.run");

/// The kind of the actions that open an answer.
pub(crate) const SHOW: CodeActionKind = CodeActionKind::new("eval-ls.show");

/// The commands for the case in a range: run or stop it, if `running` is known, and open its answer.
pub(crate) fn commands(
    suite: &Snapshot,
    running: Option<&Running>,
    params: &CodeActionParams,
) -> Vec<CodeActionOrCommand> {
    let context = &params.context;
    let placed = suite.span(params.range).and_then(|range| suite.document.suite().case_at(range.start));
    let Some(id) = placed.and_then(|(_, placed)| placed.case.id.as_ref()).map(|id| &id.value) else {
        return Vec::new();
    };
    // A light bulb at every step would disturb people.
    if context.trigger_kind == Some(CodeActionTriggerKind::AUTOMATIC) {
        return Vec::new();
    }
    let of_suite = Argument { uri: Some(suite.uri.clone()), ..Argument::default() };
    let of_case = Argument { case: Some(id.clone()), ..of_suite.clone() };
    let mut offered = Vec::new();
    if let Some(running) = running.filter(|_| is_wanted(&RUN, context)) {
        let is_running = running.cases.contains_key(id);
        let (title, command) = if is_running { ("Stop this case", STOP) } else { ("Run this case", RUN_CASE) };
        offered.push((RUN, title, command, of_case.clone()));
        // Lenses have the actions of the suite.
        if !suite.support.shows_lenses {
            offered.push((RUN, "Run this suite", RUN_SUITE, of_suite.clone()));
            let mut verdicts = suite.document.verdicts(&suite.answers).flatten();
            if verdicts.any(|verdict| matches!(verdict.status(), Status::Fail | Status::Error)) {
                offered.push((RUN, "Run the failed cases", RUN_FAILED, of_suite));
            }
        }
    }
    let answer = suite.answers.of(id).filter(|_| is_wanted(&SHOW, context));
    offered.extend(answer.map(|_| (SHOW, "Open the answer", OPEN_RESULT, of_case)));
    offered.into_iter().map(of_command).collect()
}

/// The action of this kind and title that executes a command with this argument.
fn of_command((kind, title, command, argument): (CodeActionKind, &str, &str, Argument)) -> CodeActionOrCommand {
    let command = Some(argument.command(title, command));
    let title = title.to_owned();
    CodeActionOrCommand::CodeAction(CodeAction { title, kind: Some(kind), command, ..CodeAction::default() })
}

/// The kind of the action that makes a suite of a log.
pub(crate) const IMPORT: CodeActionKind = CodeActionKind::new("eval-ls.import");

/// The import of a file that is a log. Only the start of the file is read, and from the disk, as an import reads it.
pub(crate) fn import(path: &Path, params: CodeActionParams) -> Vec<CodeActionOrCommand> {
    // A light bulb at every step would disturb people.
    let is_automatic = params.context.trigger_kind == Some(CodeActionTriggerKind::AUTOMATIC);
    if is_automatic || !is_wanted(&IMPORT, &params.context) {
        return Vec::new();
    }
    let start = Reader::default().read_part(path, 0, START as u64).unwrap_or_default();
    let argument = Argument { uri: Some(params.text_document.uri), ..Argument::default() };
    let action = |_| of_command((IMPORT, "Import conversations as a suite", IMPORT_LOG, argument));
    Log::of_start(&String::from_utf8_lossy(&start)).map(action).into_iter().collect()
}

/// The fixes for the findings that the selection `at` touches.
pub(crate) fn moves_of_strays(
    snapshot: &Snapshot,
    config_file: Option<&ConfigFile>,
    context: &CodeActionContext,
    at: Span,
) -> Vec<CodeAction> {
    let action = |stray: &Stray| {
        let finding = stray.finding(snapshot.document.suite());
        let span = finding.span;
        if span.end < at.start || at.end < span.start || !snapshot.support.renames_files {
            return None;
        }
        let mut changes = Changes::new(&snapshot.support);
        let (name, moves) = (quoted(&stray.name), &stray.moves);
        let title = match stray.home.as_ref()? {
            Home::SamePrompt(id) | Home::NearId(id) => {
                follow_case(snapshot, (&stray.name, id), moves, (config_file, &[]), &mut changes).ok()?;
                format!("Move what is stored for {name} to {}", quoted(id))
            }
            Home::Suite => {
                moves.iter().for_each(|it| drop(with_move(it, &snapshot.support, &mut changes)));
                format!("Move what is stored for the suite {name} here")
            }
        };
        (!changes.is_empty()).then(|| CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(of_client(&snapshot.origin(), &finding, context)),
            edit: Some(changes.finish()),
            ..CodeAction::default()
        })
    };
    snapshot.answers.around.strays.iter().filter_map(action).collect()
}

/// The kind of the action that applies every safe fix of a file.
pub(crate) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.eval-ls");

/// What an unresolved action is about.
#[derive(Serialize, Deserialize)]
struct About {
    uri: Uri,
    change: Change,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Change {
    FixAll,
    /// The findings of one lint.
    FixKind(String),
}

/// The open document that an unresolved action is about; `None` for other actions.
pub(crate) fn document_of(action: &CodeAction) -> Option<Uri> {
    about(action).map(|about| about.uri)
}

/// The action with its edit of the text as it is now.
pub(crate) fn resolve(snapshot: &Snapshot, action: CodeAction) -> CodeAction {
    let edit = about(&action).map(|about| edit(snapshot, &about.change));
    CodeAction { edit, ..action }
}

fn of_file(snapshot: &Snapshot, title: &str, kind: CodeActionKind, change: Change) -> CodeAction {
    let about = About { uri: snapshot.uri.clone(), change };
    let data = snapshot.support.resolves_edits.then(|| serde_json::to_value(&about).ok()).flatten();
    CodeAction {
        title: title.to_owned(),
        kind: Some(kind),
        edit: data.is_none().then(|| edit(snapshot, &about.change)),
        data,
        ..CodeAction::default()
    }
}

fn edit(snapshot: &Snapshot, change: &Change) -> WorkspaceEdit {
    let mut fixable: Vec<Finding>;
    let whole = Span::new(0, snapshot.document.text().len());
    let edits = match change {
        Change::FixAll => {
            fixable = snapshot.document.findings_in(whole, &snapshot.workspace);
            safe_edits(&fixable)
        }
        Change::FixKind(lint) => {
            // Also those that have one cause, because each has its own fix.
            fixable = snapshot.document.findings_in(whole, &snapshot.workspace);
            fixable.retain(|finding| finding.lint == lint);
            fitting_edits(fixable.iter().filter_map(Finding::likely_fix))
        }
    };
    snapshot.edit(edits)
}

/// An action for each lint that has further findings in the file.
fn fixes_of_kind(snapshot: &Snapshot, touched: &[Finding]) -> Vec<CodeAction> {
    let mut lints: BTreeSet<_> = touched.iter().filter(|it| it.likely_fix().is_some()).map(|it| it.lint).collect();
    if !lints.is_empty() {
        lints = &lints & &snapshot.document.lints_with_fixes(&snapshot.workspace);
    }
    let action = |lint: &str| {
        let title = format!("Fix all `{lint}` in this file");
        of_file(snapshot, &title, CodeActionKind::QUICKFIX, Change::FixKind(lint.to_owned()))
    };
    lints.into_iter().map(action).collect()
}

fn about(action: &CodeAction) -> Option<About> {
    serde_json::from_value(action.data.clone()?).ok()
}
