//! Runs of cases: whoever asks for one, it goes this way.
//!
//! ```text
//! plan ─► (trust) ─► active: which run is asked which cases
//!                      │
//!                    work ─► child ─► events    a thread for each run; a process for each suite of it
//!                      └──► teller              run events, progress, the answers' way into the state
//! ```
//!
//! A child is this same program, `eval-ls run - --format jsonl`, in a process group of its own. It is given the texts of
//! the chosen cases as the buffers hold them, saved or not, and hands over what was answered. Its [`Control`] stops it.

mod child;
mod plan;
mod progress;
mod verdict;
mod work;

use plan::PlannedCase;
pub(in crate::lsp) use plan::{Choice, Plan, PlanFault, PlannedSuite};
pub(in crate::lsp) use progress::run_of;
pub(in crate::lsp) use work::start;
