use super::words::{Row, words_of};

/// How many words a page shows at most in place of a gap: an address of many parts, or the name of a link.
const GAP: usize = 24;

/// How many more it shows for each further part of the gap: a short address, or the name of a link in nodes of half a word.
const GAP_OF_PART: usize = 6;

/// How many words a page adds at most where a block of code begins: its language and a button.
const BESIDE_CODE: usize = 4;

/// How many gaps a prompt has at most. Text behind that is looked for as it is, so that a hostile prompt takes no longer.
const MOST_GAPS: usize = 32;

/// How many parts a gap has at most, for the same reason.
const MOST_PARTS: usize = 8;

/// How many places before a segment are tried as the end of the one before it. The nearest one is nearly always right.
const TRIED: usize = 8;

/// The longest part that is a gap, in bytes. No address on a page is longer, and each character of a prompt may begin one.
const LONGEST: usize = 1024;

/// The longest reference that is a gap, in bytes, for the same reason.
const LONGEST_NAME: usize = 128;

/// What is looked for: the words of a prompt, or of one of its lines, with gaps where a page may show something else.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Needle {
    /// The letters and digits between the gaps, without spaces. Never empty, and none of them is empty.
    segments: Vec<Segment>,
    /// The gap before each segment, and the one behind the last.
    gaps: Vec<Gap>,
    /// The letters and digits of the whole, with those of the gaps and without.
    whole: [String; 2],
}

#[derive(Debug, PartialEq, Eq)]
struct Segment {
    text: String,
    /// For each length of a match so far, in bytes, the length of the longest shorter one that its end is the beginning of.
    fallback: Vec<usize>,
}

/// A part of a prompt that a page may leave out, shorten, or show as a link or a picture with another name: an address, a mention, the
/// target of a Markdown link, a tag, the name of an emoji, the number of a list, the language of a block of code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Gap {
    /// The letters and digits of each part that stands here, without spaces. Without a part, the text goes on.
    parts: Vec<String>,
    /// How many words they are as they are written.
    words: usize,
    is_code: bool,
}

impl Needle {
    fn new(prompt: &str) -> Option<Needle> {
        let mut needle = Needle { segments: Vec::new(), gaps: vec![Gap::default()], whole: Default::default() };
        let mut segment = String::new();
        for piece in pieces(prompt) {
            match piece {
                Piece::Text(text) => {
                    let words = words_of(text).concat();
                    needle.whole.iter_mut().for_each(|whole| whole.push_str(&words));
                    segment.push_str(&words);
                }
                Piece::Gap(text, is_code) => {
                    let words = words_of(text);
                    let count = words.len();
                    let words = words.concat();
                    needle.whole[0].push_str(&words);
                    let is_full = needle.gaps.last().is_none_or(|gap| gap.parts.len() == MOST_PARTS);
                    if is_full || (needle.gaps.len() == MOST_GAPS && !segment.is_empty()) {
                        segment.push_str(&words);
                        continue;
                    }
                    if !segment.is_empty() {
                        needle.segments.push(Segment::new(std::mem::take(&mut segment)));
                        needle.gaps.push(Gap::default());
                    }
                    let gap = needle.gaps.last_mut()?;
                    gap.parts.push(words);
                    gap.words += count;
                    gap.is_code |= is_code;
                }
            }
        }
        if !segment.is_empty() {
            needle.segments.push(Segment::new(segment));
            needle.gaps.push(Gap::default());
        }
        if needle.segments.is_empty() {
            // It is nothing but an address, which the page shows.
            let text = needle.gaps[0].parts.concat();
            needle.segments = vec![Segment::new(text)];
            needle.gaps = vec![Gap::default(), Gap::default()];
        }
        (!needle.segments[0].text.is_empty()).then_some(needle)
    }

