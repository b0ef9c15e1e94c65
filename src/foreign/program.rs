use serde_json::{Map, Value};

use crate::syntax::Node;

use super::columns::{Columns, Role, is_prompt, snake};
use super::{Log, MOST_TRIED};

/// The command that reads it.
pub(super) const IMPORT: &str = "eval-ls import";

/// What the file of another program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign {
    /// `{ "eval_cases": [ { "eval_id": …, "conversation": […] } ] }`
    AdkEvalSet,
    /// `[ { "query": …, "expected_tool_use": […], "reference": … } ]`
    AdkTest,
    /// `[ { "name": …, "data": [ { "query": … } ], "initial_session": {…} } ]`
    AdkSessions,
    /// `{ "prompts": […], "providers": […], "tests": […] }`
    PromptfooConfig,
    /// `[ { "vars": {…}, "assert": […] } ]`
    PromptfooTests,
    /// `{ "results": { "results": […] } }`
    PromptfooResults,
    /// A table with columns such as `__expected`.
    PromptfooTable,
    /// `[ { "input": [ { "role": …, "content": … } ], "ideal": … } ]`
    OpenAiEvals,
    /// A table with `question` and `expectedResponse`.
    CopilotStudio,
    /// `{ "skill_name": …, "evals": […] }`
    AgentSkill,
    /// `[ { "query": …, "should_trigger": … } ]`
    SkillTriggers,
    /// Conversations with an assistant.
    Log(Log),
    /// A list of objects with a prompt, under any name.
    Prompts,
}

impl Foreign {
    /// What the file is, by its values. `None` if nothing shows it.
    pub(crate) fn of(root: &Value) -> Option<Foreign> {
        if let Some(root) = root.as_object() {
            let has = |key: &str| root.contains_key(key);
            if has("eval_cases") || has("evalCases") {
                return Some(Foreign::AdkEvalSet);
            }
            if has("skill_name") && has("evals") {
                return Some(Foreign::AgentSkill);
            }
            if promptfoo_results(root).is_some() {
                return Some(Foreign::PromptfooResults);
            }
            if has("prompts") && (has("tests") || has("scenarios") || has("providers"))
                || has("providers") && (has("tests") || has("redteam"))
                || has("targets") && (has("prompts") || has("tests") || has("redteam"))
            {
                return Some(Foreign::PromptfooConfig);
            }
        }
        if let Some(log) = Log::of(root).or_else(|| root.as_array()?.iter().take(MOST_TRIED).find_map(Log::of)) {
            return Some(Foreign::Log(log));
        }
        let list: Vec<&Map<String, Value>> = cases(root).elements.into_iter().filter_map(Value::as_object).collect();
        let most =
            |is: &dyn Fn(&Map<String, Value>) -> bool| list.iter().filter(|case| is(case)).count() * 2 > list.len();
        let has = |keys: &'static [&'static str]| {
            move |case: &Map<String, Value>| keys.iter().all(|key| case.contains_key(*key))
        };
        let is_message = |list: &Value| list.get(0).is_some_and(|message| message.get("role").is_some());
        let has_turns = |case: &Map<String, Value>| {
            let first = case.get("data").and_then(|turns| turns.get(0));
            first.is_some_and(|turn| turn.get("query").is_some())
        };
        if most(&has(&["query", "expected_tool_use"])) {
            Some(Foreign::AdkTest)
        } else if most(&has_turns) {
            Some(Foreign::AdkSessions)
        } else if most(&is_trigger) {
            Some(Foreign::SkillTriggers)
        } else if most(&|case| case.get("vars").is_some_and(Value::is_object)) {
            Some(Foreign::PromptfooTests)
        } else if most(&|case| case.keys().any(|key| key.starts_with("__expected"))) {
            Some(Foreign::PromptfooTable)
        } else if most(&|case| case.contains_key("ideal") && case.get("input").is_some_and(is_message)) {
            Some(Foreign::OpenAiEvals)
        } else if most(&is_copilot) {
            Some(Foreign::CopilotStudio)
        } else if list.iter().filter(|case| has_prompt(case)).count() * LEAST_WITH_PROMPT >= list.len().max(1) {
            Some(Foreign::Prompts)
        } else {
            None
        }
    }

    /// The name: `an eval set of Google ADK`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Foreign::AdkEvalSet | Foreign::AdkSessions => "an eval set of Google ADK",
            Foreign::AdkTest => "a test file of Google ADK",
            Foreign::PromptfooConfig => "a configuration of promptfoo",
            Foreign::PromptfooTests => "a list of tests of promptfoo",
            Foreign::PromptfooTable => "a table of tests of promptfoo",
            Foreign::PromptfooResults => "results of promptfoo",
            Foreign::OpenAiEvals => "a data set of OpenAI Evals",
            Foreign::CopilotStudio => "a test set of Copilot Studio",
            Foreign::AgentSkill => "the evals of an Agent Skill",
            Foreign::SkillTriggers => "a list of queries that trigger an Agent Skill",
            Foreign::Log(log) => log.name(),
            Foreign::Prompts => "a list of prompts",
        }
    }

    /// What the file with this root is, and whether `import` reads it: `a list of prompts; …`. `None` if nothing shows it.
    pub(crate) fn described(root: Node<'_>) -> Option<String> {
        Foreign::of(&root.to_value()).map(|foreign| foreign.with_remedy(IMPORT))
    }

    /// The name, and whether a command makes a suite of it: `eval-ls import FILE`.
    pub(crate) fn with_remedy(self, import: &str) -> String {
        match self.why_not() {
            None => format!("{}; `{import}` makes a suite of it", self.name()),
            Some(why) => format!("{}; `{IMPORT}` cannot make a suite of it, because {why}", self.name()),
        }
    }

    /// Why no suite can be made of it. `None` if `import` reads it.
    pub(crate) fn why_not(self) -> Option<&'static str> {
        match self {
            Foreign::AgentSkill => Some("its expectations are prose, which a model judges"),
            Foreign::SkillTriggers => Some("it tests whether a skill is chosen, not what an assistant answers"),
            _ => None,
        }
    }
}

