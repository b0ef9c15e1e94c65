//! The wording of verdicts in the terminal, in Markdown and in editors.

mod case;
mod headline;
pub(crate) mod markup;

pub(crate) use case::{add_score, arithmetic, check_item, check_name, open_checks, score_decides, score_tells, sign};
pub(crate) use case::{age, evidence_label, evidence_line, evidence_phrase, place_in_transcript};
pub(crate) use headline::{
    Asked, OTHER_PROMPTS, count_checks, error_label, label, newer_reason, reasons, whose, whose_then,
};
pub(crate) use headline::{LAST_RUN_FAILED, SHOWN_ID, cut, further_reason, main_reason, plain};
pub(crate) use markup::{Line, Markup, code_block, command_for_case, escaped_for_sites, shell_word};
