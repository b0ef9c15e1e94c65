use crate::analysis::Document;
use crate::config::Config;
use crate::diagnostic::Edit;
use crate::suite::{Case, Spanned};
use crate::text::Span;

use super::RenameError;
use super::case_id::inner;

/// The edits that rename the source `old` to `new` in `required_sources` and `source_patterns` of all cases. `config` is the
/// configuration of the suite. If it defines the source, the caller must change it too.
///
/// # Errors
/// If there already is a source with that name, or if neither the case nor `config` has patterns for the source.
pub(crate) fn rename_source(
    document: &Document,
    old: &str,
    new: &str,
    config: &Config,
) -> Result<Vec<Edit>, RenameError> {
    if new.trim().is_empty() {
        return Err(RenameError::EmptySource);
    }
    if new == old {
        return Ok(Vec::new());
    }
    let is_defined = config.sources.contains_key(old);
    if config.sources.contains_key(new) {
        return Err(RenameError::SourceIsTaken(new.to_owned()));
    }
    let mut edits = Vec::new();
    for placed in &document.suite().cases {
        let case = &placed.case;
        let found = named(case, old);
        if found.is_empty() {
            continue;
        }
        if !named(case, new).is_empty() {
            return Err(RenameError::SourceIsTaken(new.to_owned()));
        }
        if !is_defined && !gives_patterns(case, old) {
            let case = case.id.as_ref().map(|id| id.value.clone()).unwrap_or_default();
            return Err(RenameError::NamedByItself { source_name: old.to_owned(), case });
        }
        edits.extend(found.into_iter().map(|span| {
            let span = placed.absolute(span);
            Edit::replace(Span::new(span.start + 1, span.end - 1), inner(new))
        }));
    }
    edits.sort_by_key(|edit| edit.span);
    Ok(edits)
}

/// The places that name the source in a case, with their quotes.
fn named(case: &Case, source: &str) -> Vec<Span> {
    let required = case.expected.required_sources.iter().flat_map(|list| &list.value);
    let given = case.expected.source_patterns.iter().flat_map(|given| &given.value).map(|given| &given.source);
    let is_named = |name: &&Spanned<String>| name.value == source;
    required.chain(given).filter(is_named).map(|name| name.span).collect()
}

fn gives_patterns(case: &Case, source: &str) -> bool {
    case.expected.source_patterns.iter().flat_map(|given| &given.value).any(|given| given.source.value == source)
}
