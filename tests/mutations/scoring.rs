//! Mistakes in scoring.

use eval_ls::testing::Node;

use crate::mutations::edits::*;
use crate::mutations::source::Source;
use crate::mutations::study::{Area, Operator, operator};

pub(crate) fn operators() -> Vec<Operator> {
    let scoring = |name, mistakes| operator(Area::Scoring, name, mistakes);
    vec![
        scoring("weight off by 0.1", |s| weights(s, |value| format!("{}", ((value + 0.1) * 100.0).round() / 100.0)))
            .lossy(),
        scoring("weights in percent", |s| all_weights(s, |value| (value * 100.0).round().to_string())),
        scoring("weight lost", |s| {
            let several = s.values(&["weights"]).into_iter().filter(|n| n.members().count() > 1);
            removed(several.filter_map(|n| n.members().last()))
        })
        .lossy(),
        scoring("negative weight", |s| {
            s.members_of("weights").into_iter().filter_map(|m| m.value).map(|v| insert(v.span().start, "-")).collect()
        }),
        scoring("all weights 0", |s| all_weights(s, |_| "0".to_owned())).open(),
        scoring("weight of a group without a check", |s| {
            let halved = |n: Node<'_>| {
                let last = n.members().last().unwrap().value.unwrap();
                let half = last.as_f64().unwrap() / 2.0;
                let has_numbers = n.member("numeric_grounding").is_some();
                let group = if has_numbers { "tool_hygiene" } else { "numeric_grounding" };
                replace(last.span(), format!("{half}, \"{group}\": {half}"))
            };
            let lists = s.values(&["weights"]).into_iter();
            lists.filter(|n| n.member("morning_brief_contract").is_none()).map(halved).collect()
        })
        .lossy(),
        scoring("threshold in percent", |s| threshold(s, |value| format!("{}", (value * 100.0).round()))),
        scoring("threshold above 1", |s| threshold(s, |_| "1.2".to_owned())).open(),
        scoring("threshold below 0", |s| threshold(s, |value| format!("-{value}"))),
        scoring("threshold 0", |s| threshold(s, |_| "0".to_owned())).open(),
        scoring("threshold lost", |s| removed(s.members(&["threshold"]))).lossy(),
    ]
}

fn weights(s: &Source, make: impl Fn(f64) -> String) -> Vec<Mistake> {
    let values = s.members_of("weights").into_iter().filter_map(|member| member.value);
    values.map(|value| replace(value.span(), make(value.as_f64().unwrap()))).collect()
}

/// All weights of a case are wrong at once.
fn all_weights(s: &Source, make: impl Fn(f64) -> String) -> Vec<Mistake> {
    let wrong = |value: Node<'_>| (value.span(), make(value.as_f64().unwrap()));
    let lists = s.values(&["weights"]).into_iter();
    lists.map(|list| list.members().filter_map(|member| member.value).map(&wrong).collect()).collect()
}

fn threshold(s: &Source, make: impl Fn(f64) -> String) -> Vec<Mistake> {
    s.values(&["threshold"]).into_iter().map(|value| replace(value.span(), make(value.as_f64().unwrap()))).collect()
}
