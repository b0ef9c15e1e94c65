//! The words of a pattern: the role of each part of its text.
//!
//! [`tokens`] splits any text into [`Token`]s that cover it without a gap, in the same way as PCRE2's parser. The text
//! need not be a valid pattern. The tokens describe the text, not what it matches; lints, hovers and colours use them.
//! [`class_tokens`] does the same for the content of one character class.

mod class;
mod lexer;
#[cfg(test)]
mod tests;
mod tree;

use crate::text::Span;

pub(crate) use class::class_tokens;
pub(crate) use lexer::tokens;
pub(crate) use tree::{Branch, PartKind, PatternTree};

/// A part of a pattern's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// The bytes in the pattern; never empty.
    pub(crate) span: Span,
    /// The role.
    pub(crate) kind: TokenKind,
}

/// The role of a part of a pattern's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A character that matches itself.
    Literal(char),
    /// An escape for one character: `\n`, `\.`, `\x{41}`.
    Escape(char),
    /// An escape for any character of a set, or for a sequence of one kind: `\d`, `\P{L}`, `\N`, `\X`; in a class also
    /// `[:alpha:]`.
    Set,
    /// `.`
    Dot,
    /// `\R`: `\r\n`, or any character that ends a line in some convention.
    LineBreak,
    /// A whole character class, with brackets.
    Class {
        /// Whether it is negated: `[^…]`.
        negated: bool,
    },
    /// The bracket that opens or closes a class, with `^`. Only [`class_tokens`] returns it.
    Bracket,
    /// The `-` of a range in a class. Only [`class_tokens`] returns it.
    Range,
    /// An item that matches a place, not a character: `^`, `$`, `\b`, `\A`, `\z`, `[[:<:]]`.
    Anchor,
    /// `\K`: the match starts here.
    Keep,
    /// The start of a group, up to the pattern in it: `(`, `(?:`, `(?<name>`, `(?(1)`.
    Open(Group),
    /// The `)` of a group.
    Close,
    /// `|`
    Alternation,
    /// The repeat of the item before it: `*`, `+?`, `{2,5}`.
    Repeat {
        /// The minimum.
        min: u32,
        /// The maximum; `None` if there is none.
        max: Option<u32>,
        /// Whether it is not tried in another way: `++`.
        is_possessive: bool,
    },
    /// A `?` or `+` that belongs to the repeat before it, although ignored text is between them.
    Greed {
        /// Whether it is `+`.
        is_possessive: bool,
    },
    /// Flags that apply from here to the end of the group around them: `(?i)`.
    Flags {
        /// Whether ignoring case is all that they do.
        only_ignore_case: bool,
    },
    /// The text that a group matched: `\1`, `\k<name>`, `(?P=name)`.
    Reference,
    /// A call of a group's pattern: `(?1)`, `(?R)`, `\g<name>`.
    Call,
    /// A verb that controls the search: `(*SKIP)`.
    Verb,
    /// A callout, which does nothing here: `(?C1)`.
    Callout,
    /// `(?#…)`, or `# …` under the flag `x`.
    Comment,
    /// White space that the flag `x` ignores.
    Space,
    /// `\Q` or `\E`; between them all characters are literals.
    Quote,
    /// Text that PCRE2 rejects, or that has no end.
    Malformed,
}

/// The kind of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// `(…)`, `(?<name>…)`, `(?'name'…)`, `(?P<name>…)`
    Capturing,
    /// `(?:…)`, and `(…)` with the flag `n`.
    NonCapturing,
    /// `(?i:…)`
    Flagged {
        /// Whether ignoring case is all that its flags do.
        only_ignore_case: bool,
    },
    /// `(?>…)`: its match is not tried in another way.
    Atomic,
    /// `(?|…)`: its alternatives share the numbers of their groups.
    BranchReset,
    /// `(?=…)`, `(?!…)`
    LookAhead {
        /// Whether it is negative.
        negated: bool,
    },
    /// `(?<=…)`, `(?<!…)`
    LookBehind {
        /// Whether it is negative.
        negated: bool,
    },
    /// `(?(condition)…|…)`. A condition that looks around is a separate group, which follows.
    Conditional,
    /// `(*script_run:…)`, `(*scan_substring:(…)…)` and similar groups.
    Special,
}
