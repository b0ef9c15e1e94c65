//! Numbers in patterns: how a number is found, but not within another one.

use super::escape;

/// A minus sign, as people type it. Behind a word or a digit it is a dash, as in `3-5` and `GPT-5`.
const SIGN: &str = r"(?<![-–\w)\]])[-−–]";
/// No sign before the number, nor before a sign of money.
const NO_SIGN: &str = r"(?<!(?<![-–\w)\]])[-−–]\p{Sc}?)";
/// No more digits, and no decimals: `15`, `0.5`, `1,5`, `.5`. The dot of `No.5` and the last one of `...5` are none.
const NO_WHOLES: &str = r"(?<!\d)(?<!(?<![\p{L}.)\]])[.,])";
/// No thousands before three digits: `1 500`, `1'500`.
const NO_THOUSANDS: &str = r"(?<!\d[\h'’])";
/// No more digits, no decimals, no exponent and no fraction: `50`, `5.5`, `5,000`, `5e3`, `5½`.
const NO_MORE: &str = r"(?!\d|[.,]\d|e[-+−]?\d|[¼-¾⅐-⅞])";
/// No groups of thousands after one to three digits: `5 000`, `5'000`.
const NO_GROUPS: &str = r"(?![\h'’]\d{3}(?!\d))";

/// Returns a pattern that finds a number as it is written, with any minus sign, and not as a part of another number.
pub(crate) fn whole_number(number: &str) -> String {
    bounded(number, escape)
}

/// Returns a pattern that finds a number as [`whole_number`] does, also with commas between its thousands and zeros after its decimals:
/// `1204.5` is `1,204.50`.
pub(crate) fn equal_number(number: &str) -> String {
    bounded(number, |text| {
        let (wholes, decimals) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
        let groups = wholes.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok());
        let is_decimal = decimals.len() > 1 && decimals[1..].bytes().all(|byte| byte.is_ascii_digit());
        let zeros = if is_decimal && decimals.starts_with('.') { "0*" } else { "" };
        [&groups.collect::<Vec<_>>().join(",?"), &escape(decimals), zeros].concat()
    })
}

