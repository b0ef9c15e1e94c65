use std::io::{self, Read};
use std::path::Path;

use crate::files::Reader;

/// The largest suite that is read, in bytes.
pub(crate) const MAX_SUITE_BYTES: u64 = 64 << 20;

/// How much of a file decides whether it is a suite, in bytes: twice what `Recognized` looks at, because characters have several bytes.
const HEAD_BYTES: u64 = 128 * 1024;

/// The first 128 KiB of a file. All that decides whether it is a suite is in there.
///
/// # Errors
/// If it cannot be read, or is not a file.
pub(super) fn read_head(path: &Path) -> io::Result<Vec<u8>> {
    Reader::default().read_part(path, 0, HEAD_BYTES)
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
