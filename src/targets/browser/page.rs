//! A page in the form of the accessibility snapshot.

use std::ops::Range;

use serde_json::Value;

use crate::config::ChatInput;
use crate::diagnostic::quoted;
use crate::targets::plain::plain;

/// A snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    /// The address of the page.
    pub(super) address: String,
    /// The accessibility tree, one line for each node.
    pub(super) text: String,
    /// The elements that take actions, in the order of the page.
    elements: Vec<Element>,
}

/// An element that takes actions.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Element {
    reference: String,
    role: String,
    name: String,
}

/// Why the page does not have exactly one chat input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoInput {
    /// No element is the wanted one. It has the other fields of the page.
    #[error("the page has no {0}; {1}")]
    None(String, String),
    /// There are several of the wanted element: their number, and the first of them.
    #[error("the page has {1} fields where one {0} was expected: {2}")]
    Several(String, usize, String),
}

/// How many elements a message lists. A person finds the right one among them.
const LISTED: usize = 8;

/// The roles of elements into which text can be typed.
const FIELDS: [&str; 4] = ["textbox", "searchbox", "combobox", "spinbutton"];

/// The roles that a chat input may have if a page has no text box.
const OTHER_INPUTS: [&str; 2] = ["combobox", "searchbox"];

/// Words in the name of a field for prompts, and in those of other fields.
const CHAT_WORDS: [&str; 8] = ["ask", "message", "chat", "prompt", "question", "assistant", "send", "reply"];
const OTHER_WORDS: [&str; 8] = ["search", "filter", "find", "email", "password", "username", "title", "url"];

impl Page {
    /// The answer of the snapshot command. The references that agent-browser puts into its lines are removed from the text:
    /// they number the elements and differ between runs.
    pub(super) fn read(result: &Value) -> Option<Page> {
        let snapshot = result.get("snapshot")?.as_str()?;
        let known = result.get("refs").and_then(Value::as_object);
        let mut text = String::with_capacity(snapshot.len());
        let mut elements: Vec<Element> = Vec::new();
        for line in snapshot.lines() {
            let found = reference(line).and_then(|place| Some((place.clone(), known?.get(&line[place])?)));
            match found {
                Some((place, element)) => {
                    let word = |key| element.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
                    let reference = line[place.clone()].to_owned();
                    elements.push(Element { reference, role: word("role"), name: word("name") });
                    push_without(&mut text, line, place);
                }
                None => text.push_str(line),
            }
            text.push('\n');
        }
        text.truncate(text.trim_end_matches('\n').len());
        let address = result.get("origin").and_then(Value::as_str).unwrap_or_default().to_owned();
        Some(Page { address, text, elements })
    }

    /// The reference of the chat input: the one element of that role and name. If no name is wanted, the first of that role
    /// whose name is that of a chat's field, else the first that is not a field for something else. If nothing is wanted,
    /// a combobox or a search box may take the place of a text box.
    pub(super) fn input(&self, wanted: &ChatInput) -> Result<&str, NoInput> {
        let has_role = |element: &&Element| element.role.eq_ignore_ascii_case(&wanted.role);
        let Some(name) = &wanted.name else {
            let mut all: Vec<_> = self.elements.iter().filter(has_role).collect();
            if all.is_empty() && *wanted == ChatInput::default() {
                all = self.elements.iter().filter(|element| OTHER_INPUTS.contains(&element.role.as_str())).collect();
            }
            let chosen = all
                .iter()
                .find(|element| element.says(&CHAT_WORDS))
                .or_else(|| all.iter().find(|element| !element.says(&OTHER_WORDS)))
                .or(all.first());
            return chosen.map(|element| &*element.reference).ok_or_else(|| self.no_input(wanted));
        };
        let alike: Vec<_> =
            self.elements.iter().filter(has_role).filter(|element| element.name.trim() == name.trim()).collect();
        match alike[..] {
            [] => Err(self.no_input(wanted)),
            [one] => Ok(&one.reference),
            _ => {
                let first = alike.iter().take(LISTED).map(|it| format!("{} ({})", it.shown(), it.reference));
                let first = first.collect::<Vec<_>>().join(", ");
                Err(NoInput::Several(shown(&wanted.role, Some(name)), alike.len(), first))
            }
        }
    }

