use serde::{Deserialize, Serialize};

use crate::pattern;

/// The versions of the programs that judge.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Versions {
    /// eval-ls.
    #[serde(default)]
    pub(crate) eval_ls: String,
    /// PCRE2.
    #[serde(default)]
    pub(crate) pcre2: String,
}

impl Versions {
    /// The versions of this program and of its PCRE2.
    pub(crate) fn current() -> Versions {
        Versions { eval_ls: env!("CARGO_PKG_VERSION").to_owned(), pcre2: pattern::pcre2_version() }
    }
}
