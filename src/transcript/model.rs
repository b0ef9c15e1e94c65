use std::time::SystemTime;

use crate::clock;
use crate::config::ResponseFrom;

use super::{Event, NotKept, Pages, Wanted};

/// The name of the format in which files are written.
pub(crate) const FORMAT: &str = "eval-ls/transcript@2";

/// The formats that are read.
pub(super) const FORMATS: [&str; 2] = ["eval-ls/transcript@1", FORMAT];

/// What one case produced. A field that is `None` is not known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// The case's id.
    pub case: String,
    /// The name of the target that answered.
    pub target: Option<String>,
    /// The hash of the files of the program that answered. Browser targets have none.
    pub program: Option<String>,
    /// The time of the recording: a date and time of RFC 3339.
    pub recorded_at: Option<String>,
    /// The prompt that was sent.
    pub prompt: Option<String>,
    /// The prompts that were sent before it.
    pub setup_prompts: Option<Vec<String>>,
    /// The duration of the case in milliseconds.
    pub duration_ms: Option<u64>,
    /// The answer, as one text.
    pub response: String,
    /// The response in its other forms, if a browser target answered.
    pub pages: Option<Box<Pages>>,
    /// The log events since the prompt was sent, in order.
    pub telemetry: Vec<Event>,
    /// The last recording of the case, if this answer stayed because it passes and the new one does not.
    pub last_record: Option<Box<LastRecord>>,
}

/// A recording whose answer was not taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastRecord {
    /// Its time: a date and time of RFC 3339.
    pub at: String,
    /// The name of the target that was asked.
    pub target: String,
    /// The status of the new answer, or `ERROR` if there was none.
    pub status: String,
}

impl Transcript {
    /// Whether it was recorded with another prompt or other setup prompts than these. An unknown prompt counts as equal.
    /// Empty setup prompts are never sent, so they are ignored.
    pub(crate) fn is_stale<'a>(&self, prompt: &str, setup_prompts: impl IntoIterator<Item = &'a str>) -> bool {
        let other_prompt = self.prompt.as_ref().is_some_and(|recorded| recorded != prompt);
        let other_setup = self.setup_prompts.as_ref().is_some_and(|recorded| {
            let recorded = recorded.iter().map(String::as_str).filter(|prompt| !prompt.is_empty());
            !recorded.eq(setup_prompts.into_iter().filter(|prompt| !prompt.is_empty()))
        });
        other_prompt || other_setup
    }

    /// The transcript with its response in the form that is wanted from the target that answered. A transcript that has
    /// one form only, or is of another target, stays as it is.
    ///
    /// # Errors
    /// If that form was not kept.
    pub(crate) fn viewed(mut self, wanted: &Wanted) -> Result<Transcript, NotKept> {
        let form = self.target.as_ref().and_then(|target| wanted.of_target(target));
        let (Some((form, selector)), Some(pages)) = (form, &mut self.pages) else { return Ok(self) };
        self.response = pages.response(form, selector)?.to_owned();
        (pages.form, pages.of_part) = (form, selector.is_some());
        Ok(self)
    }

    /// The page that shows the response, if the response is only the reply on it.
    pub(crate) fn page_of_reply(&self) -> Option<&str> {
        let pages = self.pages.as_ref().filter(|pages| pages.form == ResponseFrom::Reply)?;
        pages.after.all().into_iter().find_map(|form| form.as_deref())
    }

    /// Whether it differs from another one at most in the id of its case and in the recordings after it.
    pub(crate) fn is_same_answer(&self, other: &Transcript) -> bool {
        let Transcript {
            case: _,
            target,
            program,
            recorded_at,
            prompt,
            setup_prompts,
            duration_ms,
            response,
            pages,
            telemetry,
            last_record: _,
        } = self;
        (recorded_at, duration_ms, target, prompt, setup_prompts)
            == (&other.recorded_at, &other.duration_ms, &other.target, &other.prompt, &other.setup_prompts)
            && (program, response, pages, telemetry)
                == (&other.program, &other.response, &other.pages, &other.telemetry)
    }

    /// Whether the other one has the same prompts, response, page and events. Target and time may differ.
    pub(crate) fn has_same_content(&self, other: &Transcript) -> bool {
        (&self.prompt, &self.setup_prompts, &self.response) == (&other.prompt, &other.setup_prompts, &other.response)
            && (&self.pages, &self.telemetry) == (&other.pages, &other.telemetry)
    }

    /// The time of the recording, if it is known and valid.
    pub(crate) fn recorded(&self) -> Option<SystemTime> {
        clock::moment(self.recorded_at.as_deref()?)
    }
}
