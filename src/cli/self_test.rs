use crate::verdict;

use super::{Console, ExitStatus};

/// Scores the built-in transcripts and reports verdicts that differ from the known ones.
pub(super) fn self_test(console: &mut Console) -> ExitStatus {
    let differences = verdict::self_test();
    for difference in &differences {
        let verdict::Difference { name, what, expected, found } = difference;
        console.out.write_line(&format!("{name}: {what} should be {expected}, but is {found}"));
    }
    if differences.is_empty() {
        console
            .out
            .write_line(&format!("{} transcripts scored, all with the expected verdict", verdict::self_test_count()));
        ExitStatus::Passed
    } else {
        ExitStatus::Failed
    }
}
