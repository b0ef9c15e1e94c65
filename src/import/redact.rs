//! Replaces personal data in an import. The same value has the same stand-in everywhere, so a check on an answer still holds, and a
//! stand-in is not found again, so a second import changes nothing.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::foreign::columns::snake;
use crate::pattern::{Budget, Case, Pattern, compile_cached, equal_number, escape};
use crate::text::{counted, visible_text};

use super::draft::Draft;
use super::personal::{Found, Kind, find};
use super::{Cases, ImportError};

/// Finds personal data in an import, and replaces it.
#[derive(Debug, Default)]
pub(crate) struct Redactor {
    patterns: Vec<Arc<Pattern>>,
    replaces: bool,
    /// Whether all texts were seen.
    has_seen: bool,
    /// The values, each with its stand-in.
    values: HashMap<(Kind, String), Option<String>>,
    /// The stand-ins that the texts have already, in lower case.
    taken: HashSet<String>,
    /// How many stand-ins of each kind there are.
    given: [usize; Kind::ALL.len()],
    places: usize,
    /// Why a pattern could not be tried on a text.
    fault: Option<String>,
}

impl Redactor {
    /// A redactor that also finds what `patterns` match, which compile. It writes stand-ins if it `replaces`.
    pub(crate) fn new(patterns: &[String], replaces: bool) -> Redactor {
        let compiled = patterns.iter().filter_map(|pattern| compile_cached(pattern, Case::Ignored).ok());
        Redactor { patterns: compiled.collect(), replaces, ..Redactor::default() }
    }

    /// How many different values were found, and in how many places: `2 e-mail addresses and 1 token, in 5 places`.
    pub(crate) fn summary(&self) -> Option<String> {
        let count = |kind| self.values.keys().filter(|(found, _)| *found == kind).count();
        let counts = Kind::ALL.map(|kind| (kind, count(kind))).into_iter().filter(|(_, count)| *count > 0);
        let counts: Vec<String> = counts.map(|(kind, count)| kind.counted(count)).collect();
        let (last, others) = counts.split_last()?;
        let others = if others.is_empty() { String::new() } else { format!("{} and ", others.join(", ")) };
        Some(format!("{others}{last}, in {}", counted(self.places, "place")))
    }

    /// Whether a text, which may be JSON, has personal data.
    pub(crate) fn finds(&self, text: &str) -> bool {
        let mut finder = Redactor { patterns: self.patterns.clone(), ..Redactor::default() };
        finder.value(&mut serde_json::from_str(text).unwrap_or_else(|_| json!(text)), "");
        finder.places > 0 || finder.fault.is_some()
    }

    /// Finds the values in cases, and replaces them.
    ///
    /// # Errors
    /// If a pattern exceeds its limits, so values may stay.
    pub(super) fn redact(&mut self, cases: &mut Cases) -> Result<(), ImportError> {
        // What is joined to a value may be found after the value is replaced.
        for pass in 0..if self.replaces { 3 } else { 1 } {
            self.has_seen = pass > 0;
            self.places = if pass < 2 { 0 } else { self.places };
            let skipped = cases.skipped.iter_mut().flat_map(|(place, why)| [place, why]);
            let of_file = cases.left_out.iter_mut().chain(&mut cases.name).chain(&mut cases.description).chain(skipped);
            of_file.for_each(|text| self.text(text, "", false));
            cases.drafts.iter_mut().for_each(|draft| self.draft(draft));
        }
        let fault = self.fault.take().filter(|_| self.replaces);
        fault.map_or(Ok(()), |fault| Err(ImportError(fault)))
    }

