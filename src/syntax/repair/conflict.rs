//! A conflict that a merge left.

use crate::text::Span;

use super::scene::lines;
use super::{Mistake, Repair};

pub(super) fn find(text: &str) -> Option<Mistake> {
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

#[cfg(test)]
#[test]
fn example() {
    super::tests::repairs("[\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> main\n]", "[\n1\n]");
}
