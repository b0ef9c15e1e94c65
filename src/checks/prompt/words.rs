//! A response as a row of words, each with its place. White space, punctuation and the grammar of snapshots are not words,
//! so that a prompt is found however a page shows it.

use std::borrow::Cow;

use crate::text::{Span, compatible, fold_compatible, is_ignorable, is_mark};

/// A word: a run of letters and digits, folded. A letter of a script without spaces and a sign that stands for letters are words by
/// themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word<'r> {
    pub(super) text: Cow<'r, str>,
    pub(super) span: Span,
    /// Whether it is a sign that stands for letters, such as `™`.
    is_sign: bool,
}

/// A piece of text that belongs together: a name or value in a snapshot, a line in any other response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field<'r> {
    pub(super) place: Place,
    pub(super) words: Vec<Word<'r>>,
    /// The field before it that has the same words and belongs to the same node or to its parent.
    pub(super) repeats: Option<usize>,
}

/// Where a field is, and what a snapshot shows it as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// The text between its quotes.
    pub(super) span: Span,
    /// The line that it is on, without its line break.
    pub(super) line: Span,
    /// A part of a sentence or a control: a link, a button, an emphasis.
    pub(super) is_part: bool,
    /// A link, a picture or a button: what a page may put in place of an address or a name.
    pub(super) is_inserted: bool,
    /// The name of a picture, for example of an emoji.
    pub(super) is_picture: bool,
}

/// Whether nodes of a role are a part of a sentence or a control.
fn is_part(role: &str) -> bool {
    is_inserted(role)
        || matches!(role, "cell" | "code" | "emphasis" | "gridcell" | "mark" | "menuitem" | "option" | "strong")
        || matches!(role, "subscript" | "superscript" | "tab")
}

/// Whether they are what a page puts in place of an address or a name.
fn is_inserted(role: &str) -> bool {
    is_picture(role) || matches!(role, "button" | "link" | "math")
}

fn is_picture(role: &str) -> bool {
    matches!(role, "image" | "img")
}

/// The role of the marks before the entries of a list; a prompt does not say them.
const MARKER: &str = "ListMarker";

/// Roles of nodes around others.
const AROUND: [&str; 10] =
    ["RootWebArea", "article", "document", "generic", "list", "listitem", "log", "main", "paragraph", "region"];

/// The fields of a response, in its order.
pub(super) fn fields(response: &str) -> Vec<Field<'_>> {
    let is_snapshot = is_snapshot(response);
    let mut fields = Vec::new();
    // The nodes around the current line: how far each is indented, its role, and its fields.
    let mut parents: Vec<(usize, &str, Vec<usize>)> = Vec::new();
    for (start, line) in lines(response) {
        let whole = Span::new(start, start + line.len());
        let node = if is_snapshot { node(line) } else { None };
        let Some(node) = node else {
            if !(is_snapshot && is_property(line)) {
                push(&mut fields, response, Place { span: whole, line: whole, ..Place::default() }, &[]);
            }
            continue;
        };
        let indent = indent(line);
        parents.retain(|(outer, ..)| *outer < indent);
        let is_in = |is: fn(&str) -> bool| parents.iter().any(|(_, role, _)| is(role)) || is(node.role);
        let (is_part, is_inserted, is_picture) = (is_in(is_part), is_in(is_inserted), is_in(is_picture));
        let around: Vec<usize> = parents.last().map(|(.., fields)| fields.clone()).unwrap_or_default();
        let mut own: Vec<usize> = Vec::new();
        for span in node.texts.into_iter().flatten().filter(|_| node.role != MARKER) {
            let before = [around.as_slice(), own.as_slice()].concat();
            let place = Place { span: span.shifted_by(start), line: whole, is_part, is_inserted, is_picture };
            own.extend(push(&mut fields, response, place, &before));
        }
        parents.push((indent, node.role, own));
    }
    fields
}

