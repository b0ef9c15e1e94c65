//! Pages for people, rendered as Markdown, or as plain text for clients without Markdown.
//!
//! Text from suites, answers and files enters a page only through [`Line::code`], [`Line::text`], [`Line::message`] and
//! [`Markup::code_block`], which make it harmless in both forms.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};

use crate::checks::CheckOutcome;
use crate::diagnostic::{fenced, parts_of_message};
use crate::text::{visible, visible_start};
use crate::verdict::Status;

use super::sign;

/// The style of important words in a terminal.
pub(crate) const BOLD: Style = Style::new().bold();

/// The longest text from outside, in code points. Two lines of a hover.
const SHOWN: usize = 160;
/// The longest block of text from outside, in code points. Editors show longer texts slowly.
const BLOCK: usize = 200_000;

/// A page: paragraphs and lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Markup {
    blocks: Vec<Block>,
}

/// A line of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Block {
    Paragraph(Line),
    /// An item of a list. Depth 0 is the outermost.
    Item(usize, Line),
    /// Trusted Markdown.
    Markdown(String),
    /// Text from outside.
    Code(String),
    Rule,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// Trusted words, in Markdown.
    Words(String),
    Text(String),
    Code(String),
    Name(String),
    Strong(String),
    Outcome(CheckOutcome),
}

impl Markup {
    /// Adds a paragraph, unless the line is empty.
    pub(crate) fn paragraph(&mut self, line: Line) {
        if !line.pieces.is_empty() {
            self.blocks.push(Block::Paragraph(line));
        }
    }

    /// Adds an item to a list. `depth` is 0 for the outermost list.
    pub(crate) fn item(&mut self, depth: usize, line: Line) {
        self.blocks.push(Block::Item(depth, line));
    }

    /// Adds trusted Markdown.
    pub(crate) fn markdown_text(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.blocks.push(Block::Markdown(text));
        }
    }

    /// Adds text from outside on separate lines.
    pub(crate) fn code_block(&mut self, text: &str) {
        self.blocks.push(Block::Code(text.to_owned()));
    }

    /// Adds all of another page, with a rule in between unless one of the pages is empty.
    pub(crate) fn append(&mut self, other: Markup) {
        if !self.is_empty() && !other.is_empty() {
            self.blocks.push(Block::Rule);
        }
        self.blocks.extend(other.blocks);
    }

    /// Whether the page is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The page as Markdown (CommonMark).
    pub(crate) fn to_markdown(&self) -> String {
        self.render(Line::markdown, |text| text.trim_end().to_owned(), code_block)
    }

    /// The page as Markdown for a file that GitHub or another site shows.
    pub(crate) fn to_site_markdown(&self) -> String {
        self.render(Line::site_markdown, |text| text.trim_end().to_owned(), code_block)
    }

    /// The page as plain text.
    pub(crate) fn to_plain(&self) -> String {
        self.render(Line::plain, |text| text.trim_end().replace('`', ""), visible_lines)
    }

    /// The page as lines of a terminal, each with a line break, indented by that many spaces.
    pub(crate) fn to_terminal(&self, indent: usize) -> String {
        let mut page = String::new();
        let mut add = |depth: usize, line: &str| page.push_str(&format!("{:1$}{line}\n", "", indent + 2 * depth));
        for block in &self.blocks {
            match block {
                Block::Paragraph(words) => add(0, &words.terminal()),
                Block::Item(depth, words) => add(*depth, &words.terminal()),
                Block::Markdown(text) => add(0, text),
                Block::Code(text) => visible_lines(text).lines().for_each(|line| add(0, line)),
                Block::Rule => {}
            }
        }
        page
    }

    fn render(
        &self,
        line: impl Fn(&Line) -> String,
        own: impl Fn(&str) -> String,
        code: impl Fn(&str) -> String,
    ) -> String {
        let mut page = String::new();
        let mut after_item = false;
        for block in &self.blocks {
            let is_item = matches!(block, Block::Item(..));
            if !page.is_empty() {
                page.push_str(if is_item && after_item { "\n" } else { "\n\n" });
            }
            after_item = is_item;
            match block {
                Block::Paragraph(words) => page.push_str(&line(words)),
                Block::Item(depth, words) => page.push_str(&format!("{:1$}- {2}", "", depth * 2, line(words))),
                Block::Markdown(text) => page.push_str(&own(text)),
                Block::Code(text) => page.push_str(&code(text)),
                Block::Rule => page.push_str("---"),
            }
        }
        page
    }
}

