//! The texts of other programs as values: JSON, JSON Lines, CSV and YAML; and the test sets of Copilot Studio: a question, the
//! expected response, and how they are compared.
//! <https://learn.microsoft.com/microsoft-copilot-studio/analytics-agent-evaluation-create>

use std::collections::{HashMap, HashSet};

use csv_core::{ReadFieldResult, ReaderBuilder};
use saphyr_parser::{Event, Marker, Parser, ScalarStyle};
use serde_json::{Map, Value};

use crate::foreign::columns::snake;
use crate::pattern::escape;
use crate::syntax::{Kind, Node, parse};
use crate::text::Text;

use super::assertions::{elements, is_nothing, phrase, text};
use super::draft::{Draft, columns_option};
use super::{ImportError, Values};

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// One JSON document.
    Json,
    /// A JSON value on each line.
    JsonLines,
    /// A table whose first row names the columns.
    Csv,
    /// One YAML document.
    Yaml,
}

/// The most bytes that a YAML file means, with [`OF_VALUE`] for each value. Aliases repeat what they name, so a short file can mean
/// more than memory holds.
const MOST_BYTES: usize = 32 << 20;

/// The bytes of a value beside its text, in memory.
const OF_VALUE: usize = 64;

/// The deepest YAML that is read: as JSON.
const DEEPEST: usize = crate::syntax::MAX_DEPTH;

impl Syntax {
    /// By the extension of the file's name, or by the text if that is not known.
    pub(crate) fn of(extension: &str, text: &str) -> Syntax {
        match extension.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" => Syntax::JsonLines,
            "csv" | "tsv" => Syntax::Csv,
            "yaml" | "yml" => Syntax::Yaml,
            _ => {
                let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                let is_object = |line: &str| line.starts_with('{') && line.ends_with('}');
                let several = lines.by_ref().take(2).filter(|line| is_object(line)).count() == 2;
                if several { Syntax::JsonLines } else { Syntax::Json }
            }
        }
    }

    /// The values of JSON one after the other, each with its place: the lines, the elements of the list that the text is, or the whole. None of
    /// another syntax.
    pub(super) fn values(self, text: &str) -> Values<'_> {
        let text = text.trim_start_matches('\u{feff}');
        let read = |text: &str| {
            serde_json::from_str(text).map_err(|fault| {
                let why = fault.to_string();
                let why = why.split(" at line ").next().unwrap_or_default();
                format!("{why}, column {}", fault.column())
            })
        };
        match self {
            Syntax::JsonLines => {
                let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
                Box::new(lines.map(move |(index, line)| (format!("line {}", index + 1), read(line))))
            }
            Syntax::Json => match read(text) {
                Ok(Value::Array(list)) => {
                    let elements = list.into_iter().enumerate();
                    Box::new(elements.map(|(index, value)| (format!("element {}", index + 1), Ok(value))))
                }
                value => Box::new(std::iter::once(("the file".to_owned(), value))),
            },
            Syntax::Csv | Syntax::Yaml => Box::new(std::iter::empty()),
        }
    }

    /// The values of a text. A number that JSON would write otherwise is a string, as it is written. JSON Lines and CSV become a list.
    ///
    /// # Errors
    /// If the text cannot be read: where, and why.
    pub(crate) fn read(self, text: &str) -> Result<Value, ImportError> {
        match self {
            Syntax::Json => json(text, 0),
            Syntax::JsonLines => {
                let text = text.trim_start_matches('\u{feff}');
                let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
                lines.map(|(index, line)| json(line, index)).collect::<Result<_, _>>().map(Value::Array)
            }
            Syntax::Csv => csv(text),
            Syntax::Yaml => yaml(text),
        }
    }
}

