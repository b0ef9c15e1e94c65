use crate::runs::RunRecord;
use crate::wording::Asked;

/// What gave the answers of a kept run.
pub(super) fn asked(record: &RunRecord) -> Asked<'_> {
    Asked {
        target: &record.target.name,
        live: record.target.is_live(),
        program: record.target.program(),
        started_at: &record.started_at,
    }
}
