use crate::diagnostic::{Edit, Fix};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::pattern::{Case, compile_cached};
use crate::syntax::encode;
use crate::text::Span;

declare_lint! {
    /// A pattern does not compile.
    ///
    /// Patterns are PCRE2. A check whose pattern does not compile always fails, also under `must_not_match_regex`. The
    /// message is PCRE2's own; it is shown at the characters that caused it.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_match_regex": ["(booked|reserved for Thursday"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Fix the pattern. To match a special character such as `(` literally, write a backslash before it. JSON requires
    /// the backslash to be doubled: `\\(`.
    ///
    /// ```json
    /// { "must_match_regex": ["(booked|reserved) for Thursday", "\\(2 bikes"] }
    /// ```
    pub(crate) INVALID_REGEX = "invalid-regex", Error, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for pattern in &cx.patterns {
        if let Some(error) = &pattern.facts.error {
            let finding = report.add(pattern.raw(error.span), format!("invalid pattern: {error}"));
            for (title, place, text) in repairs(pattern.value, error.span, &error.to_string()) {
                let mut repaired = pattern.value.to_owned();
                repaired.replace_range(place.range(), &text);
                if compile_cached(&repaired, Case::Ignored).is_ok() {
                    let literal = encode(&text);
                    let edit = Edit::replace(pattern.raw(place), &literal[1..literal.len() - 1]);
                    finding.fix(Fix::new(title, vec![edit]));
                }
            }
        }
    }
}

/// A repair: its title, and the part of the pattern with its new text.
type Repair = (&'static str, Span, String);

/// What may repair the pattern, the likeliest first. `at` is where PCRE2 reports the fault, which `fault` describes. Those that do not
/// compile are left out.
fn repairs(source: &str, at: Span, fault: &str) -> Vec<Repair> {
    let end = Span::empty(source.len());
    let text = &source[at.range()];
    let of = |title, place, text: &str| (title, place, text.to_owned());
    let escaped = |title, place: Span| (title, place, format!("\\{}", &source[place.range()]));
    let swapped = |by: char| text.split_once(by).map(|(one, other)| (one.to_owned(), other.to_owned()));
    if fault.starts_with("missing closing parenthesis") {
        // The group that is open last is the one that lacks its end.
        let open = source.rfind('(').map(|open| escaped("escape `(`", Span::new(open, open + 1)));
        return [of("close the group", end, ")")].into_iter().chain(open).collect();
    }
    if fault.starts_with("missing terminating ]") {
        let open = source.rfind('[').map(|open| escaped("escape `[`", Span::new(open, open + 1)));
        return [of("close the class", end, "]")].into_iter().chain(open).collect();
    }
    if fault.starts_with("unmatched closing parenthesis") {
        let close = if text == ")" { Some(at.start) } else { source[..at.end].rfind(')') };
        let Some(close) = close.map(|close| Span::new(close, close + 1)) else { return Vec::new() };
        return vec![escaped("escape `)`", close), of("remove `)`", close, "")];
    }
    if fault.starts_with("range out of order") {
        let swapped = swapped('-').map(|(from, to)| ("swap the ends", at, format!("{to}-{from}")));
        return swapped.into_iter().collect();
    }
    if fault.starts_with("numbers out of order") {
        let text = text.trim_start_matches(|c| c != '{');
        let place = Span::new(at.end - text.len(), at.end);
        let numbers = text.trim_matches(['{', '}']).split_once(',');
        return numbers.map(|(min, max)| ("swap the numbers", place, format!("{{{max},{min}}}"))).into_iter().collect();
    }
    if fault.starts_with("quantifier does not follow") {
        // Often it is a glob, whose stars at the ends a search does not need.
        let all = Span::new(0, source.len());
        let is_glob = source.starts_with('*') && !source.contains(['(', '[', '\\']);
        let search = is_glob.then(|| ("search for it anywhere", all, source.trim_matches('*').replace('*', ".*")));
        return search.into_iter().chain([escaped("escape it", at)]).collect();
    }
    if fault.contains("POSIX named classes") {
        return vec![("put it into a class", at, format!("[{text}]"))];
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::INVALID_REGEX;
    use crate::lints::tests::fixture::check_each;

    #[test]
    fn findings_and_fixes_are_as_marked() {
        check_each(
            &INVALID_REGEX,
            r#"
# errors are reported in every field
{ "cases": [ { "id": "A", "expected": {
  "must_match_regex": ["booked", "[a-", "", "(bike"],
                                  ^ invalid pattern: missing terminating ] for character class
                                             ^ invalid pattern: missing closing parenthesis
  "must_not_match_regex": ["bike)"],
                                ^ invalid pattern: unmatched closing parenthesis
  "must_ground_numbers": [{ "regex": "*" }, { "value": "*" }, "*"],
                                      ^ invalid pattern: quantifier does not follow a repeatable item
  "lever_regex": "[z-a]", "claim_marker_regex": "a{3,1}", "evidence_marker_regex": "(?z)", "alignment_marker_regex": "(a",
                   ^^^ invalid pattern: range out of order in character class
                                                  ^^^^^ invalid pattern: numbers out of order in {} quantifier
                                                                                      ^ invalid pattern: unrecognized character after (? or (?-
                                                                                                                      ^ invalid pattern: missing closing parenthesis
  "evidence_freshness_regex": "(a", "must_say_any": ["("]
                               ^ invalid pattern: missing closing parenthesis
} } ] }

# frequent faults have a repair
{ "must_match_regex": ["(bike"] }
→ { "must_match_regex": ["(bike)"] }

{ "must_match_regex": ["a[bc"] }
→ { "must_match_regex": ["a[bc]"] }

{ "must_match_regex": ["bike)"] }
→ { "must_match_regex": ["bike\\)"] }

{ "must_match_regex": ["[9-0]"] }
→ { "must_match_regex": ["[0-9]"] }

{ "must_match_regex": ["a{3,1}"] }
→ { "must_match_regex": ["a{1,3}"] }

{ "must_match_regex": ["*two*bikes*"] }
→ { "must_match_regex": ["two.*bikes"] }

{ "must_match_regex": ["[:alpha:]+"] }
→ { "must_match_regex": ["[[:alpha:]]+"] }

# spans account for escapes of json
{ "cases": [ {
  "id": "\u00e9", "expected": {
  "must_match_regex": ["\u00e9\\d+\"\ud83d\ude00(", "é😀\\y", "\u00e9\u005b\u007a-a]", "\\"]
                                                ^ invalid pattern: missing closing parenthesis
                                                       ^^^ invalid pattern: unrecognized character follows \
                                                                          ^^^^^^^^ invalid pattern: range out of order in character class
                                                                                       ^^ invalid pattern: \ at end of pattern
} } ] }

# patterns that pcre2 accepts have no finding
{ "cases": [ { "id": "A", "expected": {
  "must_match_regex": ["(?<=saddle )\\d++(?! left)", "\\p{L}\\X(?>a|b)(?1)?()", "{", "a{,3}", "[]]", "\\Qa\\E"]
} } ] }

# unclosed strings have no finding
{ "must_match_regex": ["\("] }

{ "cases": [ { "id": "A", "expected": { "must_match_regex": ["(booked
"#,
        );
    }
}