impl Line {
    /// A line of trusted words, which may contain Markdown.
    pub(crate) fn new(words: impl Into<String>) -> Line {
        Line::default().say(words)
    }

    /// Adds trusted words, which may contain Markdown.
    #[must_use]
    pub(crate) fn say(mut self, words: impl Into<String>) -> Line {
        self.pieces.push(Piece::Words(words.into()));
        self
    }

    /// Adds text from outside.
    #[must_use]
    pub(crate) fn text(mut self, text: &str) -> Line {
        self.pieces.push(Piece::Text(shown(text)));
        self
    }

    /// Adds a message from outside. Names in backticks become code.
    #[must_use]
    pub(crate) fn message(self, message: &str) -> Line {
        let add =
            |line: Line, (part, is_quoted): (&str, bool)| if is_quoted { line.code(part) } else { line.text(part) };
        parts_of_message(message).into_iter().fold(self, add)
    }

    /// Adds text from outside as code. An empty text becomes two quotes.
    #[must_use]
    pub(crate) fn code(mut self, text: &str) -> Line {
        self.pieces.push(Piece::Code(if text.is_empty() { "\"\"".to_owned() } else { shown(text) }));
        self
    }

    /// Adds a name from outside: code in Markdown, and itself elsewhere.
    #[must_use]
    pub(crate) fn name(mut self, name: &str) -> Line {
        self.pieces.push(Piece::Name(shown(name)));
        self
    }

    /// Adds the sign of a check.
    #[must_use]
    pub(crate) fn outcome(mut self, outcome: CheckOutcome) -> Line {
        self.pieces.push(Piece::Outcome(outcome));
        self
    }

    /// Adds trusted words in bold.
    #[must_use]
    pub(crate) fn strong(mut self, words: impl Into<String>) -> Line {
        self.pieces.push(Piece::Strong(words.into()));
        self
    }

    /// Adds texts from outside as code, separated by commas and, before the last one, by `conjunction`. At most `max` texts
    /// are listed; the rest are counted.
    #[must_use]
    pub(crate) fn list<'a>(mut self, texts: impl IntoIterator<Item = &'a str>, conjunction: &str, max: usize) -> Line {
        let texts: Vec<&str> = texts.into_iter().collect();
        let more = texts.len().saturating_sub(max);
        let listed = texts.len() - more;
        for (index, text) in texts.iter().take(listed).enumerate() {
            let separator = match index {
                0 => String::new(),
                _ if index + 1 == texts.len() => format!(" {conjunction} "),
                _ => ", ".to_owned(),
            };
            self = self.say(separator).code(text);
        }
        if more > 0 { self.say(format!(" {conjunction} {more} more")) } else { self }
    }

    /// Adds all of another line.
    #[must_use]
    pub(crate) fn then(mut self, other: Line) -> Line {
        self.pieces.extend(other.pieces);
        self
    }

    /// The line as Markdown.
    pub(crate) fn markdown(&self) -> String {
        self.markdown_with(escaped)
    }

    /// The line as Markdown for sites.
    fn site_markdown(&self) -> String {
        self.markdown_with(escaped_for_sites)
    }

    fn markdown_with(&self, escaped: fn(&str) -> String) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Words(words) => words.clone(),
            Piece::Text(text) => escaped(text),
            Piece::Code(code) | Piece::Name(code) => fenced(code),
            Piece::Strong(words) => format!("**{words}**"),
            Piece::Outcome(outcome) => sign(*outcome).to_owned(),
        };
        self.pieces.iter().map(piece).collect()
    }

    /// The line as plain text.
    pub(crate) fn plain(&self) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Words(words) | Piece::Strong(words) => words.replace('`', ""),
            Piece::Text(text) | Piece::Code(text) | Piece::Name(text) => text.clone(),
            Piece::Outcome(outcome) => sign(*outcome).to_owned(),
        };
        self.pieces.iter().map(piece).collect()
    }

    fn terminal(&self) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Words(words) | Piece::Text(words) | Piece::Name(words) => words.clone(),
            Piece::Code(code) => format!("`{code}`"),
            Piece::Strong(words) => format!("{BOLD}{words}{BOLD:#}"),
            Piece::Outcome(outcome) => {
                let style = style(match outcome {
                    CheckOutcome::Passed => Status::Pass,
                    CheckOutcome::Failed => Status::Fail,
                    CheckOutcome::Unknown => Status::Partial,
                    CheckOutcome::NotJudged => Status::Error,
                });
                format!("{style}{}{style:#}", sign(*outcome))
            }
        };
        self.pieces.iter().map(piece).collect()
    }
}

