//! `evidence_freshness_max_age_minutes`: the response states the age of its evidence, and no age is above this.

use crate::checks::judged::Decision;
use crate::checks::search::every_match;
use crate::checks::{Judged, message};
use crate::pattern::Budget;
use crate::text::{Span, counted};

/// The longest number, in digits. A longer run of digits is split. As many as in the default pattern.
const DIGITS: usize = 4;

pub(crate) fn check(judged: &Judged<'_>, max_age_minutes: f64, pattern: &str, budget: &Budget) -> Decision {
    let response = &judged.response;
    let mut largest: Option<(u32, Span)> = None;
    let searched = every_match(response, pattern, budget, |span| {
        let here = largest_number(&response.text()[span.range()]);
        if let Some(age) = here.filter(|age| largest.is_none_or(|(known, _)| *age > known)) {
            largest = Some((age, span));
        }
    });
    if let Err(trouble) = searched {
        return trouble.decision();
    }
    match largest {
        Some((age, span)) => {
            let fresh = f64::from(age) <= max_age_minutes;
            let message =
                format!("the oldest evidence is {} old, of at most {max_age_minutes}", counted(age as usize, "minute"));
            (if fresh { Decision::passed(message) } else { Decision::failed(message) }).with([response.evidence(span)])
        }
        None => Decision::failed(format!("no age of evidence matches {}", message::quoted(pattern))),
    }
}

/// The largest number in a match. Runs of digits are split into pieces of at most four digits.
fn largest_number(text: &str) -> Option<u32> {
    let runs = text.as_bytes().split(|byte| !byte.is_ascii_digit());
    let pieces = runs.flat_map(|run| run.chunks(DIGITS));
    pieces.map(|piece| piece.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_read_in_pieces_of_four() {
        for (text, largest) in [
            ("15 minutes", Some(15)),
            ("12345 min", Some(1234)),
            ("00019999", Some(9999)),
            ("1,500m", Some(500)),
            ("3m 7", Some(7)),
            ("0", Some(0)),
            ("٣ min", None),
            ("", None),
        ] {
            assert_eq!(largest_number(text), largest, "{text}");
        }
    }
}
