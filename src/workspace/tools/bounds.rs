//! How much is looked at, so that a look costs little wherever it is taken.

/// Entries of folders, when suites are looked for.
pub(super) const ENTRIES: usize = 20_000;
/// Files that are read.
pub(super) const FILES: usize = 5_000;
/// Bytes of all files together.
pub(super) const ALL_BYTES: u64 = 128 << 20;
/// Bytes of one file; of a telemetry log its end is read, and what is larger otherwise is passed over.
pub(super) const FILE_BYTES: u64 = 4 << 20;
/// Different tools.
pub(super) const TOOLS: usize = 2_000;
/// Bytes of a tool's name.
pub(super) const NAME_BYTES: usize = 128;
