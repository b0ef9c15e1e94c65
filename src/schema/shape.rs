use std::sync::LazyLock;

use serde_json::Value;

use crate::schema::SchemaName;
use crate::syntax::{Kind, Member, Node, Step};

/// The schema of one place in a suite of some version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(super) schema: &'static Value,
    definitions: &'static Value,
}

/// A key that an object may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// The name.
    pub(crate) name: &'static str,
    /// The schema of its value.
    pub(crate) shape: Shape,
    /// Whether the object must have it.
    pub(crate) is_required: bool,
}

/// A type of JSON in a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the type of its name")]
pub(crate) enum Type {
    Object,
    Array,
    String,
    Number,
    Integer,
    Boolean,
}

impl Type {
    /// The name of the type in schemas.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Type::Object => "object",
            Type::Array => "array",
            Type::String => "string",
            Type::Number => "number",
            Type::Integer => "integer",
            Type::Boolean => "boolean",
        }
    }
}

impl Shape {
    /// A whole suite. If `version` is not the schema of a suite, this is the newest one.
    pub(crate) fn suite(version: SchemaName) -> Shape {
        let document = document(version);
        Shape { schema: document, definitions: &document["definitions"] }
    }

    /// An element of `cases`.
    pub(crate) fn case(version: SchemaName) -> Shape {
        let definitions = &document(version)["definitions"];
        Shape { schema: &definitions["case"], definitions }
    }

    /// The schema at the end of a path below this; `None` if there is none.
    pub(crate) fn descend(self, path: &[Step]) -> Option<Shape> {
        path.iter().try_fold(self, |shape, step| match step {
            Step::Key(key) => shape.key(key),
            Step::Index(_) => shape.element(),
        })
    }

    /// The schema of the value of a key.
    pub(crate) fn key(self, key: &str) -> Option<Shape> {
        let named = self.schema["properties"].get(key).map(|schema| self.of(schema));
        named.or_else(|| self.other_keys())
    }

    /// The schema of the values of keys that are not named.
    pub(crate) fn other_keys(self) -> Option<Shape> {
        let schema = self.schema.get("additionalProperties").filter(|schema| schema.is_object());
        schema.map(|schema| self.of(schema))
    }

    /// The least number that is valid.
    pub(super) fn minimum(self) -> Option<f64> {
        self.schema["minimum"].as_f64()
    }

    /// The schema of the elements of a list.
    pub(crate) fn element(self) -> Option<Shape> {
        self.schema.get("items").map(|schema| self.of(schema))
    }

    /// The named keys, in the order of completion.
    pub(crate) fn keys(self) -> impl Iterator<Item = Key> {
        let required = self.schema["required"].as_array();
        let properties = self.schema["properties"].as_object();
        properties.into_iter().flatten().map(move |(name, schema)| Key {
            name,
            shape: self.of(schema),
            is_required: required.is_some_and(|keys| keys.iter().any(|key| key == name)),
        })
    }