    /// Hands the first word and the one behind the last of each occurrence in `row` to `each`.
    pub(super) fn find(&self, row: &Row<'_>, mut each: impl FnMut(usize, usize)) {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            let mut next = Vec::new();
            // The occurrences of the segments before that end before this one starts.
            let mut before = 0;
            segment.find(row, |start, end| {
                if at == 0 {
                    next.push((start, end));
                    return;
                }
                while before < found.len() && found[before].1 <= start {
                    before += 1;
                }
                let most = self.gaps[at].most_words().max(self.gaps[at].words);
                let near = found[..before].iter().rev().take_while(|(_, ended)| start - ended <= most);
                let joined = near.take(TRIED).find(|(_, ended)| self.gaps[at].explains(row, *ended, start));
                next.extend(joined.map(|(origin, _)| (*origin, end)));
            });
            found = next;
            if found.is_empty() {
                return;
            }
        }
        let last = self.gaps.len() - 1;
        for (start, end) in found {
            let (before, after) = (&self.gaps[0], &self.gaps[last]);
            // Only a gap with more words than a page shows in its place can be longer as it is written.
            let is_long = |gap: &Gap| gap.words > gap.most_words();
            let written = start.checked_sub(before.words).filter(|_| is_long(before));
            let written = written.filter(|from| before.is_written(row, *from, start));
            let mut shown = start.saturating_sub(before.most_words())..start;
            let first = written.or_else(|| shown.find(|from| before.explains(row, *from, start)));
            let written = Some(end + after.words).filter(|to| is_long(after) && *to <= row.len());
            let written = written.filter(|to| after.is_written(row, end, *to));
            let mut shown = (end + 1..=row.len().min(end + after.most_words())).rev();
            let behind = written.or_else(|| shown.find(|to| after.explains(row, end, *to)));
            each(first.unwrap_or(start), behind.unwrap_or(end));
        }
    }

    /// Whether the letters and digits begin the prompt.
    pub(super) fn begins_with(&self, text: &str) -> bool {
        self.whole.iter().any(|whole| whole.starts_with(text))
    }
}

impl Gap {
    /// How many words a page shows at most in its place, unless it shows all of them as they are written.
    fn most_words(&self) -> usize {
        GAP + GAP_OF_PART * self.parts.len().saturating_sub(1)
    }

    /// Whether these words are the gap as it is written.
    fn is_written(&self, row: &Row<'_>, start: usize, end: usize) -> bool {
        let mut rest = row.text(start, end);
        let is_next = |part: &String| rest.strip_prefix(part.as_str()).map(|left| rest = left).is_some();
        self.parts.iter().all(is_next) && rest.is_empty()
    }

    /// Whether a page that shows the prompt may have the words from `start` to `end` in place of the gap.
    fn explains(&self, row: &Row<'_>, start: usize, end: usize) -> bool {
        if self.is_code && end - start <= BESIDE_CODE || self.is_written(row, start, end) {
            return true;
        }
        if end - start > self.most_words() {
            return false;
        }
        // Up to where the parts so far explain the words. Each part is left out, shortened, or has another name.
        let mut reached = vec![start];
        for part in &self.parts {
            let from: Vec<usize> = std::mem::take(&mut reached);
            let is_explained = |from: usize, to: usize| {
                part.contains(row.text(from, to)) || (from..to).all(|word| row.is_inserted(word))
            };
            reached =
                (start..=end).filter(|to| from.iter().any(|from| from <= to && is_explained(*from, *to))).collect();
        }
        reached.contains(&end)
    }
}

impl Segment {
    fn new(text: String) -> Segment {
        let bytes = text.as_bytes();
        let mut fallback = vec![0; bytes.len() + 1];
        let mut len = 0;
        for at in 1..bytes.len() {
            while len > 0 && bytes[at] != bytes[len] {
                len = fallback[len];
            }
            len += usize::from(bytes[at] == bytes[len]);
            fallback[at + 1] = len;
        }
        Segment { text, fallback }
    }

    /// Hands the first word and the one behind the last of each occurrence to `each`, in time proportional to the row. A page may part a
    /// word, so the words in between are any, but the occurrence starts where a word does and ends where a word does.
    fn find(&self, row: &Row<'_>, mut each: impl FnMut(usize, usize)) {
        let wanted = self.text.as_bytes();
        let mut len = 0;
        for (at, byte) in row.bytes().enumerate() {
            while len > 0 && (len == wanted.len() || wanted[len] != byte) {
                len = self.fallback[len];
            }
            len += usize::from(wanted[len] == byte);
            if len == wanted.len()
                && let (Some(start), Some(end)) = (row.word_at(at + 1 - len), row.word_at(at + 1))
            {
                each(start, end);
            }
        }
    }
}

/// All that is looked for, each once.
#[derive(Debug, Default)]
pub(super) struct Needles(Vec<Needle>);

const LINE_BREAKS: [char; 3] = ['\n', '\r', '\u{2028}'];

