/// Numbers of this size and above are written with an exponent.
const LARGE: f64 = 1e15;
/// Numbers below this size, except 0, are written with an exponent.
const SMALL: f64 = 1e-6;

/// A number with at most six decimals and without trailing zeros. Very large and very small numbers have an exponent.
pub(crate) fn number(value: f64) -> String {
    if value.abs() >= LARGE || (value != 0.0 && value.abs() < SMALL) {
        return format!("{value:e}");
    }
    let rounded = (value * 1e6).round() / 1e6;
    // Drop the sign of a negative zero.
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// A count with its noun: `1 check`, `2 checks`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Bytes in hexadecimal, two lower-case digits each.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_at_most_six_decimals() {
        for (value, text) in [
            (0.1 + 0.2, "0.3"),
            (1.1 + 2.2, "3.3"),
            (1.0, "1"),
            (0.0, "0"),
            (-0.0, "0"),
            (-0.5, "-0.5"),
            (2.0 / 3.0, "0.666667"),
            (120.0, "120"),
            (0.000_001, "0.000001"),
            (1e-9, "1e-9"),
            (999_999_999_999_999.0, "999999999999999"),
            (1e15, "1e15"),
            (-2e300, "-2e300"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn nouns_are_plural_unless_one() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "check")), ["0 checks", "1 check", "2 checks"]);
    }
}
