//! What every layer that writes files needs: a file is there whole or not at all, even when the program or the machine
//! stops in between.

mod atomic;

pub use atomic::{FileError, create, replace, replace_private, rewrite};
