//! What the values of `eval-ls.toml` must be: the published schema, and what no schema says.

use std::sync::LazyLock;

use serde_json::{Map, Value as Json};

use crate::config::challenge::CaseGlob;
use crate::config::{HumanDuration, Keep};
use crate::diagnostic::{alternatives, quoted};
use crate::schema::SchemaName;

use super::check::{Form, ListForm};
use super::entries;

static SCHEMA: LazyLock<Json> =
    LazyLock::new(|| serde_json::from_str(SchemaName::Config.text()).expect("a bundled schema is JSON"));

/// What the schema says of a value.
#[derive(Clone, Copy)]
pub(super) struct Shape(&'static Json);

/// The levels of a known lint.
pub(super) fn level(lint: &str) -> Shape {
    Shape::at(&format!("/properties/lints/properties/{lint}"))
}

/// Why such a lint has no other level.
pub(super) fn always_error(lint: &str) -> String {
    format!("{} is always an error: what cannot be read cannot be judged", quoted(lint))
}

/// Whether the level of a known lint cannot be changed: what it finds cannot be judged.
pub(super) fn is_always_error(lint: &str) -> bool {
    level(lint).words().is_some_and(|levels| levels.len() == 1)
}

impl Shape {
    /// Returns what the schema says at a pointer.
    pub(super) fn at(pointer: &str) -> Shape {
        Shape::of(SCHEMA.pointer(pointer).expect("the schema has this place"))
    }

    fn of(schema: &'static Json) -> Shape {
        schema["$ref"].as_str().map_or(Shape(schema), |place| Shape::at(&place[1..]))
    }

    /// Returns the type of the value, in the words of JSON Schema.
    pub(super) fn type_name(self) -> &'static str {
        self.0["type"].as_str().unwrap_or_default()
    }

    /// Returns the texts that the value may be; `None` if it may be any.
    pub(super) fn words(self) -> Option<Vec<&'static str>> {
        Some(texts(&self.0["enum"])).filter(|words| !words.is_empty())
    }

    /// Returns the least and the greatest number.
    pub(super) fn range(self) -> (usize, usize) {
        let limit = |name: &str| self.0[name].as_u64().and_then(|limit| usize::try_from(limit).ok());
        (limit("minimum").unwrap_or(0), limit("maximum").unwrap_or(usize::MAX))
    }

    /// Returns what each element of a list must be.
    pub(super) fn element(self) -> Shape {
        Shape::of(&self.0["items"])
    }

    /// Returns what each value of a table must be that has any names.
    pub(super) fn named(self) -> Option<Shape> {
        Some(&self.0["additionalProperties"]).filter(|values| values.is_object()).map(Shape::of)
    }

    /// Returns what the value of a key must be.
    pub(super) fn key(self, name: &str) -> Option<Shape> {
        self.0["properties"].get(name).map(Shape::of)
    }

    /// Returns whether another function reads the value at this key.
    pub(super) fn is_read_apart(self, key: &str) -> bool {
        let has_tables = self.type_name() == "array" && self.element().type_name() == "object";
        let has_others = self.named().is_some_and(|one| one.type_name() != "string");
        has_tables || has_others || matches!(key, "lints" | "levels" if self.type_name() == "object")
    }

    /// Returns the name of the elements of a list.
    pub(super) fn plural(self) -> &'static str {
        let one = self.element();
        match one.type_name() {
            "array" if one.element().has("minLength") => "lists of phrases such as `[\"A\", \"B\"]`",
            "array" => "steps (lists of strings)",
            _ => "strings",
        }
    }

    /// Returns what is expected.
    pub(super) fn expected(self) -> String {
        match (self.type_name(), self.words(), self.range()) {
            (_, Some(words), _) => alternatives(words),
            ("string", ..) if self.is_duration() => "a duration such as `\"60s\"`".to_owned(),
            ("string", ..) => "a string".to_owned(),
            ("boolean", ..) => "`true` or `false`".to_owned(),
            ("integer", _, (least, usize::MAX)) => format!("a whole number from {least}"),
            ("integer", _, (least, most)) => format!("a whole number from {least} to {most}"),
            ("array", ..) => format!("a list of {}", self.plural()),
            _ => "a table".to_owned(),
        }
    }

    pub(super) fn is_duration(self) -> bool {
        self.0["pattern"].as_str().is_some_and(|pattern| pattern.ends_with("(ms|s|m|h)$"))
    }

    fn has(self, rule: &str) -> bool {
        self.0.get(rule).is_some()
    }

    /// Returns what a string at this key must be.
    pub(super) fn form(self, key: &str) -> Form {
        match key {
            _ if !self.has("minLength") && !self.has("pattern") => entries::any,
            "cases" | "category" => entries::parsed::<CaseGlob>,
            "keep" => entries::parsed::<Keep>,
            "url" | "space_url" => entries::address,
            "results" | "transcripts" => entries::relative,
            "cwd" => entries::below,
            "matches" | "patterns" => entries::pattern,
            "pass_env" => entries::variable,
            "header" => entries::header,
            // Their readers say more.
            "include" | "exclude" | "files" | "challenges" | "lint" => entries::any,
            _ if self.is_duration() => entries::parsed::<HumanDuration>,
            _ => entries::not_empty,
        }
    }

    /// Returns what the names of a table must be.
    pub(super) fn form_of_names(self) -> Form {
        if self.has("propertyNames") { entries::variable } else { entries::any }
    }

    /// Returns what a list at this key must be.
    pub(super) fn list_form(self, key: &str) -> ListForm {
        match key {
            "command" => entries::program,
            _ if !self.has("minItems") => entries::any_list,
            _ if self.element().type_name() == "string" && !self.element().has("minLength") => entries::step,
            _ => entries::not_empty_list,
        }
    }
}

