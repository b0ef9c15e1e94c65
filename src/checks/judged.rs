use crate::transcript::Transcript;

use super::events::Events;
use super::response::Response;

/// A transcript, prepared for checks. The preparation is lazy: a check computes what it needs.
pub struct Judged<'t> {
    pub(super) response: Response<'t>,
    pub(super) events: Events<'t>,
}

impl<'t> Judged<'t> {
    /// Prepares `transcript`.
    pub fn new(transcript: &'t Transcript) -> Judged<'t> {
        Judged { response: Response::new(&transcript.response), events: Events::new(&transcript.telemetry) }
    }

    /// The first `count` lines of the response. Only `\n` separates lines, and empty lines at the end are dropped.
    pub fn first_lines(&self, count: usize) -> impl Iterator<Item = &'t str> {
        self.response.lines().take(count).map(|(_, line)| line)
    }
}
