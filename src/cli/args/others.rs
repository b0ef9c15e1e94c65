use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap_complete::Shell;

use crate::schema::SchemaName;

/// Arguments of `lsp`.
#[derive(Debug, Args)]
pub(crate) struct LspArgs {
    /// Accepted because some editors pass it; the server always uses standard input and output
    #[arg(long)]
    pub(crate) stdio: bool,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The lint, for instance duplicate-case-id
    #[arg(value_name = "LINT")]
    pub(crate) lint: Option<String>,
}

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// The schema: a version of suites, or another format
    #[arg(value_name = "NAME", value_parser = schema_name())]
    pub(crate) name: Option<SchemaName>,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

fn schema_name() -> impl clap::builder::TypedValueParser<Value = SchemaName> {
    PossibleValuesParser::new(SchemaName::ALL.map(SchemaName::as_str)).try_map(|name| name.parse::<SchemaName>())
}
