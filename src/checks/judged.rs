use std::cell::OnceCell;
use std::rc::Rc;

use crate::config::Config;
use crate::suite::{Case, List};
use crate::transcript::Transcript;

use super::events::Events;
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

    /// The same for outcomes alone. Where the prompt's own text counts, it is not looked for, because it changes no outcome:
    /// then no evidence is marked as text of the prompt.
    pub(crate) fn for_outcomes(transcript: &'t Transcript, case: &Case, config: &Config) -> Judged<'t> {
        let is_looked_for = !prompt_counts(transcript, config);
        Judged::with_own_text(transcript, case, config, is_looked_for)
    }

    /// The same, with the prompt's own text left out whatever the configuration says.
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

    /// The same transcript with the prompt's own text if this is without it, and without if this is with it; `None` if the
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
