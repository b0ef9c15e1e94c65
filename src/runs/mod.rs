//! Runs that are kept: what ran, what answered, and how each case ended, in a folder for each run.
//!
//! [`Runs`] is the folder `runs` of a workspace: it lists runs, finds one, and removes old ones. [`KeptRun`] reads one run;
//! reading is tolerant, because a killed run ends anywhere. [`OpenRun`] writes one: a case's line is in `cases.jsonl`
//! before its `case-finished` event is emitted.
//! `docs/runs.md` documents the files.

mod folder;
mod kept;
mod record;
mod write;

pub(crate) use folder::{LATEST, PastCase, PastRun};
pub(crate) use folder::{ListedRun, Runs};
pub(crate) use kept::{AnswerRecord, CaseLine, KeptRun, RunState};
pub(crate) use record::{
    CaseHashes, CaseRecord, ConfigRecord, FORMAT, GitRecord, RunId, RunMode, RunRecord, SuiteRecord, TargetRecord,
    hash_of,
};
pub(crate) use write::RunError;
pub(crate) use write::{EndedCase, OpenRun, Redact};
