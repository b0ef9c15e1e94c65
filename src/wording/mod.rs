//! The wording of verdicts in the terminal, in Markdown and in editors.

mod age;
mod case;
mod evidence;
mod headline;
pub(crate) mod markup;
mod reason;
mod result;
mod shell;
mod whose;

pub(crate) use age::age;
pub(crate) use case::{arithmetic, check_name, open_checks};
pub(crate) use evidence::{evidence_label, evidence_line, evidence_phrase, place_in_transcript};
pub(crate) use headline::{Headline, OTHER_PROMPTS, count_checks};
pub(crate) use markup::{Line, Markup, code_block, escaped, escaped_for_sites};
pub(crate) use reason::{LAST_RUN_FAILED, cut, further_reason, main_reason, plain};
pub(crate) use result::{CheckText, ScoreText, check_item, sign};
pub(crate) use shell::{command_for_case, shell_word};
pub(crate) use whose::{Asked, whose, whose_then};
