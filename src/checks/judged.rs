//! What a check is judged with, and its result.

use std::cell::OnceCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::pattern::Budget;
use crate::suite::{Case, List};
use crate::text::{LineColumn, Span};
use crate::transcript::Transcript;

use super::events::Events;
use super::keys::{Expectation, View};
use super::prompt;
use super::response::{Response, lines, without_last_breaks};

/// A transcript, prepared for checks. The preparation is lazy: a check computes what it needs.
pub(crate) struct Judged<'t> {
    pub(super) response: Response<'t>,
    /// The page that shows the response, if the response is only the reply on it, and if the case has expectations about the page.
    page: Option<Response<'t>>,
    pub(super) events: Rc<Events<'t>>,
    /// Whether the prompt's own text is searched.
    prompt_counts: bool,
    /// The other view of the same transcript, with or without the prompt's own text.
    other: OnceCell<Box<Judged<'t>>>,
}

impl<'t> Judged<'t> {
    /// Prepares `transcript`, an answer to `case`. `config` defines if the prompt's own text counts as evidence. The prompts
    /// are those that the transcript was recorded with, else those of the case.
    pub(crate) fn new(transcript: &'t Transcript, case: &Case, config: &Config) -> Judged<'t> {
        let is_page = is_of_page(transcript, config);
        // The answer of a program does not show the prompt, unless the configuration says otherwise.
        let is_looked_for = is_page || config.scoring.prompt_counts.is_some();
        Judged::with_own_text(transcript, case, config, is_looked_for)
    }

    /// Prepares `transcript` for outcomes alone. Where the prompt's own text counts, it is not looked for, because it
    /// changes no outcome: then no evidence is marked as text of the prompt.
    pub(crate) fn for_outcomes(transcript: &'t Transcript, case: &Case, config: &Config) -> Judged<'t> {
        let is_looked_for = !prompt_counts(transcript, config);
        Judged::with_own_text(transcript, case, config, is_looked_for)
    }

    /// Prepares `transcript` with the prompt's own text left out, whatever the configuration says.
    pub(crate) fn in_reply_only(transcript: &'t Transcript, case: &Case, config: &Config) -> Judged<'t> {
        let whole = Judged::with_own_text(transcript, case, config, true);
        if whole.prompt_counts && whole.has_own_text() { whole.without_prompt() } else { whole }
    }

    fn with_own_text(transcript: &'t Transcript, case: &Case, config: &Config, is_looked_for: bool) -> Judged<'t> {
        let reading = config.scoring.reading;
        let prompts = prompts(transcript, case);
        let own = |text: &str| if is_looked_for { prompt::own_text(text, &prompts) } else { Vec::new() };
        let page = case.expected.ui.as_ref().and_then(|_| transcript.page_of_reply());
        let whole = Judged {
            response: Response::new(&transcript.response, own(&transcript.response).into(), reading),
            page: page.map(|page| Response::page(page, own(page).into(), reading)),
            events: Rc::new(Events::new(&transcript.telemetry)),
            prompt_counts: true,
            other: OnceCell::new(),
        };
        if prompt_counts(transcript, config) || !whole.has_own_text() { whole } else { whole.without_prompt() }
    }

    /// The first `count` lines of the response. Empty lines at the end are dropped.
    pub(crate) fn first_lines(&self, count: usize) -> impl Iterator<Item = &'t str> {
        lines(without_last_breaks(self.response.original())).take(count).map(|(_, line)| line)
    }

    /// Whether the prompt's own text is searched.
    pub(super) fn prompt_counts(&self) -> bool {
        self.prompt_counts
    }

    /// The transcript with the prompt's own text if this is without it, and without if this is with it; `None` if the
    /// response does not show the prompt.
    pub(super) fn other_view(&self) -> Option<&Judged<'t>> {
        self.has_own_text().then(|| {
            &**self
                .other
                .get_or_init(|| Box::new(if self.prompt_counts { self.without_prompt() } else { self.with_prompt() }))
        })
    }

    /// What `ui` looks at: the page.
    pub(super) fn page(&self) -> &Response<'t> {
        self.page.as_ref().unwrap_or(&self.response)
    }

    fn has_own_text(&self) -> bool {
        self.response.has_own_text() || self.page.as_ref().is_some_and(Response::has_own_text)
    }

    fn without_prompt(&self) -> Judged<'t> {
        self.with(Response::without_prompt, false)
    }