/// A line that is not a workflow command if it is printed to the log of a workflow.
pub(crate) fn disarmed(line: &str) -> String {
    if line.trim_start().starts_with("::") { line.replacen("::", ": :", 1) } else { line.to_owned() }
}

/// The style of a status in a terminal.
pub(crate) fn style(status: Status) -> Style {
    let colour = match status {
        Status::Pass => AnsiColor::Green,
        Status::Fail => AnsiColor::Red,
        Status::Partial => AnsiColor::Yellow,
        Status::Error => AnsiColor::Magenta,
    };
    colour.on_default().bold()
}

/// A text as a code block that its content cannot end.
pub(crate) fn code_block(text: &str) -> String {
    let shown = visible_lines(text);
    let runs = shown.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
    format!("{fence}text\n{shown}\n{fence}")
}

/// A text of several lines in which every other character is visible, shortened if it is long.
fn visible_lines(text: &str) -> String {
    let mut shown: String =
        text.chars().take(BLOCK).map(|c| if matches!(c, '\n' | '\t') { c } else { visible(c) }).collect();
    if text.chars().nth(BLOCK).is_some() {
        shown.push('…');
    }
    shown
}

/// A text in which every character is visible and harmless to a terminal, shortened if it is long.
fn shown(text: &str) -> String {
    visible_start(text, SHOWN)
}

/// Escapes a text so that Markdown shows it unchanged, and so that no dialect turns a part of it into a link or a mention.
/// Only characters that would change the meaning are escaped.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text.chars();
    let mut before: Option<char> = None;
    while let Some(c) = rest.next() {
        let after = rest.clone().next();
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '&' | '~' | '|' | '#' | '$' | '^' => escaped.extend(['\\', c]),
            '_' if !(is_word(before) && is_word(after)) => escaped.extend(['\\', c]),
            // Addresses, mentions and short names of emoji.
            ':' if rest.as_str().starts_with("//")
                || (before.is_none_or(|c| !c.is_alphanumeric()) && is_word(after)) =>
            {
                escaped.push_str("&#58;");
            }
            '@' => escaped.push_str("&#64;"),
            '.' if ends_with_www(&escaped) => escaped.push_str("\\."),
            // Lists, rules and underlined headings.
            '-' | '+' | '=' if escaped.trim_start().is_empty() => escaped.extend(['\\', c]),
            '.' | ')' if is_list_number(escaped.trim_start()) && after.is_none_or(char::is_whitespace) => {
                escaped.extend(['\\', c]);
            }
            _ => escaped.push(c),
        }
        before = Some(c);
    }
    escaped
}

/// Like [`escaped`], for a file that GitHub or another site shows. There an escaped `@` still makes a link or a mention, and `GH-2`
/// is a link to an issue; a comment within it prevents that. Editors would show the comment.
pub(crate) fn escaped_for_sites(text: &str) -> String {
    let text = escaped(text).replace("&#64;", "@<!-- -->");
    let is_issue = |(at, _): &(usize, &str)| {
        let (before, after) = (&text[..*at], &text[at + 1..]);
        let name = before.bytes().rev().take_while(u8::is_ascii_alphanumeric).count();
        before[before.len() - name..].eq_ignore_ascii_case("gh") && after.starts_with(|c: char| c.is_ascii_digit())
    };
    let (mut shown, mut from) = (String::with_capacity(text.len()), 0);
    for (at, _) in text.match_indices('-').filter(is_issue) {
        shown += &text[from..at];
        shown += "<!-- -->";
        from = at;
    }
    shown + &text[from..]
}

fn is_list_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn ends_with_www(text: &str) -> bool {
    text.len() >= 3 && text.as_bytes()[text.len() - 3..].eq_ignore_ascii_case(b"www")
}

/// A word as a shell reads it. Control characters are written as in `$'a\nb'`, which POSIX has since 2024, so that the word is on one line.
pub(crate) fn shell_word(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ',' | '/' | ':' | '@' | '+');
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    if word.contains(char::is_control) {
        let escaped = word.chars().map(|c| match c {
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            '\t' => "\\t".to_owned(),
            '\'' | '\\' => format!("\\{c}"),
            c if c.is_ascii_control() => format!("\\x{:02x}", u32::from(c)),
            c => c.to_string(),
        });
        return Cow::Owned(format!("$'{}'", escaped.collect::<String>()));
    }
    // Words with a NUL cannot be given to a program.
    shlex::try_quote(word).unwrap_or(Cow::Borrowed("''"))
}