/// The lines of a snapshot without their own text under which all lines are in `own`, and the properties of lines in `own`, such as
/// the address of a link.
pub(super) fn emptied(response: &str, own: &[Span]) -> Vec<Span> {
    /// A line whose children are still being read.
    struct Parent {
        line: Span,
        indent: usize,
        is_own: bool,
        /// Whether it has children, and all of them are empty.
        is_emptied: Option<bool>,
        has_text: bool,
        properties: Vec<Span>,
    }
    let mut emptied = Vec::new();
    let mut parents: Vec<Parent> = Vec::new();
    let mut close = |parents: &mut Vec<Parent>, indent: usize| {
        while let Some(parent) = parents.pop_if(|parent| parent.indent >= indent) {
            let is_emptied = !parent.has_text && parent.is_emptied == Some(true);
            if is_emptied && !parent.is_own {
                emptied.push(parent.line);
            }
            if is_emptied || parent.is_own {
                emptied.extend(parent.properties);
            }
            if let Some(outer) = parents.last_mut() {
                outer.is_emptied = Some(outer.is_emptied.unwrap_or(true) && (parent.is_own || is_emptied));
            }
        }
    };
    if !own.is_empty() && is_snapshot(response) {
        let mut own = own.iter().peekable();
        for (start, line) in lines(response).filter(|(_, line)| !line.trim().is_empty()) {
            let (span, indent) = (Span::new(start, start + line.len()), indent(line));
            while own.next_if(|own| own.end < span.end).is_some() {}
            let is_own = own.peek().is_some_and(|own| own.start <= span.start);
            close(&mut parents, indent);
            if is_property(line) {
                parents.iter_mut().last().into_iter().for_each(|parent| parent.properties.push(span));
                continue;
            }
            let has_text = node(line).is_none_or(|node| node.texts.iter().any(Option::is_some));
            parents.push(Parent { line: span, indent, is_own, is_emptied: None, has_text, properties: Vec::new() });
        }
        close(&mut parents, 0);
    }
    emptied
}

/// The lines and where they start.
fn lines(response: &str) -> impl Iterator<Item = (usize, &str)> {
    response.split('\n').scan(0, |start, line| {
        let at = *start;
        *start += line.len() + 1;
        Some((at, line))
    })
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether every line is one of a snapshot.
fn is_snapshot(response: &str) -> bool {
    let is_node = |line: &str| line.starts_with("- ") || line.starts_with('/');
    lines(response).map(|(_, line)| line.trim_start()).all(|line| line.trim().is_empty() || is_node(line))
}

/// Whether it is the snapshot of a page: it has nodes with names, or a part of a page around others. Lists of an answer have neither.
pub(crate) fn is_page(response: &str) -> bool {
    let is_of_page = |node: Node<'_>| match node.texts {
        [Some(_), _] => true,
        [None, None] => AROUND.contains(&node.role),
        [None, Some(_)] => false,
    };
    is_snapshot(response) && lines(response).filter_map(|(_, line)| node(line)).any(is_of_page)
}

/// Whether a line of a snapshot is a property of the node above, such as `- /url: https://example.com`.
fn is_property(line: &str) -> bool {
    let line = line.trim_start();
    line.strip_prefix("- ").unwrap_or(line).starts_with('/')
}

/// The words of a prompt.
pub(super) fn words_of(text: &str) -> Vec<Cow<'_, str>> {
    words(text, Span::new(0, text.len()), false).into_iter().map(|word| word.text).collect()
}

fn push<'r>(fields: &mut Vec<Field<'r>>, response: &'r str, place: Place, before: &[usize]) -> Option<usize> {
    let is_quoted = place.span != place.line && response[..place.span.start].ends_with('"');
    let words = words(response, place.span, is_quoted);
    if words.is_empty() {
        return None;
    }
    let same = |at: &usize| {
        let known: &[Word<'_>] = &fields[*at].words;
        known.len() == words.len() && known.iter().zip(&words).all(|(one, other)| one.text == other.text)
    };
    let repeats = before.iter().copied().find(same);
    fields.push(Field { place, words, repeats });
    Some(fields.len() - 1)
}

