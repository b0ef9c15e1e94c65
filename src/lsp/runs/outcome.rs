//! The outcome of a run as one sentence, for clients without a test explorer.

use crate::diagnostic::quoted;
use crate::lsp::protocol::CaseOutcome;
use crate::text::visible_text;
use crate::verdict::Status;

/// How many cases the sentence names. A notification has two lines.
const MAX_NAMED: usize = 3;

/// The results of the cases so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Whether a case was stopped.
    pub(crate) cancelled: bool,
    /// Why the run ended early.
    pub(crate) reason: Option<String>,
    passed: usize,
    total: usize,
    /// The cases that neither passed nor were stopped, with their verdict.
    others: Vec<(String, String)>,
}

impl Tally {
    /// Adds the result of a case, with its verdict in a few words.
    pub(crate) fn add(&mut self, id: &str, status: CaseOutcome, label: Option<String>) {
        self.total += 1;
        match status {
            CaseOutcome::Cancelled => self.cancelled = true,
            CaseOutcome::Judged(Status::Pass) => self.passed += 1,
            CaseOutcome::Judged(status) => {
                self.others.push((id.to_owned(), label.unwrap_or_else(|| status.to_string())))
            }
        }
    }

    /// Returns how many cases passed, which did not, and why the run ended early.
    pub(crate) fn sentence(&self) -> String {
        let Tally { passed, total, .. } = self;
        let mut sentence = match (*passed, *total) {
            (1, 1) => "The case passed".to_owned(),
            (passed, total) if passed == total => format!("All {total} cases passed"),
            (passed, total) => format!("{passed} of {total} cases passed"),
        };
        let named = self.others.iter().take(MAX_NAMED);
        let named: Vec<_> = named.map(|(id, label)| format!("{} {label}", quoted(id))).collect();
        if !named.is_empty() {
            let more = self.others.len() - named.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            sentence.push_str(&format!(": {}{more}", named.join(", ")));
        }
        if self.cancelled {
            sentence.push_str("; the run was stopped");
        }
        if let Some(reason) = &self.reason {
            sentence.push_str(&format!("; {reason}"));
        }
        visible_text(sentence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(results: &[(&str, CaseOutcome)], reason: Option<&str>) -> String {
        let mut tally = Tally { reason: reason.map(str::to_owned), ..Tally::default() };
        results.iter().for_each(|(id, status)| tally.add(id, *status, None));
        tally.sentence()
    }

    #[test]
    fn the_sentence_has_the_reason_of_an_error() {
        let mut tally = Tally::default();
        let label = Some("ERROR no stored answer".to_owned());
        tally.add("A", CaseOutcome::Judged(Status::Error), label);
        assert_eq!(tally.sentence(), "0 of 1 cases passed: `A` ERROR no stored answer");
    }

    #[test]
    fn the_sentence_names_the_cases_that_did_not_pass() {
        let [pass, fail, partial, error] =
            [Status::Pass, Status::Fail, Status::Partial, Status::Error].map(CaseOutcome::Judged);
        for (results, reason, expected) in [
            (&[("A", pass)][..], None, "The case passed"),
            (&[("A", pass), ("B", pass)], None, "All 2 cases passed"),
            (&[("A", fail)], None, "0 of 1 cases passed: `A` FAIL"),
            (&[("A", pass), ("B", partial)], None, "1 of 2 cases passed: `B` PARTIAL"),
            (
                &[("A", fail), ("B", fail), ("C", error), ("D", fail), ("E", fail)],
                None,
                "0 of 5 cases passed: `A` FAIL, `B` FAIL, `C` ERROR and 2 more",
            ),
            (&[("A", pass), ("B", CaseOutcome::Cancelled)], None, "1 of 2 cases passed; the run was stopped"),
            (&[("A", error)], Some("the agent\nis missing"), "0 of 1 cases passed: `A` ERROR; the agent␊is missing"),
        ] {
            assert_eq!(sentence(results, reason), expected);
        }
    }
}