/// A pattern for a number between limits. `written` makes the pattern of its digits.
fn bounded(number: &str, written: impl Fn(&str) -> String) -> String {
    let is_digit = |c: char| c.is_ascii_digit();
    let text = number.strip_prefix(['-', '−', '–']).unwrap_or(number);
    let begins = text.chars().next().unwrap_or_default();
    let before = match begins {
        _ if text.len() < number.len() => SIGN,
        c if c.is_alphabetic() => r"\b",
        _ => NO_SIGN,
    };
    let wholes = if is_digit(begins) || begins == '.' { NO_WHOLES } else { "" };
    let begins_with_group = text.find(|c| !is_digit(c)).unwrap_or(text.len()) == 3;
    let thousands = if begins_with_group { NO_THOUSANDS } else { "" };
    let after = match text.chars().next_back().unwrap_or_default() {
        c if is_digit(c) => NO_MORE,
        c if c.is_alphabetic() => r"\b",
        _ => "",
    };
    let rest = text.trim_end_matches(is_digit);
    let may_go_on = (1..=3).contains(&(text.len() - rest.len())) && !rest.ends_with(['.', ',']);
    let groups = if may_go_on { NO_GROUPS } else { "" };
    [before, wholes, thousands, &written(text), after, groups].concat()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pattern::{Budget, Case, Pattern};

    fn finds(number: &str, text: &str) -> bool {
        let pattern = Pattern::compile(&whole_number(number), Case::Ignored).unwrap();
        pattern.find(text, 0, &Budget::default()).unwrap().is_some()
    }

    #[test]
    fn an_equal_number_has_commas_and_zeros() {
        let finds = |number: &str, text: &str| {
            let pattern = Pattern::compile(&equal_number(number), Case::Ignored).unwrap();
            pattern.find(text, 0, &Budget::default()).unwrap().is_some()
        };
        for (number, same, other) in [
            ("1204.5", ["1204.5", "1,204.50", "$1,204.5!"], ["12,04.5", "1204.51", "11,204.5"]),
            ("1234567", ["1,234,567", "1234567", "(1,234,567)"], ["1234,567,1", "1,234,567,890", "1,234,567.5"]),
            ("42", ["42", "42.", "is 42"], ["4,2", "42.5", "420"]),
            ("-1500", ["-1,500", "−1500", "is -1500"], ["1,500", "1500", "-15,00"]),
        ] {
            assert!(same.iter().all(|text| finds(number, text)), "{number}: {same:?}");
            assert!(!other.iter().any(|text| finds(number, text)), "{number}: {other:?}");
        }
    }

    /// A number, texts that have it, and texts that have only another one, with `|` between the texts.
    const TABLE: [(&str, &str, &str); 12] = [
        (
            "5",
            "5|5.|(5)|5, then|5,|5%|5 %|$5|€5|5 €|5km|x5|=5|:5|3-5|3–5|GPT-5|a - 5|—5|5-7|5/8|No.5|...5|[5]|5th\
             |5:30|**5**|`5`|5 50|5 bikes|5'|5. Next|5! 6|#5|~5|5e|5\u{a0}km|5'11|6 or 5|1, 5",
            "5.5|0.5|5,000|1,5|-5|−5|–5|5\u{a0}000|5\u{202f}000|5\u{2009}000|5 000|5'000|5’000|.5|(.5)|5e3|5E+3\
             |5e-3|15|55|5½|(-5)|x = -5|\"-5\"|$-5|-$5|−€5|1.5.2|2:-5| ,5|5\u{a0}000\u{a0}000|٣5",
        ),
        ("0.50", "0.50|0.50.|=0.50|0.50 ", "10.50|0.505|1.0.50| -0.50|0.50e2"),
        ("204", "204|€204,|x204|204km|204 50", "1,204|1 204|1\u{a0}204|1'204|2040|204.5|204,000"),
        ("2024", "in 2024 500 bikes|2024-11-28|2024.", "12024|2024.5|-2024"),
        ("28", "2024-11-28|28.", "128|28,5|28.11.2024."),
        ("1,234", "1,234|1,234.", "1,234,567|1,234.5|11,234|-1,234"),
        ("-5", "-5|−5|–5|(-5)|-5.|x=-5|$-5", "3-5|-5.5|-55|a-5|--5|-5,000|5"),
        ("12%", "12%|12%.|(12%)", "112%|1.12%|-12%|12 %"),
        ("€40", "€40|€40.", "€400|€40.5|-€40|€40 000"),
        (".5", ".5|(.5)", "0.5|.55|-.5"),
        ("12 kg", "12 kg|12 kg.|a 12 kg bag", "112 kg|12 kgs|1.12 kg"),
        ("5e3", "5e3|5E3.", "5e30|15e3|5e3.5"),
    ];

    #[test]
    fn a_number_is_not_found_in_another() {
        for (number, found, not_found) in TABLE {
            let missing: Vec<_> = found.split('|').filter(|text| !finds(number, text)).collect();
            let wrong: Vec<_> = not_found.split('|').filter(|text| finds(number, text)).collect();
            assert!(missing.is_empty() && wrong.is_empty(), "{number}: not in {missing:?}, but in {wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn a_number_is_found_in_a_sentence(number in "[-−]?[$€]?([0-9]{1,4}|[1-9][0-9]{0,2}(,[0-9]{3}){1,2})([.][0-9]{1,3})?[%k]?") {
            for text in [number.clone(), format!("It is {number}."), format!("({number}), so"), format!("**{number}**")] {
                prop_assert!(finds(&number, &text), "{} in {}", number, text);
            }
            let longer = format!("7{number}");
            prop_assert!(!number.starts_with(|c: char| c.is_ascii_digit()) || !finds(&number, &longer), "{}", number);
        }
    }
}
