//! The next free id of a case.

use std::collections::HashSet;

/// The longest run of digits that is read as a number to increment.
const DIGITS: usize = 18;

/// The first id after `id` that is not `used`. The number at its end is incremented and keeps its leading zeros; an id
/// without a number gets a 2.
pub(super) fn next_free(id: &str, used: &HashSet<&str>) -> String {
    let stem = id.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &id[stem.len()..];
    let (stem, digits) = if digits.len() > DIGITS { (id, "") } else { (stem, digits) };
    let number: u64 = digits.parse().unwrap_or(1);
    let width = if digits.starts_with('0') { digits.len() } else { 0 };
    // There is one more candidate than used ids, so one is always free.
    let candidates = (1..=used.len() as u64 + 1).map(|step| format!("{stem}{:0width$}", number + step));
    let mut candidates = candidates.skip_while(|id| used.contains(id.as_str()));
    candidates.next().unwrap_or_else(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_free_increments_the_number() {
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
}
