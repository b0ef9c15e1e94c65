use memchr::memchr3;

/// No fewer than the number of nodes in the tree of valid JSON; a broken text has at most three times as many. Counting is much
/// cheaper than building the tree.
pub(crate) fn most_nodes(text: &str) -> usize {
    let bytes = text.as_bytes();
    // Before a document may be other text, in which the document can begin behind any quote.
    let begins = text.trim_start_matches('\u{feff}').trim_ascii_start().starts_with(['{', '[']);
    let (mut count, mut at, mut is_in_word) = (1, 0, false);
    while let Some(byte) = bytes.get(at) {
        let is_word = !matches!(byte, b'{' | b'[' | b',' | b':' | b'"' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t');
        match byte {
            b'{' | b'[' | b',' | b':' | b'"' => count += 1,
            _ if is_word && !is_in_word => count += 1,
            _ => {}
        }
        is_in_word = is_word;
        at = if *byte == b'"' && begins { end_of_string(bytes, at) } else { at + 1 };
    }
    count
}

/// The place after the string that begins at `start`. A string that is not closed ends with its line.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr3(b'"', b'\\', b'\n', rest)) {
        match bytes[at + found] {
            b'\\' => at += found + 2,
            _ => return at + found + 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::syntax::parse;

    proptest! {
        #[test]
        fn no_tree_has_more_nodes_than_are_counted(text in r#"[\[\]{}:,"\\\n 1xé'/]{0,40}"#) {
            let parsed = parse(&text);
            let nodes = parsed.tree.root(&text).map_or(0, |root| root.descendants().count());
            let most = if parsed.errors.is_empty() { most_nodes(&text) } else { 3 * most_nodes(&text) };
            prop_assert!(nodes <= most, "{} > {}", nodes, most);
        }
    }

    #[test]
    fn strings_before_a_document_are_searched() {
        assert_eq!(3 * most_nodes("]\"{{{"), 3 * 5);
    }

    #[test]
    fn strings_are_not_searched() {
        assert_eq!(most_nodes(r#"{"a": "1,2:3 [\", {"}"#), 1 + 1 + 3);
        assert_eq!(most_nodes("[1, 22, x]"), 1 + 1 + 5);
    }
}
