use serde_json::{Map, Number, Value};

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
}
