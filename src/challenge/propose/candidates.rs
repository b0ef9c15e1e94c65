//! What an answer and its telemetry suggest to check, in a fixed order, and the fewest of these candidates that notice all that any of
//! them notices.

use std::collections::BTreeSet;

use crate::checks::{called_tools, ended_tools, source_phrases};
use crate::config::Config;
use crate::pattern::escape;
use crate::suite::{BUILT_IN_SOURCES, Case, List};
use crate::syntax::encode;
use crate::text::fold;
use crate::transcript::Transcript;

use super::super::answers::Surroundings;
use super::super::rewritten::is_snapshot;
use super::Candidate;

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
        cost: 0,
    });
    let outcome = Candidate { key: "outcome", entry: encode(outcome), id: format!("outcome:{outcome}"), cost: 0 };
    tools.chain([outcome]).collect()
}

/// What the text of an answer suggests: numbers with a word beside them, sources, phrases, lines with a label.
pub(super) fn candidates(
    case: &Case,
    answer: &Transcript,
    around: &Surroundings<'_>,
    config: &Config,
) -> Vec<Candidate> {
    let end = answer.response.floor_char_boundary(MOST_READ.min(answer.response.len()));
    let text = AnswerText::new(&answer.response[..end], case, around);
    let mut found = Vec::new();
    for of_kind in [text.numbers(), text.sources(config), text.phrases(), text.labels()] {
        found.extend(of_kind.into_iter().take(MOST_OF_A_KIND));
    }
    found
}