    /// The reference of the one element of that role and, if one is given, that name.
    pub(super) fn one(&self, role: &str, name: Option<&str>) -> Option<&str> {
        let mut alike = self.elements.iter().filter(|element| {
            element.role.eq_ignore_ascii_case(role) && name.is_none_or(|name| element.name.trim() == name.trim())
        });
        alike.next().filter(|_| alike.next().is_none()).map(|element| &*element.reference)
    }

    /// The first of these texts that is on the page.
    pub(super) fn shows<'a>(&self, texts: &'a [String]) -> Option<&'a str> {
        texts.iter().map(String::as_str).find(|text| !text.is_empty() && self.says(text))
    }

    /// Within a line, quotes and backslashes are escaped.
    fn says(&self, text: &str) -> bool {
        self.text.contains(text)
            || (text.contains(['"', '\\', '\n']) && {
                let quoted = Value::from(text).to_string();
                self.text.contains(&quoted[1..quoted.len() - 1])
            })
    }

    fn no_input(&self, wanted: &ChatInput) -> NoInput {
        let is_field = |element: &&Element| {
            element.role.eq_ignore_ascii_case(&wanted.role) || FIELDS.contains(&element.role.as_str())
        };
        let others: Vec<_> = self.elements.iter().filter(is_field).take(LISTED).map(Element::shown).collect();
        let others = match &others[..] {
            [] => "it has no field at all".to_owned(),
            _ => format!("its fields are {}", others.join(", ")),
        };
        NoInput::None(shown(&wanted.role, wanted.name.as_ref()), others)
    }
}

impl Element {
    /// Whether its name has one of these words and none that belongs to a search.
    fn says(&self, words: &[&str]) -> bool {
        let name = self.name.to_lowercase();
        let mut said = name.split(|c: char| !c.is_alphanumeric());
        said.clone().any(|word| words.contains(&word))
            && (words == OTHER_WORDS || !said.any(|word| OTHER_WORDS.contains(&word)))
    }

    fn shown(&self) -> String {
        shown(&self.role, Some(&self.name))
    }
}

/// The place of the reference in a line such as `- role "name" [attribute, ref=e1]: value`. The name and the value are text
/// of the page, and may look like a reference.
fn reference(line: &str) -> Option<Range<usize>> {
    let head = line.len() - line.trim_start().strip_prefix("- ")?.len();
    let mut at = head + line[head..].find(' ')?;
    if line[at..].starts_with(" \"") {
        let mut escaped = false;
        let end = line[at + 2..].bytes().position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        })?;
        at += 2 + end + 1;
    }
    let attributes = line[at..].strip_prefix(" [")?;
    let attributes = &attributes[..attributes.find(']')?];
    let start = at + 2 + attributes.rfind("ref=")? + "ref=".len();
    let end = start + line[start..].find([']', ','])?;
    Some(start..end)
}

/// The line without that reference, and without empty brackets.
fn push_without(text: &mut String, line: &str, reference: Range<usize>) {
    let before = &line[..reference.start - "ref=".len()];
    let after = &line[reference.end..];
    match (before.strip_suffix(" ["), after.strip_prefix(']'), before.strip_suffix(", "), after.strip_prefix(", ")) {
        (Some(before), Some(after), _, _) => text.extend([before, after]),
        (_, _, Some(before), _) => text.extend([before, after]),
        (_, _, _, Some(after)) => text.extend([before, after]),
        _ => text.push_str(line),
    }
}

