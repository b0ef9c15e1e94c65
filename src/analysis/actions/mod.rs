//! Refactorings at a cursor or selection. Fixes of findings are not here: lints have those.
//!
//! Edits keep the layout of the text: its indentation, its line breaks, and what is on one line.

mod accept_said;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

use crate::analysis::ids::next_free;
use crate::config::{place_of_ui_hint, with_allowed, with_known_tool, with_setting, with_source, with_ui_hints};
use crate::diagnostic::{Edit, Finding, quoted};
use crate::lints::{SCALE_WEIGHTS, WEIGHTS_NOT_ONE};
use crate::pattern::escape;
use crate::suite::{List, PlacedCase, Version};
use crate::syntax::{Kind, Member, Node, encode, separator_before};
use crate::text::{Span, Text};

use super::{Document, Workspace};

pub(crate) use accept_said::{accept_said, propose_checks};

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
    /// Another form of the same expectation.
    Rewrite,
    /// Something new.
    Add,
}

/// The actions for a selection or cursor at the bytes `at`.
pub(crate) fn actions(document: &Document, at: Span, workspace: &Arc<Workspace>) -> Vec<Action> {
    let in_case = ActionContext::find(document, at, workspace).map(|context| {
        [scale_weights(&context), phrase_to_regex(&context), label_number(&context), add_case(&context)]
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
    let edits = with_setting(config, "lints", lint, "\"off\"").filter(|edits| !edits.is_empty())?;
    Some((format!("turn {} off in this workspace", quoted(lint)), edits))
}

/// Lets only the reply count as evidence. Returns the title and the edits of `config`, the text of an `eval-ls.toml`;
/// `None` if that is so already, or if the text cannot be edited.
pub(crate) fn match_reply_only(config: &str) -> Option<(String, Vec<Edit>)> {
    let edits = with_setting(config, "scoring", "prompt_counts", "false").filter(|edits| !edits.is_empty())?;
    Some(("match it in the reply only: set `prompt_counts = false` under [scoring] in eval-ls.toml".to_owned(), edits))
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

/// Scales the weights at the selection so that they add up to 1, with the fix of the lint.
fn scale_weights(context: &ActionContext<'_>) -> Option<Action> {
    let weights = context.placed.case.expected.weights()?;
    if !context.touches(weights.member()) {
        return None;
    }
    let finding = context.findings().into_iter().find(|finding| finding.lint == WEIGHTS_NOT_ONE.name)?;
    let fix = finding.fixes.into_iter().find(|fix| fix.title == SCALE_WEIGHTS)?;
    Some(Action { title: fix.title, kind: ActionKind::Rewrite, edits: fix.edits })
}

/// Turns a phrase of `must_not_say` into an equivalent pattern, or all phrases of `must_say_any` into one pattern.
fn phrase_to_regex(context: &ActionContext<'_>) -> Option<Action> {
    if context.document.version().version < Version::V0_2 {
        return None;
    }
    let expected = &context.placed.case.expected;
    let must_say = expected.must_say_any.as_ref().filter(|list| context.touches(list.member()));
    match must_say {
        Some(list) => one_of_them(context, list),
        None => none_of_them(context, expected.must_not_say.as_ref()?),
    }
}

fn one_of_them(context: &ActionContext<'_>, list: &List) -> Option<Action> {
    let phrases: Vec<_> = list.entries().map(|entry| entry.value.as_str()).collect();
    let patterns = phrases.iter().map(|phrase| pattern_of(phrase)).collect::<Option<Vec<_>>>()?;
    let (title, pattern) = match &patterns[..] {
        [] => return None,
        [pattern] => ("turn the phrase into a pattern", pattern.clone()),
        patterns => ("turn the phrases into one pattern", format!("(?:{})", patterns.join("|"))),
    };
    let expected = context.expected()?;
    let edits = move_into(expected, expected.member("must_say_any")?, None, "must_match_regex", &pattern, context)?;
    Some(Action { title: title.to_owned(), kind: ActionKind::Rewrite, edits })
}

fn none_of_them(context: &ActionContext<'_>, list: &List) -> Option<Action> {
    let phrase = list.entries().find(|entry| context.touches(entry.span))?;
    let pattern = pattern_of(&phrase.value)?;
    let expected = context.expected()?;
    let member = expected.member("must_not_say")?;
    let entry = member.value?.find(context.placed.absolute(phrase.span))?;
    let is_only = member.value?.elements().nth(1).is_none();
    let entry = (!is_only).then_some(entry);
    let edits = move_into(expected, member, entry, "must_not_match_regex", &pattern, context)?;
    Some(Action { title: "turn the phrase into a pattern".to_owned(), kind: ActionKind::Rewrite, edits })
}

/// The pattern that finds the phrase. `None` for a phrase with a line break, because patterns match single lines, and for a
/// phrase with a lone surrogate, which no pattern can contain.
fn pattern_of(phrase: &str) -> Option<String> {
    (!phrase.contains(['\n', '\u{fffd}'])).then(|| escape(phrase))
}

/// The edits that remove a whole list, or one entry of it, and add a pattern to the list with the key `target`.
fn move_into(
    expected: Node<'_>,
    list: Member<'_>,
    entry: Option<Node<'_>>,
    target: &str,
    pattern: &str,
    context: &ActionContext<'_>,
) -> Option<Vec<Edit>> {
    let pattern = encode(pattern);
    let removal = Edit::delete(entry.unwrap_or(list.node).removal());
    match expected.member(target) {
        Some(target) => Some(vec![removal, append(target.value?, &pattern, context.text())?]),
        None => {
            let member = format!("\"{target}\": [{pattern}]");
            Some(match entry {
                None => vec![Edit::replace(list.node.span(), member)],
                Some(_) => {
                    let span = list.node.span();
                    let separator = separator_before(context.text(), span.start);
                    vec![removal, Edit::insert(span.end, format!(",{separator}{member}"))]
                }
            })
        }
    }
}

/// Adds an element to a list.
fn append(list: Node<'_>, literal: &str, text: &str) -> Option<Edit> {
    if list.kind() != Kind::Array {
        return None;
    }
    Some(match list.elements().last() {
        Some(last) => {
            let separator = separator_before(text, last.span().start);
            Edit::insert(last.span().end, format!(",{separator}{literal}"))
        }
        None => Edit::replace(list.span(), format!("[{literal}]")),
    })
}

/// Turns a bare number into an object with a label. The initial label is the name in reports, so that the check keeps its
/// id until the author chooses a better one.
fn label_number(context: &ActionContext<'_>) -> Option<Action> {
    let items = context.placed.case.expected.must_ground_numbers.as_ref()?;
    let item = items.value.iter().find(|item| !item.is_object && context.touches(item.span))?;
    let span = context.placed.absolute(item.span);
    let value = context.text().get(span.range())?;
    let label = encode(item.value.as_ref().map(|value| value.value.as_str()).filter(|value| !value.is_empty())?);
    let object = format!("{{ \"label\": {label}, \"value\": {value} }}");
    let title = "give the number a label".to_owned();
    Some(Action { title, kind: ActionKind::Rewrite, edits: vec![Edit::replace(span, object)] })
}

/// Adds a copy of the case after it, with the next free id.
fn add_case(context: &ActionContext<'_>) -> Option<Action> {
    let id = context.placed.case.id.as_ref()?;
    let cases = &context.document.suite().cases;
    let used: HashSet<_> = cases.iter().filter_map(|placed| Some(placed.case.id.as_ref()?.value.as_str())).collect();
    let free = next_free(&id.value, &used);

    let span = context.node.span();
    let mut copy = context.node.text().to_owned();
    copy.replace_range(id.span.range(), &encode(&free));
    let separator = separator_before(context.text(), span.start);
    let edit = Edit::insert(span.end, format!(",{separator}{copy}"));
    let title = format!("duplicate this case as {}", quoted(&free));
    Some(Action { title, kind: ActionKind::Add, edits: vec![edit] })
}
