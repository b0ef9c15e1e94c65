//! `required_version`: the versions of eval-ls that fit a workspace.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// Bounds for the version of this program. All of them must hold: `>=0.2, <0.4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequiredVersion(Vec<Bound>);

/// An operator and the first numbers of a version. Later numbers of the program's version do not count: `0.2.5` is `<=0.2`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bound {
    operator: &'static str,
    numbers: Vec<u64>,
}

/// What to do about a program with the wrong version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// The program is too old.
    TooOld,
    /// The program is too new.
    TooNew,
}

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

/// Longer operators come before their beginnings.
const OPERATORS: [&str; 5] = [">=", "<=", ">", "<", "="];

impl RequiredVersion {
    /// Returns what is wrong with the version `program`; `None` if it meets all bounds. Only its numbers count, not what
    /// follows them (`-rc.1`).
    pub(crate) fn misfit(&self, program: &str) -> Option<Misfit> {
        let program = program.split(['-', '+']).next().and_then(numbers).unwrap_or_default();
        self.0.iter().find_map(|bound| bound.misfit(&program))
    }
}

impl Bound {
    fn misfit(&self, program: &[u64]) -> Option<Misfit> {
        let same_length: Vec<_> = (0..self.numbers.len()).map(|at| program.get(at).copied().unwrap_or(0)).collect();
        match (self.operator, same_length.cmp(&self.numbers)) {
            (">=" | "=", Ordering::Less) | (">", Ordering::Less | Ordering::Equal) => Some(Misfit::TooOld),
            ("<=" | "=", Ordering::Greater) | ("<", Ordering::Greater | Ordering::Equal) => Some(Misfit::TooNew),
            _ => None,
        }
    }
}

impl FromStr for RequiredVersion {
    type Err = RequirementError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split(',').map(|bound| bound.trim().parse()).collect::<Result<_, _>>().map(RequiredVersion)
    }
}

impl FromStr for Bound {
    type Err = RequirementError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if numbers(text).is_some() {
            return Err(RequirementError::NoOperator(text.to_owned()));
        }
        let found = OPERATORS.iter().find_map(|operator| Some((*operator, text.strip_prefix(operator)?)));
        let bound = found.and_then(|(operator, rest)| Some(Bound { operator, numbers: numbers(rest.trim())? }));
        bound.ok_or(RequirementError::NotABound)
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Misfit::TooOld => "install a newer version of eval-ls",
            Misfit::TooNew => "install an older version of eval-ls, or change `required_version`",
        })
    }
}

/// The numbers of `1`, `1.2` or `1.2.3`.
fn numbers(text: &str) -> Option<Vec<u64>> {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let numbers: Option<Vec<u64>> = text.split('.').map(|part| part.parse().ok().filter(|_| is_number(part))).collect();
    numbers.filter(|numbers| numbers.len() <= 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_compare_the_numbers_that_they_have() {
        for (required, program, misfit) in [
            (">=0.2", "0.2.0", None),
            (">=0.2", "0.10.0", None),
            (">=0.2", "0.1.9", Some(Misfit::TooOld)),
            (">0.2", "0.2.5", Some(Misfit::TooOld)),
            (">0.2.4", "0.2.5", None),
            ("<=0.2", "0.2.5", None),
            ("<0.2", "0.2.0", Some(Misfit::TooNew)),
            ("=0.2", "0.2.5", None),
            ("=0.2.4", "0.2.5", Some(Misfit::TooNew)),
            ("=1", "0.2.5", Some(Misfit::TooOld)),
            (">= 0.2, < 0.4", "0.3.1", None),
            (">=0.2,<0.4", "0.4.0", Some(Misfit::TooNew)),
            (">=0.2", "0.2.0-rc.1", None),
        ] {
            assert_eq!(required.parse::<RequiredVersion>().unwrap().misfit(program), misfit, "{required} {program}");
        }
    }

    #[test]
    fn other_texts_are_errors() {
        assert_eq!("0.2".parse::<RequiredVersion>(), Err(RequirementError::NoOperator("0.2".to_owned())));
        for text in [
            "",
            ">=",
            ">=0.2,",
            "~0.2",
            "^0.2",
            ">=0.2.x",
            ">=0.2.3.4",
            "==0.2",
            ">=+1",
            "v0.2",
            ">=99999999999999999999",
        ] {
            assert_eq!(text.parse::<RequiredVersion>(), Err(RequirementError::NotABound), "{text}");
        }
    }
}
