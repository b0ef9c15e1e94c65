//! `required_sources`: the response mentions this source.

use crate::checks::judged::Decision;
use crate::checks::{Judged, message};
use crate::config::Config;
use crate::suite::built_in_source;

use super::must_say_any;

pub(crate) fn check(judged: &Judged<'_>, source: &str, given: Option<&[&str]>, config: &Config) -> Decision {
    let patterns = patterns(source, given, config);
    if patterns.is_empty() {
        return Decision::failed(format!("{} has no phrase that a response could contain", message::quoted(source)));
    }
    must_say_any::one_of(judged, &patterns)
}

/// The patterns of a source: those of the case, or else of the workspace, or else the built-in ones, or else its name.
pub(crate) fn patterns<'a>(source: &'a str, given: Option<&[&'a str]>, config: &'a Config) -> Vec<&'a str> {
    if let Some(given) = given {
        return given.to_vec();
    }
    if let Some(source) = config.sources.get(source) {
        return source.patterns.iter().map(String::as_str).filter(|pattern| !pattern.is_empty()).collect();
    }
    built_in_source(source).map_or_else(|| vec![source], <[&str]>::to_vec)
}
