//! `required_version`: the versions of eval-ls that fit a workspace.

use std::str::FromStr;

use semver::{Comparator, Op, Version, VersionReq};

/// Bounds for the version of this program. All of them must hold: `>=0.2, <0.4`. Later numbers of the program's version do not
/// count: `0.2.5` is `<=0.2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequiredVersion(VersionReq);

const TOO_OLD: &str = "install a newer version of eval-ls";
const TOO_NEW: &str = "install an older version of eval-ls, or change `required_version`";

/// An invalid requirement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RequirementError {
    /// A version without an operator, which could mean this version or this and newer ones.
    #[error("a version needs an operator; write `>={0}` for this version and newer ones, or `={0}`")]
    NoOperator(String),
    /// Not one to three numbers after the operator.
    #[error("expected bounds such as `>=0.2` or `>=0.2, <0.4`")]
    NotABound,
}

impl RequiredVersion {
    /// Returns what to do about the version `program`; `None` if it meets all bounds. Only its numbers count, not what
    /// follows them (`-rc.1`).
    pub(crate) fn misfit(&self, program: &str) -> Option<&'static str> {
        let program = Version::parse(program).ok()?;
        let program = Version::new(program.major, program.minor, program.patch);
        self.0.comparators.iter().find(|bound| !bound.matches(&program)).map(|bound| misfit(bound, &program))
    }
}

fn misfit(bound: &Comparator, program: &Version) -> &'static str {
    let least = Version::new(bound.major, bound.minor.unwrap_or(0), bound.patch.unwrap_or(0));
    match bound.op {
        Op::Less | Op::LessEq => TOO_NEW,
        Op::Exact if *program >= least => TOO_NEW,
        _ => TOO_OLD,
    }
}

impl FromStr for RequiredVersion {
    type Err = RequirementError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // The library takes more: `=1.x`, and no bound at all for `*`.
        if text.contains(['*', 'x', 'X', '+']) {
            return Err(RequirementError::NotABound);
        }
        let requirement: VersionReq = text.parse().map_err(|_| RequirementError::NotABound)?;
        let mut bounds = text.split(',').map(str::trim);
        if let Some(version) = bounds.clone().find(|bound| bound.starts_with(|c: char| c.is_ascii_digit())) {
            return Err(RequirementError::NoOperator(version.to_owned()));
        }
        let is_known = |bound: &Comparator| {
            bound.pre.is_empty() && matches!(bound.op, Op::Exact | Op::Greater | Op::GreaterEq | Op::Less | Op::LessEq)
        };
        let is_valid = bounds.all(|bound| !bound.is_empty()) && requirement.comparators.iter().all(is_known);
        is_valid.then_some(RequiredVersion(requirement)).ok_or(RequirementError::NotABound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_compare_the_numbers_that_they_have() {
        for (required, program, misfit) in [
            (">=0.2", "0.2.0", None),
            (">=0.2", "0.10.0", None),
            (">=0.2", "0.1.9", Some(TOO_OLD)),
            (">0.2", "0.2.5", Some(TOO_OLD)),
            (">0.2.4", "0.2.5", None),
            ("<=0.2", "0.2.5", None),
            ("<0.2", "0.2.0", Some(TOO_NEW)),
            ("=0.2", "0.2.5", None),
            ("=0.2.4", "0.2.5", Some(TOO_NEW)),
            ("=1", "0.2.5", Some(TOO_OLD)),
            (">= 0.2, < 0.4", "0.3.1", None),
            (">=0.2,<0.4", "0.4.0", Some(TOO_NEW)),
            (">=0.2", "0.2.0-rc.1", None),
        ] {
            assert_eq!(required.parse::<RequiredVersion>().unwrap().misfit(program), misfit, "{required} {program}");
        }
    }

    #[test]
    fn other_texts_are_errors() {
        assert_eq!("0.2".parse::<RequiredVersion>(), Err(RequirementError::NoOperator("0.2".to_owned())));
        let texts = ">= >=0.2, ~0.2 ^0.2 >=0.2.x >=0.2.3.4 ==0.2 >=+1 v0.2 >=99999999999999999999 >=0.2-rc.1 >=0.2.0-rc.1 =0.2.0+x =0.* *";
        for text in texts.split(' ').chain(["", ">=0.2 <0.4"]) {
            assert_eq!(text.parse::<RequiredVersion>(), Err(RequirementError::NotABound), "{text}");
        }
    }
}