/// The words within `span`. In a quoted text an escaped character counts as what it means.
fn words(text: &str, span: Span, is_quoted: bool) -> Vec<Word<'_>> {
    // The place of each word, and whether its text is not the one at this place.
    let mut found: Vec<(Span, bool)> = Vec::new();
    // Whether the last word may go on, and with more than marks.
    let (mut is_open, mut takes_letters) = (false, false);
    let mut at = span.start;
    while let Some((c, len)) = next_char(&text[at..span.end], is_quoted) {
        let (start, is_escaped) = (at, len != c.len_utf8());
        at += len;
        let is_ignored = is_ignorable(c);
        let is_joined = is_ignored || combines(c);
        match found.last_mut().filter(|_| is_open) {
            Some((word, is_other)) if is_joined || takes_letters && c.is_alphanumeric() && !stands_alone(c) => {
                word.end = if is_ignored { word.end } else { at };
                *is_other |= is_escaped || !(c.is_ascii_lowercase() || c.is_ascii_digit());
            }
            _ if is_ignored || is_mark(c) => {}
            _ => {
                is_open = c.is_alphanumeric() || compatible(c).any(char::is_alphanumeric);
                takes_letters = c.is_alphanumeric() && !stands_alone(c);
                let is_other = is_escaped || !(c.is_ascii_lowercase() || c.is_ascii_digit());
                found.extend(is_open.then_some((Span::new(start, at), is_other)));
            }
        }
    }
    let word = |(span, is_other): (Span, bool)| {
        let slice = &text[span.range()];
        if !is_other {
            return Word { text: slice.into(), span, is_sign: false };
        }
        let meant = meant(slice, is_quoted);
        let mut folded = fold_compatible(&meant);
        folded.retain(|c| c.is_alphanumeric() || is_mark(c));
        Word { text: folded.into(), span, is_sign: !meant.contains(char::is_alphanumeric) }
    };
    found.into_iter().map(word).collect()
}

/// The next character and the number of bytes that it takes. In a quoted text a backslash escapes.
fn next_char(text: &str, is_quoted: bool) -> Option<(char, usize)> {
    let c = text.chars().next()?;
    Some(if is_quoted && c == '\\' { escaped(text).unwrap_or((' ', 1)) } else { (c, c.len_utf8()) })
}

/// The character that a backslash at the beginning of the text escapes, and the number of bytes. White space stands for other ones.
fn escaped(text: &str) -> Option<(char, usize)> {
    let c = text[1..].chars().next()?;
    let digits = match c {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        '"' | '\\' | '/' => return Some((c, 2)),
        _ => return Some((' ', 1 + c.len_utf8())),
    };
    let number = text.get(2..2 + digits).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    Some(number.and_then(char::from_u32).map_or((' ', 2), |c| (c, 2 + digits)))
}

/// The text without its escapes.
fn meant(mut text: &str, is_quoted: bool) -> String {
    let mut meant = String::new();
    while let Some((c, len)) = next_char(text, is_quoted) {
        meant.push(c);
        text = &text[len..];
    }
    meant
}

/// The escaped characters in the quoted names and values of a snapshot, each with its place, in order: `\"` in double quotes, and `''` in
/// the single quotes that YAML puts around a line with a colon.
pub(crate) fn escapes(response: &str) -> Vec<(Span, char)> {
    let mut escapes = Vec::new();
    if !(response.contains('\\') || response.contains("''")) || !is_snapshot(response) {
        return escapes;
    }
    for (start, line) in lines(response) {
        let Some(node) = node(line) else { continue };
        let is_yaml_quoted = line.trim_start().starts_with("- '");
        for span in node.texts.into_iter().flatten() {
            let is_quoted = line[..span.start].ends_with('"');
            let is_single = is_yaml_quoted || line[..span.start].ends_with("'");
            let mut at = span.start;
            while let Some(c) = line[at..span.end].chars().next() {
                let rest = &line[at..span.end];
                let escape = match c {
                    '\\' if is_quoted => escaped(rest),
                    '\'' if is_single && rest.starts_with("''") => Some((c, 2)),
                    _ => None,
                };
                let len = escape.map_or(c.len_utf8(), |(_, len)| len);
                escapes.extend(escape.map(|(c, len)| (Span::new(start + at, start + at + len), c)));
                at += len;
            }
        }
    }
    escapes
}

