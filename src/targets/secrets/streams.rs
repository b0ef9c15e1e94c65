use std::collections::HashMap;

use serde_json::Value;

/// The strings of a value by the keys that lead to them. The places in lists do not count: a model streams an answer as a list of
/// events with a few letters each.
#[derive(Default)]
pub(super) struct Streams<'v> {
    pieces: Vec<&'v mut String>,
    members: HashMap<String, Streams<'v>>,
}

impl<'v> Streams<'v> {
    pub(super) fn of(values: &'v mut [Value]) -> Self {
        let mut streams = Self::default();
        values.iter_mut().for_each(|value| streams.collect(value));
        streams
    }

    fn collect(&mut self, value: &'v mut Value) {
        // Recursion is bounded by the depth that the parser of the value allowed.
        match value {
            Value::String(text) => self.pieces.push(text),
            Value::Array(list) => list.iter_mut().for_each(|value| self.collect(value)),
            Value::Object(map) => {
                for (key, value) in map.iter_mut() {
                    if !self.members.contains_key(key) {
                        self.members.insert(key.clone(), Self::default());
                    }
                    self.members.get_mut(key).expect("it was just inserted").collect(value);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Calls `work` with the pieces of each text.
    pub(super) fn for_each(&mut self, work: &mut impl FnMut(&mut [&'v mut String])) {
        if !self.pieces.is_empty() {
            work(&mut self.pieces);
        }
        self.members.values_mut().for_each(|member| member.for_each(work));
    }
}
