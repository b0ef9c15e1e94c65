use std::collections::BTreeMap;

use crate::text::Span;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; editors show it unobtrusively.
    Hint,
    /// The suite runs, but probably does not do what its author meant.
    Warning,
    /// The suite cannot run.
    Error,
}

impl Severity {
    /// `error`, `warning` or `hint`: the word of the configuration and of every output.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }
}

/// One problem that a lint reports in a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The lint's name, for instance `duplicate-case-id`.
    pub lint: &'static str,
    /// The severity, after the configuration applies.
    pub severity: Severity,
    /// The smallest text with the problem, in bytes.
    pub span: Span,
    /// One sentence in plain text, without a full stop: the problem and the expected text.
    pub message: String,
    /// Other places that explain the finding.
    pub related: Vec<Related>,
    /// The fixes, best first.
    pub fixes: Vec<Fix>,
    /// What else helps, as commands: changes outside of this text.
    pub(crate) help: Vec<String>,
    /// Whether the runner ignores this text; editors fade it.
    pub(crate) is_unnecessary: bool,
    /// What causes it, if other cases can have the same cause. Findings with one cause are reported as one.
    pub(crate) cause: Option<Cause>,
}

/// What causes findings in several cases of a suite. A change to `eval-ls.toml` may cure all of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Cause {
    /// The prompt's own words on a page count as evidence.
    PromptCounts,
    /// An answer can repeat the prompt's own words.
    PromptRepeated,
    /// UI hints are not defined.
    MissingHints,
    /// Preconditions are not defined.
    MissingPreconditions,
    /// A source has phrases that are in other texts, too.
    BroadSource {
        /// The name.
        source: String,
        /// The phrases that name the source.
        narrow: Vec<String>,
    },
}

/// Another place that explains a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The place, in bytes of the same file.
    pub span: Span,
    /// The explanation of the place.
    pub message: String,
}

/// A change that fixes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The command: "remove the trailing comma".
    pub title: String,
    /// What to replace; spans do not overlap, and all are meant for the same text.
    pub edits: Vec<Edit>,
    /// Whether it keeps the meaning of the suite, so that `check --fix` and fix-on-save may apply it.
    pub(crate) safe: bool,
    /// Whether it is most likely what the author wants. One of several equal choices is not.
    pub(crate) likely: bool,
}

/// A replacement of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced bytes; empty for an insertion.
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl Finding {
    /// A finding of `lint` on `span`.
    pub(crate) fn new(lint: &'static str, severity: Severity, span: Span, message: impl Into<String>) -> Self {
        Self {
            lint,
            severity,
            span,
            message: message.into(),
            related: Vec::new(),
            fixes: Vec::new(),
            help: Vec::new(),
            is_unnecessary: false,
            cause: None,
        }
    }

    /// Adds another place that explains the finding.
    pub(crate) fn also(&mut self, span: Span, message: impl Into<String>) -> &mut Self {
        self.related.push(Related { span, message: message.into() });
        self
    }

    /// Adds a fix.
    pub(crate) fn fix(&mut self, fix: Fix) -> &mut Self {
        self.fixes.push(fix);
        self
    }

    /// Notes what causes it in this case, and perhaps in others.
    pub(crate) fn because(&mut self, cause: Cause) -> &mut Self {
        self.cause = Some(cause);
        self
    }

    /// The first fix, if it is likely.
    pub(crate) fn likely_fix(&self) -> Option<&Fix> {
        self.fixes.first().filter(|fix| fix.likely)
    }

    /// Marks text that the runner ignores.
    pub(crate) fn unnecessary(&mut self) -> &mut Self {
        self.is_unnecessary = true;
        self
    }

    /// The finding in a text that has `origin` more bytes before it.
    #[must_use]
    pub(crate) fn shifted_by(mut self, origin: usize) -> Self {
        self.span = self.span.shifted_by(origin);
        for related in &mut self.related {
            related.span = related.span.shifted_by(origin);
        }
        for edit in self.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
            edit.span = edit.span.shifted_by(origin);
        }
        self
    }
}

impl Fix {
    /// A fix that changes the meaning of the suite. A person must choose it.
    pub(crate) fn new(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { title: title.into(), edits, safe: false, likely: true }
    }

    /// One of several choices, none of which is likelier than the others.
    pub(crate) fn choice(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { likely: false, ..Self::new(title, edits) }
    }

    /// A fix that keeps the meaning of the suite.
    pub(crate) fn safe(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { safe: true, ..Self::new(title, edits) }
    }
}

impl Edit {
    /// Replaces `span` by `text`.
    pub(crate) fn replace(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }

    /// Inserts `text` before the byte at `offset`.
    pub(crate) fn insert(offset: usize, text: impl Into<String>) -> Self {
        Self::replace(Span::empty(offset), text)
    }

    /// Deletes `span`.
    pub(crate) fn delete(span: Span) -> Self {
        Self::replace(span, "")
    }

    /// Returns `text` with the edits, which are in its order and do not overlap.
    pub(crate) fn apply_all<'e>(text: &str, edits: impl IntoIterator<Item = &'e Edit>) -> String {
        let (mut edited, mut end) = (String::with_capacity(text.len()), 0);
        for edit in edits {
            edited.push_str(&text[end..edit.span.start]);
            edited.push_str(&edit.text);
            end = edit.span.end;
        }
        edited + &text[end..]
    }
}

/// The edits of all safe fixes that can be applied together, in the order of the text. Uses the first safe fix of each
/// finding, and leaves a fix out if it overlaps an earlier one.
pub fn safe_edits(findings: &[Finding]) -> Vec<&Edit> {
    fitting_edits(findings.iter().filter_map(|finding| finding.fixes.iter().find(|fix| fix.safe)))
}

/// The edits of the fixes that can be applied together, in the order of the text. A fix that overlaps an earlier one is left out.
pub(crate) fn fitting_edits<'f>(fixes: impl Iterator<Item = &'f Fix>) -> Vec<&'f Edit> {
    let mut taken = BTreeMap::new();
    for fix in fixes {
        if fits(fix, &taken) {
            taken.extend(fix.edits.iter().map(|edit| (edit.span.start, edit)));
        }
    }
    taken.into_values().collect()
}

/// Whether the fix does not overlap the edits in `taken`, which has them by their start.
fn fits(fix: &Fix, taken: &BTreeMap<usize, &Edit>) -> bool {
    fix.edits.iter().all(|&Edit { span, .. }| {
        let before = taken.range(..span.start).next_back();
        let within = taken.range(span.start..span.end.max(span.start + 1)).next();
        within.is_none() && before.is_none_or(|(_, other)| other.span.end <= span.start)
    })
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Severity;
    use crate::text::Span;

    use super::*;

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
