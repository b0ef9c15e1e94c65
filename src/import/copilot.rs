//! Test sets of Copilot Studio: a question, the expected response, and how they are compared.
//! <https://learn.microsoft.com/microsoft-copilot-studio/analytics-agent-evaluation-create>

use serde_json::Value;

use crate::foreign::columns::snake;
use crate::pattern::escape;

use super::draft::{Draft, columns_option};
use super::results::{elements, is_nothing, phrase, text};

/// The columns that are read.
const KEYS: [&str; 5] = ["question", "prompt", "expected_response", "testing_method", "test_method_type"];

/// The case of a row.
pub(super) fn case((index, row): (usize, &&Value)) -> Draft {
    let mut draft = Draft::at(format!("row {}", index + 1));
    let get = |names: &[&str]| {
        let found = row.as_object()?.iter().find(|(key, _)| names.contains(&snake(key).as_str()));
        found.filter(|(_, value)| !is_nothing(value))
    };
    draft.prompt = get(&["question", "prompt"]).and_then(|(_, prompt)| text(prompt));
    let method = get(&["testing_method", "test_method_type"]).and_then(|(_, method)| text(method)).unwrap_or_default();
    if let Some((name, expected)) = get(&["expected_response"]) {
        match snake(&method).as_str() {
            "keyword_match" => {
                let keywords: Vec<String> = elements(expected, true).iter().filter_map(phrase).collect();
                if keywords.len() > 1 {
                    draft.one_of(name, "must_say_all");
                }
                draft.says_one_of(keywords);
            }
            "exact_match" => {
                let expected = text(expected).unwrap_or_default();
                draft.leave_out("`Exact match` compares the whole answer, and a pattern is tried on each line");
                if !expected.trim().contains('\n') {
                    draft.pattern(format!(r"(?-i)^\s*{}\s*$", escape(expected.trim())), true);
                }
            }
            _ => {
                let asks =
                    if method.is_empty() { String::new() } else { format!(" by `{method}`, which asks a model") };
                draft.leave_out(format!(
                    "`{name}` is compared with the answer{asks}; for a phrase that the answer must have: `{}`",
                    columns_option("must_say_any", name)
                ));
            }
        }
    }
    let is_read = |key: &str| KEYS.contains(&snake(key).as_str());
    for (key, value) in row.as_object().into_iter().flatten().filter(|(key, value)| !is_read(key) && !is_nothing(value))
    {
        draft.unknown(key, value);
    }
    draft
}
