//! Rewrites of the workspace's own.

use crate::config::{OwnRewrite, ReplacementPart};

/// Why an answer is left out.
const TOO_LONG: &str = "the answer becomes more than twice as long";
const TOO_SLOW: &str = "the answer has too many places for it";

/// How many bytes the matches of a rewrite may look at together. Each keystroke rewrites an answer up to twenty times.
const MOST_STEPS: usize = 4 << 20;

/// The answer with each match in a line replaced. A configuration may come from anybody, so this takes limited time and memory.
pub(super) fn own_rewrite(own: &OwnRewrite, answer: &str) -> Result<String, &'static str> {
    let longest = 2 * answer.len() + 1024;
    let mut rewritten = String::new();
    let mut steps = 0;
    for line in answer.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let mut from = 0;
        steps += content.len();
        for found in own.pattern.captures_iter(content) {
            // Each match may look at the rest of the line.
            steps += content.len();
            if steps > MOST_STEPS {
                return Err(TOO_SLOW);
            }
            let Some(whole) = found.get(0) else { continue };
            rewritten.push_str(&content[from..whole.start()]);
            for part in &own.replacement {
                rewritten.push_str(match part {
                    ReplacementPart::Text(text) => text,
                    ReplacementPart::Group(number) => found.get(*number).map_or("", |group| group.as_str()),
                });
                if rewritten.len() > longest {
                    return Err(TOO_LONG);
                }
            }
            from = whole.end();
        }
        rewritten.push_str(&line[from..]);
    }
    Ok(rewritten)
}
