mod arithmetic;
mod page;
mod properties;
mod result;

use serde_json::Value;

use super::*;
use crate::checks::CheckOutcome;
use crate::config::Config;
use crate::suite::{Case, Group, Suite};
use crate::syntax::parse;
use crate::text::Span;
use crate::transcript::{Event, Transcript};

fn case(source: &str) -> Case {
    let source = format!(r#"{{ "cases": [ {source} ] }}"#);
    let parsed = parse(&source);
    assert!(parsed.errors.is_empty(), "{:?} in {source}", parsed.errors);
    let suite = Suite::lower(parsed.tree.root(&source).unwrap());
    Case::clone(&suite.cases[0].case)
}

fn transcript(response: &str, telemetry: Value) -> Transcript {
    let events = telemetry.as_array().unwrap().iter().cloned().map(Event::from_value).collect();
    Transcript { response: response.to_owned(), telemetry: events, ..Transcript::default() }
}

/// A check of that group with that outcome.
fn made(group: Option<Group>, outcome: CheckOutcome) -> CheckResult {
    let id = format!("{}:{outcome:?}", group.map_or("-", Group::name));
    CheckResult { id, group, outcome, ..CheckResult::default() }
}
