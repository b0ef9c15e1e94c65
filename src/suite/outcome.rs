/// What a case is expected to come to, judged by its telemetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
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
    /// All of them, in the order of the documentation.
    pub const ALL: [Outcome; 6] = [
        Outcome::ToolSuccess,
        Outcome::ToolStarted,
        Outcome::NeedsInput,
        Outcome::GracefulBlock,
        Outcome::GracefulError,
        Outcome::ResponseOnly,
    ];

    /// Its name in suites.
    pub fn name(self) -> &'static str {
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
    pub fn from_name(name: &str) -> Option<Outcome> {
        Outcome::ALL.into_iter().find(|outcome| outcome.name() == name)
    }

    /// Whether it can pass and fail at all, where `tool_calls_any` lists some tools or none.
    pub fn can_fail(self, lists_tools: bool) -> bool {
        match self {
            Outcome::ResponseOnly => false,
            Outcome::NeedsInput => lists_tools,
            _ => true,
        }
    }
}
