//! The wording of verdicts in the terminal, in Markdown and in editors.

mod age;
mod case;
mod evidence;
mod headline;
pub mod markup;
mod result;

pub use age::age;
pub use case::{arithmetic, open_checks};
pub use evidence::{evidence_label, evidence_line, evidence_phrase, place_in_transcript};
pub use headline::{Headline, cut, plain};
pub use markup::{Line, Markup, escaped};
pub use result::{CheckText, ScoreText, check_item, code_block, sign};
