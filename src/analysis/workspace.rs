//! Translates a configuration into what the lints read.

use crate::config::Config;
use crate::lints::{LINTS, Workspace};

/// The names of all lints: the keys that `[lints]` in `eval-ls.toml` accepts.
pub(crate) fn lint_names() -> Vec<&'static str> {
    LINTS.iter().map(|lint| lint.name).collect()
}

/// The settings of a configuration that lints read. The tools of the workspace are missing: they come from other files.
pub(crate) fn workspace_of(config: &Config) -> Workspace {
    Workspace {
        levels: config.lints.iter().map(|(lint, entry)| (lint.clone(), entry.level.severity())).collect(),
        ui_hints: config.ui_hints.keys().cloned().collect(),
        preconditions: config.preconditions.keys().cloned().collect(),
        ..Workspace::default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::diagnostic::Severity;

    #[test]
    fn levels_hints_and_preconditions_come_from_the_configuration() {
        let text = "
            [lints]
            duplicate-key = \"off\"
            unknown-key = \"error\"
            [[ui_hints]]
            hint = \"A list is visible.\"
            all = [\"list\"]
            [[preconditions]]
            text = \"The shop is open.\"
            command = [\"true\"]
        ";
        let (config, errors) = Config::parse(text, &lint_names());
        assert_eq!(errors, []);
        let workspace = workspace_of(&config);
        let levels = [("duplicate-key", None), ("unknown-key", Some(Severity::Error))];
        assert_eq!(workspace.levels, BTreeMap::from(levels.map(|(lint, level)| (lint.to_owned(), level))));
        assert_eq!(workspace.ui_hints.into_iter().collect::<Vec<_>>(), ["A list is visible."]);
        assert_eq!(workspace.preconditions.into_iter().collect::<Vec<_>>(), ["The shop is open."]);
    }
}
