use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Edit, Fix, Severity, quoted};
use crate::lints::{Check, Report, SuiteContext, declare_lint};
use crate::syntax::encode;
use crate::text::{alike, as_seen};

declare_lint! {
    /// Two cases have the same id.
    ///
    /// Results, transcripts and `--cases` identify a case by its id only. If two cases have the same id, the transcript
    /// of the second overwrites that of the first, and selecting one selects both.
    ///
    /// Ids that differ only in upper and lower case are a warning. File systems that ignore case have one file for both, so
    /// the transcript of one case overwrites that of the other. Ids that look the same are a warning too: nobody can tell
    /// which one `--cases` selects. They differ only in invisible characters, or in whether an accent is a part of its letter.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "cases": [
    ///   { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } },
    ///   { "id": "BOOK1", "prompt": "Cancel it.", "expected": { "must_say_any": ["cancelled"] } }
    /// ] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Give one of the cases another id.
    pub(crate) DUPLICATE_CASE_ID = "duplicate-case-id", Error, Check::Suite(check);
}

fn check(cx: &SuiteContext<'_>, report: &mut Report) {
    if !cx.has_repeated_ids {
        return;
    }
    let ids = cx.suite.cases.iter().filter_map(|case| Some(case.case.id.as_ref()?.value.as_str()));
    let mut taken: HashSet<String> = ids.map(str::to_owned).collect();
    let (mut first_uses, mut free) = (HashMap::new(), FreeIds::default());
    let mut alike_uses: HashMap<String, (&str, _)> = HashMap::new();
    for case in &cx.suite.cases {
        let Some(id) = &case.case.id else { continue };
        let span = case.absolute(id.span);
        if let Some(first) = first_uses.get(id.value.as_str()) {
            let free = free.next(&id.value, &taken);
            let fix = Fix::new(format!("rename to {}", quoted(&free)), vec![Edit::replace(span, encode(&free))]);
            let message = format!("case id {} is used twice", quoted(&id.value));
            report.add(span, message).also(*first, "first used here").fix(fix);
            taken.insert(free);
        } else {
            first_uses.insert(id.value.as_str(), span);
            match alike_uses.entry(alike(&id.value).into_owned()) {
                Entry::Vacant(entry) => _ = entry.insert((&id.value, span)),
                Entry::Occupied(first) => {
                    let (other, first) = first.get();
                    let difference = if as_seen(&id.value) == as_seen(other) {
                        "look the same: they differ only in invisible characters or in how accents are encoded"
                    } else {
                        "differ only in case"
                    };
                    let message = format!("case ids {} and {} {difference}", quoted(&id.value), quoted(other));
                    report.add(span, message).also(*first, "first used here").severity = Severity::Warning;
                }
            }
        }
    }
}

/// Unused ids. For each id with a suggestion, the number after the last one, so that many equal ids are not tried again.
#[derive(Default)]
struct FreeIds(HashMap<String, u64>);

impl FreeIds {
    /// Returns the next unused id of the same series: `B2` after `B1`, `search-2` after `search`.
    fn next(&mut self, id: &str, taken: &HashSet<String>) -> String {
        let stem = id.trim_end_matches(|c: char| c.is_ascii_digit());
        let (stem, from) = match id[stem.len()..].parse::<u32>() {
            Ok(number) => (stem.to_owned(), number.saturating_add(1)),
            Err(_) => (format!("{id}-"), 2),
        };
        let next = self.0.entry(id.to_owned()).or_insert(from.into());
        loop {
            let candidate = format!("{stem}{next}");
            *next += 1;
            if !taken.contains(&candidate) {
                return candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DUPLICATE_CASE_ID;
    use crate::lints::MOST_FINDINGS;
    use crate::lints::tests::fixture::{Setup, check_each, flagged_in};

    #[test]
    fn findings_and_fixes_are_as_marked() {
        check_each(
            &DUPLICATE_CASE_ID,
            r#"
# the fix takes the next free number
{ "cases": [ { "id": "G1" }, { "id": "G2" }, { "id": "G1" } ] }
→ { "cases": [ { "id": "G1" }, { "id": "G2" }, { "id": "G3" } ] }

# each later use is reported
{ "cases": [ { "id": "G1" }, { "id": "G1" }, { "id": "g1" }, { "id": "G1" } ] }
                                     ^^^^ case id `G1` is used twice
                                                     ^^^^ case ids `g1` and `G1` differ only in case
                                                                     ^^^^ case id `G1` is used twice

# ids that look alike are reported
{ "cases": [ { "id": "caf\u00e9" }, { "id": "cafe\u0301" }, { "id": "CAF\u00c9" } ] }
                                            ^^^^^^^^^^^^ case ids `café` and `café` look the same: they differ only in invisible characters or in how accents are encoded
                                                                    ^^^^^^^^^^^ case ids `CAFÉ` and `café` differ only in case

{ "cases": [ { "id": "STRASSE" }, { "id": "stra\u00dfe" }, { "id": "\u2764" }, { "id": "\u2764\ufe0f" } ] }
                                          ^^^^^^^^^^^^^ case ids `straße` and `STRASSE` differ only in case
                                                                                       ^^^^^^^^^^^^^^ case ids `❤\u{fe0f}` and `❤` look the same

# ids are compared by their value
{ "cases": [ { "id": "A" }, { "id": "\u0041" }, { "id": 1 }, { "id": 1 }, {} ] }
                                    ^^^^^^^^ case id `A` is used twice
"#,
        );
    }

    /// Without limits on time: with quadratic work this would take minutes.
    #[test]
    fn many_equal_ids_take_linear_time() {
        let cases = vec![r#"{ "id": "A" }"#; 20_000].join(",");
        let found = flagged_in(&Setup::default(), &DUPLICATE_CASE_ID, &format!(r#"{{ "cases": [{cases}] }}"#));
        assert_eq!(found.len(), MOST_FINDINGS + 1);
    }
}