/// `before` is the number of lines in front of the text.
fn json(text: &str, before: usize) -> Result<Value, ImportError> {
    let parsed = parse(text);
    let fault = |at: usize, why: String| {
        let at = Text::new(text).line_column(at);
        Err(ImportError(format!("line {}, column {}: {why}", at.line + before, at.column)))
    };
    if let Some(error) = parsed.errors.first() {
        return fault(error.span.start, error.kind.to_string());
    }
    let Some(root) = parsed.tree.root(text) else { return Ok(Value::Null) };
    match root.descendants().find_map(repeated) {
        Some((key, at)) => fault(at, format!("the key `{key}` is there twice; remove one")),
        None => Ok(value(root)),
    }
}

/// The first key that an object has twice, and where the second one is.
fn repeated(node: Node<'_>) -> Option<(String, usize)> {
    let mut known = HashSet::new();
    let keys = node.members().filter_map(|member| Some((member.key.as_str()?.into_owned(), member.key.span().start)));
    keys.into_iter().find(|(key, _)| !known.insert(key.clone()))
}

/// The tree's depth is limited by the parser.
fn value(node: Node<'_>) -> Value {
    match node.kind() {
        Kind::Object => {
            let members = node.members().filter_map(|member| Some((member.key.as_str()?.into_owned(), member.value?)));
            Value::Object(members.map(|(key, node)| (key, value(node))).collect())
        }
        Kind::Array => Value::Array(node.elements().map(value).collect()),
        Kind::Number => match node.to_value() {
            Value::Number(number) if number.to_string() == node.text() => Value::Number(number),
            _ => Value::String(node.text().to_owned()),
        },
        _ => node.to_value(),
    }
}

/// The delimiter that no text has: that of a table with one column.
const NO_DELIMITER: char = '\u{1f}';

fn csv(text: &str) -> Result<Value, ImportError> {
    if text.matches('"').count() % 2 == 1 {
        return Err(ImportError("a double quote has no partner; write a quote within a text twice: `\"\"`".to_owned()));
    }
    let (named, text) = named_delimiter(text);
    let first = text.lines().next().unwrap_or_default();
    let count = |delimiter: char| first.matches(delimiter).count();
    let delimiter = [',', ';', '\t'].into_iter().max_by_key(|delimiter| (count(*delimiter), *delimiter == ','));
    let delimiter = named.or(delimiter.filter(|delimiter| count(*delimiter) > 0)).unwrap_or(NO_DELIMITER);
    let mut rows = records(text, delimiter).into_iter();
    let names = distinct(rows.next().unwrap_or_default());
    let is_blank = |row: &Vec<String>| row.iter().all(|field| field.trim().is_empty());
    let objects = rows.enumerate().filter(|(_, row)| !is_blank(row)).map(|(index, row)| {
        if row.len() > names.len() {
            return Err(ImportError(format!(
                "row {} has {} fields, and the first line names {}; put text with a `{delimiter}` in double quotes",
                index + 1,
                row.len(),
                names.len()
            )));
        }
        Ok(Value::Object(names.iter().cloned().zip(row.into_iter().map(Value::String)).collect()))
    });
    objects.collect::<Result<_, _>>().map(Value::Array)
}

