use crate::diagnostic::quoted;
use crate::lints::facts::claims::{Claim, claims};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::pattern::Budget;

declare_lint! {
    /// A check is redundant, because another check implies it.
    ///
    /// Each response that passes the other check passes this one too. So it finds nothing new, and it counts twice in
    /// the soft score. One finding lists all such checks of a case.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["Conflicts: [0-9]+", "(conflict|tension)"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Remove the check, or change it so that the other check does not imply it.
    ///
    /// ```json
    /// { "must_match_regex": ["Conflicts: [0-9]+", "(mismatch|tension)"] }
    /// ```
    pub(crate) IMPLIED_CHECK = "implied-check", Hint, Check::Case(check);
}

/// Cases with more such checks are left out, so that the cost of a keystroke stays bounded.
const MOST: usize = 60;

/// The finding names so many other checks at most. One line of a terminal.
const MOST_NAMED: usize = 12;

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let claims = claims(cx);
    if claims.len() > MOST {
        return;
    }
    let budget = Budget::default();
    let implies = |one: &Claim<'_>, other: &Claim<'_>| match (one.is_forbidden, other.is_forbidden) {
        (false, false) => other.is_implied_by(one, &budget),
        // What is forbidden whole is forbidden in parts: where the one is absent, so is the other.
        (true, true) => one.is_implied_by(other, &budget),
        _ => false,
    };
    let implied = claims.iter().enumerate().filter_map(|(index, claim)| {
        let is_same_entry = |other: &Claim<'_>| other.field == claim.field && other.shown == claim.shown;
        let reason = claims.iter().enumerate().find(|(at, other)| {
            *at != index && !is_same_entry(other) && implies(other, claim) && (*at < index || !implies(claim, other))
        });
        reason.map(|(_, reason)| (claim, reason))
    });
    let implied: Vec<_> = implied.collect();
    let Some(((first, reason), others)) = implied.split_first() else { return };
    let more = match others.len() {
        0 => String::new(),
        1 => ". One more in this case is the same".to_owned(),
        others => format!(". {others} more in this case are the same"),
    };
    let written = if first.depends_on_spelling(reason) { " as it is written" } else { "" };
    let message = format!("this check never decides: if {} passes{written}, it passes{more}", quoted(&reason.shown));
    let finding = report.add(first.span, message);
    finding.also(reason.span, "implied by this check");
    for (claim, reason) in others.iter().take(MOST_NAMED) {
        finding.also(claim.span, format!("implied by {}", quoted(&reason.shown)));
    }
}

#[cfg(test)]
mod tests {
    use super::IMPLIED_CHECK;
    use crate::lints::tests::fixture::{Setup, check_lines, findings};

    #[test]
    fn finds_checks_that_another_one_implies_and_not_those_that_can_fail_alone() {
        check_lines(
            &IMPLIED_CHECK,
            r#"
            { "must_match_regex": ["GitHub:\\s*[0-9]+"], "required_sources": [«"github"»] }
            { "must_match_regex": ["Conflicts", «"(conflict|tension)"»] }
            { "must_match_regex": [«"(conflict|tension)"», "Conflicts"] }
            { "must_say_any": ["a b", "b c"], "must_match_regex": [«"b"»] }
            { "must_not_say": ["slot", «"free slot"»] }
            { "must_ground_numbers": ["12"], "must_match_regex": [«"[0-9]+"»] }
            { "must_say_any": ["ok"], "must_match_regex": [«"OK"»] }
            { "must_label_assumptions": «true», "assumption_markers_any": ["A 1:", "A 2:"], "must_match_regex": ["A 1:"] }
            { "must_match_regex": ["Conflicts", "\\bconflict\\b"] }
            { "must_match_regex": ["conflict", "conflict"] }
            { "must_say_any": ["a", "b"], "must_match_regex": ["a|c"] }
            { "must_not_say": ["free slot"], "must_say_any": ["slot"] }
            { "must_not_match_regex": ["(?-i)ab", "AB"], "must_ground_numbers": ["a b"], "must_match_regex": ["a b"] }
            { "must_match_regex": ["a$b", "b"] }
            "#,
        );
    }

    #[test]
    fn one_finding_names_them_all() {
        let suite = r#"{ "cases": [ { "expected": {
            "must_match_regex": ["GitHub: [0-9]+", "Slack: [0-9]+"], "required_sources": ["github", "slack"]
        } } ] }"#;
        let found = findings(&Setup::default(), &IMPLIED_CHECK, suite);
        assert_eq!(found.len(), 1);
        assert!(found[0].message.ends_with("it passes. One more in this case is the same"), "{}", found[0].message);
        let related: Vec<_> = found[0].related.iter().map(|related| related.message.as_str()).collect();
        assert_eq!(related, ["implied by this check", "implied by `Slack: [0-9]+`"]);
    }
}