fn shown(role: &str, name: Option<&String>) -> String {
    match name {
        Some(name) => format!("{} {}", plain(role), quoted(name)),
        None => plain(role),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn page() -> Page {
        let result = json!({
            "origin": "http://localhost:3000/",
            "refs": {
                "e1": { "role": "textbox", "name": "Search" },
                "e10": { "role": "textbox", "name": "Note" },
                "e2": { "role": "textbox", "name": "Ask" },
                "e3": { "role": "button", "name": "Ask" },
                "e4": { "role": "textbox", "name": "Note" },
            },
            "snapshot": "- main\n  - textbox \"Ask\" [ref=e2]\n  - button \"Ask\" [ref=e3]\n- textbox \"Search\" [ref=e1]: v [ref=e3]\n\
                         - textbox \"Note\" [disabled, ref=e10]\n- textbox \"Note\" [ref=e4, active]\n\
                         - StaticText \"a \\\"b\\\" [ref=e1] Thinking…\"\n- heading \"a \\\\\" [level=1, ref=e99]\n",
        });
        Page::read(&result).unwrap()
    }

    fn input(role: &str, name: Option<&str>) -> Result<String, String> {
        let wanted = ChatInput { role: role.to_owned(), name: name.map(str::to_owned) };
        page().input(&wanted).map(str::to_owned).map_err(|error| error.to_string())
    }

    #[test]
    fn a_text_has_no_references_but_what_the_page_says() {
        let text = "- main\n  - textbox \"Ask\"\n  - button \"Ask\"\n- textbox \"Search\": v [ref=e3]\n- textbox \"Note\" [disabled]\n\
                    - textbox \"Note\" [active]\n- StaticText \"a \\\"b\\\" [ref=e1] Thinking…\"\n- heading \"a \\\\\" [level=1, ref=e99]";
        assert_eq!(page().text, text);
    }

    #[test]
    fn the_input_is_found_by_role_and_name() {
        assert_eq!(input("textbox", Some("Ask")), Ok("e2".to_owned()));
        assert_eq!(input("Textbox", Some(" Search ")), Ok("e1".to_owned()));
        assert_eq!(
            input("textbox", None),
            Ok("e2".to_owned()),
            "the first on the page, not the first that was numbered"
        );
        assert_eq!(input("button", None), Ok("e3".to_owned()));
    }

    #[test]
    fn a_combobox_is_the_input_of_a_page_without_a_text_box_unless_another_is_wanted() {
        let page = Page::read(&json!({
            "refs": {
                "e1": { "role": "searchbox", "name": "Search orders" },
                "e2": { "role": "combobox", "name": "Message the assistant" },
            },
            "snapshot": "- searchbox \"Search orders\" [ref=e1]\n- combobox \"Message the assistant\" [ref=e2]",
        }));
        let page = page.unwrap();
        assert_eq!(page.input(&ChatInput::default()), Ok("e2"));
        let wanted = ChatInput { name: Some("Ask".to_owned()), ..ChatInput::default() };
        assert!(matches!(page.input(&wanted), Err(NoInput::None(..))));
    }

    #[test]
    fn none_and_several_inputs_are_told_with_the_candidates() {
        let fields = "its fields are textbox `Ask`, textbox `Search`, textbox `Note`, textbox `Note`";
        assert_eq!(input("textbox", Some("Answer")), Err(format!("the page has no textbox `Answer`; {fields}")));
        assert_eq!(
            input("textbox", Some("Note")),
            Err("the page has 2 fields where one textbox `Note` was expected: textbox `Note` (e10), textbox `Note` (e4)"
                .to_owned())
        );
        let empty = Page::read(&json!({ "snapshot": "(empty page)" })).unwrap();
        let error = empty.input(&ChatInput::default()).unwrap_err();
        assert_eq!(error.to_string(), "the page has no textbox; it has no field at all");
    }

    #[test]
    fn busy_texts_are_found_as_they_are_read() {
        let shows = |text: &str| page().shows(&[String::new(), text.to_owned()]).is_some();
        assert!(shows("Thinking…"));
        assert!(shows("a \"b\""));
        assert!(!shows("thinking…"));
        assert!(!shows(""));
    }

    #[test]
    fn what_is_no_snapshot_is_no_page() {
        for result in [json!(null), json!({}), json!({ "snapshot": 1 }), json!("text")] {
            assert_eq!(Page::read(&result), None);
        }
    }
}
