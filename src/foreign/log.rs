//! The logs of assistants: which form a log has.

use serde_json::Value;

/// The form of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Log {
    OpenAi,
    Anthropic,
    AiSdk,
    Otlp,
    LangSmith,
    Langfuse,
    PydanticAi,
    ClaudeCode,
    Codex,
}

/// How many values of a file may show its form. Session files begin with a few entries about the program.
pub(crate) const MOST_TRIED: usize = 20;

/// Each form, its name, and whether a value of a log shows it: a line, an element of the list that the file is, or the whole file.
const FORMS: [(Log, &str, fn(&Value) -> bool); 9] = [
    (Log::OpenAi, "conversations of OpenAI", |_| false),
    (Log::Anthropic, "conversations of Anthropic", |_| false),
    (Log::AiSdk, "conversations of the AI SDK", |_| false),
    (Log::Otlp, "traces of OpenTelemetry", |_| false),
    (Log::LangSmith, "runs of LangSmith", |_| false),
    (Log::Langfuse, "traces of Langfuse", |_| false),
    (Log::PydanticAi, "conversations of Pydantic AI", |_| false),
    (Log::ClaudeCode, "a session of Claude Code", |_| false),
    (Log::Codex, "a session of Codex", |_| false),
];

impl Log {
    /// The form that a value of a log shows.
    pub(crate) fn of(value: &Value) -> Option<Log> {
        FORMS.iter().find(|(.., is)| is(value)).map(|(log, ..)| *log)
    }

    /// The name: `runs of LangSmith`.
    pub(crate) fn name(self) -> &'static str {
        FORMS.iter().find(|(log, ..)| *log == self).map_or("", |(_, name, _)| name)
    }
}
