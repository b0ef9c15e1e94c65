use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap_complete::ArgValueCompleter;

use crate::cli::completions;
use clap::{Args, ValueEnum};
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
    #[arg(value_name = "LINT", add = ArgValueCompleter::new(completions::lints))]
    pub(crate) lint: Option<String>,
}

/// Arguments of `schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// The schema: a version of suites, or another format
    #[arg(value_name = "NAME", value_parser = schema_name())]
    pub(crate) name: Option<SchemaName>,
}

/// Arguments of `init`.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Also add your assistant as a target
    #[arg(value_enum, value_name = "KIND")]
    pub(crate) kind: Option<NewTarget>,

    /// Also write what coding agents need: a paragraph in AGENTS.md, and the server for Copilot CLI and OpenCode
    #[arg(long)]
    pub(crate) agents: bool,

    #[command(flatten)]
    pub(crate) target: TargetArgs,
}

/// What a new target is called and where it is.
#[derive(Clone, Debug, Args)]
pub(crate) struct TargetArgs {
    /// The name of the target and of its program
    #[arg(long, value_name = "NAME", value_parser = target_name)]
    pub(crate) name: Option<String>,

    /// The address of the app, for `browser`, or of the endpoint, for `http`
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,

    /// Make it the target of `eval-ls run`, in place of stored answers; a target that `init` has added before stays, and becomes it
    #[arg(long)]
    pub(crate) default: bool,
}

/// What a new target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NewTarget {
    /// A program in Python; writes one to start from
    Python,
    /// A program for Node.js; writes one to start from
    Node,
    /// A live web app in a browser
    Browser,
    /// A model behind an HTTP endpoint of the form of OpenAI or Anthropic; writes a program in Python that asks it
    Http,
}

fn target_name(name: &str) -> Result<String, String> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if name.is_empty() || !name.bytes().all(fits) {
        return Err("expected letters, digits, `-` and `_` only".to_owned());
    }
    Ok(name.to_owned())
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
