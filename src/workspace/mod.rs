//! A workspace: the folder tree under one `eval-ls.toml`. Which configuration applies to a file, whether the file is a
//! suite, where its results are, and which tools the files of the workspace show.

mod load;
mod membership;
mod results;
#[cfg(test)]
mod tests;
pub(crate) mod tools;

pub(crate) use crate::files::without_dots;
pub(crate) use load::{ConfigCache, Loaded, LoadedConfig};
pub(crate) use membership::{FileRules, Membership, deciding_scopes, innermost, membership, read_as};
pub(crate) use membership::{Scope, Search, boundary_of};
pub(crate) use membership::{absolute, is_linked_out, native, read_bounded};
pub(crate) use results::matching;
pub(crate) use results::{answer_of_text, folder_of_samples, sample_text, samples_of};
pub(crate) use results::{root_of, root_of_file};
