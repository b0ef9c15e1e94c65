//! Changes to the file that leave its comments and layout alone.

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::{Level, quote};
use crate::diagnostic::Edit;
use crate::text::Span;

/// The edits after which the text of an `eval-ls.toml` gives `lint` that level; none where it does already.
///
/// `None` where the text has a syntax error, or has something under `lints` that leaves no place for a level.
pub(crate) fn with_lint_level(text: &str, lint: &str, level: Level) -> Option<Vec<Edit>> {
    let tree = DeTable::parse(text).ok()?;
    let word = quote::string(level.as_str());
    let entry = format!("{} = {word}", quote::key(lint));
    let edit = match tree.get_ref().get("lints") {
        None => append_block(text, &["[lints]", &entry]),
        Some(lints) => {
            let table = lints.get_ref().as_table()?;
            match table.get(lint) {
                Some(old) if old.get_ref().as_str() == Some(level.as_str()) => return Some(Vec::new()),
                Some(old) => Edit::replace(old.span().into(), word),
                None => add_entry(text, "lints", lints.span().into(), table, &entry),
            }
        }
    };
    checked(text, edit, |tree| {
        let level_now = tree.get("lints").and_then(|lints| lints.get_ref().get(lint));
        level_now.and_then(|value| value.get_ref().as_str()) == Some(level.as_str())
    })
}

/// The edits after which the text of an `eval-ls.toml` defines the UI hint; none where it does already. Until its
/// author says better, the hint holds where its own sentence is said, so that it does not hold by accident.
///
/// `None` where the text has a syntax error or something else than hints under `ui_hints`, and for a sentence that no
/// hint can have (an empty one, or one with a NUL).
pub(crate) fn with_ui_hint(text: &str, hint: &str) -> Option<Vec<Edit>> {
    if hint.is_empty() || hint.contains('\0') {
        return None;
    }
    let tree = DeTable::parse(text).ok()?;
    if defines(tree.get_ref(), hint) {
        return Some(Vec::new());
    }
    let sentence = quote::string(hint);
    let edit = match tree.get_ref().get("ui_hints") {
        None => append_block(text, &hint_lines(&sentence)),
        Some(hints) => add_hint(text, hints.span().into(), hints.get_ref().as_array()?, &sentence)?,
    };
    checked(text, edit, |tree| defines(tree, hint))
}

/// The edits after which the text of an `eval-ls.toml` says `prompt_counts = false`; none where it does already.
///
/// `None` where the text has a syntax error, or has something else than a table under `scoring`.
pub(crate) fn with_reply_only(text: &str) -> Option<Vec<Edit>> {
    let tree = DeTable::parse(text).ok()?;
    let entry = "prompt_counts = false";
    let edit = match tree.get_ref().get("scoring") {
        None => append_block(text, &["[scoring]", entry]),
        Some(scoring) => {
            let table = scoring.get_ref().as_table()?;
            match table.get("prompt_counts") {
                Some(old) if old.get_ref().as_bool() == Some(false) => return Some(Vec::new()),
                Some(old) => Edit::replace(old.span().into(), "false"),
                None => add_entry(text, "scoring", scoring.span().into(), table, entry),
            }
        }
    };
    checked(text, edit, |tree| {
        let counts = tree.get("scoring").and_then(|scoring| scoring.get_ref().get("prompt_counts"));
        counts.and_then(|value| value.get_ref().as_bool()) == Some(false)
    })
}

/// The edits after which the text of an `eval-ls.toml` has the entry `old` of `[sources]` under the name `new`.
///
/// `None` where it has no such entry, or one of that name already.
pub(crate) fn with_source_renamed(text: &str, old: &str, new: &str) -> Option<Vec<Edit>> {
    let tree = DeTable::parse(text).ok()?;
    let sources = tree.get_ref().get("sources")?.get_ref().as_table()?;
    let (name, _) = sources.iter().find(|(name, _)| name.get_ref() == old)?;
    if sources.contains_key(new) {
        return None;
    }
    let edit = Edit::replace(name.span().into(), quote::key(new));
    checked(text, edit, |tree| {
        let sources = tree.get("sources").and_then(|sources| sources.get_ref().as_table());
        sources.is_some_and(|sources| sources.contains_key(new) && !sources.contains_key(old))
    })
}

