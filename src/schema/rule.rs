use crate::syntax::{Kind, Member, Node};

use super::SchemaName;
use super::shape::{Shape, Type};

/// A bundled schema in a form that is quick to make and to ask. It decides only whether a value is surely valid; the
/// validator finds what is wrong with any other value.
#[derive(Default)]
pub(super) struct Rule {
    types: Vec<Type>,
    minimum: Option<f64>,
    /// The values of a closed list; empty without one.
    values: Vec<&'static str>,
    /// The rule of the elements of a list; `None` if all are valid.
    element: Option<Box<Rule>>,
    keys: Vec<Key>,
    /// The rule of the values of all other keys; `None` without one.
    others: Option<Box<Rule>>,
    /// Whether all other keys are valid, whatever their values are.
    is_open: bool,
}

struct Key {
    name: &'static str,
    is_required: bool,
    rule: Rule,
}

impl Rule {
    /// The rule of an element of `cases`.
    pub(super) fn case(version: SchemaName) -> Rule {
        Rule::of(Shape::case(version))
    }

    /// The rule of a suite whose cases can be any objects.
    pub(super) fn frame(version: SchemaName) -> Rule {
        let mut frame = Rule::of(Shape::suite(version));
        let cases = frame.keys.iter_mut().find(|key| key.name == "cases").expect("a suite has cases");
        let any_object = Rule { types: vec![Type::Object], is_open: true, ..Rule::default() };
        cases.rule = Rule { types: vec![Type::Array], element: Some(Box::new(any_object)), ..Rule::default() };
        frame
    }

    /// The rule of the value of a named key.
    pub(super) fn key(&self, name: &str) -> Option<&Rule> {
        self.keys.iter().find(|key| key.name == name).map(|key| &key.rule)
    }

