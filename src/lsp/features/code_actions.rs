//! Code actions for a range: fixes (`quickfix`), changes that a person may choose (`refactor`), runs of a case, and moves of what is
//! stored for a case or a suite that does not exist to the one where it could belong.

use ls_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionTriggerKind,
    Command, Diagnostic, NumberOrString,
};
use serde_json::json;

use crate::analysis::actions::{Action, ActionKind, accept_said, actions, propose_checks};
use crate::analysis::{PlacedFinding, Status, lint};
use crate::diagnostic::{Finding, Fix, quoted};
use crate::filed::{Home, Stray};
use crate::lsp::convert::to_lsp;
use crate::lsp::convert::workspace_edit::Changes;
use crate::lsp::protocol::running::{Argument, EXPLAIN_LINT, RUN_CASE, RUN_FAILED, RUN_SUITE, STOP};
use crate::lsp::session::configurations::ConfigFile;
use crate::lsp::session::snapshot::Snapshot;
use crate::text::Span;

use super::challenges::{remedies, sample_actions};
use super::configurations::{Effect, configurings};
use super::moved_files::with_move;
use super::rename::follow;
use super::verdicts::Running;
use super::whole_file::{self, FIX_ALL, SORT_CASES};
use super::{file_names, verdict_diagnostics};

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
        let touched = in_order(&snapshot.document.findings_in(range, &snapshot.workspace));
        let (fixes, hiding) = quick_fixes(snapshot, &touched, config_file, context);
        actions.extend(fixes);
        let remedies = new_beside(&actions, remedies(snapshot, config_file, range));
        actions.extend(remedies);
        actions.extend(acceptances(snapshot, context, range));
        actions.extend(moves_of_strays(snapshot, config_file, context, range));
        actions.extend(explanations(snapshot, &touched, context));
        actions.extend(hiding);
    }
    if is_wanted(&FIX_ALL, context) {
        actions.extend(whole_file::fix_all(snapshot));
    }
    // A light bulb at every position would disturb people.
    if context.trigger_kind != Some(CodeActionTriggerKind::AUTOMATIC) {
        let offered = refactorings(snapshot, range).into_iter().chain(sample_actions(snapshot, range));
        let wanted = offered.filter(|action| action.kind.as_ref().is_some_and(|kind| is_wanted(kind, context)));
        let wanted = new_beside(&actions, wanted.collect());
        actions.extend(wanted);
        if is_wanted(&CodeActionKind::REFACTOR, context) {
            actions.extend(proposal(snapshot, range));
        }
        if is_wanted(&SORT_CASES, context) {
            actions.extend(whole_file::sort_cases(snapshot));
        }
    }
    actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()
}

/// Those of the offered actions whose titles no other action has.
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
            known.source.as_deref() == Some(verdict_diagnostics::SOURCE) && span.is_some_and(edited)
        };
        CodeAction {
            title: to_lsp::capitalised(&action.title),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(context.diagnostics.iter().filter(touched).cloned().collect()),
            edit: Some(snapshot.edit(&action.edits)),
            is_preferred: snapshot.support.preferred_actions.then_some(false),
            ..CodeAction::default()
        }
    };
    offered.map(action).collect()
}

/// Copies findings, in the order of the text.
fn in_order(findings: &[PlacedFinding]) -> Vec<Finding> {
    let mut findings: Vec<_> = findings.iter().map(PlacedFinding::to_finding).collect();
    findings.sort_by_key(|finding| (finding.span, finding.lint));
    findings
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
        fixing.extend(fixes.filter_map(|(rank, fix)| {
            quick_fix(snapshot, finding, fix, rank == 0 && fix.likely, (config_file, context))
        }));
        for (action, effect) in config_file.into_iter().flat_map(|file| configurings(snapshot, finding, file)) {
            let mut offered = fixing.iter_mut().chain(hiding.iter_mut().map(|(_, action)| action));
            let known = offered.find(|known| known.title == action.title);
            let diagnostics = of_client(snapshot, finding, context);
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
        let diagnostics = of_client(snapshot, finding, context);
        if let Some(known) = actions.iter_mut().find(|known| known.title == title) {
            known.diagnostics.get_or_insert_default().extend(diagnostics);
            continue;
        }
        let argument = Argument { lint: Some(finding.lint.to_owned()), ..Argument::default() };
        actions.push(CodeAction {
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(diagnostics),
            is_preferred: snapshot.support.preferred_actions.then_some(false),
            command: Some(Command {
                title: title.clone(),
                command: EXPLAIN_LINT.to_owned(),
                arguments: Some(vec![json!(argument)]),
            }),
            title,
            ..CodeAction::default()
        });
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

fn quick_fix(
    snapshot: &Snapshot,
    finding: &Finding,
    fix: &Fix,
    is_preferred: bool,
    (config_file, context): (Option<&ConfigFile>, &CodeActionContext),
) -> Option<CodeAction> {
    let edit = match &fix.renames_to {
        Some(name) => file_names::with_rename(snapshot, &fix.edits, name, config_file)?,
        None => snapshot.edit(&fix.edits),
    };
    Some(CodeAction {
        title: to_lsp::capitalised(&fix.title),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(of_client(snapshot, finding, context)),
        edit: Some(edit),
        is_preferred: snapshot.support.preferred_actions.then_some(is_preferred),
        ..CodeAction::default()
    })
}

/// Returns the client's diagnostics for the finding.
pub(crate) fn of_client(snapshot: &Snapshot, finding: &Finding, context: &CodeActionContext) -> Vec<Diagnostic> {
    let range = snapshot.range(finding.span);
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

/// The kind of all of them. The protocol has none for what changes no text.
pub(crate) const RUN: CodeActionKind = CodeActionKind::new("eval-ls.run");

/// What may be run, or stopped, where that is asked; nothing outside of cases.
pub(crate) fn run_actions(suite: &Snapshot, running: &Running, params: &CodeActionParams) -> Vec<CodeActionOrCommand> {
    // Nobody wants a light bulb at every step.
    let is_automatic = params.context.trigger_kind == Some(CodeActionTriggerKind::AUTOMATIC);
    if is_automatic || !is_wanted(&RUN, &params.context) {
        return Vec::new();
    }
    let placed = suite.span(params.range).and_then(|range| suite.document.suite().case_at(range.start));
    let id = placed.and_then(|(_, placed)| placed.case.id.as_ref());
    let Some(id) = id.map(|id| id.value.clone()) else { return Vec::new() };
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
                follow(snapshot, span.start, (&stray.name, id), moves, (config_file, &[]), &mut changes).ok()?;
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
            diagnostics: Some(of_client(snapshot, &finding, context)),
            edit: Some(changes.finish()),
            ..CodeAction::default()
        })
    };
    snapshot.answers.strays().iter().filter_map(action).collect()
}
