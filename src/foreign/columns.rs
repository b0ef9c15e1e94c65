//! What the keys of other people's cases mean.

use std::collections::BTreeMap;

/// What a key of a case is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The name of the case.
    Id,
    /// The heading.
    Category,
    /// The prompt. Of several, the one with the lowest number counts.
    Prompt(u8),
    /// Prompts before the prompt.
    SetupPrompts,
    /// A conversation: its last prompt is the prompt, and the earlier ones are setup prompts.
    Conversation,
    /// The answer that was recorded.
    Response,
    /// Phrases that the answer says, each of them.
    SaysAll,
    /// Phrases of which the answer says one.
    SaysAny,
    /// Phrases that it does not say.
    SaysNone,
    /// Patterns that it matches, each of them.
    Matches,
    /// Patterns that it does not match.
    MatchesNone,
    /// Tools that are called, each of them.
    ToolsAll,
    /// Tools of which one is called.
    ToolsAny,
    /// Tools that are not called.
    ToolsNone,
    /// The tool calls that were recorded with the answer.
    Calls,
    /// Numbers that the answer has.
    Numbers,
    /// Sources that it names.
    Sources,
    /// Documents that a retrieval finds.
    Retrieved,
    /// Assertions with a type, as promptfoo has them.
    Assertions,
    /// An object whose keys are read like those of the case.
    Nested,
    /// A whole answer, with which an answer is compared.
    Reference,
    /// What a person or a model judges.
    Judged,
    /// Whether the assistant ought to refuse.
    Refusal,
}

impl Role {
    /// Whether the key expects something of an answer.
    pub(crate) fn expects(self) -> bool {
        let other =
            matches!(self, Role::Id | Role::Category | Role::Prompt(_) | Role::SetupPrompts | Role::Conversation);
        !other && !matches!(self, Role::Response | Role::Calls | Role::Nested)
    }
}

/// The names of keys, in lower case with `_` between words, after files in public repositories.
const NAMES: &[(Role, &str)] = &[
    (Role::Id, "id case_id test_id eval_id task_id question_id name test_name title"),
    (Role::Category, "category group topic"),
    (Role::Prompt(0), "prompt"),
    (Role::Prompt(1), "question"),
    (Role::Prompt(2), "query user_query user_question"),
    (Role::Prompt(3), "user_prompt user_input user_message utterance test_utterance"),
    (Role::Prompt(4), "message input instruction"),
    (Role::SetupPrompts, "setup_prompts previous_prompts"),
    (Role::Conversation, "turns messages conversation user_turns"),
    (Role::Response, "response actual_output actual_response actual_answer model_output model_response"),
    (
        Role::SaysAll,
        "must_contain must_contain_all must_include must_include_all must_mention must_say must_say_all \
         contains_all required_keywords required_phrases",
    ),
    (
        Role::SaysAny,
        "must_say_any must_contain_any must_include_any contains_any expected_any any_of one_of contains \
         expect_contains expected_contains expected_content expected_keywords expected_phrases expected_substrings \
         expected_terms keywords phrases should_contain should_include",
    ),
    (
        Role::SaysNone,
        "must_not_say must_not_contain must_not_include must_not_mention not_contains expect_not_contains \
         should_not_contain should_not_include forbidden forbidden_content forbidden_keywords forbidden_phrases \
         forbidden_words banned_phrases banned_words",
    ),
    (Role::Matches, "must_match must_match_regex expected_regex expected_pattern regex pattern patterns"),
    (Role::MatchesNone, "must_not_match must_not_match_regex forbidden_regex forbidden_patterns"),
    (Role::ToolsAll, "must_call must_call_tools must_use_tools required_tools tool_calls_all tools_in_order"),
    (
        Role::ToolsAny,
        "tool_calls_any expected_tool expected_tools expected_tool_calls expected_tool_use expected_tools_any \
         any_tool",
    ),
    (
        Role::ToolsNone,
        "tool_calls_none forbidden_tools must_not_call must_not_use_tools disallowed_tools unexpected_tools",
    ),
    (Role::Calls, "tools_called actual_tools actual_tool_calls"),
    (Role::Numbers, "must_ground_numbers expected_numbers expected_number numbers"),
    (Role::Sources, "required_sources"),
    (
        Role::Retrieved,
        "expect_sources expected_source expected_sources expected_citations expected_document_ids must_cite \
         must_cite_doc_ids",
    ),
    (Role::Assertions, "assert asserts assertions"),
    (Role::Nested, "expected expects expect expectation checks evaluation criteria vars inputs"),
    (
        Role::Reference,
        "expected_output expected_answer expected_response expected_result answer ideal ideal_answer gold \
         gold_answer golden_answer ground_truth output reference reference_answer target truth",
    ),
    (Role::Judged, "rubric rubrics grading_notes grading_criteria expectations expected_behavior success_criteria"),
    (Role::Refusal, "should_refuse expect_refusal must_refuse"),
];

