use super::{Group, Token, TokenKind, tokens};
use crate::text::Span;

/// How the parts of a pattern contain each other.
///
/// The parts are in one list. A part comes after the parts in it, so the whole pattern is the last. A property that
/// depends on a part's content can be computed in one pass without recursion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PatternTree {
    /// The words of the pattern, in order. Unlike the parts, they include flags, comments, quotes and callouts.
    pub(crate) tokens: Vec<Token>,
    /// The parts; the last one is the whole pattern, a group of its alternatives.
    pub(crate) parts: Vec<Part>,
}

/// A part of a pattern that matches as a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The bytes in the pattern.
    pub(crate) span: Span,
    /// The kind.
    pub(crate) kind: PartKind,
}

/// The kind of a part. Parts are identified by their index in [`PatternTree::parts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PartKind {
    /// A word that contains no other.
    Word(TokenKind),
    /// A repeat of another part.
    Repeat {
        /// The repeated part.
        of: usize,
        /// The minimum.
        min: u32,
        /// The maximum; `None` if there is none.
        max: Option<u32>,
    },
    /// A group, or the whole pattern.
    Group {
        /// The kind; the whole pattern is [`Group::NonCapturing`].
        group: Group,
        /// The alternatives, at least one.
        branches: Vec<Branch>,
    },
}

/// One of a group's alternatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Branch {
    /// The bytes in the pattern; empty if the alternative is empty.
    pub(crate) span: Span,
    /// The parts, in order.
    pub(crate) parts: Vec<usize>,
}

impl PatternTree {
    /// Returns the tree of `source`. It has no flags, comments, quotes and callouts, because they match nothing. An
    /// unclosed group ends at the end of the pattern. A `)` too many closes a group that starts at the start of the
    /// pattern. The time is linear.
    pub(crate) fn new(source: &str) -> PatternTree {
        let mut builder = Builder { parts: Vec::new(), open: vec![OpenGroup::new(Group::NonCapturing, 0, 0)] };
        // Most words are a character.
        let mut words = Vec::with_capacity(source.len());
        words.extend(tokens(source));
        words.iter().for_each(|token| builder.add(*token));
        while builder.open.len() > 1 {
            builder.close(source.len(), source.len());
        }
        builder.close(source.len(), source.len());
        PatternTree { tokens: words, parts: builder.parts }
    }

    /// The alternatives of the whole pattern.
    pub(crate) fn branches(&self) -> &[Branch] {
        match self.parts.last().map(|root| &root.kind) {
            Some(PartKind::Group { branches, .. }) => branches,
            _ => &[],
        }
    }
}

struct Builder {
    parts: Vec<Part>,
    open: Vec<OpenGroup>,
}

struct OpenGroup {
    group: Group,
    start: usize,
    branches: Vec<Branch>,
    /// The parts of the current alternative.
    branch_start: usize,
    parts: Vec<usize>,
}

impl OpenGroup {
    fn new(group: Group, start: usize, branch_start: usize) -> Self {
        Self { group, start, branches: Vec::new(), branch_start, parts: Vec::new() }
    }

    fn end_branch(&mut self, end: usize, next: usize) {
        let span = Span::new(self.branch_start, end);
        self.branches.push(Branch { span, parts: std::mem::take(&mut self.parts) });
        self.branch_start = next;
    }
}

impl Builder {
    fn add(&mut self, Token { span, kind }: Token) {
        match kind {
            TokenKind::Open(group) => self.open.push(OpenGroup::new(group, span.start, span.end)),
            TokenKind::Close => {
                if self.open.len() == 1 {
                    // It closes the `(?:` around the pattern, and the text after it is beside that group.
                    self.open.insert(0, OpenGroup::new(Group::NonCapturing, 0, 0));
                }
                self.close(span.start, span.end);
            }
            TokenKind::Alternation => self.innermost().end_branch(span.start, span.end),
            TokenKind::Repeat { min, max, .. } => {
                if let Some(of) = self.innermost().parts.pop() {
                    let span = self.parts[of].span.join(span);
                    self.push(Part { span, kind: PartKind::Repeat { of, min, max } });
                }
            }
            TokenKind::Flags { .. }
            | TokenKind::Comment
            | TokenKind::Space
            | TokenKind::Quote
            | TokenKind::Callout
            | TokenKind::Greed { .. } => {}
            _ => self.push(Part { span, kind: PartKind::Word(kind) }),
        }
    }

