//! Ids of cases: their order, and the next one that is free.

use std::cmp::Ordering;
use std::collections::HashSet;

/// How many digits an id's number may have. Longer ones are no numbers to count on.
const DIGITS: usize = 18;

/// The first id after `id` that is not `used`: its number counted up, with as many digits where it has zeros before it;
/// a 2 at its end where it has no number.
pub(super) fn next_free(id: &str, used: &HashSet<&str>) -> String {
    let stem = id.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &id[stem.len()..];
    let (stem, digits) = if digits.len() > DIGITS { (id, "") } else { (stem, digits) };
    let number: u64 = digits.parse().unwrap_or(1);
    let width = if digits.starts_with('0') { digits.len() } else { 0 };
    // One more id than are used is always free.
    let candidates = (1..=used.len() as u64 + 1).map(|step| format!("{stem}{:0width$}", number + step));
    let mut candidates = candidates.skip_while(|id| used.contains(id.as_str()));
    candidates.next().unwrap_or_else(|| id.to_owned())
}

/// The order in which people list ids: runs of digits by their number, everything else by its letters.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    let by_parts = parts(a).map(Part::of).cmp(parts(b).map(Part::of));
    by_parts.then_with(|| a.cmp(b))
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part<'a> {
    /// How many digits without the zeros before them, and which: compared as a number of any size.
    Number(usize, &'a str),
    Letters(&'a str),
}

impl<'a> Part<'a> {
    fn of(text: &'a str) -> Self {
        let is_number = text.starts_with(|c: char| c.is_ascii_digit());
        let digits = text.trim_start_matches('0');
        if is_number { Part::Number(digits.len(), digits) } else { Part::Letters(text) }
    }
}

/// Runs of digits, and what is between them.
fn parts(id: &str) -> impl Iterator<Item = &str> {
    let mut rest = id;
    std::iter::from_fn(move || {
        let is_digit = rest.chars().next()?.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        rest = after;
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_free_id() {
        for (id, used, free) in [
            ("SYN1", &["SYN1"][..], "SYN2"),
            ("SYN1", &["SYN1", "SYN2", "SYN4"], "SYN3"),
            ("SYN9", &["SYN9", "SYN10"], "SYN11"),
            ("B-007", &["B-007"], "B-008"),
            ("B-099", &["B-099"], "B-100"),
            ("BOARD", &["BOARD"], "BOARD2"),
            ("BOARD", &["BOARD", "BOARD2"], "BOARD3"),
            ("", &[""], "2"),
            ("é9", &["é9"], "é10"),
            ("7", &[], "8"),
            ("x99999999999999999999", &[], "x999999999999999999992"),
            ("x999999999999999999", &[], "x1000000000000000000"),
        ] {
            assert_eq!(next_free(id, &used.iter().copied().collect()), free, "{id}");
        }
    }

    #[test]
    fn numbers_count_as_numbers() {
        let sorted = [
            "",
            "1",
            "02",
            "2",
            "10",
            "A",
            "A1",
            "A1b",
            "A2",
            "A02b",
            "A10",
            "A99999999999999999999999",
            "B",
            "a",
            "é",
        ];
        let mut shuffled = sorted.to_vec();
        shuffled.reverse();
        shuffled.sort_by(|a, b| compare(a, b));
        assert_eq!(shuffled, sorted);
    }
}