impl Needles {
    /// Each prompt, and each of its lines that is too long to be an answer's words by chance.
    pub(super) fn new(prompts: &[&str]) -> Needles {
        let mut needles = Needles::default();
        for prompt in prompts {
            needles.add(prompt);
            let lines: Vec<&str> = prompt.split(LINE_BREAKS).filter(|line| !words_of(line).is_empty()).collect();
            if lines.len() > 1 {
                let distinct = lines.into_iter().filter(|line| words_of(line).len() >= super::DISTINCT);
                distinct.for_each(|line| needles.add(line));
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

    fn add(&mut self, text: &str) {
        self.0.extend(Needle::new(text).filter(|needle| !self.0.contains(needle)));
    }
}

/// A part of a prompt.
#[derive(Debug, PartialEq, Eq)]
enum Piece<'p> {
    Text(&'p str),
    /// The text of a gap, and whether it is beside a block of code.
    Gap(&'p str, bool),
}

/// The parts of a prompt.
fn pieces(prompt: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut text, mut at) = (0, 0);
    let mut line = LineStart::new();
    while let Some(c) = prompt[at..].chars().next() {
        let found = gap(prompt, at, &line);
        line.pass(c);
        let Some((len, is_code)) = found else {
            at += c.len_utf8();
            continue;
        };
        pieces.push(Piece::Text(&prompt[text..at]));
        pieces.push(Piece::Gap(&prompt[at..at + len], is_code));
        at += len;
        text = at;
    }
    pieces.push(Piece::Text(&prompt[text..]));
    pieces
}

/// What is on a line so far.
struct LineStart {
    /// Nothing but white space.
    is_blank: bool,
    /// Nothing but white space and the marker of a list.
    is_marker: bool,
}

impl LineStart {
    fn new() -> LineStart {
        LineStart { is_blank: true, is_marker: true }
    }

    fn pass(&mut self, c: char) {
        if LINE_BREAKS.contains(&c) {
            *self = LineStart::new();
            return;
        }
        self.is_blank &= c.is_whitespace();
        self.is_marker &= c.is_whitespace() || matches!(c, '-' | '*' | '+');
    }
}

/// The length of the gap that begins at `at`, in bytes, and whether it is beside a block of code.
fn gap(prompt: &str, at: usize, line: &LineStart) -> Option<(usize, bool)> {
    let (before, rest) = prompt.split_at(at);
    let rest = &rest[..rest.floor_char_boundary(LONGEST.min(rest.len()))];
    let is_after_word = before.ends_with(char::is_alphanumeric);
    let first = rest.chars().next()?;
    let len = match first {
        '`' | '~' if line.is_blank && (rest.starts_with("```") || rest.starts_with("~~~")) => {
            return Some((rest.find(LINE_BREAKS).unwrap_or(rest.len()), true));
        }
        '0'..='9' if line.is_blank => number_of_list(rest),
        '[' if line.is_marker => task(rest),
        '!' if rest.starts_with("![") => {
            rest.find("](").and_then(|end| Some(end + 1 + parenthesized(&rest[end + 1..])?))
        }
        '(' if before.ends_with(']') => parenthesized(rest),
        '(' => typed(rest, &SIGNS),
        '<' => tag(rest),
        '&' => rest
            .find(';')
            .filter(|end| rest[1..*end].chars().all(|c| c.is_ascii_alphanumeric() || c == '#') && *end > 1)
            .map(|end| end + 1),
        ':' if !is_after_word => shortcode(rest),
        // A formula.
        '$' => rest[1..]
            .find(['$', '\n'])
            .filter(|end| rest[1 + end..].starts_with('$') && !rest[..=*end].ends_with(' '))
            .map(|end| end + 2),
        // Symbols and pictures.
        '\u{203c}'
        | '\u{2049}'
        | '\u{2122}'
        | '\u{2139}'
        | '\u{2190}'..='\u{27bf}'
        | '\u{2900}'..='\u{2bff}'
        | '\u{1f000}'..='\u{1faff}' => Some(first.len_utf8()),
        _ => None,
    };
    let named = || typed(rest, &EMOTICONS).or_else(|| address(rest)).or_else(|| reference(rest));
    len.or_else(|| if is_after_word { None } else { named() }).map(|len| (len, false))
}

/// What people type for a sign without letters.
const SIGNS: [&str; 6] = ["(c)", "(r)", "(p)", "(e)", "(o)", "(tm)"];

/// What people type for a face, if it has letters or digits.
const EMOTICONS: [&str; 22] = [
    ":d", ":-d", "=d", ":p", ":-p", "=p", ";p", ";-p", ":o", ":-o", ":s", ":-s", ":z", ":-z", "xd", "x)", "o:)", "8)",
    "8-)", "b-)", "<3", "</3",
];

/// One of these texts, in any case, with no letter behind it.
fn typed(rest: &str, texts: &[&str]) -> Option<usize> {
    let len = texts.iter().filter(|text| starts_with(rest, text)).map(|text| text.len()).max()?;
    (!rest[len..].starts_with(char::is_alphanumeric)).then_some(len)
}

/// `1.` or `1)` at the beginning of a line.
fn number_of_list(rest: &str) -> Option<usize> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let is_of_list =
        matches!(rest.as_bytes().get(digits), Some(b'.' | b')')) && rest[digits + 1..].starts_with([' ', '\t']);
    (is_of_list && digits <= 9).then_some(digits)
}

/// `[x]` of a list of tasks.
fn task(rest: &str) -> Option<usize> {
    ["[x]", "[X]"].into_iter().find(|mark| rest.starts_with(mark)).map(str::len)
}

/// `(…)` on one line, up to the parenthesis that closes it.
fn parenthesized(rest: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if LINE_BREAKS.contains(&c) => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// `<…>`: a tag, a comment, or an address in brackets.
fn tag(rest: &str) -> Option<usize> {
    let is_tag = rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
    let end = rest.find('>').filter(|end| is_tag && !rest[..*end].contains(LINE_BREAKS))?;
    Some(end + 1)
}

/// `:name:` of an emoji.
fn shortcode(rest: &str) -> Option<usize> {
    let end = rest[1..].find(':').filter(|end| *end > 0)?;
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '+' | '-');
    rest[1..=end].chars().all(is_name).then_some(end + 2)
}

fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

/// What a page may show by its title or name: a mention, the number of an issue, a key such as `SHOP-42`, a commit, a file, an address of e-mail.
fn reference(rest: &str) -> Option<usize> {
    let rest = &rest[..rest.floor_char_boundary(LONGEST_NAME.min(rest.len()))];
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+' | '@' | '#');
    let name = rest[..rest.find(|c: char| !is_of_name(c)).unwrap_or(rest.len())]
        .trim_end_matches(['.', '-', '/', '+', '@', '#']);
    let goes_on = |mark: char| name.split(mark).skip(1).any(|part| part.starts_with(char::is_alphanumeric));
    let is_file =
        name.rsplit_once('.').is_some_and(|(_, end)| end.len() > 1 && !end.starts_with(|c: char| c.is_ascii_digit()));
    let has = |is_part: fn(char) -> bool| name.contains(is_part);
    let is_key = name.len() > 5 && has(char::is_alphabetic) && has(char::is_numeric);
    (goes_on('@') || goes_on('#') || is_file || is_key).then_some(name.len())
}

/// An address with a scheme, or that begins with `www.`.
fn address(rest: &str) -> Option<usize> {
    let is_address = ["https://", "http://", "ftp://", "file://", "www."].iter().any(|start| starts_with(rest, start));
    if !is_address {
        return None;
    }
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`')).unwrap_or(rest.len());
    let address = rest[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', '”', '’']);
    // A parenthesis that the address does not open belongs to the sentence.
    let is_open = address.matches('(').count() >= address.matches(')').count();
    let address = if is_open { address } else { address.trim_end_matches(')') };
    Some(address.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_may_show_otherwise_is_a_gap() {
        for marked in [
            "See «https://example.com/a(b)». Or («www.example.com»)?",
            "Ask «@desk-2», or «a@b.c».",
            "Fix «#12», «SHOP-42» and «1a2b3c4» in «src/main.rs»: «$x^2$» at $5 or $6, C#, e.g. 3.5 or R2-D2",
            "The «(c)» mark «:D» and «<3», (see) :data 8",
            "Read [our docs]«(https://docs.example.com/a \"t\")» and «![plan](p.png)»!",
            "Well done «:tada:» at 10:30:15 «🎉» «&amp;» «<b>»go«</b>», a < b",
            "Do:\n«1». one\n «2») two\n- «[x]» three\n«```python»\nprint()\n«```»",
            "2026 was good. whatever, http is old",
        ] {
            let prompt = marked.replace(['«', '»'], "");
            let found = pieces(&prompt).into_iter().filter_map(|piece| match piece {
                Piece::Gap(text, _) => Some(text),
                Piece::Text(_) => None,
            });
            let gaps = marked.split('«').skip(1).filter_map(|rest| rest.split('»').next());
            assert_eq!(found.collect::<Vec<_>>(), gaps.collect::<Vec<_>>(), "{marked}");
        }
    }
}
