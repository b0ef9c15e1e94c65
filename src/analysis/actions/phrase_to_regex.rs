use crate::diagnostic::Edit;
use crate::pattern::escape;
use crate::suite::{List, Version};
use crate::syntax::{Kind, Member, Node, encode, separator_before};

use super::{Action, ActionContext, ActionKind};

/// Turns a phrase of `must_not_say` into an equivalent pattern, or all phrases of `must_say_any` into one pattern.
pub(super) fn action(context: &ActionContext<'_>) -> Option<Action> {
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
    let patterns = phrases.iter().map(|phrase| pattern(phrase)).collect::<Option<Vec<_>>>()?;
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
    let pattern = pattern(&phrase.value)?;
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
fn pattern(phrase: &str) -> Option<String> {
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
