//! A Markdown fence around the document.

use crate::text::Span;

use super::scene::lines;
use super::{Mistake, Repair};

pub(super) fn find(text: &str) -> Option<Mistake> {
    let start = text.len() - text.trim_start().len();
    if !text[start..].starts_with("```") {
        return None;
    }
    let fences = lines(text).filter(|line| text[line.range()].trim_start().starts_with("```"));
    let edits = fences.map(|line| (line, String::new())).collect();
    let end = start + text[start..].find(['\n', '\r']).unwrap_or(text.len() - start);
    Some(Mistake {
        span: Span::new(start, end),
        message: "a Markdown fence is not part of JSON".to_owned(),
        opened: None,
        repairs: vec![Repair { title: "remove the fence".to_owned(), edits, is_safe: false }],
        is_harmless: false,
    })
}

#[cfg(test)]
#[test]
fn example() {
    super::tests::repairs("```json\n[1]\n```\n", "[1]\n");
}
