use std::sync::Arc;

use crate::diagnostic::quoted;
use crate::pattern::{Budget, Case, OverBudget, Pattern, PatternError, compile_cached};
use crate::text::Span;

use super::response::Response;
use super::result::Decision;

/// Why a search with a pattern has no result.
pub(super) enum Trouble<'p> {
    /// The pattern does not compile.
    Malformed { pattern: &'p str, error: PatternError },
    /// The pattern exceeded its budget on this line, counted from 1.
    OverBudget { pattern: &'p str, line: usize, over: OverBudget },
}

/// `matches`: the first match of `pattern` within a line, ignoring case.
pub(super) fn first_match<'p>(
    response: &Response<'_>,
    pattern: &'p str,
    budget: &Budget,
) -> Result<Option<Span>, Trouble<'p>> {
    let compiled = compile(pattern, Case::Ignored)?;
    if let Some(found) = first_in_lines(response, pattern, &compiled, budget)? {
        return Ok(Some(found));
    }
    let mut trouble = None;
    let found = response.in_unescaped(|text| {
        first_in_lines(text, pattern, &compiled, budget).unwrap_or_else(|fault| {
            trouble = Some(fault);
            None
        })
    });
    trouble.map_or(Ok(found), Err)
}

fn first_in_lines<'p>(
    response: &Response<'_>,
    pattern: &'p str,
    compiled: &Pattern,
    budget: &Budget,
) -> Result<Option<Span>, Trouble<'p>> {
    for (number, (start, line)) in response.lines().enumerate() {
        let found = compiled.find(line, 0, budget);
        let found = found.map_err(|over| Trouble::OverBudget { pattern, line: number + 1, over })?;
        if let Some(span) = found {
            return Ok(Some(span.shifted_by(start)));
        }
    }
    Ok(None)
}

/// Calls `each` with every match of `pattern` on every line, except for empty matches. Case matters, unless the pattern
/// turns that off.
pub(super) fn every_match<'p>(
    response: &Response<'_>,
    pattern: &'p str,
    budget: &Budget,
    mut each: impl FnMut(Span),
) -> Result<(), Trouble<'p>> {
    let compiled = compile(pattern, Case::Matters)?;
    for (number, (start, line)) in response.lines().enumerate() {
        for found in compiled.matches(line, budget) {
            let found = found.map_err(|over| Trouble::OverBudget { pattern, line: number + 1, over })?;
            each(found.shifted_by(start));
        }
    }
    Ok(())
}

fn compile(pattern: &str, case: Case) -> Result<Arc<Pattern>, Trouble<'_>> {
    compile_cached(pattern, case).map_err(|error| Trouble::Malformed { pattern, error })
}

impl Trouble<'_> {
    /// The decision of a check whose search had no result.
    pub(super) fn decision(self) -> Decision {
        match self {
            Trouble::Malformed { pattern, error } => {
                let column = pattern[..error.span.start].chars().count() + 1;
                Decision::failed(format!(
                    "the pattern {} does not compile, at character {column}: {error}",
                    quoted(pattern)
                ))
            }
            Trouble::OverBudget { pattern, line, over } => {
                Decision::not_judged(format!("cannot judge {} on line {line}: {over}", quoted(pattern)))
            }
        }
    }
}
