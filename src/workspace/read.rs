use std::io::{self, Read};
use std::path::Path;

use crate::files;

/// The largest suite that is read, in bytes.
pub(crate) const MAX_SUITE_BYTES: u64 = 64 << 20;

/// All bytes of a file that may be a suite.
///
/// # Errors
/// If it cannot be read, is not a file, or has more than 64 MiB.
pub(super) fn read_suite(path: &Path) -> io::Result<Vec<u8>> {
    files::read(path, MAX_SUITE_BYTES)
}

/// All bytes of a suite.
///
/// # Errors
/// If reading fails, or there are more than 64 MiB.
pub(crate) fn read_bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_SUITE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_SUITE_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "larger than 64 MiB; split the suite"));
    }
    // The text stays in memory. Up to half of the reserved memory is free.
    bytes.shrink_to_fit();
    Ok(bytes)
}
