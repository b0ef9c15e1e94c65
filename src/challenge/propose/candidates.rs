//! What an answer and its telemetry suggest to check, in a fixed order, and which of these candidates
//! are enough.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::checks::{called_tools, ended_tools};
use crate::config::Config;
use crate::pattern::{self, Budget, compile_cached, escape};
use crate::suite::{BUILT_IN_SOURCES, Case, List, source_phrases};
use crate::syntax::encode;
use crate::text::{fold, is_stand_in};
use crate::transcript::{Event, Transcript};

use super::super::answers::Surroundings;
use super::super::judge::is_snapshot;
use super::super::rewrites::thousands;
use super::Candidate;

/// The signs of money, which may separate the minus sign of a number from its digits.
const MONEY: [char; 3] = ['$', '€', '£'];
const MINUS: [char; 2] = ['-', '−'];

/// How much of an answer is read, in bytes. Its first part shows what it is about, and each candidate costs a trial.
const MOST_READ: usize = 16 << 10;
/// The most candidates of each kind. Each is judged with all challenges and rewrites, which takes about a millisecond.
const MOST_OF_A_KIND: usize = 16;

/// The tools of an answer and how they ended; empty if it called none.
pub(super) fn of_tools(answer: &Transcript) -> Vec<Candidate> {
    let called = called_tools(answer);
    let (succeeded, failed) = (ended_tools(answer, true), ended_tools(answer, false));
    let (outcome, tools) = match (&succeeded[..], &failed[..]) {
        ([], []) if called.is_empty() => return Vec::new(),
        ([], []) => ("tool_started", called),
        ([], _) => ("graceful_error", failed),
        (..) => ("tool_success", succeeded),
    };
    // Several tools are alternatives: each may be a way to the same end.
    let tools = tools.into_iter().map(|tool| Candidate {
        key: "tool_calls_any",
        entry: encode(&tool),
        id: "tool_calls_any".to_owned(),
        words: String::new(),
        cost: 0,
    });
    let id = format!("outcome:{outcome}");
    let outcome = Candidate { key: "outcome", entry: encode(outcome), id, words: String::new(), cost: 0 };
    tools.chain([outcome]).collect()
}

/// What the text of an answer suggests: numbers with a word beside them, sources, phrases.
pub(super) fn candidates(
    case: &Case,
    answer: &Transcript,
    around: &Surroundings<'_>,
    config: &Config,
) -> Vec<Candidate> {
    let end = answer.response.floor_char_boundary(MOST_READ.min(answer.response.len()));
    let text = AnswerText::new(&answer.response[..end], case, around);
    let mut found = Vec::new();
    for of_kind in [text.numbers(), text.sources(config), text.phrases(), text.facts(answer)] {
        found.extend(of_kind.into_iter().take(MOST_OF_A_KIND));
    }
    found
}

/// The first three steps of an answer that is a procedure; empty if it is none.
pub(super) fn steps(answer: &str) -> Vec<&str> {
    let is_number = |mark: &str| mark.strip_suffix(['.', ')']).is_some_and(|it| it.parse::<u32>().is_ok());
    let is_step = |line: &&str| line.trim_start().split_once(' ').is_some_and(|(mark, _)| is_number(mark));
    let steps: Vec<&str> = answer.lines().filter(is_step).take(3).collect();
    if steps.len() == 3 { steps } else { Vec::new() }
}

/// The id of the pattern with the words of a phrase.
pub(super) fn of_phrase(phrase: &Candidate) -> String {
    of_pattern(&whole(&phrase.words), &phrase.words, 0).id
}

fn of_pattern(pattern: &str, words: &str, cost: usize) -> Candidate {
    let id = format!("format:must_match_regex:{pattern}");
    Candidate { key: "must_match_regex", entry: encode(pattern), id, words: words.to_owned(), cost }
}

fn whole(phrase: &str) -> String {
    format!(r"\b{}\b", escape(phrase))
}

/// The most facts of an answer that are checked each. With more, a right answer in other words fails.
const MOST_FACTS: usize = 3;

/// The cost of a fact: it is taken because it is one, and not because it notices much.
pub(super) const FACT: usize = 9;