/// The words of an answer, and those that prove nothing.
struct AnswerText<'a> {
    lines: Vec<Vec<Word<'a>>>,
    response: &'a str,
    case: &'a Case,
    /// The prompts, folded.
    prompt: String,
    /// The words of the prompts and of other answers, folded.
    known: BTreeSet<String>,
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
        let known =
            others.chain([prompt.as_str()]).flat_map(str::split_whitespace).map(|word| fold(bare(word)).into_owned());
        let known = known.collect();
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
        AnswerText { lines, response, case, prompt, known }
    }

    /// Numbers that the prompt does not have, each with a word beside it.
    fn numbers(&self) -> Vec<Candidate> {
        let mut seen = BTreeSet::new();
        let mut labels: BTreeSet<String> = self.case.expected.numbers().map(|item| item.name().to_owned()).collect();
        let mut found = Vec::new();
        for line in &self.lines {
            for (place, word) in line.iter().enumerate() {
                if !is_number(word.text) || !seen.insert(word.text) || self.prompt.contains(word.text) {
                    continue;
                }
                let context = beside(line, place);
                let label = context.unwrap_or(word.text).to_lowercase();
                let label = if labels.contains(&label) { format!("{label} {}", word.text) } else { label };
                if !labels.insert(label.clone()) {
                    continue;
                }
                let value = word.text;
                let context_any =
                    context.map_or(String::new(), |word| format!(", \"context_any\": [{}]", encode(word)));
                // `3` is also in `13`, so a short number is a pattern.
                let entry = match value.len() {
                    1 => {
                        let Some(context) = context else { continue };
                        let (value, word) = (escape(value), escape(context));
                        let regex = format!(r"\b{value}\b.{{0,40}}\b{word}\b|\b{word}\b.{{0,40}}\b{value}\b");
                        format!("{{ \"label\": {}, \"regex\": {} }}", encode(&label), encode(&regex))
                    }
                    _ => format!("{{ \"label\": {}, \"value\": {}{context_any} }}", encode(&label), encode(value)),
                };
                let cost = match (context, value.len()) {
                    (Some(_), 1) => 2,
                    (Some(_), _) => 1,
                    (None, _) => 4,
                };
                found.push(Candidate {
                    key: "must_ground_numbers",
                    entry,
                    id: format!("synthesis:numeric:{label}"),
                    cost,
                });
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
        let response = fold(self.response);
        let is_named = |name: &&str| {
            !asked.contains(name)
                && source_phrases(name, None, config).iter().any(|phrase| response.contains(&*fold(phrase)))
        };
        let named = known.filter(is_named).map(|name| Candidate {
            key: "required_sources",
            entry: encode(name),
            id: format!("synthesis:required_source:{name}"),
            cost: 3,
        });
        named.collect()
    }

    /// Phrases of up to three words with words that are neither the prompt's nor those of other answers, those with the longest such
    /// words first.
    fn phrases(&self) -> Vec<Candidate> {
        let (mut found, mut seen): (Vec<(usize, String)>, BTreeSet<String>) = (Vec::new(), BTreeSet::new());
        for line in &self.lines {
            for start in 0..line.len() {
                for length in 1..=3.min(line.len() - start) {
                    let words = &line[start..start + length];
                    if words[..length - 1].iter().any(|word| word.ends) {
                        break;
                    }
                    // Long words say more than short ones.
                    let own: usize =
                        words.iter().filter(|word| self.is_own(word.text)).map(|word| word.text.len()).sum();
                    let is_whole = is_word(words[0].text) && is_word(words[length - 1].text);
                    // If the answer has other marks between the words, the trial fails.
                    let phrase = words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
                    if own > 0 && is_whole && seen.insert(phrase.clone()) && !self.prompt.contains(&*fold(&phrase)) {
                        found.push((own, phrase));
                    }
                }
            }
        }
        found.sort_by_key(|(own, _)| std::cmp::Reverse(*own));
        let can_say = self.case.expected.must_say_any.as_ref().is_none_or(|list| list.value.is_empty());
        let pattern = |phrase: &str| format!(r"\b{}\b", escape(phrase));
        let said = found.iter().filter(|_| can_say).map(|(_, phrase)| Candidate {
            key: "must_say_any",
            entry: encode(phrase),
            id: "must_say_any".to_owned(),
            cost: 4,
        });
        let matched = found.iter().map(|(_, phrase)| Candidate {
            key: "must_match_regex",
            entry: encode(&pattern(phrase)),
            id: format!("format:must_match_regex:{}", pattern(phrase)),
            cost: 5,
        });
        said.take(MOST_OF_A_KIND / 2).chain(matched.take(MOST_OF_A_KIND / 2)).collect()
    }

    /// Lines that begin with a label and a colon.
    fn labels(&self) -> Vec<Candidate> {
        let labels = self.lines.iter().filter_map(|line| {
            let end = line.iter().take(3).position(|word| word.ends)?;
            let words: Vec<&str> = line[..=end].iter().map(|word| word.text).collect();
            words.iter().all(|word| is_word(word)).then(|| words.join(" "))
        });
        let mut seen = BTreeSet::new();
        let labels = labels.filter(|label| self.response.contains(&format!("{label}:")) && seen.insert(label.clone()));
        let pattern = |label: &str| format!(r"^\W*{}\W*:", escape(label));
        let labels = labels.map(|label| Candidate {
            key: "must_match_regex",
            entry: encode(&pattern(&label)),
            id: format!("format:must_match_regex:{}", pattern(&label)),
            cost: 6,
        });
        labels.collect()
    }

    /// Whether a word is of this answer alone.
    fn is_own(&self, word: &str) -> bool {
        is_word(word) && word.chars().count() > 3 && !self.known.contains(&*fold(word))
    }
}

/// The longest of the three words after a number, as far as its phrase goes, else before it. A long word says more than a short one.
fn beside<'a>(line: &[Word<'a>], place: usize) -> Option<&'a str> {
    let longest = |words: Vec<&'a str>| {
        // Of equals the nearest.
        words.into_iter().rev().filter(|word| is_word(word)).max_by_key(|word| word.chars().count())
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
        let after = &word[word.find(text)? + text.len()..];
        let ends = after.contains(['.', ',', ';', ':', '!', '?', ')', '"', '”']);
        (!text.is_empty()).then_some(Word { text, ends })
    });
    words.collect()
}

