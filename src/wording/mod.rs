//! How verdicts are put into words, for the terminal, for Markdown and for editors.

mod age;
mod case;
pub mod markup;

pub use age::age;
pub use case::{arithmetic, headline, open_checks, place_in_transcript};
pub use markup::{Line, Markup};
