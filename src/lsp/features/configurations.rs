//! An open `eval-ls.toml`: its errors and their quick fixes; and the actions on a finding that edit it: remove what causes
//! the finding, allow it in its case, turn the lint off, list the tool.

use ls_types::{CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams};

use crate::analysis::actions::{
    StartedHint, allow_in_case, define_ui_hints, know_tool, match_reply_only, narrow_source, turn_lint_off,
};
use crate::analysis::configuration::configuration_findings;
use crate::analysis::relative;
use crate::diagnostic::{Cause, Edit, Finding, Fix, Severity};
use crate::lsp::client::settings::Support;
use crate::lsp::convert::to_lsp;
use crate::lsp::protocol::{Argument, OPEN_CONFIGURATION};
use crate::lsp::session::configurations::ConfigFile;
use crate::lsp::session::open_document::Snapshot;
use crate::suite::List;

use super::code_actions::{is_wanted, of_client, quick_fix};

/// The fixes of the errors in a range.
pub(crate) fn code_actions(
    open: &ConfigFile,
    support: &Support,
    params: &CodeActionParams,
) -> Vec<CodeActionOrCommand> {
    let origin = open.origin(support);
    let Some(range) = origin.span(params.range) else { return Vec::new() };
    if !is_wanted(&CodeActionKind::QUICKFIX, &params.context) {
        return Vec::new();
    }
    let mut findings = configuration_findings(&open.text);
    findings.retain(|finding| finding.span.start <= range.end && range.start <= finding.span.end);
    let fixes = findings.iter().flat_map(|finding| finding.fixes.iter().map(move |fix| (finding, fix)));
    let action = |(finding, fix): (&Finding, &Fix)| CodeAction {
        diagnostics: Some(of_client(&origin, finding, &params.context)),
        edit: open.workspace_edit(&fix.edits, support),
        ..quick_fix(&fix.title, true)
    };
    fixes.map(action).map(CodeActionOrCommand::CodeAction).collect()
}

/// Syntax errors cannot be turned off.
const ALWAYS_ON: &str = "invalid-json";
const UNDEFINED_HINT: &str = "undefined-ui-hint";
/// How many UI hints an action defines at most: far more than a suite has, and few enough to be looked for at once.
const MOST_HINTS: usize = 200;
const UNKNOWN_TOOL: &str = "unknown-tool";

/// The effect of an edit of the configuration on a finding, in the order in which they are offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effect {
    /// The finding is fixed.
    Fixes,
    /// The finding is allowed, or the tool that it is about is known.
    Allows,
    /// The finding's lint is turned off in all suites.
    TurnsOff,
}

/// Returns the edits of the configuration's file for the finding.
pub(crate) fn configurings(snapshot: &Snapshot, finding: &Finding, file: &ConfigFile) -> Vec<(CodeAction, Effect)> {
    let config = file.text.as_str();
    let cures = cures(snapshot, finding, file);
    let known = (finding.lint == UNKNOWN_TOOL).then(|| know_tool(tool_at(snapshot, finding)?, config)).flatten();
    let case = snapshot.document.suite().case_at(finding.span.start).and_then(|(_, placed)| placed.case.id.as_ref());
    let folder = file.path().and_then(|path| Some(path.parent()?.to_owned()));
    let path = snapshot.document.path().zip(folder).and_then(|(path, folder)| relative(path, &folder));
    // An error would come back at run time.
    let may_be_off = finding.lint != ALWAYS_ON && finding.severity != Severity::Error;
    let allow =
        case.filter(|_| may_be_off).and_then(|id| allow_in_case(finding.lint, &id.value, path.as_deref(), config));
    let turn_off = may_be_off.then(|| turn_lint_off(finding.lint, config)).flatten();
    let allowing = known.into_iter().chain(allow).map(|edit| (edit, Effect::Allows));
    let others = allowing.chain(turn_off.map(|edit| (edit, Effect::TurnsOff)));
    let others =
        others.filter_map(|((title, edits), effect)| Some((code_action(snapshot, file, &title, &edits)?, effect)));
    cures.into_iter().map(|cure| (cure, Effect::Fixes)).chain(others).collect()
}

/// The edits that remove what causes the finding in this case and in others.
fn cures(snapshot: &Snapshot, finding: &Finding, file: &ConfigFile) -> Vec<CodeAction> {
    let config = file.text.as_str();
    let for_all_suites = |(title, edits): (String, Vec<Edit>)| code_action(snapshot, file, &title, &edits);
    // A hint that is nearly a defined one has no cause in common with others.
    if finding.lint == UNDEFINED_HINT {
        return define_hints(snapshot, finding, file);
    }
    let cure = match &finding.cause {
        Some(Cause::PromptCounts) => match_reply_only(config),
        Some(Cause::BroadSource { source, narrow }) => narrow_source(source, narrow, config),
        Some(Cause::PromptRepeated | Cause::MissingHints | Cause::MissingPreconditions) | None => None,
    };
    cure.and_then(for_all_suites).into_iter().collect()
}

/// The actions that define the UI hint of the finding, and all that the suite needs.
fn define_hints(snapshot: &Snapshot, finding: &Finding, file: &ConfigFile) -> Vec<CodeAction> {
    let Some(hint) = snapshot.document.root().find(finding.span).and_then(|node| node.as_str()) else {
        return Vec::new();
    };
    let cases = &snapshot.document.suite().cases;
    let hints = cases.iter().flat_map(|placed| placed.case.expected.ui.iter().flat_map(List::entries));
    let mut missing: Vec<&str> = vec![&hint];
    for hint in hints.filter(|hint| !snapshot.workspace.ui_hints.contains(&hint.value) && !hint.value.is_empty()) {
        if !missing.contains(&hint.value.as_str()) && missing.len() < MOST_HINTS {
            missing.push(&hint.value);
        }
    }
    let config = file.text.as_str();
    let all = (missing.len() > 1).then_some((&missing[..], false));
    let wanted = [(&missing[..1], true)].into_iter().chain(all);
    let start = |(hints, is_preferred): (&[&str], bool)| {
        start_hints(snapshot, file, &define_ui_hints(hints, config)?, is_preferred)
    };
    wanted.filter_map(start).collect()
}

/// The action that adds the hints to the file, and then shows the place to write at.
fn start_hints(snapshot: &Snapshot, file: &ConfigFile, hint: &StartedHint, is_preferred: bool) -> Option<CodeAction> {
    let support = &snapshot.support;
    let command = support.shows_documents.then(|| {
        let range = Some(to_lsp::range(&hint.config, hint.place, support.encoding));
        let argument = Argument { uri: Some(file.uri.clone()), range, ..Argument::default() };
        argument.command("Open eval-ls.toml", OPEN_CONFIGURATION)
    });
    let edit = match &hint.edits[..] {
        [] => None,
        edits => Some(file.workspace_edit(edits, support)?),
    };
    let does_something = edit.is_some() || command.is_some();
    does_something.then(|| CodeAction { edit, command, ..quick_fix(&hint.title, is_preferred) })
}

/// The tool that a finding is about: a string, or the name within one.
fn tool_at<'a>(snapshot: &'a Snapshot, finding: &Finding) -> Option<&'a str> {
    let text = snapshot.document.text().slice(finding.span).trim_matches('"');
    (!text.contains('\\')).then_some(text)
}

fn code_action(snapshot: &Snapshot, file: &ConfigFile, title: &str, edits: &[Edit]) -> Option<CodeAction> {
    let edit = file.workspace_edit(edits, &snapshot.support)?;
    Some(CodeAction { edit: Some(edit), ..quick_fix(title, false) })
}
