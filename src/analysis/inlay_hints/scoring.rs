//! Notes on scoring: after weights, the share in the soft score if it differs from the weight; after weights and hard-fail
//! groups, the number of checks.

use crate::analysis::weighing::{Weighing, percent};
use crate::suite::{Group, List, PlacedCase, expectations};
use crate::text::{Span, counted, number};

use super::{HintSubject, InlayHint, Place, place, place_of_member};

/// The notes of the case with that index of `text`.
pub(super) fn hints(text: &str, index: usize, placed: &PlacedCase) -> Vec<InlayHint> {
    let expected = &placed.case.expected;
    if expected.scoring.is_none() {
        return Vec::new();
    }
    let weighing = Weighing::of(&placed.case, &expectations(&placed.case));
    let hint = |Place { offset, name }: Place, group: Group, label: String| InlayHint {
        offset,
        // After a weight, digits would read as part of it.
        label: format!("· {}{label}", name.map(|name| name + " ").unwrap_or_default()),
        subject: HintSubject::Group { case: index, group },
    };
    let count = |group: Group| counted(weighing.group(group).checks, "check");
    // Behind a line with several groups, the counts would be longer than the line. A group without checks is news there, too.
    let is_news = |place: &Place, group: Group| place.name.is_none() || weighing.group(group).checks == 0;
    let end = placed.span().end;
    let mut hints = Vec::new();
    for named in expected.hard_fail().into_iter().flat_map(List::entries) {
        let Some(group) = Group::from_name(&named.value) else { continue };
        let place = place(text, placed.absolute(named.span), end);
        if is_news(&place, group) {
            hints.push(hint(place, group, count(group)));
        }
    }
    let weights = expected.weights().map_or(&[][..], |field| &field.value);
    for (number_of, weight) in weights.iter().enumerate() {
        let Some(group) = Group::from_name(&weight.group.value) else { continue };
        // If a group is named twice, only the last weight counts.
        let counts = weights[number_of + 1..].iter().all(|later| later.group.value != weight.group.value);
        let share = weighing.share(weight.value.value).filter(|_| counts && number(weighing.sum) != "1").map(percent);
        let member = placed.absolute(Span::new(weight.group.span.start, weight.value.span.end));
        let place = place_of_member(text, member, end, &weight.group.value);
        let counted = is_news(&place, group).then(|| count(group));
        let parts: Vec<String> = share.into_iter().chain(counted).collect();
        if !parts.is_empty() {
            hints.push(hint(place, group, parts.join(" · ")));
        }
    }
    hints
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::analysis::inlay_hints::{HintsWanted, VerdictHints, hint_page, inlay_hints};
    use crate::analysis::{Answers, Document};
    use crate::text::Text;

    /// The text of the suite with each note in `‹›`.
    fn noted(scoring: &str) -> String {
        let wanted = HintsWanted { verdicts: VerdictHints::None, challenges: false };
        let text = format!(
            r#"{{ "cases": [ {{ "id": "A", "expected": {{ "must_say_any": ["a"], "must_not_say": ["b"], "scoring": {scoring} }} }} ] }}"#
        );
        let document = Document::new(Text::new(&text), None);
        let within = Span::new(0, text.len());
        let hints = inlay_hints(&document, &Answers::default(), within, SystemTime::UNIX_EPOCH, wanted);
        let mut noted = text.clone();
        for hint in hints.iter().rev() {
            noted.insert_str(hint.offset, &format!("‹{}›", hint.label));
        }
        let start = noted.find("\"scoring\": ").unwrap() + "\"scoring\": ".len();
        noted[start..].strip_suffix(" } } ] }").unwrap().to_owned()
    }

    #[test]
    fn weights_and_groups_have_shares_and_counts() {
        let scoring = r#"{ "hard_fail": ["formatting", "nonsense", "uncertainty"], "soft_score": { "weights": { "formatting": 1, "tool_hygiene": 0.5, "x": 0.5 } } }"#;
        let expected = r#"{ "hard_fail": ["formatting", "nonsense", "uncertainty"],‹· "uncertainty" 0 checks› "soft_score": { "weights": { "formatting": 1, "tool_hygiene": 0.5, "x": 0.5 }‹· "formatting" 50 %›‹· "tool_hygiene" 25 %› } }"#;
        assert_eq!(noted(scoring), expected);
    }

    #[test]
    fn weights_equal_to_their_share_have_no_note() {
        for weights in [r#"{ "formatting": 0.7, "uncertainty": 0.1, "tool_hygiene": 0.2 }"#, r#"{ "formatting": 0 }"#] {
            let scoring = format!(r#"{{ "soft_score": {{ "weights": {weights} }} }}"#);
            assert!(!noted(&scoring).contains('%'));
        }
    }

    #[test]
    fn only_the_last_weight_of_a_group_has_a_note() {
        let scoring = r#"{ "soft_score": { "weights": { "formatting": 9, "formatting": 2 } } }"#;
        let expected = r#"{ "soft_score": { "weights": { "formatting": 9, "formatting": 2 }‹· "formatting" 100 %› } }"#;
        assert_eq!(noted(scoring), expected);
    }

    #[test]
    fn the_page_of_a_note_is_the_hover_page() {
        let text = r#"{ "cases": [ { "expected": { "must_say_any": ["a"] } } ] }"#;
        let document = Document::new(Text::new(text), None);
        let page = |case| {
            let subject = HintSubject::Group { case, group: Group::Formatting };
            hint_page(&document, &Answers::default(), subject, SystemTime::UNIX_EPOCH)
        };
        assert!(page(0).unwrap().to_plain().starts_with("formatting: Phrases"));
        assert_eq!(page(1), None);
    }
}
