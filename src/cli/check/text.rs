use crate::cli::Console;
use crate::cli::draw::Painter;

use super::Checked;
use super::tally::{Tally, counted};

/// How many findings of one file are drawn. Who has more reads the first ones, or asks for JSON.
const SHOWN: usize = 1_000;

/// Prints findings for people, and on standard error how many there are.
pub(super) fn print(all: &[Checked], tally: &Tally, console: &mut Console) {
    let painter = Painter::new(console.out.has_color());
    for checked in all {
        for finding in checked.findings.iter().take(SHOWN) {
            console.out.write_line(&painter.paint(&checked.name, &checked.text, finding));
        }
        if let Some(more) = checked.findings.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            console.tell(format_args!("{} more in `{}`", counted(more, "finding"), checked.name));
        }
    }
    console.tell(tally);
}
