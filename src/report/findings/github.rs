//! Workflow commands of GitHub Actions, which show findings beside the changed lines.

use std::fmt::Write as _;

use crate::diagnostic::{Finding, Severity};
use crate::report::workflow_command::{self, property};
use crate::text::LineRange;

use super::{Checked, each};

/// Returns a line for each finding.
pub(crate) fn github(all: &[Checked]) -> impl Iterator<Item = String> {
    each(all).map(|(checked, finding)| command(checked, finding))
}

fn command(checked: &Checked, finding: &Finding) -> String {
    let kind = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "notice",
    };
    let LineRange { start, end } = checked.text.line_range(finding.span);
    let mut place = format!("file={},line={},endLine={}", property(&checked.name), start.line, end.line);
    // GitHub rejects columns if a finding spans lines.
    if start.line == end.line {
        write!(place, ",col={},endColumn={}", start.column, end.column).expect("writing to a String never fails");
    }
    let mut message = finding.message.clone();
    let help = finding.help.first().or_else(|| finding.fixes.first().map(|fix| &fix.title));
    message.extend(help.map(|title| format!("\nhelp: {title}")));
    format!("::{kind} {place},title={}::{}\n", property(finding.lint), workflow_command::message(&message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Fix;
    use crate::text::{Span, Text};

    #[test]
    fn hostile_text_does_not_end_the_command() {
        let checked = |span| {
            let mut finding = Finding::new("some-lint", Severity::Hint, span, "a::b\r\n::error::c, 100%\u{1b}");
            finding.fix(Fix::new("fix it", Vec::new()));
            Checked {
                name: "a:b,c\n%.json".to_owned(), text: Text::new("é\nx"), findings: vec![finding], fixed: false
            }
        };
        let line = |span| command(&checked(span), &checked(span).findings[0]);
        assert_eq!(
            line(Span::new(0, 2)),
            "::notice file=a%3Ab%2Cc%0A%25.json,line=1,endLine=1,col=1,endColumn=2,title=some-lint\
             ::a::b%0D%0A::error::c, 100%25␛%0Ahelp: fix it\n"
        );
        assert!(line(Span::new(0, 4)).contains("line=1,endLine=2,title="));
    }
}
