use crate::transcript::Transcript;

use super::events::Events;
use super::response::Response;

/// A transcript, prepared for being judged. Making one costs nothing: what a check needs is made when it first needs it.
pub struct Judged<'t> {
    pub(super) response: Response<'t>,
    pub(super) events: Events<'t>,
}

impl<'t> Judged<'t> {
    /// Prepares `transcript`.
    pub fn new(transcript: &'t Transcript) -> Judged<'t> {
        Judged { response: Response::new(&transcript.response), events: Events::new(&transcript.telemetry) }
    }

    /// The response's first lines, at most `count`: parted at `\n` alone, empty ones at the very end dropped.
    pub fn first_lines(&self, count: usize) -> impl Iterator<Item = &'t str> {
        self.response.lines().take(count).map(|(_, line)| line)
    }
}