    fn with_prompt(&self) -> Judged<'t> {
        self.with(Response::whole, true)
    }

    fn with(&self, view: fn(&Response<'t>) -> Response<'t>, prompt_counts: bool) -> Judged<'t> {
        let (response, page) = (view(&self.response), self.page.as_ref().map(view));
        Judged { response, page, events: Rc::clone(&self.events), prompt_counts, other: OnceCell::new() }
    }
}

/// Whether the prompt's own text counts as evidence in this transcript.
pub(crate) fn prompt_counts(transcript: &Transcript, config: &Config) -> bool {
    config.scoring.prompt_counts.unwrap_or_else(|| !is_of_page(transcript, config))
}

/// Whether the response was read from a page, which shows the prompt, too: a browser target answered. If nobody knows who answered, its form decides.
fn is_of_page(transcript: &Transcript, config: &Config) -> bool {
    let target = transcript.target.as_ref().and_then(|name| config.targets.get(name));
    transcript.pages.is_some()
        || match target.filter(|target| target.is_live()) {
            Some(target) => target.shows_prompt(),
            None => prompt::is_page(&transcript.response),
        }
}

/// The prompts whose text a response may show.
fn prompts<'a>(transcript: &'a Transcript, case: &'a Case) -> Vec<&'a str> {
    let of_case = || case.setup_prompts.iter().flat_map(List::entries).map(|prompt| prompt.value.as_str()).collect();
    let mut prompts: Vec<&str> = match &transcript.setup_prompts {
        Some(setup) => setup.iter().map(String::as_str).collect(),
        None => of_case(),
    };
    let prompt = transcript.prompt.as_deref();
    prompts.extend(prompt.or_else(|| case.prompt.as_ref().map(|prompt| prompt.value.as_str())));
    prompts
}

/// Whether a check passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CheckOutcome {
    /// The answer meets the expectation.
    Passed,
    /// The answer does not meet the expectation.
    Failed,
    /// The expectation is a UI hint without a definition.
    Unknown,
    /// A limit was exceeded, so the whole case is `ERROR`. The message has the reason.
    #[default]
    NotJudged,
}

/// A place in a transcript and the text there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Evidence {
    /// The place.
    #[serde(flatten)]
    pub(crate) place: EvidencePlace,
    /// The text at the place, shortened if it is long. It is not escaped: the code that shows it escapes it.
    pub(crate) text: String,
    /// Whether it is text of the prompt, which the response shows as well as the answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) in_prompt: bool,
}

/// The place of evidence in a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum EvidencePlace {
    /// In the response. Only `\n` separates lines.
    Response(LineColumn),
    /// On the page that shows the answer, if the response is not the page. Only `\n` separates lines.
    Page {
        /// Where in the page.
        page: LineColumn,
    },
    /// An event of the telemetry.
    Telemetry {
        /// The number, from 1.
        event: usize,
    },
}

impl Evidence {
    /// The bytes of the response that it is about, without what is not shown because it is long. `None` for an event, and for a place
    /// that the response does not have.
    pub(crate) fn span_in(&self, response: &str) -> Option<Span> {
        let EvidencePlace::Response(LineColumn { line, column }) = self.place else { return None };
        let lines_before = line.checked_sub(2);
        let line_start = match lines_before {
            Some(before) => memchr::memchr_iter(b'\n', response.as_bytes()).nth(before)? + 1,
            None => 0,
        };
        let rest = response.get(line_start..)?;
        let (start, _) = rest.char_indices().nth(column.checked_sub(1)?).unwrap_or((rest.len(), ' '));
        let start = line_start + start;
        let here = &response[start..];
        let whole = length_of(&self.text, here);
        let length = whole.or_else(|| length_of(self.text.strip_suffix('…')?, here));
        Some(Span::new(start, start + length.unwrap_or(0)))
    }
}

