//! The wording of verdicts in the terminal, in Markdown and in editors.

mod headline;
pub(crate) mod markup;

pub(crate) use headline::{
    Asked, OTHER_PROMPTS, count_checks, error_label, label, newer_reason, reasons, whose, whose_then,
};
pub(crate) use headline::{LAST_RUN_FAILED, SHOWN_ID, cut, further_reason, main_reason, plain};
pub(crate) use headline::{
    add_check, add_evidence, add_further, add_score, age, arithmetic, check_name, evidence_label, evidence_phrase,
    open_checks, score_decides, score_tells, sign, without_group,
};
pub(crate) use markup::{
    BOLD, Line, Markup, code_block, command_for_case, disarmed, escaped_for_sites, shell_word, style,
};
