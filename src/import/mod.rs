//! The eval files of other programs, and logs of conversations, as suites: JSON, JSON Lines, CSV and YAML.
//!
//! A case asks for what its source asks for, and nothing is guessed: what no key of a suite says is listed with its reason. The folder
//! `foreign` decides what a file is; `adk`, `promptfoo`, `list` and `logs` read its cases into a `Draft`, `redact` replaces personal data in
//! them, this file makes the suite, and `write` merges it into an earlier one. A conversation that makes no case is listed with its reason.

mod adk;
mod assertions;
mod conversation;
mod draft;
mod list;
mod logs;
mod personal;
mod promptfoo;
mod read;
mod redact;
mod spread;
#[cfg(test)]
mod tests;
mod turns;
mod write;

use std::collections::{BTreeSet, HashMap, HashSet};

use draft::Draft;
use list::Reading;
use serde_json::{Map, Value, json};

use crate::foreign::columns::is_prompt;
use crate::foreign::{Foreign, Log, MOST_TRIED, Recognized, has_checks, program};
use crate::text::counted;
use crate::transcript::Transcript;

pub(crate) use crate::foreign::columns::{Columns, KEYS, Role};
pub(crate) use read::{Syntax, utf16};
pub(crate) use redact::Redactor;
pub(crate) use write::{Merged, base_text, is_base, keep_checks, merge, suite_text, was_redacted};

/// What files become.
#[derive(Debug)]
pub(crate) struct Imported {
    /// What the files are: `an eval set of Google ADK`.
    pub(crate) source: &'static str,
    /// The suite.
    pub(crate) suite: Value,
    /// How many cases it has.
    pub(crate) cases: usize,
    /// How many of them have a check.
    pub(crate) checked: usize,
    /// How many of the others expect something in the file.
    pub(crate) unsaid: usize,
    /// The answers in the file, of cases of the suite.
    pub(crate) transcripts: Vec<Transcript>,
    /// What no key of a suite says: each reason, and the cases to which it applies.
    pub(crate) left_out: Vec<(String, Vec<String>)>,
    /// The ids that are not those of the file: in the suite, and in the file.
    pub(crate) renamed: Vec<(String, String)>,
    /// The elements of the file that have no prompt, so they are not cases.
    pub(crate) lost: Vec<String>,
    /// How many conversations the file has, if it is a log.
    pub(crate) conversations: Option<usize>,
    /// What `--columns` may say of keys that are not known: `must_say_any=NAME`.
    pub(crate) columns: Vec<String>,
}

impl Imported {
    /// Whether a case has a check.
    pub(crate) fn has_checks(case: &Value) -> bool {
        case["expected"].as_object().is_some_and(|expected| !expected.is_empty())
    }

    /// Notes what the case with this id does not say, or why it is not there.
    pub(crate) fn leave_out(&mut self, reason: String, id: &str) {
        match self.left_out.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, ids)) => ids.push(id.to_owned()),
            None => self.left_out.push((reason, vec![id.to_owned()])),
        }
    }
}

/// A file to import.
pub(crate) struct Source<'a> {
    /// The name in errors.
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
    pub(crate) syntax: Syntax,
    /// Reads the files that it names: those that match a pattern below its folder, each with its name.
    pub(crate) files: &'a Files<'a>,
}

/// Reads files by a pattern. An error is a lower-case fragment.
pub(crate) type Files<'a> = dyn Fn(&str) -> Result<Vec<(String, String)>, String> + 'a;

/// Why a file cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct ImportError(pub(super) String);

/// The most characters of an id that is made of a title: a line of a terminal with its verdict.
const LONGEST_ID: usize = 60;

/// The most cases of a suite that is made: 50 times the largest that people have.
const MOST_CASES: usize = 50_000;

