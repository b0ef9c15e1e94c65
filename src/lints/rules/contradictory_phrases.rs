use crate::checks::Said;
use crate::diagnostic::{Severity, quoted};
use crate::lints::facts::claims::removals;
use crate::lints::{CaseContext, Check, Report, declare_lint};

declare_lint! {
    /// A required phrase contains a forbidden one.
    ///
    /// Phrases match anywhere in the response, and case is ignored. A response with a phrase of `must_say_any` also
    /// contains every part of the phrase. If such a part is in `must_not_say`, one of the two checks fails. If every
    /// required phrase contains a forbidden one, the case cannot pass. Otherwise only the phrases with a forbidden part
    /// are useless.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_say_any": ["No free slot on Thursday"], "must_not_say": ["free slot"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Make the forbidden phrase longer, so that it is wrong in every response, or require another phrase.
    ///
    /// ```json
    /// { "must_say_any": ["No free slot on Thursday"], "must_not_say": ["there is a free slot"] }
    /// ```
    pub(crate) CONTRADICTORY_PHRASES = "contradictory-phrases", Error, Check::Case(check);
}

/// How many bytes are searched for one case: far more than people write, and too few to delay the editor.
const BUDGET: usize = 1 << 22;

fn check(cx: &CaseContext<'_>, report: &mut Report) {
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

#[cfg(test)]
mod tests {
    use super::CONTRADICTORY_PHRASES;
    use crate::diagnostic::Severity;
    use crate::lints::tests::fixture::{Setup, check_each, findings};

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

{ "must_match_regex": ["slot"], "must_not_say": ["slot"] }
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
}
