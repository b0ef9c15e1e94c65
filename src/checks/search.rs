use std::sync::Arc;

use crate::diagnostic::quoted;
use crate::pattern::{Budget, Case, OverBudget, Pattern, PatternError, compile_cached};
use crate::text::Span;

use super::reading::plain_pattern;
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
    let compiled = compile(pattern, Case::Ignored, response)?;
    let searched = response.searched();
    if let Some(found) = first_in_lines(searched, pattern, &compiled, budget)? {
        return Ok(Some(response.written(found)));
    }
    let mut trouble = None;
    let found = searched.in_unescaped(|text| {
        first_in_lines(text, pattern, &compiled, budget).unwrap_or_else(|fault| {
            trouble = Some(fault);
            None
        })
    });
    trouble.map_or(Ok(found.map(|found| response.written(found))), Err)
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
    let compiled = compile(pattern, Case::Matters, response)?;
    for (number, (start, line)) in response.searched().lines().enumerate() {
        for found in compiled.matches(line, budget) {
            let found = found.map_err(|over| Trouble::OverBudget { pattern, line: number + 1, over })?;
            each(response.written(found.shifted_by(start)));
        }
    }
    Ok(())
}

/// The pattern in the form in which the response is read.
fn compile<'p>(pattern: &'p str, case: Case, response: &Response<'_>) -> Result<Arc<Pattern>, Trouble<'p>> {
    let compiled = compile_cached(pattern, case).map_err(|error| Trouble::Malformed { pattern, error })?;
    let plain = response.is_read_plain().then(|| plain_pattern(pattern));
    Ok(plain.and_then(|plain| compile_cached(&plain, case).ok()).unwrap_or(compiled))
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
