//! The places where a case names tools.

use strsim::osa_distance;

use crate::diagnostic::{Edit, Fix, nearest, quoted};
use crate::suite::{List, Spanned, TelemetryEntry};
use crate::syntax::{Kind, encode, raw_span};
use crate::text::Span;

use crate::lints::CaseContext;

/// A place in a case that names a tool.
pub(crate) struct Mention<'a> {
    /// The name of the tool.
    pub(crate) tool: &'a str,
    /// The place of the string with quotes. In an entry of `telemetry`, it is the place of the name.
    pub(crate) span: Span,
    /// Whether it is in an entry of `telemetry`.
    pub(crate) in_telemetry: bool,
}

/// Returns all places in a case that name tools.
pub(crate) fn mentions<'a>(cx: &CaseContext<'a>) -> Vec<Mention<'a>> {
    let expected = &cx.case.expected;
    let lists = [&expected.tool_calls_any, &expected.tool_calls_none].into_iter().flatten().flat_map(List::entries);
    let listed = lists.map(|entry| Mention { tool: &entry.value, span: entry.span, in_telemetry: false });
    let required = required_tools(cx).map(|(tool, entry)| {
        // Both shorthands that name a tool start with `tool.`.
        let start = "tool.".len();
        let literal = &cx.node.text()[entry.span.range()];
        let span = raw_span(literal, Span::new(start, start + tool.len())).shifted_by(entry.span.start);
        Mention { tool, span, in_telemetry: true }
    });
    listed.chain(required).collect()
}

/// Returns the entries of `telemetry` that require that a tool starts or ends, with the tool.
pub(crate) fn required_tools<'a>(cx: &CaseContext<'a>) -> impl Iterator<Item = (&'a str, &'a Spanned<String>)> {
    let entries = cx.case.expected.telemetry.iter().flat_map(List::entries);
    entries.filter_map(|entry| match TelemetryEntry::parse(&entry.value) {
        TelemetryEntry::Start { tool } | TelemetryEntry::Result { tool, .. } => Some((tool, entry)),
        TelemetryEntry::MissingField { .. } | TelemetryEntry::Literal(_) => None,
    })
}

/// Returns the entries of `telemetry` that require that a tool succeeds, with the tool.
pub(crate) fn required_successes<'a>(cx: &CaseContext<'a>) -> impl Iterator<Item = (&'a str, &'a Spanned<String>)> {
    let entries = cx.case.expected.telemetry.iter().flat_map(List::entries);
    entries.filter_map(|entry| match TelemetryEntry::parse(&entry.value) {
        TelemetryEntry::Result { tool, success: true } => Some((tool, entry)),
        _ => None,
    })
}

/// Returns whether `tool_calls_any` certainly lists no tool. If the key is misspelt, of another type or being typed,
/// this is not certain.
pub(crate) fn lists_no_tools(cx: &CaseContext<'_>) -> bool {
    let object = cx.case.expected.object.as_ref().and_then(|object| cx.node_at(object.span));
    let Some(expected) = object.filter(|object| !object.is_broken()) else { return false };
    expected.members().all(|member| match member.key.as_str().as_deref() {
        Some("tool_calls_none") => true,
        Some("tool_calls_any") => member.value.is_some_and(|list| {
            list.kind() == Kind::Array
                && list.elements().all(|element| element.as_str().is_some_and(|text| text.is_empty()))
        }),
        Some(key) => nearest(key, ["tool_calls_any"]).is_none(),
        None => false,
    })
}

/// Whether a shorthand of `telemetry` takes `text` as a name.
pub(crate) fn is_plain_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

impl Mention<'_> {
    /// The fix that writes another name, if the place can hold it: a shorthand of `telemetry` takes plain names alone.
    pub(crate) fn renamings(&self, name: &str) -> Option<Fix> {
        let with = if self.in_telemetry { name.to_owned() } else { encode(name) };
        let edit = Edit::replace(self.span, with);
        (!self.in_telemetry || is_plain_name(name))
            .then(|| Fix::new(format!("replace with {}", quoted(name)), vec![edit]))
    }
}

/// Whether a tool exists as far as the workspace shows: it was called, it is listed as known, or suites name it twice.
pub(crate) fn is_known(cx: &CaseContext<'_>, tool: &str) -> bool {
    let workspace = &cx.workspace;
    workspace.tools.contains_key(tool)
        || workspace.known_tools.contains(tool)
        || workspace.named_tools.get(tool).is_some_and(|times| *times > 1)
}