/// The suite of these files, of at most `limit` cases. `name` is its name, if the files do not have one. `known_tools` are the tools of the
/// workspace. `redactor` finds personal data in the cases.
///
/// # Errors
/// If a text cannot be read, or is not a list of cases: the name of the file, and why; or if a pattern of `redactor` exceeds its limits.
pub(crate) fn import(
    name: &str,
    sources: &[Source<'_>],
    columns: &Columns,
    known_tools: &BTreeSet<String>,
    limit: Option<usize>,
    redactor: &mut Redactor,
) -> Result<Imported, ImportError> {
    let mut all = Cases::default();
    let mut name_of = None;
    // The questions of conversations, each with its first case.
    let mut known: HashMap<String, usize> = HashMap::new();
    for source in sources {
        let of_source = |ImportError(fault)| ImportError(format!("`{}`: {fault}", source.name));
        let (foreign, cases) = cases_of(source, columns).map_err(of_source)?;
        if cases.drafts.is_empty() && cases.skipped.is_empty() {
            let why = cases.left_out.first().map_or_else(String::new, |why| format!(": {why}"));
            return Err(of_source(ImportError(format!("it has no case{why}"))));
        }
        name_of.get_or_insert(foreign.unwrap_or(Foreign::Prompts).name());
        let of_file = if sources.len() > 1 { format!("{}: ", source.name) } else { String::new() };
        for draft in cases.drafts {
            let next = all.drafts.len();
            let is_log = cases.conversations.is_some();
            let first = if is_log { *known.entry(prompts_of(&draft)).or_insert(next) } else { next };
            match all.drafts.get(first) {
                None => all.drafts.push(draft),
                Some(earlier) => {
                    let is_equal = earlier.has_answer_of(&draft);
                    let why = if is_equal { "it is equal to an earlier one" } else { SAME_QUESTIONS };
                    all.skipped.push((format!("{of_file}{}", draft.place), why.to_owned()));
                }
            }
        }
        all.left_out.extend(cases.left_out);
        all.skipped.extend(cases.skipped.into_iter().map(|(place, why)| (format!("{of_file}{place}"), why)));
        all.conversations = all.conversations.into_iter().chain(cases.conversations).reduce(|sum, more| sum + more);
        (all.name, all.description) = (all.name.or(cases.name), all.description.or(cases.description));
        within(all.drafts.len()).map_err(of_source)?;
    }
    if sources.len() > 1 {
        (all.name, all.description) = (None, None);
    }
    all.name.get_or_insert_with(|| name.to_owned());
    all.keep(limit);
    redactor.redact(&mut all)?;
    let imported = finish(name_of.unwrap_or_default(), all, known_tools);
    if imported.cases == 0 {
        let why =
            imported.left_out.iter().find(|(reason, _)| reason != NO_PROMPT && !reason.ends_with("no key for it"));
        let why = why.map_or_else(String::new, |(reason, _)| format!(": {reason}"));
        let names: Vec<String> = sources.iter().map(|source| format!("`{}`", source.name)).collect();
        if let Some(conversations) = imported.conversations {
            let conversations = counted(conversations, "conversation");
            return Err(ImportError(format!("{}: none of {conversations} makes a case{why}", names.join(", "))));
        }
        let cases = counted(imported.lost.len(), "case");
        return Err(ImportError(format!("{}: none of its {cases} has a prompt{why}", names.join(", "))));
    }
    Ok(imported)
}

/// Why a conversation makes no case although it is whole.
const SAME_QUESTIONS: &str = "it asks the same as an earlier one, and its answer differs";

/// # Errors
/// If there are too many cases.
fn within(cases: usize) -> Result<(), ImportError> {
    let fault = || ImportError(format!("it makes more than {MOST_CASES} cases"));
    (cases <= MOST_CASES).then_some(()).ok_or_else(fault)
}

fn cases_of(source: &Source<'_>, columns: &Columns) -> Result<(Option<Foreign>, Cases), ImportError> {
    let &Source { text, syntax, .. } = source;
    if syntax == Syntax::Json {
        if matches!(Recognized::of(text), Recognized::Written(_)) {
            return Err(ImportError("eval-ls has written it".to_owned()));
        }
        if has_checks(text) {
            return Err(ImportError("it is a suite already; `eval-ls check` checks it".to_owned()));
        }
    }
    if let Some((log, values)) = log_of(text, syntax) {
        known_keys(Foreign::Log(log), columns)?;
        return Ok((Some(Foreign::Log(log)), Cases::of_log(log, values)));
    }
    let root = syntax.read(text)?;
    let is_table = syntax == Syntax::Csv;
    let reading = Reading { columns, is_table, has_reference: false, is_expectation: false };
    let foreign = Foreign::of(&root);
    if let Some((foreign, why)) = foreign.and_then(|foreign| Some((foreign, foreign.why_not()?))) {
        return Err(ImportError(format!("it is {}: {why}", foreign.name())));
    }
    if let Some(known @ (Foreign::AdkEvalSet | Foreign::AdkSessions | Foreign::AdkTest)) = foreign {
        known_keys(known, columns)?;
    }
    let list = program::cases(&root);
    within(list.elements.len())?;
    let cases = match (foreign, &root) {
        (Some(Foreign::AdkEvalSet), Value::Object(root)) => adk::eval_set(root),
        (Some(Foreign::PromptfooConfig), Value::Object(root)) => promptfoo::config(root, columns, source.files)?,
        (Some(Foreign::PromptfooResults), Value::Object(root)) => {
            let results = program::promptfoo_results(root).map_or(&[][..], Vec::as_slice);
            Cases { drafts: assertions::results(results, columns), ..Cases::default() }
        }
        (None, _) if !columns.names(Role::Prompt(0)) => return Err(no_prompt(&list.elements)),
        _ => {
            let word = if is_table || syntax == Syntax::JsonLines { "row" } else { "case" };
            let of = |(index, element): (usize, &&Value)| match element {
                Value::Object(element) => list::cases(element, format!("{word} {}", index + 1), reading),
                _ => vec![Draft::at(format!("{word} {}", index + 1))],
            };
            let drafts = match foreign {
                Some(Foreign::AdkTest) => adk::test_file(&list.elements),
                Some(Foreign::AdkSessions) => adk::sessions(&list.elements),
                Some(Foreign::PromptfooTests | Foreign::PromptfooTable) => promptfoo::tests(&list.elements, columns)?,
                Some(Foreign::CopilotStudio) => list.elements.iter().enumerate().map(read::case).collect(),
                _ => list.elements.iter().enumerate().flat_map(of).collect(),
            };
            let mut cases = Cases { drafts, ..Cases::default() };
            if !list.is_root {
                let named = |key: &str| root.get(key).and_then(assertions::text);
                (cases.name, cases.description) = (named("name"), named("description"));
            }
            if let Some(Foreign::PromptfooTests | Foreign::PromptfooTable) = foreign {
                cases.left_out.push(promptfoo::NO_PROMPTS.to_owned());
            }
            let is_read = |key: &str| matches!(key, "name" | "description" | "$schema");
            cases.others(list.others.iter().map(String::as_str).filter(|key| !is_read(key)));
            cases
        }
    };
    Ok((foreign, cases))
}

/// # Errors
/// If the user names keys of a file whose keys are known.
fn known_keys(known: Foreign, columns: &Columns) -> Result<(), ImportError> {
    let fault = || ImportError(format!("it is {}, whose keys are known; remove `--columns`", known.name()));
    columns.is_empty().then_some(()).ok_or_else(fault)
}

/// The cases of a file, and what is read of the file besides them.
#[derive(Debug, Default)]
struct Cases {
    drafts: Vec<Draft>,
    name: Option<String>,
    description: Option<String>,
    /// What of the file no key of a suite says.
    left_out: Vec<String>,
    /// The conversations that make no case: the place of each, and why.
    skipped: Vec<(String, String)>,
    /// How many conversations the file has, if it is a log.
    conversations: Option<usize>,
}

impl Cases {
    /// The cases of a log: one of each conversation that is whole.
    fn of_log(log: Log, values: Values<'_>) -> Cases {
        let mut cases = Cases::default();
        let mut readable = values.filter_map(|(place, value)| match value {
            Ok(value) => Some((place, value)),
            Err(fault) => {
                cases.left_out.push(format!("{place} cannot be read: {fault}"));
                None
            }
        });
        let conversations = logs::read(log, &mut readable);
        drop(readable);
        cases.conversations = Some(conversations.len());
        for conversation in conversations {
            let place = conversation.place.clone();
            match conversation.case() {
                Ok(draft) => cases.drafts.push(draft),
                Err(why) => cases.skipped.push((place, why)),
            }
        }
        cases
    }

    /// Keeps `limit` cases.
    fn keep(&mut self, limit: Option<usize>) {
        let Some(limit) = limit.filter(|limit| *limit < self.drafts.len()) else { return };
        let kept = spread::spread(&self.drafts, limit);
        let drafts = std::mem::take(&mut self.drafts).into_iter().enumerate();
        let (kept, others): (Vec<_>, Vec<_>) = drafts.partition(|(place, _)| kept.contains(place));
        self.drafts = kept.into_iter().map(|(_, draft)| draft).collect();
        let why = format!("it is not among the {limit} of `--limit`");
        self.skipped.extend(others.into_iter().map(|(_, draft)| (draft.place, why.clone())));
    }

    /// Notes the keys of the file that nothing reads.
    fn others<'a>(&mut self, keys: impl Iterator<Item = &'a str>) {
        self.left_out.extend(keys.map(|key| format!("`{key}` of the file: a suite has no key for it")));
    }
}

