//! How verdicts are put into words, for the terminal, for Markdown and for editors.

mod age;
mod case;
pub mod markup;
mod result;

pub use age::age;
pub use case::{arithmetic, headline, open_checks, place_in_transcript};
pub use markup::{Line, Markup, escaped};
pub use result::{CheckText, ScoreText, check_item, code_block, evidence_line, sign};
