use crate::checks::Response;
use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::facts::claims::{Claim, claims};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::pattern::Budget;
use crate::suite::{Expected, List, Outcome};
use crate::syntax::{encode, separator_before};
use crate::text::fold;

declare_lint! {
    /// The answer must say what was done, and "not done" passes, too.
    ///
    /// A phrase is found anywhere in the response. So `booked` is also found in "The slot could not be booked", and the check
    /// passes on the opposite of what the case wants. With the outcome `tool_success`, the telemetry shows what was done, and nothing is
    /// reported.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_say_any": ["booked"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Forbid the negation, or ask for more words. A pattern in `must_not_match_regex` finds more forms:
    /// `(?:not|never|n['’]t)(?: be)? booked`.
    ///
    /// ```json
    /// { "must_say_any": ["booked"], "must_not_say": ["not booked", "not be booked"] }
    /// ```
    pub(crate) NEGATED_OUTCOME = "negated-outcome", Hint, Check::Case(check);
}

/// Words that say how something ended. Their negation is a usual sentence.
const OUTCOMES: &str = "\
     accepted added allowed approved available booked cancelled canceled completed confirmed created deleted \
     delivered done eligible fixed found granted included paid refunded registered removed reserved resolved \
     saved scheduled sent shipped started submitted successful supported updated verified covered";

/// How a sentence denies an outcome, and what `must_not_say` forbids then.
const NEGATIONS: [(&str, &str); 2] = [("It is not ", "not "), ("It could not be ", "not be ")];

/// How many phrases and patterns of a case are looked at: each phrase is compared with all that is forbidden.
const MOST: usize = 100;

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let expected = &cx.case.expected;
    let Some(list) = &expected.must_say_any else { return };
    let outcome = expected.outcome.as_ref().and_then(|outcome| Outcome::from_name(&outcome.value));
    // The telemetry shows a success, and the others are about what is not done.
    let may_be_denied = matches!(
        outcome,
        Some(Outcome::ToolSuccess | Outcome::GracefulBlock | Outcome::GracefulError | Outcome::NeedsInput)
    );
    let denies = |text: &str| text.starts_with("not ") || text.contains(" not ") || text.contains("n't");
    if may_be_denied || list.entries().any(|entry| denies(&fold(&entry.value))) {
        return;
    }
    let forbidden: Vec<&Claim<'_>> = claims(cx).iter().filter(|claim| claim.is_forbidden).take(MOST).collect();
    let is_forbidden = |sentence: &str| {
        let answer = Response::of_text(sentence, cx.workspace.reading);
        forbidden.iter().any(|claim| claim.holds_in(&answer, &Budget::default()))
    };
    for entry in list.entries().take(MOST) {
        let phrase = fold(&entry.value);
        let first = phrase.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if !OUTCOMES.split(' ').any(|known| known == first) {
            continue;
        }
        let open: Vec<String> = NEGATIONS
            .into_iter()
            .filter(|(sentence, _)| !is_forbidden(&format!("{sentence}{}.", entry.value)))
            .map(|(_, negation)| format!("{negation}{}", entry.value))
            .collect();
        let Some(example) = open.first() else { continue };
        let message = format!("{} is also found in {}", quoted(&entry.value), quoted(example));
        let fix = format!("forbid {}", open.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(" and "));
        report.add(entry.span, message).fix(Fix::new(fix, vec![added(cx, expected, list, &open)]));
    }
}

/// The edit that adds phrases to `must_not_say`, beside the other list if there is no such key.
fn added(cx: &CaseContext<'_>, expected: &Expected, beside: &List, phrases: &[String]) -> Edit {
    let phrases = phrases.iter().map(|phrase| encode(phrase)).collect::<Vec<_>>().join(", ");
    match &expected.must_not_say {
        Some(list) => match list.value.last() {
            Some(last) => Edit::insert(last.span.end, format!(", {phrases}")),
            None => Edit::replace(list.span, format!("[{phrases}]")),
        },
        None => {
            let separator = separator_before(cx.node.text(), beside.key().start);
            Edit::insert(beside.span.end, format!(",{separator}\"must_not_say\": [{phrases}]"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NEGATED_OUTCOME;
    use crate::lints::tests::fixture::check_each;

    #[test]
    fn findings_and_fixes_are_as_marked() {
        check_each(
            &NEGATED_OUTCOME,
            r#"
# a phrase that begins with an outcome word
{ "must_say_any": ["booked", "Reserved for you", "is booked", "bookedit"] }
                   ^^^^^^^^
                             ^^^^^^^^^^^^^^^^^^

{ "must_say_any": ["booked"], "must_not_say": ["not"] }

{ "must_say_any": ["booked"], "must_not_say": ["not booked"] }
                   ^^^^^^^^

{ "must_say_any": ["booked"], "must_not_match_regex": ["not( be)? booked"] }

{ "must_say_any": ["booked", "not booked"] }

{ "outcome": "graceful_block", "must_say_any": ["booked"] }

{ "outcome": "response_only", "must_say_any": ["booked"] }
                                               ^^^^^^^^

{ "outcome": "tool_success", "must_say_any": ["booked"] }

# the fix forbids what is open
{ "must_say_any": ["sent"] }
→ { "must_say_any": ["sent"], "must_not_say": ["not sent", "not be sent"] }

{ "must_not_say": ["not sent"], "must_say_any": ["sent"] }
→ { "must_not_say": ["not sent", "not be sent"], "must_say_any": ["sent"] }
"#,
        );
    }
}