/// A word that denies or reports a failure: in English, German, French and Spanish.
const DENIAL: &str = r"\b(?:not|no(?! problem| worries)|none|never|cannot|unable|fail\w*|nicht|nein|kein\w*|non|pas|impossible|nunca)\b|n['’]t\b";

/// The forms of a number that are compared: without its sign, separators of thousands, and zeros at the start and the end; of a time the
/// hours and minutes.
fn plain_numbers(number: &str) -> impl Iterator<Item = String> {
    let number = number.trim_start_matches(MINUS).trim_start_matches(MONEY);
    let number = number.trim_matches(['.', ',', ':']).replace(',', "");
    let number = number.trim_start_matches('0').to_owned();
    let is_decimal = number.contains('.') && !number.contains(':');
    let minutes = number.match_indices(':').nth(1).map(|(at, _)| number[..at].to_owned());
    let plain = if is_decimal { number.trim_end_matches('0').trim_end_matches('.').to_owned() } else { number };
    [Some(plain), minutes].into_iter().flatten().filter(|number| !number.is_empty())
}

/// English words that are in most answers, so they tell none of them from others.
const COMMON: &str = "about above after again also although and another any are because been before below both but can could did does done \
    each either else even every few for from had has have here how into its just let like many may might more most much must near need \
    next not now off once one only other our out over own per please same shall should since some still such than that the their them then \
    there these they this those through too two under until upon very was well were what when where which while who why will with within \
    without would yes you your yours";

fn is_common(word: &str) -> bool {
    let word = fold(word);
    COMMON.split(' ').any(|common| common == word)
}

/// The words of an answer, and those that prove nothing.
struct AnswerText<'a> {
    lines: Vec<Vec<Word<'a>>>,
    response: &'a str,
    case: &'a Case,
    /// The prompts, folded.
    prompt: String,
    /// The words of the prompts, folded.
    known: BTreeSet<String>,
    /// Other answers, folded.
    others: String,
}

/// A word of a line, without the marks around it.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    /// Whether a mark after it ends a phrase.
    ends: bool,
}

impl<'a> AnswerText<'a> {
    fn new(response: &'a str, case: &'a Case, around: &Surroundings<'_>) -> AnswerText<'a> {
        let setup = case.setup_prompts.iter().flat_map(List::entries).map(|prompt| prompt.value.as_str());
        let prompts = setup.chain(case.prompt.iter().map(|prompt| prompt.value.as_str()));
        let prompt = fold(&prompts.collect::<Vec<_>>().join("\n")).into_owned();
        let others = around.others.iter().map(|other| other.response.as_str());
        let others = fold(&others.collect::<Vec<_>>().join("\n")).into_owned();
        let known = prompt.split_whitespace().map(|word| fold(bare(word)).into_owned()).collect();
        let mut in_code = false;
        let lines = response.lines().filter(|line| {
            let is_fence = line.trim_start().starts_with("```");
            in_code ^= is_fence;
            !in_code && !is_fence
        });
        // Of a snapshot, only the names say something: the rest are roles and numbers of elements.
        let lines: Vec<Vec<Word<'_>>> = if is_snapshot(response) {
            lines.flat_map(|line| line.split('"').skip(1).step_by(2)).map(words).collect()
        } else {
            lines.map(words).collect()
        };
        AnswerText { lines, response, case, prompt, known, others }
    }

