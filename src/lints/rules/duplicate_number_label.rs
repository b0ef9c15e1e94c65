use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::syntax::encode;

declare_lint! {
    /// Two numbers of a case have the same label.
    ///
    /// The label names the check in results. If two numbers share a label, results do not show which one is missing. A
    /// number without a label is named by its value or its pattern.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_ground_numbers": [
    ///   { "label": "bikes", "regex": "[0-9]+ bikes in stock" }, { "label": "bikes", "regex": "[0-9]+ bikes on loan" }
    /// ] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Give each number its own label.
    ///
    /// ```json
    /// { "must_ground_numbers": [
    ///   { "label": "bikes", "regex": "[0-9]+ bikes in stock" }, { "label": "bikes on loan", "regex": "[0-9]+ bikes on loan" }
    /// ] }
    /// ```
    pub(crate) DUPLICATE_NUMBER_LABEL = "duplicate-number-label", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(numbers) = &cx.case.expected.must_ground_numbers else { return };
    let mut taken: HashSet<String> = numbers.value.iter().map(|item| item.name().to_owned()).collect();
    let mut first_uses = HashMap::new();
    // The first number to try for each label: a search from 2 on for each of many equal labels would be quadratic.
    let mut next: HashMap<&str, u64> = HashMap::new();
    for item in numbers.value.iter().filter(|item| !item.name().is_empty()) {
        let named = [&item.label, &item.value, &item.regex].into_iter().flatten().next();
        let span = named.map_or(item.span, |field| field.span);
        let (first, first_is_object) = *first_uses.entry(item.name()).or_insert((span, item.is_object));
        // A bare entry that is there twice is `repeated-entry`, and a number that asks for nothing is `ungrounded-number`.
        if first == span || named.is_none() || !(item.is_object || first_is_object) {
            continue;
        }
        let message = format!("another number of this case is named {} too", quoted(item.name()));
        let finding = report.add(span, message);
        finding.also(first, "first used here");
        if let Some(label) = &item.label {
            let number = next.entry(&label.value).or_insert(2);
            let free = loop {
                let name = format!("{} {number}", label.value);
                *number += 1;
                if taken.insert(name.clone()) {
                    break name;
                }
            };
            finding
                .fix(Fix::new(format!("rename to {}", quoted(&free)), vec![Edit::replace(label.span, encode(&free))]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DUPLICATE_NUMBER_LABEL;
    use crate::lints::tests::fixture::check_lines;

    #[test]
    fn finds_each_later_name_and_takes_the_next_free_one() {
        check_lines(
            &DUPLICATE_NUMBER_LABEL,
            r#"
            { "must_ground_numbers": [{ "label": "a", "value": 1 }, { "label": «"a"», "value": 2 }] }
            { "must_ground_numbers": [{ "value": "7" }, { "value": «"7"», "context_any": ["rim"] }] }
            { "must_ground_numbers": [{ "value": 7 }, «"7"»] }
            { "must_ground_numbers": [{ "label": "b", "value": 1 }, { "label": "a", "value": 1 }, "c"] }
            { "must_ground_numbers": [7, "7"] }
            { "must_ground_numbers": [{}, {}] }
            { "must_ground_numbers": [{ "label": "a" }, { "label": "a 2" }, { "label": «"a"» }] }
            → { "must_ground_numbers": [{ "label": "a" }, { "label": "a 2" }, { "label": "a 3" }] }
            "#,
        );
    }
}
