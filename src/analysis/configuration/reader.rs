//! Reads an `eval-ls.toml` that may be half typed: its keys and values with their paths, and what may follow a text.

use std::borrow::Cow;
use std::collections::HashMap;

use toml_parser::lexer::{Token, TokenKind};
use toml_parser::parser::{Event, EventKind, RecursionGuard, parse_document};
use toml_parser::{ErrorSink, Source};

use crate::syntax::Step;
use crate::text::Span;

/// The deepest list or inline table that is read.
const MOST_LEVELS: u32 = 40;

/// A key or a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) span: Span,
    /// The path of the value; also for its key. The last table of a list of tables is meant if a header goes through it.
    pub(super) path: Vec<Step>,
}

/// What may be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// A key of the table at this path. A header may be written instead if it is the first key on its line.
    Key {
        table: Vec<Step>,
        is_first: bool,
    },
    /// A part of a header below this path. The header begins at this byte.
    Header {
        table: Vec<Step>,
        start: usize,
    },
    /// The value at this path.
    Value(Vec<Step>),
    Nothing,
}

/// The keys and values of a text, in its order.
pub(super) fn items(text: &str) -> Vec<Item> {
    let mut reader = Reader::new(text);
    reader.read();
    reader.items
}

/// What may be written at the end of a text.
pub(super) fn slot(text: &str) -> Slot {
    let mut reader = Reader::new(text);
    reader.read();
    reader.slot()
}

/// The key, string or number that the byte `offset` is in or touches, else an empty span there. `None` in a comment.
pub(super) fn word_at(text: &str, offset: usize) -> Option<Span> {
    let tokens = Source::new(text).lex().into_vec();
    let touched = tokens.iter().filter(|token| token.span().start() <= offset && offset <= token.span().end());
    let mut word = Span::empty(offset);
    for token in touched {
        let span = span(token);
        match token.kind() {
            TokenKind::Comment if span.start < offset => return None,
            kind if is_word(kind) && (span.start < offset || word.is_empty()) => word = span,
            _ => {}
        }
    }
    Some(word)
}

fn is_word(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Atom
            | TokenKind::BasicString
            | TokenKind::LiteralString
            | TokenKind::MlBasicString
            | TokenKind::MlLiteralString
    )
}

fn span(token: &Token) -> Span {
    Span::new(token.span().start(), token.span().end())
}

/// Follows the events of the parser. Events without text are guesses of the parser, and ignored.
struct Reader<'t> {
    source: Source<'t>,
    items: Vec<Item>,
    /// The table of the last header.
    table: Vec<Step>,
    /// The lists and inline tables that are open.
    containers: Vec<Container>,
    /// The keys of the header, or of the value, so far.
    keys: Vec<Step>,
    /// Whether a dot follows the last of them.
    is_after_dot: bool,
    expects: Expects,
    /// The number of tables in each list of tables.
    lists: HashMap<Vec<Step>, usize>,
}

/// A list or an inline table.
enum Container {
    List { path: Vec<Step>, index: usize },
    Table { path: Vec<Step> },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expects {
    Key,
    Header { start: usize, is_list: bool },
    Value,
    Nothing,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Reader {
            source: Source::new(text),
            items: Vec::new(),
            table: Vec::new(),
            containers: Vec::new(),
            keys: Vec::new(),
            is_after_dot: false,
            expects: Expects::Key,
            lists: HashMap::new(),
        }
    }

    fn read(&mut self) {
        let tokens = self.source.lex().into_vec();
        let mut receiver = |event: Event| self.take(&event);
        let mut guarded = RecursionGuard::new(&mut receiver, MOST_LEVELS);
        let errors: &mut dyn ErrorSink = &mut ();
        parse_document(&tokens, &mut guarded, errors);
    }

