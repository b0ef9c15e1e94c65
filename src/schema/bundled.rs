//! The JSON Schemas that come with the program, as texts.
//!
//! They are draft-07 and refer to no other document. Any JSON Schema tool can read them. They have these keywords in
//! addition to the standard ones; other tools ignore them:
//!
//! | keyword | meaning |
//! | --- | --- |
//! | `markdownDescription` | a longer description in Markdown; its last line repeats the keywords below |
//! | `enumDescriptions` | the meaning of each value of `enum`, in the same order |
//! | `x-group` | the scoring group of the key's checks |
//! | `x-since` | the first version that has the key; absent for 0.1 |
//! | `x-read-with` | this key is ignored without the key named here |
//! | `x-pattern` | `true` if the string is a regular expression |
//! | `x-default` | in Markdown, the default if it is not a single value (those are in `default`) |
//!
//! Keys are listed under `properties` in the order of completion: required ones first.

use std::fmt;

/// The JSON Schema of suites of version 0.1.
pub(crate) const EVAL_SET_V0_1: &str = include_str!("../../schemas/eval-set.v0.1.schema.json");
/// The JSON Schema of suites of version 0.2.
pub(crate) const EVAL_SET_V0_2: &str = include_str!("../../schemas/eval-set.v0.2.schema.json");
/// The JSON Schema of suites of version 0.3.
pub(crate) const EVAL_SET_V0_3: &str = include_str!("../../schemas/eval-set.v0.3.schema.json");
/// The JSON Schema of the configuration, `eval-ls.toml`.
pub(crate) const CONFIG: &str = include_str!("../../schemas/eval-ls.schema.json");
/// The JSON Schema of transcripts of the formats `eval-ls/transcript@1` and `@2`.
pub(crate) const TRANSCRIPT: &str = include_str!("../../schemas/transcript.schema.json");
/// The JSON Schema of a run's result document.
pub(crate) const RESULT: &str = include_str!("../../schemas/result.schema.json");
/// The JSON Schema of the record of a kept run.
pub(crate) const RUN: &str = include_str!("../../schemas/run.schema.json");

/// One of the bundled schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SchemaName {
    /// Suites of version 0.1.
    V0_1,
    /// Suites of version 0.2.
    V0_2,
    /// Suites of version 0.3.
    V0_3,
    /// The configuration, `eval-ls.toml`.
    Config,
    /// A transcript.
    Transcript,
    /// The result document of a run.
    Result,
    /// The record of a kept run.
    Run,
}

impl SchemaName {
    /// All schemas, in the order of lists.
    pub(crate) const ALL: [SchemaName; 7] = [
        SchemaName::V0_1,
        SchemaName::V0_2,
        SchemaName::V0_3,
        SchemaName::Config,
        SchemaName::Transcript,
        SchemaName::Result,
        SchemaName::Run,
    ];

    /// The name on the command line: `0.1`, `0.2`, `0.3`, `config`, `transcript`, `result` or `run`.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            SchemaName::V0_1 => "0.1",
            SchemaName::V0_2 => "0.2",
            SchemaName::V0_3 => "0.3",
            SchemaName::Config => "config",
            SchemaName::Transcript => "transcript",
            SchemaName::Result => "result",
            SchemaName::Run => "run",
        }
    }

    /// The schema with that name; upper and lower case differ.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|schema| schema.as_str() == name)
    }

    /// The schema as JSON that ends with a line break.
    pub(crate) fn text(self) -> &'static str {
        match self {
            SchemaName::V0_1 => EVAL_SET_V0_1,
            SchemaName::V0_2 => EVAL_SET_V0_2,
            SchemaName::V0_3 => EVAL_SET_V0_3,
            SchemaName::Config => CONFIG,
            SchemaName::Transcript => TRANSCRIPT,
            SchemaName::Result => RESULT,
            SchemaName::Run => RUN,
        }
    }
}

impl fmt::Display for SchemaName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests;