    /// Numbers that the prompt does not have, each with a word beside it.
    fn numbers(&self) -> Vec<Candidate> {
        let mut seen = BTreeSet::new();
        let mut labels: BTreeSet<String> = self.case.expected.numbers().map(|item| item.name().to_owned()).collect();
        let mut found = Vec::new();
        for line in &self.lines {
            for (place, word) in line.iter().enumerate() {
                let is_own = is_number(word.text) && !is_stand_in(word.text) && !self.prompt.contains(word.text);
                if !is_own || !seen.insert(word.text) {
                    continue;
                }
                let context = beside(line, place);
                let label = context.unwrap_or(word.text).to_lowercase();
                let label = if labels.contains(&label) { format!("{label} {}", word.text) } else { label };
                if !labels.insert(label.clone()) {
                    continue;
                }
                let number = format!(r"(?<![\d.,−-])(?<![−-]\p{{Sc}}){}(?![.,]?\d)", in_both_forms(word.text));
                let (regex, cost) = match context {
                    Some(context) => {
                        let named = escape(context);
                        // Three digits are seldom there by chance, and a right answer need not have the word.
                        let regex = match word.text.chars().filter(char::is_ascii_digit).count() {
                            3.. => number,
                            _ => format!(r"{number}\D{{0,40}}\b{named}\b|\b{named}\b\D{{0,40}}{number}"),
                        };
                        let cost = match self.prompt.contains(&*fold(context)) {
                            // The number of what the prompt names is what it asks for.
                            true => 0,
                            false if word.text.len() < 2 => 5,
                            false => 2,
                        };
                        (regex, cost)
                    }
                    None => (number, 4),
                };
                let id = format!("synthesis:numeric:{label}");
                let label = encode(&label);
                let entry = format!("{{ \"label\": {label}, \"regex\": {} }}", encode(&regex));
                let words = word.text.to_owned();
                found.push(Candidate { key: "must_ground_numbers", entry, id, words, cost });
            }
        }
        found
    }

    /// The sources that the answer names.
    fn sources(&self, config: &Config) -> Vec<Candidate> {
        let asked: BTreeSet<&str> = self
            .case
            .expected
            .required_sources
            .iter()
            .flat_map(List::entries)
            .map(|source| source.value.as_str())
            .collect();
        let known = config.sources.keys().map(String::as_str).chain(BUILT_IN_SOURCES.iter().map(|(name, _)| *name));
        let response = whole_words(self.response);
        let is_named = |name: &&str| {
            let defined = config.sources.get(*name).map(|source| &*source.patterns);
            let is_said = |phrase: &&str| response.contains(&whole_words(phrase));
            !asked.contains(name) && source_phrases(name, defined).iter().any(is_said)
        };
        let named = known.filter(is_named).map(|name| Candidate {
            key: "required_sources",
            entry: encode(name),
            id: format!("synthesis:required_source:{name}"),
            words: String::new(),
            cost: 3,
        });
        named.collect()
    }

