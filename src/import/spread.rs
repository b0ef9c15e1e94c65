//! A few of many cases, with as many tools, outcomes and lengths as they can have.

use std::collections::{BTreeSet, HashMap};

use super::draft::Draft;

/// The places of `limit` drafts: one for each set of tools in turn, of these one for each outcome in turn, and of these one for each
/// length. The first draft comes first.
pub(super) fn spread(drafts: &[Draft], limit: usize) -> BTreeSet<usize> {
    let features: Vec<[String; 3]> = drafts.iter().map(features).collect();
    let mut order: Vec<usize> = (0..drafts.len()).collect();
    for depth in (1..=3).rev() {
        let mut seen: HashMap<&[String], usize> = HashMap::new();
        let mut turns = vec![0; drafts.len()];
        for &place in &order {
            let before = seen.entry(&features[place][..depth]).or_default();
            turns[place] = *before;
            *before += 1;
        }
        order.sort_by_key(|place| turns[*place]);
    }
    order.into_iter().take(limit).collect()
}

/// The tools of a draft, how they ended, and how long it is.
fn features(draft: &Draft) -> [String; 3] {
    let calls = || draft.calls.iter().flatten();
    let tools: BTreeSet<&str> = calls().map(|call| call.tool.as_str()).collect();
    let outcomes: BTreeSet<bool> = calls().filter_map(|call| call.result.as_ref()?.1).collect();
    let length = draft.response.as_ref().map_or(0, String::len).checked_ilog2().unwrap_or_default();
    [format!("{tools:?}"), format!("{outcomes:?}"), format!("{} {}", draft.setup_prompts.len(), length / 2)]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::draft::Call;
    use super::*;

    #[test]
    fn rare_tools_outcomes_and_lengths_are_among_the_few() {
        let draft = |tool: &str, is_error: bool, answer: &str| Draft {
            response: Some(answer.to_owned()),
            calls: Some(vec![Call {
                result: Some((json!(null), Some(is_error))),
                ..Call::new(tool.to_owned(), json!({}))
            }]),
            ..Draft::default()
        };
        let mut drafts = vec![draft("find", false, "short"); 50];
        drafts.extend([
            draft("find", true, "short"),
            draft("book", false, "short"),
            draft("find", false, &"long ".repeat(99)),
        ]);
        let places = |limit| spread(&drafts, limit).into_iter().collect::<Vec<_>>();
        assert_eq!(places(1), [0]);
        assert_eq!(places(2), [0, 51]);
        assert_eq!(places(3), [0, 50, 51]);
        assert_eq!(places(4), [0, 50, 51, 52]);
        assert_eq!(places(9).len(), 9);
    }
}
