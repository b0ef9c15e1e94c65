/// Returns whether a word continues at the byte `at` of `text`. Scripts without upper and lower case often have no spaces
/// between words, so their letters do not continue a word.
pub(crate) fn is_within_a_word(text: &str, at: usize) -> bool {
    let is_of_a_word = |c: char| c.is_lowercase() || c.is_uppercase() || c.is_numeric();
    let (before, after) = text.split_at(at);
    before.chars().next_back().is_some_and(is_of_a_word) && after.chars().next().is_some_and(is_of_a_word)
}
