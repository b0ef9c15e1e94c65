//! What the response says: `must_say_any`, `must_not_say`, `must_label_assumptions`, `must_allow_override_actions`, `required_sources`.

use crate::checks::judged::Decision;
use crate::checks::{Judged, message};
use crate::config::Config;
use crate::suite::built_in_source;

/// Passes if the response says one of these phrases. The evidence is the first phrase of the list that it says.
pub(crate) fn one_said(judged: &Judged<'_>, phrases: &[&str]) -> Decision {
    let said = phrases.iter().find_map(|phrase| Some((phrase, judged.response.says(phrase)?)));
    match said {
        Some((phrase, span)) => message::said(judged, phrase, span, Decision::passed),
        None => Decision::failed(message::none(phrases, "is not said", "is said")),
    }
}

/// `must_not_say`: the response does not say this phrase.
pub(crate) fn not_said(judged: &Judged<'_>, phrase: &str) -> Decision {
    match judged.response.says(phrase) {
        Some(span) => message::said(judged, phrase, span, Decision::failed),
        None => Decision::passed(format!("{} is not said", message::quoted(phrase))),
    }
}

/// `required_sources`: the response mentions this source.
pub(crate) fn source(judged: &Judged<'_>, source: &str, given: Option<&[&str]>, config: &Config) -> Decision {
    let patterns = source_phrases(source, given, config);
    if patterns.is_empty() {
        return Decision::failed(format!("{} has no phrase that a response could contain", message::quoted(source)));
    }
    one_said(judged, &patterns)
}

/// The patterns of a source: those of the case, or else of the workspace, or else the built-in ones, or else its name.
pub(crate) fn source_phrases<'a>(source: &'a str, given: Option<&[&'a str]>, config: &'a Config) -> Vec<&'a str> {
    if let Some(given) = given {
        return given.to_vec();
    }
    if let Some(source) = config.sources.get(source) {
        return source.patterns.iter().map(String::as_str).filter(|pattern| !pattern.is_empty()).collect();
    }
    built_in_source(source).map_or_else(|| vec![source], <[&str]>::to_vec)
}
