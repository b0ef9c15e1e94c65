use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Number, Value};

use super::string::encode;
use super::{Kind, Node};

impl Node<'_> {
    /// The node as a value. Of duplicate keys the last one counts; what is not JSON is `null`.
    pub(crate) fn to_value(self) -> Value {
        // Recursion is bounded by the tree's depth, which the parser caps.
        match self.kind() {
            Kind::Object => {
                let members = self.members().filter(|member| member.key.kind() == Kind::String);
                Value::Object(members.fold(Map::new(), |mut map, member| {
                    let key = member.key.as_str().unwrap_or_default().into_owned();
                    map.insert(key, member.value.map_or(Value::Null, Node::to_value));
                    map
                }))
            }
            Kind::Array => Value::Array(self.elements().map(Node::to_value).collect()),
            Kind::String => Value::String(self.as_str().unwrap_or_default().into_owned()),
            Kind::Number => self.text().parse::<Number>().map_or(Value::Null, Value::Number),
            Kind::True => Value::Bool(true),
            Kind::False => Value::Bool(false),
            Kind::Null | Kind::Member | Kind::Invalid => Value::Null,
        }
    }

    /// The node as compact JSON with each number as it is written, if that differs from the text of [`to_value`](Self::to_value).
    pub(crate) fn to_compact(self) -> Option<String> {
        let is_other = |node: Node<'_>| node.kind() == Kind::Number && !is_written_so(node.text());
        if !self.descendants().any(is_other) {
            return None;
        }
        let mut text = String::new();
        self.write(&mut text);
        Some(text)
    }

    fn write(self, text: &mut String) {
        match self.kind() {
            Kind::Object => {
                // As in the value, the last of equal keys counts, at the place of the first.
                let named = || self.members().filter_map(|member| Some((member.key.as_str()?, member.value)));
                let mut last: HashMap<Cow<'_, str>, Option<Node<'_>>> = named().collect();
                let first = named().filter_map(|(key, _)| Some((last.remove(&key)?, key)));
                text.push('{');
                for (index, (value, key)) in first.enumerate() {
                    text.push_str(if index > 0 { "," } else { "" });
                    text.push_str(&encode(&key));
                    text.push(':');
                    match value {
                        Some(value) => value.write(text),
                        None => text.push_str("null"),
                    }
                }
                text.push('}');
            }
            Kind::Array => {
                text.push('[');
                for (index, element) in self.elements().enumerate() {
                    text.push_str(if index > 0 { "," } else { "" });
                    element.write(text);
                }
                text.push(']');
            }
            Kind::Number => text.push_str(self.text()),
            _ => text.push_str(&self.to_value().to_string()),
        }
    }
}

/// Whether a JSON number is written as its value is.
fn is_written_so(number: &str) -> bool {
    let is_short = number.len() <= 15 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_short || number.parse::<Number>().is_ok_and(|value| value.to_string() == number)
}
