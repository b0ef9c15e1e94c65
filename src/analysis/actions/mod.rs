//! Refactorings at a cursor or selection, one file per action. Fixes of findings are not here: lints have those.
//!
//! Edits keep the layout of the text: its indentation, its line breaks, and what is on one line.

mod accept_said;
mod add_case;
mod label_number;
mod phrase_to_regex;
mod scale_weights;
mod sort_cases;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::config::{
    Level, place_of_ui_hint, with_allowed, with_known_tool, with_lint_level, with_plain_reading, with_reply_only,
    with_source, with_ui_hints,
};
use crate::diagnostic::{Edit, Finding, quoted};
use crate::suite::PlacedCase;
use crate::syntax::Node;
use crate::text::{Span, Text};

use super::{Document, Workspace};

pub(crate) use accept_said::{accept_said, propose_checks};
pub(crate) use sort_cases::{can_sort_cases, sorted_cases};

/// A change of one case that a person may choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Action {
    /// The command: "give the number a label".
    pub(crate) title: String,
    /// The kind of change.
    pub(crate) kind: ActionKind,
    /// What to replace; spans do not overlap, and all are meant for the same text.
    pub(crate) edits: Vec<Edit>,
}

/// Kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ActionKind {
    /// The same expectation, written differently.
    Rewrite,
    /// Something new.
    Add,
}

/// The actions for a selection or cursor at the bytes `at`.
pub(crate) fn actions(document: &Document, at: Span, workspace: &Arc<Workspace>) -> Vec<Action> {
    let in_case = ActionContext::find(document, at, workspace).map(|context| {
        [
            scale_weights::action(&context),
            phrase_to_regex::action(&context),
            label_number::action(&context),
            add_case::action(&context),
        ]
    });
    in_case.into_iter().flatten().flatten().collect()
}

/// A selection in a case without syntax errors. All spans count from the start of the file.
struct ActionContext<'a> {
    document: &'a Document,
    at: Span,
    placed: &'a PlacedCase,
    /// The case.
    node: Node<'a>,
    index: usize,
    workspace: &'a Arc<Workspace>,
}

impl<'a> ActionContext<'a> {
    /// The context of the selection `at`; `None` if it is not within one case, or if the case has a syntax error.
    fn find(document: &'a Document, at: Span, workspace: &'a Arc<Workspace>) -> Option<Self> {
        let (index, placed) = document.suite().case_at(at.start)?;
        let node = document.case_node(index)?;
        let is_whole = placed.span().covers(at) && !node.descendants().any(Node::is_broken);
        is_whole.then_some(ActionContext { document, at, placed, node, index, workspace })
    }

    /// Whether the selection touches `span`, which counts from the start of the case.
    fn touches(&self, span: Span) -> bool {
        let span = self.placed.absolute(span);
        span.start <= self.at.end && self.at.start <= span.end
    }

    /// The object `expected`.
    fn expected(&self) -> Option<Node<'a>> {
        self.node.get("expected")
    }

    /// The text of the whole document.
    fn text(&self) -> &'a str {
        self.document.text().as_str()
    }

    /// The findings of the lints in the case, including lints that are off.
    fn findings(&self) -> Vec<Finding> {
        self.document.case_findings(self.index, self.workspace)
    }
}

/// Sets the level of a lint to `off`. Returns the title and the edits of `config`, the text of an `eval-ls.toml`; `None` if
/// the lint is off already, or if the text cannot be edited.
pub(crate) fn turn_lint_off(lint: &str, config: &str) -> Option<(String, Vec<Edit>)> {
    let edits = with_lint_level(config, lint, Level::Off).filter(|edits| !edits.is_empty())?;
    Some((format!("turn {} off in this workspace", quoted(lint)), edits))
}

/// Lets only the reply count as evidence. Returns the title and the edits of `config`, the text of an `eval-ls.toml`;
/// `None` if that is so already, or if the text cannot be edited.
pub(crate) fn match_reply_only(config: &str) -> Option<(String, Vec<Edit>)> {
    let edits = with_reply_only(config).filter(|edits| !edits.is_empty())?;
    Some(("match it in the reply only: set `prompt_counts = false` in eval-ls.toml".to_owned(), edits))
}

/// Lets answers be read as a person reads them. Returns the title and the edits of `config`, the text of an `eval-ls.toml`;
/// `None` if that is so already, or if the text cannot be edited.
pub(crate) fn read_plain(config: &str) -> Option<(String, Vec<Edit>)> {
    let edits = with_plain_reading(config).filter(|edits| !edits.is_empty())?;
    Some(("read the answer as a person does: set `reading = \"plain\"` in eval-ls.toml".to_owned(), edits))
}

/// The definition of UI hints that their author completes.
#[derive(Debug)]
pub(crate) struct StartedHint {
    pub(crate) title: String,
    /// The edits of the configuration's text; none if the hints are in it.
    pub(crate) edits: Vec<Edit>,
    /// The edited text.
    pub(crate) config: Text,
    /// Where to write in the edited text: at the first hint.
    pub(crate) place: Span,
}

/// Starts the definition of UI hints in `config`, the text of an `eval-ls.toml`. `None` if the text cannot be edited.
pub(crate) fn define_ui_hints(hints: &[&str], config: &str) -> Option<StartedHint> {
    let edits = with_ui_hints(config, hints)?;
    let verb = if edits.is_empty() { "complete" } else { "define" };
    let first = hints.first()?;
    let title = match hints.len() {
        1 => format!("{verb} the UI hint {}", quoted(first)),
        count => format!("{verb} the {count} UI hints of this suite"),
    };
    let config = Edit::apply_all(config, &edits);
    let place = place_of_ui_hint(&config, first)?;
    Some(StartedHint { title, edits, config: Text::from(config), place })
}

/// Defines a source by these phrases, for all suites. Returns the title and the edits of `config`, the text of an
/// `eval-ls.toml`; `None` if the source has them already, or if the text cannot be edited.
pub(crate) fn narrow_source(source: &str, phrases: &[String], config: &str) -> Option<(String, Vec<Edit>)> {
    let edits = with_source(config, source, phrases).filter(|edits| !edits.is_empty() && !phrases.is_empty())?;
    Some((format!("keep only the phrases that name {}, in all suites", quoted(source)), edits))
}

/// Allows the findings of a lint in one case of the suite at `file`, which is relative to the folder of `eval-ls.toml`.
/// Returns the title and the edits of `config`, the text of that file; `None` if the text cannot be edited.
pub(crate) fn allow_in_case(lint: &str, case: &str, file: Option<&str>, config: &str) -> Option<(String, Vec<Edit>)> {
    let edits = with_allowed(config, lint, case, file)?;
    Some((format!("allow {} in the case {}", quoted(lint), quoted(case)), edits))
}

/// Lists a tool as known. Returns the title and the edits of `config`, the text of an `eval-ls.toml`; `None` if the tool is
/// listed already, or if the text cannot be edited.
pub(crate) fn know_tool(tool: &str, config: &str) -> Option<(String, Vec<Edit>)> {
    let edits = with_known_tool(config, tool).filter(|edits| !edits.is_empty())?;
    Some((format!("list {} as a known tool", quoted(tool)), edits))
}