/// The name within a text that has more than a name: `tool.` before it, `()` behind it, or white space around it.
pub(crate) fn bare_name(tool: &str) -> Option<&str> {
    let trimmed = tool.trim();
    let name = trimmed.strip_prefix("tool.").unwrap_or(trimmed);
    let name = name.strip_suffix("()").unwrap_or(name);
    (name != tool && !name.is_empty() && !name.contains(char::is_whitespace)).then_some(name)
}

/// What is left of the comparisons of names for one case. A case with thousands of names is not looked through to its end.
pub(crate) struct Comparisons(usize);

impl Default for Comparisons {
    fn default() -> Comparisons {
        Comparisons(200_000)
    }
}

impl Comparisons {
    /// Takes so many comparisons. Returns false if there are not enough.
    pub(crate) fn may_compare(&mut self, count: usize) -> bool {
        let rest = self.0.checked_sub(count);
        self.0 = rest.unwrap_or(0);
        rest.is_some()
    }
}

/// The tool of `others` that `tool` is a misspelling of.
pub(crate) fn near_tool<'a>(tool: &str, others: impl Iterator<Item = &'a String>) -> Option<&'a str> {
    let folded = fold(tool);
    let alike = others.filter(|other| *other != tool && is_misspelling(&folded, &fold(other)));
    nearest(tool, alike.map(String::as_str))
}

/// A tool's name in lower case, its words separated by `_`.
fn fold(tool: &str) -> String {
    tool.to_lowercase().replace(['-', '.'], "_")
}

/// Whether `tool` is `other` except for where its words are parted, or for one slip in one word; both are folded. Tools are often named alike on purpose, such as `get_slot` and `set_slot`, `create_slot` and `delete_slot`,
/// `find_slot` and `find_slots`. So a slip counts only in a longer word, and never if it is a plural or in a word with digits.
fn is_misspelling(tool: &str, other: &str) -> bool {
    tool.chars().filter(|c| *c != '_').eq(other.chars().filter(|c| *c != '_')) || has_one_slip(tool, other)
}

/// Whether one word has one letter too many, too few or mistaken, or two letters that changed places.
fn has_one_slip(tool: &str, other: &str) -> bool {
    let differing: Vec<_> = tool.split('_').zip(other.split('_')).filter(|(word, meant)| word != meant).collect();
    let [(word, meant)] = differing[..] else { return false };
    let is_plural = word.strip_suffix('s') == Some(meant) || meant.strip_suffix('s') == Some(word);
    !is_plural
        && tool.matches('_').count() == other.matches('_').count()
        && [word, meant].iter().any(|word| word.chars().count() >= 4)
        && ![word, meant].concat().contains(|c: char| c.is_ascii_digit())
        && osa_distance(word, meant) == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_a_name() {
        for (tool, name) in [
            ("tool.book", Some("book")),
            ("book()", Some("book")),
            (" tool.book() ", Some("book")),
            ("book ", Some("book")),
            ("book", None),
            ("shop.book", None),
            ("()", None),
            (" ", None),
            ("book it ", None),
        ] {
            assert_eq!(bare_name(tool), name, "{tool}");
        }
    }

    #[test]
    fn names_that_are_alike_on_purpose() {
        let near = "
            book_slot bookSlot, book_slot book-slot, shop.book_slot shop_book_slot, book_slot book_slto,
            book_slot book_slott, book_slot obok_slot, lookup lokup, größe grüße, book__slot book_slot
        ";
        let far = "
            book_slot book_slots, book_slots find_slots, get_slot set_slot, create_component delete_component,
            create_slot update_slot, add_slot edit_slot, attach_file detach_file, lock_slot unlock_slot,
            book_slot book_slot_v2, book_slot2 book_slot3, step_1 step_2, book cook_slot, cook_slut book_slot,
            find_the_slot fill_the_slot, add_member ask_member, import_invoices export_invoices,
            get_calendar_item get_calendar_items, create_contact create_connect, start_recording stop_recording,
            add_component1 add_componnet2, pay say, größe grösse, abcd badc
        ";
        let pairs = |text: &'static str| text.split(',').map(|pair| pair.trim().split_once(' ').unwrap());
        let pairs = pairs(near).map(|pair| (pair, true)).chain(pairs(far).chain([("", "a")]).map(|pair| (pair, false)));
        for ((tool, other), is_near) in pairs {
            assert_eq!(is_misspelling(&fold(tool), &fold(other)), is_near, "{tool} {other}");
            assert_eq!(is_misspelling(&fold(other), &fold(tool)), is_near, "{other} {tool}");
        }
    }
}