    /// Phrases of up to three words that the prompt does not have: names first, then those with the longest new words. What
    /// another answer says, too, comes last: it may be as right.
    fn phrases(&self) -> Vec<Candidate> {
        let mut found: Vec<(usize, Reverse<usize>, String)> = Vec::new();
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for line in &self.lines {
            for start in 0..line.len() {
                for length in 1..=3.min(line.len() - start) {
                    let words = &line[start..start + length];
                    if words[..length - 1].iter().any(|word| word.ends)
                        || words.iter().any(|word| is_stand_in(word.text))
                    {
                        break;
                    }
                    // Long words say more than short ones.
                    let own: usize =
                        words.iter().filter(|word| self.is_own(word.text)).map(|word| word.text.len()).sum();
                    let may_end = |word: &Word<'_>| {
                        is_word(word.text) || is_code(word.text) || (own == 0 && self.is_asked(word.text))
                    };
                    let is_whole = may_end(&words[0]) && may_end(&words[length - 1]);
                    // If the answer has other marks between the words, the trial fails.
                    let phrase = words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
                    let folded = fold(&phrase);
                    if (own == 0 && length == 1) || !is_whole || self.prompt.contains(&*folded) {
                        continue;
                    }
                    let is_first = start == 0 || line[start - 1].ends;
                    let is_capitalized = words.iter().all(|word| word.text.starts_with(char::is_uppercase));
                    let is_name =
                        own > 0 && is_capitalized && (length > 1 || !is_first) || length == 1 && is_code(words[0].text);
                    // "97 is prime" answers "Is 97 a prime number?".
                    let is_restated = own == 0 && length == 3 && words.iter().any(|word| self.is_asked(word.text));
                    let shared = 2 * usize::from(self.others.contains(&*folded));
                    let cost = shared + if is_name { 1 } else { 4 - usize::from(is_restated) };
                    if seen.insert(phrase.clone()) {
                        found.push((cost, Reverse(own), phrase));
                    }
                }
            }
        }
        found.sort();
        let can_say = self.case.expected.must_say_any.as_ref().is_none_or(|list| list.value.is_empty());
        let said = found.iter().filter(|_| can_say).map(|(cost, _, phrase)| Candidate {
            key: "must_say_any",
            entry: encode(phrase),
            id: "must_say_any".to_owned(),
            words: phrase.clone(),
            cost: *cost,
        });
        let matched = found.iter().map(|(cost, _, phrase)| of_pattern(&whole(phrase), phrase, cost + 1));
        said.take(MOST_OF_A_KIND / 2).chain(matched.take(MOST_OF_A_KIND / 2)).collect()
    }

    /// The first facts: the numbers, names and codes that a tool has returned and the prompts do not have; without a result the numbers and
    /// codes. And that the answer denies something, if its first sentence does or a tool has failed.
    fn facts(&self, answer: &Transcript) -> Vec<Candidate> {
        let is_result =
            |event: &&Event| event.object().is_some_and(|event| event.get("event").is_some_and(|it| it == "result"));
        let results: Vec<_> = answer.telemetry.iter().filter(is_result).map(Event::text).collect();
        let results = results.join("\n");
        let of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ':');
        let numbers: BTreeSet<String> = results.split(|c| !of_number(c)).flat_map(plain_numbers).collect();
        let is_returned = |word: &str| {
            !is_stand_in(word)
                && match is_number(word) {
                    true => {
                        !self.prompt.contains(word)
                            && plain_numbers(word).any(|it| results.is_empty() || numbers.contains(&it))
                    }
                    false if results.is_empty() => is_code(word) && self.is_own(word),
                    false => {
                        let is_name = is_code(word) || is_word(word) && word.starts_with(char::is_uppercase);
                        is_name && !self.known.contains(&*fold(word)) && results.contains(word)
                    }
                }
        };
        let mut facts: Vec<String> = Vec::new();
        for line in &self.lines {
            let mut is_name_open = false;
            for (place, word) in line.iter().enumerate() {
                // The mark of a step is none.
                let is_mark = place == 0 && word.ends && is_number(word.text);
                let is_fact = !is_mark && is_returned(word.text);
                let is_name = is_fact && !is_number(word.text);
                let longer =
                    facts.last().filter(|_| is_name && is_name_open).map(|name| format!("{name} {}", word.text));
                match longer.filter(|name| results.contains(name.as_str())) {
                    Some(name) => _ = facts.pop().map(|_| facts.push(name)),
                    None if is_fact && !facts.iter().any(|fact| fact == word.text) => facts.push(word.text.to_owned()),
                    None => {}
                }
                is_name_open = is_name && !word.ends;
            }
        }
        facts.truncate(MOST_FACTS);
        let first = self.response.split(['.', '!', '?', '\n']).find(|sentence| !sentence.trim().is_empty());
        let denies = |text: &str| {
            let pattern = compile_cached(DENIAL, pattern::Case::Ignored);
            pattern.is_ok_and(|it| it.find(text, 0, &Budget::default()).is_ok_and(|found| found.is_some()))
        };
        let has_denial = first.is_some_and(denies) || !ended_tools(answer, false).is_empty();
        let denial = has_denial.then(|| of_pattern(DENIAL, "no", FACT));
        let of_fact = |fact: &String| match is_number(fact) {
            true => of_pattern(&format!(r"(?<![\d.,]){}(?![.,]?\d)", in_both_forms(fact)), fact, FACT),
            false => of_pattern(&whole(fact), fact, FACT),
        };
        facts.iter().map(of_fact).chain(denial).collect()
    }

    /// Whether a word is a number of the prompt.
    fn is_asked(&self, word: &str) -> bool {
        is_number(word) && self.known.contains(word)
    }

    /// Whether a word is not one of the prompt.
    fn is_own(&self, word: &str) -> bool {
        (is_code(word) || is_word(word) && word.chars().count() > 3 && !is_common(word))
            && !is_stand_in(word)
            && !self.known.contains(&*fold(word))
    }
}

