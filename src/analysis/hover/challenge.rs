//! Hover for challenges: the row of a case or of a check in the table.

use super::HoverContext;
use crate::analysis::challenges::{case_lines, check_lines};
use crate::wording::Markup;

impl HoverContext<'_> {
    /// Adds the row of the case.
    pub(super) fn challenges_of_case(&self, page: &mut Markup) {
        let Some((judged, case)) = self.challenges.as_deref().zip(self.cursor.case) else { return };
        let id = case.case.id.as_ref().map_or("", |id| &id.value);
        case_lines(id, judged, &self.config.challenge, page);
    }

    /// Adds the row of the check that the text under the cursor makes, if it makes one.
    pub(super) fn challenges_here(&self, page: &mut Markup) {
        let Some(judged) = self.challenges.as_deref() else { return };
        if let [only] = self.checks_here()[..]
            && let Some(check) = judged.checks.get(only)
        {
            check_lines(judged, check, page);
        }
    }
}