/// A command about a case, as it is typed: `eval-ls show RENEW1`.
pub(crate) fn command_for_case(command: &str, case: &str) -> String {
    let end_of_options = if case.starts_with('-') { "-- " } else { "" };
    format!("eval-ls {command} {end_of_options}{}", shell_word(case))
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Parser};

    use super::*;

    const HOSTILE: [&str; 9] = [
        "```\n# x",
        "`` ` ``",
        "<script>alert(1)</script>",
        "[x](command:evil)",
        "![x](http://a/b)",
        "*a* _b_ ~~c~~ &lt; \\",
        "\u{202e}\u{1b}[31m\0",
        " padded ",
        "<!-- x",
    ];

    #[test]
    fn text_from_outside_stays_text() {
        for hostile in HOSTILE {
            let lines = [Line::new("a ").code(hostile), Line::new("a ").text(hostile)];
            for line in lines.map(|line| line.say(" b")) {
                let mut page = Markup::default();
                page.paragraph(line);
                let markdown = page.to_markdown();
                let mut seen = String::new();
                for event in Parser::new(&markdown) {
                    match event {
                        Event::Text(text) | Event::Code(text) => seen.push_str(&text),
                        Event::Start(tag) => assert_eq!(tag, pulldown_cmark::Tag::Paragraph, "{markdown}"),
                        Event::End(_) => {}
                        other => panic!("{other:?} in {markdown}"),
                    }
                }
                assert_eq!(seen, format!("a {} b", shown(hostile)));
                assert_eq!(page.to_plain(), seen);
            }
        }
    }

    #[test]
    fn only_what_changes_the_meaning_is_escaped() {
        for (text, markdown) in [
            ("evals/chat.evals.json", "evals/chat.evals.json"),
            ("2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"),
            ("must_not_say:sorry (1.5)", "must_not_say:sorry (1.5)"),
            ("_a_ *b* #1", "\\_a\\_ \\*b\\* \\#1"),
            ("http://a www.a.b a@b :tada:", "http&#58;//a www\\.a.b a&#64;b &#58;tada:"),
            ("1. a", "1\\. a"),
            ("- a", "\\- a"),
            (" 1) a", " 1\\) a"),
            (" + a", " \\+ a"),
        ] {
            assert_eq!(escaped(text), markdown);
        }
    }

    #[test]
    fn sites_make_no_links_of_text() {
        assert_eq!(
            escaped_for_sites("a@b.example xmpp:a@b.c @user"),
            "a@<!-- -->b.example xmpp:a@<!-- -->b.c @<!-- -->user"
        );
        assert_eq!(escaped_for_sites("&#64;user"), "\\&\\#64;user");
    }

    #[test]
    fn names_in_messages_become_code() {
        for (message, shown) in [
            ("`a_b` is *no* key", "`a_b` is \\*no\\* key"),
            ("a lone ` stays", "a lone \\` stays"),
            ("expected `a`, `b`", "expected `a`, `b`"),
        ] {
            assert_eq!(Line::default().message(message).markdown(), shown);
        }
    }

    #[test]
    fn long_lists_end_with_a_count() {
        let line = |most| Line::default().list(["a", "b", "c"], "or", most).markdown();
        assert_eq!((line(3).as_str(), line(2).as_str()), ("`a`, `b` or `c`", "`a`, `b` or 1 more"));
        assert_eq!(Line::default().list([""], "or", 3).markdown(), "`\"\"`");
        let long = Line::default().code(&"x".repeat(100_000)).plain();
        assert_eq!(long.chars().count(), SHOWN + 1);
    }

    #[test]
    fn blocks_are_separated_by_blank_lines() {
        let mut page = Markup::default();
        page.paragraph(Line::new("One, `a`."));
        page.item(0, Line::new("two"));
        page.item(1, Line::new("three"));
        let mut other = Markup::default();
        other.paragraph(Line::default().strong("four"));
        page.append(other);
        page.paragraph(Line::default());
        assert_eq!(page.to_markdown(), "One, `a`.\n\n- two\n  - three\n\n---\n\n**four**");
        assert_eq!(page.to_plain(), "One, a.\n\n- two\n  - three\n\n---\n\nfour");
    }

    #[test]
    fn no_text_is_a_reference_to_an_issue() {
        for (text, expected) in [
            ("GH-2", "GH<!-- -->-2"),
            ("see gh-12, GH-x, high-2", "see gh<!-- -->-12, GH-x, high-2"),
            ("GH-1-GH-2", "GH<!-- -->-1-GH<!-- -->-2"),
        ] {
            assert_eq!(escaped_for_sites(text), expected);
        }
    }
}
