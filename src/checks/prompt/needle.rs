use super::DISTINCT;
use super::words::words_of;

/// What is looked for: the words of a prompt, or of one of its lines.
#[derive(Debug)]
pub(super) struct Needle {
    words: Vec<String>,
    /// For each length of a match so far, the length of the longest shorter one that its end is the beginning of.
    fallback: Vec<usize>,
}

/// All that is looked for, each once.
#[derive(Debug, Default)]
pub(super) struct Needles(Vec<Needle>);

const LINE_BREAKS: [char; 3] = ['\n', '\r', '\u{2028}'];

impl Needles {
    /// Each prompt, each of its lines that is too long to be an answer's words by chance, and both without the numbers
    /// of lists, which a page shows apart.
    pub(super) fn new(prompts: &[&str]) -> Needles {
        let mut needles = Needles::default();
        for prompt in prompts {
            needles.add(words_of(prompt));
            if !prompt.contains(LINE_BREAKS) {
                continue;
            }
            let lines = prompt.split(LINE_BREAKS).map(words_of).filter(|words| !words.is_empty());
            let lines: Vec<Vec<String>> = lines.collect();
            if lines.len() < 2 {
                continue;
            }
            let unnumbered = lines.iter().map(|words| without_number(words));
            needles.add(unnumbered.clone().flatten().cloned().collect());
            for line in lines.iter().map(Vec::as_slice).chain(unnumbered).filter(|line| line.len() >= DISTINCT) {
                needles.add(line.to_vec());
            }
        }
        needles
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Needle> {
        self.0.iter()
    }

    fn add(&mut self, words: Vec<String>) {
        if !words.is_empty() && self.0.iter().all(|needle| needle.words != words) {
            self.0.push(Needle::new(words));
        }
    }
}

impl Needle {
    fn new(words: Vec<String>) -> Needle {
        let mut fallback = vec![0; words.len() + 1];
        let mut len = 0;
        for at in 1..words.len() {
            while len > 0 && words[at] != words[len] {
                len = fallback[len];
            }
            len += usize::from(words[at] == words[len]);
            fallback[at + 1] = len;
        }
        Needle { words, fallback }
    }

    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    /// Hands the start and end of each occurrence in a row of `count` words to `each`, in time proportional to `count`.
    pub(super) fn find<'t>(&self, count: usize, word: impl Fn(usize) -> &'t str, mut each: impl FnMut(usize, usize)) {
        let mut len = 0;
        for at in 0..count {
            let next = word(at);
            while len > 0 && (len == self.words.len() || self.words[len] != next) {
                len = self.fallback[len];
            }
            len += usize::from(self.words[len] == next);
            if len == self.words.len() {
                each(at + 1 - len, at + 1);
            }
        }
    }
}

/// The words of a line without the number of a list before them.
fn without_number(words: &[String]) -> &[String] {
    match words {
        [number, rest @ ..] if !rest.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => words,
    }
}
