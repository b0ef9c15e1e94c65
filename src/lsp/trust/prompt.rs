use std::path::Path;

use crate::config::{TargetConfig, TargetKind};
use crate::text::visible;

/// The question whether a target may run: everything that it would start or open, word for word, with what a person could
/// not see made visible.
pub(super) fn message(name: &str, table: &TargetConfig, folder: &Path) -> String {
    let mut lines = vec![format!("Run evals with the target {}?", quoted(name))];
    match &table.kind {
        TargetKind::Replay => {}
        TargetKind::Command(command) => {
            let words: Vec<_> = command.command.iter().map(|word| quoted(word)).collect();
            lines.push(format!("It starts this program for each case: {}", words.join(" ")));
            if !command.env.is_empty() {
                let set: Vec<_> =
                    command.env.iter().map(|(name, value)| format!("{}={}", shown(name), quoted(value))).collect();
                lines.push(format!("with {}", set.join(" ")));
            }
            if !command.pass_env.is_empty() {
                let passed: Vec<_> = command.pass_env.iter().map(|name| shown(name)).collect();
                lines.push(format!("and gives it {} of your environment", passed.join(", ")));
            }
        }
        TargetKind::Browser(browser) => {
            let opened = browser.space_url.as_ref().unwrap_or(&browser.url);
            lines.push(format!("It opens {} in a browser, by the program agent-browser", quoted(opened)));
            if browser.space_url.is_some() {
                lines.push(format!("The app is at {}", quoted(&browser.url)));
            }
            for step in &browser.before {
                let words: Vec<_> = step.iter().map(|word| quoted(word)).collect();
                lines.push(format!("and first does: {}", words.join(" ")));
            }
            if !browser.allow.is_empty() {
                let allowed: Vec<_> = browser.allow.iter().map(|address| quoted(address)).collect();
                lines.push(format!("It may also go to {}", allowed.join(", ")));
            }
        }
    }
    lines.push(format!("in the folder {}", shown(&folder.display().to_string())));
    lines.join("\n")
}

/// A word as it is, in quotes where it would not be told from others without.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,?&#~".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("\"{}\"", shown(&word.replace('\\', "\\\\").replace('"', "\\\"")))
}

fn shown(text: &str) -> String {
    text.chars().map(visible).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn check(table: &str, expected: &[&str]) {
        let (config, errors) = Config::parse(&format!("[targets.a]\n{table}"), &[]);
        assert_eq!(errors, [], "{table}");
        let message = message("a", &config.targets["a"], Path::new("/work"));
        assert_eq!(message.lines().collect::<Vec<_>>(), expected, "{table}");
    }

    #[test]
    fn names_all_that_would_be_started_or_opened() {
        check(
            r#"kind = "command"
            command = ["node", "my agent.mjs", "", "a\"b\\", "x\u001b[2J\u202ey\n"]
            env = { MODE = "eval; rm", A = "b" }
            pass_env = ["OPENAI_API_KEY"]"#,
            &[
                "Run evals with the target a?",
                r#"It starts this program for each case: node "my agent.mjs" "" "a\"b\\" "x␛[2J�y␊""#,
                r#"with A=b MODE="eval; rm""#,
                "and gives it OPENAI_API_KEY of your environment",
                "in the folder /work",
            ],
        );
        check(
            r#"kind = "browser"
            url = "http://localhost:3000"
            space_url = "http://localhost:3000/space?a=1"
            before = [["click", "Sign in"]]
            allow = ["https://login.example"]"#,
            &[
                "Run evals with the target a?",
                "It opens http://localhost:3000/space?a=1 in a browser, by the program agent-browser",
                "The app is at http://localhost:3000",
                "and first does: click \"Sign in\"",
                "It may also go to https://login.example",
                "in the folder /work",
            ],
        );
    }
}
