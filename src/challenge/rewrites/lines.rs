//! The lines of an answer, their marks and their labels.

/// What a rewrite makes of a line outside of code; `None` if there is no place for it.
type OfLine = fn(&str) -> Option<String>;

/// The longest label of a line, in code points. Longer text before a colon is a sentence.
pub(super) const LONGEST_LABEL: usize = 30;

/// The lines of an answer, each with its end, and whether it is code: a fence, what is in it, or what is indented by four spaces.
pub(super) fn lines(answer: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut is_fenced = false;
    answer.split_inclusive('\n').map(move |line| {
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        is_fenced ^= is_fence;
        (line, is_fence || is_fenced || line.starts_with("    "))
    })
}

/// The answer with each line outside of code rewritten.
pub(super) fn by_line(answer: &str, of_line: OfLine) -> String {
    let rewritten = lines(answer).map(|(line, is_code)| {
        let text = line.trim_end_matches(['\n', '\r']);
        // A line with code or an address in it is matched for its characters.
        let is_literal = is_code || text.contains('`') || text.contains("://");
        match of_line(text).filter(|_| !is_literal) {
            Some(other) => format!("{other}{}", &line[text.len()..]),
            None => line.to_owned(),
        }
    });
    rewritten.collect()
}

/// The mark of an entry of a list, with the space around it; the number of an ordered list is one. Empty if there is none.
pub(super) fn marker(line: &str) -> &str {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < text.len() && (number.starts_with(". ") || number.starts_with(") "));
    let length = match () {
        () if text.starts_with("- ") || text.starts_with("* ") || text.starts_with("+ ") => 2,
        () if text.starts_with("• ") => "• ".len(),
        () if is_numbered => text.len() - number.len() + 2,
        () => 0,
    };
    if length == 0 { "" } else { &line[..indent + length] }
}

/// The label at the start of a line and what follows its colon, behind the mark of a list.
pub(super) fn label(line: &str) -> Option<(&str, &str, &str)> {
    let mark = marker(line);
    let (label, rest) = line[mark.len()..].split_once(": ")?;
    let is_label = label.starts_with(char::is_alphabetic)
        && label.chars().count() <= LONGEST_LABEL
        && !label.contains(['.', ',', '*', '_', '|', '"', '!', '?']);
    (is_label && !rest.trim().is_empty()).then_some((mark, label, rest))
}
