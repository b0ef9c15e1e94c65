use std::fs::File;

/// There are no keys here: standard input stays what it is.
pub(super) fn open() -> Option<File> {
    None
}

pub(super) fn take_keys() {}

pub(super) fn take_lines() {}

pub(in crate::cli::run) fn restore() {}
