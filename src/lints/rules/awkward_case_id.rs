use crate::diagnostic::{Severity, quoted};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::syntax::raw_span;
use crate::text::{Span, is_invisible};

declare_lint! {
    /// A case id is hard to select, to distinguish or to store.
    ///
    /// `--cases` splits its argument at commas, so it cannot select an id with a comma or an empty id. White space at
    /// the ends of an id is invisible, but two ids that differ only in it are different. The same applies to characters such
    /// as a zero-width space.
    ///
    /// A space, a slash or a quote in an id is a hint: a shell needs quotes for it.
    ///
    /// The transcript of a case is a file with the name of its id. Windows reserves some names for devices, such as `CON`,
    /// `NUL` and `COM1`, with any extension. A repository with such a file cannot be checked out there.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "id": "booking,Thursday", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } }
    /// ```
    ///
    /// ## Fix
    ///
    /// Choose an id without them. If the case has a transcript, rename it or record it again.
    ///
    /// ```json
    /// { "id": "booking-thursday", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } }
    /// ```
    pub(crate) AWKWARD_CASE_ID = "awkward-case-id", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(id) = &cx.case.id else { return };
    let Some(literal) = cx.node_at(id.span).filter(|node| !node.is_broken()) else { return };
    let value = id.value.as_str();
    let place = |start, end| raw_span(literal.text(), Span::new(start, end)).shifted_by(id.span.start);

    if value.is_empty() {
        report.add(id.span, "the case id is empty: `--cases` cannot select this case");
        return;
    }
    if value.trim().is_empty() {
        report.add(id.span, "the case id is only white space");
        return;
    }
    let start = value.len() - value.trim_start().len();
    if start > 0 {
        report.add(place(0, start), format!("white space at the start of the case id {}", quoted(value)));
    }
    let end = value.trim_end().len();
    if end < value.len() {
        report.add(place(end, value.len()), format!("white space at the end of the case id {}", quoted(value)));
    }
    if let Some(comma) = value.find(',') {
        let message =
            format!("a comma in the case id {}: `--cases` splits ids at commas and cannot select it", quoted(value));
        report.add(place(comma, comma + 1), message);
    }
    if let Some((at, c)) = value.char_indices().find(|(at, c)| start <= *at && *at < end && is_hidden(value, *at, *c)) {
        let message = format!("the invisible character U+{:04X} in the case id {}", u32::from(c), quoted(value));
        report.add(place(at, at + c.len_utf8()), message);
    }
    let odd = value.char_indices().find(|(at, c)| start <= *at && *at < end && is_odd(*c));
    if let Some((at, c)) = odd.filter(|_| !value.contains(',')) {
        let what = if c == ' ' { "a space".to_owned() } else { quoted(&c.to_string()) };
        let message = format!("{what} in the case id {}: command lines need quotes for it", quoted(value));
        report.add(place(at, at + c.len_utf8()), message).severity = Severity::Hint;
    }
    if is_reserved_on_windows(value) {
        let message = format!("Windows reserves the name {}: it cannot store a transcript of this case", quoted(value));
        report.add(id.span, message);
    }
}

/// Whether a shell gives the character a meaning, or it parts the names of folders.
fn is_odd(c: char) -> bool {
    matches!(c, ' ' | '/' | '\\' | '"' | '\'' | '`' | '*' | '?' | '|' | '&' | ';' | '<' | '>' | '!' | '~')
}

/// Whether the character at `at` is not seen. Joiners between letters of other scripts, and within emoji, have an effect
/// that is seen.
fn is_hidden(id: &str, at: usize, c: char) -> bool {
    let is_joiner = matches!(c, '\u{200c}' | '\u{200d}');
    let joins = |neighbour: Option<char>| neighbour.is_some_and(|c| !c.is_ascii() && !is_unseen(c));
    let joins_both = joins(id[..at].chars().next_back()) && joins(id[at + c.len_utf8()..].chars().next());
    c.is_control() || (is_unseen(c) && !(is_joiner && joins_both))
}

