mod build;
pub(super) mod recovery;

use std::cell::OnceCell;

use crate::text::{Span, is_invisible};

use super::lexer::{Lexer, Token, TokenKind};
use super::tree::Entry;
use super::{Container, Kind, Node, NodeId, SyntaxError, SyntaxErrorKind, Tree};

/// How many brackets may be open at once. `serde_json` reads no deeper, and the smallest stack that runs this holds it: 1 MiB in WebAssembly.
pub(crate) const MAX_DEPTH: usize = 127;

/// The most errors in a document. Each costs a search for its repair.
pub(super) const MOST_ERRORS: usize = 10_000;

/// The most nodes in a document, however long it is.
const MOST_NODES: usize = 4_000_000;

/// The nodes that a document may have if it has fewer than [`BYTES_OF_NODE`] bytes for each.
const FEW_NODES: usize = 400_000;

/// The fewest bytes for each node. JSON that people or programs write has more: a node takes much more memory than its text.
const BYTES_OF_NODE: usize = 3;

/// What a text was found to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parse {
    /// The nodes; empty if there is no value at all.
    pub tree: Tree,
    /// The errors, in the order in which they were noticed; none exactly where the text is JSON.
    pub errors: Vec<SyntaxError>,
}

impl Parse {
    /// The result of a document that has too much to be read, which was noticed at `span`.
    fn too_much(text: &str, span: Span, excess: SyntaxErrorKind) -> Parse {
        let (kind, end) = (Kind::Invalid, text.len() as u32);
        let root = Entry { start: 0, end, parent: 0, after: 1, kind, broken: true, is_part: false };
        let tree = Tree { entries: vec![root], parts: Vec::new() };
        Parse { tree, errors: vec![SyntaxError { span, kind: excess, opened: None }] }
    }
}

/// Parses a document. Total: any text gives a tree, and never a panic.
///
/// Texts of 4 GiB and more are beyond the tree's offsets; callers refuse them.
pub fn parse(text: &str) -> Parse {
    let mut parser = Parser::new(text);
    parser.run();
    parser.finish()
}

/// The most objects in a list that are read. Each takes much more memory than its nodes, because it is linted and judged.
const MOST_PARTS: usize = 50_000;

/// Parses a document as [`parse`] does, and makes the objects in the list of the root's member `list` parts of the tree, see
/// [`Tree::split`].
pub(crate) fn parse_in_parts(text: &str, list: &str) -> Parse {
    let mut parsed = parse(text);
    let elements = parsed.tree.root(text).and_then(|root| root.get(list)).into_iter().flat_map(Node::elements);
    let objects: Vec<NodeId> = elements.filter(|node| node.kind() == Kind::Object).map(Node::id).collect();
    if objects.len() > MOST_PARTS {
        let span = parsed.tree.root(text).map_or(Span::empty(0), Node::span);
        return Parse::too_much(text, Span::empty(span.start), SyntaxErrorKind::TooMany("50,000 cases"));
    }
    parsed.tree.split(&objects);
    parsed
}

/// How many containers are open around a case: the root and the list.
const LIST_DEPTH: usize = 2;

/// Parses the text of a case of a valid document alone; `None` if the case is not valid, or so deep that it may not be within the document.
pub(crate) fn parse_case(text: &str) -> Option<Tree> {
    if text.bytes().filter(|byte| matches!(byte, b'{' | b'[')).count() > MAX_DEPTH - LIST_DEPTH {
        return None;
    }
    let Parse { tree, errors } = parse(text);
    let is_case = tree.entries.first().is_some_and(|root| root.kind == Kind::Object && root.span().len() == text.len());
    (errors.is_empty() && is_case).then_some(tree)
}

/// Where the document begins in a text with other text before it: at the first bracket that quotes or brackets follow, as they
/// follow none of prose, else at the first `{`, else at the first `[`.
fn document_start(text: &str, at: usize) -> Option<usize> {
    let begins = |start: &usize| {
        let inner = text[start + 1..].trim_start();
        inner.starts_with(if text[*start..].starts_with('{') { ['"', '\'', '}'] } else { ['"', '{', '['] })
    };
    let mut brackets = text[at..].match_indices(['{', '[']).map(|(start, _)| at + start);
    let first = |bracket| text[at..].find(bracket).map(|start| at + start);
    brackets.find(begins).or_else(|| first('{')).or_else(|| first('['))
}

