use crate::diagnostic::{Finding, Severity};
use crate::lints::message_with_help;
use crate::report::concise::ConciseLine;

use super::{Checked, each};

/// Returns a line for each finding, with what to do.
pub(crate) fn concise(all: &[Checked]) -> impl Iterator<Item = String> {
    each(all).map(|(checked, finding)| line(checked, finding))
}

fn line(checked: &Checked, finding: &Finding) -> String {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    };
    let message = message_with_help(finding, &checked.text);
    let at = checked.text.line_range(finding.span).start;
    ConciseLine { path: &checked.name, at, level, name: finding.lint, message: &message }.text()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Fix;
    use crate::text::{Span, Text};

    #[test]
    fn a_finding_is_one_line() {
        let mut finding = Finding::new("some-lint", Severity::Hint, Span::new(3, 4), "a\r\nb\nc\u{1b}\u{202e}");
        let checked = |finding: &Finding| Checked {
            name: "a\nb.json".to_owned(),
            text: Text::new("é\nx"),
            findings: vec![finding.clone()],
            fixed: false,
        };
        let line = |finding: &Finding| concise(&[checked(finding)]).collect::<String>();
        assert_eq!(line(&finding), "a␊b.json:2:1: hint[some-lint] `x`: a; b; c␛�\n");
        finding.help.push("read it".to_owned());
        assert_eq!(line(&finding), "a␊b.json:2:1: hint[some-lint] `x`: a; b; c␛� (help: read it)\n");
        finding.fixes.push(Fix::choice("choose it", Vec::new()));
        assert_eq!(line(&finding), "a␊b.json:2:1: hint[some-lint] `x`: a; b; c␛� (help: choose it)\n");
        finding.fixes.insert(0, Fix::safe("fix it", Vec::new()));
        assert_eq!(line(&finding), "a␊b.json:2:1: hint[some-lint] `x`: a; b; c␛� (fix: fix it)\n");
    }
}
