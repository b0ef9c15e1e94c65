//! `licenses`: the texts that the program must be shipped with. A program that is installed alone has them too.

use super::{Console, ExitStatus};

/// The texts with their titles. The notices have no title, because they have their own.
const TEXTS: [(&str, &str); 2] =
    [("# eval-ls", include_str!("../../LICENSE")), ("", include_str!("../../THIRD_PARTY_NOTICES.md"))];

/// Prints the license of eval-ls and those of the code that it contains.
pub(super) fn licenses(console: &mut Console) -> ExitStatus {
    let texts = TEXTS.map(|(title, text)| [title, text].map(str::trim).join("\n\n"));
    console.out.write_text(&format!("{}\n", texts.join("\n\n").trim_start()));
    ExitStatus::Passed
}
