//! Reading what a transcript has beside its response: the page before and after, in every form.

use super::read::{Fault, name, optional, required, string};
use super::same_lines::SameLines;
use super::{Forms, Pages, Part};
use crate::config::ResponseFrom;
use crate::syntax::{Kind, Node};

/// The pages of a transcript with that response; `None` if its target has no page.
pub(super) fn pages(root: Node<'_>, response: &str) -> Result<Option<Box<Pages>>, Fault> {
    let (Some(from), Some(page)) = (object(root, "response_from")?, object(root, "page")?) else { return Ok(None) };
    let word = required(from, "form", string)?;
    let known = ResponseFrom::WORDS.into_iter().find(|(known, _)| *known == word);
    let (_, form) = known.ok_or_else(|| {
        let words = ResponseFrom::WORDS.map(|(word, _)| format!("`{word}`")).join(", ");
        fault(from, "form", format!("expected one of {words} for `form`"))
    })?;
    let part = match object(root, "part")? {
        Some(part) => Some(Part {
            selector: required(part, "selector", string)?,
            after: after(part)?,
            reply: optional(part, "reply", string)?,
        }),
        None => None,
    };
    let selector = optional(from, "selector", string)?;
    if selector.is_some() && selector.as_ref() != part.as_ref().map(|part| &part.selector) {
        return Err(fault(from, "selector", "expected the `selector` of `part`".to_owned()));
    }
    let mut pages = Pages {
        form,
        of_part: selector.is_some(),
        playwright: optional(from, "playwright", string)?,
        before: Forms::default(),
        after: after(page)?,
        reply: optional(page, "reply", string)?,
        part,
    };
    *pages.place_mut() = Some(response.to_owned());
    if let Some(forms) = object(page, "before")? {
        let after = pages.after.all();
        let before = pages.before.all_mut().into_iter().zip(after).zip(Forms::WORDS);
        for ((before, after), key) in before {
            *before = same_lines(forms, key, after.as_deref().unwrap_or_default())?;
        }
    }
    Ok(Some(Box::new(pages)))
}

fn after(page: Node<'_>) -> Result<Forms, Fault> {
    let Some(after) = object(page, "after")? else { return Ok(Forms::default()) };
    let form = |key| optional(after, key, string);
    Ok(Forms { snapshot: form("snapshot")?, aria: form("aria")?, text: form("text")? })
}

/// A page before: a text, or what of it differs from the page after.
fn same_lines(forms: Node<'_>, key: &str, after: &str) -> Result<Option<String>, Fault> {
    let Some(node) = forms.get(key).filter(|node| node.kind() == Kind::Object) else {
        return optional(forms, key, string);
    };
    let changed = optional(node, "changed", string)?;
    let same_start = optional(node, "same_start", lines)?.unwrap_or_default();
    let same_end = optional(node, "same_end", lines)?.unwrap_or_default();
    let text = SameLines { same_start, changed: changed.as_deref(), same_end }.text(after);
    let too_many = || Fault::new(node.span(), format!("`{key}` is more than the number of lines of the page after"));
    text.ok_or_else(too_many).map(Some)
}

fn lines(node: Node<'_>) -> Result<usize, &'static str> {
    // Numbers above 2^53 saturate or are rounded; no page has so many lines.
    let count = node.as_f64().filter(|count| *count >= 0.0 && count.fract() == 0.0);
    count.map(|count| count as usize).ok_or("a number of lines")
}

fn object<'t>(node: Node<'t>, key: &str) -> Result<Option<Node<'t>>, Fault> {
    match node.get(key).filter(|value| value.kind() != Kind::Null) {
        Some(value) if value.kind() != Kind::Object => {
            let message = format!("expected an object for `{key}`, found {}", name(value));
            Err(Fault::new(value.span(), message))
        }
        value => Ok(value),
    }
}

fn fault(node: Node<'_>, key: &str, message: String) -> Fault {
    Fault::new(node.get(key).map_or(node.span(), Node::span), message)
}
