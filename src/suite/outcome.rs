/// The value of `expected.outcome`, which is judged by the telemetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Outcome {
    /// `tool_success`
    ToolSuccess,
    /// `tool_started`
    ToolStarted,
    /// `needs_input`
    NeedsInput,
    /// `graceful_block`
    GracefulBlock,
    /// `graceful_error`
    GracefulError,
    /// `response_only`
    ResponseOnly,
}

impl Outcome {
    /// All outcomes, in the order of the documentation.
    pub(crate) const ALL: [Outcome; 6] = [
        Outcome::ToolSuccess,
        Outcome::ToolStarted,
        Outcome::NeedsInput,
        Outcome::GracefulBlock,
        Outcome::GracefulError,
        Outcome::ResponseOnly,
    ];

    /// The name in suites.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Outcome::ToolSuccess => "tool_success",
            Outcome::ToolStarted => "tool_started",
            Outcome::NeedsInput => "needs_input",
            Outcome::GracefulBlock => "graceful_block",
            Outcome::GracefulError => "graceful_error",
            Outcome::ResponseOnly => "response_only",
        }
    }

    /// The outcome with that name.
    pub(crate) fn from_name(name: &str) -> Option<Outcome> {
        Outcome::ALL.into_iter().find(|outcome| outcome.name() == name)
    }

    /// Whether the outcome can fail. `lists_tools` is whether `tool_calls_any` has entries.
    pub(crate) fn can_fail(self, lists_tools: bool) -> bool {
        match self {
            Outcome::ResponseOnly => false,
            Outcome::NeedsInput => lists_tools,
            _ => true,
        }
    }
}
