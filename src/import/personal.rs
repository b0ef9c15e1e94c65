//! Personal data in a text: e-mail addresses, numbers of phones, cards and accounts, and tokens; and its stand-ins.
//!
//! What may be another thing, such as a price or an order number, is not found.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::text::is_stand_in;

/// A kind of personal data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Email,
    Phone,
    Card,
    Account,
    Token,
    /// What a pattern of `[redact]` matches.
    Pattern,
}

impl Kind {
    pub(super) const ALL: [Kind; 6] = [Kind::Email, Kind::Phone, Kind::Card, Kind::Account, Kind::Token, Kind::Pattern];

    /// How many there are: `1 token`.
    pub(super) fn counted(self, count: usize) -> String {
        let (one, several) = match self {
            Kind::Email => ("e-mail address", "e-mail addresses"),
            Kind::Phone => ("phone number", "phone numbers"),
            Kind::Card => ("card number", "card numbers"),
            Kind::Account => ("account number", "account numbers"),
            Kind::Token => ("token", "tokens"),
            Kind::Pattern => ("match of `[redact] patterns`", "matches of `[redact] patterns`"),
        };
        format!("{count} {}", if count == 1 { one } else { several })
    }

    /// The stand-in with that number, from 1. It looks like its kind and is plainly not real: its domain is reserved for examples, its
    /// phone number for fiction, and its card number for tests.
    pub(super) fn stand_in(self, number: usize) -> String {
        match self {
            Kind::Email => format!("person{number}@example.com"),
            Kind::Phone => format!("+1{}55501{:02}", 201 + (number - 1) / 100, (number - 1) % 100),
            Kind::Card => {
                let digits = format!("40000000{number:07}");
                (0..10).map(|check| format!("{digits}{check}")).find(|card| has_check_digit(card)).unwrap_or(digits)
            }
            Kind::Account => format!("XX00TEST{number:08}"),
            Kind::Token => format!("TOKEN-{number}"),
            Kind::Pattern => format!("REDACTED-{number}"),
        }
    }

    /// What a value is compared by: the same for each way to write it. `None` if the text is not a value of this kind.
    pub(super) fn key(self, text: &str) -> Option<String> {
        let letters = || text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        match self {
            // The name of a picture is `logo@2x.png`.
            Kind::Email => Some(text.to_lowercase()).filter(|it| !it.starts_with("git@") && !it.contains("@2x.")),
            Kind::Phone => phone(&text.replace("(0)", "")),
            Kind::Card => Some(letters()).filter(|digits| is_card(digits)),
            Kind::Account => Some(letters()).filter(|letters| is_account(letters)),
            Kind::Token => Some(text.to_owned()).filter(|it| it.contains(|c: char| c.is_ascii_digit())),
            Kind::Pattern => Some(text.to_lowercase()),
        }
    }

    /// Whether the text around a value shows that it is whole.
    fn is_whole(self, view: &str, value: Range<usize>) -> bool {
        // Signs that join what is before a value to it, and signs that join a digit behind it.
        let (before, behind) = match self {
            Kind::Email => return true,
            Kind::Phone => ("-./+#$€£@", ".:-/"),
            Kind::Card => ("-./+#$€£@", ".-"),
            Kind::Token => (".", ""),
            Kind::Account | Kind::Pattern => ("", ""),
        };
        // Scripts without spaces between words have no letters here.
        let is_letter = |c: char| c == '_' || c.is_alphanumeric() && c < '\u{250}';
        let mut after = view[value.end..].chars();
        let (last, next, digit) = (view[..value.start].chars().next_back(), after.next(), after.next());
        let continues = next.is_some_and(|sign| behind.contains(sign)) && digit.is_some_and(|c| c.is_ascii_digit());
        !last.is_some_and(|c| is_letter(c) || before.contains(c)) && !next.is_some_and(is_letter) && !continues
    }
}

