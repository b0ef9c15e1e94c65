//! The eval files of other programs as suites: JSON, JSON Lines, CSV and YAML.
//!
//! A case asks for what its source asks for, and nothing is guessed: what no key of a suite says is listed with its reason. `foreign`
//! decides what a file is; `adk`, `promptfoo` and `list` read its cases into a `Draft`; this file makes the suite of them.

mod adk;
mod assertions;
mod columns;
mod draft;
mod foreign;
mod list;
mod promptfoo;
mod read;
mod template;
#[cfg(test)]
mod tests;
mod write;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use serde_json::{Map, Value, json};

use crate::suite::Recognized;
use crate::transcript::Transcript;

pub(crate) use columns::{Columns, KEYS, Role};
pub(crate) use foreign::Foreign;
pub(crate) use read::Syntax;
pub(crate) use write::suite_text;

use draft::Draft;
use list::Reading;

/// What a file becomes.
#[derive(Debug)]
pub(crate) struct Imported {
    /// What the file is: `an eval set of Google ADK`.
    pub(crate) source: &'static str,
    /// The suite.
    pub(crate) suite: Value,
    /// How many cases it has.
    pub(crate) cases: usize,
    /// The answers in the file, of cases of the suite.
    pub(crate) transcripts: Vec<Transcript>,
    /// What no key of a suite says: each reason, and the cases to which it applies.
    pub(crate) left_out: Vec<(String, Vec<String>)>,
    /// The elements of the file that have no prompt, so they are not cases.
    pub(crate) lost: Vec<String>,
}

/// Why a file cannot be imported: a lower-case fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ImportError(pub(super) String);

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The most characters of an id that is made of a title: a line of a terminal with its verdict.
const LONGEST_ID: usize = 60;

/// The suite of a file with this text. `name` is the name of the suite.
///
/// # Errors
/// If the text cannot be read, or is not a list of cases.
pub(crate) fn import(name: &str, text: &str, syntax: Syntax, columns: &Columns) -> Result<Imported, ImportError> {
    if syntax == Syntax::Json {
        match Recognized::of(text) {
            Recognized::Suite if !text.trim().is_empty() => {
                return Err(ImportError("it is a suite already; `eval-ls check` checks it".to_owned()));
            }
            Recognized::Written(_) => return Err(ImportError("eval-ls has written it".to_owned())),
            Recognized::Suite | Recognized::Other(_) => {}
        }
    }
    let root = syntax.read(text)?;
    let is_table = syntax == Syntax::Csv;
    let reading = Reading { columns, is_table };
    let foreign = Foreign::of(&root);
    if let Some((foreign, why)) = foreign.and_then(|foreign| Some((foreign, foreign.why_not()?))) {
        return Err(ImportError(format!("it is {}: {why}", foreign.name())));
    }
    let of_list = || foreign::cases(&root).map_or(&[][..], Vec::as_slice);
    let mut drafts = match (foreign, &root) {
        (Some(Foreign::AdkEvalSet), Value::Object(root)) => adk::eval_set(root),
        (Some(Foreign::AdkTest), _) => adk::test_file(of_list()),
        (Some(Foreign::PromptfooConfig), Value::Object(root)) => promptfoo::config(root),
        (Some(Foreign::PromptfooResults), Value::Object(root)) => {
            promptfoo::results(foreign::promptfoo_results(root).map_or(&[], Vec::as_slice))
        }
        (Some(Foreign::PromptfooTests), _) if !columns.names(Role::Prompt(0)) => promptfoo::tests(of_list()),
        (Some(Foreign::PromptfooTable), _) => promptfoo::table(of_list(), columns),
        (None, _) if !columns.names(Role::Prompt(0)) => return Err(no_prompt(of_list())),
        _ => {
            let word = if is_table || syntax == Syntax::JsonLines { "row" } else { "case" };
            let of = |(index, element): (usize, &Value)| match element {
                Value::Object(element) => list::case(element, format!("{word} {}", index + 1), reading),
                _ => Draft::at(format!("{word} {}", index + 1)),
            };
            of_list().iter().enumerate().map(of).collect()
        }
    };
    if drafts.is_empty() {
        return Err(ImportError("it has no case".to_owned()));
    }
    let source = foreign.map_or("a list of prompts", Foreign::name);
    Ok(finish(name, source, &mut drafts))
}

