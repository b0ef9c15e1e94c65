//! Completion at marked places, and the text after an item was accepted.
//!
//! A fixture is a text with a `|` at the cursor, and the label of the chosen item (empty for the first). For each fixture,
//! the snapshot shows the offered labels, and the text afterwards with the cursor at its first stop.

mod broken;
mod clean;
mod limits;
mod prefixes;
mod study;
mod whole;

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::analysis::tests::live;
use crate::config::Config;
use crate::text::Text;
use crate::transcript::Transcript;

/// The workspace, the answers and the file name of the fixtures.
struct World {
    workspace: Workspace,
    answers: Answers,
    file: Option<&'static str>,
}

impl Default for World {
    fn default() -> Self {
        World {
            workspace: Workspace {
                ui_hints: ["A list is visible.".to_owned(), "The \"board\" is empty.".to_owned()].into(),
                tools: [("book_slot".to_owned(), 12), ("set_price".to_owned(), 1)].into(),
                ..Workspace::default()
            },
            answers: answers(None),
            file: None,
        }
    }
}

/// A configuration with a source, and an answer for each of these cases.
fn answers(response: Option<&str>) -> Answers {
    let (config, errors) = Config::parse("[sources]\norders = [\"orders\", \"order book\"]\n", &[]);
    assert_eq!(errors, []);
    let said = |id| Some((id, Transcript { response: response?.to_owned(), ..Transcript::default() }));
    live(Arc::new(config), ["BOOK1", "BRIEF1", "WEEK1", "LIST1"].into_iter().filter_map(said))
}

impl World {
    fn complete(&self, text: &str, offset: usize, trigger: Option<char>) -> Completions {
        let document = Document::new(Text::new(text), self.file.map(|file| Path::new(file).to_owned()));
        let context = CompletionContext { workspace: &self.workspace, answers: &self.answers, trigger };
        completions(&document, offset, &context)
    }

    /// The labels offered at the `|`, and the text after the chosen item was accepted.
    fn accept(&self, marked: &str, chosen: &str) -> (Vec<String>, String) {
        let offset = marked.find('|').expect("a fixture has a cursor");
        let text = marked.replacen('|', "", 1);
        let Completions { items, layout } = self.complete(&text, offset, None);
        let labels = items.iter().map(|item| item.label.clone()).collect();
        let item = items.iter().find(|item| chosen.is_empty() || item.label == chosen);
        let after = item.map_or_else(|| "nothing".to_owned(), |item| accepted(&text, offset, item, &layout, "|"));
        (labels, after)
    }
}

/// The text after an item was accepted, with the cursor in it.
fn accepted(text: &str, offset: usize, item: &Completion, layout: &Layout, cursor: &str) -> String {
    assert!(item.span.touches(offset), "the edit must be at the cursor: {item:?}");
    assert!(!text[item.span.range()].contains('\n'), "the edit must be on one line: {item:?}");
    let mut edits = item.also.clone();
    assert!(edits.iter().all(|edit| edit.span.end < item.span.start || edit.span.start > item.span.end), "{item:?}");
    edits.push(Edit::replace(item.span, item.text.accepted(layout, cursor)));
    edits.sort_by_key(|edit| edit.span);
    let mut after = text.to_owned();
    for edit in edits.iter().rev() {
        after.replace_range(edit.span.range(), &edit.text);
    }
    after
}

/// The text before and after each fixture.
type Frame = (&'static str, &'static str);

const BARE: Frame = ("", "");
const CASE: Frame = ("{\n  \"version\": \"0.3.0\",\n  \"cases\": [\n    {", "}\n  ]\n}\n");
const EXPECTED: Frame = (
    "{\n  \"version\": \"0.3.0\",\n  \"cases\": [\n    { \"id\": \"BOOK1\", \"prompt\": \"p\", \"expected\": {",
    "} },\n    { \"id\": \"BOOK2\", \"prompt\": \"q\", \"category\": \"booking\", \"setup_prompts\": [\"Hello.\"], \"expected\": { \"tool_calls_any\": [\"find_slot\"] } }\n  ]\n}\n",
);

/// The results of the fixtures, for a snapshot.
fn results(world: &World, (before, after_it): Frame, fixtures: &[(&str, &str)]) -> String {
    let mut page = String::new();
    for (fixture, chosen) in fixtures {
        let (labels, after) = world.accept(&format!("{before}{fixture}{after_it}"), chosen);
        let after = after.strip_prefix(before).unwrap_or(&after);
        let after = after.strip_suffix(after_it).unwrap_or(after);
        let more = if labels.len() > 8 { format!(" … {}", labels.len()) } else { String::new() };
        let shown = labels.iter().take(8).map(String::as_str).collect::<Vec<_>>().join(" · ");
        writeln!(page, "──── {fixture}\n     {shown}{more}\n──▶  {after}\n").unwrap();
    }
    page
}

/// Compares the results of some fixtures with the snapshot `name`.
#[track_caller]
fn check(name: &str, world: &World, frame: Frame, fixtures: &[(&str, &str)]) {
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(name, results(world, frame, fixtures));
    })
}
