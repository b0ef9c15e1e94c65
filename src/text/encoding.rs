/// The unit of a column. Lines are always counted from 0 and end at `\n`, `\r\n` or a lone `\r`, as in LSP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units, LSP's default.
    Utf16,
    /// Unicode code points, which the command line counts.
    Utf32,
}

/// A place as protocols count it: line and column, both from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position {
    /// The line.
    pub(crate) line: usize,
    /// The column, in the units of some [`Encoding`].
    pub(crate) column: usize,
}
