//! Suggests keys, headers and values of an `eval-ls.toml`, each with its page.
//!
//! Names, closed values, defaults and examples come from the schema. An example is never written in place of a value: a person who
//! accepts a key finds an empty value, not that of another workspace.

use std::collections::HashSet;

use serde_json::Value;

use crate::config::{toml_key, toml_string, toml_value};
use crate::lints::lint;
use crate::schema::{Key, Shape, Type};
use crate::syntax::Step;
use crate::text::{Span, visible_text};
use crate::wording::{Line, Markup};

use super::super::completion::{Completion, CompletionKind, Documentation, Layout, Snippet};
use super::super::lint_names;
use super::reader::{Item, Slot, items, slot, word_at};

/// A table with more named keys than this has a header, and is not written on one line.
const MOST_INLINE_KEYS: usize = 4;

/// Whether to answer a request: a typed character must open something.
pub(super) fn is_answered(text: &str, offset: usize, trigger: Option<char>) -> bool {
    match trigger {
        None => true,
        Some('"') => word_at(text, offset).is_some_and(|word| word.start + 1 == offset),
        Some(' ') => text[..offset].ends_with("= "),
        Some(_) => false,
    }
}

/// The suggestions at the byte `offset`, best first.
pub(super) fn completions(text: &str, offset: usize) -> Vec<Completion> {
    let Some(word) = word_at(text, offset).filter(|word| !text[word.range()].contains('\n')) else { return Vec::new() };
    let scene = Scene { text, word, items: items(text) };
    let found = match slot(&text[..word.start]) {
        Slot::Key { table, is_first } => scene.keys(&table, is_first),
        Slot::Header { table, start } => scene.headers(&table, start),
        Slot::Value(path) => scene.values(&path),
        Slot::Nothing => Vec::new(),
    };
    let mut unique = HashSet::new();
    found.into_iter().filter(|completion| unique.insert(completion.label.clone())).collect()
}

/// The layout of the line with the byte `offset`.
pub(super) fn layout(text: &str, offset: usize) -> Layout {
    let line_start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = &text[line_start..offset];
    let indentation = line[..line.len() - line.trim_start_matches([' ', '\t']).len()].to_owned();
    Layout { indentation, level: "  ".to_owned(), line_break: if text.contains("\r\n") { "\r\n" } else { "\n" } }
}

struct Scene<'t> {
    text: &'t str,
    /// The typed word, which a suggestion replaces.
    word: Span,
    items: Vec<Item>,
}

