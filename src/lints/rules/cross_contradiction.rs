use crate::checks::Said;
use crate::diagnostic::{Severity, quoted};
use crate::lints::facts::claims::{Claim, claims, removals};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::pattern::Budget;

declare_lint! {
    /// One kind of check requires a text that another kind forbids.
    ///
    /// This concerns override actions, required patterns and the phrases of a required source. If their text contains what `must_not_say` or
    /// `must_not_match_regex` forbids, or if the same pattern is required and forbidden, no response passes both checks.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["^Price: [0-9]+"], "must_not_say": ["price"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Remove one of the two checks, or make the forbidden text longer.
    ///
    /// ```json
    /// { "must_match_regex": ["^Price: [0-9]+"], "must_not_say": ["price on request"] }
    /// ```
    pub(crate) CROSS_CONTRADICTION = "cross-contradiction", Error, Check::Case(check);
}

/// Cases with more such checks are left out, so that the cost of a keystroke stays bounded.
const MOST: usize = 120;

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let claims = claims(cx);
    if claims.len() > MOST || claims.iter().all(|claim| !claim.is_forbidden) {
        return;
    }
    let budget = Budget::default();
    // `contradictory-phrases` owns these.
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
    use super::CROSS_CONTRADICTION;
    use crate::lints::tests::fixture::check_lines;

    #[test]
    fn finds_what_is_required_and_forbidden_unless_some_response_passes_both() {
        check_lines(
            &CROSS_CONTRADICTION,
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
            { "must_say_any": ["risk"], "must_not_say": ["risk"] }
            { "must_match_regex": ["a.c"], "must_not_say": ["abc"] }
            "#,
        );
    }
}