    /// The values of a closed list, each with its meaning.
    pub(crate) fn values(self) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
        let meanings = self.schema["enumDescriptions"].as_array();
        let values = self.schema["enum"].as_array().into_iter().flatten().enumerate();
        values.filter_map(move |(index, value)| {
            let meaning = meanings.and_then(|meanings| meanings.get(index)?.as_str());
            Some((value.as_str()?, meaning))
        })
    }

    /// Whether a value may have this type. A place for numbers is also a place for integers.
    pub(crate) fn allows(self, wanted: Type) -> bool {
        let is_wanted = |name: &Value| name == wanted.name() || (wanted == Type::Integer && name == "number");
        match &self.schema["type"] {
            Value::Array(several) => several.iter().any(is_wanted),
            one => is_wanted(one),
        }
    }

    /// Whether an existing value is valid here. Broken text is assumed to be valid.
    pub(crate) fn accepts(self, node: Node<'_>) -> bool {
        // The schema is not recursive, so its depth bounds this recursion.
        match node.kind() {
            Kind::Invalid | Kind::Member => true,
            Kind::Null => false,
            Kind::True | Kind::False => self.allows(Type::Boolean),
            Kind::Number => {
                let is_whole = node.as_f64().is_some_and(|number| number.fract() == 0.0);
                let is_large_enough = node.as_f64() >= self.minimum();
                is_large_enough && self.allows(if is_whole { Type::Integer } else { Type::Number })
            }
            Kind::String => {
                let text = node.as_str().unwrap_or_default();
                self.allows(Type::String)
                    && (self.values().next().is_none() || self.values().any(|(value, _)| value == text))
            }
            Kind::Array => {
                let accepts = |element: Node<'_>| self.element().is_none_or(|shape| shape.accepts(element));
                self.allows(Type::Array) && node.elements().all(accepts)
            }
            Kind::Object => self.allows(Type::Object) && self.accepts_members(node),
        }
    }

    /// The description, in one plain sentence.
    pub(crate) fn description(self) -> Option<&'static str> {
        self.schema["description"].as_str()
    }

    /// The longer description in Markdown, or else the description.
    pub(crate) fn markdown(self) -> Option<&'static str> {
        self.schema["markdownDescription"].as_str().or(self.description())
    }

    /// The default, if it is a single value.
    pub(crate) fn default(self) -> Option<&'static Value> {
        self.schema.get("default")
    }

    /// The default in Markdown, if it is not a single value.
    pub(crate) fn default_in_words(self) -> Option<&'static str> {
        self.schema["x-default"].as_str()
    }

    /// Examples of values.
    pub(crate) fn examples(self) -> impl Iterator<Item = &'static Value> {
        self.schema["examples"].as_array().into_iter().flatten()
    }

    /// The name of the scoring group of its checks.
    pub(crate) fn group(self) -> Option<&'static str> {
        self.schema["x-group"].as_str()
    }

    /// The first version that has it; `None` for 0.1.
    pub(crate) fn since(self) -> Option<SchemaName> {
        SchemaName::from_name(self.schema["x-since"].as_str()?)
    }

    /// The key without which it is ignored.
    pub(crate) fn read_with(self) -> Option<&'static str> {
        self.schema["x-read-with"].as_str()
    }

    /// Whether it is a regular expression.
    pub(crate) fn is_pattern(self) -> bool {
        self.schema["x-pattern"] == true
    }

    /// Whether an existing value has a valid type. Its content does not matter.
    pub(crate) fn accepts_type_of(self, node: Node<'_>) -> bool {
        match node.kind() {
            Kind::Invalid | Kind::Member => true,
            Kind::Null => false,
            Kind::True | Kind::False => self.allows(Type::Boolean),
            Kind::Number => self.allows(Type::Number) || self.allows(Type::Integer),
            Kind::String => self.allows(Type::String),
            Kind::Array => self.allows(Type::Array),
            Kind::Object => self.allows(Type::Object),
        }
    }

    /// Whether an object may have only the keys that the schema names.
    pub(crate) fn is_closed(self) -> bool {
        self.schema["additionalProperties"] == false || self.schema.get("propertyNames").is_some()
    }

    fn accepts_members(self, object: Node<'_>) -> bool {
        let accepts = |member: Member<'_>| {
            let shape = member.key.as_str().and_then(|key| self.key(&key));
            shape.map_or(!self.is_closed(), |shape| member.value.is_none_or(|value| shape.accepts(value)))
        };
        let is_whole = self.keys().all(|key| !key.is_required || object.member(key.name).is_some());
        is_whole && object.members().all(accepts)
    }

    /// The schema behind a `$ref`, or itself.
    fn of(self, schema: &'static Value) -> Shape {
        let target = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/definitions/"));
        Shape { schema: target.map_or(schema, |name| &self.definitions[name]), ..self }
    }
}

/// The schema of a version, parsed once.
fn document(version: SchemaName) -> &'static Value {
    static DOCUMENTS: [LazyLock<Value>; 3] = [
        LazyLock::new(|| parsed(SchemaName::V0_1)),
        LazyLock::new(|| parsed(SchemaName::V0_2)),
        LazyLock::new(|| parsed(SchemaName::V0_3)),
    ];
    DOCUMENTS.get(version as usize).unwrap_or(&DOCUMENTS[2])
}

