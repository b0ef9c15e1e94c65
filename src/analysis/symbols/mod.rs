//! The outline of a suite: its cases and their expectations. A broken suite has the outline of its readable parts.

use super::Document;
use crate::cancellation::checkpoint;
use crate::suite::PlacedCase;
use crate::syntax::{Kind, Member, Node};
use crate::text::{Span, visible_start};

/// The maximum length of a text in the outline, in code points. An outline is narrow.
const SHOWN: usize = 80;

/// An entry of the outline. Spans are bytes of the document. The span of a child is within the span of its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name; never empty.
    pub(crate) name: String,
    /// The text beside the name.
    pub(crate) detail: String,
    /// The kind of symbol.
    pub(crate) kind: SymbolKind,
    /// The whole text of the symbol.
    pub(crate) span: Span,
    /// The part that is selected when a person chooses the symbol.
    pub(crate) selection: Span,
    /// The symbols within it.
    pub(crate) children: Vec<Symbol>,
}

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SymbolKind {
    /// The suite as a whole.
    Suite,
    /// A case.
    Case,
    /// A key of `expected` with a list or an object.
    Group,
    /// A key of `expected` with one value.
    Value,
}

/// The outline of more cases is without the keys of `expected`: it would have ten times as many entries.
pub(crate) const MOST_WITH_KEYS: usize = 5_000;

/// The outline of the suite; `None` if the document is not an object.
pub fn symbols(document: &Document) -> Option<Symbol> {
    let root = document.root();
    if root.kind() != Kind::Object {
        return None;
    }
    let suite = document.suite();
    let cases = suite.cases.iter().zip(document.case_nodes()).enumerate();
    let has_keys = suite.cases.len() <= MOST_WITH_KEYS;
    let name = suite.name.as_ref();
    Some(Symbol {
        name: name.map_or_else(|| "suite".to_owned(), |name| or(&name.value, "suite")),
        detail: format!("version {}", document.version().version),
        kind: SymbolKind::Suite,
        span: root.span(),
        selection: name.map_or(Span::empty(root.span().start), |name| name.span),
        children: cases.map(|(index, (placed, node))| case(index, placed, node, has_keys)).collect(),
    })
}

fn case(index: usize, placed: &PlacedCase, node: Node<'_>, has_keys: bool) -> Symbol {
    checkpoint();
    let case = &placed.case;
    let number = format!("case {}", index + 1);
    let name = case.id.as_ref().map_or_else(|| number.clone(), |id| or(&id.value, &number));
    let details = [&case.category, &case.prompt].into_iter().flatten().map(|field| shown(&field.value));
    let expected = has_keys.then(|| node.get("expected")).flatten().into_iter().flat_map(Node::members);
    Symbol {
        name,
        detail: details.filter(|detail| !detail.is_empty()).collect::<Vec<_>>().join(" · "),
        kind: SymbolKind::Case,
        span: placed.span(),
        selection: case.id.as_ref().map_or(Span::empty(placed.start), |id| placed.absolute(id.span)),
        children: expected.filter_map(field).collect(),
    }
}

fn field(member: Member<'_>) -> Option<Symbol> {
    let key = member.key.as_str()?;
    let is_list = matches!(member.value.map(Node::kind), Some(Kind::Array | Kind::Object));
    Some(Symbol {
        name: or(&key, "\"\""),
        detail: member.value.map(detail).unwrap_or_default(),
        kind: if is_list { SymbolKind::Group } else { SymbolKind::Value },
        span: member.node.span(),
        selection: member.key.span(),
        children: Vec::new(),
    })
}

/// The value, or the number of its entries.
fn detail(value: Node<'_>) -> String {
    let entries = |count: usize| if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") };
    match value.kind() {
        Kind::Array => match value.children().collect::<Vec<_>>().as_slice() {
            [only] if only.kind() == Kind::String => detail(*only),
            several => entries(several.len()),
        },
        Kind::Object => shown(&value.members().filter_map(|member| member.key.as_str()).collect::<Vec<_>>().join(", ")),
        _ => value.as_str().map_or_else(|| shown(value.text()), |text| shown(&text)),
    }
}

fn or(text: &str, instead: &str) -> String {
    let shown = shown(text);
    if shown.trim_matches([' ', char::REPLACEMENT_CHARACTER]).is_empty() { instead.to_owned() } else { shown }
}

fn shown(text: &str) -> String {
    visible_start(text, SHOWN)
}

#[cfg(test)]
mod tests;
