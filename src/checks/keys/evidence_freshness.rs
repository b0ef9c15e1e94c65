//! `evidence_freshness_max_age_minutes`: the response states the age of its evidence, and no age is above this.

use super::rule::*;
use crate::checks::search::every_match;
use crate::pattern::Case;
use crate::suite::EVIDENCE_FRESHNESS_REGEX;
use crate::text::counted;

const KEY: &str = "evidence_freshness_max_age_minutes";

#[derive(Debug)]
struct EvidenceFreshness<'a> {
    max_age_minutes: f64,
    pattern: &'a str,
}

pub(super) fn ask(asked: &mut Asked<'_>) {
    let expected = asked.expected();
    if let Some(field) = &expected.evidence_freshness_max_age_minutes {
        let pattern = pattern_or(&expected.evidence_freshness_regex, EVIDENCE_FRESHNESS_REGEX);
        let rule = EvidenceFreshness { max_age_minutes: field.value, pattern };
        asked.add(KEY, field.span, "morning_brief:evidence_freshness", rule);
    }
}

impl<'a> Rule<'a> for EvidenceFreshness<'a> {
    fn judge(&self, view: &View<'_, '_>) -> Decision {
        let response = &view.judged.response;
        let matches = match every_match(response, self.pattern, view.budget) {
            Ok(matches) => matches,
            Err(trouble) => return trouble.decision(),
        };
        let ages = matches.into_iter().filter_map(|span| Some((largest_number(&response.text()[span.range()])?, span)));
        // Of equals the first one.
        let largest = ages.reduce(|largest, other| if other.0 > largest.0 { other } else { largest });
        let Some((age, span)) = largest else {
            return Decision::failed(format!("no age of evidence matches {}", quoted(self.pattern)));
        };
        let (old, most) = (counted(age as usize, "minute"), self.max_age_minutes);
        let message = format!("the oldest evidence is {old} old, of at most {most}");
        let is_fresh = f64::from(age) <= most;
        (if is_fresh { Decision::passed(message) } else { Decision::failed(message) }).with([response.evidence(span)])
    }

    fn nearest(&self, view: &View<'_, '_>) -> Option<Evidence> {
        nearest::prefix_match(view.judged, self.pattern, Case::Matters)
    }

    fn patterns(&self) -> Vec<&'a str> {
        vec![self.pattern]
    }

    fn needs(&self) -> Needs {
        Needs { number: true, ..Needs::CONTENT }
    }
}

/// The longest number, in digits. A longer run of digits is split. As many as in the default pattern.
const DIGITS: usize = 4;

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
