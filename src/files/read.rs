use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The most memory that is reserved before a file is read, in bytes. The system may report any length.
const FIRST: u64 = 1 << 20;

/// Reads a file of at most `most` bytes.
///
/// # Errors
/// If it cannot be read, is larger, or is not a regular file: reading from a pipe could block, and a device has no end.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    // With a byte to spare, one call reads all of it.
    let mut bytes = Vec::with_capacity(metadata.len().min(FIRST) as usize + 1);
    // The file may grow while it is read.
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {}", size(most))));
    }
    Ok(bytes)
}

fn size(bytes: u64) -> String {
    if bytes < 1 << 20 { format!("{} KiB", bytes >> 10) } else { format!("{} MiB", bytes >> 20) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_files_and_files_without_an_end_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, vec![b'x'; 2048]).unwrap();
        assert_eq!(read(&path, 2048).unwrap().len(), 2048);
        assert_eq!(read(&path, 1024).unwrap_err().to_string(), "larger than 1 KiB");
        // A sparse file costs nothing on disk, and must cost nothing here.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read(&path, 2 << 20).unwrap_err().to_string(), "larger than 2 MiB");
        assert_eq!(read(folder.path(), 1).unwrap_err().to_string(), "not a regular file");
        assert_eq!(read(&folder.path().join("absent"), 1).unwrap_err().kind(), io::ErrorKind::NotFound);
        #[cfg(target_os = "linux")]
        assert_eq!(read(Path::new("/dev/zero"), 1).unwrap_err().to_string(), "not a regular file");
    }
}