/// The longest of the three words after a number, as far as its phrase goes, else before it. A long word says more than a short one.
fn beside<'a>(line: &[Word<'a>], place: usize) -> Option<&'a str> {
    let longest = |words: Vec<&'a str>| {
        // Of equals the nearest.
        let says_much = |word: &&str| is_word(word) && !is_common(word);
        words.into_iter().rev().filter(says_much).max_by_key(|word| word.chars().count())
    };
    let phrase = line[place..].iter().scan(false, |ended, word| {
        let goes_on = !*ended;
        *ended |= word.ends;
        goes_on.then_some(word.text)
    });
    let before = line[..place].iter().rev().take_while(|word| !word.ends).take(3).map(|word| word.text);
    longest(phrase.skip(1).take(3).collect()).or_else(|| longest(before.collect()))
}

/// The words of a line, without its marks of lists and headings. Bars of tables end a phrase, too.
fn words(line: &str) -> Vec<Word<'_>> {
    let words = line.split([' ', '\t', '\u{a0}', '|']).filter_map(|word| {
        let text = bare(word);
        let start = word.find(text)?;
        let after = &word[start + text.len()..];
        // The sign of a number counts, also before that of money.
        let before = word[..start].trim_end_matches(MONEY);
        let has_sign = is_number(text) && before.ends_with(MINUS);
        let text =
            if has_sign { &word[before.floor_char_boundary(before.len() - 1)..start + text.len()] } else { text };
        let ends = after.contains(['.', ',', ';', ':', '!', '?', ')', '"', '”']);
        (!text.is_empty()).then_some(Word { text, ends })
    });
    words.collect()
}

/// The words of a text, folded, each between spaces.
fn whole_words(text: &str) -> String {
    let folded = fold(text);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}

/// A word without what is not a letter or a digit at its ends.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The pattern of a number, with and without its separators of thousands.
fn in_both_forms(number: &str) -> String {
    if let Some(digits) = number.strip_prefix(MINUS) {
        return format!("[−-]{}", in_both_forms(digits));
    }
    match thousands(number) {
        Some(other) if other.len() > number.len() => escape(&other).replace(',', ",?"),
        Some(_) => escape(number).replace(',', ",?"),
        None => escape(number),
    }
}

/// Letters, perhaps with an apostrophe or a hyphen.
fn is_word(text: &str) -> bool {
    text.chars().count() > 2 && text.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
}

/// Letters and digits, as in `PDL-771` or `v3.8`.
fn is_code(text: &str) -> bool {
    let has = |is: fn(char) -> bool| text.contains(is);
    let is_of_code = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    has(char::is_alphabetic) && has(|c| c.is_ascii_digit()) && text.chars().all(is_of_code)
}

/// Digits, perhaps with separators and a sign.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(MINUS).map_or(text, |rest| rest.trim_start_matches(MONEY));
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ':'))
}

/// The candidates to take, so that each answer of `missing` that can be noticed is: one after the other, each time the one that notices
/// most of the rest; of equals the cheapest. Each candidate comes with what it notices.
pub(super) fn select(missing: &[&String], tried: &[(Candidate, Vec<String>)]) -> Vec<Candidate> {
    let mut open: BTreeSet<&String> = missing.iter().copied().collect();
    let mut chosen: Vec<usize> = Vec::new();
    loop {
        let more = |index: usize| tried[index].1.iter().filter(|name| open.contains(name)).count();
        // Two phrases in one list are one check, which passes if either is said.
        let says = |index: usize| tried[index].0.key == "must_say_any";
        let fits = |index: &usize| more(*index) > 0 && !(says(*index) && chosen.iter().any(|other| says(*other)));
        // Of equals the first one wins.
        let next =
            (0..tried.len()).rev().filter(fits).max_by_key(|index| (more(*index), Reverse(tried[*index].0.cost)));
        let Some(next) = next else { break };
        tried[next].1.iter().for_each(|name| _ = open.remove(name));
        chosen.push(next);
    }
    chosen.sort_unstable();
    chosen.into_iter().map(|index| tried[index].0.clone()).collect()
}
