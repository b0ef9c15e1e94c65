use similar::{ChangeTag, TextDiff};

/// The lines around a difference.
const AROUND: usize = 3;

/// The lines that differ between two answers, with some lines around them. Each has its sign: `+`, `-` or a space.
pub(crate) fn differences(before: &str, now: &str) -> Vec<(char, String)> {
    let diff = TextDiff::configure().timeout(std::time::Duration::from_millis(200)).diff_lines(before, now);
    let mut found = Vec::new();
    for group in diff.grouped_ops(AROUND) {
        if !found.is_empty() {
            found.push((' ', "…".to_owned()));
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            found.push((sign, change.value().trim_end_matches(['\r', '\n']).to_owned()));
        }
    }
    found
}