    fn close(&mut self, branch_end: usize, end: usize) {
        let Some(mut closed) = self.open.pop() else { return };
        closed.end_branch(branch_end, end);
        let kind = PartKind::Group { group: closed.group, branches: closed.branches };
        let part = Part { span: Span::new(closed.start, end), kind };
        if self.open.is_empty() { self.parts.push(part) } else { self.push(part) }
    }

    fn push(&mut self, part: Part) {
        let index = self.parts.len();
        self.parts.push(part);
        self.innermost().parts.push(index);
    }

    fn innermost(&mut self) -> &mut OpenGroup {
        self.open.last_mut().expect("the whole pattern is open until its end")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the tree as nested lists of texts: `[a|b]` for a group, `(a)*` for a repeat.
    fn shown(source: &str) -> String {
        let tree = PatternTree::new(source);
        let mut texts: Vec<String> = Vec::new();
        for part in &tree.parts {
            let text = match &part.kind {
                PartKind::Word(_) => source[part.span.range()].to_owned(),
                PartKind::Repeat { of, min, max } => {
                    format!("({}){{{min},{}}}", texts[*of], max.map(|max| max.to_string()).unwrap_or_default())
                }
                PartKind::Group { branches, .. } => {
                    let branch = |branch: &Branch| {
                        branch.parts.iter().map(|part| texts[*part].as_str()).collect::<Vec<_>>().join(" ")
                    };
                    format!("[{}]", branches.iter().map(branch).collect::<Vec<_>>().join("|"))
                }
            };
            texts.push(text);
        }
        texts.pop().unwrap()
    }

    #[test]
    fn parts_contain_each_other() {
        let patterns = r"
            ab  a|  a*b+?  (a|b(c))d  (?:\d{2}){3,5}  (?i)a(?#b)c  a*(?#x)+  \Qa*\E*  (?<=a)[(]^  ((  a)b  a|b)*|(?:c
            )  *a
        ";
        let patterns = patterns.split_whitespace().chain(["", "(?x) a b # c"]);
        insta::assert_snapshot!(patterns.map(|source| format!("{source}    {}\n", shown(source))).collect::<String>());
    }

    #[test]
    fn spans_cover_the_text_of_a_part() {
        let source = "x(a|b|)+y";
        let tree = PatternTree::new(source);
        let repeat = tree.parts.iter().find(|part| matches!(part.kind, PartKind::Repeat { .. })).unwrap();
        assert_eq!(&source[repeat.span.range()], "(a|b|)+");
        let PartKind::Repeat { of, .. } = repeat.kind else { unreachable!() };
        let PartKind::Group { branches, .. } = &tree.parts[of].kind else { panic!("a group is repeated") };
        let spans: Vec<_> = branches.iter().map(|branch| branch.span).collect();
        assert_eq!(spans, [Span::new(2, 3), Span::new(4, 5), Span::new(6, 6)]);
        assert_eq!(tree.branches()[0].span, Span::new(0, source.len()));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_text_has_a_tree(source in prop_oneof![any::<String>(), r"[\[\](){}?*+|\\^$:x#QEa-c0-9é \n]{1,16}"]) {
            let tree = PatternTree::new(&source);
            let mut contained = vec![0; tree.parts.len()];
            for (index, part) in tree.parts.iter().enumerate() {
                prop_assert!(source.get(part.span.range()).is_some());
                let inner: Vec<usize> = match &part.kind {
                    PartKind::Word(_) => Vec::new(),
                    PartKind::Repeat { of, .. } => vec![*of],
                    PartKind::Group { branches, .. } => branches.iter().flat_map(|branch| branch.parts.clone()).collect(),
                };
                for inner in inner {
                    prop_assert!(inner < index && part.span.covers(tree.parts[inner].span));
                    contained[inner] += 1;
                }
            }
            let root = contained.pop();
            prop_assert_eq!(root, Some(0));
            prop_assert!(contained.iter().all(|times| *times == 1));
        }
    }
}
