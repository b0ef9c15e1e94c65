use crate::analysis::Document;
use crate::config::Config;
use crate::diagnostic::Edit;
use crate::suite::{Case, Spanned};
use crate::text::Span;

use super::RenameError;
use super::case_id::inner;

/// The edits after which a suite calls the source `old` by the name `new`, wherever it requires it or gives it patterns.
/// `config` is what holds for the suite; it, too, is to be changed where it defines the source.
///
/// # Errors
/// Where there is a source of that name already, and where a case gives no patterns and `config` neither.
pub fn rename_source(document: &Document, old: &str, new: &str, config: &Config) -> Result<Vec<Edit>, RenameError> {
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

/// Where a case names the source, quotes included.
fn named(case: &Case, source: &str) -> Vec<Span> {
    let required = case.expected.required_sources.iter().flat_map(|list| &list.value);
    let given = case.expected.source_patterns.iter().flat_map(|given| &given.value).map(|given| &given.source);
    let is_named = |name: &&Spanned<String>| name.value == source;
    required.chain(given).filter(is_named).map(|name| name.span).collect()
}

fn gives_patterns(case: &Case, source: &str) -> bool {
    case.expected.source_patterns.iter().flat_map(|given| &given.value).any(|given| given.source.value == source)
}
