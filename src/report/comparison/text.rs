use crate::compare::{CaseChange, Change, Comparison};
use crate::text::visible;

use super::words;

/// A comparison for a terminal: what matters most first, and a plain sentence at the end. With `statistics`, also the intervals.
pub(crate) fn text(comparison: &Comparison, statistics: bool) -> String {
    let mut text = Lines::default();
    text.line(&format!("before  {}", words::side(&comparison.before)));
    text.line(&format!("after   {}", words::side(&comparison.after)));
    for change in Change::ALL {
        let cases: Vec<&CaseChange> = comparison.cases.iter().filter(|case| case.change == change).collect();
        if cases.is_empty() {
            continue;
        }
        text.line("");
        text.line(&format!("{} ({})", change.words(), cases.len()));
        if change != Change::Unchanged {
            cases.into_iter().for_each(|case| text.case(case));
        }
    }
    text.line("");
    words::totals(&comparison.totals, statistics).iter().for_each(|line| text.line(line));
    text.line(&comparison.sentence);
    text.0
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    /// Adds a line. Text from suites cannot control the terminal.
    fn line(&mut self, line: &str) {
        self.0.extend(line.trim_end().chars().map(visible));
        self.0.push('\n');
    }

    fn case(&mut self, case: &CaseChange) {
        let note = words::note(case);
        let note = if note.is_empty() { String::new() } else { format!("  {note}") };
        self.line(&format!("  {}  {}  {}{note}", case.case, words::states(case), case.suite));
        for check in &case.checks {
            let (sign, counts) = words::check(check);
            self.line(&format!("    {sign} {}{counts}", check.id));
        }
    }
}