    fn draft(&mut self, draft: &mut Draft) {
        let expects = &mut draft.expects;
        let phrases = expects.says.iter_mut().flatten().chain(&mut expects.says_none).chain(&mut expects.sources);
        let own = [&mut draft.prompt, &mut draft.response, &mut draft.id, &mut draft.category].into_iter().flatten();
        let notes = draft.left_out.iter_mut().chain([&mut draft.place]);
        own.chain(phrases).chain(&mut draft.setup_prompts).chain(notes).for_each(|text| self.text(text, "", false));
        let patterns = expects.matches.iter_mut().chain(&mut expects.matches_none);
        patterns.for_each(|text| self.text(text, "", true));
        for call in draft.calls.iter_mut().flatten() {
            let output = call.result.iter_mut().map(|(output, _)| output);
            [&mut call.input].into_iter().chain(output).for_each(|value| self.value(value, ""));
        }
        for entry in &mut expects.numbers {
            let label = |entry: &Value| equal_number(entry["label"].as_str().unwrap_or_default());
            let is_equal = entry["regex"] == label(entry);
            self.value(entry, "");
            if is_equal {
                entry["regex"] = json!(label(entry));
            }
        }
    }

    /// Replaces values in the texts and numbers of JSON, whose key is `name`.
    fn value(&mut self, value: &mut Value, name: &str) {
        match value {
            Value::String(text) => self.text(text, name, false),
            Value::Number(number) if !number.is_f64() => {
                let mut text = number.to_string();
                self.text(&mut text, name, false);
                if text != number.to_string() {
                    let digits = text.replace(['+', ' '], "");
                    *value = digits.parse::<u64>().map_or_else(|_| json!(text), |number| json!(number));
                }
            }
            Value::Array(list) => list.iter_mut().for_each(|value| self.value(value, name)),
            Value::Object(object) => {
                let members = std::mem::take(object).into_iter().map(|(mut key, mut value)| {
                    self.value(&mut value, &key);
                    self.text(&mut key, "", false);
                    (key, value)
                });
                *object = members.collect();
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Replaces values in a text, whose key is `name`. In a pattern, values and stand-ins are escaped.
    fn text(&mut self, text: &mut String, name: &str, is_pattern: bool) {
        let (mut replaced, mut done) = (String::new(), 0);
        for Found { kind, key, span, .. } in self.found(text, name, is_pattern) {
            self.places += 1;
            let stand_in = self.values.entry((kind, key)).or_default();
            if !self.has_seen {
                continue;
            }
            let given = &mut self.given[kind as usize];
            let stand_in = stand_in.get_or_insert_with(|| {
                loop {
                    *given += 1;
                    let stand_in = kind.stand_in(*given);
                    if !self.taken.contains(&kind.key(&stand_in).unwrap_or_default().to_lowercase()) {
                        return stand_in;
                    }
                }
            });
            replaced.push_str(&text[done..span.start]);
            replaced.push_str(&if is_pattern { escape(stand_in) } else { stand_in.clone() });
            done = span.end;
        }
        if done > 0 {
            *text = replaced + &text[done..];
        }
    }

    /// The values in a text, in order and without overlaps.
    fn found(&mut self, text: &str, name: &str, is_pattern: bool) -> Vec<Found> {
        let has_name = !name.is_empty() && name.len() <= LONGEST_NAME;
        let name = if has_name { snake(name).replace('_', " ") + " " } else { String::new() };
        let (view, places) = unescaped(&name, text);
        let place = |span: Range<usize>| places[span.start]..places[span.end];
        let is_known = |key: &str| self.has_seen && self.values.contains_key(&(Kind::Phone, key.to_owned()));
        let mut all = find(&view, is_known);
        all.retain_mut(|found| {
            let is_of_text = found.span.start >= name.len();
            found.span = place(found.span.clone());
            is_of_text
        });
        let (budget, mut start) = (Budget::default(), 0);
        for line in if is_pattern { &view[name.len()..] } else { text }.split_inclusive('\n') {
            for pattern in &self.patterns {
                for span in pattern.matches(line.trim_end_matches(['\n', '\r']), &budget) {
                    let Ok(span) = span.inspect_err(|error| {
                        self.fault = Some(format!("`{}` of `[redact]`: {error}", visible_text(pattern.source())));
                    }) else {
                        break;
                    };
                    let (key, span) = (line[span.range()].to_lowercase(), start + span.start..start + span.end);
                    all.push(Found::new(Kind::Pattern, key, if is_pattern { place(span) } else { span }));
                }
            }
            start += line.len();
        }
        all.sort_by_key(|found| (found.span.start, Reverse(found.span.end)));
        let mut joined: Vec<Found> = Vec::new();
        for found in all {
            match joined.last_mut().filter(|last| found.span.start < last.span.end) {
                Some(last) => last.join(found, text),
                None => joined.push(found),
            }
        }
        self.taken.extend(joined.iter().filter(|found| found.is_reserved).map(|found| found.key.to_lowercase()));
        joined.retain(|found| !found.is_reserved);
        joined
    }
}

/// The longest key that shows what its text is, in bytes.
const LONGEST_NAME: usize = 64;

/// The text behind `name`, with signs and spaces for what a backslash escapes; and for each byte of it the place in the text.
fn unescaped(name: &str, text: &str) -> (String, Vec<usize>) {
    let (mut view, mut places) = (name.to_owned(), vec![0; name.len()]);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let is_escaped =
            |next: char| c == '\\' && (next == ' ' || next.is_ascii_punctuation() || "bnrt".contains(next));
        view.push(match chars.next_if(|(_, next)| is_escaped(*next)) {
            Some((_, letter)) if letter.is_alphabetic() => ' ',
            Some((_, sign)) => sign,
            None => c,
        });
        places.resize(view.len(), at);
    }
    places.push(text.len());
    (view, places)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use proptest::prelude::*;

    use super::*;
    use crate::import::draft::Call;
    use crate::import::{Columns, Source, Syntax, import};

    /// The texts, redacted together, and the redactor.
    fn redacted(texts: &[&str], patterns: &[&str]) -> (Vec<String>, Redactor) {
        let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        let mut redactor = Redactor::new(&patterns, true);
        let setup_prompts = texts.iter().map(|&text| text.to_owned()).collect();
        let mut cases = Cases { drafts: vec![Draft { setup_prompts, ..Draft::default() }], ..Cases::default() };
        redactor.redact(&mut cases).unwrap();
        (cases.drafts.remove(0).setup_prompts, redactor)
    }

    /// Each text, and what becomes of it. `…` are the 36 characters of a token.
    const TEXTS: &[(&str, &str)] = &[
        ("Write to ada.marsh+shop@mail.harbour.io.", "Write to person1@example.com."),
        ("<Ada.Marsh@Harbour.IO>, ada.marsh@harbour.io", "<person1@example.com>, person1@example.com"),
        ("_ada@harbour.io_, **ada@harbour.io**", "_person1@example.com_, **person1@example.com**"),
        ("müller@straße.de", "person1@example.com"),
        ("邮箱是ada@harbour.cn。", "邮箱是person1@example.com。"),
        (
            r#"{\"mail\":\"ada@harbour.io\",\"next\":\"\nada@harbour.io\"}"#,
            r#"{\"mail\":\"person1@example.com\",\"next\":\"\nperson1@example.com\"}"#,
        ),
        (r"ada\_marsh@harbour.io ada_marsh@harbour.io", "person1@example.com person1@example.com"),
        ("https://ada:secret@harbour.io/", "https://ada:person1@example.com/"),
        ("ada@163.com", "person1@example.com"),
        ("git@github.com:harbour/shop.git", "="),
        ("ada@example.org, bob@shop.test, x@y.example", "="),
        ("npm install vue@3.4.2-beta, logo@2x.png, @harbour/ui, user@localhost", "="),
        ("a@b, 5 @ 3.50, @ada", "="),
        ("+49 170 5550123", "+12015550100"),
        ("Call +49 (0)170 5550123 or +491705550123.", "Call +12015550100 or +12015550100."),
        ("0049 170 5550123 and +49-170-5550123", "+12015550100 and +12015550100"),
        ("+33 6 12 34 56 78", "+12015550100"),
        ("+44 20 7946 0958 2 adults", "+12015550100 2 adults"),
        ("+49 170 5550123 10:30", "+12015550100 10:30"),
        ("+49 170 5550123 2026-11-30", "+12015550100 2026-11-30"),
        ("tel:+12125550187", "="),
        (
            "(212) 736-5000, 212-736-5000, 212.736.5000, 1-212-736-5000, +1 212 736 5000",
            "+12015550100, +12015550100, +12015550100, +12015550100, +12015550100",
        ),
        ("212\u{2011}736\u{2011}5000", "+12015550100"),
        ("phone: 0170 5550123", "phone: +12015550100"),
        (
            "My phone number is 2127365000. Is 2127365000 right?",
            "My phone number is +12015550100. Is +12015550100 right?",
        ),
        ("Telefon 030/5550123", "Telefon +12015550100"),
        ("Order 2127365000", "="),
        ("phone: 2026-11-30 10:30", "="),
        ("phone 12999.00 EUR, mobile 1 299 000, phone 15.1.2", "="),
        ("mobile 192.168.100.200", "="),
        ("the phone costs 1204500000", "="),
        ("2026-11-30, 30.11.2026, 11/30/2026, 30-11-2026 10:30", "="),
        ("2026-11-30T10:15:30.123456+10:00, 20261130T101530Z, 1764480000, 1764480000000", "="),
        ("Mon Nov 30 06:40:00 +1000 2026", "="),
        ("€1,204.50, $12,345,678.90, 1 204 500,00, +12,345,678, +15 000 000", "="),
        ("10.0.12.255, 192.168.100.200:8080, fe80::1ff:fe23:4567:890a", "="),
        ("123e4567-e89b-12d3-a456-426614174000", "="),
        ("40128888-8888-1881-4012-888888881881", "="),
        ("v1.20.300.4000, 114.0.5735.199, build 212.736.5000.1", "="),
        ("111-1234567-1234567, PNR X7K2QP, #212-736-5000, INV-2026-000123", "="),
        ("/jobs/212-736-5000, 212-736-5000-12, 3212-736-50001", "="),
        ("SSN-like 123-45-6789, ISBN 978-3-16-148410-0", "="),
        ("2+15551234567 and 212 736 5000", "="),
        ("4012888888881881", "4000000000000010"),
        ("4012 8888 8888 1881, 4012-8888-8888-1881", "4000000000000010, 4000000000000010"),
        ("card 371449635398431 12/27", "card 4000000000000010 12/27"),
        ("3714 496353 98431", "4000000000000010"),
        ("2024 4012 8888 8888 1881 12/27", "2024 4000000000000010 12/27"),
        ("5105105105105100/1227", "4000000000000010/1227"),
        ("4012888888881882, 1012888888881881", "="),
        ("4242 4242 4242 4242, 5555555555554444, 0000000000000000", "="),
        ("4012888888881881.00, x4012888888881881, 40128888888818810000", "="),
        ("4006381333931", "="),
        ("DE89 3704 0044 0532 0130 00", "XX00TEST00000001"),
        ("IBAN DE89370400440532013000, GB82 WEST 1234 5698 7654 32 OK", "IBAN XX00TEST00000001, XX00TEST00000002 OK"),
        ("RF18539007547034", "="),
        ("DE88 3704 0044 0532 0130 00, AB12CDEF34567890", "="),
        ("key sk-proj-…", "key TOKEN-1"),
        ("ghp_… github_pat_…", "TOKEN-1 TOKEN-2"),
        ("xoxb-1234567890-abc, AKIAZ7Q2WXN4P5TR6YUE", "TOKEN-1, TOKEN-2"),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl", "TOKEN-1"),
        ("Authorization: Bearer …; key=AIza…", "Authorization: Bearer TOKEN-1; key=TOKEN-2"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIB1\n-----END RSA PRIVATE KEY-----\nBye", "TOKEN-1\nBye"),
        ("-----BEGIN PRIVATE KEY-----\nProc-Type: 4\nMIIB1", "TOKEN-1"),
        ("sk-learn-based-classifier-of-text, Bearer authentication-is-needed", "="),
        ("the Bearer token, ask-me, eyJ.a.b, ghp_short, commit 9fceb02d0ae598e95dc970b74767f19372d61af8", "="),
        ("I am CU-004217, and CU-004217 is not CU-9.", "I am REDACTED-1, and REDACTED-1 is not CU-9."),
        ("ADA MARSH, Ada Marsh", "REDACTED-1, REDACTED-1"),
        ("ada marsh@harbour.io", "person1@example.com"),
        ("cu-000001@harbour.io", "person1@example.com"),
        ("person1@example.com wrote to ada@harbour.io", "person1@example.com wrote to person2@example.com"),
        ("REDACTED-1 is not CU-004217, TOKEN-1 is not ghp_…", "REDACTED-1 is not REDACTED-2, TOKEN-1 is not TOKEN-2"),
        ("+12015550100 is not (212) 736-5000", "+12015550100 is not +12015550101"),
    ];

    const PATTERNS: &[&str] = &[r"\bCU-\d{6}\b", r"\bAda Marsh\b"];

    #[test]
    fn personal_data_is_replaced_and_nothing_else() {
        let mut faults = Vec::new();
        for (text, wanted) in TEXTS {
            let token = "aB3dE5gH7jK9mN1pQ2sT4uV6xY8zA0cD2f5";
            let text = text.replace('…', token);
            let wanted = if *wanted == "=" { text.clone() } else { wanted.replace('…', token) };
            let (found, redactor) = redacted(&[&text], PATTERNS);
            if found != [wanted.clone()] || redactor.summary().is_some() != (wanted != text) {
                faults.push(format!("{text}\n  {}\n  {wanted}", found[0]));
            }
            if redacted(&[&wanted], PATTERNS).0 != [wanted.clone()] {
                faults.push(format!("again: {wanted}"));
            }
        }
        assert!(TEXTS.len() >= 60 && faults.is_empty(), "{}", faults.join("\n"));
    }

    #[test]
    fn a_value_has_one_stand_in_everywhere() {
        let draft = Draft {
            id: Some("ada@harbour.io".to_owned()),
            prompt: Some("I am ada@harbour.io, +49 170 5550123, card 4012 8888 8888 1881.".to_owned()),
            response: Some("Is 01705550123 right, Ada@Harbour.io?".to_owned()),
            calls: Some(vec![Call {
                tool: "save".to_owned(),
                input: json!({ "customerPhone": ["01705550123"], "phone": 12127365000_u64, "id": 2_127_365_001, "card": 4012888888881881_u64,
                    "ada@harbour.io": { "price": 12.5, "customer": 4217 } }),
                result: Some((json!({ "mail": "ada@harbour.io" }), Some(false))),
            }]),
            ..Draft::default()
        };
        let mut cases = Cases { drafts: vec![draft], ..Cases::default() };
        let draft = &mut cases.drafts[0];
        draft.says_one_of(vec!["(212) 736-5000".to_owned(), "ada@harbour.io".to_owned()]);
        draft.says_exactly(
            vec!["ada@harbour.io".to_owned(), "+49 170 5550123".to_owned(), "01705550123".to_owned()],
            true,
        );
        draft.has_number("4012888888881881");
        draft.has_number("1204.50");
        let mut redactor = Redactor::new(&["4217".to_owned()], true);
        redactor.redact(&mut cases).unwrap();
        let draft = &cases.drafts[0];
        assert_eq!(draft.id.as_deref(), Some("person1@example.com"));
        assert_eq!(draft.prompt.as_deref(), Some("I am person1@example.com, +12015550100, card 4000000000000010."));
        assert_eq!(draft.response.as_deref(), Some("Is +12015550101 right, person1@example.com?"));
        let data = json!({ "customerPhone": ["+12015550101"], "phone": 12015550102_u64, "id": 2_127_365_001,
            "card": 4000000000000010_u64, "person1@example.com": { "price": 12.5, "customer": "REDACTED-1" } });
        let result = Some((json!({ "mail": "person1@example.com" }), Some(false)));
        assert_eq!(draft.calls, Some(vec![Call { tool: "save".to_owned(), input: data, result }]));
        assert_eq!(draft.expects.says, [["+12015550102", "person1@example.com"]]);
        assert_eq!(draft.expects.matches, [r"(?-i)(?:person1@example\.com|\+12015550100|\+12015550101)"]);
        let number = |number: &str| json!({ "label": number, "regex": equal_number(number) });
        assert_eq!(draft.expects.numbers, [number("4000000000000010"), number("1204.50")]);
        assert_eq!(
            redactor.summary().unwrap(),
            "1 e-mail address, 3 phone numbers, 1 card number and 1 match of `[redact] patterns`, in 18 places"
        );
    }

    #[test]
    fn many_values_have_as_many_stand_ins() {
        let mails: Vec<String> =
            (0..3000).map(|number| format!("p{number}@harbour.io, (212) 736-{number:04}")).collect();
        let texts: Vec<&str> = mails.iter().map(String::as_str).collect();
        let (once, redactor) = redacted(&texts, &[]);
        assert_eq!(once.iter().collect::<HashSet<_>>().len(), 3000);
        assert_eq!((&*once[2999], redactor.places), ("person3000@example.com, +12305550199", 6000));
        let texts: Vec<&str> = once.iter().map(String::as_str).collect();
        assert_eq!(redacted(&texts, &[]).0, once);
    }

    #[test]
    fn without_the_option_texts_stay() {
        let text = r#"[{ "prompt": "I am ada@harbour.io.", "must_contain": ["ada@harbour.io"] }]"#;
        let source = Source { name: "q", text, syntax: Syntax::Json, files: &|_| Err(String::new()) };
        let mut redactor = Redactor::new(&[], false);
        let imported =
            import("suite", &[source], &Columns::default(), &Default::default(), None, &mut redactor).unwrap();
        assert_eq!(imported.suite["cases"][0]["prompt"], "I am ada@harbour.io.");
        assert_eq!(redactor.summary().unwrap(), "1 e-mail address, in 2 places");
        assert!(redactor.finds(text) && !redactor.finds(r#"{"a": "person1@example.com"}"#));
    }

    #[test]
    fn a_pattern_that_exceeds_its_limits_is_an_error() {
        let mut redactor = Redactor::new(&["(a+)+$".to_owned()], true);
        let mut cases = Cases { name: Some("a".repeat(60) + "b"), ..Cases::default() };
        let fault = redactor.redact(&mut cases).unwrap_err().to_string();
        assert!(fault.starts_with("`(a+)+$` of `[redact]`: the pattern exceeded its match limit"), "{fault}");
    }

    #[test]
    fn long_texts_take_linear_time() {
        let units = [
            "a",
            "1",
            "1 ",
            "1-",
            "(1)",
            "+1",
            "+49 170 ",
            "00",
            "001 ",
            " ",
            "@",
            "a@",
            "a@b.",
            "a.",
            "-",
            "\\",
            "\\n",
            "eyJabcdefghi.",
            "sk-",
            "bearer ",
            "-----BEGIN PRIVATE KEY-----",
            "phone",
            "phone ",
            "phone:1 ",
            "AB12",
            "AB12 CD34 ",
            "4012 8888 ",
            "4012-",
            "212-736-",
            "(212) 736-5000 ",
            "ada@harbour.io ",
            "é",
            "1é",
            "@1.",
        ];
        for unit in units {
            let text = format!("(212) 736-5000 {}", unit.repeat(100_000 / unit.len()));
            let start = Instant::now();
            redacted(&[&text], PATTERNS);
            // Quadratic time would be minutes.
            assert!(start.elapsed().as_secs() < 20, "{unit:?}: {:?}", start.elapsed());
        }
    }

    proptest! {
        #[test]
        fn a_redacted_text_stays(parts in prop::collection::vec(
            prop_oneof![
                3 => (0..TEXTS.len()).prop_map(|at| TEXTS[at].0.to_owned()),
                2 => r"[ .,:;/@+()\\n-]{1,2}",
                1 => r"[0-9]{1,5}",
                1 => r"[a-zA-Zé电]{1,5}",
                1 => prop::sample::select(vec!["phone ", "Bearer ", "person2@example.com", "TOKEN-1", "REDACTED-3", "+12015550101"]).prop_map(str::to_owned),
            ], 0..12)
        ) {
            let text = parts.concat().replace('…', "aB3dE5gH7jK9mN1pQ2sT4uV6xY8zA0cD2f5");
            let once = redacted(&[&text], PATTERNS).0;
            prop_assert_eq!(&redacted(&[&once[0]], PATTERNS).0, &once, "{}", text);
        }
    }
}
