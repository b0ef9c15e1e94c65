use clap::Args;
use clap_complete::ArgValueCompleter;

use crate::cli::completions;

/// The cases that a command selects. Several options select the cases that all of them select.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SelectionArgs {
    /// Select the cases with these ids; `*` and `?` match any characters
    #[arg(long, value_name = "A,B*", value_delimiter = ',', add = ArgValueCompleter::new(completions::cases))]
    pub(crate) cases: Option<Vec<String>>,

    /// Select the cases of these categories; `*` and `?` match any characters
    #[arg(long, value_name = "A,B*", value_delimiter = ',')]
    pub(crate) category: Option<Vec<String>>,

    /// Select the cases whose last verdict is not PASS, with `--target` or the target of the last run, which `run` asks again; `=RUN`: those
    /// of that run or result file
    #[arg(long, value_name = "RUN", num_args = 0..=1, require_equals = true, default_missing_value = "latest", add = ArgValueCompleter::new(completions::runs))]
    pub(crate) failed: Option<String>,
}

impl SelectionArgs {
    /// Whether all cases are selected.
    pub(crate) fn is_empty(&self) -> bool {
        self.cases.is_none() && self.category.is_none() && self.failed.is_none()
    }
}
