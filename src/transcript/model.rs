use std::time::SystemTime;

use serde::Serialize;
use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::Event;

/// The name of the files' format, which stands in every one of them.
pub const FORMAT: &str = "eval-ls/transcript@1";

/// What one case produced. What is `None` is not known: only the case and the response always are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// The case's id.
    pub case: String,
    /// The name of the target that answered.
    pub target: Option<String>,
    /// When it was recorded: a date and time of RFC 3339.
    pub recorded_at: Option<String>,
    /// The prompt that was sent.
    pub prompt: Option<String>,
    /// The prompts that were sent before it.
    pub setup_prompts: Option<Vec<String>>,
    /// How long the case took, in milliseconds.
    pub duration_ms: Option<u64>,
    /// What was answered, as one text.
    pub response: String,
    /// The log events since the prompt was sent, in order.
    pub telemetry: Vec<Event>,
}

impl Transcript {
    /// Whether it was recorded with another prompt, or after other setup prompts, than a case now has. What it does not
    /// say does not differ, and empty setup prompts are never sent.
    pub fn is_stale<'a>(&self, prompt: &str, setup_prompts: impl IntoIterator<Item = &'a str>) -> bool {
        let other_prompt = self.prompt.as_ref().is_some_and(|recorded| recorded != prompt);
        let other_setup = self.setup_prompts.as_ref().is_some_and(|recorded| {
            let recorded = recorded.iter().map(String::as_str).filter(|prompt| !prompt.is_empty());
            !recorded.eq(setup_prompts.into_iter().filter(|prompt| !prompt.is_empty()))
        });
        other_prompt || other_setup
    }

    /// The moment it was recorded, where it says so and that is a date and time.
    pub fn recorded(&self) -> Option<SystemTime> {
        OffsetDateTime::parse(self.recorded_at.as_deref()?, &Rfc3339).ok().map(SystemTime::from)
    }

    /// As the text of a file: indented JSON with a line break at its end.
    pub fn to_json(&self) -> String {
        let file = self.file();
        let mut text = serde_json::to_string_pretty(&file).expect("strings, numbers and JSON values serialize");
        text.push('\n');
        text
    }

    /// What a file of it holds, as a value.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self.file()).expect("strings, numbers and JSON values serialize")
    }

    fn file(&self) -> File<'_> {
        File {
            format: FORMAT,
            case: &self.case,
            target: self.target.as_deref(),
            recorded_at: self.recorded_at.as_deref(),
            prompt: self.prompt.as_deref(),
            setup_prompts: self.setup_prompts.as_deref(),
            duration_ms: self.duration_ms,
            response: &self.response,
            telemetry: self.telemetry.iter().map(Event::to_value).collect(),
        }
    }
}

#[derive(Serialize)]
struct File<'a> {
    format: &'a str,
    case: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded_at: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    setup_prompts: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    response: &'a str,
    telemetry: Vec<Value>,
}
