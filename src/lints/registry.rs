use super::{LINTS, Lint};

/// Returns the lint with that name.
pub(crate) fn lint(name: &str) -> Option<&'static Lint> {
    LINTS.iter().copied().find(|lint| lint.name == name)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::schema::SchemaName;

    #[test]
    fn the_configurations_schema_lists_the_same_lints_at_the_same_levels() {
        let schema: Value = serde_json::from_str(SchemaName::Config.text()).unwrap();
        let listed = schema["properties"]["lints"]["properties"].as_object().unwrap();
        let listed: Vec<_> = listed.iter().map(|(name, level)| (name.as_str(), level["default"].as_str())).collect();
        let registered: Vec<_> = LINTS.iter().map(|lint| (lint.name, Some(lint.level.as_str()))).collect();
        assert_eq!(registered, listed);
    }

    #[test]
    fn every_lint_is_found_by_its_name() {
        for known in LINTS {
            assert!(lint(known.name).is_some_and(|found| std::ptr::eq(found, *known)), "{}", known.name);
        }
        assert!(lint("unique-case-id").is_none());
    }
}