    fn take(&mut self, event: &Event) {
        let span = Span::new(event.span().start(), event.span().end());
        if span.is_empty() {
            return;
        }
        match event.kind() {
            EventKind::StdTableOpen => self.open_header(span, false),
            EventKind::ArrayTableOpen => self.open_header(span, true),
            EventKind::StdTableClose | EventKind::ArrayTableClose => self.close_header(),
            EventKind::SimpleKey => self.take_key(event, span),
            EventKind::KeySep => self.is_after_dot = true,
            EventKind::KeyValSep => self.expects = Expects::Value,
            EventKind::Scalar => {
                self.items.push(Item { span, path: self.value_path() });
                self.expects = Expects::Nothing;
            }
            EventKind::ArrayOpen => {
                self.containers.push(Container::List { path: self.value_path(), index: 0 });
                self.expects = Expects::Value;
            }
            EventKind::InlineTableOpen => {
                self.containers.push(Container::Table { path: self.value_path() });
                self.expect_key();
            }
            EventKind::ArrayClose | EventKind::InlineTableClose => {
                self.containers.pop();
                self.expects = Expects::Nothing;
            }
            EventKind::ValueSep => match self.containers.last_mut() {
                Some(Container::List { index, .. }) => {
                    *index += 1;
                    self.expects = Expects::Value;
                }
                _ => self.expect_key(),
            },
            EventKind::Newline if self.containers.is_empty() => {
                if matches!(self.expects, Expects::Header { .. }) {
                    self.close_header();
                }
                self.expect_key();
            }
            EventKind::Newline | EventKind::Whitespace | EventKind::Comment | EventKind::Error => {}
        }
    }

    fn open_header(&mut self, span: Span, is_list: bool) {
        self.containers.clear();
        self.expect_key();
        self.expects = Expects::Header { start: span.start, is_list };
    }

    fn close_header(&mut self) {
        self.table = self.below(&[], &self.keys);
        if matches!(self.expects, Expects::Header { is_list: true, .. }) {
            // The path of a list of tables ends with its last table, if there is one.
            if matches!(self.table.last(), Some(Step::Index(_))) {
                self.table.pop();
            }
            let count = self.lists.entry(self.table.clone()).or_default();
            self.table.push(Step::Index(*count));
            *count += 1;
        }
        self.expects = Expects::Nothing;
    }

    fn take_key(&mut self, event: &Event, span: Span) {
        let mut name = Cow::Borrowed("");
        if let Some(raw) = self.source.get(event) {
            raw.decode_key(&mut name, &mut ());
        }
        self.keys.push(Step::Key(name.into_owned()));
        self.is_after_dot = false;
        let path = match self.expects {
            Expects::Header { .. } => self.below(&[], &self.keys),
            _ => self.value_path(),
        };
        self.items.push(Item { span, path });
    }

    fn expect_key(&mut self) {
        self.keys.clear();
        self.is_after_dot = false;
        self.expects = Expects::Key;
    }

    /// The path of the value that is being read, or of the table of its dotted key.
    fn value_path(&self) -> Vec<Step> {
        match self.containers.last() {
            Some(Container::List { path, index }) => [&path[..], &[Step::Index(*index)]].concat(),
            Some(Container::Table { path }) => self.below(path, &self.keys),
            None => self.below(&self.table, &self.keys),
        }
    }

    /// The path to the last table of each list of tables on the way.
    fn below(&self, table: &[Step], keys: &[Step]) -> Vec<Step> {
        keys.iter().fold(table.to_vec(), |mut path, key| {
            path.push(key.clone());
            if let Some(count) = self.lists.get(&path) {
                path.push(Step::Index(count - 1));
            }
            path
        })
    }

    fn slot(&self) -> Slot {
        let is_at_name = self.keys.is_empty() || self.is_after_dot;
        match self.expects {
            Expects::Key if is_at_name => {
                Slot::Key { table: self.value_path(), is_first: self.keys.is_empty() && self.containers.is_empty() }
            }
            Expects::Header { start, .. } if is_at_name => Slot::Header { table: self.below(&[], &self.keys), start },
            Expects::Value => Slot::Value(self.value_path()),
            _ => Slot::Nothing,
        }
    }
}