/// The words on the left of `--columns`, and what each is.
pub(crate) const KEYS: [(&str, Role); 16] = [
    ("id", Role::Id),
    ("category", Role::Category),
    ("prompt", Role::Prompt(0)),
    ("setup_prompts", Role::SetupPrompts),
    ("response", Role::Response),
    ("must_say_any", Role::SaysAny),
    ("must_say_all", Role::SaysAll),
    ("must_not_say", Role::SaysNone),
    ("must_match_regex", Role::Matches),
    ("must_not_match_regex", Role::MatchesNone),
    ("tool_calls_any", Role::ToolsAny),
    ("tool_calls_all", Role::ToolsAll),
    ("tool_calls_none", Role::ToolsNone),
    ("must_ground_numbers", Role::Numbers),
    ("required_sources", Role::Sources),
    ("assertions", Role::Assertions),
];

/// What the user says about keys: by the name in the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns(BTreeMap<String, Role>);

impl Columns {
    /// The columns in which the key with this name has this role.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, role: Role) -> Columns {
        self.0.insert(snake(name), role);
        self
    }

    /// Whether the user has named the key of this role.
    pub(crate) fn names(&self, role: Role) -> bool {
        self.0.values().any(|named| *named == role)
    }

    /// Whether the user has named this key as that of the role.
    pub(crate) fn is_given(&self, name: &str, role: Role) -> bool {
        self.0.get(&snake(name)) == Some(&role)
    }

    /// Whether the user has named this key.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        let last = name.rsplit('.').next().unwrap_or(name);
        self.0.contains_key(&snake(last))
    }

    /// Whether the key is one whose keys are read like those of a case, such as `expected`.
    pub(crate) fn is_nested(&self, name: &str) -> bool {
        self.role(name.rsplit('.').next().unwrap_or(name)) == Some(Role::Nested)
    }

    /// What the user says about the key of an object in a case: `vars.question`.
    pub(crate) fn role_of_path(&self, path: &str) -> Option<Role> {
        self.0.get(&snake(path)).copied()
    }

    /// Whether the user has named a key in this object.
    pub(crate) fn has_below(&self, path: &str) -> bool {
        let path = snake(path) + ".";
        self.0.keys().any(|named| named.starts_with(&path))
    }

    /// Whether the user has named no key.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What the key is. `None` if nobody knows.
    pub(crate) fn role(&self, name: &str) -> Option<Role> {
        let name = snake(name);
        self.0.get(&name).copied().or_else(|| {
            NAMES.iter().find(|(_, names)| names.split(' ').any(|known| known == name)).map(|(role, _)| *role)
        })
    }
}

/// The names that are known.
#[cfg(test)]
pub(crate) fn all_names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().flat_map(|(_, names)| names.split(' '))
}

/// Whether a key is that of a prompt or a conversation.
pub(crate) fn is_prompt(name: &str) -> bool {
    matches!(Columns::default().role(name), Some(Role::Prompt(_) | Role::Conversation))
}

/// A name in lower case with `_` between words: `Expected Response` and `expectedResponse` are `expected_response`.
pub(crate) fn snake(name: &str) -> String {
    let mut snake = String::with_capacity(name.len());
    let mut after_lower = false;
    for c in name.trim().chars() {
        if matches!(c, ' ' | '-' | '_') {
            if !snake.is_empty() && !snake.ends_with('_') {
                snake.push('_');
            }
        } else {
            if c.is_uppercase() && after_lower {
                snake.push('_');
            }
            snake.extend(c.to_lowercase());
        }
        after_lower = c.is_lowercase() || c.is_ascii_digit();
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_one_thing() {
        let mut all: Vec<&str> = all_names().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(all.iter().all(|name| snake(name) == *name), "{all:?}");
    }

    #[test]
    fn names_are_read_in_every_style() {
        for name in
            ["Expected Response", "expectedResponse", "expected-response", "EXPECTED_RESPONSE", " expected_response "]
        {
            assert_eq!(Columns::default().role(name), Some(Role::Reference), "{name}");
        }
        assert_eq!(Columns::default().with("Frage", Role::Prompt(0)).role("frage"), Some(Role::Prompt(0)));
    }
}
