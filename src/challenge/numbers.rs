use crate::suite::Case;

/// `response` with every number changed, so that none of the values that the case asks for is left in it; `None` if the
/// response has no number, or every change leaves such a value.
///
/// A number is a run of ASCII digits. Each digit is shifted and a leading `9` makes the number larger, so that an age
/// becomes older too.
pub(super) fn changed(case: &Case, response: &str) -> Option<String> {
    if !response.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let items = case.expected.must_ground_numbers.iter().flat_map(|field| &field.value);
    let values: Vec<&str> = items
        .filter(|item| item.regex.is_none())
        .filter_map(|item| item.value.as_ref())
        .map(|value| value.value.as_str())
        .filter(|value| value.bytes().any(|byte| byte.is_ascii_digit()))
        .collect();
    (1..=9).map(|shift| shifted(response, shift)).find(|text| values.iter().all(|value| !text.contains(value)))
}

fn shifted(response: &str, shift: u8) -> String {
    let mut text = String::with_capacity(response.len() * 2);
    let mut in_number = false;
    for c in response.chars() {
        match c.to_digit(10) {
            Some(digit) => {
                if !in_number {
                    text.push('9');
                }
                text.push(char::from(b'0' + (digit as u8 + shift) % 10));
            }
            None => text.push(c),
        }
        in_number = c.is_ascii_digit();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_changes_and_grows() {
        assert_eq!(shifted("12 commits, 3.5 %", 1), "923 commits, 94.96 %");
        assert_eq!(changed(&Case::default(), "no digit"), None);
    }
}
