//! Runs of cases. All requests for runs go through this module.
//!
//! ```text
//! plan ─► (trust) ─► active: which run is asked which cases
//!                      │
//!                    work ─► child ─► events    a thread for each run; a process for each suite of it
//!                      └──► push                run events, progress, the answers into the state
//! ```
//!
//! A child is this program, `eval-ls run - --format jsonl`, in a separate process group. It receives the texts of the
//! chosen cases from the buffers, saved or not, and returns the answers. `session::state::Control` stops it.

#[expect(clippy::disallowed_types, reason = "the child is this program")]
mod child;
mod plan;
mod results;
mod work;

use plan::PlannedCase;

pub(crate) use plan::{Choice, Plan, PlanFault, PlannedSuite, chosen_target, debugger_at, stays_inside};
pub(crate) use work::{run_of, start};