fn texts(list: &'static Json) -> Vec<&'static str> {
    list.as_array().into_iter().flatten().filter_map(Json::as_str).collect()
}

/// The keys of a table.
pub(super) struct Keys {
    pub(super) shape: Shape,
    /// All keys.
    pub(super) names: Vec<&'static str>,
    /// The keys that must be there.
    pub(super) required: Vec<&'static str>,
    /// What the keys mean for each other.
    pub(super) rules: &'static [Rule],
}

impl Keys {
    /// Returns the keys of a table with that name.
    pub(super) fn of(name: &str, shape: Shape) -> Keys {
        let names = shape.0["properties"].as_object().into_iter().flat_map(Map::keys).map(String::as_str);
        Keys { shape, names: names.collect(), required: texts(&shape.0["required"]), rules: rules(name) }
    }

    /// Returns the keys of a target of that kind. Without a kind, a key of any kind may be right.
    pub(super) fn of_target(kind: Option<&str>) -> Keys {
        let mut keys = Keys::of(kind.unwrap_or_default(), Shape::at("/definitions/target"));
        let mut rules = keys.shape.0["allOf"].as_array().into_iter().flatten();
        if let Some(rule) = rules.find(|rule| rule["if"]["properties"]["kind"]["const"].as_str() == kind) {
            let then = &rule["then"];
            keys.names.retain(|name| then["properties"].get(name).is_none());
            keys.required.extend(texts(&then["required"]));
        }
        keys
    }
}

/// What keys of a table mean for each other.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// One of the keys must be there, and not be an empty list. A message and a help follow.
    AnyOf(&'static [&'static str], &'static str, &'static str),
    /// Not both keys may be there.
    NotBoth(&'static str, &'static str),
    /// The first key needs the second one. A help follows.
    Needs(&'static str, &'static str, &'static str),
}

fn rules(table: &str) -> &'static [Rule] {
    match table {
        "allow" => &[Rule::AnyOf(
            &["cases", "files"],
            "this entry names neither `cases` nor `files`",
            "to turn a lint off everywhere, set its level under `[lints]`",
        )],
        "policy" => &[Rule::AnyOf(
            &["cases", "category"],
            "this entry names neither `cases` nor `category`",
            "`cases = \"*\"` means all cases",
        )],
        "preconditions" => &[
            Rule::AnyOf(
                &["steps", "command"],
                "the precondition has neither `steps` nor `command`",
                "give `steps` on the page, or a `command` that ends with status 0",
            ),
            Rule::NotBoth("steps", "command"),
        ],
        "ui_hints" => &[Rule::AnyOf(
            &["all", "any", "all_of", "matches", "none"],
            "the hint has no condition, so it is not defined",
            "give phrases in `all`, `any`, `all_of` or `none`, or patterns in `matches`",
        )],
        "browser" => &[Rule::Needs(
            "telemetry_key",
            "telemetry_log",
            "name the app's log under `telemetry_log`, or remove the key",
        )],
        "telemetry_key" => &[Rule::AnyOf(
            &["header", "storage"],
            "`telemetry_key` has neither `header` nor `storage`",
            "give `header` or `storage`, as in `{ header = \"X-Eval-Case\" }`",
        )],
        _ => &[],
    }
}
