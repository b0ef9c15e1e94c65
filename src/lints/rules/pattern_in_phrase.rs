use std::sync::LazyLock;

use regex::Regex;

use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::facts::claims::phrases;
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::pattern::{Case, compile_cached};
use crate::suite::{List, Spanned};
use crate::syntax::{Kind, encode, separator_before};

declare_lint! {
    /// A phrase is written as a pattern.
    ///
    /// Phrases are matched literally. `booked|reserved` is only found in a response that has the bar.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_say_any": ["\\d+ bikes", "booked"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write patterns under `must_match_regex` or `must_not_match_regex`, and alternatives as separate phrases.
    ///
    /// ```json
    /// { "must_match_regex": ["\\d+ bikes|booked"] }
    /// ```
    pub(crate) PATTERN_IN_PHRASE = "pattern-in-phrase", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for (key, list) in phrases(&cx.case.expected) {
        for entry in list.entries() {
            if cx.node_at(entry.span).is_none_or(|node| node.is_broken()) {
                continue;
            }
            let Some(syntax) = syntax(&entry.value) else { continue };
            let message = format!("phrases are matched literally, so {} is not a pattern here", quoted(syntax));
            let finding = report.add(entry.span, message);
            if let Some(fix) = moved(cx, (key, list), entry) {
                finding.fix(fix);
            }
        }
    }
}

/// What only a pattern has.
static SYNTAX: LazyLock<Regex> = LazyLock::new(|| {
    let words = [
        r"\\[dDsSwWbB](?:[+*?{)|\]\s.,:-]|$)",
        r"\\[.()\[\]$^+*?|]",
        r"\.[*+](?:[?)]|\s|\w|$)",
        r"\(\?[:i=!<-]",
        r"\[[^\]\s]*[0-9a-zA-Z]-[0-9a-zA-Z][^\]\s]*\][+*?{]?",
        r"\((?:[\w -]+\|)+[\w -]+\)",
        r"^\^.*\$$",
        r"^\w+(?:\|\w+)+$",
    ];
    Regex::new(&words.join("|")).expect("the program's own pattern compiles")
});

fn syntax(phrase: &str) -> Option<&str> {
    match phrase.find(['\u{8}', '\u{c}']) {
        Some(at) => Some(&phrase[at..=at]),
        None => SYNTAX.find(phrase).map(|found| found.as_str()),
    }
}

/// Moves the entry to the list of patterns that asks the same: every entry of `must_not_say`, and a lone one of `must_say_any`.
fn moved(cx: &CaseContext<'_>, (key, list): (&str, &List), entry: &Spanned<String>) -> Option<Fix> {
    compile_cached(&entry.value, Case::Ignored).ok()?;
    let is_lone = list.value.len() == 1;
    let target = match key {
        "must_not_say" => "must_not_match_regex",
        "must_say_any" if is_lone => "must_match_regex",
        _ => return None,
    };
    let expected = cx.node.get("expected")?;
    let member = expected.member(key)?;
    let literal = encode(&entry.value);
    let text = cx.node.text();
    let removal = if is_lone { member.node.removal() } else { cx.node_at(entry.span)?.removal() };
    let edits = match expected.member(target) {
        Some(target) => {
            let list = target.value.filter(|list| list.kind() == Kind::Array && !list.is_broken())?;
            let insert = match list.elements().last() {
                Some(last) => Edit::insert(last.span().end, format!(", {literal}")),
                None => Edit::replace(list.span(), format!("[{literal}]")),
            };
            vec![Edit::delete(removal), insert]
        }
        None if is_lone => vec![Edit::replace(member.node.span(), format!("\"{target}\": [{literal}]"))],
        None => {
            let span = member.node.span();
            let separator = separator_before(text, span.start);
            vec![Edit::delete(removal), Edit::insert(span.end, format!(",{separator}\"{target}\": [{literal}]"))]
        }
    };
    let apart = edits.iter().skip(1).all(|edit| !edits[0].span.touches(edit.span.start));
    (edits.len() == 1 || apart).then(|| Fix::new(format!("move it to `{target}`"), edits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::tests::fixture::{check_lines, listed};

    #[test]
    fn only_what_a_pattern_has() {
        let patterns = r"
            \d+ bikes  booked\s+for  \bbooked\b  booked\.  book.*slot  (?i)booked  [0-9]+ bikes  (booked|reserved)
            booked|reserved  ^booked$  v1.*
        ";
        for phrase in listed(patterns).chain(["\u{8}booked"]) {
            assert!(syntax(phrase).is_some(), "{phrase}");
        }
        let phrases = r"
            booked  Booked.  costs 12$  Really?  a (small) bike  [1] Source  C:\data  GitHub: | Slack:  ...  2 * 3 + 4
            #general  | Case | Status |
        ";
        for phrase in listed(phrases) {
            assert!(syntax(phrase).is_none(), "{phrase}");
        }
    }

    #[test]
    fn looks_into_every_list_of_phrases_and_moves_what_it_finds() {
        check_lines(
            &PATTERN_IN_PHRASE,
            r#"
            { "must_say_any": [«"a|b"», "c"], "tool_calls_any": ["a|b"], "must_not_say": [«"x.*y"»] }
            { "source_patterns": { "x": [«"\\d+"»] }, "must_ground_numbers": [{ "value": 1, "context_any": [«"[0-9]+"»] }] }
            { "must_say_any": [«"a|b"»] }
            → { "must_match_regex": ["a|b"] }
            { "must_not_say": [«"a|b"», "c"] }
            → { "must_not_say": ["c"], "must_not_match_regex": ["a|b"] }
            { "must_not_say": ["c", «"a|b"»], "must_not_match_regex": ["d"] }
            → { "must_not_say": ["c"], "must_not_match_regex": ["d", "a|b"] }
            "#,
        );
    }
}