impl Scene<'_> {
    fn keys(&self, table: &[Step], is_first: bool) -> Vec<Completion> {
        let Some(shape) = Shape::configuration().descend(table) else { return Vec::new() };
        let conditions = shape.conditions(|key| self.value_of(&below(table, key)));
        let mut keys: Vec<_> = shape.keys().filter(|key| is_first || !is_list_of_tables(key.shape)).collect();
        keys.retain(|key| !conditions.refused.contains(&key.name));
        keys.iter_mut().for_each(|key| key.is_required |= conditions.required.contains(&key.name));
        keys.sort_by_key(|key| !key.is_required);
        let is_header = |key: &Key| is_first && has_header(table, key.shape);
        let free = keys.iter().filter(|key| is_list_of_tables(key.shape) || !self.has(&below(table, key.name)));
        let (headers, keys): (Vec<&Key>, Vec<&Key>) = free.partition(|key| is_header(key));
        let keys = keys.into_iter().map(|key| self.key(table, key));
        let headers: Vec<_> = headers.into_iter().map(|key| self.header(table, key, self.word, "")).collect();
        // A header may follow the keys of any table.
        let sections = match is_first && !table.is_empty() {
            true => self.sections(self.word, ""),
            false => Vec::new(),
        };
        keys.chain(headers).chain(sections).collect()
    }

    /// The headers below a path; the header that is being typed begins at the byte `start`.
    fn headers(&self, table: &[Step], start: usize) -> Vec<Completion> {
        let brackets = self.text[self.word.end..].bytes().take(2).take_while(|byte| *byte == b']').count();
        let span = Span::new(start, self.word.end + brackets);
        let typed = if self.text[start..].starts_with("[[") { "[[" } else { "[" };
        if table.is_empty() {
            return self.sections(span, typed);
        }
        let Some(shape) = Shape::configuration().descend(table) else { return Vec::new() };
        let keys = shape.keys().filter(|key| key.shape.allows(Type::Object) || is_list_of_tables(key.shape));
        keys.map(|key| self.header(table, &key, span, typed)).collect()
    }

    /// The headers of the tables of the file.
    fn sections(&self, span: Span, typed: &str) -> Vec<Completion> {
        let sections = Shape::configuration().keys().filter(|key| has_header(&[], key.shape));
        let is_free = |key: &Key| {
            is_list_of_tables(key.shape) || names_of(key.shape).is_some() || !self.has(&below(&[], key.name))
        };
        sections.filter(is_free).map(|key| self.header(&[], &key, span, typed)).collect()
    }

    /// A key with its value, or only the key if there is a value.
    fn key(&self, table: &[Step], key: &Key) -> Completion {
        let name = toml_key(key.name);
        let after = self.text[self.word.end..].trim_start_matches([' ', '\t']);
        let text = match after.starts_with(['=', '.']) {
            true => Snippet::new(&*name),
            false => Snippet::new(format!("{name} = ")).then(initial(key.shape)),
        };
        let detail = key.is_required.then(|| "required".to_owned());
        self.completion(key.name, CompletionKind::Key, &below(table, key.name), detail, text)
    }

    /// The header of a table, with its required keys if nothing follows.
    fn header(&self, table: &[Step], key: &Key, span: Span, typed: &str) -> Completion {
        let (open, close) = if is_list_of_tables(key.shape) { ("[[", "]]") } else { ("[", "]") };
        let names = table.iter().filter_map(|step| match step {
            Step::Key(name) => Some(toml_key(name)),
            Step::Index(_) => None,
        });
        let dotted = names.chain([toml_key(key.name)]).collect::<Vec<_>>().join(".");
        let example = names_of(key.shape);
        let label = match example {
            Some(name) => format!("{open}{dotted}.{name}{close}"),
            None => format!("{open}{dotted}{close}"),
        };
        let mut text = Snippet::new(format!("{open}{dotted}"));
        if let Some(name) = example {
            text = text.text(".").placeholder(name);
        }
        text = text.text(close);
        let content = match (example, key.shape.element()) {
            (Some(_), _) => key.shape.other_keys(),
            (None, Some(element)) => Some(element),
            (None, None) => Some(key.shape),
        };
        let next = self.text[self.word.end..].lines().nth(1).unwrap_or_default().trim_start();
        // No key follows on the next line.
        if next.is_empty() || next.starts_with(['[', '#']) {
            for required in content.iter().flat_map(|shape| shape.keys()).filter(|key| key.is_required) {
                text = text.line(0).text(format!("{} = ", toml_key(required.name))).then(initial(required.shape));
            }
        }
        let completion = self.completion(&label, CompletionKind::Structure, &below(table, key.name), None, text);
        Completion { span, filter: format!("{typed}{dotted}"), ..completion }
    }

    fn values(&self, path: &[Step]) -> Vec<Completion> {
        let after = self.text[self.word.end..].trim_start_matches([' ', '\t']);
        let is_free = after.is_empty() || after.starts_with(['\r', '\n', '#', ',', ']', '}']);
        let Some(shape) = Shape::configuration().descend(path).filter(|_| is_free) else { return Vec::new() };
        let mut found: Vec<Completion> = Vec::new();
        for (value, meaning) in shape.values() {
            found.push(Completion { detail: meaning.map(str::to_owned), ..self.string(path, value) });
        }
        found.extend(self.names(path));
        if shape.allows(Type::Boolean) {
            found.extend(["true", "false"].map(|value| self.value(path, value, Snippet::new(value))));
        }
        let default = shape.default().map(|default| (default, "default"));
        let of_list = path.split_last().filter(|(last, _)| matches!(last, Step::Index(_))).and_then(|(_, list)| {
            let lists = Shape::configuration().descend(list)?.examples();
            Some(lists.filter_map(|list| list.as_array()).flatten())
        });
        let examples = shape.examples().chain(of_list.into_iter().flatten()).map(|example| (example, "example"));
        for (value, what) in default.into_iter().chain(examples).filter(|(value, _)| !value.is_object()) {
            let completion = match value.as_str() {
                Some(text) => self.string(path, text),
                None => self.value(path, &toml_value(value), Snippet::new(toml_value(value))),
            };
            found.push(Completion { detail: Some(what.to_owned()), ..completion });
        }
        if self.word.is_empty() && (shape.allows(Type::Array) || shape.allows(Type::Object)) {
            let label = if shape.allows(Type::Array) { "[ ]" } else { "{ }" };
            found.push(self.value(path, label, initial(shape)));
        }
        found
    }

    /// Names that the file or this program defines.
    fn names(&self, path: &[Step]) -> Vec<Completion> {
        let names = path.iter().map(|step| match step {
            Step::Key(name) => &name[..],
            Step::Index(_) => "#",
        });
        match &names.collect::<Vec<_>>()[..] {
            ["run", "target"] => self.targets().into_iter().map(|name| self.string(path, &name)).collect(),
            ["allow", "#", "lint"] => {
                let named = |name: &&str| {
                    let detail = lint(name).map(|lint| lint.summary().to_owned());
                    Completion { detail, ..self.string(path, name) }
                };
                lint_names().iter().map(named).collect()
            }
            ["challenge", "exceptions", "#", "challenges", "#"] => {
                let levels = [Step::Key("challenge".to_owned()), Step::Key("levels".to_owned())];
                let levels = Shape::configuration().descend(&levels);
                levels.iter().flat_map(|levels| levels.keys()).map(|key| self.string(path, key.name)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The names of the targets in the file, in its order.
    fn targets(&self) -> Vec<String> {
        let names = self.items.iter().filter_map(|item| match &item.path[..] {
            [Step::Key(section), Step::Key(name), ..] if section == "targets" => Some(name.clone()),
            _ => None,
        });
        let mut unique = HashSet::new();
        names.filter(|name| unique.insert(name.clone())).collect()
    }

    fn string(&self, path: &[Step], value: &str) -> Completion {
        let completion = self.value(path, value, Snippet::new(toml_string(value)));
        let filter = match self.text[self.word.range()].chars().next() {
            Some('"') => toml_string(value),
            Some('\'') => format!("'{value}'"),
            _ => value.to_owned(),
        };
        Completion { filter, ..completion }
    }

    fn value(&self, path: &[Step], label: &str, text: Snippet) -> Completion {
        let is_glued = self.text[..self.word.start].ends_with(['=', ',']);
        let text = if is_glued { Snippet::new(" ").then(text) } else { text };
        let completion = self.completion(label, CompletionKind::Value, path, None, text);
        Completion { documentation: None, ..completion }
    }

    fn completion(
        &self,
        label: &str,
        kind: CompletionKind,
        path: &[Step],
        detail: Option<String>,
        text: Snippet,
    ) -> Completion {
        let page = key_page(path);
        let documentation = Documentation { plain: page.to_plain(), markdown: page.to_markdown() };
        Completion {
            label: visible_text(label),
            kind,
            detail,
            documentation: (!page.is_empty()).then_some(documentation),
            filter: label.to_owned(),
            span: self.word,
            text,
            also: Vec::new(),
        }
    }

    /// The value at a path as it is written, a string without its quotes.
    fn value_of(&self, path: &[Step]) -> Option<String> {
        // The key of a value comes before it.
        let item = self.items.iter().rfind(|item| item.path == path && item.span != self.word)?;
        Some(self.text[item.span.range()].trim_matches(['"', '\'']).to_owned())
    }

    /// Whether the file has something at this path, except at the cursor.
    fn has(&self, path: &[Step]) -> bool {
        let own = self.items.iter().find(|item| item.span == self.word).map(|item| &item.path);
        let is_own = |item: &Item| own.is_some_and(|own| item.path.starts_with(own));
        self.items.iter().any(|item| item.path.starts_with(path) && !is_own(item))
    }
}

/// Whether a key of the table has a header, rather than a value on its line.
fn has_header(table: &[Step], shape: Shape) -> bool {
    let is_large = shape.keys().count() > MOST_INLINE_KEYS;
    is_list_of_tables(shape) || (shape.allows(Type::Object) && (table.is_empty() || is_large))
}

fn is_list_of_tables(shape: Shape) -> bool {
    shape.allows(Type::Array) && shape.element().is_some_and(|element| element.allows(Type::Object))
}

/// The name of a table in the example, for a key whose tables have names of the author's choice.
fn names_of(shape: Shape) -> Option<&'static str> {
    shape.other_keys().filter(|other| other.allows(Type::Object))?;
    shape.examples().next()?.as_object()?.keys().next().map(String::as_str)
}

fn below(table: &[Step], name: &str) -> Vec<Step> {
    [table, &[Step::Key(name.to_owned())]].concat()
}

/// The value to complete after a new key.
fn initial(shape: Shape) -> Snippet {
    let values: Vec<String> = shape.values().map(|(value, _)| value.to_owned()).collect();
    if !values.is_empty() {
        return Snippet::new("\"").choice(values).text("\"");
    }
    let default = shape.default();
    if shape.allows(Type::String) {
        return match default.and_then(|default| default.as_str()) {
            Some(text) if !text.contains(['"', '\\']) => Snippet::new("\"").placeholder(text).text("\""),
            _ => Snippet::default().quoted_stop(),
        };
    }
    if shape.allows(Type::Boolean) {
        let is_on = default.and_then(|default| default.as_bool()) == Some(true);
        return Snippet::default().choice(vec![(!is_on).to_string(), is_on.to_string()]);
    }
    if shape.allows(Type::Integer) {
        return Snippet::default().placeholder(default.map_or_else(String::new, toml_value));
    }
    if shape.allows(Type::Array) {
        return match shape.element() {
            Some(element) if element.allows(Type::Array) => Snippet::new("[[").quoted_stop().text("]]"),
            _ => Snippet::new("[").quoted_stop().text("]"),
        };
    }
    let keys: Vec<Key> = shape.keys().collect();
    if keys.is_empty() || keys.len() > MOST_INLINE_KEYS {
        return Snippet::new("{ ").stop().text(" }");
    }
    let members = keys.iter().enumerate().fold(Snippet::new("{ "), |members, (index, key)| {
        let comma = if index == 0 { "" } else { ", " };
        members.text(format!("{comma}{} = ", toml_key(key.name))).then(initial(key.shape))
    });
    members.text(" }")
}

/// The page about the value at a path; empty if nothing is known about it. An entry of a list has the page of the list.
pub(super) fn key_page(path: &[Step]) -> Markup {
    let own = own_page(path);
    match path {
        [list @ .., Step::Index(_)] if own.is_empty() => key_page(list),
        _ => own,
    }
}

fn own_page(path: &[Step]) -> Markup {
    let mut page = Markup::default();
    if let [Step::Key(section), Step::Key(name)] = path
        && section == "lints"
        && let Some(lint) = lint(name)
    {
        page.paragraph(Line::new(lint.summary()));
        page.markdown_text(lint.reasons());
    }
    let Some(shape) = Shape::configuration().descend(path) else { return page };
    if let Some(markdown) = shape.markdown().filter(|_| page.is_empty()) {
        page.markdown_text(markdown);
    }
    for (value, meaning) in shape.values() {
        let line = Line::default().code(value);
        page.item(
            0,
            match meaning {
                Some(meaning) => line.say(": ").say(meaning),
                None => line,
            },
        );
    }
    if let Some(default) = shape.default() {
        page.paragraph(Line::new("Default: ").code(&toml_value(default)).say("."));
    }
    if let Some(example) = shape.examples().find(|example| !is_table(example)) {
        page.paragraph(Line::new("Example: ").code(&toml_value(example)).say("."));
    }
    page
}

/// Whether a value is written as a table with a header. An example on one line would be hard to read.
fn is_table(value: &Value) -> bool {
    value.is_object() || value.as_array().is_some_and(|elements| elements.iter().any(Value::is_object))
}
