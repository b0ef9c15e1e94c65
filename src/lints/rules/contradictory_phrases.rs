use crate::checks::Said;
use crate::diagnostic::{Severity, quoted};
use crate::lints::facts::claims::{Claim, claims, removals};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::pattern::Budget;

declare_lint! {
    /// A required text contains a forbidden one.
    ///
    /// Phrases match anywhere in the response, and case is ignored. A response with a phrase of `must_say_any` also
    /// contains every part of the phrase. If such a part is in `must_not_say`, one of the two checks fails. If every
    /// required phrase contains a forbidden one, the case cannot pass. Otherwise only the phrases with a forbidden part
    /// are useless.
    ///
    /// The same applies to override actions, required patterns and the phrases of a required source: if their text contains what
    /// `must_not_say` or `must_not_match_regex` forbids, or if the same pattern is required and forbidden, no response passes both checks.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_say_any": ["No free slot on Thursday"], "must_not_say": ["free slot"] }
    /// ```
    ///
    /// ```json
    /// { "must_match_regex": ["^Price: [0-9]+"], "must_not_say": ["price"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Make the forbidden text longer, so that it is wrong in every response, or require another one.
    ///
    /// ```json
    /// { "must_say_any": ["No free slot on Thursday"], "must_not_say": ["there is a free slot"] }
    /// ```
    pub(crate) CONTRADICTORY_PHRASES = "contradictory-phrases", Error, Check::Case(check);
}

/// How many bytes are searched for one case: far more than people write, and too few to delay the editor.
const BUDGET: usize = 1 << 22;

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    of_lists(cx, report);
    across_keys(cx, report);
}

/// Reports the phrases of `must_say_any` that contain one of `must_not_say`.
fn of_lists(cx: &CaseContext<'_>, report: &mut Report) {
    let expected = &cx.case.expected;
    let (Some(wanted), Some(forbidden)) = (&expected.must_say_any, &expected.must_not_say) else { return };
    let reading = cx.workspace.reading;
    let forbidden: Vec<_> = forbidden.entries().map(|phrase| (phrase, Said::phrase(&phrase.value, reading))).collect();
    let bytes: usize = wanted.entries().map(|phrase| phrase.value.len()).sum();
    if bytes.saturating_mul(forbidden.len()) > BUDGET {
        return;
    }
    let clashes: Vec<_> = wanted
        .entries()
        .map(|phrase| {
            let said = Said::phrase(&phrase.value, reading);
            (phrase, forbidden.iter().find(|(_, part)| said.has(part)).map(|(part, _)| *part))
        })
        .collect();
    let cannot_pass = clashes.iter().all(|(_, part)| part.is_some());
    for (phrase, part) in clashes {
        let Some(part) = part else { continue };
        let message = format!(
            "a response that says {} also says {}, which `must_not_say` forbids{}",
            quoted(&phrase.value),
            quoted(&part.value),
            if cannot_pass { ": the case cannot pass" } else { "" }
        );
        let finding = report.add(phrase.span, message);
        finding.also(part.span, "forbidden here");
        finding.fixes = removals(cx, [phrase.span, part.span]);
        if !cannot_pass {
            finding.severity = Severity::Warning;
        }
    }
}

/// Cases with more checks are left out, so that the cost of a keystroke stays bounded.
const MOST: usize = 120;