fn parsed(name: SchemaName) -> Value {
    serde_json::from_str(name.text()).expect("a bundled schema is JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Step;

    fn path(path: &str) -> Vec<Step> {
        let step = |step: &str| step.parse().map_or_else(|_| Step::Key(step.to_owned()), Step::Index);
        path.split('/').filter(|step| !step.is_empty()).map(step).collect()
    }

    fn at(version: SchemaName, steps: &str) -> Option<Shape> {
        Shape::suite(version).descend(&path(steps))
    }

    #[test]
    fn keys_come_required_first() {
        let keys: Vec<_> = Shape::case(SchemaName::V0_1).keys().map(|key| (key.name, key.is_required)).collect();
        assert_eq!(keys[..4], [("id", true), ("prompt", true), ("expected", true), ("setup_prompts", false)]);
        let root = Shape::suite(SchemaName::Config).keys().next().map(|key| key.name);
        assert_eq!(root, Some("cases"));
    }

    #[test]
    fn a_path_leads_through_references_and_lists() {
        for (steps, description) in [
            ("", "Cases that say how an AI assistant should behave; 0.3 adds the morning brief contract."),
            ("cases/7", "One prompt, and the expectations for its answer."),
            ("cases/0/expected/outcome", "What the tools must have done, judged from the telemetry."),
            ("cases/0/expected/must_ground_numbers/1/label", "The name of the number in results."),
            ("cases/0/expected/scoring/hard_fail/0", "A scoring group: each check belongs to one."),
        ] {
            assert_eq!(at(SchemaName::V0_3, steps).and_then(Shape::description), Some(description), "{steps}");
        }
        let patterns = at(SchemaName::V0_2, "cases/0/expected/source_patterns/github/0").unwrap();
        assert!(patterns.allows(Type::String));
    }

    #[test]
    fn some_places_have_no_schema() {
        for steps in ["owner", "cases/0/note", "cases/0/id/x", "cases/0/expected/outcom", "cases/x"] {
            assert!(at(SchemaName::V0_3, steps).is_none(), "{steps}");
        }
        assert!(at(SchemaName::V0_1, "cases/0/expected/must_match_regex").is_none());
    }

    #[test]
    fn valid_values_are_accepted() {
        for (steps, value, is_accepted) in [
            ("name", "\"a\"", true),
            ("name", "1", false),
            ("cases/0/expected/outcome", "\"tool_success\"", true),
            ("cases/0/expected/outcome", "\"success\"", false),
            ("cases/0/expected/required_levers", "2", true),
            ("cases/0/expected/required_levers", "-1", false),
            ("cases/0/expected/required_levers", "1.5", false),
            ("cases/0/expected/ui", "[\"a\", \"b", true),
            ("cases/0/expected/ui", "[1]", false),
            ("cases/0/expected/must_ground_numbers", "[1, \"2\", { \"value\": 3 }]", true),
            ("cases/0/expected/must_ground_numbers", "[{ \"values\": 3 }]", false),
            ("cases/0/expected/must_label_assumptions", "null", false),
            ("cases/0/expected/source_patterns", "{ \"a\": [] }", true),
            ("cases/0/expected/source_patterns", "{ \"a\": 1 }", false),
            ("cases/0/expected/scoring", "{ \"soft_score\": { \"weights\": { \"formattin\": 1 } } }", false),
            ("cases/0", "{ \"id\": \"a\" }", false),
            ("cases/0", "{ \"id\": \"a\", \"prompt\": , \"expected\": {}, \"note\": null }", true),
        ] {
            let parse = crate::syntax::parse(value);
            let node = parse.tree.root(value).unwrap();
            assert_eq!(at(SchemaName::V0_3, steps).unwrap().accepts(node), is_accepted, "{steps} {value}");
        }
    }

    #[test]
    fn a_shape_has_all_keywords_of_the_schema() {
        let outcome = at(SchemaName::V0_1, "cases/0/expected/outcome").unwrap();
        let started = ("tool_started", Some("Any tool at all has a start event, listed or not."));
        assert_eq!(outcome.values().nth(1), Some(started));
        assert_eq!(outcome.values().count(), 5);
        assert_eq!(outcome.group(), Some("tool_hygiene"));
        let regex = at(SchemaName::V0_3, "cases/0/expected/lever_regex").unwrap();
        assert!(regex.is_pattern() && regex.allows(Type::String) && !regex.allows(Type::Number));
        assert_eq!(regex.since(), Some(SchemaName::V0_3));
        assert_eq!(regex.read_with(), Some("required_levers"));
        assert_eq!(regex.default().and_then(Value::as_str), Some(r"(?im)^(?:[-*]|[0-9]+\.)\s+.+"));
        assert_eq!(regex.examples().next().and_then(Value::as_str), Some("^Option [0-9]+:"));
        let value = at(SchemaName::V0_2, "cases/0/expected/must_ground_numbers/0/value").unwrap();
        assert!(value.allows(Type::String) && value.allows(Type::Integer) && !value.allows(Type::Boolean));
        assert!(value.markdown().unwrap().starts_with("The exact number that the response must contain, as text"));
        let version = at(SchemaName::V0_2, "version").unwrap();
        assert!(version.default_in_words().is_some() && version.since().is_none());
    }
}