/// Whether a character changes the letter before it: a mark, or what is compatible with one.
fn combines(c: char) -> bool {
    is_mark(c) || matches!(c, '\u{e33}' | '\u{eb3}' | '\u{309b}' | '\u{309c}' | '\u{ff9e}' | '\u{ff9f}')
}

/// Whether a letter is of a script that is written without spaces: Chinese, Japanese, Thai and the like.
fn stands_alone(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{a4cf}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// A line of a snapshot: its role, and where in the line its name and its value are.
struct Node<'l> {
    role: &'l str,
    texts: [Option<Span>; 2],
}

/// Reads `- role "name" [attribute] state: value`; `None` for a line that has another form.
fn node(line: &str) -> Option<Node<'_>> {
    let line = line.trim_end_matches(['\r', ' ']);
    // YAML puts a key with a colon in it into single quotes.
    let rest = line.trim_start().strip_prefix("- ")?;
    let rest = rest.strip_prefix('\'').unwrap_or(rest);
    let (role, mut rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len()));
    if role.is_empty() || role.starts_with(char::is_uppercase) && !CAPITALIZED.contains(&role) {
        return None;
    }
    let inner = |text: &str| Span::new(line.len() - text.len(), line.len());
    let mut name = None;
    if let Some(quoted) = rest.strip_prefix(" \"") {
        let (span, len) = (inner(quoted), closing_quote(quoted)?);
        name = Some(Span::new(span.start, span.start + len));
        rest = &quoted[len + 1..];
    }
    loop {
        let next = rest.trim_start_matches(' ');
        rest = match next.strip_prefix('[') {
            Some(attribute) => attribute.split_once(']')?.1,
            None => {
                let word = next.len() - next.trim_start_matches(|c: char| c.is_ascii_lowercase()).len();
                if !is_state(&next[..word]) {
                    break;
                }
                &next[word..]
            }
        };
    }
    let rest = rest.trim_start_matches(' ');
    let rest = rest.strip_prefix('\'').unwrap_or(rest);
    let value = match rest.strip_prefix(':') {
        None if rest.is_empty() => None,
        None => return None,
        Some("") => None,
        Some(value) => {
            let value = value.strip_prefix(' ')?;
            let span = inner(value);
            let is_quoted = value.len() >= 2
                && ['"', '\''].iter().any(|quote| value.starts_with(*quote) && value.ends_with(*quote));
            Some(if is_quoted { Span::new(span.start + 1, span.end - 1) } else { span })
        }
    };
    Some(Node { role, texts: [name, value] })
}

/// The words of fields, one behind the other, and their letters and digits without spaces.
pub(super) struct Row<'r> {
    fields: &'r [Field<'r>],
    /// The index of the field and that of the word in it.
    pub(super) words: Vec<(usize, usize)>,
    text: String,
    /// Where each word starts in the text, and where the text ends.
    starts: Vec<usize>,
}

impl<'r> Row<'r> {
    /// The words of the fields that count, without those that only repeat others.
    pub(super) fn new(fields: &'r [Field<'r>], counts: impl Fn(&Field<'_>) -> bool) -> Row<'r> {
        let mut row = Row { fields, words: Vec::new(), text: String::new(), starts: Vec::new() };
        for (at, field) in fields.iter().enumerate().filter(|(_, field)| field.repeats.is_none() && counts(field)) {
            for (number, word) in field.words.iter().enumerate() {
                row.words.push((at, number));
                row.starts.push(row.text.len());
                row.text.push_str(&word.text);
            }
        }
        row.starts.push(row.text.len());
        row
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> {
        self.text.bytes()
    }

    /// The letters and digits of the words from `start` to `end`.
    pub(super) fn text(&self, start: usize, end: usize) -> &str {
        &self.text[self.starts[start]..self.starts[end]]
    }

    /// The index of the word that starts at this byte; the number of words at the end.
    pub(super) fn word_at(&self, byte: usize) -> Option<usize> {
        self.starts.binary_search(&byte).ok()
    }

    pub(super) fn is_inserted(&self, word: usize) -> bool {
        let (field, word) = self.words[word];
        let field = &self.fields[field];
        field.place.is_inserted || field.words[word].is_sign
    }
}

/// Where the quote after `text` is that no backslash escapes.
fn closing_quote(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, c)| {
        let closes = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        closes.then_some(at)
    })
}

