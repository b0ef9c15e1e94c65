use std::io::Write;

use crate::cli::draw::{Painter, printable};
use crate::cli::output::Output;
use crate::text::counted;

use super::Checked;

/// How many findings of one file are drawn. If there are more, people read the first ones, or use JSON.
const SHOWN: usize = 1_000;

/// Prints findings for people.
pub(in crate::cli) fn print(all: &[Checked], output: &mut Output<impl Write>) {
    let painter = Painter::new(output.has_color());
    for checked in all {
        for finding in checked.findings.iter().take(SHOWN) {
            output.write_line(&painter.paint(&checked.name, &checked.text, finding));
        }
        if let Some(more) = checked.findings.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            let (more, name) = (counted(more, "more finding"), printable(&checked.name));
            output.write_line(&format!("and {more} in {name}; `--format json` has them all\n"));
        }
    }
}