/// How values are found. The first group of a pattern is the value, if there is one; `GAP` is what may be between two digits. A match of
/// digits has a limited length.
const RULES: [(Kind, &str); 13] = [
    (Kind::Email, r"([\p{Latin}\d][\p{Latin}\d._+-]*@(?:[\p{Latin}\d-]+\.)+\p{Latin}{2,})(?:[^\p{Latin}\d@]|$)"),
    (Kind::Token, r"-----BEGIN[ A-Z]*PRIVATE KEY-----(?:[^-]|-[^-])*(?:-----END[ A-Z]*PRIVATE KEY-----)?"),
    (Kind::Token, r"(?:[sr]k[-_]|gh[opsur]_|github_pat_|glpat-)[A-Za-z0-9_-]{20,}|xox[a-z]-[A-Za-z0-9-]{10,}"),
    (Kind::Token, r"A[KS]IA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{35}|(?:TOKEN|REDACTED)-\d+"),
    (Kind::Token, r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
    (Kind::Token, r"(?i:bearer)[ +]+([A-Za-z0-9._~+/-]{16,}=*)"),
    (Kind::Account, r"[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?"),
    (Kind::Card, r"\d{4}[ -]?\d{4,6}[ -]?\d{4,5}(?:[ -]?\d{1,7})?"),
    (Kind::Phone, r"\+[1-9](?:GAP\d){7,14}"),
    (Kind::Phone, r"(?:^|[^\d\s])\s*(00[1-9]\d{1,2}[-./ (](?:GAP\d){6,12})"),
    (Kind::Phone, r"(?:1[-. ])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[-.\x{2011}])[2-9]\d\d[-. \x{2011}]\d{4}"),
    (
        Kind::Phone,
        r"(?i)\b(?:tel(?:ephone|efon)?|phone|mobile?|cell(?:phone)?|fax|whatsapp)(?:[ .:#=]|number|no\b|nr\b|is\b){1,9}(\(?\d(?:GAP\d){7,14})",
    ),
    // Only numbers that were found elsewhere.
    (Kind::Phone, r"\(?\d(?:GAP\d){7,14}"),
];

const GAP: &str = r"(?:[-./ \x{a0}\x{2011}]?\(?|\)[-./ \x{a0}\x{2011}]?)";

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a fixed pattern compiles")
}

/// A value in a text.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) kind: Kind,
    pub(super) key: String,
    /// Its bytes.
    pub(super) span: Range<usize>,
    /// Whether it is not one of a person: a stand-in, or reserved for examples.
    pub(super) is_reserved: bool,
}

impl Found {
    pub(super) fn new(kind: Kind, key: String, span: Range<usize>) -> Found {
        static DOMAINS: LazyLock<Regex> =
            LazyLock::new(|| regex(r"[@.](?:example(?:\.com|\.net|\.org)?|test|invalid|localhost)$"));
        let is_reserved = kind != Kind::Pattern && (is_stand_in(&key) || DOMAINS.is_match(&key));
        Found { is_reserved, kind, key, span }
    }

    /// Joins a value that overlaps it in the text. The longer one counts, and a stand-in is not a part of another value.
    pub(super) fn join(&mut self, other: Found, text: &str) {
        let span = self.span.start..self.span.end.max(other.span.end);
        if other.is_reserved || !self.is_reserved && other.span.len() > self.span.len() {
            *self = other;
        }
        if !self.is_reserved && self.span != span {
            self.key = text[span.clone()].to_owned();
            self.span = span;
        }
    }
}

/// The values in a text, which may overlap. `is_known` is whether a phone number was found elsewhere, by its key.
pub(super) fn find(text: &str, is_known: impl Fn(&str) -> bool) -> Vec<Found> {
    static COMPILED: LazyLock<Vec<Regex>> =
        LazyLock::new(|| RULES.iter().map(|(_, pattern)| regex(&pattern.replace("GAP", GAP))).collect());
    let mut all = Vec::new();
    for (at, (rule, (kind, _))) in COMPILED.iter().zip(RULES).enumerate() {
        let counts = |key: &str| at + 1 < RULES.len() || is_known(key);
        let mut from = 0;
        while let Some(groups) = rule.captures_at(text, from) {
            let whole = groups.get_match();
            let found = longest(kind, text, groups.get(1).unwrap_or(whole).range(), counts);
            let next = whole.as_str().find(' ').map_or(whole.end(), |space| whole.start() + space + 1);
            from = found.as_ref().map_or(next, |found| found.span.end);
            all.extend(found);
        }
    }
    all
}

