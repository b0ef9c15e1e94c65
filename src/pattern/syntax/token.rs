use crate::text::Span;

/// A stretch of a pattern's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its bytes in the pattern; never empty.
    pub span: Span,
    /// What it is.
    pub kind: TokenKind,
}

/// What a stretch of a pattern's text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A character that stands for itself.
    Literal(char),
    /// An escape that stands for one character: `\n`, `\.`, `\x{41}`.
    Escape(char),
    /// An escape that stands for any character of a set, or for a sequence of one kind: `\d`, `\P{L}`, `\N`, `\X`; in
    /// a class also `[:alpha:]`.
    Set,
    /// `.`
    Dot,
    /// `\R`: `\r\n`, or any one character that ends a line in some convention, so not only `\n`.
    LineBreak,
    /// A whole character class, brackets included.
    Class {
        /// Whether it matches what is not in it: `[^…]`.
        negated: bool,
    },
    /// The bracket that opens or closes a class, `^` included. Only [`class_tokens`](super::class_tokens) tells it.
    Bracket,
    /// The `-` of a range in a class. Only [`class_tokens`](super::class_tokens) tells it.
    Range,
    /// What matches a place, not a character: `^`, `$`, `\b`, `\A`, `\z`, `[[:<:]]`.
    Anchor,
    /// `\K`: the match starts here.
    Keep,
    /// The start of a group, up to where its own pattern begins: `(`, `(?:`, `(?<name>`, `(?(1)`.
    Open(Group),
    /// The `)` of a group.
    Close,
    /// `|`
    Alternation,
    /// How often the item before it comes: `*`, `+?`, `{2,5}`.
    Repeat {
        /// At least so often.
        min: u32,
        /// At most so often; `None` where there is no end.
        max: Option<u32>,
        /// Whether as often as possible is tried first.
        greed: Greed,
    },
    /// A `?` or `+` that belongs to the repeat before it, though ignored text stands between them.
    Greed(Greed),
    /// Flags that hold from here to the end of the group around them: `(?i)`.
    Flags(Flags),
    /// What a group matched, once more: `\1`, `\k<name>`, `(?P=name)`.
    Reference,
    /// A group's pattern, once more: `(?1)`, `(?R)`, `\g<name>`.
    Call,
    /// A verb that steers the search: `(*SKIP)`.
    Verb,
    /// A callout, which does nothing here: `(?C1)`.
    Callout,
    /// `(?#…)`, or `# …` under the flag `x`.
    Comment,
    /// White space that the flag `x` lets be ignored.
    Space,
    /// `\Q` or `\E`, between which all characters stand for themselves.
    Quote,
    /// What PCRE2 does not understand, or what has no end.
    Malformed,
}

/// What a group is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// `(…)`
    Capturing,
    /// `(?<name>…)`, `(?'name'…)`, `(?P<name>…)`
    Named,
    /// `(?:…)`, and `(…)` where the flag `n` is set.
    NonCapturing,
    /// `(?i:…)`
    Flagged(Flags),
    /// `(?>…)`: what it matched is not tried otherwise.
    Atomic,
    /// `(?|…)`: its alternatives number their groups alike.
    BranchReset,
    /// `(?=…)`, `(?!…)`
    LookAhead {
        /// Whether it must not match.
        negated: bool,
    },
    /// `(?<=…)`, `(?<!…)`
    LookBehind {
        /// Whether it must not match.
        negated: bool,
    },
    /// `(?(condition)…|…)`. Where the condition looks around, that is a group of its own, which follows.
    Conditional,
    /// `(*script_run:…)`, `(*scan_substring:(…)…)` and their like.
    Special,
}

/// What a repeat tries first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Greed {
    /// As often as possible.
    Greedy,
    /// As seldom as possible: `+?`.
    Lazy,
    /// As often as possible, and then nothing else: `++`.
    Possessive,
}

/// What flags say about case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags {
    /// `Some(true)` where they make case ignored, `Some(false)` where they make it matter, `None` where they leave it.
    pub ignore_case: Option<bool>,
    /// Whether they say nothing else: `(?i)`, `(?-i:`.
    pub only_case: bool,
}
