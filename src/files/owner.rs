//! Whose a file is.

use std::fmt;
use std::path::Path;

/// Why a file may be the work of somebody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign {
    /// Another user owns it: the number of the user.
    Owner(u32),
    /// Everybody may write it.
    Writable,
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Foreign::Owner(owner) => write!(f, "belongs to the user {owner}, not to you"),
            Foreign::Writable => f.write_str("can be written by everybody"),
        }
    }
}

/// Why the file or folder at `path`, which may be a link, may be the work of another user. `None` if it belongs to this user, to
/// the superuser, or to the user who started this process by `sudo`, and not everybody can write it. Windows has no such
/// permissions, so nothing is foreign there. A file that does not exist is nobody's.
pub(crate) fn foreign(path: &Path) -> Option<Foreign> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;

        // The owner of a link decides where it leads.
        for metadata in [path.symlink_metadata().ok()?, path.metadata().ok()?] {
            if !is_ours(metadata.uid()) {
                return Some(Foreign::Owner(metadata.uid()));
            }
            // The sticky bit keeps others from replacing what is in a folder. A link has no permissions.
            if !metadata.is_symlink() && metadata.mode() & 0o002 != 0 && metadata.mode() & 0o1000 == 0 {
                return Some(Foreign::Writable);
            }
        }
        None
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// The owner of the file at `path`, or of what it links to, if it is somebody else than in [`foreign`] and than the owner of its
/// folder: others can only write there because the folder is shared, as `/tmp` is. `None` on Windows.
pub(crate) fn stranger(path: &Path) -> Option<u32> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;

        let folder = path.parent()?.metadata().ok()?.uid();
        let owners = [path.symlink_metadata().ok()?.uid(), path.metadata().ok()?.uid()];
        owners.into_iter().find(|owner| is_stranger(*owner, folder))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

#[cfg(unix)]
fn is_stranger(owner: u32, owner_of_folder: u32) -> bool {
    owner != owner_of_folder && !is_ours(owner)
}

#[cfg(unix)]
fn is_ours(owner: u32) -> bool {
    let user = rustix::process::geteuid();
    let by_sudo = || std::env::var("SUDO_UID").ok()?.parse::<u32>().ok();
    owner == 0 || owner == user.as_raw() || (user.is_root() && by_sudo() == Some(owner))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn a_file_that_everybody_may_write_is_foreign() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        assert_eq!(foreign(&path), None);
        fs::write(&path, "").unwrap();
        symlink("file", folder.path().join("link")).unwrap();
        for (mode, expected) in [(0o644, None), (0o664, None), (0o666, Some(Foreign::Writable))] {
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            assert_eq!(foreign(&path), expected, "{mode:o}");
            assert_eq!(foreign(&folder.path().join("link")), expected, "{mode:o}");
        }
    }

    #[test]
    fn a_file_of_another_user_is_foreign() {
        assert!(is_ours(0) && is_ours(rustix::process::geteuid().as_raw()));
        assert!(!is_ours(4_000_000_000));
    }

    #[test]
    fn a_file_of_a_stranger_is_in_a_folder_of_somebody_else() {
        let (user, stranger) = (rustix::process::geteuid().as_raw(), 4_000_000_000);
        for (owner, folder, expected) in [
            (stranger, 0, true),
            (stranger, user, true),
            (stranger, stranger, false),
            (user, stranger, false),
            (0, stranger, false),
        ] {
            assert_eq!(is_stranger(owner, folder), expected, "{owner} in a folder of {folder}");
        }
    }
}
