use serde::{Deserialize, Serialize};

/// A place in a text as people count it: line and column from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct LineColumn {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column, from 1, in code points.
    pub(crate) column: usize,
}

/// A range of a text as people count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LineRange {
    /// The start of the range.
    pub(crate) start: LineColumn,
    /// The first place after the range.
    pub(crate) end: LineColumn,
}
