use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::suite::{Case, List};
use crate::transcript::Transcript;

use super::catalog::{Challenge, OwnAnswer};
use super::control::Control;
use super::{forbidden, numbers, telemetry};

/// What the challenges of one case are made from, beside the case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surroundings<'a> {
    /// The case's transcript.
    pub(crate) transcript: Option<&'a Transcript>,
    /// The transcripts of the suite's other cases. Those with the case's own prompt are ignored.
    pub(crate) others: Vec<&'a Transcript>,
    /// The answers of the workspace's own.
    pub(crate) own: &'a [OwnAnswer],
    /// The names of the challenges that are turned off.
    pub(crate) off: Vec<&'a str>,
    /// The answers that its checks are compared with, if there are any.
    pub(crate) control: Option<Control<'a>>,
}

impl Surroundings<'_> {
    /// Whether the challenge is turned off.
    pub(super) fn is_off(&self, challenge: &Challenge) -> bool {
        self.off.contains(&challenge.kind())
    }
}

/// What an assistant prints when something breaks.
const APOLOGY: &str = "Sorry, something went wrong.";
/// A refusal whose everyday words contain phrases like `pr`, `insight` and `message`.
const REFUSAL: &str =
    "Sorry, I cannot help with that. I propose to improve the product in April; no insight, no message.";

/// The challenges of a case, each with the answer that it consists of. A challenge that cannot be made is left out.
pub(super) fn answers<'a>(case: &Case, around: &Surroundings<'a>) -> Vec<(Challenge, Cow<'a, Transcript>)> {
    let mut list = vec![
        (Challenge::Silence, owned(case, String::new())),
        (Challenge::Echo, owned(case, echo(case))),
        (Challenge::Apology, owned(case, format!("{}{APOLOGY}\n", echo(case)))),
        (Challenge::Refusal, owned(case, format!("{REFUSAL}\n"))),
        (Challenge::KeywordSoup, owned(case, keyword_soup(case))),
    ];
    if let Some(transcript) = around.transcript {
        list.extend(from_transcript(case, transcript));
    }
    let prompt = prompt(case);
    // A transcript need not say its prompt; then the caller knows that the cases differ.
    let others = around.others.iter().filter(|other| other.prompt.as_deref().is_none_or(|other| other != prompt));
    list.extend(others.map(|other| (Challenge::OtherAnswer(other.case.clone()), Cow::Borrowed(*other))));
    list.extend(forbidden::answer(case, &echo(case)).map(|(response, events)| {
        let transcript = Transcript { telemetry: events, ..blank(case, response) };
        (Challenge::Forbidden, Cow::Owned(transcript))
    }));
    list.extend(around.own.iter().map(|own| (Challenge::Own(own.name.clone()), owned(case, own.response.clone()))));
    // Silence and echo show if the prompts alone meet a check, even if they are turned off.
    let is_needed = |it: &Challenge| matches!(it, Challenge::Silence | Challenge::Echo);
    list.retain(|(challenge, _)| is_needed(challenge) || !around.is_off(challenge));
    list
}

fn from_transcript<'a>(case: &Case, transcript: &'a Transcript) -> Vec<(Challenge, Cow<'a, Transcript>)> {
    let mut list = Vec::new();
    if let Some(response) = page_before(transcript) {
        list.push((Challenge::PageBefore, owned(case, response)));
    }
    if let Some(response) = numbers::changed(case, &transcript.response) {
        list.push((Challenge::Stale, Cow::Owned(Transcript { response, ..without_pages(transcript) })));
    }
    if telemetry::has_tools(&transcript.telemetry) {
        let with = |events| Cow::Owned(Transcript { telemetry: events, ..without_pages(transcript) });
        list.push((Challenge::RenamedTool, with(telemetry::renamed(&transcript.telemetry))));
        list.push((Challenge::FailedTool, with(telemetry::failed(&transcript.telemetry))));
        list.push((Challenge::NoTool, with(Vec::new())));
    }
    list
}

/// The page before the prompt in the form of the response; `None` if the response is a part of the page.
fn page_before(transcript: &Transcript) -> Option<String> {
    let pages = transcript.pages.as_ref().filter(|pages| !pages.of_part)?;
    pages.before.get(pages.form).clone()
}

/// The transcript without the stored pages, which no check reads.
pub(super) fn without_pages(transcript: &Transcript) -> Transcript {
    Transcript {
        case: transcript.case.clone(),
        prompt: transcript.prompt.clone(),
        setup_prompts: transcript.setup_prompts.clone(),
        response: transcript.response.clone(),
        telemetry: transcript.telemetry.clone(),
        ..Transcript::default()
    }
}

fn owned<'a>(case: &Case, response: String) -> Cow<'a, Transcript> {
    Cow::Owned(blank(case, response))
}

/// A transcript of the case's own prompts with this response and no telemetry.
fn blank(case: &Case, response: String) -> Transcript {
    Transcript {
        case: case.id.as_ref().map_or_else(String::new, |id| id.value.clone()),
        prompt: Some(prompt(case).to_owned()),
        setup_prompts: Some(setup_prompts(case).map(str::to_owned).collect()),
        response,
        ..Transcript::default()
    }
}

fn prompt(case: &Case) -> &str {
    case.prompt.as_ref().map_or("", |prompt| &prompt.value)
}

fn setup_prompts(case: &Case) -> impl Iterator<Item = &str> {
    case.setup_prompts.iter().flat_map(List::entries).map(|prompt| prompt.value.as_str())
}

/// The prompts as a page shows them: a line each.
fn echo(case: &Case) -> String {
    let prompts = setup_prompts(case).chain([prompt(case)]).filter(|prompt| !prompt.is_empty());
    prompts.flat_map(|prompt| [prompt, "\n"]).collect()
}

/// The words of the prompt and the names of the sources, sorted, each once: no sentence is left.
fn keyword_soup(case: &Case) -> String {
    let sources = case.expected.required_sources.iter().flat_map(List::entries).map(|source| source.value.as_str());
    let words = prompt(case).split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let words: BTreeSet<&str> = words.chain(sources).filter(|word| !word.is_empty()).collect();
    words.into_iter().collect::<Vec<_>>().join(" ") + "\n"
}
