/// A text without its line breaks, as terminals and encoders of Base64 add them.
pub(super) struct Joined {
    pub(super) text: String,
    /// Where each line starts: in `text`, and before.
    lines: Vec<(usize, usize)>,
}

impl Joined {
    pub(super) fn new(text: &str) -> Self {
        let mut joined = Joined { text: String::with_capacity(text.len()), lines: Vec::new() };
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            joined.lines.push((joined.text.len(), start));
            joined.text.push_str(line.trim_end_matches(['\r', '\n']));
            start += line.len();
        }
        joined
    }

    /// Where the byte at `at` was before.
    pub(super) fn before(&self, at: usize) -> usize {
        let line = self.lines.partition_point(|(start, _)| *start <= at).saturating_sub(1);
        let (start, before) = self.lines[line];
        before + at - start
    }
}