/// How many bytes the text of evidence, in which each line ends with `\n`, has at the start of a part of the response.
fn length_of(text: &str, response: &str) -> Option<usize> {
    let mut length = 0;
    for (number, line) in text.split('\n').enumerate() {
        let rest = &response[length..];
        let end = if number == 0 { 0 } else { ["\n", "\r\n"].into_iter().find(|end| rest.starts_with(end))?.len() };
        length += rest[end..].starts_with(line).then_some(end + line.len())?;
    }
    Some(length)
}

impl EvidencePlace {
    /// The line of the response, from 1.
    pub(crate) fn line(&self) -> Option<usize> {
        match self {
            EvidencePlace::Response(place) => Some(place.line),
            EvidencePlace::Telemetry { .. } | EvidencePlace::Page { .. } => None,
        }
    }
}

/// The decision on one expectation.
#[derive(Debug)]
pub(crate) struct Decision {
    /// Whether it is met.
    pub(crate) outcome: CheckOutcome,
    /// The finding, as one plain line without a full stop. Text from suites and answers is quoted and harmless.
    pub(crate) message: String,
    /// The places in the transcript that decided.
    pub(crate) evidence: Vec<Evidence>,
    /// Whether the prompt's own text decides: with it the outcome is another than without it. The message mentions it.
    pub(crate) by_prompt: bool,
}

impl Decision {
    pub(super) fn passed(message: impl Into<String>) -> Decision {
        Decision { outcome: CheckOutcome::Passed, message: message.into(), evidence: Vec::new(), by_prompt: false }
    }

    /// The decision with the words in which the prompt's own text is named, and where that is.
    fn decided_by_prompt(self, words: &str) -> Decision {
        let lines =
            self.evidence.iter().filter(|evidence| evidence.in_prompt).filter_map(|evidence| evidence.place.line());
        let place = lines.min().map(|line| format!(", line {line}")).unwrap_or_default();
        Decision { message: format!("{}: {words}{place}", self.message), by_prompt: true, ..self }
    }

    pub(super) fn failed(message: impl Into<String>) -> Decision {
        Decision { outcome: CheckOutcome::Failed, ..Decision::passed(message) }
    }

    pub(super) fn unknown(message: impl Into<String>) -> Decision {
        Decision { outcome: CheckOutcome::Unknown, ..Decision::passed(message) }
    }

    pub(super) fn not_judged(message: impl Into<String>) -> Decision {
        Decision { outcome: CheckOutcome::NotJudged, ..Decision::passed(message) }
    }

    pub(super) fn with(mut self, evidence: impl IntoIterator<Item = Evidence>) -> Decision {
        self.evidence.extend(evidence);
        self
    }
}

/// Checks one expectation against a transcript. `config` defines UI hints and sources. All patterns of a case share
/// `budget`. The other view of the response never changes the outcome.
pub(crate) fn check(expectation: &Expectation<'_>, judged: &Judged<'_>, config: &Config, budget: &Budget) -> Decision {
    let decision = expectation.rule.judge(&View { judged, config, budget });
    if decision.outcome == CheckOutcome::NotJudged || !expectation.is_about_response() {
        return decision;
    }
    // With the prompt, only a place in it can make a difference.
    let may_differ = !judged.prompt_counts() || decision.evidence.iter().any(|evidence| evidence.in_prompt);
    let Some(other) = judged.other_view().filter(|_| may_differ) else { return decision };
    // The case's budget is for what decides.
    let otherwise = expectation.rule.judge(&View { judged: other, config, budget: &Budget::default() });
    match otherwise.outcome {
        CheckOutcome::NotJudged => decision,
        // What is found apart from the prompt says more.
        outcome if outcome == decision.outcome && judged.prompt_counts() => otherwise,
        outcome if outcome == decision.outcome => decision,
        _ if judged.prompt_counts() => decision.decided_by_prompt("your own prompt says so"),
        _ => {
            let in_prompt = otherwise.evidence.into_iter().filter(|evidence| evidence.in_prompt);
            decision.with(in_prompt).decided_by_prompt("only your own prompt says so, which does not count")
        }
    }
}
