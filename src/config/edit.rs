//! Changes to the file that keep its comments and layout.

use std::fmt::Write;

use toml_edit::{Array, ArrayOfTables, Decor, Document, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use crate::config::Pattern;
use crate::diagnostic::Edit;
use crate::text::{Span, changed, is_invisible};

/// Returns the edits that set the key of a table to a value, written as TOML, in the text of an `eval-ls.toml`; no edit if it has the value.
///
/// `None` if the text has a syntax error or another value in the place of the table.
pub(crate) fn with_setting(text: &str, table: &str, key: &str, value: &str) -> Option<Vec<Edit>> {
    edits(text, |document| set(document, table, key, value.parse().ok()?))
}

/// Returns the edits that define the source in the text of an `eval-ls.toml` by these phrases; no edit if it has them.
///
/// `None` if the text has a syntax error or a value under `sources` that is not a table, or for a name that cannot be a key.
pub(crate) fn with_source(text: &str, source: &str, phrases: &[String]) -> Option<Vec<Edit>> {
    if source.contains('\0') {
        return None;
    }
    let phrases = Array::from_iter(phrases.iter().map(|phrase| string(phrase)));
    edits(text, |document| set(document, "sources", source, phrases.into()))
}

/// Returns the edits that add UI hints to the text of an `eval-ls.toml`; no edit if they are there. A new entry has one
/// empty phrase, which is an error until its author writes the phrase. The hint stays undefined until then.
///
/// `None` if the text has a syntax error, if `ui_hints` is not a list of hints, or if no hint can have one of the sentences (it
/// is empty or contains a NUL).
pub(crate) fn with_ui_hints(text: &str, hints: &[&str]) -> Option<Vec<Edit>> {
    if hints.iter().any(|hint| hint.is_empty() || hint.contains('\0')) {
        return None;
    }
    edits(text, |document| hints.iter().try_for_each(|hint| add_ui_hint(document, hint)))
}

fn add_ui_hint(document: &mut DocumentMut, hint: &str) -> Option<()> {
    if document.get("ui_hints").is_some_and(|hints| entries_of(hints).iter().any(|entry| defines(*entry, hint))) {
        return Some(());
    }
    let mut all = Value::from(Array::from_iter([""]));
    all.decor_mut().set_suffix("  # the phrases that are on the page if the hint is met");
    add_entry(document, "ui_hints", vec![("hint", string(hint)), ("all", all)])
}

/// Adds an entry to a list of tables. `None` if there is another value in its place.
fn add_entry(document: &mut DocumentMut, list: &str, entry: Vec<(&str, Value)>) -> Option<()> {
    let fill = |mut table: Table, entry: Vec<(&str, Value)>| {
        entry.into_iter().for_each(|(key, value)| drop(table.insert(key, Item::Value(value))));
        table
    };
    if !document.contains_key(list) {
        let table = fill(last_table(document), entry);
        document.insert(list, Item::ArrayOfTables(ArrayOfTables::from_iter([table])));
        return Some(());
    }
    match document.get_mut(list)? {
        Item::ArrayOfTables(entries) => entries.push(fill(Table::new(), entry)),
        Item::Value(Value::Array(entries)) => {
            // A comment would end the line.
            let mut entry = InlineTable::from_iter(entry);
            entry.iter_mut().for_each(|(_, value)| value.decor_mut().clear());
            entries.push(entry);
        }
        _ => return None,
    }
    Some(())
}

/// Returns the place to write at in the entry of the UI hint, in the text of an `eval-ls.toml`: within the quotes of its first
/// phrase of `all` if that is empty, else at the end of its sentence. `None` if there is no entry, or for a syntax error.
pub(crate) fn place_of_ui_hint(text: &str, hint: &str) -> Option<Span> {
    let document = Document::parse(text).ok()?;
    let entry = entries_of(document.get("ui_hints")?).into_iter().find(|entry| defines(*entry, hint))?;
    let phrase = entry.get("all").and_then(|all| all.as_array()?.get(0)).filter(|phrase| phrase.as_str() == Some(""));
    let quotes: Option<Span> = phrase.and_then(|phrase| Some(phrase.span()?.into()));
    let sentence: Span = entry.get("hint")?.span()?.into();
    Some(Span::empty(quotes.map_or(sentence.end, |quotes| quotes.start + quotes.len() / 2)))
}

/// Returns the edits that allow the findings of `lint` in the case with that id, in the suite at `file`, a path relative to the
/// folder of the `eval-ls.toml` with that text. The reason is left for a person to write.
///
/// `None` if the text has a syntax error, if `allow` is not a list of tables, or for an empty id.
pub(crate) fn with_allowed(text: &str, lint: &str, case: &str, file: Option<&str>) -> Option<Vec<Edit>> {
    if case.is_empty() || case.contains('\0') {
        return None;
    }
    let mut entry = vec![("lint", string(lint)), ("cases", string(case))];
    entry.extend(file.map(|file| ("files", Array::from_iter([string(&globset::escape(file))]).into())));
    entry.push(("reason", string("TODO: give the reason")));
    edits(text, |document| add_entry(document, "allow", entry))
}

/// Returns the edits that list the tool under `known` of `[tools]` in the text of an `eval-ls.toml`; no edit if it is listed.
///
/// `None` if the text has a syntax error, if `known` is not a list, or for a name that cannot be listed.
pub(crate) fn with_known_tool(text: &str, tool: &str) -> Option<Vec<Edit>> {
    if tool.is_empty() || tool.contains('\0') {
        return None;
    }
    edits(text, |document| {
        let known = document.get("tools").and_then(|tools| tools.as_table_like()?.get("known"));
        if known.is_none() {
            let list = Array::from_iter([string(tool)]);
            return set(document, "tools", "known", list.into());
        }
        let known = document.get_mut("tools")?.as_table_like_mut()?.get_mut("known")?.as_array_mut()?;
        if !known.iter().any(|entry| entry.as_str() == Some(tool)) {
            known.push(string(tool));
        }
        Some(())
    })
}

/// Returns the edits that rename a case in the entries of `[[policy]]`, `[[allow]]` and `[[challenge.exceptions]]` that
/// name exactly this id, in the text of an `eval-ls.toml`. `file` is the suite, relative to the folder of that file: entries about other
/// suites stay. No edit for a text with a syntax error.
pub(crate) fn with_case_renamed(text: &str, old: &str, new: &str, file: &str) -> Vec<Edit> {
    let Ok(document) = Document::parse(text) else { return Vec::new() };
    let exceptions = document.get("challenge").and_then(|challenge| challenge.as_table_like()?.get("exceptions"));
    let lists = ["policy", "allow"].into_iter().filter_map(|name| document.get(name)).chain(exceptions);
    let entries = lists.flat_map(entries_of);
    let is_about_file = |entry: &&dyn TableLike| {
        let files = entry.get("files").and_then(Item::as_array);
        files.is_none_or(|files| {
            let mut patterns = files.iter().filter_map(|glob| Pattern::new(glob.as_str()?).ok());
            files.is_empty() || patterns.any(|pattern| pattern.matches(file))
        })
    };
    let of_case = entries.filter(is_about_file).filter_map(|entry| {
        let cases = entry.get("cases").filter(|cases| cases.as_str() == Some(old))?;
        Some(Edit::replace(cases.span()?.into(), toml_string(new)))
    });
    of_case.collect()
}

/// The tables in a list.
fn entries_of(list: &Item) -> Vec<&dyn TableLike> {
    match list {
        Item::ArrayOfTables(tables) => tables.iter().map(|table| table as &dyn TableLike).collect(),
        Item::Value(Value::Array(list)) => {
            list.iter().filter_map(|value| Some(value.as_inline_table()? as &dyn TableLike)).collect()
        }
        _ => Vec::new(),
    }
}

/// Sets a key of a table, which is added to the document if it is missing. `None` if there is no place for the key.
fn set(document: &mut DocumentMut, table: &str, key: &str, mut value: Value) -> Option<()> {
    if !document.contains_key(table) {
        let last = last_table(document);
        document.insert(table, Item::Table(last));
    }
    let item = document.get_mut(table)?;
    if let Some(inline) = item.as_inline_table_mut().filter(|inline| !inline.contains_key(key)) {
        // The space in front of the closing brace belongs to the last value.
        inline.iter_mut().last().into_iter().for_each(|(_, last)| last.decor_mut().set_suffix(""));
        if inline.trailing_comma() {
            *value.decor_mut() = Decor::new(" ", "");
        }
    }
    let table = item.as_table_like_mut()?;
    match table.get_mut(key) {
        None => drop(table.insert(key, Item::Value(value))),
        Some(old) => {
            let old = old.as_value_mut()?;
            if meaning(old) != meaning(&value) {
                *value.decor_mut() = old.decor().clone();
                *old = value;
            }
        }
    }
    Some(())
}

/// The value without the way in which it is written.
fn meaning(value: &Value) -> (Option<&str>, Option<bool>, Option<Vec<&str>>) {
    let list = value.as_array().map(|list| list.iter().filter_map(Value::as_str).collect());
    (value.as_str(), value.as_bool(), list)
}

/// A table for the end of the document. The comments at the end stay in front of it.
fn last_table(document: &mut DocumentMut) -> Table {
    let comments = document.trailing().as_str().unwrap_or_default().to_owned();
    document.set_trailing("");
    let gap = match &comments[..] {
        "" if document.is_empty() => "",
        _ if comments.is_empty() || comments.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let mut table = Table::new();
    table.decor_mut().set_prefix(comments + gap);
    table
}

fn defines(table: &dyn TableLike, hint: &str) -> bool {
    table.get("hint").and_then(Item::as_str) == Some(hint)
}

/// The edits that `change` makes; `None` if it makes none because the text cannot be changed.
fn edits(text: &str, change: impl FnOnce(&mut DocumentMut) -> Option<()>) -> Option<Vec<Edit>> {
    let mut document: DocumentMut = text.parse().ok()?;
    let before = document.to_string();
    change(&mut document)?;
    let after = document.to_string();
    if before == after {
        return Some(Vec::new());
    }
    // The library writes `\n` only.
    let after = if text.contains("\r\n") { after.replace('\n', "\r\n") } else { after };
    Some(vec![difference(text, &after)])
}

/// The one edit from a text to another, as short as possible.
fn difference(old: &str, new: &str) -> Edit {
    let (before, after) = changed(old.as_bytes(), new.as_bytes());
    // A change may begin or end within a character.
    let (start, end) = (old.floor_char_boundary(before.start), old.ceil_char_boundary(before.end));
    Edit::replace(Span::new(start, end), &new[start..after.end + end - before.end])
}

/// Returns `text` as a value: a basic string on one line.
pub(super) fn string(text: &str) -> Value {
    toml_string(text).parse().expect("a basic string is a value")
}

/// Returns `text` as a basic string. The library would write characters that are invisible or reorder the line as they are;
/// here they are escapes.
pub(crate) fn toml_string(text: &str) -> String {
    // A JSON string is a basic string, but for these characters.
    let json = serde_json::to_string(text).expect("a string can be written as JSON");
    json.chars().fold(String::with_capacity(json.len()), |mut quoted, c| {
        if c.is_control() || is_invisible(c) {
            write!(quoted, "\\U{:08X}", u32::from(c)).expect("writing to a string does not fail");
        } else {
            quoted.push(c);
        }
        quoted
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use toml::Table;

    use super::*;

    #[test]
    fn shows_what_is_invisible() {
        for (text, quoted) in [
            ("A \"b\" c\\d", r#""A \"b\" c\\d""#),
            ("a\nb\r\tc", r#""a\nb\r\tc""#),
            ("a\u{202e}b\0\u{7f}", r#""a\U0000202Eb\u0000\U0000007F""#),
            ("é 🚀 '''", "\"é 🚀 '''\""),
        ] {
            assert_eq!(toml_string(text), quoted);
        }
    }

    proptest! {
        #[test]
        fn reads_back(text in any::<String>()) {
            let line = format!("key = {}", toml_string(&text));
            let table: Table = line.parse().expect(&line);
            prop_assert_eq!(table.get("key").and_then(toml::Value::as_str), Some(text.as_str()));
        }
    }
}