/// The roles that begin with a capital letter: Chromium's own.
const CAPITALIZED: [&str; 8] =
    ["Abbr", "Iframe", "InlineTextBox", "LabelText", "LineBreak", "ListMarker", "RootWebArea", "StaticText"];

/// Whether a word is allowed between a node's name and its value, as attributes in brackets are.
fn is_state(word: &str) -> bool {
    matches!(word, "busy" | "checked" | "disabled" | "editable" | "expanded" | "focusable" | "focused" | "hidden")
        || matches!(word, "multiline" | "readonly" | "required" | "selected")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each field's text, in parentheses if it is a part, behind `=` if it repeats another.
    fn shown(response: &str) -> Vec<String> {
        let fields = fields(response);
        let show = |field: &Field<'_>| {
            let text = &response[field.place.span.range()];
            let text = if field.place.is_part { format!("({text})") } else { text.to_owned() };
            if field.repeats.is_some() { format!("={text}") } else { text }
        };
        fields.iter().map(show).collect()
    }

    #[test]
    fn a_snapshots_names_and_values_are_fields() {
        let snapshot = r#"
- main
  - heading "Week 12" [level=1] focusable: Week
    - StaticText "Week 12"
  - listitem [level=1]
    - ListMarker "1. "
    - StaticText "Order \"7\", now"
  - link "Open \\" [url=http://a: b]
  - textbox "Ask" [ref=e1]: what: now
  - text: "quoted: \"yes\""
  - 'button "Undo: all"'
  - 'button "Redo: all" [disabled]': Redo
  - /url: http://x
  - paragraph
  - StaticText "half
"#;
        assert_eq!(
            shown(snapshot),
            [
                "Week 12",
                "Week",
                "=Week 12",
                r#"Order \"7\", now"#,
                r"(Open \\)",
                "Ask",
                "what: now",
                r#"quoted: \"yes\""#,
                "(Undo: all)",
                "(Redo: all)",
                "(Redo)",
                r#"  - StaticText "half"#,
            ]
        );
    }

    #[test]
    fn a_line_of_any_other_text_is_a_field() {
        assert_eq!(shown("One\n- text: two\n\n-- "), ["One", "- text: two"]);
        assert_eq!(shown("- Triage the blockers\n- note"), ["- Triage the blockers"]);
        assert_eq!(shown("- Triage: now"), ["- Triage: now"]);
        assert_eq!(shown(""), [""; 0]);
    }

    #[test]
    fn words_are_folded_and_know_their_place() {
        assert_eq!(words_of("E\u{301}ta\u{301} Kun\u{ad}de a\u{200b}b \u{301}"), ["étá", "kunde", "ab"]);
        assert_eq!(words_of("Größe_2, IT\u{2019}s 7.5 %\n你好!"), ["grösse", "2", "it", "s", "7", "5", "你", "好"]);
        assert_eq!(words_of("か\u{3099}ｶﾞ x²½ ﬃ™ ©"), ["が", "ガ", "x212", "ffi", "tm"]);
        let response = r#"- text: "a\nB\t\"c\" d\xade \u00c9""#;
        let field = &fields(response)[0];
        let words: Vec<&str> = field.words.iter().map(|word| &response[word.span.range()]).collect();
        assert_eq!(words, ["a", "B", "c", r"d\xade", r"\u00c9"]);
        let words: Vec<&str> = field.words.iter().map(|word| word.text.as_ref()).collect();
        assert_eq!(words, ["a", "b", "c", "de", "é"]);
    }
}
