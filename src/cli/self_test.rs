use crate::verdict;

use super::{Console, Status};

/// Scores the built-in transcripts and reports verdicts that differ from the known ones.
pub(super) fn self_test(console: &mut Console) -> Status {
    let differences = verdict::self_test();
    for difference in &differences {
        let verdict::Difference { name, what, expected, found } = difference;
        console.out.write_line(&format!("{name}: {what} should be {expected}, but is {found}"));
    }
    if differences.is_empty() {
        console
            .out
            .write_line(&format!("{} transcripts scored, all with the expected verdict", verdict::self_test_count()));
        Status::Passed
    } else {
        Status::Failed
    }
}
