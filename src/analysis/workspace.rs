//! Translates a configuration into what the lints read.

use crate::config::Config;
use crate::lints::{LINTS, PromptWords, Workspace};

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
        known_tools: config.known_tools.clone(),
        sources: config.sources.iter().map(|(name, source)| (name.clone(), source.patterns.clone())).collect(),
        prompt_words: prompt_words(config),
        reading: config.scoring.reading,
        allowed: config.allowed.clone(),
        ..Workspace::default()
    }
}

/// Whether the prompt's words can pass a check.
fn prompt_words(config: &Config) -> PromptWords {
    let targets = config.answering();
    let is_any_page = targets.iter().any(|target| target.shows_prompt());
    match config.scoring.prompt_counts {
        Some(false) => PromptWords::Ignored,
        None if config.has_only_pages() => PromptWords::Ignored,
        Some(true) if is_any_page || targets.is_empty() => PromptWords::Shown,
        Some(true) | None => PromptWords::Repeated,
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
        assert_eq!(workspace.prompt_words, PromptWords::Repeated);
        assert_eq!(workspace.ui_hints.into_iter().collect::<Vec<_>>(), ["A list is visible."]);
        assert_eq!(workspace.preconditions.into_iter().collect::<Vec<_>>(), ["The shop is open."]);
    }

    #[test]
    fn the_targets_decide_whether_prompts_are_shown() {
        let command = "[targets.agent]\nkind = \"command\"\ncommand = [\"a\"]\n";
        let counts = "[scoring]\nprompt_counts = true\n";
        let browser = "[targets.app]\nkind = \"browser\"\nurl = \"http://localhost:1\"\n";
        for (text, expected) in [
            (String::new(), PromptWords::Repeated),
            (command.to_owned(), PromptWords::Repeated),
            (browser.to_owned(), PromptWords::Ignored),
            (format!("{command}{browser}"), PromptWords::Repeated),
            (format!("[run]\ntarget = \"app\"\n{command}{browser}"), PromptWords::Ignored),
            (counts.to_owned(), PromptWords::Shown),
            (format!("{counts}{command}"), PromptWords::Repeated),
            (format!("{counts}{browser}"), PromptWords::Shown),
            (format!("{counts}{command}{browser}"), PromptWords::Shown),
            (format!("{counts}[run]\ntarget = \"agent\"\n{command}{browser}"), PromptWords::Repeated),
            (format!("[scoring]\nprompt_counts = false\n{command}"), PromptWords::Ignored),
        ] {
            let (config, errors) = Config::parse(&text, &lint_names());
            assert_eq!(errors, []);
            assert_eq!(workspace_of(&config).prompt_words, expected, "{text}");
        }
    }
}
