//! The outline of a suite: its cases, and what each expects. Of a broken suite, all that can be made out.

use super::Document;
use crate::suite::PlacedCase;
use crate::syntax::{Kind, Member, Node};
use crate::text::{Span, visible};

/// How much of a text an outline shows, in code points.
const SHOWN: usize = 80;

/// A thing that an outline lists. Spans are bytes of the document, and those of inner symbols lie within the outer's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What it is called; never empty.
    pub name: String,
    /// What else is said of it.
    pub detail: String,
    /// What it is.
    pub kind: SymbolKind,
    /// All of it.
    pub span: Span,
    /// The part that is shown when it is chosen.
    pub selection: Span,
    /// What is in it.
    pub children: Vec<Symbol>,
}

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// The suite as a whole.
    Suite,
    /// A case.
    Case,
    /// A key of `expected` with a list or an object.
    Group,
    /// A key of `expected` with one value.
    Value,
}

/// The suite with all that is in it; nothing where the document is no object.
pub fn symbols(document: &Document) -> Option<Symbol> {
    let root = document.root();
    if root.kind() != Kind::Object {
        return None;
    }
    let suite = document.suite();
    let cases = suite.cases.iter().zip(document.case_nodes()).enumerate();
    let name = suite.name.as_ref();
    Some(Symbol {
        name: name.map_or_else(|| "suite".to_owned(), |name| or(&name.value, "suite")),
        detail: format!("version {}", document.version().version),
        kind: SymbolKind::Suite,
        span: root.span(),
        selection: name.map_or(Span::empty(root.span().start), |name| name.span),
        children: cases.map(|(index, (placed, node))| case(index, placed, node)).collect(),
    })
}

/// The cases of the suite whose id, category or prompt holds the letters of `query` in their order, whatever their
/// case; all cases where it is empty. Without their children.
pub fn cases_like(document: &Document, query: &str) -> Vec<Symbol> {
    let wanted: Vec<char> = query.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    let holds = |text: &str| {
        let mut wanted = wanted.iter().peekable();
        for c in text.chars().flat_map(char::to_lowercase) {
            wanted.next_if(|next| **next == c);
        }
        wanted.peek().is_none()
    };
    let cases = document.suite().cases.iter().enumerate().filter(|(_, placed)| {
        let fields = [&placed.case.id, &placed.case.category, &placed.case.prompt];
        wanted.is_empty() || fields.into_iter().flatten().any(|field| holds(&field.value))
    });
    cases.map(|(index, placed)| headline(index, placed)).collect()
}

fn case(index: usize, placed: &PlacedCase, node: Node<'_>) -> Symbol {
    let expected = node.get("expected").into_iter().flat_map(Node::members);
    Symbol { children: expected.filter_map(field).collect(), ..headline(index, placed) }
}

fn headline(index: usize, placed: &PlacedCase) -> Symbol {
    let case = &placed.case;
    let number = format!("case {}", index + 1);
    let name = case.id.as_ref().map_or_else(|| number.clone(), |id| or(&id.value, &number));
    let details = [&case.category, &case.prompt].into_iter().flatten().map(|field| shown(&field.value));
    Symbol {
        name,
        detail: details.filter(|detail| !detail.is_empty()).collect::<Vec<_>>().join(" · "),
        kind: SymbolKind::Case,
        span: placed.span(),
        selection: case.id.as_ref().map_or(Span::empty(placed.start), |id| placed.absolute(id.span)),
        children: Vec::new(),
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

/// The value, or how much is in it.
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
    let mut shown: String = text.chars().take(SHOWN).map(visible).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests;