/// One in so many objects of a list has a prompt. In a list with fewer, a key such as `input` is something else.
const LEAST_WITH_PROMPT: usize = 3;

/// Whether a case has a prompt: a key with the name of one, also in an object such as `inputs`.
pub(crate) fn has_prompt(case: &Map<String, Value>) -> bool {
    let is_message = |list: &Value| list.get(0).is_some_and(|message| message.get("role").is_some());
    case.iter().any(|(key, value)| {
        let below = value.as_object().into_iter().flatten();
        is_prompt(key)
            || Columns::default().role(key) == Some(Role::Nested)
                && (is_message(value) || below.into_iter().any(|(key, _)| is_prompt(key)))
    })
}

/// Whether a case says if a query triggers a skill, and nothing else.
fn is_trigger(case: &Map<String, Value>) -> bool {
    case.keys().any(|key| matches!(snake(key).as_str(), "should_trigger" | "expected_trigger"))
        && !case.keys().any(|key| Columns::default().role(key).is_some_and(Role::expects))
}

/// Whether a row is one of Copilot Studio: `question` and `expectedResponse`, or a method of testing.
fn is_copilot(row: &Map<String, Value>) -> bool {
    let has = |names: &[&str]| row.keys().any(|key| names.contains(&snake(key).as_str()));
    let has_texts = has(&["question", "prompt"]) && has(&["expected_response"]);
    has_texts && (has(&["testing_method", "test_method_type"]) || row.len() <= 3 && has(&["question"]))
}

/// The results in a file of promptfoo.
pub(crate) fn promptfoo_results(root: &Map<String, Value>) -> Option<&Vec<Value>> {
    let results = root.get("results")?;
    let results = results.get("results").unwrap_or(results).as_array()?;
    let is_result = |result: &Value| result.get("testCase").is_some() || result.get("gradingResult").is_some();
    results.first().is_some_and(is_result).then_some(results)
}

/// The cases of a file that is a list, or has lists.
pub(crate) struct Listed<'a> {
    pub(crate) elements: Vec<&'a Value>,
    /// The other keys of the file.
    pub(crate) others: Vec<String>,
    /// Whether the file is one case.
    pub(crate) is_root: bool,
}

/// The cases: the root, or the lists in it or in its objects whose objects have a prompt, or else the first list of objects.
pub(crate) fn cases(root: &Value) -> Listed<'_> {
    let Value::Object(file) = root else {
        let elements = root.as_array().map_or(&[][..], Vec::as_slice).iter().collect();
        return Listed { elements, others: Vec::new(), is_root: false };
    };
    let objects = |list: &Value| list.as_array().is_some_and(|list| list.iter().any(Value::is_object));
    let has_prompts = |list: &Value| {
        let objects = || list.as_array().into_iter().flatten().filter_map(Value::as_object);
        let with_prompt = objects().filter(|case| has_prompt(case) || case.contains_key("vars")).count();
        with_prompt > 0 && with_prompt * LEAST_WITH_PROMPT >= objects().count()
    };
    let is_case = || {
        let prompts = |role| matches!(role, Role::Prompt(_));
        let roles = || file.keys().filter_map(|key| Columns::default().role(key));
        roles().any(prompts) && roles().any(Role::expects)
    };
    let of_file: Vec<(String, &Value)> = file.iter().map(|(key, value)| (key.clone(), value)).collect();
    let is_any = |members: &[(String, &Value)]| members.iter().any(|(_, list)| has_prompts(list));
    let members = if is_any(&of_file) {
        of_file
    } else if is_case() {
        return Listed { elements: vec![root], others: Vec::new(), is_root: true };
    } else {
        let below = of_file.iter().flat_map(|(name, value)| match value {
            Value::Object(object) => object.iter().map(|(key, value)| (format!("{name}.{key}"), value)).collect(),
            value => vec![(name.clone(), *value)],
        });
        Some(below.collect::<Vec<_>>()).filter(|below| is_any(below)).unwrap_or(of_file)
    };
    let first = if is_any(&members) { None } else { members.iter().position(|(_, list)| objects(list)) };
    let (mut elements, mut others) = (Vec::new(), Vec::new());
    for (place, (name, value)) in members.into_iter().enumerate() {
        match value.as_array().filter(|_| has_prompts(value) || first == Some(place)) {
            Some(list) => elements.extend(list),
            None => others.push(name),
        }
    }
    Listed { elements, others, is_root: false }
}
