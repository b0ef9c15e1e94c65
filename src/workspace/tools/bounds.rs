//! Limits of one look, so that it is cheap in any folder.

/// Entries of folders in the search for suites. A large repository without its dependencies has fewer.
pub(super) const ENTRIES: usize = 20_000;
/// Files that are read.
pub(super) const FILES: usize = 5_000;
/// Bytes of all files together.
pub(super) const ALL_BYTES: u64 = 128 << 20;
/// Bytes of one file. The end of a longer telemetry log is read; other files that are longer are ignored.
pub(super) const FILE_BYTES: u64 = 4 << 20;
/// Different tools.
pub(super) const TOOLS: usize = 2_000;
/// Bytes of a tool's name. Model providers allow 64 or 128 characters.
pub(super) const NAME_BYTES: usize = 128;