/// The text of a file in UTF-16, as Excel saves "Unicode text".
pub(crate) fn utf16(bytes: &[u8]) -> Option<String> {
    let (read, rest): (fn([u8; 2]) -> u16, _) = match bytes {
        [0xff, 0xfe, rest @ ..] => (u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => (u16::from_be_bytes, rest),
        _ => return None,
    };
    let units: Vec<u16> = rest.chunks(2).map(|unit| Some(read(unit.try_into().ok()?))).collect::<Option<_>>()?;
    String::from_utf16(&units).ok()
}

/// The delimiter that a first line for Excel names, such as `sep=;`, and the text after that line.
fn named_delimiter(text: &str) -> (Option<char>, &str) {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let line = line.trim_end_matches('\r').trim_start_matches('\u{feff}');
    let line = line.strip_prefix('"').and_then(|line| line.strip_suffix('"')).unwrap_or(line);
    let named = line.split_at_checked("sep=".len()).filter(|(key, _)| key.eq_ignore_ascii_case("sep="));
    let delimiter = named.and_then(|(_, value)| value.parse().ok()).filter(|c: &char| c.is_ascii() && *c != '"');
    (delimiter, if delimiter.is_some() { rest } else { text })
}

/// The parts of a text between commas, without the white space around each. A part in double quotes may have commas.
pub(super) fn fields(text: &str) -> Vec<String> {
    let mut is_quoted = false;
    let fields = text.split(|c: char| {
        is_quoted ^= c == '"';
        c == ',' && !is_quoted
    });
    let bare = |field: &str| {
        let field = field.trim();
        let quoted = field.strip_prefix('"').and_then(|field| field.strip_suffix('"'));
        quoted.map_or_else(|| field.to_owned(), |quoted| quoted.replace("\"\"", "\""))
    };
    fields.map(bare).filter(|field| !field.is_empty()).collect()
}

/// The records of a table.
fn records(text: &str, delimiter: char) -> Vec<Vec<String>> {
    let mut reader = ReaderBuilder::new().delimiter(delimiter as u8).build();
    let (mut rest, mut field) = (text.as_bytes(), Vec::new());
    let mut buffer = [0; 4096];
    let (mut records, mut record) = (Vec::new(), Vec::new());
    loop {
        let (result, read, written) = reader.read_field(rest, &mut buffer);
        rest = &rest[read..];
        field.extend_from_slice(&buffer[..written]);
        match result {
            ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
            ReadFieldResult::End => return records,
            ReadFieldResult::Field { record_end } => {
                record.push(String::from_utf8_lossy(&std::mem::take(&mut field)).into_owned());
                if record_end {
                    records.push(std::mem::take(&mut record));
                }
            }
        }
    }
}

/// The names of columns, each different: the second `x` becomes `x 2`.
fn distinct(names: Vec<String>) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let names = names.into_iter().map(|name| {
        let name = name.trim().to_owned();
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        if *count == 1 { name } else { format!("{name} {count}") }
    });
    names.collect()
}

/// A mapping with the members of those under `<<` that it does not have. <https://yaml.org/type/merge.html>
fn merged(value: Value) -> Value {
    let Value::Object(mut object) = value else { return value };
    let bases = match object.get("<<") {
        Some(Value::Object(base)) => vec![base.clone()],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_object).cloned().collect(),
        _ => return Value::Object(object),
    };
    object.shift_remove("<<");
    for (key, value) in bases.into_iter().flatten() {
        object.entry(key).or_insert(value);
    }
    Value::Object(object)
}

/// A list or an object of YAML that has begun.
struct Open {
    value: Value,
    /// The key whose value follows.
    key: Option<String>,
    anchor: usize,
    /// How many bytes there are in it.
    size: usize,
}

