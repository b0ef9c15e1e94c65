//! The lines of the response that patterns match: `must_match_regex`, `must_not_match_regex`, and the keys of a morning brief.

use crate::checks::judged::Decision;
use crate::checks::search::{every_match, first_match};
use crate::checks::{Judged, message};
use crate::pattern::Budget;
use crate::text::{Span, counted};

/// `must_match_regex`: some line of the response matches this pattern.
pub(crate) fn matched(judged: &Judged<'_>, pattern: &str, budget: &Budget) -> Decision {
    match first_match(&judged.response, pattern, budget) {
        Ok(Some(span)) => message::matched(judged, pattern, span, Decision::passed),
        Ok(None) => Decision::failed(format!("no line matches {}", message::quoted(pattern))),
        Err(trouble) => trouble.decision(),
    }
}

/// `must_not_match_regex`: no line of the response matches this pattern. A pattern that does not compile fails here too: it
/// cannot show that there is no match.
pub(crate) fn not_matched(judged: &Judged<'_>, pattern: &str, budget: &Budget) -> Decision {
    match first_match(&judged.response, pattern, budget) {
        Ok(Some(span)) => message::matched(judged, pattern, span, Decision::failed),
        Ok(None) => Decision::passed(format!("no line matches {}", message::quoted(pattern))),
        Err(trouble) => trouble.decision(),
    }
}

/// The number of levers in the evidence. A brief has three to five.
const SHOWN: usize = 10;

/// `required_levers`: the response offers at least this number of levers.
pub(crate) fn levers(judged: &Judged<'_>, at_least: f64, pattern: &str, budget: &Budget) -> Decision {
    let mut count = 0_usize;
    let mut shown = Vec::new();
    let searched = every_match(&judged.response, pattern, budget, |span| {
        count += 1;
        if count <= SHOWN {
            shown.push(judged.response.evidence(span));
        }
    });
    if let Err(trouble) = searched {
        return trouble.decision();
    }
    let enough = count as f64 >= at_least;
    let message = format!("{}, of at least {at_least}", counted(count, "lever"));
    (if enough { Decision::passed(message) } else { Decision::failed(message) }).with(shown)
}

/// The names of the three patterns, in order.
const MARKERS: [&str; 3] = ["claim", "evidence", "alignment"];

/// `claim_evidence_alignment`: the response makes a claim, names evidence, and links the claim to the evidence.
pub(crate) fn claim_evidence_alignment(judged: &Judged<'_>, patterns: [&str; 3], budget: &Budget) -> Decision {
    let mut decision = Decision::passed("claim, evidence and alignment are present");
    for (pattern, marker) in patterns.into_iter().zip(MARKERS) {
        match first_match(&judged.response, pattern, budget) {
            Ok(Some(span)) => decision = decision.with([judged.response.evidence(span)]),
            Ok(None) => {
                let message = format!("no line matches the {marker} marker {}", message::quoted(pattern));
                return Decision::failed(message).with(decision.evidence);
            }
            Err(trouble) => return trouble.decision().with(decision.evidence),
        }
    }
    decision
}

/// The longest number, in digits. A longer run of digits is split. As many as in the default pattern.
const DIGITS: usize = 4;

/// `evidence_freshness_max_age_minutes`: the response states the age of its evidence, and no age is above this.
pub(crate) fn evidence_freshness(
    judged: &Judged<'_>,
    max_age_minutes: f64,
    pattern: &str,
    budget: &Budget,
) -> Decision {
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
