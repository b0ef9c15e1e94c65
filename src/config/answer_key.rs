/// What it means that the files of a case's answer were opened while the target was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AnswerKey {
    /// Reports mention it.
    #[default]
    Warn,
    /// The case has no verdict.
    Error,
    /// No file is watched.
    Ignore,
}

impl AnswerKey {
    /// The words of `[run] answer_key`.
    pub(super) const WORDS: [(&'static str, AnswerKey); 3] =
        [("warn", AnswerKey::Warn), ("error", AnswerKey::Error), ("ignore", AnswerKey::Ignore)];
}