/// The most nodes that are read of a text.
fn most_nodes(text: &str) -> usize {
    (text.len() / BYTES_OF_NODE).clamp(FEW_NODES, MOST_NODES)
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    tree: Vec<Entry>,
    stack: Vec<Frame>,
    token: Token,
    /// Where the last token that was taken ends.
    previous_end: usize,
    last_comma: Span,
    /// Whether an error was reported and nothing was as expected since: what goes wrong now follows from it.
    quiet: bool,
    /// Whether a bracket may follow in which the document begins. Looking for it at each token would be quadratic.
    may_begin: bool,
    /// The most nodes of the document.
    most_nodes: usize,
    /// Where the last case of the text begins, once it was looked for; 0 if there is none.
    last_case: OnceCell<usize>,
}

struct Frame {
    container: Container,
    state: State,
    node: u32,
    opener: Span,
    /// The member that is open in an object.
    member: Option<u32>,
    /// The last element that was read of an array.
    last_child: Option<u32>,
}

/// What of the container was read last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Opened,
    Comma,
    Key,
    Colon,
    Value,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        let mut lexer = Lexer::new(text);
        let token = lexer.next();
        Self {
            lexer,
            may_begin: true,
            most_nodes: most_nodes(text),
            tree: Vec::with_capacity(text.len() / 24),
            stack: Vec::new(),
            token,
            previous_end: 0,
            last_comma: Span::empty(0),
            quiet: false,
            last_case: OnceCell::new(),
        }
    }

    fn finish(mut self) -> Parse {
        self.lexer.errors.sort_by_key(|error| error.span);
        Parse { tree: Tree { entries: self.tree, parts: Vec::new() }, errors: self.lexer.errors }
    }

    /// Each turn takes a token, moves to another state, or closes a container.
    fn run(&mut self) {
        loop {
            if let Some(excess) = self.excess() {
                // Nothing is kept but one error, at this token.
                self.stack.clear();
                let Parse { tree, errors } = Parse::too_much(self.lexer_text(), self.token.span, excess);
                return (self.tree, self.lexer.errors) = (tree.entries, errors);
            }
            match self.stack.is_empty() {
                true if self.tree.is_empty() => self.root(),
                false if self.token.kind != TokenKind::End => self.step(),
                _ => return self.end(),
            }
        }
    }

    /// What the document has too much of, if it has.
    fn excess(&self) -> Option<SyntaxErrorKind> {
        if self.lexer.errors.len() > MOST_ERRORS {
            return Some(SyntaxErrorKind::TooMany("10,000 syntax errors"));
        }
        let is_over = self.tree.len() > self.most_nodes;
        let most =
            if self.most_nodes == MOST_NODES { "4,000,000 values" } else { "400,000 values in this little text" };
        is_over.then_some(SyntaxErrorKind::TooMany(most))
    }

    /// Reads on in the innermost container.
    fn step(&mut self) {
        if self.case_begins() {
            return;
        }
        let Frame { container, state, .. } = *self.top();
        match (container, state) {
            (Container::Object, State::Opened | State::Comma) => self.key(),
            (Container::Object, State::Key) => self.colon(),
            (Container::Object, State::Colon) => self.member_value(),
            (Container::Object, State::Value) => self.after_member(),
            (Container::Array, State::Value) => self.after_element(),
            (Container::Array, _) => self.element(),
        }
    }

    fn root(&mut self) {
        if self.skips_to_document() {
            return;
        }
        match self.token.kind {
            TokenKind::End => {
                self.report(Span::empty(self.token.span.end), SyntaxErrorKind::Empty);
                let end = self.token.span.end;
                self.leaf(Kind::Invalid, Span::empty(end), true);
            }
            _ if self.starts_value() => self.value(),
            _ => self.no_value(),
        }
    }

    /// Reads on at the document if this token is text before it. Returns whether it is.
    fn skips_to_document(&mut self) -> bool {
        let Token { kind, span, .. } = self.token;
        match kind {
            TokenKind::OpenObject | TokenKind::OpenArray => return false,
            TokenKind::Stray(c) if c.is_whitespace() || is_invisible(c) => return false,
            TokenKind::String if self.is_key() => {
                self.report(Span::empty(span.start), SyntaxErrorKind::NeverOpened);
                self.open(Container::Object, Span::empty(span.start));
                return true;
            }
            _ if self.starts_value() && self.lexer.peek(span.end).is_none() => return false,
            _ => {}
        }
        let text = self.lexer_text();
        let start = self.may_begin.then(|| document_start(text, span.end)).flatten();
        self.may_begin = start.is_some();
        let Some(start) = start else { return false };
        let before = Span::new(span.start, span.start + text[span.start..start].trim_end().len());
        let errors_before = self.lexer.errors.partition_point(|error| error.span.start < span.start);
        self.lexer.errors.truncate(errors_before);
        self.report(before, SyntaxErrorKind::TextBeforeStart);
        self.lexer.jump(start);
        self.token = self.lexer.next();
        true
    }

    /// The text's end, or the end of the document before it.
    fn end(&mut self) {
        if !self.stack.is_empty() {
            let frame = self.top();
            let (opener, container) = (frame.opener, frame.container);
            if frame.state == State::Colon {
                self.invalid_value_is_missing();
            }
            self.report_unclosed(container, opener);
            while !self.stack.is_empty() {
                self.close_unclosed(self.token.span.end);
            }
        } else if self.token.kind != TokenKind::End {
            let start = self.token.span.start;
            let mark = self.lexer.errors.len();
            let mut end = start;
            while self.token.kind != TokenKind::End {
                end = self.token.span.end;
                self.token = self.lexer.next();
            }
            self.lexer.errors.truncate(mark);
            self.report(Span::new(start, end), SyntaxErrorKind::TextAfterEnd);
        }
    }

    fn comma(&mut self) {
        self.quiet = false;
        self.last_comma = self.token.span;
        self.advance();
        self.top_mut().state = State::Comma;
    }

    fn missing_comma(&mut self, container: Container) {
        self.report(Span::empty(self.previous_end), SyntaxErrorKind::MissingComma(container));
        self.top_mut().state = State::Comma;
        // What follows stands as if the comma were there, so a closing bracket would not follow a comma.
        self.last_comma = Span::empty(self.previous_end);
    }

    fn extra_comma(&mut self) {
        self.report(self.token.span, SyntaxErrorKind::ExtraComma);
        self.mark_broken();
        self.advance();
    }

    fn stray(&mut self, c: char) {
        self.report(self.token.span, SyntaxErrorKind::UnexpectedCharacter(c));
        self.mark_broken();
        self.advance();
    }

    /// Takes a value that starts at this token.
    fn value(&mut self) {
        let token = self.token;
        let container = match token.kind {
            TokenKind::OpenObject => Container::Object,
            TokenKind::OpenArray => Container::Array,
            _ => {
                let kind = match token.kind {
                    TokenKind::Number => Kind::Number,
                    TokenKind::True => Kind::True,
                    TokenKind::False => Kind::False,
                    TokenKind::Null => Kind::Null,
                    _ => Kind::String,
                };
                self.leaf(kind, token.span, token.broken);
                self.advance();
                self.value_is_done();
                // A text that ends within a number is one that is being typed.
                self.quiet = token.unclosed || (token.broken && self.token.kind == TokenKind::End);
                return;
            }
        };
        self.quiet = false;
        if self.stack.len() >= MAX_DEPTH {
            return self.skip_too_deep();
        }
        self.open(container, token.span);
        self.advance();
    }

    /// Opens a container, whose bracket is not taken.
    fn open(&mut self, container: Container, opener: Span) {
        let kind = if container == Container::Object { Kind::Object } else { Kind::Array };
        let node = self.push(kind, opener.start, false);
        self.stack.push(Frame { container, state: State::Opened, node, opener, member: None, last_child: None });
    }

    fn report(&mut self, span: Span, kind: SyntaxErrorKind) {
        if !self.quiet {
            self.lexer.errors.push(SyntaxError { span, kind, opened: None });
        }
        self.quiet = true;
    }

    fn advance(&mut self) {
        self.previous_end = self.token.span.end;
        self.token = self.lexer.next();
    }

    fn starts_value(&self) -> bool {
        use TokenKind::*;
        matches!(self.token.kind, OpenObject | OpenArray | String | Number | True | False | Null)
    }

    /// Whether this string is a key: a colon follows it.
    fn is_key(&self) -> bool {
        self.lexer.peek(self.token.span.end).is_some_and(|(_, b)| b == b':')
    }

    /// Whether the array was meant to end before this string: it is a key at the start of a line.
    fn ends_array(&self) -> bool {
        let is_key_below = self.token.on_new_line && self.below() == Some(Container::Object) && self.is_key();
        is_key_below && !(self.is_at_case() && self.cases_follow())
    }

    fn is_array_below(&self) -> bool {
        self.below() == Some(Container::Array)
    }

    fn below(&self) -> Option<Container> {
        Some(self.stack.get(self.stack.len().checked_sub(2)?)?.container)
    }

    fn top(&self) -> &Frame {
        self.stack.last().expect("a container is open")
    }

    fn top_mut(&mut self) -> &mut Frame {
        self.stack.last_mut().expect("a container is open")
    }

    fn lexer_text(&self) -> &'a str {
        self.lexer.text()
    }
}