/// What a file is that is not a suite, by its whole text.
pub(crate) fn recognized(text: &str, syntax: Syntax) -> Option<Foreign> {
    Foreign::of(&syntax.read(text).ok()?)
}

fn no_prompt(list: &[Value]) -> ImportError {
    let keys = list.iter().find_map(Value::as_object).map(|first| first.keys().map(|key| format!("`{key}`")));
    let keys: Vec<String> = keys.into_iter().flatten().collect();
    ImportError(if keys.is_empty() {
        "it has no list of objects, so it has no cases".to_owned()
    } else {
        format!("none of its keys is a prompt: {}; name the one that is: `--columns prompt=NAME`", keys.join(", "))
    })
}

fn finish(name: &str, source: &'static str, drafts: &mut [Draft]) -> Imported {
    let mut ids = Ids::default();
    let (mut cases, mut transcripts, mut lost) = (Vec::new(), Vec::new(), Vec::new());
    let mut left_out: Vec<(String, Vec<String>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for draft in drafts {
        let mut note = |reason: &str, of: &str| {
            let place = *places.entry(reason.to_owned()).or_insert_with(|| {
                left_out.push((reason.to_owned(), Vec::new()));
                left_out.len() - 1
            });
            left_out[place].1.push(of.to_owned());
        };
        if draft.prompt.as_ref().is_none_or(|prompt| prompt.trim().is_empty()) {
            let of = draft.id.clone().unwrap_or_else(|| draft.place.clone());
            note("it has no prompt, so it is not a case", &of);
            draft.left_out.iter().for_each(|reason| note(reason, &of));
            lost.push(of);
            continue;
        }
        let id = ids.give(draft);
        let (case, transcript) = draft.finish(&id);
        draft.left_out.iter().for_each(|reason| note(reason, &id));
        cases.push(case);
        transcripts.extend(transcript);
    }
    let count = cases.len();
    let mut suite = Map::new();
    suite.insert("name".to_owned(), json!(name));
    suite.insert("version".to_owned(), json!("0.3.0"));
    suite.insert("cases".to_owned(), Value::Array(cases));
    Imported { source, suite: Value::Object(suite), cases: count, transcripts, left_out, lost }
}

/// The ids that are given.
#[derive(Default)]
struct Ids {
    given: HashSet<String>,
    /// How often an id was asked for.
    asked: BTreeMap<String, usize>,
}

impl Ids {
    /// The id of a case: its own as it can be selected, else its place. An id that is given already gets a number.
    fn give(&mut self, draft: &mut Draft) -> String {
        let own = draft.id.take().unwrap_or_default();
        let mut id = selectable(&own);
        if id.is_empty() {
            id = selectable(&draft.place);
        }
        let count = self.asked.entry(id.clone()).or_default();
        *count += 1;
        let mut unique = if *count == 1 { id.clone() } else { format!("{id}-{count}") };
        while !self.given.insert(unique.clone()) {
            *count += 1;
            unique = format!("{id}-{count}");
        }
        if *count > 1 {
            draft.leave_out(format!("its id `{own}` is that of an earlier case"));
        }
        unique
    }
}

/// An id that a shell takes without quotes and `--cases` selects: words joined by `-`.
fn selectable(id: &str) -> String {
    if id.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':')) && id.chars().count() <= LONGEST_ID
    {
        return id.to_owned();
    }
    let id = id.replace(['\'', '’'], "");
    let words = id.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.'));
    let mut joined = String::new();
    for word in words.filter(|word| !word.is_empty()) {
        if joined.chars().count() + word.chars().count() >= LONGEST_ID && !joined.is_empty() {
            break;
        }
        joined.push_str(if joined.is_empty() { "" } else { "-" });
        joined.extend(word.to_lowercase().chars().take(LONGEST_ID));
    }
    joined
}
