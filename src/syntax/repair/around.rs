//! Text around the document, or in its place. What is found here is the only mistake.

use crate::text::Span;

use super::scene::lines;
use super::{Mistake, Repair};

/// A conflict that a merge left.
pub(super) fn conflict(text: &str) -> Option<Mistake> {
    if !text.contains("<<<<<<<") {
        return None;
    }
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut first = None;
    let mut state = 0;
    for line in lines(text) {
        let content = &text[line.range()];
        let is_marker = |mark: &str| content.starts_with(mark);
        let delete = (line, String::new());
        match state {
            0 if is_marker("<<<<<<<") => {
                first.get_or_insert(Span::new(line.start, line.start + content.trim_end().len()));
                state = 1;
            }
            1 if is_marker("|||||||") => state = 2,
            1 | 2 if is_marker("=======") => state = 3,
            3 if is_marker(">>>>>>>") => state = 0,
            0 => continue,
            side => {
                if side != 1 {
                    ours.push(delete.clone());
                }
                if side != 3 {
                    theirs.push(delete);
                }
                continue;
            }
        }
        ours.push((line, String::new()));
        theirs.push((line, String::new()));
    }
    let repair = |title: &str, edits| Repair { title: title.to_owned(), edits, is_safe: false };
    let is_whole = state == 0;
    first.map(|span| Mistake {
        span,
        message: "unresolved merge conflict; keep one side and remove the markers".to_owned(),
        opened: None,
        repairs: if is_whole {
            vec![repair("keep our side", ours), repair("keep their side", theirs)]
        } else {
            Vec::new()
        },
        is_harmless: false,
    })
}

/// A Markdown fence around the document.
pub(super) fn fence(text: &str) -> Option<Mistake> {
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

/// A pointer of Git LFS in place of the file.
pub(super) fn pointer(text: &str) -> Option<Mistake> {
    let first = lines(text).next().filter(|_| text.starts_with("version https://git-lfs.github.com/spec/"))?;
    Some(Mistake {
        span: Span::new(0, text[first.range()].trim_end().len()),
        message: "a pointer of Git LFS, not the file; `git lfs pull` fetches the file".to_owned(),
        opened: None,
        repairs: Vec::new(),
        is_harmless: false,
    })
}