/// Reports a check whose text, whatever it is, contains what another kind of check forbids.
fn across_keys(cx: &CaseContext<'_>, report: &mut Report) {
    let claims = claims(cx);
    if claims.len() > MOST || claims.iter().all(|claim| !claim.is_forbidden) {
        return;
    }
    let budget = Budget::default();
    // `of_lists` reports these.
    let is_owned =
        |wanted: &Claim<'_>, forbidden: &Claim<'_>| wanted.field == "must_say_any" && forbidden.field == "must_not_say";
    for wanted in claims.iter().filter(|claim| !claim.is_forbidden) {
        let texts = wanted.texts();
        let clash_of = |texts: &Vec<Said<'_>>| {
            claims
                .iter()
                .filter(|claim| claim.is_forbidden && !is_owned(wanted, claim))
                .find(|forbidden| texts.iter().any(|text| forbidden.is_met_by(text, &budget)))
        };
        let clashes: Option<Vec<&Claim<'_>>> = texts.iter().map(clash_of).collect();
        let same = claims.iter().find(|claim| claim.is_forbidden && claim.has_pattern_of(wanted));
        let clash = same.or_else(|| clashes?.first().copied());
        if let Some(forbidden) = clash {
            let verb = if forbidden.field == "must_not_say" { "says" } else { "matches" };
            let (who, so) = match forbidden.depends_on_spelling(wanted) {
                true => ("a response that says this as it is written", ""),
                false => ("each response that passes this check", ": the case cannot pass"),
            };
            let message =
                format!("{who} also {verb} {}, which `{}` forbids{so}", quoted(&forbidden.shown), forbidden.field);
            let finding = report.add(wanted.span, message);
            if so.is_empty() {
                finding.severity = Severity::Warning;
            }
            finding.also(forbidden.span, "forbidden here");
            finding.fixes = removals(cx, [wanted.span, forbidden.span]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CONTRADICTORY_PHRASES;
    use crate::diagnostic::Severity;
    use crate::lints::tests::fixture::{Setup, check_each, check_lines, findings};

    #[test]
    fn findings_are_as_marked() {
        check_each(
            &CONTRADICTORY_PHRASES,
            r#"
# phrases that contain forbidden ones are reported
{ "cases": [ { "expected": { "must_not_say": ["a free slot", "SLOT", ""],
  "must_say_any": ["no slot", "nothing", "No Free Slot"]
                   ^^^^^^^^^ a response that says `no slot` also says `SLOT`, which `must_not_say` forbids
                                         ^^^^^^^^^^^^^^ a response that says `No Free Slot` also says `SLOT`, which `must_not_say` forbids
} } ] }

{ "cases": [ { "expected": { "must_not_say": ["gr\u00d6\u1e9ee"], "must_say_any": ["Größe L", "", "GRÖẞE"] } } ] }
                                                                                   ^^^^^^^^^ a response that says `Größe L` also says `grÖẞe`, which `must_not_say` forbids: the case cannot pass
                                                                                                  ^^^^^^^ a response that says `GRÖẞE` also says `grÖẞe`, which `must_not_say` forbids: the case cannot pass

# forbidden phrases may contain required ones
{ "must_say_any": ["slot"], "must_not_say": ["no slot", "slots"] }

{ "must_say_any": ["slot", ""], "must_not_say": [""] }

{ "must_say_any": [], "must_not_say": ["slot"] }

{ "must_say_any": ["istanbul"], "must_not_say": ["İstanbul"] }
"#,
        );
    }

    #[test]
    fn a_case_without_usable_phrase_has_an_error() {
        let severities = |wanted: &str| -> Vec<_> {
            let suite = format!(
                r#"{{ "cases": [ {{ "expected": {{ "must_say_any": {wanted}, "must_not_say": ["slot"] }} }} ] }}"#
            );
            let found = findings(&Setup::default(), &CONTRADICTORY_PHRASES, &suite);
            found.iter().map(|finding| finding.severity).collect()
        };
        assert_eq!(severities(r#"["slot", "slots", ""]"#), [Severity::Error, Severity::Error]);
        assert_eq!(severities(r#"["slot", "nothing"]"#), [Severity::Warning]);
    }

    #[test]
    fn finds_what_is_required_and_forbidden_unless_some_response_passes_both() {
        check_lines(
            &CONTRADICTORY_PHRASES,
            r#"
            { "must_allow_override_actions": [«"Snooze"», "Skip"], "must_not_say": ["snooze"] }
            { "must_match_regex": [«"Risk: (high|low)"»], "must_not_say": ["risk"] }
            { "required_sources": [«"stock"»], "must_not_say": ["stock"] }
            { "required_sources": [«"a"»], "source_patterns": { "a": ["on the shelf", "shelf:"] }, "must_not_say": ["shelf"] }
            { "required_sources": [«"a"»], "source_patterns": { "a": ["shelf", "stock:"] }, "must_not_say": ["shelf", "stock"] }
            { "must_say_any": «["42 bikes"]», "must_not_match_regex": ["[0-9]+ bikes"] }
            { "must_ground_numbers": [«{ "value": "12" }»], "must_not_match_regex": ["[0-9]+"] }
            { "required_sources": ["github"], "must_not_say": ["pr", "issue"] }
            { "must_match_regex": ["high|low"], "must_not_say": ["high"] }
            { "must_match_regex": ["risk"], "must_not_say": ["risky"] }
            { "must_match_regex": ["risk"], "must_not_match_regex": ["^risk$"] }
            { "must_match_regex": ["a\\d", «"(Booked)"», "", «"[0-9]+"»], "must_not_match_regex": ["a\\d+", "(booked)", "", "\u005b0-9]+"] }
            { "must_ground_numbers": [«{ "regex": "[0-9]+ bikes" }»], "must_not_match_regex": ["[0-9]+ bikes"] }
            { "must_match_regex": ["a.c"], "must_not_say": ["abc"] }
            "#,
        );
    }
}
