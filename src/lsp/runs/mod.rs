//! Runs of cases: whoever asks for one, it goes this way.
//!
//! ```text
//! plan ─► (trust) ─► active: which run is asked which cases
//!                      │
//!                    work ─► child ─► heard     a thread for each run; a process for each suite of it
//!                      └──► teller              run events, progress, the answers' way into the state
//! ```
//!
//! A child is this same program, `eval-ls run - --format jsonl`, in a process group of its own. It is given the texts of
//! the chosen cases as the buffers hold them, saved or not, and hands over what was answered. Its [`Control`] stops it.

mod active;
mod child;
mod control;
mod heard;
mod plan;
mod progress;
mod teller;
mod verdict;
mod work;

pub(super) use active::{Begun, Runs, Since};
use plan::PlannedCase;
pub(super) use plan::{Choice, Plan, PlanFault, PlannedSuite};
pub(super) use progress::run_of;
pub(super) use teller::Teller;
pub(super) use work::start;
