//! What a program may answer: one JSON object, and nothing else.

use crate::diagnostic::{nearest, quoted};
use crate::syntax::{self, Kind, Node, SyntaxErrorKind};
use crate::text::{Encoding, Position, Text};
use crate::transcript::{Event, Excess, within_limits};

/// What a program answered.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ProgramAnswer {
    pub(super) response: String,
    pub(super) telemetry: Vec<Event>,
}

/// Why standard output holds no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum AnswerError {
    #[error("it printed nothing to standard output")]
    Empty,
    #[error("standard output is not UTF-8: the byte at offset {0} begins no character")]
    NotUtf8(usize),
    #[error("something follows the JSON object on standard output, at line {}, column {}", at.line + 1, at.column + 1)]
    TextAfterEnd { at: Position },
    #[error("standard output is not JSON")]
    NotJson,
    #[error("standard output is not JSON: {what} (line {}, column {})", at.line + 1, at.column + 1)]
    Broken { what: String, at: Position },
    #[error("expected an object on standard output, found {0}")]
    NotAnObject(&'static str),
    #[error("the answer has no `response`")]
    NoResponse,
    #[error("`{key}` of the answer must be {expected}, found {found}")]
    WrongType { key: String, expected: &'static str, found: &'static str },
    #[error("the answer {0}")]
    Excess(#[from] Excess),
    #[error("the answer has an unknown key {}{}", quoted(key), keys(key))]
    UnknownKey { key: String },
}

const RESPONSE: &str = "response";
const TELEMETRY: &str = "telemetry";

impl ProgramAnswer {
    /// Reads standard output. Halves of surrogate pairs become U+FFFD; any other fault is an error.
    pub(super) fn parse(stdout: &[u8]) -> Result<ProgramAnswer, AnswerError> {
        let source = std::str::from_utf8(stdout).map_err(|error| AnswerError::NotUtf8(error.valid_up_to()))?;
        // A byte order mark at the start does not count.
        let source = source.strip_prefix('\u{feff}').unwrap_or(source);
        if source.trim_ascii().is_empty() {
            return Err(AnswerError::Empty);
        }
        let parsed = syntax::parse(source);
        if let Some(fault) = parsed.errors.iter().find(|error| !error.kind.is_of_value()) {
            let at = Text::new(source).position(fault.span.start, Encoding::Utf32);
            return Err(match &fault.kind {
                SyntaxErrorKind::TextAfterEnd => AnswerError::TextAfterEnd { at },
                kind if source.trim_ascii_start().starts_with('{') => {
                    AnswerError::Broken { what: kind.to_string(), at }
                }
                _ => AnswerError::NotJson,
            });
        }
        let root = parsed.tree.root(source).ok_or(AnswerError::Empty)?;
        if root.kind() != Kind::Object {
            return Err(AnswerError::NotAnObject(kind(root)));
        }
        within_limits(root).map_err(|(_, excess)| excess)?;
        for key in root.members().filter_map(|member| member.key.as_str()) {
            if key != RESPONSE && key != TELEMETRY {
                return Err(AnswerError::UnknownKey { key: key.into_owned() });
            }
        }
        let response = root.get(RESPONSE).ok_or(AnswerError::NoResponse)?;
        let response = response.as_str().ok_or_else(|| wrong_type(RESPONSE.to_owned(), "a string", response))?;
        Ok(ProgramAnswer { response: response.into_owned(), telemetry: telemetry(root)? })
    }
}

fn telemetry(root: Node<'_>) -> Result<Vec<Event>, AnswerError> {
    // As in transcripts, `null` counts as absent.
    let Some(list) = root.get(TELEMETRY).filter(|list| list.kind() != Kind::Null) else { return Ok(Vec::new()) };
    if list.kind() != Kind::Array {
        return Err(wrong_type(TELEMETRY.to_owned(), "a list of events", list));
    }
    let event = |(index, event): (usize, Node<'_>)| match event.kind() {
        // A string is a log line that is not JSON.
        Kind::Object | Kind::String => Ok(Event::from_node(event)),
        _ => Err(wrong_type(format!("{TELEMETRY}[{index}]"), "an object", event)),
    };
    list.elements().enumerate().map(event).collect()
}

fn wrong_type(key: String, expected: &'static str, found: Node<'_>) -> AnswerError {
    AnswerError::WrongType { key, expected, found: kind(found) }
}

fn kind(node: Node<'_>) -> &'static str {
    match node.kind() {
        Kind::Object => "an object",
        Kind::Array => "a list",
        Kind::String => "a string",
        Kind::Number => "a number",
        Kind::True | Kind::False => "a boolean",
        Kind::Null => "null",
        Kind::Member | Kind::Invalid => "something else",
    }
}

/// The key that is meant, or all keys of an answer.
fn keys(key: &str) -> String {
    match nearest(key, [RESPONSE, TELEMETRY]) {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None => format!("; its keys are `{RESPONSE}` and `{TELEMETRY}`"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answers() {
        for (stdout, response, telemetry) in [
            (r#"{"response": "hi"}"#, "hi", json!([])),
            ("\r\n\t {\"response\": \"\"} \n\n", "", json!([])),
            ("\u{feff}{\"response\": \"a\", \"telemetry\": null}\n", "a", json!([])),
            (r#"{"telemetry": [], "response": "a\nb"}"#, "a\nb", json!([])),
            (r#"{"response": "", "telemetry": [{"event": "start"}, "raw"]}"#, "", json!([{"event": "start"}, "raw"])),
            (r#"{"response": "a\ud83d b\udc00\ud83d\ude80"}"#, "a\u{fffd} b\u{fffd}🚀", json!([])),
        ] {
            let telemetry = telemetry.as_array().unwrap().iter().cloned().map(Event::from_value).collect();
            assert_eq!(
                ProgramAnswer::parse(stdout.as_bytes()),
                Ok(ProgramAnswer { response: response.to_owned(), telemetry })
            );
        }
    }

    #[test]
    fn anything_else_is_an_error() {
        for (stdout, message) in [
            (&b" \n"[..], "it printed nothing to standard output"),
            (b"\xff{}", "standard output is not UTF-8: the byte at offset 0 begins no character"),
            (
                br#"{"response": "a"} {"response": "b"}"#,
                "something follows the JSON object on standard output, at line 1, column 19",
            ),
            (
                b"{\"response\": \"a\"}\ndone",
                "something follows the JSON object on standard output, at line 2, column 1",
            ),
            (b"Starting", "standard output is not JSON"),
            (b"{\"response\": \"a\",}", "standard output is not JSON: trailing comma before `}` (line 1, column 17)"),
            (b"[]", "expected an object on standard output, found a list"),
            (b"{}", "the answer has no `response`"),
            (br#"{"response": null}"#, "`response` of the answer must be a string, found null"),
            (
                br#"{"response": "", "telemetry": {}}"#,
                "`telemetry` of the answer must be a list of events, found an object",
            ),
            (
                br#"{"response": "", "telemetry": [{}, 1]}"#,
                "`telemetry[1]` of the answer must be an object, found a number",
            ),
            (
                br#"{"response": "", "telemtry": []}"#,
                "the answer has an unknown key `telemtry`; did you mean `telemetry`?",
            ),
            (
                br#"{"response": "y", "response": "x"}"#,
                "the answer has the key `response` twice in one object; name each key once",
            ),
            (
                "{\"response\": \"\", \"a\u{202e}\": 1}".as_bytes(),
                r"the answer has an unknown key `a\u{202e}`; its keys are `response` and `telemetry`",
            ),
        ] {
            let error = ProgramAnswer::parse(stdout).expect_err("this is not an answer");
            assert_eq!(error.to_string(), message);
        }
    }
}
