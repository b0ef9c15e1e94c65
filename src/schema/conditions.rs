//! What some keys of an object mean for its others: the keywords `allOf` with `if` and `then`, and `oneOf` with `required`.

use serde_json::Value;

use super::Shape;

/// What the keys of an object mean for its others.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Conditions {
    /// Keys that it must have.
    pub(crate) required: Vec<&'static str>,
    /// Keys that it cannot have.
    pub(crate) refused: Vec<&'static str>,
}

impl Shape {
    /// Returns what its keys mean for an object. `value_of` returns the value of a key as text; `None` without the key.
    pub(crate) fn conditions(self, value_of: impl Fn(&str) -> Option<String>) -> Conditions {
        let mut conditions = Conditions::default();
        for rule in list(&self.schema["allOf"]) {
            let holds = |(key, schema): (&String, &Value)| value_of(key).as_deref() == schema["const"].as_str();
            let is_met = rule["if"]["properties"].as_object().is_some_and(|wanted| wanted.iter().all(holds));
            if is_met {
                conditions.required.extend(names(&rule["then"]["required"]));
                let refused = rule["then"]["properties"].as_object().into_iter().flatten();
                let refused = refused.filter(|(_, schema)| **schema == Value::Bool(false));
                conditions.refused.extend(refused.map(|(key, _)| &key[..]));
            }
        }
        let alternatives = || list(&self.schema["oneOf"]).map(|one| names(&one["required"]).collect::<Vec<_>>());
        if let Some(chosen) = alternatives().find(|keys| keys.iter().any(|key| value_of(key).is_some())) {
            let others = alternatives().flatten().filter(|key| !chosen.contains(key));
            conditions.refused.extend(others);
        }
        conditions
    }
}

fn list(value: &'static Value) -> impl Iterator<Item = &'static Value> {
    value.as_array().into_iter().flatten()
}

fn names(value: &'static Value) -> impl Iterator<Item = &'static str> {
    list(value).filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Step;

    fn conditions(path: &[&str], known: &[(&str, &str)]) -> Conditions {
        let path: Vec<_> = path.iter().map(|key| Step::Key((*key).to_owned())).collect();
        let path = match path.as_slice() {
            [list] if *list == Step::Key("preconditions".to_owned()) => vec![list.clone(), Step::Index(0)],
            _ => path,
        };
        let value = |key: &str| known.iter().find(|(known, _)| *known == key).map(|(_, value)| (*value).to_owned());
        Shape::configuration().descend(&path).unwrap().conditions(value)
    }

    #[test]
    fn the_kind_of_a_target_decides_about_its_keys() {
        let browser = conditions(&["targets", "a"], &[("kind", "browser")]);
        assert_eq!(browser, Conditions { required: vec!["url"], refused: vec!["command", "cwd", "env", "pass_env"] });
        let command = conditions(&["targets", "a"], &[("kind", "command")]);
        assert_eq!(command.required, ["command"]);
        assert!(command.refused.contains(&"chat_input") && !command.refused.contains(&"timeout"));
        assert_eq!(conditions(&["targets", "a"], &[("kind", "ship")]), Conditions::default());
        assert_eq!(conditions(&["targets", "a"], &[]), Conditions::default());
    }

    #[test]
    fn one_of_two_keys_refuses_the_other() {
        assert_eq!(conditions(&["preconditions"], &[("steps", "[")]).refused, ["command"]);
        assert_eq!(conditions(&["preconditions"], &[("text", "t")]), Conditions::default());
    }
}