/// The longest value at the start of a match: numbers may follow a number.
fn longest(kind: Kind, text: &str, match_: Range<usize>, counts: impl Fn(&str) -> bool) -> Option<Found> {
    let Range { start, mut end } = match_;
    loop {
        let value = &text[start..end];
        if let Some(key) = kind.key(value).filter(|key| kind.is_whole(text, start..end) && counts(key)) {
            return Some(Found::new(kind, key, start..end));
        }
        let is_of_digits = matches!(kind, Kind::Phone | Kind::Card | Kind::Account);
        let gap = value.rfind(|c: char| !c.is_alphanumeric()).filter(|_| is_of_digits)?;
        end = start + value[..gap].trim_end_matches(|c: char| !c.is_alphanumeric()).len();
    }
}

/// The digits of a phone number, with those of its country if they are known.
fn phone(text: &str) -> Option<String> {
    let abroad = text.strip_prefix('+').or_else(|| text.strip_prefix("00"));
    let groups = abroad.unwrap_or(text).split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty());
    let groups: Vec<&str> = groups.collect();
    let (digits, lengths) = (groups.concat(), groups.iter().map(|group| group.len()).collect::<Vec<_>>());
    let (last, others) = groups.split_last()?;
    // Another number after it, or thousands.
    let has_other = digits.len() - last.len() >= 11 && others.last().is_some_and(|group| group.len() >= 4);
    if !others.is_empty() && (has_other || last.len() == 1 || *last == "000") {
        return None;
    }
    let is_american = |digits: &str| digits.len() == 10 && [0, 3].iter().all(|at| digits.as_bytes()[*at] >= b'2');
    let is_phone = match abroad {
        Some(_) if digits.starts_with('1') => is_american(&digits[1..]),
        Some(_) => (if others.is_empty() { 10..=15 } else { 9..=15 }).contains(&digits.len()),
        None => {
            let is_date = matches!(lengths[..], [4, 2, 2, ..] | [2, 2, 4, ..]);
            let is_decimal = text.contains('.') && matches!(lengths[..], [_, _, _, _] | [_, 1 | 2]);
            (8..=13).contains(&digits.len()) && !is_date && !is_decimal
        }
    };
    let country = if abroad.is_none() && is_american(&digits) { "1" } else { "" };
    is_phone.then(|| format!("{country}{digits}"))
}

/// Whether digits are the number of a card: as many as its issuer gives, with a check digit. A number of two digits, such as
/// 4242 4242 4242 4242, is a placeholder. Cards with 13 digits are not issued any more, and barcodes have as many.
fn is_card(digits: &str) -> bool {
    static ISSUED: LazyLock<Regex> = LazyLock::new(|| {
        let long = r"4\d{15}(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|35\d{14}|6(?:011|[245]\d\d)\d{12,15}";
        regex(&format!(r"^(?:{long}|3[47]\d{{13}}|3[0689]\d{{12}})$"))
    });
    ISSUED.is_match(digits) && has_check_digit(digits) && digits.bytes().collect::<HashSet<_>>().len() > 2
}

/// Whether the last digit is the check digit of the others (Luhn).
fn has_check_digit(digits: &str) -> bool {
    let values = digits.bytes().rev().enumerate().map(|(at, digit)| usize::from(digit - b'0') << (at % 2));
    values.map(|value| value / 10 + value % 10).sum::<usize>().is_multiple_of(10)
}

/// Whether letters and digits are an IBAN with the right check digits, or a stand-in.
fn is_account(letters: &str) -> bool {
    let turned = letters[4..].chars().chain(letters[..4].chars()).filter_map(|c| c.to_digit(36));
    let rest = turned.fold(0, |rest, value| (rest * if value < 10 { 10 } else { 100 } + value) % 97);
    match &letters[..2] {
        "XX" => letters.len() == 16 && letters.starts_with("XX00TEST"),
        // The reference of an invoice, with check digits of the same kind.
        "RF" => false,
        _ => rest == 1 && (15..=34).contains(&letters.len()),
    }
}