fn yaml(text: &str) -> Result<Value, ImportError> {
    let mut open: Vec<Open> = Vec::new();
    let mut anchors: HashMap<usize, (Value, usize)> = HashMap::new();
    let mut documents = Vec::new();
    let mut total = 0;
    for event in Parser::new_from_str(text.strip_prefix('\u{feff}').unwrap_or(text)) {
        let fault = |at: &Marker, why: &str| ImportError(format!("line {}, column {}: {why}", at.line(), at.col() + 1));
        let (event, span) = event.map_err(|error| fault(error.marker(), error.info()))?;
        let refused = |why: &str| Err(fault(&span.start, why));
        let is_list = matches!(event, Event::SequenceStart(..));
        let (value, anchor, size) = match event {
            Event::Scalar(_, _, _, Some(tag))
            | Event::SequenceStart(_, Some(tag))
            | Event::MappingStart(_, Some(tag))
                if !tag.is_yaml_core_schema() =>
            {
                return refused(&format!("the tag `{}{}` is not supported", tag.handle, tag.suffix));
            }
            Event::Scalar(text, style, anchor, tag) => {
                let is_plain = style == ScalarStyle::Plain && tag.is_none();
                let value = match &*text {
                    "" | "~" | "null" | "Null" | "NULL" if is_plain => Value::Null,
                    "true" | "True" | "TRUE" if is_plain => Value::Bool(true),
                    "false" | "False" | "FALSE" if is_plain => Value::Bool(false),
                    text => Value::String(text.to_owned()),
                };
                (value, anchor, OF_VALUE + text.len())
            }
            Event::SequenceStart(..) | Event::MappingStart(..) if open.len() >= DEEPEST => {
                return refused("the lists and mappings are nested too deep");
            }
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                let value = if is_list { Value::Array(Vec::new()) } else { Value::Object(Map::new()) };
                open.push(Open { value, key: None, anchor, size: OF_VALUE });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(ended) => (merged(ended.value), ended.anchor, ended.size),
                None => continue,
            },
            Event::Alias(anchor) => match anchors.get(&anchor) {
                Some((value, size)) if total + size <= MOST_BYTES => (value.clone(), 0, *size),
                Some(_) => {
                    return refused(&format!("with its aliases, the file has more than {} MiB", MOST_BYTES >> 20));
                }
                None => return refused("this alias has no anchor"),
            },
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {
                continue;
            }
        };
        total += size;
        if total > MOST_BYTES {
            return refused(&format!("the file has more than {} MiB of values", MOST_BYTES >> 20));
        }
        if anchor > 0 {
            total += size;
            anchors.insert(anchor, (value.clone(), size));
        }
        match open.last_mut() {
            None => documents.push(value),
            Some(parent) => {
                parent.size += size;
                match (&mut parent.value, parent.key.take()) {
                    (Value::Array(list), _) => list.push(value),
                    (Value::Object(object), Some(key)) => {
                        if object.contains_key(&key) {
                            return refused(&format!("the key `{key}` is there twice; remove one"));
                        }
                        object.insert(key, value);
                    }
                    (_, _) => parent.key = Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
                }
            }
        }
    }
    if documents.len() > 1 {
        return Err(ImportError("the file has several YAML documents; put each in a file".to_owned()));
    }
    Ok(documents.pop().unwrap_or(Value::Null))
}

/// The columns that are read.
const KEYS: [&str; 5] = ["question", "prompt", "expected_response", "testing_method", "test_method_type"];

/// The case of a row.
pub(super) fn case((index, row): (usize, &&Value)) -> Draft {
    let mut draft = Draft::at(format!("row {}", index + 1));
    let get = |names: &[&str]| {
        let found = row.as_object()?.iter().find(|(key, _)| names.contains(&snake(key).as_str()));
        found.filter(|(_, value)| !is_nothing(value))
    };
    draft.prompt = get(&["question", "prompt"]).and_then(|(_, prompt)| text(prompt));
    let method = get(&["testing_method", "test_method_type"]).and_then(|(_, method)| text(method)).unwrap_or_default();
    if let Some((name, expected)) = get(&["expected_response"]) {
        match snake(&method).as_str() {
            "keyword_match" => {
                let keywords: Vec<String> = elements(expected, true).iter().filter_map(phrase).collect();
                if keywords.len() > 1 {
                    draft.one_of(name, "must_say_all");
                }
                draft.says_one_of(keywords);
            }
            "exact_match" => {
                let expected = text(expected).unwrap_or_default();
                draft.leave_out("`Exact match` compares the whole answer, and a pattern is tried on each line");
                if !expected.trim().contains('\n') {
                    draft.pattern(format!(r"(?-i)^\s*{}\s*$", escape(expected.trim())), true);
                }
            }
            _ => {
                let asks =
                    if method.is_empty() { String::new() } else { format!(" by `{method}`, which asks a model") };
                draft.leave_out(format!(
                    "`{name}` is compared with the answer{asks}; for a phrase that the answer must have: `{}`",
                    columns_option("must_say_any", name)
                ));
            }
        }
    }
    let is_read = |key: &str| KEYS.contains(&snake(key).as_str());
    for (key, value) in row.as_object().into_iter().flatten().filter(|(key, value)| !is_read(key) && !is_nothing(value))
    {
        draft.unknown(key, value);
    }
    draft
}