/// The values of a log, each with its place, or why it cannot be read.
type Values<'a> = Box<dyn Iterator<Item = (String, Result<Value, String>)> + 'a>;

/// The form of a log, and its values. `None` if none of its first values shows it.
fn log_of(text: &str, syntax: Syntax) -> Option<(Log, Values<'_>)> {
    let mut values = syntax.values(text);
    let first: Vec<_> = values.by_ref().take(MOST_TRIED).collect();
    let log = first.iter().find_map(|(_, value)| Log::of(value.as_ref().ok()?))?;
    Some((log, Box::new(first.into_iter().chain(values))))
}

/// What a file is that is not a suite, by its whole text.
pub(crate) fn recognized(text: &str, syntax: Syntax) -> Option<Foreign> {
    if let Some((log, _)) = log_of(text, syntax) {
        return Some(Foreign::Log(log));
    }
    Foreign::of(&syntax.read(text).ok()?)
}

fn no_prompt(list: &[&Value]) -> ImportError {
    let first = list.iter().find_map(|element| element.as_object());
    let keys = first.into_iter().flatten().flat_map(|(key, value)| match value {
        Value::Object(object) => object.keys().map(|inner| format!("{key}.{inner}")).collect(),
        _ => vec![key.clone()],
    });
    let keys: Vec<String> = keys.collect();
    let prompt = keys.iter().find(|key| key.split_once('.').is_some_and(|(_, inner)| is_prompt(inner)));
    let count = list.iter().filter(|element| element.as_object().is_some_and(program::has_prompt)).count();
    ImportError(if keys.is_empty() {
        "it has no objects in a list or in rows, so it has no cases".to_owned()
    } else if count > 0 {
        format!("only {count} of its {} objects have a prompt", list.len())
    } else {
        let option = draft::columns_option("prompt", prompt.map_or("NAME", String::as_str));
        format!("none of its keys is a prompt: `{}`; name the one that is: `{option}`", keys.join("`, `"))
    })
}

