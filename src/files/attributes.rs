use std::fs::File;

use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};

/// The longest list of names, and the longest value, that Linux stores, in bytes.
const LONGEST: usize = 64 << 10;

/// Copies the extended attributes, access control lists among them. An attribute that the user may not set, or that the file
/// system does not store, is left out.
pub(super) fn copy_attributes(from: &File, to: &File) {
    let (mut names, mut value) = (vec![0; LONGEST], vec![0; LONGEST]);
    let length = flistxattr(from, &mut names[..]).unwrap_or(0);
    for name in names[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        if let Ok(length) = fgetxattr(from, name, &mut value[..]) {
            let _ = fsetxattr(to, name, &value[..length], XattrFlags::empty());
        }
    }
}