/// Whether a character is invisible. Selectors change the look of the character before them.
fn is_unseen(c: char) -> bool {
    is_invisible(c)
        && !matches!(c, '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Whether Windows reserves the file name of this case's transcript for a device. All other characters that Windows does not
/// allow in names are encoded.
fn is_reserved_on_windows(id: &str) -> bool {
    // Spaces at the end of the name are not a part of it.
    let stem = id.split('.').next().unwrap_or(id).trim_end_matches(' ').to_ascii_uppercase();
    let digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "\u{b9}", "\u{b2}", "\u{b3}"];
    let is_numbered = |name: &str| stem.strip_prefix(name).is_some_and(|number| digits.contains(&number));
    matches!(&*stem, "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$") || is_numbered("COM") || is_numbered("LPT")
}

#[cfg(test)]
mod tests {
    use super::AWKWARD_CASE_ID;
    use crate::lints::tests::fixture::check_each;

    #[test]
    fn findings_are_as_marked() {
        check_each(
            &AWKWARD_CASE_ID,
            r#"
# awkward parts of ids are reported
{ "cases": [ { "id": "" }, { "id": "  " }, { "id": " A, B,C\t" } ] }
                     ^^ the case id is empty
                                   ^^^^ the case id is only white space
                                                    ^ white space at the start of the case id ` A, B,C\t`
                                                      ^ a comma in the case id
                                                           ^^ white space at the end of the case id

{ "cases": [ { "id": "\u00e9\u002cb" }, { "id": "\u00a0\u2003A" } ] }
                            ^^^^^^ a comma in the case id
                                                 ^^^^^^^^^^^^ white space at the start

# ids that windows cannot store are reported
{ "cases": [ { "id": "CON" }, { "id": "nul.1" }, { "id": "Com1" }, { "id": "LPT9" } ] }
                     ^^^^^ Windows reserves the name `CON`: it cannot store a transcript of this case
                                      ^^^^^^^ Windows reserves the name `nul.1`
                                                         ^^^^^^ Windows reserves
                                                                           ^^^^^^ Windows reserves

{ "cases": [ { "id": "CONTEXT" }, { "id": "COM0" }, { "id": "COM10" }, { "id": "A.CON" } ] }

# invisible characters within ids are reported
{ "cases": [ { "id": "A\u200bB" }, { "id": "\u202eC" }, { "id": "D\u0007E" } ] }
                       ^^^^^^ the invisible character U+200B in the case id `A\u{200b}B`
                                            ^^^^^^ the invisible character U+202E
                                                                  ^^^^^^ the invisible character U+0007

{ "cases": [ { "id": "👩‍🚀_می‌خواهم" } ] }

# other ids have no finding
{ "cases": [ { "id": "A" }, { "id": "größe-1.2_b:c#d" }, { "id": 1 }, {}, { "id": 

{ "cases": [ { "id": "a b" }, { "id": "a/b" }, { "id": "it's" } ] }
                       ^ a space in the case id `a b`: command lines need quotes for it
                                        ^ `/` in the case id
                                                          ^ `'` in the case id

{ "cases": [ { "id": "

{ "cases": [ { "id": "A, 
 } ] }
"#,
        );
    }

    #[test]
    fn letters_that_show_nothing_and_all_devices_are_found() {
        for id in ["COM\u{b9}", "lpt\u{b3}.x", "CONIN$", "conout$", "a\u{3164}b", "a\u{115f}b", "a\u{34f}b"] {
            let suite = format!(r#"{{ "cases": [ {{ "id": "{id}" }} ] }}"#);
            let found = crate::lints::tests::fixture::flagged_in(&Default::default(), &AWKWARD_CASE_ID, &suite);
            assert_eq!(found.len(), 1, "{id}");
        }
    }
}
