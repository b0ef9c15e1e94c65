//! Mistakes in scoring.

use crate::mutations::edits::*;
use crate::mutations::source::Source;
use crate::mutations::study::{Area, Operator, operator};

pub(crate) fn operators() -> Vec<Operator> {
    let scoring = |name, mistakes| operator(Area::Scoring, name, mistakes);
    vec![
        scoring("weight off by 0.1", |s| weights(s, |value| format!("{}", ((value + 0.1) * 100.0).round() / 100.0)))
            .lossy(),
        scoring("weights in percent", |s| {
            s.values(&["weights"])
                .into_iter()
                .map(|n| {
                    n.members()
                        .filter_map(|m| m.value)
                        .map(|v| (v.span(), format!("{}", (v.as_f64().unwrap() * 100.0).round())))
                        .collect()
                })
                .collect()
        }),
        scoring("weight lost", |s| {
            s.values(&["weights"])
                .into_iter()
                .filter(|n| n.members().count() > 1)
                .map(|n| vec![(n.members().last().unwrap().node.removal(), String::new())])
                .collect()
        })
        .lossy(),
        scoring("negative weight", |s| {
            s.members_of("weights").into_iter().filter_map(|m| m.value).map(|v| insert(v.span().start, "-")).collect()
        }),
        scoring("all weights 0", |s| {
            s.values(&["weights"])
                .into_iter()
                .map(|n| n.members().filter_map(|m| m.value).map(|v| (v.span(), "0".to_owned())).collect())
                .collect()
        })
        .open(),
        scoring("weight of a group without a check", |s| {
            s.values(&["weights"])
                .into_iter()
                .filter(|n| n.member("morning_brief_contract").is_none())
                .map(|n| {
                    let last = n.members().last().unwrap().value.unwrap();
                    let half = last.as_f64().unwrap() / 2.0;
                    replace(
                        last.span(),
                        format!(
                            "{half}, \"{}\": {half}",
                            if n.member("numeric_grounding").is_some() { "tool_hygiene" } else { "numeric_grounding" }
                        ),
                    )
                })
                .collect()
        })
        .lossy(),
        scoring("threshold in percent", |s| threshold(s, |value| format!("{}", (value * 100.0).round()))),
        scoring("threshold above 1", |s| threshold(s, |_| "1.2".to_owned())).open(),
        scoring("threshold below 0", |s| threshold(s, |value| format!("-{value}"))),
        scoring("threshold 0", |s| threshold(s, |_| "0".to_owned())).open(),
        scoring("threshold lost", |s| {
            s.members(&["threshold"]).into_iter().map(|m| vec![(m.node.removal(), String::new())]).collect()
        })
        .lossy(),
    ]
}

fn weights(s: &Source, make: impl Fn(f64) -> String) -> Vec<Mistake> {
    let values = s.members_of("weights").into_iter().filter_map(|member| member.value);
    values.map(|value| replace(value.span(), make(value.as_f64().unwrap()))).collect()
}

fn threshold(s: &Source, make: impl Fn(f64) -> String) -> Vec<Mistake> {
    s.values(&["threshold"]).into_iter().map(|value| replace(value.span(), make(value.as_f64().unwrap()))).collect()
}
