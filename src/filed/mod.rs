//! What is stored beside a suite, under its name and the ids of its cases: the one list of it. A rename moves what is in the list, and
//! a finding names what belongs to no case or to no suite.
//!
//! No link is followed, and no text of a file becomes a path: an id is encoded, and other paths are those of a listed folder.

mod kind;
mod strays;

pub(crate) use kind::{Filed, file_name, suite_name};
pub(crate) use kind::{Move, Shelves, moves_of_suite};
pub(crate) use strays::{Home, Stray, strays};
