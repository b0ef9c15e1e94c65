use std::collections::BTreeMap;

use super::{Edit, Finding, Fix};

/// The edits of all safe fixes that can be applied together, in the order of the text. Uses the first safe fix of each
/// finding, and leaves a fix out if it overlaps an earlier one.
pub fn safe_edits(findings: &[Finding]) -> Vec<&Edit> {
    let mut taken = BTreeMap::new();
    for fix in findings.iter().filter_map(|finding| finding.fixes.iter().find(|fix| fix.safe)) {
        if fits(fix, &taken) {
            taken.extend(fix.edits.iter().map(|edit| (edit.span.start, edit)));
        }
    }
    taken.into_values().collect()
}

/// Whether the fix does not overlap the edits in `taken`, which has them by their start.
fn fits(fix: &Fix, taken: &BTreeMap<usize, &Edit>) -> bool {
    fix.edits.iter().all(|edit| {
        let span = edit.span;
        let before = taken.range(..span.start).next_back();
        let within = taken.range(span.start..span.end.max(span.start + 1)).next();
        within.is_none() && before.is_none_or(|(_, other)| other.span.end <= span.start)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;
    use crate::text::Span;

    /// A finding for each list of spans. Its safe fix deletes them.
    fn findings(fixes: &[&[(usize, usize)]]) -> Vec<Finding> {
        let fix = |spans: &&[(usize, usize)]| {
            let edits = spans.iter().map(|&(start, end)| Edit::delete(Span::new(start, end))).collect();
            let mut finding = Finding::new("x", Severity::Hint, Span::default(), "x");
            finding.fix(Fix::new("unsafe", vec![Edit::insert(0, "x")])).fix(Fix::safe("safe", edits));
            finding
        };
        fixes.iter().map(fix).collect()
    }

    #[test]
    fn overlapping_fixes_are_left_out() {
        for (fixes, taken) in [
            (&[&[(5, 7)][..], &[(1, 2)]][..], &[(1, 2), (5, 7)][..]),
            (&[&[(1, 3)], &[(1, 3)]], &[(1, 3)]),
            (&[&[(1, 3)], &[(2, 4)]], &[(1, 3)]),
            (&[&[(2, 4)], &[(1, 3)]], &[(2, 4)]),
            (&[&[(1, 9)], &[(2, 3)]], &[(1, 9)]),
            (&[&[(2, 3)], &[(1, 9)]], &[(2, 3)]),
            (&[&[(1, 3)], &[(3, 4)]], &[(1, 3), (3, 4)]),
            (&[&[(3, 3)], &[(3, 3)]], &[(3, 3)]),
            (&[&[(1, 3)], &[(3, 3)]], &[(1, 3), (3, 3)]),
            (&[&[(3, 3)], &[(3, 5)]], &[(3, 3)]),
            (&[&[(1, 2), (5, 6)], &[(5, 6), (8, 9)], &[(8, 9)]], &[(1, 2), (5, 6), (8, 9)]),
        ] {
            let findings = findings(fixes);
            let spans: Vec<_> = safe_edits(&findings).iter().map(|edit| (edit.span.start, edit.span.end)).collect();
            assert_eq!(spans, taken, "{fixes:?}");
        }
    }
}
