//! A workspace: the folder tree under one `eval-ls.toml`. Which configuration applies to a file, whether the file is a
//! suite, where its results are, and which tools the files of the workspace show.

mod load;
mod membership;
mod path;
mod read;
mod results;
mod scope;
mod search;
pub mod tools;

pub use load::{ConfigCache, LoadError, Loaded, LoadedConfig};
pub use membership::{FileRules, Membership, innermost, membership};
pub use path::absolute;
pub use read::{read_bounded, read_suite};
pub use results::{last_result, results_folder};
pub use scope::Scope;
pub use search::{Found, Search, SearchError};
