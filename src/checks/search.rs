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

/// `matches`: the first match of `pattern` within a line, ignoring case. In a plain reading, the pattern is looked for there, too.
pub(super) fn first_match<'p>(
    response: &Response<'_>,
    pattern: &'p str,
    budget: &Budget,
) -> Result<Option<Span>, Trouble<'p>> {
    let compiled = compile(pattern, Case::Ignored)?;
    if let Some(found) = first_of(response, pattern, &compiled, budget)? {
        return Ok(Some(found));
    }
    let Some((plain, text)) = response.plain() else { return Ok(None) };
    let found = first_of(text, pattern, &compiled_plain(pattern, Case::Ignored, compiled), budget)?;
    Ok(found.map(|span| plain.original(span)))
}

/// The first match within a line, or else in the text with the escaped characters of a snapshot.
fn first_of<'p>(
    response: &Response<'_>,
    pattern: &'p str,
    compiled: &Pattern,
    budget: &Budget,
) -> Result<Option<Span>, Trouble<'p>> {
    if let Some(found) = first_in_lines(response, pattern, compiled, budget)? {
        return Ok(Some(found));
    }
    let mut trouble = None;
    let found = response.in_unescaped(|text| {
        first_in_lines(text, pattern, compiled, budget).unwrap_or_else(|fault| {
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
/// turns that off. In a plain reading, the matches there are taken if there are more.
pub(super) fn every_match<'p>(
    response: &Response<'_>,
    pattern: &'p str,
    budget: &Budget,
    each: impl FnMut(Span),
) -> Result<(), Trouble<'p>> {
    let compiled = compile(pattern, Case::Matters)?;
    let mut matches = all_in_lines(response, pattern, &compiled, budget)?;
    if let Some((plain, text)) = response.plain() {
        let read = all_in_lines(text, pattern, &compiled_plain(pattern, Case::Matters, compiled), budget)?;
        if read.len() > matches.len() {
            matches = read.into_iter().map(|span| plain.original(span)).collect();
        }
    }
    matches.into_iter().for_each(each);
    Ok(())
}

fn all_in_lines<'p>(
    response: &Response<'_>,
    pattern: &'p str,
    compiled: &Pattern,
    budget: &Budget,
) -> Result<Vec<Span>, Trouble<'p>> {
    let mut matches = Vec::new();
    for (number, (start, line)) in response.lines().enumerate() {
        for found in compiled.matches(line, budget) {
            let found = found.map_err(|over| Trouble::OverBudget { pattern, line: number + 1, over })?;
            matches.push(found.shifted_by(start));
        }
    }
    Ok(matches)
}

fn compile(pattern: &str, case: Case) -> Result<Arc<Pattern>, Trouble<'_>> {
    compile_cached(pattern, case).map_err(|error| Trouble::Malformed { pattern, error })
}

/// The pattern for a plain reading; the pattern itself, which is `compiled`, if that has no form for it.
fn compiled_plain(pattern: &str, case: Case, compiled: Arc<Pattern>) -> Arc<Pattern> {
    compile_cached(&plain_pattern(pattern), case).unwrap_or(compiled)
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