/// Adds an entry to the table with that name, whose span is `whole`.
fn add_entry(text: &str, name: &str, whole: Span, table: &DeTable<'_>, entry: &str) -> Edit {
    let last = table.values().filter(|value| !is_under_header(text, value)).map(|value| value.span().end).max();
    match text.as_bytes().get(whole.start) {
        Some(b'{') => into_brackets(whole, last, entry),
        Some(b'[') => insert_line(text, last.unwrap_or(whole.end), entry),
        // `lints.some-lint = …`: no header may be added to a table that is written so.
        _ => insert_line(text, last.unwrap_or(whole.end), &format!("{name}.{entry}")),
    }
}

fn add_hint(text: &str, hints: Span, list: &DeArray<'_>, sentence: &str) -> Option<Edit> {
    let Some(last) = list.last().filter(|last| is_under_header(text, last)) else {
        let last = list.last().map(|last| last.span().end);
        return Some(into_brackets(hints, last, &format!("{{ hint = {sentence}, all = [{sentence}] }}")));
    };
    let values = last.get_ref().as_table()?.values();
    let end = values.map(|value| value.span().end).max().unwrap_or(0).max(last.span().end);
    let nl = line_break(text);
    Some(insert_line(text, end, &format!("{nl}{}", hint_lines(sentence).join(nl))))
}

fn hint_lines(sentence: &str) -> [String; 3] {
    [
        "[[ui_hints]]".to_owned(),
        format!("hint = {sentence}"),
        format!("all = [{sentence}]  # what the page says when this holds"),
    ]
}

fn defines(tree: &DeTable<'_>, hint: &str) -> bool {
    let hints = tree.get("ui_hints").and_then(|hints| hints.get_ref().as_array());
    let mut sentences = hints.into_iter().flatten().filter_map(|entry| entry.get_ref().get("hint"));
    sentences.any(|sentence| sentence.get_ref().as_str() == Some(hint))
}

/// Whether the table's lines stand under a header of its own, which is then its span.
fn is_under_header(text: &str, value: &Spanned<DeValue<'_>>) -> bool {
    value.get_ref().is_table() && text.as_bytes().get(value.span().start) == Some(&b'[')
}

/// Adds an entry to an inline table or list, behind the last one that it has.
fn into_brackets(brackets: Span, last: Option<usize>, entry: &str) -> Edit {
    match last {
        Some(end) => Edit::insert(end, format!(", {entry}")),
        None => Edit::insert(brackets.start + 1, format!(" {entry} ")),
    }
}

/// Adds a line below the one on which the byte at `offset` stands.
fn insert_line(text: &str, offset: usize, line: &str) -> Edit {
    let nl = line_break(text);
    match text[offset..].find('\n') {
        Some(newline) => Edit::insert(offset + newline + 1, format!("{line}{nl}")),
        None => Edit::insert(text.len(), format!("{nl}{line}{nl}")),
    }
}

/// Adds lines at the end, parted from what is there by an empty one.
fn append_block(text: &str, lines: &[impl AsRef<str>]) -> Edit {
    let nl = line_break(text);
    let gap = match text {
        "" => "",
        _ if text.ends_with('\n') => nl,
        _ => &nl.repeat(2),
    };
    let lines: String = lines.iter().flat_map(|line| [line.as_ref(), nl]).collect();
    Edit::insert(text.len(), format!("{gap}{lines}"))
}

fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The edit, if the text is still whole after it and says what it should.
fn checked(text: &str, edit: Edit, holds: impl Fn(&DeTable<'_>) -> bool) -> Option<Vec<Edit>> {
    let mut edited = text.to_owned();
    edited.replace_range(edit.span.range(), &edit.text);
    let tree = DeTable::parse(&edited).ok()?;
    holds(tree.get_ref()).then(|| vec![edit])
}
