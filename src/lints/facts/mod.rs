//! Facts about a case that several lints share: its groups, lists, tools, patterns and weights.

pub(crate) mod claims;
pub(crate) mod patterns;
pub(crate) mod tools;
pub(crate) mod weighing;