fn finish(source: &'static str, cases: Cases, known_tools: &BTreeSet<String>) -> Imported {
    let Cases { mut drafts, name, description, left_out: of_file, skipped, conversations } = cases;
    forbid_tools(&mut drafts, known_tools);
    let mut ids = Ids::of(&drafts);
    let (mut cases, mut transcripts, mut lost) = (Vec::new(), Vec::new(), Vec::new());
    let (mut checked, mut unsaid, mut columns) = (0, 0, Vec::new());
    let mut left_out: Vec<(String, Vec<String>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut note = |reason: &str, of: &str| {
        let place = *places.entry(reason.to_owned()).or_insert_with(|| {
            left_out.push((reason.to_owned(), Vec::new()));
            left_out.len() - 1
        });
        left_out[place].1.push(of.to_owned());
    };
    of_file.iter().for_each(|reason| note(reason, FILE));
    skipped.iter().for_each(|(place, reason)| note(reason, place));
    for draft in &mut drafts {
        columns.append(&mut draft.columns);
        if draft.prompt.is_none() {
            let of = draft.id.clone().unwrap_or_else(|| draft.place.clone());
            note(NO_PROMPT, &of);
            draft.left_out.iter().for_each(|reason| note(reason, &of));
            lost.push(of);
            continue;
        }
        if draft.prompt.as_ref().is_some_and(|prompt| prompt.trim().is_empty()) {
            draft.leave_out("its prompt is empty");
        }
        let id = ids.give(draft);
        let (case, transcript) = draft.finish(&id);
        draft.left_out.iter().for_each(|reason| note(reason, &id));
        let has_checks = Imported::has_checks(&case);
        checked += usize::from(has_checks);
        unsaid += usize::from(!has_checks && !draft.left_out.is_empty());
        cases.push(case);
        transcripts.extend(transcript);
    }
    let mut seen = HashSet::new();
    columns.retain(|pair: &String| seen.insert(pair.clone()));
    let count = cases.len();
    let mut suite = Map::new();
    suite.insert("name".to_owned(), json!(name));
    suite.insert("version".to_owned(), json!("0.3.0"));
    if let Some(description) = description {
        suite.insert("description".to_owned(), json!(description));
    }
    suite.insert("cases".to_owned(), Value::Array(cases));
    Imported {
        source,
        suite: Value::Object(suite),
        cases: count,
        checked,
        unsaid,
        transcripts,
        left_out,
        renamed: ids.renamed,
        lost,
        conversations,
        columns,
    }
}

/// Names all known tools in the cases that call none: those of the workspace and of the file.
fn forbid_tools(drafts: &mut [Draft], known: &BTreeSet<String>) {
    let mut tools = known.clone();
    for draft in drafts.iter() {
        tools.extend(draft.expects.tools.iter().flatten().chain(&draft.expects.tools_none).cloned());
        tools.extend(draft.calls.iter().flatten().map(|call| call.tool.clone()));
    }
    for draft in drafts.iter_mut().filter(|draft| draft.expects.calls_none) {
        if !draft.expects.tools.is_empty() {
            draft.leave_out("it expects tools, and that no tool is called");
        } else if tools.is_empty() {
            draft.leave_out("no tool may be called; name those that there are in `tool_calls_none`");
        } else {
            draft.leave_out(format!(
                "no tool may be called: `tool_calls_none` has the {} that the file and the workspace name; \
                 a new one is not covered",
                counted(tools.len(), "tool")
            ));
            draft.expects.tools_none.extend(tools.iter().cloned());
        }
    }
}

/// Why an element is lost.
const NO_PROMPT: &str = "it has no prompt, so it is not a case";

/// What is named instead of a case if a reason applies to the file.
pub(crate) const FILE: &str = "the file";

/// The ids that are given.
#[derive(Default)]
struct Ids {
    /// The ids that a case has as they are, each with whether it is given. No other case gets one of them.
    own: HashMap<String, bool>,
    /// The prompts of the cases without an id, by their first words. `None` if several prompts have the same.
    prompts: HashMap<String, Option<String>>,
    given: HashSet<String>,
    /// The next number behind an id.
    next: HashMap<String, usize>,
    renamed: Vec<(String, String)>,
}

impl Ids {
    fn of(drafts: &[Draft]) -> Ids {
        let own = drafts.iter().filter_map(|draft| draft.id.as_ref()).filter(|id| selectable(id) == **id);
        let mut ids = Ids { own: own.map(|id| (id.clone(), false)).collect(), ..Ids::default() };
        for draft in drafts.iter().filter(|draft| draft.id.as_ref().is_none_or(String::is_empty)) {
            let (words, prompt) = (first_words(draft), prompts_of(draft));
            let known = ids.prompts.entry(words).or_insert_with(|| Some(prompt.clone()));
            known.take_if(|known| *known != prompt);
        }
        ids
    }

    /// The id of a case: its own as it can be selected, else its prompt, so that it is the same when rows are inserted in front of it. An
    /// id that is given already gets a number.
    fn give(&mut self, draft: &mut Draft) -> String {
        let own = draft.id.take().filter(|id| !id.is_empty());
        if let Some(id) = &own
            && let Some(is_given) = self.own.get_mut(id)
            && !std::mem::replace(is_given, true)
        {
            self.given.insert(id.clone());
            return id.clone();
        }
        let mut base = own.as_deref().map_or_else(|| self.of_prompt(draft), selectable);
        if base.is_empty() {
            base = selectable(&draft.place);
        }
        let mut id = base.clone();
        let next = self.next.entry(base.clone()).or_insert(2);
        while self.own.contains_key(&id) || self.given.contains(&id) {
            id = format!("{base}-{next}");
            *next += 1;
        }
        self.given.insert(id.clone());
        if let Some(own) = own {
            self.renamed.push((id.clone(), own));
        }
        id
    }

    /// The first words of the prompt, with a hash of the whole if others have the same words.
    fn of_prompt(&self, draft: &Draft) -> String {
        let (words, prompt) = (first_words(draft), prompts_of(draft));
        let is_whole = prompt.chars().count() <= LONGEST_OF_PROMPT;
        if words.is_empty() || is_whole && self.prompts.get(&words).is_some_and(Option::is_some) {
            return words;
        }
        // FNV-1a with 32 bits: the same in each version of this program.
        let hash =
            prompt.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        format!("{words}-{:06x}", hash >> 8)
    }
}

/// The most characters of the prompt in an id. With its hash it is shorter than [`LONGEST_ID`].
const LONGEST_OF_PROMPT: usize = 40;

fn first_words(draft: &Draft) -> String {
    joined(draft.prompt.as_deref().unwrap_or_default(), LONGEST_OF_PROMPT, false)
}

/// All that is sent.
fn prompts_of(draft: &Draft) -> String {
    let prompts: Vec<&str> = draft.setup_prompts.iter().chain(&draft.prompt).map(String::as_str).collect();
    prompts.join("\n")
}

/// An id that a shell takes without quotes and `--cases` selects: words joined by `-`. Of a path the last ones, which differ most.
fn selectable(id: &str) -> String {
    let is_plain = id.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':'));
    if is_plain && id.chars().count() <= LONGEST_ID { id.to_owned() } else { joined(id, LONGEST_ID, id.contains('/')) }
}

/// The first or last words of a text, in lower case and joined by `-`. `most` is the limit in characters.
fn joined(text: &str, most: usize, is_from_end: bool) -> String {
    let text = text.replace(['\'', '’'], "");
    let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.'));
    let mut words = words.map(|word| word.trim_matches('.')).filter(|word| !word.is_empty());
    let (mut chosen, mut length) = (Vec::new(), 0);
    while let Some(word) = if is_from_end { words.next_back() } else { words.next() } {
        length += word.chars().count() + 1;
        if length > most && !chosen.is_empty() {
            break;
        }
        chosen.push(word.to_lowercase().chars().take(most).collect::<String>());
    }
    if is_from_end {
        chosen.reverse();
    }
    chosen.join("-")
}