/// A word without what is not a letter or a digit at its ends.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Letters, perhaps with an apostrophe or a hyphen.
fn is_word(text: &str) -> bool {
    text.chars().count() > 2 && text.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
}

/// Digits, perhaps with separators.
fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ':'))
}

/// The most candidates of which all sets of up to [`LARGEST_SET`] are compared. They have some ten thousand sets of three.
const MOST_COMPARED: usize = 40;
/// More checks are seldom needed. If they are, they are taken one after the other, each time the one that notices most.
const LARGEST_SET: usize = 3;

/// The candidates to take, so that each answer of `missing` that can be noticed is. Each candidate comes with what it notices.
pub(super) fn select(missing: &[&String], tried: Vec<(Candidate, Vec<String>)>) -> Vec<Candidate> {
    let bits = |notices: &[String]| -> BTreeSet<usize> {
        (0..missing.len()).filter(|index| notices.contains(missing[*index])).collect()
    };
    let tried: Vec<(Candidate, BTreeSet<usize>)> =
        tried.into_iter().map(|(candidate, notices)| (candidate, bits(&notices))).collect();
    let wanted: BTreeSet<usize> = tried.iter().flat_map(|(_, notices)| notices).copied().collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    // If another candidate is as cheap and notices as much, no set needs this one.
    let is_beaten = |index: usize| {
        let (candidate, notices) = &tried[index];
        tried.iter().enumerate().any(|(other, (by, more))| {
            // A set has at most one `must_say_any`, so that one cannot stand for another check.
            let may_be_with_others = by.key != "must_say_any" || candidate.key == "must_say_any";
            let is_as_good = may_be_with_others && more.is_superset(notices) && by.cost <= candidate.cost;
            other != index && is_as_good && (more.len() > notices.len() || by.cost < candidate.cost || other < index)
        })
    };
    let best: Vec<usize> = (0..tried.len()).filter(|index| !is_beaten(*index)).take(MOST_COMPARED).collect();
    let found = (1..=LARGEST_SET).find_map(|size| {
        let sets = sets(&best, size);
        let fitting = sets.into_iter().filter(|set| is_allowed(set, &tried) && covers(set, &tried, &wanted));
        fitting.min_by_key(|set| set.iter().map(|index| tried[*index].0.cost).sum::<usize>())
    });
    let chosen = found.unwrap_or_else(|| one_by_one(&best, &tried, &wanted));
    chosen.into_iter().map(|index| tried[index].0.clone()).collect()
}

fn covers(set: &[usize], tried: &[(Candidate, BTreeSet<usize>)], wanted: &BTreeSet<usize>) -> bool {
    wanted.iter().all(|answer| set.iter().any(|index| tried[*index].1.contains(answer)))
}

/// Two phrases in one list are one check, which passes if either is said.
fn is_allowed(set: &[usize], tried: &[(Candidate, BTreeSet<usize>)]) -> bool {
    set.iter().filter(|index| tried[**index].0.key == "must_say_any").count() <= 1
}

/// All sets of that many of `from`, in order.
fn sets(from: &[usize], size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut sets = Vec::new();
    for (place, first) in from.iter().enumerate() {
        sets.extend(self::sets(&from[place + 1..], size - 1).into_iter().map(|rest| [vec![*first], rest].concat()));
    }
    sets
}

fn one_by_one(best: &[usize], tried: &[(Candidate, BTreeSet<usize>)], wanted: &BTreeSet<usize>) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut open = wanted.clone();
    loop {
        let more = |index: &&usize| tried[**index].1.intersection(&open).count();
        let fits = |index: &&usize| is_allowed(&[&chosen[..], &[**index]].concat(), tried);
        // Of equals the first one wins.
        let Some(next) = best.iter().rev().filter(fits).max_by_key(more).filter(|next| more(next) > 0) else { break };
        open = open.difference(&tried[*next].1).copied().collect();
        chosen.push(*next);
    }
    chosen.sort_unstable();
    chosen
}
