use std::collections::HashMap;
use std::time::SystemTime;

use crate::verdict::Status;
use crate::wording::{Line, Markup, age, main_reason};

/// How many verdicts a page lists. They fit on one line.
const LISTED: usize = 5;

/// How the cases of a suite ended in kept runs, by their ids; the last run first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct History(pub(crate) HashMap<String, Vec<PastVerdict>>);

/// How a case ended in a kept run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PastVerdict {
    /// The status at the time.
    pub(crate) status: Status,
    /// The target that was asked.
    pub(crate) target: String,
    /// When the run started, if that is known.
    pub(crate) at: Option<SystemTime>,
    /// Why the case could not be judged.
    pub(crate) reason: Option<String>,
    /// What was judged: equal texts are equal cases with equal hints. `None` if it is not known.
    pub(crate) question: Option<String>,
}

impl History {
    /// Whether a case has ended in one of the runs.
    pub(crate) fn has_ended(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether a case has passed in one of the runs.
    pub(crate) fn has_passed(&self, case: &str) -> bool {
        self.0.get(case).is_some_and(|past| past.iter().any(|verdict| verdict.status == Status::Pass))
    }

    /// The statuses of a case since it became this `question`, the last run first.
    pub(crate) fn statuses(&self, case: &str, question: &str) -> Vec<Status> {
        let same = self.last(case).iter().take_while(|verdict| verdict.question.as_deref() == Some(question));
        same.map(|verdict| verdict.status).collect()
    }

    /// The verdicts on a case, the last run first.
    pub(crate) fn last(&self, case: &str) -> &[PastVerdict] {
        self.0.get(case).map_or(&[], Vec::as_slice)
    }

    /// The last verdicts on a case, the last one first: a page that is empty if there are none. Ages are counted from `now`.
    pub(crate) fn page(&self, case: &str, now: SystemTime) -> Markup {
        let mut page = Markup::default();
        let past = self.last(case);
        if past.is_empty() {
            return page;
        }
        page.paragraph(Line::new("Last verdicts:"));
        for verdict in past.iter().take(LISTED) {
            let line = Line::default().strong(verdict.status.name()).say(" by ").code(&verdict.target);
            let line = verdict.at.iter().fold(line, |line, at| line.say(format!(", {}", age(*at, now))));
            let reason = verdict.reason.iter();
            page.item(0, reason.fold(line, |line, reason| line.say(": ").message(&main_reason(reason))));
        }
        page
    }
}