    /// The named keys, in the order of completion.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|key| key.name)
    }

    fn of(shape: Shape) -> Rule {
        let key = |key: super::Key| Key { name: key.name, is_required: key.is_required, rule: Rule::of(key.shape) };
        Rule {
            types: Type::ALL.into_iter().filter(|wanted| shape.allows(*wanted)).collect(),
            minimum: shape.minimum(),
            values: shape.values().map(|(value, _)| value).collect(),
            element: shape.element().map(|element| Box::new(Rule::of(element))),
            keys: shape.keys().map(key).collect(),
            others: shape.other_keys().map(|other| Box::new(Rule::of(other))),
            is_open: !shape.is_closed() && shape.other_keys().is_none(),
        }
    }

    /// Whether a value is surely valid.
    pub(super) fn accepts(&self, node: Node<'_>) -> bool {
        // The schemas are not recursive, so their depth bounds this recursion.
        match node.kind() {
            Kind::Object => self.allows(Type::Object) && self.accepts_members(node),
            Kind::Array => {
                let accepts = |rule: &Rule| node.elements().all(|element| rule.accepts(element));
                self.allows(Type::Array) && self.element.as_deref().is_none_or(accepts)
            }
            Kind::String => {
                let is_listed = || node.as_str().is_some_and(|text| self.values.iter().any(|value| *value == text));
                self.allows(Type::String) && (self.values.is_empty() || is_listed())
            }
            Kind::Number => node.as_f64().is_some_and(|number| self.accepts_number(number)),
            Kind::True | Kind::False => self.allows(Type::Boolean),
            Kind::Null | Kind::Member | Kind::Invalid => false,
        }
    }

    fn allows(&self, wanted: Type) -> bool {
        self.types.contains(&wanted)
    }

    fn accepts_number(&self, number: f64) -> bool {
        let is_large_enough = self.minimum.is_none_or(|minimum| number >= minimum);
        number.is_finite()
            && is_large_enough
            && self.allows(if number.fract() == 0.0 { Type::Integer } else { Type::Number })
    }

    fn accepts_members(&self, object: Node<'_>) -> bool {
        // A suite has many cases, and its frame allows each.
        if self.is_open && self.keys.is_empty() {
            return true;
        }
        let mut missing: Vec<_> = self.keys.iter().filter(|key| key.is_required).map(|key| key.name).collect();
        let accepts = |member: Member<'_>| {
            let Some(name) = member.key.as_str() else { return false };
            missing.retain(|required| *required != name);
            let rule = self.key(&name).or(self.others.as_deref());
            rule.map_or(self.is_open, |rule| member.value.is_some_and(|value| rule.accepts(value)))
        };
        object.members().all(accepts) && missing.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::schema::validate::{Part, validator};
    use crate::syntax::parse;

    const VERSIONS: [SchemaName; 3] = [SchemaName::V0_1, SchemaName::V0_2, SchemaName::V0_3];

    /// A case with keys of each kind.
    const CASE: &str = concat!(
        r#"{ "id": "A", "category": "c", "setup_prompts": ["s"], "prompt": "p", "expected": { "outcome": "tool_success","#,
        r#" "tool_calls_any": ["t"], "ui": ["u"], "must_say_any": ["m"], "must_ground_numbers": [1, "2", { "label": "l","#,
        r#" "value": -3, "regex": "r", "context_any": ["c"] }], "must_label_assumptions": true, "scoring": { "hard_fail":"#,
        r#" ["formatting"], "soft_score": { "threshold": 0.5, "weights": { "formatting": 1 } } }, "required_levers": 2,"#,
        r#" "source_patterns": { "a": ["b"] } } }"#,
    );

    /// All texts that differ from `text` in one value, one key, or one member that is removed.
    fn mutants(text: &str) -> Vec<String> {
        let parsed = parse(text);
        let mut spans = Vec::new();
        for node in parsed.tree.root(text).unwrap().descendants() {
            let with: &[&str] = match node.as_member() {
                Some(_) => &["\"other\": 1", "\"ui\": 1", "\"a\""],
                None => {
                    &["null", "0", "-1", "2.5", "1e999", "true", "\"x\"", "[]", "{}", "[null]", "[[]]", "{\"x\":1}", ""]
                }
            };
            spans.extend(with.iter().map(|with| (node.span(), *with)));
        }
        let mutant = |(span, with): (crate::text::Span, &str)| [&text[..span.start], with, &text[span.end..]].concat();
        spans.into_iter().map(mutant).collect()
    }

    #[test]
    fn a_value_that_a_rule_accepts_is_valid() {
        let suite =
            format!(r#"{{ "name": "n", "version": "0.3", "captured_at": "2026-01-01", "cases": [{CASE}, {{}}] }}"#);
        for version in VERSIONS {
            let (case, frame) = (Rule::case(version), Rule::frame(version));
            let (mut accepted, mut valid) = (0, 0);
            for (text, part, rule) in [(CASE, Part::Case, &case), (&suite, Part::Frame, &frame)] {
                for text in mutants(text) {
                    let parsed = parse(&text);
                    let root = parsed.tree.root(&text).unwrap();
                    let is_valid = validator(version, part).is_valid(&part.value(root));
                    assert!(is_valid || !rule.accepts(root), "{version}: {text}");
                    accepted += usize::from(rule.accepts(root));
                    valid += usize::from(is_valid);
                }
            }
            // The others are broken, have a key twice, or have numbers that only lints refuse.
            assert!(accepted * 2 > valid, "{version}: {accepted} of {valid}");
        }
    }

    #[test]
    fn a_rule_knows_all_keywords_that_decide() {
        const KNOWN: [&str; 9] = [
            "type",
            "properties",
            "required",
            "additionalProperties",
            "propertyNames",
            "items",
            "enum",
            "minimum",
            "$ref",
        ];
        /// Lints report these.
        const OF_LINTS: [&str; 7] =
            ["pattern", "minLength", "minItems", "minProperties", "uniqueItems", "anyOf", "maximum"];
        const NOTES: [&str; 9] = [
            "$schema",
            "$id",
            "title",
            "description",
            "examples",
            "default",
            "markdownDescription",
            "enumDescriptions",
            "definitions",
        ];
        fn check(schema: &Value) {
            for (keyword, value) in schema.as_object().into_iter().flatten() {
                let is_known = [&KNOWN[..], &OF_LINTS, &NOTES].iter().any(|list| list.contains(&keyword.as_str()));
                assert!(is_known || keyword.starts_with("x-"), "{keyword}");
                match keyword.as_str() {
                    "properties" | "definitions" => {
                        value.as_object().into_iter().flatten().for_each(|(_, of)| check(of))
                    }
                    "items" | "additionalProperties" | "propertyNames" => check(value),
                    _ => {}
                }
            }
        }
        VERSIONS.iter().for_each(|version| check(&serde_json::from_str(version.text()).unwrap()));
    }
}
